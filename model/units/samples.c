/* Makes the units model (times of a GPU's functional units) from single samples of one or several
 * GPUs. See units.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "model/units/parts.h"

/* Counters that replace wavefronts on older GPUs. With an L1 cache, a load is issued again for each
 * line that it touches. On GPUs of compute capability 1.x, it makes one access per segment (CUDA C
 * Programming Guide, global memory of compute capability 2.x and 1.x). The latter GPUs have neither
 * L2 nor sectors. */
static const char *const lines[] = {"gld_tag", "gst_tag"};
static const char *const segments[] = {"gld_32b", "gld_64b", "gld_128b",
                                       "gst_32b", "gst_64b", "gst_128b"};
enum {
    LINES = sizeof lines / sizeof *lines,
    SEGMENTS = sizeof segments / sizeof *segments,
};

/* Indices of columns in `dataset`, one for each counter that the model reads. stand_in: column of
 * the counter that replaces a missing counter of `own`. line, segment: columns of the counters that
 * replace wavefronts on older GPUs. If the dataset lacks a counter, its index is the dataset's
 * number of counters. */
typedef struct {
    const pm_dataset *dataset;
    size_t own[COUNTERS], stand_in[COUNTERS], threads, line[LINES], segment[SEGMENTS];
} places;

static size_t place_of(const pm_dataset *dataset, const char *name)
{
    size_t count = pm_dataset_counters(dataset), i = 0;

    while (name && i < count && strcmp(pm_dataset_counter_name(dataset, i), name) != 0)
        i++;
    return name ? i : count;
}

static void find_places(places *p, const pm_dataset *dataset)
{
    p->dataset = dataset;
    p->threads = place_of(dataset, "thread_inst_executed");
    for (size_t k = 0; k < COUNTERS; k++) {
        p->own[k] = place_of(dataset, pm_units_counters[k].name);
        p->stand_in[k] = place_of(dataset, pm_units_counters[k].stand_in);
    }
    for (size_t k = 0; k < LINES; k++)
        p->line[k] = place_of(dataset, lines[k]);
    for (size_t k = 0; k < SEGMENTS; k++)
        p->segment[k] = place_of(dataset, segments[k]);
}

static double cell(const places *p, const pm_sample *sample, size_t place)
{
    return place < pm_dataset_counters(p->dataset) ? sample->counters[place] : (double)NAN;
}

static double sum_of(const places *p, const pm_sample *sample, const size_t *place, size_t count)
{
    double sum = 0;

    for (size_t k = 0; k < count; k++)
        sum += cell(p, sample, place[k]);
    return sum;
}

/* Returns the value of a counter that the trace engine does not count for older GPUs. The value
 * comes from other counters; NaN: unknown. */
static double of_older(const places *p, const pm_sample *sample, const pm_profile *profile,
                       size_t counter)
{
    const bool no_l2 = !(profile->l2_bytes_per_cycle > 0);
    double accesses;

    if (no_l2 && (counter == L2_READ || counter == L2_WRITE || counter == GLD_SECTOR))
        return 0;
    if (counter != GLOBAL_WAVEFRONT)
        return (double)NAN;
    accesses = sum_of(p, sample, p->line, LINES);
    return isnan(accesses) ? sum_of(p, sample, p->segment, SEGMENTS) : accesses;
}

/* Adds the L1 misses of replayed loads. If loads are replayed and L1 keeps none of them, each
 * replay requests its line from L2 in about 2 cycles, as on GPUs whose L1 misses are counted. If
 * loads are not replayed, they go through the texture units, which request a line per cycle. */
static void add_replays(const pm_profile *profile, double *c)
{
    if (profile->replays && c[L1_MISS] == 0 && !(c[L1_HIT] > 0))
        c[L1_MISS] = c[GLD_SECTOR];
}

/* Reads a sample's counters. Returns false if a required counter is unknown and nothing replaces
 * it. */
static bool read_sample(const places *p, const pm_sample *sample, const pm_profile *profile,
                        double *c)
{
    double warps = pm_units_warps(cell(p, sample, p->own[EXECUTED]), cell(p, sample, p->threads));
    bool no_misses = false;

    for (size_t k = 0; k < COUNTERS; k++) {
        c[k] = cell(p, sample, p->own[k]);
        if (isnan(c[k]))
            c[k] =
                cell(p, sample, p->stand_in[k]) * (pm_units_counters[k].by_work_item ? warps : 1);
        if (isnan(c[k]))
            c[k] = of_older(p, sample, profile, k);
        if (isnan(c[k])) {
            if (!pm_units_counters[k].may_miss)
                return false;
            no_misses = no_misses || k == LOAD_WAIT_MISS;
            c[k] = 0;
        }
    }
    c[LAUNCHES] = fmax(c[LAUNCHES], 1);
    add_replays(profile, c);
    if (no_misses)
        pm_units_estimate_misses(c);
    return true;
}

pm_units *pm_units_of_samples(pm_memory *memory, const pm_units_sample *samples, size_t n,
                              bool *usable)
{
    pm_units *units = pm_units_alloc(memory, n);
    places where = {0};

    pm_units_set_priors(units, true, true, true);
    for (size_t row = 0; row < n; row++) {
        const pm_units_sample *s = &samples[row];
        double c[COUNTERS];

        if (s->dataset != where.dataset)
            find_places(&where, s->dataset);
        usable[row] = read_sample(&where, s->sample, s->profile, c);
        if (usable[row])
            pm_units_fill(units, row, c, s->profile, true);
        units->cuda[row] = s->sample->cuda;
    }
    return units;
}
