/* Types and functions that the source files of answer/advise/ share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_ANSWER_ADVISE_PARTS_H
#define PM_ANSWER_ADVISE_PARTS_H

#include "answer/counts/counts.h"
#include "answer/roofline/roofline.h"
#include "base/memory.h"
#include "collector/worker/source.h"
#include "model/transfer/learned.h"
#include "transform/layout/search.h"
#include "transform/rewrite/staging.h"

/* A complete trace of the unmodified source of a program (all work-groups, loops not unrolled), in
 * a small size. The layouts to try are chosen by this trace. The choice therefore does not depend
 * on which work-groups the trace engine samples in larger sizes. */
typedef struct {
    pm_workload *workload;
    pm_source *source;
    const pm_counts *counts;
} pm_plain_run;

/* Builds and traces the program's base variant. A source without structs is PM_BAD_INPUT. Call
 * pm_plain_run_close also after a failure. */
pm_status pm_plain_run_open(pm_session *session, const pm_program *program, const char *size,
                            const char *target, pm_plain_run *run, pm_error *err);
void pm_plain_run_close(pm_plain_run *run);
/* Applies the layout decision method of Nakai and Ohno to each struct of the traced program. The
 * result is allocated in `memory`. */
pm_nakai *pm_plain_run_nakai(pm_memory *memory, const pm_session *session, const pm_plain_run *run,
                             const char *target);

/* Properties of the source of the unmodified program (the base variant). The source of a version
 * is compared with them, to count what has to be changed. */
typedef struct pm_rewrite_base pm_rewrite_base;

/* A version of a program whose events were counted by the trace engine. work: amount of work
 * that its workload states for the size to advise for (pm_workload.work), in arbitrary units
 * that are the same for all sizes of a variant. */
typedef struct {
    const char *variant;
    double work;
} pm_traced_version;

/* State of one search for the fastest version of a program (an advice). An error in a function
 * below ends pm_advise, which returns the error's status (base/memory.h). */
typedef struct {
    pm_session *session;
    const pm_advise_options *options;
    const pm_program *program;
    const char *size;
    const pm_learned *learned;
    /* programs on whose times the model must not be fitted: those that the option leave_out names,
     * and those of the advised program's class (group of similar programs) */
    pm_withheld without;
    /* peaks of the target for rooflines, and the bytes that one event of each counter moves */
    pm_roof_units units;
    pm_dataset *rows; /* counters of the traced versions, one row per kernel */
    /* carried[row]: predicted time on the target GPU for row `row` of the member `rows`; NULL:
     * nothing was predicted yet */
    pm_transferred *carried;
    /* properties of the base variant's source; NULL until the base variant is traced */
    pm_rewrite_base *plain;
    pm_advice *advice; /* the advice; its choices are the versions traced so far */
    size_t traced_count;
    pm_traced_version *traced;
    size_t expected;  /* expected number of choices, for the progress display; 0: unknown */
    pm_memory memory; /* owns all members that are not freed separately */
    pm_memory kept;   /* owns the resulting advice, which outlives this struct */
    /* Objects that exist only while one variant is built and traced. pm_advise_release frees
     * workload, written, source and shared; pm_plain_run_close frees `small`. A member in which all
     * bytes are 0 needs no freeing. */
    pm_workload *workload;
    pm_workload *written; /* the base variant with its templates instantiated */
    pm_source *source;
    pm_plain_run small;
    pm_staged shared;
} pm_advising;

/* Frees the objects of the variant that is being built and traced (workload, written, source,
 * shared), except `small`. */
void pm_advise_release(pm_advising *advising);
/* Builds the workload (source, buffers and launches) of a variant in the size advising->size. The
 * caller frees it, or stores it in advising->workload. */
pm_workload *pm_advise_build(pm_advising *advising, const char *variant);

/* Traces the base variant. If it has structs, searches layouts, traces the layouts that the search
 * found, and adds them to the choices. A layout that cannot be built is left out with a notice. */
void pm_advise_candidates(pm_advising *advising);
/* Traces further versions: the other versions that the program lists, and versions of the base
 * variant and of its best layouts that stage arrays in local memory. advice->choices must be sorted
 * by predicted time before, because only the first layouts are staged. A version that cannot be
 * built is left out with a notice. */
void pm_advise_staged(pm_advising *advising);
/* Builds and traces a variant and appends it to advice->choices, the variants that are ranked.
 * False: it was left out with a notice. */
bool pm_advise_trace(pm_advising *advising, const char *variant);
/* Traces a version that stages arrays in local memory, but rejects it if it is only faster because
 * the compiler removed code. LLVM may assume that staged arrays do not overlap, and therefore
 * removes a loop that repeats the same work. To test this, the base variant is traced with all
 * pointers declared restrict (PM_RESTRICT_VARIANT). If LLVM removes code there, too,
 * PM_RESTRICT_VARIANT becomes a choice instead of the staged version, and a notice says so. */
void pm_advise_trace_staged(pm_advising *advising, const char *variant);

/* Measures how much of the base variant's source a version changes. The first call must pass the
 * base variant. */
pm_rewrite_size pm_advise_rewrite(pm_advising *advising, const pm_workload *workload);

/* Returns true if a variant stages arrays in local memory. The source of a variant does not tell
 * whether it does. If a program has no layouts, all its listed variants except the base variant are
 * therefore assumed to stage arrays. */
bool pm_advise_is_staged(const pm_program *program, const char *variant);
/* Predicts the times of all variants in advice->choices and sorts them, fastest first. Fills their
 * times, their gains over the base variant, and the contributions of the functional units. */
void pm_advise_predict(pm_advising *advising);
/* Returns the predicted time in seconds of a variant in advice->choices (the ranked variants), or
 * of one of its kernels if kernel is not NULL. NaN: unknown. */
double pm_advise_time(const pm_advising *advising, const char *variant, const char *kernel);
/* Fills the rooflines of a variant in advice->choices (the ranked variants), and of its kernels,
 * from its counters and predicted times (rooflines.c). */
void pm_advise_roofline(const pm_advising *advising, pm_choice *choice);
/* Returns true if row number `row` of advising->rows belongs to this variant in the size that is
 * advised for. */
bool pm_advise_is_of(const pm_advising *advising, size_t row, const char *variant);
/* Computes slope[k]: the derivative of the logarithm of a choice's predicted time by parameter k of
 * the model. */
void pm_advise_slope(const pm_advising *advising, const char *variant,
                     double slope[PM_UNITS_PARAMETERS]);

/* Selects the best variant in advice->choices, runs it in the smallest size that can be built, and
 * compares its results with the base variant's. A variant with wrong results is removed from
 * advice->choices with a notice, and the next best is selected. */
void pm_advise_best(pm_advising *advising);

/* Fills lo, hi and chance of the ranked variants (advice->choices). lo ... hi is the 90 % interval
 * of the gain (time of the base variant / time of the variant), and chance the probability that the
 * gain is above 1. They are NaN if fewer than 20 variants of other programs were measured. */
void pm_advise_spread(pm_advising *advising);

/* ---- source_lines.c: differences of two sources of a program --------------------------------- */

/* A line of code is a line with more than white space and comments. The comparisons of sources
 * below ignore white space and comments. */
/* Returns the number of lines of code in a text of C. */
size_t pm_source_lines(pm_memory *memory, const char *text);
/* Compares two sources of a program, base and version. Returns the number of lines of code in
 * version that are added or changed: those outside a longest common subsequence. Uses the greedy
 * algorithm of Myers (An O(ND) Difference Algorithm and Its Variations, Algorithmica 1, 1986). If
 * the sources differ in more than some thousands of lines, counts all lines between the common
 * start and the common end. */
size_t pm_source_lines_changed(pm_memory *memory, const char *base, const char *version);
/* Compares two sources of a program, base and version. Returns the number of kernels in version
 * that base lacks or has with another text. Functions that the kernels call are not compared. */
size_t pm_source_kernels_changed(pm_memory *memory, const char *base, const char *version);

#endif
