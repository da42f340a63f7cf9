/* What a GPU would count of a workload, by the trace engine.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one way from a program to its counts: who traces, predicts, advises or collects asks here,
 * and a session counts nothing twice.
 */
#ifndef PM_COUNTS_COUNTS_H
#define PM_COUNTS_COUNTS_H

#include "collector/executor.h"
#include "collector/measure.h"
#include "counters/counters.h"
#include "program/program.h"

/* What is counted. The program is of the suite, or one that the session keeps. */
typedef struct {
    const pm_program *program;
    const char *variant, *size;
    const char *target; /* whose rules count */
    double sample;      /* share of the work-groups; 0: as the session has it */
    bool as_written; /* no loop is unrolled: the access tables are of the source, the counters of no
                        GPU */
} pm_counted;

typedef struct {
    pm_dataset *rows; /* a row a kernel, without times, in the order of their first launches */
    pm_trace trace;   /* the same for people, with the access tables */
    const char *registers_source; /* estimate, or a version of ptxas */
    pm_memory memory;             /* of the trace, and of this */
} pm_counts;

/* workload: it, where it is built already; NULL: it is built if it has to be counted. */
pm_status pm_counts_find(pm_session *session, const pm_counted *what, const pm_workload *workload,
                         const pm_counts **out, pm_error *err);

/* Rules of counting that a session keeps by this kind go before those of devices.csv: a pm_gpu, by
 * the target's name. */
#define PM_COUNTS_RULES "rules of counting"

/* ---- count_once.c: cached counts ------------------------------------------------------------- */

/* A workload to be counted, and its counts. */
typedef struct {
    pm_executor *engine; /* of pm_executor_trace_open; the caller is to unload it */
    const pm_counter_table *table;
    const pm_workload *workload;
    const pm_timing *timing; /* of pm_timing_untimed */
    bool tables;             /* true: count access tables, too */
    /* Results. values and errors are arrays of the caller, laid out as in pm_count_kernels. */
    double *values, *errors;
    pm_trace_tables accesses;  /* empty without `tables`; its memory is the caller's to free */
    char registers_source[64]; /* estimate, or a compiler and its version */
} pm_workload_counts;

/* Counts the workload, unless the cache of the engine's worker has its counts. The engine's log
 * gets the same notices in both cases. */
pm_status pm_count_once(pm_workload_counts *counting, pm_error *err);

/* What counts for that target, in the session's sample; where it cannot be opened, NULL. */
pm_executor *pm_counts_engine(pm_session *session, const char *target, pm_error *err);

/* ---- verify.c: whether a version does what the program does ---------------------------------- */

typedef enum {
    PM_RIGHT,
    PM_WRONG,     /* the results differ, or the version cannot be run to its end */
    PM_UNVERIFIED /* what they are held against could not be run, or somebody has interrupted it */
} pm_verdict;

/* Runs all work-groups of a workload of pm_program_build_against in the trace engine, after those
 * of what it is held against. err says what differs or failed. */
pm_verdict pm_verify(pm_session *session, const char *target, pm_workload *workload, pm_error *err);

/* An empty dataset with the columns that rows have. */
pm_dataset *pm_counts_columns(pm_session *session, pm_error *err);

/* ---- columns.c: the columns that counts of a workload fill ---------------------------------- */

/* The counters of the table, `launches`, and the standard error of each counter that the trace
 * engine samples. */
typedef struct {
    pm_counter_table *table;
    size_t count, table_size;
    const char **names;
    size_t *error_of; /* a column past `launches`: the counter whose error it holds */
} pm_count_columns;

/* errors: with those, where the trace engine counts. */
const pm_count_columns *pm_count_columns_find(pm_session *session, bool errors, pm_error *err);

/* From the counts of pm_count_kernels to cells[kernel * columns->count + column]. */
void pm_count_columns_fill(const pm_count_columns *columns, const pm_timing *timing,
                           const double *values, const double *errors, double *cells);

#endif
