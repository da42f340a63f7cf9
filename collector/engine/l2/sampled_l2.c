/* Estimates L2's fetches and write-backs of a sampled launch. The sampling unit is a cell: the
 * work-groups of one wave on one compute unit. See sampled_l2.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/l2/sampled_l2.h"

#include <math.h>

/* Numbers that relate a sampled launch to its sample. A cell is the work-groups of one wave on one
 * compute unit. scale: number of cells of the launch divided by the number of sampled cells. wave:
 * number of cells of a wave divided by the number of sampled cells, at most `scale`. requested:
 * number of sectors that the sample requested, of all kinds of requests. aligned: 1 if concurrent
 * cells access the sectors that they share at the same time, 0 if at independent times. held:
 * number of waves whose lines fit into L2 together. fits: true if L2 holds all lines that a wave
 * touches. fills: true if the sample touches as many lines as L2 has. full: the requests at which
 * L2 becomes full; valid if `fills`. */
typedef struct {
    double scale, wave, requested, aligned, held;
    bool fits, fills;
    pm_reuse_span full;
} extent;

/* Sets the estimate to the value, and scales its standard error likewise. */
static void replace_value(pm_l2_estimate *e, double value)
{
    if (e->value > 0)
        e->variance *= value / e->value * value / e->value;
    e->value = value;
}

/* Estimates the number of sectors of a region (buffer) that L2 fetches for a launch with `scale`
 * times as many cells (work-groups of one wave on one compute unit) as were sampled. Sectors that
 * several cells access are fetched `times` times, all others once. */
static pm_l2_estimate fetched_by(const pm_l2_sample *sample, size_t region,
                                 pm_footprint_count count, double scale, double times)
{
    const double often = (double)count.often, once = (double)count.once * scale;
    pm_l2_estimate e = {often * times + once, (double)count.once * scale * scale * (1 - 1 / scale)};

    if (region < sample->region_count) {
        const uint64_t all =
            (sample->regions[region].bytes + sample->sector_bytes - 1) / sample->sector_bytes;
        const double rest = fmax((double)all - often, 0);
        if (once >= rest)
            e = (pm_l2_estimate){often * times + rest, 0};
    }
    return e;
}

/* Returns the mean number of sectors that L2 fetches for each sector of a memory region (buffer)
 * that loads miss. It is 1, or up to 2 if L2 fetches pairs of sectors of which not all are
 * requested. */
static double fetched_for_one(const pm_l2_sample *sample, size_t region)
{
    const pm_revisits *r = &sample->revisits[region];

    return r->asked > 0 ? (double)r->fetched / (double)r->asked : 1;
}

/* Converts an estimate of sectors of a region (buffer) that loads miss to an estimate of the
 * sectors that L2 fetches. The latter is larger if L2 fetches pairs of sectors. times: limit on the
 * number of times that each sector of the region is fetched. */
static pm_l2_estimate with_pairs(const pm_l2_sample *sample, size_t region, pm_l2_estimate asked,
                                 double times)
{
    const double width = fetched_for_one(sample, region);
    pm_l2_estimate e = {asked.value * width, asked.variance * width * width};

    if (region < sample->region_count) {
        const double all =
            ceil((double)sample->regions[region].bytes / sample->sector_bytes) * times;
        if (e.value > all && width > 1)
            replace_value(&e, fmax(all, asked.value));
    }
    return e;
}

/* Estimates the number of distinct sectors of a region (buffer) that a launch brings into L2.
 * scale: number of cells (work-groups of one wave on one compute unit) of the launch divided by the
 * number of sampled cells. */
static double touched_in(const pm_l2_sample *sample, size_t region, double scale)
{
    const pm_l2_estimate asked =
        fetched_by(sample, region, sample->counts[region].either, scale, 1);

    return with_pairs(sample, region, asked, 1).value;
}

double pm_l2_touched_by(const pm_l2_sample *sample, double scale)
{
    double sum = 0;

    for (size_t i = 0; i <= sample->region_count; i++)
        sum += touched_in(sample, i, scale);
    return sum;
}

/* Estimates how many of a buffer's `revisits` miss in the whole L2. Revisits are repeated accesses
 * that miss in the fraction of L2 that a sampled cell has. A cell is the work-groups of one wave on
 * one compute unit. If several cells access a sector, it stays in L2 because of the other cells'
 * accesses. Only the fraction of the sectors that a single cell accesses is therefore counted. */
static double lost_of(pm_footprint_count count, uint64_t revisits)
{
    const double touched = (double)count.once + (double)count.often;

    return touched > 0 ? (double)revisits * (double)count.once / touched : 0;
}

/* Limits the estimate of the distinct sectors that a sampled launch writes. If two work-groups
 * write parts of the same sector, and only one of them is sampled, the estimate counts the sector
 * twice. The replayed wave (wave_replay.h) contains both: the limit is the number of sectors that
 * stores and atomics request, times the fraction of these requests that make a sector dirty in the
 * replay. */
static void limit_written(pm_l2_launch *l, double scale)
{
    double changed = 0, changes = 0;

    for (unsigned kind = 0; kind < PM_L2_KINDS; kind++)
        if (kind != PM_L2_READ) {
            changed += l->sectors[kind].sum * scale;
            changes += l->wave.asked[kind];
        }
    if (l->wave.knows_dirtied && changes > 0 &&
        changed * l->wave.dirtied / changes < l->written.value)
        replace_value(&l->written, changed * l->wave.dirtied / changes);
}

/* For a sampled launch, wave_replay.h simulates all requests of a wave, the work-groups that run at
 * the same time. Sets the number of sectors that the launch fetches to the number of its requested
 * sectors times the miss rate of this wave. Limits the number of written sectors in the same way.
 */
static void take_wave(pm_l2_launch *l, double scale)
{
    const pm_wave_counts *w = &l->wave;
    double fetched = 0, missed = 0;

    for (unsigned kind = 0; kind < PM_L2_KINDS; kind++)
        if (kind != PM_L2_WRITE && w->asked[kind] > 0)
            fetched += l->sectors[kind].sum * scale * w->missed[kind] / w->asked[kind];
    for (unsigned kind = 0; kind < PM_L2_KINDS; kind++)
        missed += w->missed[kind];
    replace_value(&l->read, fetched);
    limit_written(l, scale);
    if (missed > 0)
        l->beyond = w->fetched / missed;
}

/* Numbers of sectors that a launch fetches and writes. */
typedef struct {
    pm_l2_estimate read, written;
} traffic;

/* Returns the numbers of sectors of a region (buffer) that L2 fetches and writes back. times: how
 * often L2 fetches a sector that several sampled cells (work-groups of one wave on one compute
 * unit) access. */
static traffic share_region(const pm_l2_sample *sample, const extent *x, size_t region,
                            double times)
{
    const pm_footprint_counts *c = &sample->counts[region];

    return (traffic){
        with_pairs(sample, region, fetched_by(sample, region, c->read, x->scale, times), times),
        fetched_by(sample, region, c->written, x->scale, times)};
}

/* Returns part * a + (1 - part) * b. */
static pm_l2_estimate mix(pm_l2_estimate a, pm_l2_estimate b, double part)
{
    const double rest = 1 - part;

    return (pm_l2_estimate){part * a.value + rest * b.value,
                            part * part * a.variance + rest * rest * b.variance};
}

/* Returns an estimate of the fraction (0 to 1) of repeated accesses to sectors of a region (buffer)
 * that come after L2 has evicted the sectors. A wave is the work-groups that run at the same time.
 * The fraction is 1 if waves access random lines, because many waves lie between two accesses. It
 * is 0 if only work-groups of the same or the next waves access the same lines. */
static double find_returns(const pm_l2_sample *sample, const extent *x, size_t region)
{
    const double lines = (double)sample->regions[region].bytes / sample->line_bytes;
    pm_line_returns returns;

    if (x->wave >=
        x->scale) /* all cells (work-groups of one wave on one compute unit) run at the same time */
        return 1 - x->aligned;
    returns = pm_line_sample_returns(sample->lines, region, lines, x->held);
    return returns.far_random > 0 ? fmin(1, returns.far / returns.far_random) : 0;
}

/* Adds to the traffic of a region (buffer) the fetches and write-backs that occur because later
 * waves access sectors again after L2 was full. A wave is the work-groups that run at the same
 * time. `once` is the traffic if each sector is fetched once. The function replaces `once` by the
 * weighted mean of two traffics: the old `once`, and the traffic if waves access random lines.
 * find_returns() gives the weight of the second. */
static void add_returns(const pm_l2_sample *sample, const extent *x, size_t region, traffic *once)
{
    const pm_reuse_rates rates = pm_reuse_find_rates(sample->reuse, &x->full, region);
    const double all = x->requested * x->scale, part = find_returns(sample, x, region);
    const double fetched = all * rates.fetched, written = all * rates.written;

    /* The number of fetched sectors is assumed to be Poisson distributed. The sampled work-groups
     * have fetched 1 / scale of them, so the estimate `fetched` for the launch has the variance
     * scale^2 * fetched / scale. */
    if (fetched > once->read.value)
        once->read = mix((pm_l2_estimate){fetched, fetched * x->scale}, once->read, part);
    if (written > once->written.value)
        replace_value(&once->written, part * written + (1 - part) * once->written.value);
}

/* Returns L2's fetches and write-backs if each sector is fetched once, and again when a later wave
 * (work-groups that run at the same time) accesses it after its eviction. */
static traffic return_to_sectors(const pm_l2_sample *sample, const extent *x)
{
    traffic sum = {{0, 0}, {0, 0}};

    for (size_t i = 0; i <= sample->region_count; i++) {
        traffic t = share_region(sample, x, i, 1);

        if (x->fills && i < sample->region_count)
            add_returns(sample, x, i, &t);
        sum.read = pm_l2_sum_of(sum.read, t.read);
        sum.written = pm_l2_sum_of(sum.written, t.written);
    }
    return sum;
}

/* Adds the sectors that a sampled cell (work-groups of one wave on one compute unit) accesses again
 * after they were evicted from the cell's fraction of L2. */
static void add_revisits(const pm_l2_sample *sample, const extent *x, traffic *t)
{
    for (size_t i = 0; i <= sample->region_count; i++) {
        const pm_footprint_count *either = &sample->counts[i].either;

        t->read.value +=
            x->scale * fetched_for_one(sample, i) * lost_of(*either, sample->revisits[i].read);
        t->written.value += x->scale * lost_of(*either, sample->revisits[i].written);
    }
}

/* Returns how often L2 fetches a sector that several sampled work-groups access, for the case that
 * L2 holds less than a wave (the work-groups that run at the same time) touches. Each wave then
 * fetches its sectors anew. The result is 1 if no wave accesses the sectors of another wave, and
 * the number of waves if all waves access the same sectors. The latter is assumed if only one wave
 * was sampled. */
static double fetches_of_shared(const pm_l2_sample *sample, const extent *x, size_t region)
{
    const pm_line_returns returns = pm_line_sample_returns(sample->lines, region, 0, x->held);
    const double waves = x->scale / x->wave;

    return returns.every > 0 ? 1 + fmin(1, returns.seen / returns.every) * (waves - 1) : waves;
}

/* Returns L2's fetches and write-backs if work-groups on different compute units access shared
 * sectors at the same time. Each wave (the work-groups that run at the same time) then fetches
 * these sectors once. */
static traffic share_in_waves(const pm_l2_sample *sample, const extent *x)
{
    traffic sum = {{0, 0}, {0, 0}};

    for (size_t i = 0; i <= sample->region_count; i++) {
        const traffic t = share_region(sample, x, i, fetches_of_shared(sample, x, i));

        sum.read = pm_l2_sum_of(sum.read, t.read);
        sum.written = pm_l2_sum_of(sum.written, t.written);
    }
    return sum;
}

/* Estimates L2's fetches and write-backs of a launch for which wave_replay.h has not simulated the
 * requests of a whole wave, the work-groups that run at the same time. */
static traffic find_traffic(const pm_l2_sample *sample, const extent *x)
{
    traffic any = return_to_sectors(sample, x), waves;

    if (x->fits)
        return any;
    waves = share_in_waves(sample, x);
    add_revisits(sample, x, &any);
    add_revisits(sample, x, &waves);
    return (traffic){mix(waves.read, any.read, x->aligned),
                     mix(waves.written, any.written, x->aligned)};
}

/* Limits an estimate to the number of requested sectors. */
static void limit_to(pm_l2_estimate *e, double requested)
{
    if (e->value > requested)
        replace_value(e, requested);
}

/* Returns the number of lines that a wave (the work-groups that run at the same time) touches. L2
 * caches whole lines, even if only one sector of a line is touched. */
static double lines_of_wave(const pm_l2_sample *sample, const extent *x)
{
    const double seen = pm_l2_touched_by(sample, 1);
    const double lines = pm_reuse_lines(sample->reuse, x->requested * fmin(1, x->wave));

    return x->wave > 1 && seen > 0 ? lines * pm_l2_touched_by(sample, x->wave) / seen : lines;
}

static extent measure(const pm_l2_sample *sample, const pm_l2_launch *l)
{
    extent x = {.scale = l->cells / l->seen};

    for (unsigned kind = 0; kind < PM_L2_KINDS; kind++)
        x.requested += l->sectors[kind].sum;
    x.wave = fmin(sample->gpu->compute_units / l->seen, x.scale);
    x.held = sample->capacity / sample->line_bytes / fmax(1, lines_of_wave(sample, &x));
    x.fits = x.held >= 1;
    x.aligned = pm_line_sample_alignment(sample->lines, pm_reuse_cell_length(sample->reuse));
    x.fills = pm_reuse_find_span(sample->reuse, sample->capacity / sample->line_bytes, &x.full);
    return x;
}

/* Returns the fraction of the sectors written by the launch that none of its loads has read. */
static double find_unread(const pm_l2_sample *sample)
{
    double written = 0, unread = 0;

    for (size_t i = 0; i <= sample->region_count; i++) {
        const pm_footprint_counts *c = &sample->counts[i];

        written += (double)c->written.once + (double)c->written.often;
        unread += (double)c->either.once + (double)c->either.often - (double)c->read.once -
                  (double)c->read.often;
    }
    return written > 0 ? fmin(1, fmax(0, unread / written)) : 1;
}

void pm_l2_estimate_launch(const pm_l2_sample *sample, pm_l2_launch *launch, double *largest)
{
    const pm_l2_cells *sectors = launch->sectors;
    const extent x = measure(sample, launch);
    const traffic t = find_traffic(sample, &x);

    for (size_t i = 0; i <= sample->region_count; i++)
        largest[i] = fmax(largest[i], touched_in(sample, i, x.scale));
    launch->read = t.read;
    launch->written = t.written;
    if (launch->wave_known)
        take_wave(launch, x.scale);
    limit_to(&launch->read, x.scale * (launch->opened + sectors[PM_L2_ATOMIC].sum));
    limit_to(&launch->written, x.scale * (sectors[PM_L2_WRITE].sum + sectors[PM_L2_ATOMIC].sum));
    launch->stores.unread = find_unread(sample);
}
