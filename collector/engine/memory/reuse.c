/* Records the distinct sectors of a sampled launch as a function of the requests so far. See
 * reuse.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/memory/reuse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collector/engine/memory/coalescing.h"
#include "collector/engine/memory/wave_schedule.h"

enum {
    /* Number of cells (work-groups of one wave on one compute unit) at whose ends points are
     * recorded, because a short sample's curve bends there. */
    MARKED_CELLS = 64,
    /* Maximum number of recorded points. With four points for each doubling of the requests they
     * cover 2^64 requests. */
    MOST_POINTS = 256 + MARKED_CELLS,
    /* Number of lines whose last access is remembered to find out the alignment. Only lines that a
     * hash selects are remembered, one of 2^SELECT_BITS. */
    REMEMBERED = 1 << 14,
    SELECT_BITS = 5
};
/* ratio of the requests of a point to those of the point before */
static const double STEP = 1.189207115002721; /* fourth root of 2 */
/* The slope of f(n) is taken over the requests from n / SPREAD to n * SPREAD, but over a cell
 * (work-groups of one wave on one compute unit) at least. */
static const double SPREAD = 1.4142135623730951;

/* Numbers of sectors since the launch began. asked: requested ones. fetched: distinct ones of which
 * the first access reads. written: distinct ones that were written. lines: distinct lines. */
typedef struct {
    double asked, fetched, written, lines;
} point;

/* A line, the cell (work-groups of one wave on one compute unit) that accessed it last, and the
 * requests of that cell before its first access to the line. */
typedef struct {
    uint64_t line, cell, at;
} remembered;

struct pm_reuse {
    point now, points[MOST_POINTS];
    unsigned count;
    uint64_t cell;   /* number of the running cell, from 1 */
    double began;    /* requests of the cells before */
    double apart;    /* sum of the distances of accesses to the same line, in requests */
    uint64_t shared; /* number of these distances */
    remembered lines[REMEMBERED];
};

pm_reuse *pm_reuse_create(void)
{
    return calloc(1, sizeof(pm_reuse));
}

void pm_reuse_free(pm_reuse *reuse)
{
    free(reuse);
}

void pm_reuse_begin(pm_reuse *reuse)
{
    memset(reuse, 0, sizeof *reuse);
}

static void add_point(pm_reuse *reuse)
{
    if (reuse->count < MOST_POINTS)
        reuse->points[reuse->count++] = reuse->now;
}

void pm_reuse_next_cell(pm_reuse *reuse)
{
    if (reuse->cell < MARKED_CELLS)
        add_point(reuse);
    reuse->cell++;
    reuse->began = reuse->now.asked;
}

/* Compares when the running cell (work-groups of one wave on one compute unit) and the one before
 * it that used the line first accessed it. */
static void remember(pm_reuse *reuse, uint64_t line)
{
    const uint64_t hash = pm_schedule_hash(line);
    const uint64_t at = (uint64_t)(reuse->now.asked - reuse->began);
    remembered *last = &reuse->lines[hash >> 32 & (REMEMBERED - 1)];

    if (hash >> (64 - SELECT_BITS))
        return;
    if (last->cell && last->line == line) {
        if (last->cell == reuse->cell)
            return;
        reuse->apart += (double)(at > last->at ? at - last->at : last->at - at);
        reuse->shared++;
    }
    *last = (remembered){line, reuse->cell, at};
}

void pm_reuse_touch(pm_reuse *reuse, uint64_t line, pm_footprint_news news, bool read)
{
    reuse->now.lines += news.first_line;
    reuse->now.fetched += read ? pm_bit_count(news.first) : 0;
    reuse->now.written += pm_bit_count(news.first_written);
    remember(reuse, line);
}

void pm_reuse_advance(pm_reuse *reuse, uint64_t sectors)
{
    reuse->now.asked += (double)sectors;
    if (!reuse->count || reuse->now.asked >= STEP * reuse->points[reuse->count - 1].asked)
        add_point(reuse);
}

/* Returns the numbers after `asked` requested sectors, by linear interpolation between the recorded
 * points. */
static point find_point(const pm_reuse *reuse, double asked)
{
    point before = {0}, after = reuse->now;
    double share;

    if (asked >= reuse->now.asked)
        return reuse->now;
    for (unsigned i = 0; i < reuse->count; i++) {
        if (reuse->points[i].asked >= asked) {
            after = reuse->points[i];
            break;
        }
        before = reuse->points[i];
    }
    share = after.asked > before.asked ? (asked - before.asked) / (after.asked - before.asked) : 1;
    return (point){asked, before.fetched + share * (after.fetched - before.fetched),
                   before.written + share * (after.written - before.written),
                   before.lines + share * (after.lines - before.lines)};
}

double pm_reuse_lines(const pm_reuse *reuse, double requested)
{
    return find_point(reuse, requested).lines;
}

/* Returns how many requested sectors touch `capacity` distinct lines. At least as many distinct
 * ones must be recorded. */
static double requests_of(const pm_reuse *reuse, double capacity)
{
    point before = {0}, after = reuse->now;

    for (unsigned i = 0; i < reuse->count; i++) {
        if (reuse->points[i].lines >= capacity) {
            after = reuse->points[i];
            break;
        }
        before = reuse->points[i];
    }
    if (after.lines <= before.lines)
        return after.asked;
    return before.asked +
           (capacity - before.lines) / (after.lines - before.lines) * (after.asked - before.asked);
}

static pm_reuse_rates slope_between(point from, point to)
{
    const double asked = to.asked - from.asked;

    if (!(asked > 0))
        return (pm_reuse_rates){0};
    return (pm_reuse_rates){(to.fetched - from.fetched) / asked,
                            (to.written - from.written) / asked,
                            (to.fetched - from.fetched) / (asked * asked)};
}

/* A continued curve of distinct sectors or lines, A + U (1 - exp(-r m)) for m requested sectors
 * after the sample's end, with which random accesses to a table agree. slope: U r, the new ones per
 * requested sector at the sample's end. left: U. */
typedef struct {
    double slope, left;
} rest;

/* Continues a curve whose last `asked` requested sectors have `late` new ones, and the asked / 2
 * before them `early` new ones. At most `room` more are left. */
static rest continue_curve(double early, double late, double asked, double room)
{
    double x, left;

    room = fmax(room, 0);
    if (late >= 2 * early)
        return (rest){late / asked, late > 0 ? room : 0};
    /* x = exp(-r asked / 2), and late / early = x (1 + x) */
    x = (sqrt(1 + 4 * late / early) - 1) / 2;
    if (!(x > 0))
        return (rest){0, 0};
    left = late * x * x / (1 - x * x);
    return (rest){left * 2 * log(1 / x) / asked, fmin(left, room)};
}

/* Returns how many more sectors are requested until `missing` more are touched; INFINITY: never. */
static double requests_until(rest r, double missing)
{
    if (r.left <= missing || !(r.slope > 0))
        return (double)INFINITY;
    return -log1p(-missing / r.left) * r.left / r.slope;
}

/* Returns the slope of a continued curve after `more` requested sectors. */
static double slope_after(rest r, double more)
{
    return r.left > 0 ? r.slope * exp(-more * r.slope / r.left) : 0;
}

/* Returns the mean number of sectors that a cell (work-groups of one wave on one compute unit)
 * requested. */
static double length_of_cell(const pm_reuse *reuse)
{
    return reuse->cell ? reuse->now.asked / (double)reuse->cell : 0;
}

/* Returns the rates of an L2 that the sample did not fill. A cell (work-groups of one wave on one
 * compute unit) may access other data at its end than at its begin. Less than a whole cell is
 * therefore not compared with the next one. */
static pm_reuse_rates extrapolate(const pm_reuse *reuse, double capacity, const pm_reuse_room *room)
{
    const point end = reuse->now,
                half = reuse->cell > 1 ? find_point(reuse, end.asked / 2) : (point){0},
                quarter = reuse->cell >= 4 ? find_point(reuse, end.asked / 4) : half;
    const double late = end.asked - half.asked;
    const rest fetched = continue_curve(half.fetched - quarter.fetched, end.fetched - half.fetched,
                                        late, room->fetched),
               written = continue_curve(half.written - quarter.written, end.written - half.written,
                                        late, room->written),
               lines = continue_curve(half.lines - quarter.lines, end.lines - half.lines, late,
                                      room->lines);
    const double more = requests_until(lines, capacity - end.lines);
    double rate;

    if (isinf(more))
        return (pm_reuse_rates){0};
    rate = slope_after(fetched, more);
    return (pm_reuse_rates){rate, slope_after(written, more),
                            end.fetched > 0 ? rate * rate / end.fetched : 0};
}

pm_reuse_rates pm_reuse_estimate(const pm_reuse *reuse, double capacity, const pm_reuse_room *room)
{
    const double length = length_of_cell(reuse);
    double n, from, to;

    if (reuse->now.lines < capacity)
        return extrapolate(reuse, capacity, room);
    n = requests_of(reuse, capacity);
    from = fmax(0, fmin(n / SPREAD, n - length / 2));
    to = fmax(n * SPREAD, from + length);
    if (to > reuse->now.asked)
        from = fmax(0, fmin(from, reuse->now.asked - length));
    return slope_between(find_point(reuse, from), find_point(reuse, to));
}

double pm_reuse_alignment(const pm_reuse *reuse)
{
    const double length = length_of_cell(reuse);

    /* Two independent points of a cell's run are a third of the run apart in the mean. */
    if (!reuse->shared || !(length > 0))
        return 1;
    return fmax(0, 1 - 3 * reuse->apart / (double)reuse->shared / length);
}
