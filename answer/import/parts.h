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
    PM_IMPORT_KERNEL,  /* name of the kernel */
    PM_IMPORT_PROCESS, /* process; process and launch together identify the launch of a row */
    PM_IMPORT_LAUNCH,
    PM_IMPORT_DEVICE,     /* name of the GPU */
    PM_IMPORT_CAPABILITY, /* NVIDIA's compute capability, such as 9.0 */
    /* Size of a launch: work-groups, work-items, and work-items of a work-group. A table
     * has either one column, with a number or three numbers, or a column for each dimension. */
    PM_IMPORT_GROUPS,
    PM_IMPORT_GROUPS_Y,
    PM_IMPORT_GROUPS_Z,
    PM_IMPORT_ITEMS,
    PM_IMPORT_ITEMS_Y,
    PM_IMPORT_ITEMS_Z,
    PM_IMPORT_GROUP_ITEMS,
    PM_IMPORT_GROUP_ITEMS_Y,
    PM_IMPORT_GROUP_ITEMS_Z,
    PM_IMPORT_START, /* times at which the launch began and ended, in nanoseconds */
    PM_IMPORT_END,
    PM_IMPORT_TIME,   /* time of the launch, or mean time of the launches */
    PM_IMPORT_MEDIAN, /* median time of the launches */
    PM_IMPORT_TOTAL,  /* total time of the launches */
    PM_IMPORT_COUNT,  /* number of launches that the row summarizes */
    PM_IMPORT_METRIC, /* name, unit and value of one counter */
    PM_IMPORT_UNIT,
    PM_IMPORT_VALUE,
    PM_IMPORT_CATEGORY, /* kind of operation of the row; rows of other kinds are ignored */
    PM_IMPORT_ROLES,    /* number of roles that a form can have a column for */
    PM_IMPORT_OTHER,    /* a column that is neither needed nor a counter */
    PM_IMPORT_COUNTER   /* the name of the column is the name of a counter */
} pm_import_role;

/* A column's name in a form, and its meaning. A name that ends in " (" is followed by
 * a unit in the table, such as "Avg (ns)". */
typedef struct {
    const char *name;
    pm_import_role role;
    bool required; /* true: every table of the form has the column */
} pm_import_name;

/* A form of table that a profiler writes. */
typedef struct {
    const char *tool;     /* the profiler's command, which is counter_source of the rows */
    const char *profiler; /* its name in profilers.csv; NULL: it has no counters */
    const pm_import_name *names;
    size_t count;
    const char *category; /* text in the column PM_IMPORT_CATEGORY of kernels; NULL: none */
    /* Text that all names of counters contain, if further columns are counters. "": every further
     * column is a counter. NULL: no column is a counter. */
    const char *counters;
    bool amd; /* true: the profiler is for AMD's GPUs; false: for NVIDIA's */
    /* true: the profiler changes clocks or caches, so that times of another file are preferred */
    bool disturbs;
    const char *timed; /* advice in messages on how to profile times, too */
} pm_import_form;

/* The columns of a table in a file. */
typedef struct {
    const pm_import_form *form;
    size_t count;
    pm_import_role *roles;      /* roles[column] */
    const char **names;         /* names[column] */
    const char **units;         /* units[column]; "": none */
    size_t at[PM_IMPORT_ROLES]; /* column that has a role; PM_NO_ENTRY: none */
} pm_import_columns;

/* Recognizes a table by the cells of its header. Returns false if no known table has them. The
 * result belongs to `memory`. */
bool pm_import_recognize(pm_memory *memory, const char *const *cells, size_t count,
                         pm_import_columns *columns);
/* Returns the name of the metric that a label of Nsight Compute's page "details" stands for, such
 * as gpu__time_duration.sum for "Duration". Returns the text itself if it is no such label. */
const char *pm_import_metric_of(const char *label);
/* Name of Nsight Compute's metric that is the time of the launch. */
#define PM_IMPORT_DURATION "gpu__time_duration.sum"
/* Commands that write the known tables, for messages. */
#define PM_IMPORT_COMMANDS                                                                         \
    "ncu --csv, nsys stats --format csv, nvprof --csv, rocprof, rocprofv3 --output-format csv or " \
    "rocprof-compute"

/* ---- sections.c: tables within the text of a file -------------------------------------------- */

/* A part of a file's text that has one table: its header and its rows. */
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
/* Returns the factor that converts a value with this unit to the base unit: nanoseconds, bytes, or
 * one of any other thing. */
double pm_import_unit(const char *unit);
/* Returns the product of the numbers in a text such as "(16, 16, 1)" or "256". NaN if there is no
 * number in it, or a product that is not from 1 to 2^53. */
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

/* Sum of one of the profiler's counters over launches. */
typedef struct {
    size_t metric; /* index in metrics of pm_importing */
    double sum, launches;
} pm_import_sum;

/* The launches of a kernel that have the same size. */
typedef struct {
    const char *full, *name; /* the name in the file, and without parameters */
    double items, group;     /* work-items of a launch and of a work-group; 0: unknown */
    size_t file;             /* index of the file in which the group was found first */
    double *times_s;         /* times of launches that a file lists one by one */
    size_t timed;
    /* Summary of launches that a file does not list one by one. count 0: there is none. */
    double count, mean_s, median_s;  /* median_s NaN: unknown */
    const pm_import_form *time_form; /* form of the table with the times; NULL: no times */
    size_t time_file;                /* index of the file with the times */
    pm_import_sum *sums;
    size_t sum_count;
    bool joined; /* true: its times and counters were moved to another group */
} pm_import_group;

/* A launch, or a summary of `count` launches, from a row of a table. NaN: unknown. */
typedef struct {
    const char *kernel;
    double items, group; /* 0: unknown */
    double count;        /* 0: the row is of one launch */
    double time_s, median_s;
} pm_import_launch;

/* State of an import. */
typedef struct {
    pm_session *session;
    const pm_import_options *options;
    const char *path; /* file that is being read */
    size_t file;      /* its index */
    bool has_kernel;  /* true: the file has a table with a kernel */
    /* forms of the first tables that have times and counters; NULL: none */
    const pm_import_form *timed, *counted;
    const char *device; /* name of the GPU in the files; NULL: unknown */
    double capability;  /* compute capability in the files; 0: unknown */
    pm_strings metrics; /* names of the profiler's counters */
    pm_strings seen;    /* launches of the table whose time is known */
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
/* Adds the time of a launch, or of a summary, to a group. Times of a profiler that disturbs them
 * are ignored if another file has times, and replaced by the times of another file. */
void pm_import_add_time(pm_importing *in, pm_import_group *group, const pm_import_launch *launch,
                        const pm_import_form *form);
/* Adds the value of one of the profiler's counters, which is the mean over `launches` launches. */
void pm_import_add_metric(pm_importing *in, pm_import_group *group, const char *name, double value,
                          double launches);
/* Joins groups whose size is unknown with the group of the same kernel from another file, if there
 * is exactly one. */
void pm_import_join_groups(pm_importing *in);
/* Returns the number of launches: those with times or, without times, those with counters. */
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

/* Reads the profiler's names of perfmodel's counters. */
void pm_import_open_metrics(pm_importing *in);
/* Computes the columns of the dataset for one launch of the group. cells[column]: NaN if the
 * counter is unknown. */
void pm_import_counters(pm_importing *in, const pm_import_group *group, double *cells);
/* Returns the profiler's formula for a counter of the table, whose metrics the files have. NULL:
 * they do not have them. */
const char *pm_import_formula(pm_importing *in, size_t counter);
/* Lists the profiler's counters that no counter of perfmodel depends on, and tells them. */
void pm_import_tell_unknown(pm_importing *in);

/* ---- launches.c, runs.c: rows of the dataset ------------------------------------------------- */

/* Makes a row for each group: a launch is a run of the program. */
void pm_import_launch_rows(pm_importing *in);
/* Makes a row for each kernel of the workload, and compares the profiler's counters with those of
 * the trace engine. */
void pm_import_run_rows(pm_importing *in);

/* ---- write.c: the dataset -------------------------------------------------------------------- */

/* Appends in->rows to the dataset, and writes its provenance. */
void pm_import_write(pm_importing *in);

#endif
