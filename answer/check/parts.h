/* Types and functions that the source files of answer/check/ share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_ANSWER_CHECK_PARTS_H
#define PM_ANSWER_CHECK_PARTS_H

#include <jansson.h>
#include <stdint.h>

#include "base/memory.h"
#include "model/transfer/learned.h"
#include "program/suite/suite.h"

/* A kernel of a workload, with the events that were counted for it on one target GPU. */
typedef struct {
    const char *target;
    /* names (program, variant, size, kernel) and counters of the kernel; the counters are those of
     * pm_counts_columns */
    const pm_sample *sample;
    size_t access_count;
    const pm_access *accesses;
    size_t source; /* index in pm_check_state.sources */
    size_t launch_count;
    /* distinct names of the kernel's launches in the workload file, in order */
    const char **launches;
    pm_transferred predicted;
} pm_check_side;

/* The source text of a program's variant when the check ran, with a hash of each line. A later
 * check finds the changed lines by comparing hashes. */
typedef struct {
    const char *program, *variant;
    const char *file; /* path, relative to the folder of the workload file */
    const char *path; /* path with which the file can be opened; NULL for a source in a baseline */
    size_t line_count;
    uint64_t *lines; /* lines[i]: hash of the text of line i without white space at both ends */
} pm_check_source;

/* Counted events of all checked kernels, either of the current sources or of a baseline (a file
 * of earlier counts). */
typedef struct {
    size_t target_count;
    const char **targets;
    size_t side_count;
    /* kernels in the order of workloads; each workload has its kernels for all targets */
    pm_check_side *sides;
    size_t source_count;
    pm_check_source *sources;
    /* source of the number of registers of a work-item: "estimate", or the version of ptxas that
     * compiled the kernel; NULL: nothing was traced */
    const char *registers_source;
} pm_check_state;

/* A program's variant (version of the source) and size whose kernels are to be checked. */
typedef struct {
    const pm_program *program;
    const char *variant, *size;
} pm_check_workload;

/* State of a check whether kernels became slower than in a baseline. Functions that take it
 * raise errors, which pm_check_attempt catches (base/memory.h). */
typedef struct {
    pm_session *session;
    const pm_check_options *options;
    const pm_programs *programs; /* programs to check; NULL while the files of shards are joined */
    size_t name_count;
    const char **names; /* of the checked programs */
    size_t left_out_count;
    pm_check_workload *left_out; /* workloads that could not be built or traced */
    unsigned long long seed;
    double sample;
    /* dataset without rows; its columns are the counters that are stored for each kernel */
    pm_dataset *columns;
    pm_check_state now, before; /* before: the baseline, empty if there is none */
    pm_workload *workload;      /* the workload whose events are being counted */
    /* the baseline's JSON, into which the strings of the member `before` point; NULL: none was
     * read */
    json_t *document;
    pm_check *result;
    pm_memory memory; /* owns all members that are not freed separately */
    pm_memory kept;   /* memory of the result */
} pm_checking;

/* ---- check.c --------------------------------------------------------------------------------- */

/* Finds the programs in the workload files or folders of options->workloads. */
void pm_check_find_programs(pm_checking *c);
/* Sets the targets: those of the options, otherwise those of the baseline. */
void pm_check_find_targets(pm_checking *c);
/* Call pm_check_begin before the kernels are counted: it reads the baseline. Call pm_check_finish
 * after that: it compares the counts with the baseline's and writes a new baseline. */
void pm_check_begin(pm_checking *c);
void pm_check_finish(pm_checking *c);
/* Runs work(c) until it returns or raises an error, and frees the state. Returns the result; NULL:
 * error in err. */
pm_check *pm_check_attempt(pm_checking *c, void (*work)(void *c), pm_error *err);

/* ---- count.c: the current counts ------------------------------------------------------------- */

/* Lists the requested workloads in order; returns their number. */
size_t pm_check_list(pm_checking *c, pm_check_workload **found);
void pm_check_show(const pm_checking *c, size_t done, size_t total, const pm_check_workload *of);
/* Traces a workload for all targets and appends its kernels to c->now. Returns the index of its
 * source. */
size_t pm_check_count_one(pm_checking *c, const pm_check_workload *of);
void pm_check_count_all(pm_checking *c);
/* Records where register counts come from. If kernels have different origins, "estimate" wins
 * because it is the least exact. */
void pm_check_note_registers(pm_check_state *state, const char *source);

/* ---- baseline.c: the earlier counts ---------------------------------------------------------- */

void pm_check_read(pm_checking *c);
void pm_check_write(pm_checking *c);

json_t *pm_check_source_json(const pm_check_source *source);
json_t *pm_check_side_json(const pm_checking *c, const pm_check_side *side);
/* The two functions read a source, or a kernel with its counters, from JSON and append it to
 * `state`. They return the error text; NULL: no error. */
const char *pm_check_take_source(pm_checking *c, pm_check_state *state, json_t *source);
const char *pm_check_take_side(pm_checking *c, pm_check_state *state, json_t *side);

/* ---- predict.c: times, and uncertainty of ratios --------------------------------------------- */

/* Uncertainty of the logarithm of a ratio of two predicted times, estimated from the errors on
 * measured versions of other programs. d is the pm_check_distance of both predictions. The half
 * width of the 90 % interval is min(off * d, most). If a counter differs, it is sqrt(min(off * d,
 * most)^2 + least^2). */
typedef struct {
    /* 90 % quantile of (error of the predicted time ratio of two variants of a program / their
     * pm_check_distance), over measured pairs of variants. The error is |log(measured ratio) -
     * log(predicted ratio)|. NaN: too few variants were measured. */
    double off;
    double least; /* 90 % quantile of the error of pairs that hardly differ (distance < 0.05) */
    /* upper limit of off * distance: the 90 % quantile of the error of pairs with a distance above
     * 1; infinite: too few such pairs were measured */
    double most;
    /* Parameters of the fitted model and their covariance matrix. The matrix gives the uncertainty
     * of a prediction that comes from uncertain parameters. */
    const pm_transfer_set *set;
} pm_check_spread;

/* Predicts the times of the baseline's and the current kernels on a target, and estimates the
 * uncertainty of their ratios. */
pm_check_spread pm_check_predict(pm_checking *c, const char *target);

/* Returns the seconds that a unit (memory or execution pipeline) adds to a time; 0 if it adds
 * none. */
double pm_check_added(const pm_explanation *why, const char *unit);
/* Returns the distance of two predicted times: the sum over units of the absolute difference of the
 * seconds that each adds, divided by the larger time. 0: equal times per unit; 2: no common
 * unit. */
double pm_check_distance(const pm_explanation *a, const pm_explanation *b);

/* ---- match.c --------------------------------------------------------------------------------- */

/* A kernel of the baseline and the matching current kernel. before NULL: new kernel; after NULL:
 * the kernel no longer exists. */
typedef struct {
    const pm_check_side *before, *after;
} pm_check_pair;

/* Matches the baseline's and the current kernels of one workload on one GPU. like: any kernel of
 * that workload and GPU. Returns the number of pairs: those of c->now in order, then removed
 * kernels. The times of all kernels must have been predicted before. */
size_t pm_check_match(pm_checking *c, const pm_check_side *like, pm_check_pair **pairs);

/* ---- compare.c ------------------------------------------------------------------------------- */

/* Appends the kernels of one target GPU to the result, each with the verdict of its comparison. */
void pm_check_compare(pm_checking *c, const char *target, const pm_check_spread *spread);

/* ---- findings.c ------------------------------------------------------------------------------ */

/* Returns the bits of pm_check_finding for counts that grew by more than the tolerance. 0 if the
 * kernel is predicted to be faster. */
unsigned pm_check_findings(const pm_checking *c, const pm_check_side *before,
                           const pm_check_side *after, const pm_check_kernel *kernel);

/* ---- lines.c --------------------------------------------------------------------------------- */

/* A range of source lines from first to last, counted from 1. */
typedef struct {
    unsigned first, last;
} pm_check_run_of_lines;

typedef struct {
    size_t count;
    pm_check_run_of_lines *runs;
} pm_check_lines;

/* Returns the line ranges of `after` that were changed or inserted since `before`. If lines were
 * deleted, the range is the line that follows them. */
pm_check_lines pm_check_lines_of(pm_memory *memory, const pm_check_source *before,
                                 const pm_check_source *after);

/* ---- blame.c: cause of a difference ---------------------------------------------------------- */

/* Fills four members of a kernel whose counts differ from the baseline's: the functional unit whose
 * time changed most (unit), the file, the line range and the reason. */
void pm_check_blame(pm_checking *c, const pm_check_side *before, const pm_check_side *after,
                    pm_check_kernel *kernel);

#endif
