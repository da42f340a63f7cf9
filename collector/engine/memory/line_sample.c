/* Remembers the accesses to lines that a hash selects, in a hash table. See line_sample.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/memory/line_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collector/engine/memory/wave_schedule.h"

enum {
    /* SLOTS: slots of the hash table, a power of two. At most half of them are used: if more lines
     * are selected, half of them are forgotten, and half as many are selected from then on. */
    SLOTS = 1 << 16,
    /* One of 2^FIRST_BITS lines is selected at first. */
    FIRST_BITS = 3
};

/* A line, the cell (work-groups of one wave on one compute unit) and the wave that accessed it
 * last, and the requests of that cell before its first access to the line. cell: 0 if the slot is
 * free. */
typedef struct {
    uint64_t line, cell, at;
    uint32_t wave, region;
} remembered;

/* Counts of one region. lines: selected lines that were accessed. before: those that were accessed
 * in earlier waves. returns: first accesses of a wave to a line that an earlier wave accessed.
 * chances: sum of `before`, in lines of the region, over all first accesses of waves to lines. */
typedef struct {
    double lines, before, returns, chances;
} region_counts;

struct pm_line_sample {
    remembered *slots;
    size_t used, region_count;
    unsigned bits; /* one of 2^bits lines is selected */
    uint32_t wave;
    region_counts *regions;
    double apart;    /* sum of the distances of accesses to the same line, in requests of a cell */
    uint64_t shared; /* number of these distances */
};

pm_line_sample *pm_line_sample_create(size_t regions)
{
    pm_line_sample *sample = calloc(1, sizeof *sample);

    if (!sample)
        return NULL;
    sample->slots = calloc(SLOTS, sizeof *sample->slots);
    sample->regions = calloc(regions + 1, sizeof *sample->regions);
    sample->region_count = regions;
    sample->bits = FIRST_BITS;
    if (!sample->slots || !sample->regions) {
        pm_line_sample_free(sample);
        return NULL;
    }
    return sample;
}

void pm_line_sample_free(pm_line_sample *sample)
{
    if (!sample)
        return;
    free(sample->slots);
    free(sample->regions);
    free(sample);
}

void pm_line_sample_begin(pm_line_sample *sample)
{
    if (sample->used)
        memset(sample->slots, 0, SLOTS * sizeof *sample->slots);
    memset(sample->regions, 0, sample->region_count * sizeof *sample->regions);
    sample->used = 0;
    sample->bits = FIRST_BITS;
    sample->wave = 0;
    sample->apart = 0;
    sample->shared = 0;
}

void pm_line_sample_next_wave(pm_line_sample *sample)
{
    sample->wave++;
    for (size_t i = 0; i < sample->region_count; i++)
        sample->regions[i].before = sample->regions[i].lines;
}

bool pm_line_sample_selects(const pm_line_sample *sample, uint64_t line)
{
    return pm_schedule_hash(line) >> (64 - sample->bits) == 0;
}

/* Returns the line's slot, or the free slot for it. */
static remembered *find(remembered *slots, uint64_t line)
{
    size_t at = (size_t)(pm_schedule_hash(line) >> 24) & (SLOTS - 1);

    while (slots[at].cell && slots[at].line != line)
        at = (at + 1) & (SLOTS - 1);
    return &slots[at];
}

/* Selects half as many lines from now on, and forgets those that are no longer selected. Nothing
 * changes if there is no memory for it. */
static void forget_half(pm_line_sample *sample)
{
    remembered *slots = calloc(SLOTS, sizeof *slots);

    if (!slots)
        return;
    sample->bits++;
    sample->used = 0;
    for (size_t i = 0; i < sample->region_count; i++)
        sample->regions[i].lines = sample->regions[i].before = 0;
    for (size_t i = 0; i < SLOTS; i++) {
        const remembered *old = &sample->slots[i];

        if (!old->cell || !pm_line_sample_selects(sample, old->line))
            continue;
        *find(slots, old->line) = *old;
        sample->used++;
        sample->regions[old->region].lines++;
        sample->regions[old->region].before += old->wave != sample->wave;
    }
    free(sample->slots);
    sample->slots = slots;
}

static void add_line(pm_line_sample *sample, remembered *slot, remembered line)
{
    *slot = line;
    sample->regions[line.region].lines++;
    if (2 * ++sample->used > SLOTS)
        forget_half(sample);
}

void pm_line_sample_touch(pm_line_sample *sample, uint64_t line, size_t region, uint64_t cell,
                          uint64_t at)
{
    const remembered now = {line, cell, at, sample->wave, (uint32_t)region};
    region_counts *counts = &sample->regions[region];
    remembered *last = find(sample->slots, line);
    const bool known = last->cell != 0;

    if (known && last->cell == cell)
        return;
    if (!known || last->wave != sample->wave) {
        counts->chances += ldexp(counts->before, (int)sample->bits);
        counts->returns += known;
    }
    if (known) {
        sample->apart += (double)(at > last->at ? at - last->at : last->at - at);
        sample->shared++;
        *last = now;
    } else if (sample->used < SLOTS - 1) {
        add_line(sample, last, now);
    }
}

double pm_line_sample_alignment(const pm_line_sample *sample, double length)
{
    /* Two independent points of a cell's run are a third of the run apart in the mean. */
    if (!sample->shared || !(length > 0))
        return 1;
    return fmax(0, 1 - 3 * sample->apart / (double)sample->shared / length);
}

pm_line_returns pm_line_sample_returns(const pm_line_sample *sample, size_t region, double lines)
{
    const region_counts *counts = &sample->regions[region];

    return (pm_line_returns){.lines = counts->lines,
                             .seen = counts->returns,
                             .random = lines > 0 ? counts->chances / lines : 0,
                             .every = counts->lines * sample->wave};
}
