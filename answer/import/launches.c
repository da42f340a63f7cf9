/* Used if the user imports a profiler's files without naming a workload: makes a row of the dataset
 * for each kernel and each number of work-items that it was launched with. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row has the values of one launch. Its time is the median over the launches of this size. */
#include <math.h>
#include <string.h>

#include "answer/import/parts.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/session/session.h"
#include "model/samples/dataset.h"
#include "model/samples/table.h"

static const char VARIANT[] = "plain";

/* Returns the name of the size of launches: the number of work-groups and the work-items of each,
 * such as "4096x256". */
static const char *size_name(pm_importing *in, const pm_import_group *group)
{
    if (in->options->size)
        return in->options->size;
    if (!(group->items > 0 && group->group > 0))
        return "all";
    return pm_format(&in->memory, "%.0fx%.0f", ceil(group->items / group->group), group->group);
}

static pm_sample row_of(pm_importing *in, const pm_import_group *group, const double *cells)
{
    pm_sample row = {.device = in->id,
                     .program = in->options->program
                                    ? in->options->program
                                    : pm_import_base_name(&in->memory, group->name),
                     .variant = in->options->variant ? in->options->variant : VARIANT,
                     .size = size_name(in, group),
                     .kernel = group->name,
                     .counter_source = in->counted ? in->counted->tool : "none",
                     .runs = pm_import_launches(group),
                     .work_items = group->items > 0 ? group->items : (double)NAN,
                     .work_group = group->group > 0 ? group->group : (double)NAN,
                     .counters = cells,
                     .cuda = in->capability > 0};

    if (in->options->counters && strcmp(in->options->counters, "none") == 0)
        row.counter_source = "none";
    pm_import_times(&in->memory, group, &row.time_s, &row.time_mad_s);
    return row;
}

/* Returns true if a group before group number `group` is of the same kernel, compared by the name
 * with parameter types. The two groups then differ only in the size of their launches. */
static bool is_again(const pm_importing *in, size_t group)
{
    for (size_t i = 0; i < group; i++)
        if (strcmp(in->groups[i].full, in->groups[group].full) == 0)
            return true;
    return false;
}

/* Adds the row of group number `group` to the rows. If another kernel has the same name without
 * parameters, the row gets the name with parameters. */
static void add_row(pm_importing *in, size_t group, pm_sample *row)
{
    char shown[PM_SHOWN_CELL];

    if (pm_dataset_find_key(in->rows, row) != PM_NO_ENTRY && !is_again(in, group))
        row->kernel = in->groups[group].full;
    if (pm_dataset_find_key(in->rows, row) != PM_NO_ENTRY)
        pm_import_fault(in,
                        "%s: kernel %s was launched in several sizes, which would all be size %s; "
                        "leave --size out, or name a workload file",
                        in->path, pm_shown(row->kernel, shown, sizeof shown), row->size);
    pm_require(&in->memory, pm_dataset_append(in->rows, row, in->memory.err));
}

void pm_import_launch_rows(pm_importing *in)
{
    double *cells = pm_take(&in->memory, in->columns->count, sizeof *cells);

    for (size_t i = 0; i < in->group_count; i++) {
        const pm_import_group *group = &in->groups[i];
        char shown[PM_SHOWN_CELL];
        pm_sample row;

        if (!group->time_form) {
            in->result->left_out++;
            pm_session_leave_out(in->session, "%s: left out: no file has its time",
                                 pm_shown(group->name, shown, sizeof shown));
            continue;
        }
        pm_import_counters(in, group, cells);
        row = row_of(in, group, cells);
        add_row(in, i, &row);
    }
}
