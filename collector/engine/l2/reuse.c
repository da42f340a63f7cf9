/* Records how the number of distinct sectors that a sampled launch has touched grows with the
 * number of its requests. See reuse.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/l2/reuse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collector/engine/memory/coalescing.h"

enum {
    /* The function f(n), the number of distinct sectors that n requests touch, is recorded at fixed
     * ratios of n. It is also recorded at the start of each of the first MARKED_CELLS cells,
     * because the slope of f changes at the start of a cell if the sample is short. A cell is the
     * work-groups of one wave on one compute unit. */
    MARKED_CELLS = 64,
    /* Maximum number of recorded points of f(n), the number of distinct sectors that n requests
     * touch. Four points for each doubling of n cover 2^64 requests with 256 points. */
    MOST_POINTS = 256 + MARKED_CELLS
};
/* number of requests at a recorded point divided by that at the point before */
static const double STEP = 1.189207115002721; /* fourth root of 2 */
/* The slope of f(n), the number of distinct sectors that n requests touch, is measured between n /
 * SPREAD and n * SPREAD requests. If this range has fewer requests than a sampled cell (work-groups
 * of one wave on one compute unit) makes, it is widened to that number of requests. */
static const double SPREAD = 1.4142135623730951;

/* Numbers since the launch began. asked: number of requested sectors, with repetitions. lines:
 * number of distinct lines that contain them. */
typedef struct {
    double asked, lines;
} point;

/* Numbers of distinct sectors of a region (buffer) since the launch began, as L2 would count them
 * if it never evicted a sector. fetched: number of sectors that L2 fetches for reads. written:
 * number of sectors that are written at least once. */
typedef struct {
    double fetched, written;
} sectors;

struct pm_reuse {
    size_t regions;
    point now, points[MOST_POINTS];
    /* current: numbers of sectors of each memory region (buffer) so far. at_points[i * regions +
     * r]: numbers of region r when points[i] was recorded. */
    sectors *current, *at_points;
    unsigned count;
    uint64_t cell; /* number, from 1, of the running cell (groups of one wave on one unit) */
    /* number of sectors that all sampled cells (work-groups of one wave on one compute unit) before
     * the running one requested */
    double began;
};

pm_reuse *pm_reuse_create(size_t regions)
{
    pm_reuse *reuse = calloc(1, sizeof *reuse);

    if (!reuse)
        return NULL;
    reuse->regions = regions;
    reuse->current = calloc(regions + 1, sizeof *reuse->current);
    reuse->at_points = calloc(MOST_POINTS * regions + 1, sizeof *reuse->at_points);
    if (!reuse->current || !reuse->at_points) {
        pm_reuse_free(reuse);
        return NULL;
    }
    return reuse;
}

void pm_reuse_free(pm_reuse *reuse)
{
    if (!reuse)
        return;
    free(reuse->current);
    free(reuse->at_points);
    free(reuse);
}

void pm_reuse_begin(pm_reuse *reuse)
{
    memset(reuse->current, 0, reuse->regions * sizeof *reuse->current);
    reuse->now = (point){0, 0};
    reuse->count = 0;
    reuse->cell = 0;
    reuse->began = 0;
}

static void add_point(pm_reuse *reuse)
{
    if (reuse->count == MOST_POINTS)
        return;
    memcpy(reuse->at_points + reuse->count * reuse->regions, reuse->current,
           reuse->regions * sizeof *reuse->current);
    reuse->points[reuse->count++] = reuse->now;
}

void pm_reuse_next_cell(pm_reuse *reuse)
{
    if (reuse->cell < MARKED_CELLS)
        add_point(reuse);
    reuse->cell++;
    reuse->began = reuse->now.asked;
}

void pm_reuse_touch(pm_reuse *reuse, size_t region, pm_footprint_news news, uint32_t fetched)
{
    reuse->now.lines += news.before == 0;
    reuse->current[region].fetched += pm_bit_count(fetched);
    reuse->current[region].written += pm_bit_count(news.first_written);
}

void pm_reuse_advance(pm_reuse *reuse, uint64_t sectors)
{
    reuse->now.asked += (double)sectors;
    if (!reuse->count || reuse->now.asked >= STEP * reuse->points[reuse->count - 1].asked)
        add_point(reuse);
}

uint64_t pm_reuse_cell(const pm_reuse *reuse)
{
    return reuse->cell;
}

uint64_t pm_reuse_position(const pm_reuse *reuse)
{
    return (uint64_t)(reuse->now.asked - reuse->began);
}

double pm_reuse_cell_length(const pm_reuse *reuse)
{
    return reuse->cell ? reuse->now.asked / (double)reuse->cell : 0;
}

/* A place between two recorded points, for linear interpolation. A quantity has the value share *
 * (value at point `after`) + (1 - share) * (value at the point before). If `after` is the number of
 * points, the current value is used in place of a point's value. */
typedef struct {
    unsigned after;
    double share;
} position;

/* Returns how far `value` lies between two numbers, from 0 to 1. */
static double share_between(double before, double after, double value)
{
    return after > before ? fmin(1, fmax(0, (value - before) / (after - before))) : 1;
}

static position find_position(const pm_reuse *reuse, double asked)
{
    position p = {0, 1};
    double before;

    while (p.after < reuse->count && reuse->points[p.after].asked < asked)
        p.after++;
    before = p.after ? reuse->points[p.after - 1].asked : 0;
    p.share = share_between(
        before, p.after < reuse->count ? reuse->points[p.after].asked : reuse->now.asked, asked);
    return p;
}

static double lines_at(const pm_reuse *reuse, position p)
{
    const double before = p.after ? reuse->points[p.after - 1].lines : 0;
    const double after = p.after < reuse->count ? reuse->points[p.after].lines : reuse->now.lines;

    return before + p.share * (after - before);
}

static sectors sectors_at(const pm_reuse *reuse, position p, size_t region)
{
    const sectors none = {0, 0};
    const sectors before =
        p.after ? reuse->at_points[(p.after - 1) * reuse->regions + region] : none;
    const sectors after = p.after < reuse->count
                              ? reuse->at_points[p.after * reuse->regions + region]
                              : reuse->current[region];

    return (sectors){before.fetched + p.share * (after.fetched - before.fetched),
                     before.written + p.share * (after.written - before.written)};
}

double pm_reuse_lines(const pm_reuse *reuse, double requested)
{
    return lines_at(reuse, find_position(reuse, requested));
}

/* Returns the number of requested sectors, with repetitions, after which `capacity` distinct lines
 * were touched. The launch must have touched at least `capacity` lines. */
static double requests_of(const pm_reuse *reuse, double capacity)
{
    point before = {0, 0}, after = reuse->now;

    for (unsigned i = 0; i < reuse->count; i++) {
        if (reuse->points[i].lines >= capacity) {
            after = reuse->points[i];
            break;
        }
        before = reuse->points[i];
    }
    return before.asked +
           share_between(before.lines, after.lines, capacity) * (after.asked - before.asked);
}

bool pm_reuse_find_span(const pm_reuse *reuse, double capacity, pm_reuse_span *span)
{
    const double length = pm_reuse_cell_length(reuse), end = reuse->now.asked;
    double n;

    *span = (pm_reuse_span){0, 0};
    if (reuse->now.lines < capacity)
        return false;
    n = requests_of(reuse, capacity);
    span->from = fmax(0, fmin(n / SPREAD, n - length / 2));
    span->to = fmax(n * SPREAD, span->from + length);
    if (span->to > end)
        *span = (pm_reuse_span){fmax(0, fmin(span->from, end - length)), end};
    return true;
}

pm_reuse_rates pm_reuse_find_rates(const pm_reuse *reuse, const pm_reuse_span *span, size_t region)
{
    const double asked = span->to - span->from;
    const sectors from = sectors_at(reuse, find_position(reuse, span->from), region),
                  to = sectors_at(reuse, find_position(reuse, span->to), region);

    return asked > 0 ? (pm_reuse_rates){(to.fetched - from.fetched) / asked,
                                        (to.written - from.written) / asked}
                     : (pm_reuse_rates){0, 0};
}
