/* Remembers the accesses to lines that a hash selects, in a hash table. See line_sample.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/l2/line_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collector/engine/l2/wave_schedule.h"

enum {
    /* SLOTS: slots of the hash table of selected lines, a power of two. At most half of the slots
     * are used. When more lines would be needed, half of the selected lines are forgotten, and from
     * then on only half as many lines are selected. */
    SLOTS = 1 << 16,
    /* Only one of 2^FIRST_BITS lines is selected at first. */
    FIRST_BITS = 3,
    /* A wave is the work-groups that run at the same time. The distance between two accesses to a
     * line is the number of waves from one to the other. Distances are counted in classes: one
     * class for each distance below 8, and then 8 classes for each doubling. */
    OCTAVE_BITS = 3,
    OCTAVE = 1 << OCTAVE_BITS,
    DISTANCES = OCTAVE * (33 - OCTAVE_BITS)
};

/* The last access to a line. cell: number of the cell (work-groups of one wave on one compute unit)
 * that made it, from 1; 0: the slot is free. The cell had requested `at` sectors before it first
 * accessed the line. wave: the cell's wave. region: buffer that contains the line. */
typedef struct {
    uint64_t line, cell, at;
    uint32_t wave, region;
} remembered;

/* Counts of one memory region (buffer). lines: number of its lines that the hash selects and that
 * were accessed. before: number of these that were accessed in earlier waves. The other members are
 * scaled to all lines, and count only the first access of each wave to a line. touches: number of
 * these accesses. returns[i]: number of accesses to lines that an earlier wave accessed, if the
 * number of waves since then is in class i. chances: sum, over all touches, of the number of lines
 * that earlier waves had accessed. */
typedef struct {
    double lines, before, touches, returns[DISTANCES], chances;
} region_counts;

struct pm_line_sample {
    remembered *slots;
    size_t used, region_count;
    unsigned bits; /* selection rate: one of 2^bits lines is selected */
    /* `wave`: number, in the launch, of the wave of work-groups that is running. `waves`: number of
     * sampled waves so far */
    uint32_t wave, waves;
    region_counts *regions;
    /* Sum of distances over all pairs of successive accesses to a line by different sampled cells
     * (work-groups of one wave on one compute unit). Position of an access: number of sectors that
     * its cell has requested before. Distance: absolute difference of the two positions. */
    double apart;
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
    sample->waves = 1;
    sample->apart = 0;
    sample->shared = 0;
}

void pm_line_sample_next_wave(pm_line_sample *sample, uint64_t wave)
{
    sample->wave = (uint32_t)(wave < UINT32_MAX ? wave : UINT32_MAX);
    sample->waves++;
    for (size_t i = 0; i < sample->region_count; i++)
        sample->regions[i].before = sample->regions[i].lines;
}

bool pm_line_sample_selects(const pm_line_sample *sample, uint64_t line)
{
    return pm_schedule_hash(line) >> (64 - sample->bits) == 0;
}

static unsigned class_of(uint32_t distance)
{
    const unsigned shift =
        distance < OCTAVE ? 0 : 31 - (unsigned)__builtin_clz(distance) - OCTAVE_BITS;

    return shift * OCTAVE + (distance >> shift);
}

/* Returns the line's slot in the hash table, or the free slot into which it must be inserted. */
static remembered *find(remembered *slots, uint64_t line)
{
    size_t at = (size_t)(pm_schedule_hash(line) >> 24) & (SLOTS - 1);

    while (slots[at].cell && slots[at].line != line)
        at = (at + 1) & (SLOTS - 1);
    return &slots[at];
}

/* Selects half as many lines from now on, and forgets the lines that are no longer selected.
 * Nothing changes if the new hash table cannot be allocated. */
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
    const double weight =
        /* number of lines that this selected line represents, because one of 2^bits lines is
         * selected */
        ldexp(1, (int)sample->bits);
    const bool known = last->cell != 0;

    if (known && last->cell == cell)
        return;
    if (!known || last->wave != sample->wave) {
        counts->chances += weight * weight * counts->before;
        counts->touches += weight;
        if (known)
            counts->returns[class_of(sample->wave - last->wave)] += weight;
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
    /* If cells (work-groups of one wave on one compute unit) access a line at independent random
     * points of their runs, two such points are a third of a run apart in the mean. The expression
     * below is then 0. */
    if (!sample->shared || !(length > 0))
        return 1;
    return fmax(0, 1 - 3 * sample->apart / (double)sample->shared / length);
}

/* The distance between two accesses to a line is a number of waves (work-groups that run at the
 * same time). Distances are counted in classes. Returns the fraction of the distances of a class
 * that are greater than `window` waves, under the assumption that the distances are evenly spread
 * over the class. */
static double far_part(unsigned class, double window)
{
    const unsigned shift = class < 2 * OCTAVE ? 0 : class / OCTAVE - 1;
    const double width = ldexp(1, (int)shift), first = width * (class - shift * OCTAVE);

    return fmin(1, fmax(0, (first + width - 1 - floor(window)) / width));
}

/* A wave is the work-groups that run at the same time. Returns, for waves that access random lines,
 * the fraction of repeated accesses to lines whose last access was more than `window` waves before.
 * waves: number of sampled waves. touched: fraction of the lines that each sampled wave touches. */
static double far_part_of_random(uint32_t waves, double touched, double window)
{
    const double missed = 1 - fmin(1, touched), near = pow(missed, window);
    double far = 0, all = 0;

    for (uint32_t before = 1; before < waves; before++) {
        const double never = pow(missed, before);

        all += 1 - never;
        far += fmax(0, near - never);
    }
    return all > 0 ? far / all : 0;
}

pm_line_returns pm_line_sample_returns(const pm_line_sample *sample, size_t region, double lines,
                                       double window)
{
    const region_counts *counts = &sample->regions[region];
    const double spacing = (sample->wave + 1.0) / sample->waves;
    const double accessed = ldexp(counts->lines, (int)sample->bits);
    pm_line_returns r = {.lines = accessed, .every = accessed * (sample->waves - 1)};

    for (unsigned i = 0; i < DISTANCES; i++) {
        r.seen += counts->returns[i];
        r.far += counts->returns[i] * far_part(i, window);
    }
    if (lines > 0)
        r.far_random = counts->chances / lines *
                       far_part_of_random(sample->waves, counts->touches / lines / sample->waves,
                                          floor(window / spacing));
    return r;
}
