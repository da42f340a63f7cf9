/* Interpolates the counts of launches of one kernel whose number of work-groups changes from launch
 * to launch.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/interpolate_launches.h"

#include <stdlib.h>

/* Unit to which a mean rate of events refers: work-groups or launches. Most events are interpolated
 * per work-group. The longest time of a work-group is not a sum over work-groups, so it is
 * interpolated per launch. */
enum { BY_GROUPS, BY_LAUNCHES, MEASURES };

enum {
    AROUND = 3
    /* The deviation d_k of a counted run (consecutive launches that were all counted) from its
     * neighbours (interpolate_launches.h) is averaged over this number of runs before it and after
     * it. */
};

static int measure_of(int event)
{
    return event == PM_EVENT_longest_span ? BY_LAUNCHES : BY_GROUPS;
}

/* A run: consecutive launches of a kernel that were all counted. Runs are numbered by k. */
typedef struct {
    double at; /* mean of the numbers of the run's launches; the kernel's launches are numbered from
                  0 */
    double size[MEASURES];
    /* mean count of each event per work-group or per launch, and its sampling variance */
    double rate[PM_EVENT_COUNT], variance[PM_EVENT_COUNT];
    /* sites[site]: counts per work-group of the memory instruction with index `site` */
    pm_site_total *sites;
    /* w_k of interpolate_launches.h: number of work-groups (BY_GROUPS) or of launches (BY_LAUNCHES)
     * whose events are estimated from the mean counts of this run of counted launches */
    double weight[MEASURES];
} node;

typedef struct {
    const pm_workload *workload;
    const pm_launch_choice *choices;
    size_t kind, sites;
    pm_launch_counts *counts;
    node nodes[PM_MOST_CHANGING / PM_STRETCH];
    size_t count;
    /* Total number of work-groups (BY_GROUPS) and number of launches (BY_LAUNCHES) of the launches
     * that were not counted. */
    double unseen[MEASURES];
} series;

/* ---- counted runs ------------------------------------------------------------------------- */

static void add_site(const pm_site_total *from, double factor, pm_site_total *to)
{
    to->executions += from->executions * factor;
    to->work_items += from->work_items * factor;
    to->transactions += from->transactions * factor;
    to->near += from->near * factor;
    to->same = to->same || from->same;
}

static void add_launch(series *s, size_t launch, node *to)
{
    const pm_launch_counts *counts = &s->counts[launch];

    to->at += (double)s->choices[launch].number / PM_STRETCH;
    to->size[BY_GROUPS] += pm_launch_groups(&s->workload->launches[launch]);
    to->size[BY_LAUNCHES]++;
    for (int e = 0; e < PM_EVENT_COUNT; e++) {
        to->rate[e] += counts->values[e];
        to->variance[e] += counts->variance[e];
    }
    for (size_t i = 0; i < s->sites; i++)
        add_site(&counts->sites[i], 1, &to->sites[i]);
}

static void end_stretch(const series *s, node *n)
{
    for (int e = 0; e < PM_EVENT_COUNT; e++) {
        const double size = n->size[measure_of(e)];

        n->rate[e] /= size;
        n->variance[e] /= size * size;
    }
    for (size_t i = 0; i < s->sites; i++) {
        const pm_site_total sum = n->sites[i];

        n->sites[i] = (pm_site_total){0};
        add_site(&sum, 1 / n->size[BY_GROUPS], &n->sites[i]);
    }
}

static pm_status find_nodes(series *s)
{
    for (size_t i = s->kind; i < s->workload->launch_count; i++) {
        const pm_launch_choice *c = &s->choices[i];
        node *n = &s->nodes[s->count];

        if (c->kind != s->kind || !c->counted)
            continue;
        if (!n->sites && !(n->sites = calloc(s->sites + 1, sizeof *n->sites)))
            return PM_FAILED;
        add_launch(s, i, n);
        if (c->number % PM_STRETCH == PM_STRETCH - 1) {
            end_stretch(s, n);
            s->count++;
        }
    }
    return PM_OK;
}

/* ---- interpolation ------------------------------------------------------------------------ */

/* Finds the two counted runs (runs: consecutive launches that were all counted) between which the
 * counts of a launch are interpolated linearly. at: position of the launch among the kernel's
 * launches. Returns the number of the first run. *behind becomes the weight, in [0, 1], of the
 * second run. */
static size_t place_of(const series *s, double at, double *behind)
{
    size_t k = 0;

    while (k + 2 < s->count && s->nodes[k + 1].at <= at)
        k++;
    *behind = (at - s->nodes[k].at) / (s->nodes[k + 1].at - s->nodes[k].at);
    *behind = *behind < 0 ? 0 : *behind > 1 ? 1 : *behind;
    return k;
}

static pm_status fill_launch(series *s, size_t launch)
{
    const double sizes[MEASURES] = {pm_launch_groups(&s->workload->launches[launch]), 1};
    double behind;
    node *from = &s->nodes[place_of(s, (double)s->choices[launch].number, &behind)];
    pm_launch_counts *counts = &s->counts[launch];

    *counts = (pm_launch_counts){.sites = calloc(s->sites + 1, sizeof *counts->sites)};
    if (!counts->sites)
        return PM_FAILED;
    for (int m = 0; m < MEASURES; m++)
        s->unseen[m] += sizes[m];
    for (int side = 0; side < 2; side++) {
        const double share = side == 0 ? 1 - behind : behind;

        for (int m = 0; m < MEASURES; m++)
            from[side].weight[m] += share * sizes[m];
        for (int e = 0; e < PM_EVENT_COUNT; e++)
            counts->values[e] += share * sizes[measure_of(e)] * from[side].rate[e];
        for (size_t i = 0; i < s->sites; i++)
            add_site(&from[side].sites[i], share * sizes[BY_GROUPS], &counts->sites[i]);
    }
    return PM_OK;
}

/* ---- variance ----------------------------------------------------------------------------- */

/* Returns the squared deviation of a counted run's rate from the line between its two neighbours
 * (d_k^2 of interpolate_launches.h). A run is a sequence of consecutive launches that were all
 * counted; this one must not be the first or the last. The neighbours' rates have errors, too: the
 * result is therefore divided by the variance that this deviation has if the three rates are
 * independent with variance 1. */
static double off_the_line(const series *s, size_t k, int event)
{
    const node *n = &s->nodes[k];
    const double behind = (n->at - n[-1].at) / (n[1].at - n[-1].at);
    const double off =
        n->rate[event] - (1 - behind) * n[-1].rate[event] - behind * n[1].rate[event];

    return off * off / (1 + behind * behind + (1 - behind) * (1 - behind));
}

/* Returns d_k^2 of interpolate_launches.h: the squared deviation of a counted run's rate from the
 * line between its neighbours, averaged over the runs around run k. The average is used because a
 * single run may be on the line by chance. */
static double off_around(const series *s, size_t k, int event)
{
    const size_t from = k < AROUND + 1 ? 1 : k - AROUND;
    const size_t end = k + AROUND + 1 > s->count - 1 ? s->count - 1 : k + AROUND + 1;
    double sum = 0;

    for (size_t i = from; i < end; i++)
        sum += off_the_line(s, i, event);
    return sum / (double)(end - from);
}

static double total_variance(const series *s, int event)
{
    double sum = 0;

    for (size_t k = 0; k < s->count; k++) {
        const double weight = s->nodes[k].weight[measure_of(event)];

        sum += weight * weight * (off_around(s, k, event) + s->nodes[k].variance[event]);
    }
    return sum;
}

/* Distributes the variance of the total count over the launches that were not counted, in
 * proportion to their number of work-groups. */
static void fill_variances(const series *s)
{
    double variance[PM_EVENT_COUNT];

    for (int e = 0; e < PM_EVENT_COUNT; e++)
        variance[e] = total_variance(s, e);
    for (size_t i = s->kind; i < s->workload->launch_count; i++) {
        const double sizes[MEASURES] = {pm_launch_groups(&s->workload->launches[i]), 1};

        for (int e = 0;
             s->choices[i].kind == s->kind && !s->choices[i].counted && e < PM_EVENT_COUNT; e++) {
            const int m = measure_of(e);

            s->counts[i].variance[e] = variance[e] * sizes[m] / s->unseen[m];
        }
    }
}

pm_status pm_series_fill(const pm_workload *workload, const pm_launch_choice *choices, size_t kind,
                         size_t sites, pm_launch_counts *counts)
{
    series *s = calloc(1, sizeof *s);
    pm_status status;

    if (!s)
        return PM_FAILED;
    s->workload = workload;
    s->choices = choices;
    s->kind = kind;
    s->sites = sites;
    s->counts = counts;
    status = find_nodes(s);
    for (size_t i = kind; status == PM_OK && i < workload->launch_count; i++)
        if (choices[i].kind == kind && !choices[i].counted)
            status = fill_launch(s, i);
    if (status == PM_OK)
        fill_variances(s);
    for (size_t k = 0; k < sizeof s->nodes / sizeof *s->nodes; k++)
        free(s->nodes[k].sites);
    free(s);
    return status;
}
