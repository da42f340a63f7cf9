/* Estimates L2's fetches and write-backs of a sampled launch. See sampled_l2.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/memory/sampled_l2.h"

#include <math.h>

/* How a sample relates to its launch. A cell is the work-groups of one wave on one compute unit.
 * scale: cells of the launch for each sampled one. wave: cells of a wave for each sampled one, at
 * most `scale`. requested: requested sectors of all kinds, of the sample. fits: L2 holds what a
 * wave touches. */
typedef struct {
    double scale, wave, requested;
    bool fits;
} extent;

/* Estimates the number of sectors of a region (buffer) that L2 fetches if the launch has `scale`
 * times the sampled cells. Sectors that several cells access are fetched `times` times. A cell is
 * the work-groups of one wave on one compute unit. */
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

double pm_l2_touched_by(const pm_l2_sample *sample, double scale)
{
    double sum = 0;

    for (size_t i = 0; i <= sample->region_count; i++)
        sum += fetched_by(sample, i, sample->counts[i].either, scale, 1).value;
    return sum;
}

/* Returns what the sampled cells (work-groups of one wave on one compute unit) left untouched of
 * the buffers that they read and wrote. lines: number of lines that they touched. */
static pm_reuse_room find_room(const pm_l2_sample *sample, double lines)
{
    pm_reuse_room room = {-lines, 0, 0};

    for (size_t i = 0; i < sample->region_count; i++) {
        const pm_footprint_counts *c = &sample->counts[i];
        const double bytes = (double)sample->regions[i].bytes;
        const double read = (double)c->read.once + (double)c->read.often;
        const double written = (double)c->written.once + (double)c->written.often;

        room.lines += read + written > 0 ? bytes / sample->line_bytes : 0;
        room.fetched += read > 0 ? bytes / sample->sector_bytes - read : 0;
        room.written += written > 0 ? bytes / sample->sector_bytes - written : 0;
    }
    return room;
}

/* Estimates the number of repeated accesses to sectors of a region (buffer) that find the sector
 * evicted from L2. Sectors that several cells (work-groups of one wave on one compute unit) access
 * are left out, because the accesses of the other cells retain them in L2. */
static double lost_of(pm_footprint_count count, uint64_t revisits)
{
    const double touched = (double)count.once + (double)count.often;

    return touched > 0 ? (double)revisits * (double)count.once / touched : 0;
}

/* Sets the estimate to the value, and scales its standard error likewise. */
static void replace_value(pm_l2_estimate *e, double value)
{
    if (e->value > 0)
        e->variance *= value / e->value * value / e->value;
    e->value = value;
}

/* Limits the number of sectors that a sampled launch writes to its changed sectors times the
 * fraction of them that the replayed wave (wave_replay.h) changes for the first time. If two
 * work-groups write parts of the same sector, the footprint of the sampled ones alone counts the
 * sector once for each. */
static void limit_written(pm_l2_launch *l, double scale)
{
    double changed = 0, changes = 0;

    for (unsigned kind = 0; kind < PM_L2_KINDS; kind++)
        if (kind != PM_L2_READ) {
            changed += l->sectors[kind].sum * scale;
            changes += l->wave.asked[kind];
        }
    if (changes > 0 && changed * l->wave.dirtied / changes < l->written.value)
        replace_value(&l->written, changed * l->wave.dirtied / changes);
}

/* Sets the number of sectors that a sampled launch fetches to its requested sectors times the miss
 * rate of the replayed wave (wave_replay.h). */
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

/* Returns the traffic if the sectors that several cells access are fetched `times` times. A cell is
 * the work-groups of one wave on one compute unit. */
static traffic share_sectors(const pm_l2_sample *sample, const extent *x, double times)
{
    traffic t = {0};

    for (size_t i = 0; i <= sample->region_count; i++) {
        const pm_footprint_counts *c = &sample->counts[i];

        t.read = pm_l2_sum_of(t.read, fetched_by(sample, i, c->read, x->scale, times));
        t.written = pm_l2_sum_of(t.written, fetched_by(sample, i, c->written, x->scale, times));
    }
    return t;
}

/* Returns the traffic if the launch returns to sectors in any order, so that concurrent cells do
 * not access a shared sector at the same time. least: the traffic if each sector is fetched once.
 * A cell is the work-groups of one wave on one compute unit. */
static traffic return_to_sectors(const pm_l2_sample *sample, const extent *x, traffic least)
{
    const double all = x->requested * x->scale;
    const pm_reuse_room room = find_room(sample, pm_reuse_lines(sample->reuse, x->requested));
    const pm_reuse_rates rates =
        pm_reuse_estimate(sample->reuse, sample->capacity / sample->line_bytes, &room);

    if (all * rates.fetched > least.read.value)
        least.read = (pm_l2_estimate){all * rates.fetched, all * all * rates.variance};
    if (all * rates.written > least.written.value)
        replace_value(&least.written, all * rates.written);
    return least;
}

/* Adds the sectors that a cell (work-groups of one wave on one compute unit) accesses again after
 * they were evicted from its fraction of L2. */
static void add_revisits(const pm_l2_sample *sample, const extent *x, traffic *t)
{
    for (size_t i = 0; i <= sample->region_count; i++) {
        const pm_footprint_count *either = &sample->counts[i].either;

        t->read.value += x->scale * lost_of(*either, sample->revisits[i].read);
        t->written.value += x->scale * lost_of(*either, sample->revisits[i].written);
    }
}

/* Returns part * a + (1 - part) * b. */
static pm_l2_estimate mix(pm_l2_estimate a, pm_l2_estimate b, double part)
{
    const double rest = 1 - part;

    return (pm_l2_estimate){part * a.value + rest * b.value,
                            part * part * a.variance + rest * rest * b.variance};
}

/* Returns the traffic of a launch whose unsampled requests are unknown. */
static traffic find_traffic(const pm_l2_sample *sample, const extent *x)
{
    const traffic once = share_sectors(sample, x, 1);
    traffic any = return_to_sectors(sample, x, once), waves;
    double aligned;

    if (x->fits)
        return any;
    aligned = pm_reuse_alignment(sample->reuse);
    waves = share_sectors(sample, x, x->scale / x->wave);
    add_revisits(sample, x, &any);
    add_revisits(sample, x, &waves);
    return (traffic){mix(waves.read, any.read, aligned), mix(waves.written, any.written, aligned)};
}

/* Limits an estimate to the number of requested sectors. */
static void limit_to(pm_l2_estimate *e, double requested)
{
    if (e->value > requested)
        replace_value(e, requested);
}

/* Returns the number of lines that a wave touches. L2 holds whole lines, also if only one sector of
 * each is touched. */
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
    x.fits = lines_of_wave(sample, &x) * sample->line_bytes <= sample->capacity;
    return x;
}

void pm_l2_estimate_launch(const pm_l2_sample *sample, pm_l2_launch *launch, double *largest)
{
    const pm_l2_cells *sectors = launch->sectors;
    const extent x = measure(sample, launch);
    const traffic t = find_traffic(sample, &x);

    for (size_t i = 0; i <= sample->region_count; i++)
        largest[i] =
            fmax(largest[i], fetched_by(sample, i, sample->counts[i].either, x.scale, 1).value);
    launch->read = t.read;
    launch->written = t.written;
    if (launch->wave_known)
        take_wave(launch, x.scale);
    limit_to(&launch->read, x.scale * (sectors[PM_L2_READ].sum + sectors[PM_L2_ATOMIC].sum));
    limit_to(&launch->written, x.scale * (sectors[PM_L2_WRITE].sum + sectors[PM_L2_ATOMIC].sum));
}
