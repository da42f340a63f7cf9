/* Types and functions that the source files of answer/import/ share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An import runs in this order: sections.c finds the tables in a file's text. forms.c recognizes
 * the profiler by the names of the columns. rows.c reads each row as a launch, or as a summary of
 * launches. groups.c joins the launches of a kernel over all files. metrics.c converts the
 * profiler's counters to perfmodel's. launches.c (without a workload) or runs.c (with a workload)
 * makes the rows of the dataset, and write.c writes them. The functions raise errors
 * (base/memory.h).
 */
#ifndef PM_ANSWER_IMPORT_PARTS_H
#define PM_ANSWER_IMPORT_PARTS_H

#include "answer/counts/counts.h"
#include "answer/import/import.h"
#include "base/memory.h"
#include "base/strings.h"
#include "machine/counters/profilers.h"

/* ---- forms.c: the profilers' tables ---------------------------------------------------------- */

/* Meaning of a column of a profiler's table. */
typedef enum {
    PM_IMPORT_KERNEL, /* name of the kernel */
    /* number of the process; process and launch number together identify the launch of a row */
    PM_IMPORT_PROCESS,
    PM_IMPORT_LAUNCH,
    PM_IMPORT_DEVICE,     /* name of the GPU */
    PM_IMPORT_CAPABILITY, /* NVIDIA's compute capability, such as 9.0 */
    /* Size of a launch as numbers of work-groups, of work-items, and of work-items in a work-group.
     * A table has either one column for each of these, with one number or with three, or a column
     * for each dimension (x, _Y, _Z). */
    PM_IMPORT_GROUPS,
    PM_IMPORT_GROUPS_Y,
    PM_IMPORT_GROUPS_Z,
    PM_IMPORT_ITEMS,
    PM_IMPORT_ITEMS_Y,
    PM_IMPORT_ITEMS_Z,
    PM_IMPORT_GROUP_ITEMS,
    PM_IMPORT_GROUP_ITEMS_Y,
    PM_IMPORT_GROUP_ITEMS_Z,
    /* PM_IMPORT_START and PM_IMPORT_END: times at which the launch began and ended, in
     * nanoseconds */
    PM_IMPORT_START,
    PM_IMPORT_END,
    PM_IMPORT_TIME,   /* time of the launch, or mean time of the launches */
    PM_IMPORT_MEDIAN, /* median time of the launches */
    PM_IMPORT_TOTAL,  /* total time of the launches */
    PM_IMPORT_COUNT,  /* number of launches that the row summarizes */
    /* PM_IMPORT_METRIC, PM_IMPORT_UNIT and PM_IMPORT_VALUE: name, unit and value of one counter */
    PM_IMPORT_METRIC,
    PM_IMPORT_UNIT,
    PM_IMPORT_VALUE,
    /* kind of operation, such as kernel or memory copy; rows that are not of a kernel are
     * ignored */
    PM_IMPORT_CATEGORY,
    /* Number of the roles above. A table has at most one column with each of these roles, but any
     * number of columns with the roles below. */
    PM_IMPORT_ROLES,
    PM_IMPORT_OTHER,  /* a column that is neither needed nor a counter */
    PM_IMPORT_COUNTER /* the name of the column is the name of a counter */
} pm_import_role;

/* The name of a column in a kind of table, and the meaning of the column. A name that ends in " ("
 * is followed by a unit in the table, such as "Avg (ns)" for "Avg (". */
typedef struct {
    const char *name;
    pm_import_role role;
    bool required; /* true: every table of this kind has the column */
} pm_import_name;

/* A kind of table that a profiler writes, such as Nsight Compute's page "raw". */
typedef struct {
    const char *tool; /* the profiler's command, which is counter_source of the rows */
    /* name of the profiler in profilers.csv; NULL: the tables have no counters */
    const char *profiler;
    const pm_import_name *names;
    size_t count;
    /* text in the column PM_IMPORT_CATEGORY by which rows of kernels are recognized; NULL: there is
     * no such column */
    const char *category;
    /* Selection of the columns that are counters, among the columns that are not in `names`. NULL:
     * none; "": all; otherwise the columns whose name contains this text. */
    const char *counters;
    bool amd; /* true: the profiler is for AMD's GPUs; false: for NVIDIA's */
    /* true: the profiler changes clocks or caches, so that times of another file are preferred */
    bool disturbs;
    /* advice for error messages: how to profile times in addition to counters; NULL: no advice */
    const char *timed;
} pm_import_form;

/* The columns of a table that was read from a file. */
typedef struct {
    const pm_import_form *form;
    size_t count;
    pm_import_role *roles;      /* roles[column] */
    const char **names;         /* names[column] */
    const char **units;         /* units[column]; "": none */
    size_t at[PM_IMPORT_ROLES]; /* column that has a role; PM_NO_ENTRY: none */
} pm_import_columns;

/* Recognizes the kind of a table by the `count` cells of its header, and fills `columns`. Returns
 * false if it is no known kind. The memory of the result belongs to `memory`. */
bool pm_import_recognize(pm_memory *memory, const char *const *cells, size_t count,
                         pm_import_columns *columns);
/* Returns the name of the metric that belongs to a label of Nsight Compute's page "details", such
 * as gpu__time_duration.sum for "Duration". Returns the text itself if it is no such label. */
const char *pm_import_metric_of(const char *label);
/* Name of Nsight Compute's metric that is the time of the launch. */
#define PM_IMPORT_DURATION "gpu__time_duration.sum"
/* Commands that write the known tables, for messages. */
#define PM_IMPORT_COMMANDS                                                                         \
    "ncu --csv, nsys stats --format csv, nvprof --csv, rocprof, rocprofv3 --output-format csv or " \
    "rocprof-compute"

/* ---- sections.c: tables within the text of a file -------------------------------------------- */

/* The part of a file's text that is one table: its header and its rows. */
typedef struct {
    char *text;
    size_t size, line; /* line: number of the header's line in the file, from 1 */
} pm_import_section;

/* Finds the tables in the text of a file. Overwrites a profiler's messages between their rows with
 * spaces. Everything around the tables is ignored, such as the output of the profiled program.
 * *sections is an array that `memory` owns. Returns the number of tables. */
size_t pm_import_sections(pm_memory *memory, char *text, pm_import_section **sections);
/* Returns the first line of the text in which a profiler reports an error, such as "==ERROR== ...".
 * *line gets its line number. NULL: there is none. */
const char *pm_import_complaint(pm_memory *memory, const char *text, size_t *line);

/* ---- values.c: numbers with units ------------------------------------------------------------ */

/* Reads a profiler's number, such as "1,234", "12.5" or "3.2%". The value is NaN if the text says
 * that it is unknown ("", "n/a", "nan"). Returns false if the text is not a number. */
bool pm_import_number(const char *text, double *value);
/* Returns whether a text that pm_import_number refuses is a number as other languages write it,
 * such as "2.508.800" or "12,5". */
bool pm_import_looks_like_number(const char *text);
/* Returns the factor that converts a value with this unit. The result is nanoseconds if the unit is
 * a time, bytes if it is a size, and otherwise the unit without its prefix (1e6 for "Msector"). */
double pm_import_unit(const char *unit);
/* Returns the product of the numbers in a text, such as 256 for "(16, 16, 1)". NaN if it has no
 * number, or if the product is not from 1 to 2^53. */
double pm_import_product(const char *text);

/* ---- names.c: names of kernels --------------------------------------------------------------- */

/* Returns the name of a kernel without return type, parameters and suffixes: "sum<float, 256>" for
 * "void sum<float, (int)256>(float const*, int) [clone .kd]". */
char *pm_import_kernel_name(pm_memory *memory, const char *full);
/* Returns a kernel's name without template arguments. */
char *pm_import_base_name(pm_memory *memory, const char *name);
/* Returns whether two names of pm_import_kernel_name differ only in spaces and in how numbers are
 * written. */
bool pm_import_same_name(pm_memory *memory, const char *a, const char *b);

/* ---- groups.c: launches of a kernel ---------------------------------------------------------- */

/* Sum of one of the profiler's counters over the launches of a group. launches: number of
 * launches. */
typedef struct {
    size_t metric; /* index of the metric in pm_importing.metrics */
    double sum, launches;
} pm_import_sum;

/* The launches of a kernel that have the same size. */
typedef struct {
    /* full: name of the kernel as in the file; name: the same without parameters */
    const char *full, *name;
    double items, group; /* work-items of a launch and of a work-group; 0: unknown */
    size_t file;         /* index of the file in which the group was found first */
    /* times_s[timed]: times of launches that a file lists one by one, in seconds */
    double *times_s;
    size_t timed;
    /* Summary of launches that a file does not list one by one: their number, mean time and median
     * time. count 0: there is no summary. */
    double count, mean_s, median_s; /* median_s NaN: unknown */
    /* kind of the table from which the times come; NULL: no times */
    const pm_import_form *time_form;
    size_t time_file; /* index of the file with the times */
    pm_import_sum *sums;
    size_t sum_count;
    bool joined; /* true: its times and counters were moved to another group */
} pm_import_group;

/* A row of a profiler's table: one launch, or a summary of `count` launches. Times that are NaN are
 * unknown. */
typedef struct {
    const char *kernel;
    double items, group; /* 0: unknown */
    double count;        /* 0: the row is of one launch */
    double time_s, median_s;
} pm_import_launch;

/* State while a profiler's files are imported. */
typedef struct {
    pm_session *session;
    const pm_import_options *options;
    const char *path; /* file that is being read */
    size_t file;      /* its index */
    bool has_kernel;  /* true: the file has a table with a kernel */
    /* timed: kind of the first table that has times; counted: kind of the first table that has
     * counters. NULL: there is none. */
    const pm_import_form *timed, *counted;
    const char *device; /* name of the GPU in the files; NULL: unknown */
    double capability;  /* compute capability in the files; 0: unknown */
    pm_strings metrics; /* names of the profiler's counters */
    /* keys (process, launch number, kernel) of those launches whose time was read from the
     * current table */
    pm_strings seen;
    pm_import_group *groups;
    size_t group_count;
    pm_hash_index by_launch;         /* groups by name and size */
    const pm_count_columns *columns; /* columns of the dataset; owned by the session */
    pm_profiler profiler;            /* the profiler's names of perfmodel's counters */
    char id[64];                     /* id of the GPU in devices.csv */
    pm_device gpu;                   /* the GPU as devices.csv describes it */
    pm_dataset *rows;                /* rows to write */
    const pm_program *program;       /* program of the workload; NULL: none */
    pm_imported *result;
    pm_memory memory;
    pm_memory kept; /* owns `result` */
} pm_importing;

#define pm_import_fault(in, ...) pm_leave(&(in)->memory, PM_BAD_INPUT, __VA_ARGS__)

/* Returns the group of a launch. Adds the group if it is new. */
pm_import_group *pm_import_group_of(pm_importing *in, const pm_import_launch *launch);
/* Adds the time of a launch, or of a summary of launches, to a group. form: kind of the table. If
 * several files have times, the times of a profiler that changes clocks or caches are ignored, or
 * replaced by times of another profiler. */
void pm_import_add_time(pm_importing *in, pm_import_group *group, const pm_import_launch *launch,
                        const pm_import_form *form);
/* Adds the value of the profiler's counter `name` to a group. value: mean over `launches`
 * launches. */
void pm_import_add_metric(pm_importing *in, pm_import_group *group, const char *name, double value,
                          double launches);
/* Some files do not say how large the launches were. If exactly one group of the same kernel in
 * another file has a size, the times and counters of the group without a size are moved to it. */
void pm_import_join_groups(pm_importing *in);
/* Returns the number of launches of a group: the number whose times are known or, if it has no
 * times, the number whose counters are known. */
double pm_import_launches(const pm_import_group *group);
/* Computes the median time of a group's launches and its median absolute deviation, in seconds.
 * NaN: unknown. */
void pm_import_times(pm_memory *memory, const pm_import_group *group, double *median_s,
                     double *mad_s);

/* ---- rows.c: rows of a profiler's table ------------------------------------------------------ */

/* Reads all tables of the file at in->path. */
void pm_import_read(pm_importing *in);

/* ---- device.c: the profiled GPU -------------------------------------------------------------- */

/* Sets in->id to the GPU that the options name or that the files name. */
void pm_import_find_device(pm_importing *in);

/* ---- metrics.c: counters --------------------------------------------------------------------- */

/* Reads the list that says how each of perfmodel's counters is computed from the profiler's
 * counters. */
void pm_import_open_metrics(pm_importing *in);
/* Computes the counters of one launch, the mean over the launches of the group. cells[column]:
 * value in that column of the dataset; NaN: unknown. */
void pm_import_counters(pm_importing *in, const pm_import_group *group, double *cells);
/* Returns the formula that computes perfmodel's counter number `counter` from the profiler's
 * counters. NULL: there is none, or the files lack a counter in it. */
const char *pm_import_formula(pm_importing *in, size_t counter);
/* Makes a list of the profiler's counters that perfmodel does not use, and logs a notice that names
 * them. */
void pm_import_tell_unknown(pm_importing *in);

/* ---- launches.c, runs.c: rows of the dataset ------------------------------------------------- */

/* Makes a row of the dataset for each group (launches of a kernel with the same size). If there is
 * no workload, one launch counts as one run of the program. */
void pm_import_launch_rows(pm_importing *in);
/* Makes a row of the dataset for each kernel of the workload. Compares the profiler's counters with
 * those of the trace engine. */
void pm_import_run_rows(pm_importing *in);

/* ---- write.c: the dataset -------------------------------------------------------------------- */

/* Appends in->rows to the dataset, and writes its provenance. */
void pm_import_write(pm_importing *in);

#endif
