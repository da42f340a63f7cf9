/* Counts the hardware events (such as memory requests and instructions) that a GPU would count
 * while it runs a workload. The trace engine simulates the GPU.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All tracing goes through this module: for traces, predictions, advice and collection. A session
 * counts each workload once.
 */
#ifndef PM_ANSWER_COUNTS_COUNTS_H
#define PM_ANSWER_COUNTS_COUNTS_H

#include "collector/executor.h"
#include "collector/measure.h"
#include "machine/counters/counters.h"
#include "program/program.h"

/* Says which events are to be counted: those of a program in one variant and size, on one target
 * GPU. The program is of the suite, or owned by the session. */
typedef struct {
    const pm_program *program;
    const char *variant, *size;
    const char *target; /* GPU whose rules apply */
    double sample;      /* fraction of the work-groups to run; 0: the session's setting */
    /* true: does not unroll loops, so that access tables have a row for each access of the source;
     * the counters are then not those of a GPU */
    bool as_written;
    /* Handling of kernels of a workload that do not compile, if the caller passes the workload
     * ready-built. true: the other kernels are counted; false: this is an error. If pm_counts_find
     * builds the workload itself, it always counts the other kernels. */
    bool parts;
    /* true: if the results of the program differ from the expected ones, its events are counted all
     * the same, with a notice. false: this is an error. */
    bool any_results;
} pm_counted;

typedef struct {
    pm_dataset *rows; /* a row per kernel, without times, in the order of their first launches */
    pm_trace trace;   /* the counts for display, with the access tables */
    const char *registers_source; /* origin of register counts: "estimate", or a version of ptxas */
    pm_memory memory;             /* memory of `trace` and of this struct */
} pm_counts;

/* Sets *out to the event counts of `what`; the session owns them. The first call for `what` traces
 * the workload to count its events. workload: the workload if it is already built; NULL: the
 * function builds the workload if its counts are not known yet. */
pm_status pm_counts_find(pm_session *session, const pm_counted *what, const pm_workload *workload,
                         const pm_counts **out, pm_error *err);

/* Name under which a session stores a pm_gpu for a target. When events are counted, this pm_gpu
 * replaces the target's properties from devices.csv. */
#define PM_COUNTS_RULES "rules of counting"

/* ---- count_once.c: cached counts ------------------------------------------------------------- */

/* A workload whose events are counted, and its counts. */
typedef struct {
    /* engine that counts, from pm_executor_trace_open; the caller unloads it */
    pm_executor *engine;
    const pm_counter_table *table;
    const pm_workload *workload;
    const pm_timing *timing; /* from pm_timing_untimed */
    bool tables;             /* true: fill access tables, too */
    bool any_results;        /* as in pm_counted */
    /* Results. values and errors are arrays of the caller, laid out as in pm_count_kernels. */
    double *values, *errors;
    /* access tables; empty without `tables`; the caller frees their memory */
    pm_trace_tables accesses;
    char registers_source[64]; /* "estimate", or a compiler and its version */
} pm_workload_counts;

/* Traces the workload to count its events, unless the disk cache has its counts. The engine's log
 * gets the same notices whether the workload is traced or not. */
pm_status pm_count_once(pm_workload_counts *counting, pm_error *err);

/* Returns a trace engine that simulates the target with the session's fraction of sampled
 * work-groups. NULL with err if it cannot be opened. */
pm_executor *pm_counts_engine(pm_session *session, const char *target, pm_error *err);

/* ---- verify.c: compares the results of a version with the program's ---------------------------
 */

typedef enum {
    PM_RIGHT,
    PM_WRONG,     /* the results differ, or the version fails */
    PM_UNVERIFIED /* the reference could not be run, or the user has interrupted it */
} pm_verdict;

/* Runs the reference, which gives the expected results, and then the workload (a variant of the
 * program) in the trace engine, both with all work-groups. Compares their results. The workload
 * comes from pm_program_build_against. If the verdict is not PM_RIGHT, err describes the difference
 * or the failure. */
pm_verdict pm_verify(pm_session *session, const char *target, pm_workload *workload, pm_error *err);

/* Returns a dataset without rows that has the columns of the trace engine's counters. */
pm_dataset *pm_counts_columns(pm_session *session, pm_error *err);

/* ---- columns.c: columns of a workload's counts ------------------------------------------------
 */

/* Columns of a dataset that a count of events fills. They are the counters of the table, the number
 * of launches (`launches`), and standard errors. A counter has a standard error if the trace engine
 * estimates it from a sample of work-groups. */
typedef struct {
    pm_counter_table *table;
    size_t count, table_size;
    const char **names;
    /* error_of[k]: index of the counter whose standard error is in column number k after the column
     * `launches` */
    size_t *error_of;
} pm_count_columns;

/* Returns the list of counter columns of a dataset; the session owns it. errors: true if the
 * columns of standard errors are included. Only the trace engine fills columns of standard errors.
 */
const pm_count_columns *pm_count_columns_find(pm_session *session, bool errors, pm_error *err);

/* Copies the values and standard errors of the counters of pm_count_kernels to the columns of a
 * dataset: column `column` of kernel number `kernel` is cells[kernel * columns->count + column]. */
void pm_count_columns_fill(const pm_count_columns *columns, const pm_timing *timing,
                           const double *values, const double *errors, double *cells);

#endif
