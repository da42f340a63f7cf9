/* Selects the launches of a workload to count, and estimates the counts of the others.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/select_launches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/scramble.h"
#include "collector/engine/dependences.h"
#include "collector/engine/interpolate_launches.h"

enum { DIMENSIONS = 3 };

/* ---- choosing ----------------------------------------------------------------------------- */

static bool same_code(const pm_launch *a, const pm_launch *b)
{
    return strcmp(a->kernel, b->kernel) == 0 && memcmp(a->local, b->local, sizeof a->local) == 0;
}

static bool alike(const pm_launch *a, const pm_launch *b)
{
    return same_code(a, b) && memcmp(a->global, b->global, sizeof a->global) == 0;
}

/* A kernel's launches are divided into equal parts, and one run of consecutive launches is counted
 * in each part. Returns a number in [0, 1) that selects this run in the part with the number
 * `part`. The numbers of consecutive parts are evenly spread (golden-ratio sequence), so that they
 * do not repeat with a period of the launches. */
static double turn(uint64_t seed, size_t part)
{
    static const uint64_t golden = 0x9e3779b97f4a7c15; /* golden ratio times 2^64 */

    return (double)((pm_scramble(seed) + part * golden) >> 11) / 0x1p53;
}

/* Returns whether a launch of a kernel with many launches is counted. Launches are counted in runs
 * of PM_STRETCH consecutive launches. Counted are the first run, and one run of each of `parts`
 * equal parts of the other launches. If the range of work-items changes from launch to launch, the
 * last run is counted, too. */
static bool is_chosen(const pm_launch_choice *c, uint64_t seed)
{
    const size_t most = c->changing ? PM_MOST_CHANGING : PM_MOST_LAUNCHES;
    const size_t parts = most / PM_STRETCH - 1 - c->changing;
    /* number of the last run that has all PM_STRETCH launches */
    const size_t last = c->alike / PM_STRETCH - 1;
    /* number of runs of PM_STRETCH launches to choose from, numbered from 1 */
    const size_t stretches = last - c->changing;
    const size_t stretch = c->number / PM_STRETCH;
    size_t part, from, to;

    if (stretch == 0 || (c->changing && stretch == last))
        return true;
    if (stretch > stretches)
        return false;
    part = (stretch * parts - 1) / stretches;
    from = part * stretches / parts;
    to = (part + 1) * stretches / parts;
    return stretch - 1 == from + (c->changing ? (size_t)(turn(seed, part) * (double)(to - from))
                                              : pm_scramble(seed + part) % (to - from));
}

/* Changes of the number of work-items, in any dimension, from launch to launch of one kernel:
 * whether it grows, shrinks, or changes in large steps (jumps). count: number of launches so far;
 * last: the last of them. */
typedef struct {
    size_t count;
    const pm_launch *last;
    bool grows, shrinks, jumps;
} series;

static void add_to_series(series *s, const pm_launch *launch)
{
    for (unsigned d = 0; s->last && d < DIMENSIONS; d++) {
        const size_t before = s->last->global[d], now = launch->global[d];

        s->grows = s->grows || now > before;
        s->shrinks = s->shrinks || now < before;
        s->jumps = s->jumps || now / 2 > before || before / 2 > now;
    }
    s->last = launch;
    s->count++;
}

/* If a kernel has many launches, and its number of work-items only grows or only shrinks from
 * launch to launch, in small steps, makes all of these launches one kind. Counts are interpolated
 * between the counted launches of a kind. */
static void join_series(const pm_workload *workload, size_t first, pm_launch_choice *choices)
{
    const pm_launch *launches = workload->launches;
    series s = {0};

    for (size_t i = first; i < workload->launch_count; i++)
        if (same_code(&launches[first], &launches[i]))
            add_to_series(&s, &launches[i]);
    if (s.count <= PM_FEW_CHANGING || s.grows == s.shrinks || s.jumps)
        return;
    for (size_t i = first, number = 0; i < workload->launch_count; i++)
        if (same_code(&launches[first], &launches[i]))
            choices[i] = (pm_launch_choice){
                .kind = first, .number = number++, .alike = s.count, .changing = true};
}

static void find_kinds(const pm_workload *workload, pm_launch_choice *choices)
{
    for (size_t i = 0; i < workload->launch_count; i++) {
        choices[i] = (pm_launch_choice){.kind = i};
        for (size_t k = i; k-- > 0 && choices[i].kind == i;)
            if (alike(&workload->launches[k], &workload->launches[i])) {
                choices[i].kind = choices[k].kind;
                choices[i].number = choices[k].number + 1;
            }
        choices[choices[i].kind].alike++;
    }
    for (size_t i = 0; i < workload->launch_count; i++)
        choices[i].alike = choices[choices[i].kind].alike;
}

/* Returns whether no launch before launch i has the same kernel and work-group size. */
static bool is_first(const pm_workload *workload, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (same_code(&workload->launches[k], &workload->launches[i]))
            return false;
    return true;
}

/* Sets `depends` (true: addresses or branches depend on data of earlier launches) of all launches.
 * The launches of one kernel and number of work-items form a kind. If a kind has many launches, the
 * last launch is examined, and its value is used for all launches of the kind. The value is false
 * for other launches. */
static void find_dependent(const pm_workload *workload, const pm_kernel_code *const *codes,
                           pm_launch_choice *choices)
{
    for (size_t i = workload->launch_count; i-- > 0;) {
        pm_launch_choice *kind = &choices[choices[i].kind];

        if (choices[i].number == choices[i].alike - 1)
            kind->depends = !kind->changing && kind->alike > PM_MOST_LAUNCHES &&
                            pm_launch_depends(workload, codes, i);
    }
    for (size_t i = 0; i < workload->launch_count; i++)
        choices[i].depends = choices[choices[i].kind].depends;
}

size_t pm_launches_choose(const pm_workload *workload, const pm_kernel_code *const *codes, bool all,
                          bool stays, uint64_t seed, pm_launch_choice *choices)
{
    size_t counted = 0;

    find_kinds(workload, choices);
    for (size_t i = 0; stays && i < workload->launch_count; i++)
        if (is_first(workload, i))
            join_series(workload, i, choices);
    if (codes && !all)
        find_dependent(workload, codes, choices);
    for (size_t i = 0; i < workload->launch_count; i++) {
        pm_launch_choice *c = &choices[i];

        c->counted = all || c->depends || c->alike <= PM_MOST_LAUNCHES || is_chosen(c, seed);
        counted += c->counted;
    }
    return counted;
}

/* ---- filling in --------------------------------------------------------------------------- */

/* Sums over the counted launches of one kernel and number of work-items. Launches are counted in
 * runs of PM_STRETCH consecutive ones. The first run is left out. */
typedef struct {
    /* stretches: number of counted runs (a run is PM_STRETCH consecutive launches); all: number of
     * all runs, counted or not, that they represent */
    double stretches, all;
    /* Per event. sum, variance: sum of the counts over the launches, and its variance. current:
     * count of the run (PM_STRETCH consecutive launches) that is being added. origin: count of the
     * first run that was added. above, square: sums, over the runs, of the difference between a
     * run's count and `origin`, and of its square. */
    double sum[PM_EVENT_COUNT], variance[PM_EVENT_COUNT];
    double current[PM_EVENT_COUNT], origin[PM_EVENT_COUNT];
    double above[PM_EVENT_COUNT], square[PM_EVENT_COUNT];
    pm_site_total *sites; /* sums over the counted launches, one member per memory instruction */
} stretch_sums;

static void end_stretch(stretch_sums *sums)
{
    for (int e = 0; e < PM_EVENT_COUNT; e++) {
        double above;

        if (sums->stretches == 0)
            sums->origin[e] = sums->current[e];
        above = sums->current[e] - sums->origin[e];
        sums->above[e] += above;
        sums->square[e] += above * above;
        sums->current[e] = 0;
    }
    sums->stretches++;
}

static void add_launch(stretch_sums *sums, const pm_launch_counts *counts, size_t sites)
{
    for (int e = 0; e < PM_EVENT_COUNT; e++) {
        sums->sum[e] += counts->values[e];
        sums->variance[e] += counts->variance[e];
        sums->current[e] += counts->values[e];
    }
    for (size_t s = 0; s < sites; s++) {
        sums->sites[s].executions += counts->sites[s].executions;
        sums->sites[s].work_items += counts->sites[s].work_items;
        sums->sites[s].transactions += counts->sites[s].transactions;
        sums->sites[s].near += counts->sites[s].near;
        sums->sites[s].same |= counts->sites[s].same;
    }
}

/* Returns the variance of one event in one launch that was not counted. The variance of the total
 * over all launches of a kernel and number of work-items is divided equally among the launches that
 * were not counted. */
static double variance_left(const stretch_sums *sums, int event)
{
    const double n = sums->stretches, all = sums->all, unseen = (all - n) * PM_STRETCH;
    const double spread =
        (sums->square[event] - sums->above[event] * sums->above[event] / n) / (n - 1);
    const double between = all * all * (1 - n / all) * fmax(spread, 0) / n;

    return (between + (all / n - 1) * sums->variance[event]) / unseen;
}

/* Sets a launch's counts to the mean over the counted launches of the same kernel and the same
 * number of work-items. */
static pm_status fill_launch(const stretch_sums *sums, size_t sites, pm_launch_counts *counts)
{
    const double launches = sums->stretches * PM_STRETCH;

    *counts = (pm_launch_counts){.sites = calloc(sites + 1, sizeof *counts->sites)};
    if (!counts->sites)
        return PM_FAILED;
    for (int e = 0; e < PM_EVENT_COUNT; e++) {
        counts->values[e] = sums->sum[e] / launches;
        counts->variance[e] = variance_left(sums, e);
    }
    for (size_t s = 0; s < sites; s++)
        counts->sites[s] = (pm_site_total){.executions = sums->sites[s].executions / launches,
                                           .work_items = sums->sites[s].work_items / launches,
                                           .transactions = sums->sites[s].transactions / launches,
                                           .near = sums->sites[s].near / launches,
                                           .same = sums->sites[s].same};
    return PM_OK;
}

static pm_status fill_alike(const pm_workload *workload, const pm_launch_choice *choices,
                            size_t kind, size_t sites, pm_launch_counts *counts)
{
    stretch_sums sums = {.all = (double)choices[kind].alike / PM_STRETCH - 1,
                         .sites = calloc(sites + 1, sizeof *sums.sites)};
    pm_status status = sums.sites ? PM_OK : PM_FAILED;

    for (size_t i = kind; status == PM_OK && i < workload->launch_count; i++) {
        const pm_launch_choice *c = &choices[i];

        if (c->kind != kind || !c->counted || c->number < PM_STRETCH)
            continue;
        add_launch(&sums, &counts[i], sites);
        if (c->number % PM_STRETCH == PM_STRETCH - 1)
            end_stretch(&sums);
    }
    for (size_t i = kind; status == PM_OK && i < workload->launch_count; i++)
        if (choices[i].kind == kind && !choices[i].counted)
            status = fill_launch(&sums, sites, &counts[i]);
    free(sums.sites);
    return status;
}

pm_status pm_launches_fill(const pm_workload *workload, const pm_launch_choice *choices,
                           const pm_kernel_code *const *codes, pm_launch_counts *counts,
                           pm_error *err)
{
    for (size_t i = 0; i < workload->launch_count; i++)
        if (!choices[i].counted && !counts[i].sites &&
            (choices[i].changing ? pm_series_fill : fill_alike)(
                workload, choices, choices[i].kind, codes[i]->site_count, counts) != PM_OK)
            return pm_fail(err, PM_FAILED, "%s: out of memory for the counts of %zu launches",
                           codes[i]->name, choices[i].alike);
    return PM_OK;
}
