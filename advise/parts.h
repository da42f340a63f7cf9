/* What advice is made of, while it is made. See advise.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_ADVISE_PARTS_H
#define PM_ADVISE_PARTS_H

#include "base/memory.h"
#include "counts/counts.h"
#include "layout/search.h"
#include "model/transfer/learned.h"
#include "roofline/roofline.h"
#include "transform/staging.h"
#include "worker/source.h"

/* A program's plain source, traced whole (nakai_run.c): which layouts are worth tracing does not
 * depend on how many work-groups a larger size is sampled by. */
typedef struct {
    pm_workload *workload;
    pm_source *source;
    const pm_counts *counts;
} pm_plain_run;

/* A source without structs is PM_BAD_INPUT. On failure, too, close it. */
pm_status pm_plain_run_open(pm_session *session, const pm_program *program, const char *size,
                            const char *target, pm_plain_run *run, pm_error *err);
void pm_plain_run_close(pm_plain_run *run);
/* Method nakai on it. */
pm_nakai *pm_plain_run_nakai(pm_memory *memory, const pm_session *session, const pm_plain_run *run,
                             const char *target);

/* What the versions' rewrites are measured against. */
typedef struct pm_rewrite_base pm_rewrite_base;

/* A version that was traced: the amount of work of a pass (pm_workload) in the advised size. */
typedef struct {
    const char *variant;
    double work;
} pm_traced_version;

/* What fails below pm_advise ends its attempt. */
typedef struct {
    pm_session *session;
    const pm_advise_options *options;
    const pm_program *program;
    const char *size;
    const pm_learned *learned;
    pm_withheld without;     /* what the model must not have seen */
    pm_roof_units units;     /* of the target */
    pm_dataset *rows;        /* counters of the candidates */
    pm_transferred *carried; /* what is predicted for each of rows; NULL: nothing yet */
    pm_rewrite_base *plain;  /* NULL: the base has not been traced yet */
    pm_advice *advice;       /* its choices are the candidates that were traced */
    size_t traced_count;
    pm_traced_version *traced;
    size_t expected;  /* choices there will be, as far as is known; 0: not yet */
    pm_memory memory; /* of all that is not freed otherwise */
    pm_memory kept;   /* of the advice */
    /* What is being looked at; zero: nothing is. */
    pm_workload *workload;
    pm_workload *written; /* the base with its templates written out */
    pm_source *source;
    pm_plain_run small;
    pm_staged shared;
} pm_advising;

/* Frees what is being looked at, but for the plain run. */
void pm_advise_release(pm_advising *advising);
/* The workload of a version; to be put where it is freed. */
pm_workload *pm_advise_build(pm_advising *advising, const char *variant);

/* Traces the plain source; where it has structs, searches layouts, traces what was found and
 * appends it to the choices. A layout that cannot be made is left out with a notice. */
void pm_advise_candidates(pm_advising *advising);
/* Traces what the program lists beside its base, and stagings of the base and of its best layouts:
 * choices have to be ranked before. One that cannot be made is left out with a notice. */
void pm_advise_staged(pm_advising *advising);
/* Traces one more version; false where it cannot be made. */
bool pm_advise_trace(pm_advising *advising, const char *variant);
/* Traces a version in local memory, which is no choice if it is faster only because code of the
 * base has vanished. What staging makes of an array is known to overlap nothing, so that LLVM may
 * fold a loop that repeats the same work. Versions are compared on the same work: if the base with
 * all pointers restrict (PM_RESTRICT_VARIANT) has lost that code too, it becomes a choice in place
 * of the staged version, which is named in a notice. */
void pm_advise_trace_staged(pm_advising *advising, const char *variant);

/* How much of the base, which comes first, a version rewrites. */
pm_rewrite_size pm_advise_rewrite(pm_advising *advising, const pm_workload *workload);

/* Whether a variant is a version in local memory: of a program without layouts any but the base. */
bool pm_advise_is_staged(const pm_program *program, const char *variant);
/* Predicts all choices and ranks them: their times, gains and why. */
void pm_advise_predict(pm_advising *advising);
/* Predicted seconds of a choice's kernels, or of one (not NULL). */
double pm_advise_time(const pm_advising *advising, const char *variant, const char *kernel);
/* Fills the rooflines of a choice and of its kernels, whose times are known (rooflines.c). */
void pm_advise_roofline(const pm_advising *advising, pm_choice *choice);
/* Whether a row of the counters is of the choice, at the size that is advised on. */
bool pm_advise_is_of(const pm_advising *advising, size_t row, const char *variant);
/* Slopes of the log of a choice's time by the model's parameters. */
void pm_advise_slope(const pm_advising *advising, const char *variant,
                     double slope[PM_UNITS_PARAMETERS]);

/* Chooses the best of the choices, runs it in the smallest size that it can be built in, and holds
 * its results against the plain version's. One that is wrong is no choice any longer, with a
 * notice, and the next best is chosen. */
void pm_advise_best(pm_advising *advising);

/* Fills lo, hi and chance of the choices; NaN where there are too few versions of other programs.
 */
void pm_advise_spread(pm_advising *advising);

/* ---- source_lines.c: how far two sources of a program differ -------------------------------- */

/* A line of code is one that has more than white space and comments; white space in it, and
 * comments, make no difference. */
/* Lines of code in a text of C. */
size_t pm_source_lines(pm_memory *memory, const char *text);
/* Lines of code of version that are not in base, or not in the same order: all but those of a
 * longest common subsequence, by the greedy algorithm of Myers (An O(ND) Difference Algorithm and
 * Its Variations, Algorithmica 1, 1986). Of sources that differ in more than some thousands of
 * lines, all lines between those that are the same at the start and at the end. */
size_t pm_source_lines_changed(pm_memory *memory, const char *base, const char *version);
/* Kernels of version that base does not have, or has with another text; functions that they call
 * are not looked into. */
size_t pm_source_kernels_changed(pm_memory *memory, const char *base, const char *version);

#endif
