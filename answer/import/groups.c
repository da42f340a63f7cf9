/* Collects the profiled launches of a kernel that have the same numbers of work-items in one group,
 * with the list of their times and the sums of their counters. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

#include "answer/import/parts.h"
#include "base/error.h"

/* A launch whose group (launches of the same kernel with the same size) is searched for. */
typedef struct {
    const pm_importing *in;
    const pm_import_launch *launch;
    const char *name; /* the kernel's name without parameters */
} wanted_group;

/* Returns true if the launch belongs to the group number `index`: same kernel and same size. The
 * whole names must be equal within a file. Between files, only the names without parameters must be
 * equal, because profilers write the parameters of kernels differently. */
static bool is_of_group(const void *key, size_t index)
{
    const wanted_group *w = key;
    const pm_import_group *group = &w->in->groups[index];

    return group->items == w->launch->items && group->group == w->launch->group &&
           strcmp(group->name, w->name) == 0 &&
           (group->file != w->in->file || strcmp(group->full, w->launch->kernel) == 0);
}

static bool is_last(const pm_importing *in, const pm_import_group *last,
                    const pm_import_launch *launch)
{
    return last->file == in->file && last->items == launch->items && last->group == launch->group &&
           strcmp(last->full, launch->kernel) == 0;
}

pm_import_group *pm_import_group_of(pm_importing *in, const pm_import_launch *launch)
{
    pm_import_group *group = in->group_count ? &in->groups[in->group_count - 1] : NULL;
    const double sizes[] = {launch->items, launch->group};
    wanted_group wanted = {in, launch, NULL};
    uint64_t hash;
    size_t index;

    if (group && is_last(in, group, launch))
        return group; /* most rows have the same kernel and size as the row before */
    wanted.name = pm_import_kernel_name(&in->memory, launch->kernel);
    hash = pm_hash_text(wanted.name) ^ pm_hash_bytes(sizes, sizeof sizes);
    index = pm_hash_index_find(&in->by_launch, hash, is_of_group, &wanted);
    if (index != PM_NO_ENTRY)
        return &in->groups[index];
    if (!pm_hash_index_add(&in->by_launch, hash, in->group_count))
        pm_leave(&in->memory, PM_FAILED, "%s: out of memory", in->path);
    group = pm_add(&in->memory, in->groups, in->group_count);
    *group = (pm_import_group){.full = pm_copy(&in->memory, launch->kernel),
                               .name = wanted.name,
                               .items = launch->items,
                               .group = launch->group,
                               .file = in->file,
                               .mean_s = (double)NAN,
                               .median_s = (double)NAN};
    return group;
}

/* Returns true if a group uses the times of the table that is being read. If several files have
 * times, the first file's times are used. Times of a profiler that changes clocks or caches are
 * used only if no other profiler has times. */
static bool takes_times(const pm_importing *in, const pm_import_group *group,
                        const pm_import_form *form)
{
    return !group->time_form || group->time_file == in->file ||
           (group->time_form->disturbs && !form->disturbs);
}

void pm_import_add_time(pm_importing *in, pm_import_group *group, const pm_import_launch *launch,
                        const pm_import_form *form)
{
    if (!takes_times(in, group, form))
        return;
    if (group->time_form && group->time_file != in->file) {
        group->times_s = NULL;
        group->timed = 0;
        group->count = 0;
    }
    group->time_form = form;
    group->time_file = in->file;
    if (!in->timed || in->timed->disturbs)
        in->timed = form;
    if (launch->count > 0) {
        group->mean_s = launch->time_s;
        group->median_s = launch->median_s;
        group->count = launch->count;
    } else {
        *pm_add(&in->memory, group->times_s, group->timed) = launch->time_s;
    }
}

static size_t metric_index(pm_importing *in, const char *name)
{
    const char *kept = pm_strings_add(&in->metrics, name);
    size_t i = 0;

    if (!kept)
        pm_leave(&in->memory, PM_FAILED, "%s: out of memory", in->path);
    while (in->metrics.items[i] != kept)
        i++;
    return i;
}

void pm_import_add_metric(pm_importing *in, pm_import_group *group, const char *name, double value,
                          double launches)
{
    const char *kept = pm_strings_find(&in->metrics, name);
    pm_import_sum *sum = NULL;

    for (size_t i = 0; kept && !sum && i < group->sum_count; i++)
        if (in->metrics.items[group->sums[i].metric] == kept)
            sum = &group->sums[i];
    if (!sum) {
        sum = pm_add(&in->memory, group->sums, group->sum_count);
        *sum = (pm_import_sum){.metric = metric_index(in, name)};
    }
    sum->sum += value * launches;
    sum->launches += launches;
}

double pm_import_launches(const pm_import_group *group)
{
    double most = 0;

    if (group->timed > 0)
        return (double)group->timed;
    if (group->count > 0)
        return group->count;
    for (size_t i = 0; i < group->sum_count; i++)
        most = fmax(most, group->sums[i].launches);
    return most;
}

void pm_import_times(pm_memory *memory, const pm_import_group *group, double *median_s,
                     double *mad_s)
{
    double *times = pm_take(memory, group->timed + 1, sizeof *times);

    *median_s = isnan(group->median_s) ? group->mean_s : group->median_s;
    *mad_s = (double)NAN;
    if (group->timed == 0)
        return;
    memcpy(times, group->times_s, group->timed * sizeof *times);
    gsl_sort(times, 1, group->timed);
    *median_s = gsl_stats_median_from_sorted_data(times, 1, group->timed);
    for (size_t i = 0; i < group->timed; i++)
        times[i] = fabs(group->times_s[i] - *median_s);
    gsl_sort(times, 1, group->timed);
    *mad_s = gsl_stats_median_from_sorted_data(times, 1, group->timed);
}

/* ---- groups of several files ----------------------------------------------------------------- */

/* Returns the mean over the group's launches of one of the profiler's metrics; 0: the files do not
 * have it. */
static double mean_of(const pm_importing *in, const pm_import_group *group, const char *metric)
{
    for (size_t i = 0; i < group->sum_count; i++)
        if (strcmp(in->metrics.items[group->sums[i].metric], metric) == 0)
            return group->sums[i].sum / group->sums[i].launches;
    return 0;
}

/* Reads the size of the group's launches from Nsight Compute's metrics, because some of its
 * versions write tables without columns for the size. */
static void size_by_metrics(const pm_importing *in, pm_import_group *group)
{
    const double grid = mean_of(in, group, "launch__grid_size");
    const double block = mean_of(in, group, "launch__block_size");

    if (group->group == 0 && grid > 0 && block > 0) {
        group->group = block;
        group->items = grid * block;
    }
}

/* Moves the times of group `from` to group `to` if `to` has none or only times of a profiler that
 * changes clocks or caches. Moves the counters if `to` has none. */
static void join(pm_import_group *to, const pm_import_group *from)
{
    if (from->time_form &&
        (!to->time_form || (to->time_form->disturbs && !from->time_form->disturbs))) {
        to->times_s = from->times_s;
        to->timed = from->timed;
        to->count = from->count;
        to->mean_s = from->mean_s;
        to->median_s = from->median_s;
        to->time_form = from->time_form;
        to->time_file = from->time_file;
    }
    if (to->sum_count == 0) {
        to->sums = from->sums;
        to->sum_count = from->sum_count;
    }
}

/* Some profilers' files lack the size of the launches. Returns the group that gives its size to the
 * group `group`, which has none. It is the group with a size that has the same kernel and is from
 * another file. NULL: there is no such group, or there are several. */
static pm_import_group *find_sized(const pm_importing *in, const pm_import_group *group)
{
    pm_import_group *found = NULL;

    for (size_t i = 0; i < in->group_count; i++) {
        pm_import_group *other = &in->groups[i];

        if (other->items == 0 || other->file == group->file ||
            strcmp(other->name, group->name) != 0)
            continue;
        if (found)
            return NULL;
        found = other;
    }
    return found;
}

void pm_import_join_groups(pm_importing *in)
{
    size_t kept = 0;

    for (size_t i = 0; i < in->group_count; i++)
        size_by_metrics(in, &in->groups[i]);
    for (size_t i = 0; i < in->group_count; i++) {
        pm_import_group *group = &in->groups[i];
        pm_import_group *sized = group->items == 0 ? find_sized(in, group) : NULL;

        if (sized)
            join(sized, group);
        group->joined = sized;
    }
    for (size_t i = 0; i < in->group_count; i++)
        if (!in->groups[i].joined)
            in->groups[kept++] = in->groups[i];
    in->group_count = kept;
}
