/* Reads the rows of the tables in a profiler's files. A row describes one kernel launch, or
 * summarizes several. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "answer/import/parts.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/file.h"
#include "base/numbers.h"

enum { MOST_BYTES = 1 << 30 };
/* longest time of a launch that is accepted, in seconds; a longer one is an error of the file */
#define LONGEST_S 1e9
#define NS 1e9 /* nanoseconds of a second */

/* A table that is being read. */
typedef struct {
    pm_importing *in;
    pm_import_columns columns;
    bool began; /* true: the header was read */
    bool rows;  /* true: a row with a kernel was read */
    /* row that is being read: its line in the file, and its cells */
    size_t line, count;
    const char *const *cells;
} table_reading;

#define row_fault(r, format, ...)                                                                  \
    pm_import_fault((r)->in, "%s:%zu: " format, (r)->in->path, (r)->line, __VA_ARGS__)

/* ---- cells ----------------------------------------------------------------------------------- */

/* Returns the current row's cell in the column with this role (meaning). "": the table has no such
 * column. */
static const char *cell_of(const table_reading *r, pm_import_role role)
{
    const size_t column = r->columns.at[role];

    return column < r->count ? r->cells[column] : "";
}

/* Returns the number in the current row's column with this role (meaning). NaN: the cell says that
 * the number is unknown, or there is no such column. */
static double number_of(const table_reading *r, pm_import_role role)
{
    const char *cell = cell_of(r, role);
    char shown[PM_SHOWN_CELL];
    double value;

    if (!pm_import_number(cell, &value))
        row_fault(r, "'%s' in the column '%s' is not a number; export the file again with LC_ALL=C",
                  pm_shown(cell, shown, sizeof shown), r->columns.names[r->columns.at[role]]);
    return value;
}

/* Returns the time in the current row's column with this role (meaning), in seconds. NaN:
 * unknown. */
static double seconds_of(const table_reading *r, pm_import_role role)
{
    const size_t column = r->columns.at[role];
    const double value = number_of(r, role);

    return column == PM_NO_ENTRY ? (double)NAN
                                 : value * pm_import_unit(r->columns.units[column]) / NS;
}

/* Returns the size of a launch: the product over the columns of three dimensions, of which `x` is
 * the first. Missing columns count as 1. 0: the size is unknown. */
static double size_of(const table_reading *r, pm_import_role x)
{
    double product = 1;

    for (int d = 0; d < 3; d++) {
        const double size = pm_import_product(cell_of(r, (pm_import_role)((int)x + d)));

        if (isnan(size) && (d == 0 || r->columns.at[(int)x + d] != PM_NO_ENTRY))
            return 0;
        product *= isnan(size) ? 1 : size;
    }
    return product;
}

/* ---- launches -------------------------------------------------------------------------------- */

/* Returns whether a row is of an operation other than a kernel. */
static bool is_other_operation(const table_reading *r)
{
    const char *kernel = cell_of(r, PM_IMPORT_KERNEL);
    const pm_import_form *form = r->columns.form;

    if (form->category && r->columns.at[PM_IMPORT_CATEGORY] != PM_NO_ENTRY &&
        strcmp(cell_of(r, PM_IMPORT_CATEGORY), form->category) != 0)
        return true;
    /* Copies and fills of memory have names in brackets, or no grid in a list of launches. */
    return *kernel == '[' ||
           (r->columns.at[PM_IMPORT_GROUPS_Y] != PM_NO_ENTRY && !*cell_of(r, PM_IMPORT_GROUPS));
}

/* Returns true if no earlier row of the table was of the same launch. Tables of metrics have
 * several rows for a launch. A row without a launch number counts as a launch of its own. */
static bool is_new_launch(const table_reading *r)
{
    pm_importing *in = r->in;
    char *key;

    if (r->columns.at[PM_IMPORT_LAUNCH] == PM_NO_ENTRY || !*cell_of(r, PM_IMPORT_LAUNCH))
        return true;
    key = pm_format(&in->memory, "%s/%s/%s", cell_of(r, PM_IMPORT_PROCESS),
                    cell_of(r, PM_IMPORT_LAUNCH), cell_of(r, PM_IMPORT_KERNEL));
    if (pm_strings_find(&in->seen, key))
        return false;
    if (!pm_strings_add(&in->seen, key))
        pm_leave(&in->memory, PM_FAILED, "%s: out of memory", in->path);
    return true;
}

static void check_time(const table_reading *r, double time_s)
{
    if (!(time_s > 0 && time_s < LONGEST_S))
        row_fault(r, "the time of the launch is %g s; export the file again", time_s);
}

static pm_import_launch launch_of(const table_reading *r)
{
    pm_import_launch launch = {.kernel = cell_of(r, PM_IMPORT_KERNEL),
                               .items = size_of(r, PM_IMPORT_ITEMS),
                               .group = size_of(r, PM_IMPORT_GROUP_ITEMS),
                               .time_s = seconds_of(r, PM_IMPORT_TIME),
                               .median_s = seconds_of(r, PM_IMPORT_MEDIAN)};
    const double groups = size_of(r, PM_IMPORT_GROUPS), total_s = seconds_of(r, PM_IMPORT_TOTAL);

    if (r->columns.at[PM_IMPORT_COUNT] != PM_NO_ENTRY) {
        launch.count = number_of(r, PM_IMPORT_COUNT);
        if (!(launch.count >= 1))
            row_fault(r, "'%s' is not a number of launches; export the file again",
                      cell_of(r, PM_IMPORT_COUNT));
    }
    if (groups > 0 && launch.group > 0)
        launch.items = groups * launch.group;
    if (launch.count > 0 && total_s > 0)
        launch.time_s = total_s / launch.count;
    if (r->columns.at[PM_IMPORT_START] != PM_NO_ENTRY &&
        r->columns.at[PM_IMPORT_END] != PM_NO_ENTRY)
        launch.time_s = (number_of(r, PM_IMPORT_END) - number_of(r, PM_IMPORT_START)) / NS;
    return launch;
}

/* ---- counters -------------------------------------------------------------------------------- */

static void add_metric(table_reading *r, pm_import_group *group, const pm_import_launch *launch,
                       const char *name, const char *unit, const char *cell)
{
    pm_importing *in = r->in;
    pm_import_launch timed = *launch;
    double value;

    if (!pm_import_number(cell, &value) && pm_import_looks_like_number(cell))
        row_fault(r,
                  "%s is '%s', which is no number in English; export the file again with LC_ALL=C",
                  name, cell);
    if (isnan(value))
        return;
    value *= pm_import_unit(unit);
    if (strcmp(name, PM_IMPORT_DURATION) == 0 && is_new_launch(r)) {
        timed.time_s = value / NS;
        check_time(r, timed.time_s);
        pm_import_add_time(in, group, &timed, r->columns.form);
    }
    pm_import_add_metric(in, group, name, value, launch->count > 0 ? launch->count : 1);
    if (!in->counted)
        in->counted = r->columns.form;
}

/* Adds the value of a row to the group's counters. A row has one counter with a name, a value and a
 * unit, or a column for each counter. */
static void add_metrics(table_reading *r, pm_import_group *group, const pm_import_launch *launch)
{
    const char *name = cell_of(r, PM_IMPORT_METRIC);

    if (*name)
        add_metric(r, group, launch, pm_import_metric_of(name), cell_of(r, PM_IMPORT_UNIT),
                   cell_of(r, PM_IMPORT_VALUE));
    for (size_t i = 0; i < r->columns.count; i++)
        if (r->columns.roles[i] == PM_IMPORT_COUNTER)
            add_metric(r, group, launch, r->columns.names[i], r->columns.units[i], r->cells[i]);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Reads the GPU's name and compute capability from a row. Raises an error if they differ from those
 * of earlier rows. */
static void read_gpu(const table_reading *r)
{
    pm_importing *in = r->in;
    const char *cell = cell_of(r, PM_IMPORT_DEVICE), *number = strstr(cell, " (");
    const double capability = number_of(r, PM_IMPORT_CAPABILITY);
    /* Some profilers append the number of the GPU in the machine to the name of the GPU, such as
     * "Tesla K20c (0)". The number is removed. */
    char *device = pm_format(&in->memory, "%.*s",
                             (int)(number ? (size_t)(number - cell) : strlen(cell)), cell);
    char shown[PM_SHOWN_CELL], before[PM_SHOWN_CELL];

    if (*device && in->device && strcmp(device, in->device) != 0)
        row_fault(r,
                  "a launch on '%s' after launches on '%s'; profile with one GPU "
                  "(CUDA_VISIBLE_DEVICES=0)",
                  pm_shown(device, shown, sizeof shown),
                  pm_shown(in->device, before, sizeof before));
    if (capability > 0 && in->capability > 0 && capability != in->capability)
        row_fault(r, "a launch on compute capability %g after launches on %g; profile with one GPU",
                  capability, in->capability);
    in->device = *device ? device : in->device;
    in->capability = capability > 0 ? capability : in->capability;
}

/* Reads the units of the columns. Some tables have them in the row below the header, where the cell
 * of the kernel's name is empty. */
static void read_units(table_reading *r)
{
    for (size_t i = 0; i < r->count && i < r->columns.count; i++)
        if (*r->cells[i])
            r->columns.units[i] = pm_copy(&r->in->memory, r->cells[i]);
}

/* Raises an error if the row has too few or too many cells. Nsight Compute omits empty cells at the
 * end of a row, so that only the columns that are needed have to be there. */
static void check_count(const table_reading *r)
{
    const pm_import_columns *c = &r->columns;
    size_t least = c->count;

    if (c->at[PM_IMPORT_VALUE] != PM_NO_ENTRY)
        for (size_t i = least = 0; i < PM_IMPORT_ROLES; i++)
            least = c->at[i] != PM_NO_ENTRY && c->at[i] >= least ? c->at[i] + 1 : least;
    if (r->count < least || r->count > c->count)
        row_fault(r,
                  "%zu cells, but the header has %zu; the file is cut off or damaged, export it "
                  "again",
                  r->count, c->count);
}

static void read_launch(table_reading *r)
{
    pm_importing *in = r->in;
    const pm_import_launch launch = launch_of(r);
    char shown[PM_SHOWN_CELL];
    pm_import_group *group;

    if (!pm_is_utf8(launch.kernel))
        row_fault(r, "'%s' is not UTF-8 text; export the file again",
                  pm_shown(launch.kernel, shown, sizeof shown));
    read_gpu(r);
    group = pm_import_group_of(in, &launch);
    in->has_kernel = r->rows = true;
    if (!isnan(launch.time_s) && is_new_launch(r)) {
        check_time(r, launch.time_s);
        pm_import_add_time(in, group, &launch, r->columns.form);
    }
    add_metrics(r, group, &launch);
}

static void read_row(void *user)
{
    table_reading *r = user;

    check_count(r);
    if (!*cell_of(r, PM_IMPORT_KERNEL)) {
        if (!r->rows)
            read_units(r);
    } else if (!is_other_operation(r)) {
        read_launch(r);
    }
}

/* Callback of pm_csv_read_text that reads one row. An error must not leave the callback by longjmp,
 * because pm_csv_read_text still has to free memory. The callback therefore catches the error and
 * returns it. */
static pm_status take_row(void *user, size_t line, const char *const *cells, size_t count,
                          pm_error *err)
{
    table_reading *r = user;
    pm_memory *memory = &r->in->memory;
    jmp_buf *way_out = memory->way_out;
    pm_status status = PM_OK;

    r->line = line;
    r->cells = cells;
    r->count = count;
    if (r->began)
        status = pm_attempt(memory, read_row, r, err);
    else
        pm_import_recognize(memory, cells, count, &r->columns);
    r->began = true;
    memory->way_out = way_out;
    return status;
}

/* Raises an error if the last row of the file was cut off. A last row without a line break is
 * complete if it ends in a quote. */
static void check_end(const pm_importing *in, const pm_import_section *section, const char *end)
{
    size_t line = section->line;

    if (section->text + section->size != end || end[-1] == '\n')
        return;
    for (const char *at = section->text; at < end; at++)
        line += *at == '\n';
    if (end[-1] != '"')
        pm_import_fault(in,
                        "%s:%zu: the last line does not end; the file is cut off, export it again",
                        in->path, line);
}

static void read_section(pm_importing *in, const pm_import_section *section)
{
    table_reading r = {.in = in};
    pm_csv_end end;

    pm_strings_clear(&in->seen);
    pm_require(&in->memory, pm_csv_read_text(section->text, section->size, section->line, in->path,
                                             take_row, &r, &end, in->memory.err));
}

/* Raises an error, because the file has no table of a known profiler, or no row of a kernel.
 * complaint: error message of the profiler, found in this line of the file; NULL: none. tables:
 * true if the file has a table. */
static _Noreturn void refuse(pm_importing *in, const char *complaint, size_t line, bool tables)
{
    char shown[PM_SHOWN_PATH];

    if (complaint)
        pm_import_fault(in, "%s:%zu: the profiler failed: %s", in->path, line,
                        pm_shown(complaint, shown, sizeof shown));
    if (tables)
        pm_import_fault(in, "%s: no launch of a kernel is in it; profile a run that launches one",
                        in->path);
    pm_import_fault(in,
                    "%s: no table of a known profiler is in it; give what one of these wrote: %s",
                    in->path, PM_IMPORT_COMMANDS);
}

void pm_import_read(pm_importing *in)
{
    pm_import_section *sections;
    char *read = NULL, *text;
    const char *complaint;
    size_t count, size, line = 0;

    pm_require(&in->memory, pm_file_read(in->path, MOST_BYTES, "the CSV text of a profiler", &read,
                                         in->memory.err));
    size = strlen(read);
    text = pm_try_take(&in->memory, size + 2, 1);
    if (text)
        memcpy(text, read, size);
    free(read);
    if (!text)
        pm_leave(&in->memory, PM_FAILED, "%s: out of memory", in->path);
    complaint = pm_import_complaint(&in->memory, text, &line);
    count = pm_import_sections(&in->memory, text, &sections);
    for (size_t i = 0; i < count; i++)
        check_end(in, &sections[i], text + size);
    if (count > 0 && size > 0 && text[size - 1] != '\n' &&
        sections[count - 1].text + sections[count - 1].size == text + size) {
        text[size] = '\n';
        sections[count - 1].size++;
    }
    in->has_kernel = false;
    for (size_t i = 0; i < count; i++)
        read_section(in, &sections[i]);
    if (!in->has_kernel)
        refuse(in, complaint, line, count > 0);
}
