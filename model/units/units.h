/* The time of a kernel from the time that its work takes on each unit of the GPU.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *     T = o l + (P^q + sum_j x_j^q)^(1/q),   P = (L^r + sum_k p_k^r)^(1/r)
 *
 * with l the seconds of its launches, and x_j those that unit j would need alone: its work over its
 * rate in the profile, times a slowdown that is fitted. An exponent above 1 says how well things
 * overlap: at 1 they take turns, and with a large one the sum nears the slowest (the roofline of
 * Williams, Waterman and Patterson, Commun. ACM 52, 2009). The pipes of a compute unit, of seconds
 * p_k, have an exponent r of their own: one instruction is work for several of them at once. L is
 * of the scheduler and the lanes that it issues to, which hardly add to each other: a kernel of
 * multiply-adds alone reaches 97 % of their rate. One
 * term is no unit but latency, which only warps side by side can hide: rounds of resident warps,
 * times the cycles that a lone warp spends on its instructions and waits for loads and misses (the
 * memory- and warp-parallelism of Hong and Kim, ISCA 2009).
 *
 * Rates and latencies are the profile's, so that what is fitted has no unit (but for the seconds of
 * a launch) and can be carried to another GPU. The few parameters, logarithms all, are fitted to
 * log T by least squares, each held near what is known of GPUs by a normal prior: nothing is fitted
 * for a program or a kernel.
 */
#ifndef PM_MODEL_UNITS_UNITS_H
#define PM_MODEL_UNITS_UNITS_H

#include "model/training.h"

enum { PM_UNITS_PARAMETERS = 22, PM_UNITS_COLUMNS = 27, PM_UNITS_TERMS = 19 };

/* Places of the parameters of a model of code counters; that of active cycles has the first three.
 */
enum {
    PM_UNITS_OVERHEAD, /* of a launch by OpenCL */
    PM_UNITS_OVERLAP,  /* q - 1 */
    PM_UNITS_SM,       /* slowdown of pipes; in the model of active cycles of a cycle */
    PM_UNITS_L2,
    PM_UNITS_DRAM,
    PM_UNITS_DEPTH, /* a dependent instruction, of the profile's latencies, as the next three */
    PM_UNITS_LOAD,
    PM_UNITS_SHARED,
    PM_UNITS_MISS,
    PM_UNITS_PIPES_OVERLAP, /* r - 1 */
    PM_UNITS_OWN,           /* an instruction of a lone warp that need not wait */
    /* Cycles of a compute unit, of a slice of L2, or of the constant cache: */
    PM_UNITS_ASK,           /* to ask L2 for sectors of a line */
    PM_UNITS_HAND_ON,       /* to hand on a store to a line */
    PM_UNITS_ATOMIC,        /* a pass of atomics */
    PM_UNITS_PILE,          /* one of those that pile up in a place */
    PM_UNITS_CONSTANT,      /* a pass of the constant cache */
    PM_UNITS_RETURN,        /* a pass of atomics that give back what was there */
    PM_UNITS_START,         /* to start a work-group on a compute unit */
    PM_UNITS_OVERHEAD_CUDA, /* of a launch by CUDA */
    PM_UNITS_BARRIER,       /* spread of a load's latency before a barrier, over that latency */
    /* Slowdown of a CPU, whose pipes are no units of their own but means of sequences: */
    PM_UNITS_PASSES,   /* of loads and stores */
    PM_UNITS_FUNCTIONS /* of special functions */
};

/* Work of each row in seconds at full rate; each column has the parameter that stretches it, the
 * unit that it is work of, and belongs to a term: pipes first. */
typedef struct {
    size_t n, columns, terms, parameters;
    size_t pipes;     /* terms 0 ... pipes - 1 are a compute unit's pipes; 0: no term is */
    size_t lanes;     /* of these 0 ... lanes - 1 are the scheduler and what it issues to */
    double *work;     /* n x columns */
    double *launches; /* n: seconds that its launches take by the profile */
    bool *cuda;       /* n: whether CUDA launches it; NULL: none of them */
    /* n: seconds that the counted work needs at least, each unit for itself: arithmetic at full
     * rate, and L1, shared memory, L2 and DRAM at their peaks; of a CPU floating point and DRAM. */
    double *floor;
    size_t parameter[PM_UNITS_COLUMNS], term[PM_UNITS_COLUMNS];
    const char *unit[PM_UNITS_COLUMNS];
    double prior[PM_UNITS_PARAMETERS], spread[PM_UNITS_PARAMETERS];
    pm_cancel cancel; /* ends fits of its parameters */
} pm_units;

/* From code counters on a GPU of that profile; NULL where the profile or a counter is
 * missing. Where those of the pipes are, classes of instructions stand in for them: on an H100
 * without its pipe counters, 18 % mean error on programs left out instead of 49 %. */
/* waits: latency from the trace engine's load_wait, load_wait_miss, shared_wait and inst_depth,
 * where they are; else from the numbers of loads and instructions. It tells variants of a kernel
 * apart that differ in what waits for what. */
pm_units *pm_units_of_code(pm_memory *memory, const pm_problem *problem, const pm_profile *profile,
                           bool waits);
/* Holds the exponents of a code model at 1 and leaves its factors free: a sum of terms, none of
 * them negative, which is the form of Shimada et al. (2010). For comparison. */
void pm_units_take_turns(pm_units *units);
/* From active cycles, a run counter; NULL where they are missing. Needs no profile: the
 * clock is in the one parameter. rows: those to learn from, for where that parameter starts. */
pm_units *pm_units_of_cycles(pm_memory *memory, const pm_problem *problem, const size_t *rows,
                             size_t n);

/* A sample that the trace engine counted, or that has measured code counters, on a GPU. */
typedef struct {
    const pm_dataset *dataset; /* whose sample it is */
    const pm_sample *sample;
    const pm_profile *profile; /* present */
} pm_units_sample;
/* With waits, of samples that may be of several GPUs. usable[i] is false where a counter of sample
 * i is unknown; such a row has no work. */
pm_units *pm_units_of_samples(pm_memory *memory, const pm_units_sample *samples, size_t n,
                              bool *usable);

/* log T of a row (seconds). slope (may be NULL) gets its derivative by each parameter. */
double pm_units_log_time(const pm_units *units, const double *parameters, size_t row,
                         double *slope);
/* The same for many rows: of parameters that are logarithms, what they stand for. */
typedef struct {
    double of[PM_UNITS_PARAMETERS];
    double stretch[PM_UNITS_COLUMNS]; /* of each column */
} pm_units_values;
pm_units_values pm_units_values_of(const pm_units *units, const double *parameters);
double pm_units_log_time_by(const pm_units *units, const pm_units_values *v, size_t row,
                            double *slope);
/* What each unit has to do with the row's time, in seconds of it. The parts that are added up are
 * Euler's: x dT/dx, which sum to T as it is homogeneous in all of them. */
void pm_units_explain(const pm_units *units, const double *parameters, size_t row,
                      pm_explanation *why);
/* Adds to what a unit has to do with a time; units beyond PM_MAX_TIME_TERMS are left out. */
void pm_explanation_add(pm_explanation *why, const char *unit, double alone_s, double added_s);
/* Puts what adds most first and names it the bound. */
void pm_explanation_sort(pm_explanation *why);

/* What a row's time is made of, as a place in a space where rows that are bound alike are near each
 * other: logarithms of what each term and the launches need alone over the time, to which a
 * twentieth is added, as what takes less than that hardly tells; and half that of the time. */
enum { PM_UNITS_SHAPE = PM_UNITS_TERMS + 2 };
void pm_units_shape(const pm_units *units, const pm_units_values *v, size_t row, double *shape);

/* What the model cannot know of a program, as a spread of log T: some 1/6 of its time. */
#define PM_UNITS_PROGRAM_SPREAD (1.0 / 6)

/* What a model learns from. */
typedef struct {
    size_t n, groups;
    const size_t *row;      /* n: rows of the units */
    const size_t *start;    /* groups + 1: group g has start[g] ... start[g + 1] - 1 */
    const size_t *group;    /* n */
    const double *log_time; /* n */
    /* Groups that are left out together: folds of them, fold[g] that of group g. NULL: each alone,
     * in the fold of its number. */
    size_t folds;
    const size_t *fold;
    /* Whether a row counts the less the farther off it is, by Cauchy's function in spreads of a
     * program: what a kernel does that the model has no term for would else bend the terms that
     * there are. */
    bool robust;
} pm_units_rows;

static inline size_t pm_units_folds(const pm_units_rows *rows)
{
    return rows->fold ? rows->folds : rows->groups;
}

static inline size_t pm_units_fold(const pm_units_rows *rows, size_t group)
{
    return rows->fold ? rows->fold[group] : group;
}

/* Fits the parameters to log times, without the fold left_out (pm_units_folds: with all). A group,
 * whatever its number of rows, counts against the priors as one observation of
 * PM_UNITS_PROGRAM_SPREAD. parameters: where to start, and the result. */
pm_status pm_units_fit(const pm_units *units, const pm_units_rows *rows, size_t left_out,
                       double *parameters, pm_error *err);
/* Without each fold in turn, from the same start, in less time. sets: folds x PM_UNITS_PARAMETERS,
 * of which that of a fold without rows is the start. */
pm_status pm_units_fit_folds(const pm_units *units, const pm_units_rows *rows, const double *start,
                             double *sets, pm_error *err);

/* The target's time over the source's for the same work, by the code model on both profiles with
 * parameters fitted to the source's times of the training rows. */
typedef struct pm_units_ratio pm_units_ratio;
const pm_units_ratio *pm_units_ratio_fit(pm_memory *memory, const pm_training *t);
/* Its logarithm for a row of the problem; 0 where a counter or a profile is missing. */
double pm_units_log_ratio(const pm_units_ratio *ratio, size_t row);

/* How far apart parameters (logarithms) of GPUs without anything in common are, given that their
 * profiles say their rates and latencies: less than the priors of a GPU of which nothing was
 * measured, as those have to hold for what profiles do not say too. Assumed. */
extern const double pm_units_apart[PM_UNITS_PARAMETERS];

#endif
