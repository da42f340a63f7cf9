/* What a check is made of. See check.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CHECK_PARTS_H
#define PM_CHECK_PARTS_H

#include <jansson.h>
#include <stdint.h>

#include "base/memory.h"
#include "model/transfer/learned.h"
#include "suite/suite.h"

/* A kernel of a workload by the rules of a GPU. */
typedef struct {
    const char *target;
    const pm_sample *sample; /* its key and its counters, as columns of pm_counts_columns */
    size_t access_count;
    const pm_access *accesses;
    size_t source; /* of pm_check_state.sources */
    size_t launch_count;
    const char **launches; /* names of its launches in the workload file, in order, each once */
    pm_transferred predicted;
} pm_check_side;

/* The source of a variant: what it takes to tell which of its lines are others later. */
typedef struct {
    const char *program, *variant;
    const char *file; /* as the workload file has it, relative to that */
    const char *path; /* to open it; NULL in a baseline */
    size_t line_count;
    uint64_t *lines; /* a hash each, of the line without white space at its ends */
} pm_check_source;

/* All that was counted in one go. */
typedef struct {
    size_t target_count;
    const char **targets;
    size_t side_count;
    pm_check_side *sides; /* as the workloads have them, of each for all targets */
    size_t source_count;
    pm_check_source *sources;
    const char *registers_source; /* estimate, or a version of ptxas; NULL: nothing was traced */
} pm_check_state;

/* A workload of a program. */
typedef struct {
    const pm_program *program;
    const char *variant, *size;
} pm_check_workload;

/* Work that pm_leave ends. */
typedef struct {
    pm_session *session;
    const pm_check_options *options;
    const pm_programs *programs; /* NULL: shares were joined */
    size_t name_count;
    const char **names; /* of the programs that are checked */
    size_t left_out_count;
    pm_check_workload *left_out; /* workloads that could not be counted */
    unsigned long long seed;
    double sample;
    pm_dataset *columns;        /* an empty one, whose counters those of all sides are */
    pm_check_state now, before; /* before is empty where there is no baseline */
    pm_workload *workload;      /* that is being counted */
    json_t *document;           /* that the texts of before are in; NULL: none was read */
    pm_check *result;
    pm_memory memory; /* of all that is not freed otherwise */
    pm_memory kept;   /* of the result */
} pm_checking;

/* ---- check.c -------------------------------------------------------------------------------- */

/* Finds the programs that options name. */
void pm_check_find_programs(pm_checking *c);
/* The targets that options name, else the baseline's. */
void pm_check_find_targets(pm_checking *c);
/* What comes before counting, and of what was counted. */
void pm_check_begin(pm_checking *c);
void pm_check_finish(pm_checking *c);
/* Work on a checking; NULL: err says why. */
pm_check *pm_check_attempt(pm_checking *c, void (*work)(void *c), pm_error *err);

/* ---- count.c: what is there now ------------------------------------------------------------- */

/* The workloads that were asked for, in order. */
size_t pm_check_list(pm_checking *c, pm_check_workload **found);
void pm_check_show(const pm_checking *c, size_t done, size_t total, const pm_check_workload *of);
/* Adds its sides, by the rules of all targets, to what is there now; the number of its source. */
size_t pm_check_count_one(pm_checking *c, const pm_check_workload *of);
void pm_check_count_all(pm_checking *c);
/* Of several the least exact one: what registers of all sides are known by. */
void pm_check_note_registers(pm_check_state *state, const char *source);

/* ---- baseline.c: what was there ------------------------------------------------------------- */

void pm_check_read(pm_checking *c);
void pm_check_write(pm_checking *c);

json_t *pm_check_source_json(const pm_check_source *source);
json_t *pm_check_side_json(const pm_checking *c, const pm_check_side *side);
/* Adds what these have made. What is wrong with it; NULL: nothing. */
const char *pm_check_take_source(pm_checking *c, pm_check_state *state, json_t *source);
const char *pm_check_take_side(pm_checking *c, pm_check_state *state, json_t *side);

/* ---- predict.c: times, and how sure their ratios are ---------------------------------------- */

/* How far the log of a ratio of two predicted times of versions is off. */
typedef struct {
    double off;   /* for each unit of distance between them; NaN: too few versions were measured */
    double least; /* however near they are */
    double most;  /* however far apart, but for what least adds; infinite: too few were that far */
    const pm_transfer_set *set; /* whose parameters may differ on the target */
} pm_check_spread;

/* Predicts the sides of both states on a target, and finds the spread of their ratios. */
pm_check_spread pm_check_predict(pm_checking *c, const char *target);

/* What a unit adds to a time; 0 where it adds nothing. */
double pm_check_added(const pm_explanation *why, const char *unit);
/* How much of the time changed its place: the sum over units of what each adds more or less, over
 * the larger time. 0: nothing changed; 2: nothing stayed. */
double pm_check_distance(const pm_explanation *a, const pm_explanation *b);

/* ---- match.c -------------------------------------------------------------------------------- */

/* A kernel then and now; NULL: it was not there, or is no longer. */
typedef struct {
    const pm_check_side *before, *after;
} pm_check_pair;

/* The pairs of the workload on the GPU that `like` is of: those of now in order, then what is gone.
 * Both states are predicted already. */
size_t pm_check_match(pm_checking *c, const pm_check_side *like, pm_check_pair **pairs);

/* ---- compare.c ------------------------------------------------------------------------------ */

/* Fills the result's kernels of a target. */
void pm_check_compare(pm_checking *c, const char *target, const pm_check_spread *spread);

/* ---- findings.c ----------------------------------------------------------------------------- */

/* What is more by over the tolerance (bits of pm_check_finding), where the kernel is not predicted
 * to be faster. */
unsigned pm_check_findings(const pm_checking *c, const pm_check_side *before,
                           const pm_check_side *after, const pm_check_kernel *kernel);

/* ---- lines.c -------------------------------------------------------------------------------- */

/* From first to last, counted from 1. */
typedef struct {
    unsigned first, last;
} pm_check_run_of_lines;

typedef struct {
    size_t count;
    pm_check_run_of_lines *runs;
} pm_check_lines;

/* The lines of after that before does not have, or not in the same order; where lines are gone and
 * none came in their place, the next one stands for them. */
pm_check_lines pm_check_lines_of(pm_memory *memory, const pm_check_source *before,
                                 const pm_check_source *after);

/* ---- blame.c: where it comes from ----------------------------------------------------------- */

/* Fills unit, file, lines and reason. */
void pm_check_blame(pm_checking *c, const pm_check_side *before, const pm_check_side *after,
                    pm_check_kernel *kernel);

#endif
