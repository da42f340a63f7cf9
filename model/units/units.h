/* The time of a kernel from the time that its work takes on each unit of the GPU.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *     T = o l + (P^q + sum_j x_j^q)^(1/q),   P = (L^r + sum_k p_k^r)^(1/r)
 *
 * T: seconds of a kernel
 * l: seconds that starting its launches takes, by the profile; o: fitted factor
 * x_j: seconds of unit j outside the pipes; p_k: seconds of pipe k of a compute unit
 * P: norm of the pipes; L: norm of the scheduler and the arithmetic lanes
 *
 * A unit's seconds are its work divided by its rate in the profile, times a fitted slowdown. The
 * exponents q and r say how well units overlap. At 1 the times add up; with a large exponent the
 * slowest unit determines the time (the roofline of Williams, Waterman and Patterson, Commun. ACM
 * 52, 2009). The pipes have an exponent of their own, because one instruction uses several of them
 * at once. The times of the scheduler and the lanes hardly add up: a kernel of only multiply-adds
 * reaches 97 % of their rate.
 *
 * One term is not a unit but latency, which only concurrent warps can hide. It is the rounds of
 * resident warps, times the cycles that a lone warp spends on its instructions and on waits for
 * loads and misses (the memory- and warp-parallelism of Hong and Kim, ISCA 2009).
 *
 * Rates and latencies come from the profile. The fitted parameters are ratios to them, or
 * cycles, and can therefore be transferred to another GPU. All parameters are logarithms. They are
 * fitted to log T by least squares, with normal priors from facts about GPUs. No parameter belongs
 * to a program or a kernel.
 */
#ifndef PM_MODEL_UNITS_UNITS_H
#define PM_MODEL_UNITS_UNITS_H

#include "model/training.h"

enum { PM_UNITS_PARAMETERS = 22, PM_UNITS_COLUMNS = 28, PM_UNITS_TERMS = 20 };

/* Indices of the parameters, of which all are stored as logarithms. A model that is made from
 * counters of executed instructions has all of them, and a model that is made from active cycles
 * the first three only. Slowdowns multiply the times by the profile's rates; factors multiply the
 * profile's latencies. */
enum {
    PM_UNITS_OVERHEAD, /* factor of the launch time, for OpenCL */
    PM_UNITS_OVERLAP,  /* exponent q of the time, minus 1 */
    /* slowdown of pipes; seconds per cycle relative to the start value if the model is made from
     * active cycles */
    PM_UNITS_SM,
    PM_UNITS_L2,
    PM_UNITS_DRAM,
    PM_UNITS_DEPTH, /* factor of the latency of dependent instructions; the next three are factors
                       of latencies, too */
    PM_UNITS_LOAD,
    PM_UNITS_SHARED,
    PM_UNITS_MISS,
    PM_UNITS_PIPES_OVERLAP, /* exponent r of the pipes' time, minus 1 */
    PM_UNITS_OWN,           /* factor of the issue cycles of a lone warp, which no dependence
                             * delays */
    /* The parameters from here to PM_UNITS_START are cycles per event, of a compute unit, of a
     * slice of the L2 cache or of the constant cache. A pass of atomics is one operation of an L2
     * slice: the atomics of one warp on one sector, at most one for each word. */
    PM_UNITS_ASK,     /* cycles per request to L2 for sectors of a line */
    PM_UNITS_HAND_ON, /* cycles per line of a store that is sent to L2 */
    PM_UNITS_ATOMIC,  /* cycles per L2 pass of atomics whose result is unused */
    /* cycles per L2 pass of atomics in the L2 slice that has the most contended address (hot
     * spot) */
    PM_UNITS_PILE,
    PM_UNITS_CONSTANT,      /* cycles per address that a warp reads from the constant cache */
    PM_UNITS_RETURN,        /* cycles per L2 pass of atomics that return the old value */
    PM_UNITS_START,         /* cycles to start a work-group on a compute unit */
    PM_UNITS_OVERHEAD_CUDA, /* factor of the launch time, for CUDA */
    PM_UNITS_BARRIER,       /* standard deviation of a load's latency before a barrier, as a
                             * fraction of the latency */
    /* Slowdowns on a CPU. A CPU's rates are means of instruction sequences, not of physical
     * pipes. */
    PM_UNITS_PASSES,   /* loads and stores */
    PM_UNITS_FUNCTIONS /* special functions */
};

/* The units model of n rows: the work of each row in seconds at the profile's full rates, in
 * columns. Column k is multiplied by parameter number parameter[k], belongs to the functional unit
 * unit[k], and is added to term number term[k] of the time. The pipes of compute units are the
 * first terms. */
typedef struct {
    size_t n, columns, terms, parameters;
    /* The time is a norm of terms: the seconds that each functional unit takes. Terms 0 ... pipes -
     * 1 belong to pipes of a compute unit; 0: the model has no pipes. */
    size_t pipes;
    /* terms 0 ... lanes - 1 of the time (seconds of a functional unit) are those of the scheduler
     * and of the arithmetic lanes */
    size_t lanes;
    /* work[row * columns + column]: seconds that the row's work takes at the full rate of the
     * functional unit unit[column] */
    double *work;
    /* launches[row]: seconds that starting the row's launches takes, from the profile */
    double *launches;
    /* cuda[row]: whether CUDA launches the row's kernel; NULL: CUDA launches no row's kernel */
    bool *cuda;
    /* floor[row]: lower bound of the row's time in seconds. It is the longest of the times that
     * arithmetic, L1, shared memory, L2 and DRAM need for the counted work at their peak rates. If
     * the device is a CPU, only floating point and DRAM count. */
    double *floor;
    size_t parameter[PM_UNITS_COLUMNS], term[PM_UNITS_COLUMNS];
    const char *unit[PM_UNITS_COLUMNS];
    double prior[PM_UNITS_PARAMETERS], spread[PM_UNITS_PARAMETERS];
    pm_cancel cancel; /* callback that cancels fits of the parameters */
} pm_units;

/* Makes the model from counters of executed instructions, for a GPU with this profile. Returns NULL
 * if the profile or a required counter is missing. If counters of the pipes are missing, counters
 * of instruction classes replace them. The replacements reduce the mean error on left-out programs
 * from 49 % to 18 % on an H100 without pipe counters.
 *
 * waits: if true, latency comes from the trace engine's counters load_wait, load_wait_miss,
 * shared_wait and inst_depth if they are known; otherwise from the numbers of loads and
 * instructions. Counters of waits tell variants of a kernel apart that differ only in
 * dependences. */
pm_units *pm_units_of_code(pm_memory *memory, const pm_problem *problem, const pm_profile *profile,
                           bool waits);
/* Turns a model into one in which the times of the units only add up, without overlap: exponents
 * are 1, and the priors of the factors are wider. This is the form of Shimada et al. (2010), a sum
 * of non-negative terms, and is used for comparison. */
void pm_units_take_turns(pm_units *units);
/* Makes the model from the counter of active cycles, which is known only from a run of the kernel.
 * Returns NULL if it is missing. The model needs no profile, because the clock is part of its only
 * slowdown. rows[n]: training rows, whose median time per cycle is the start value of the
 * slowdown. */
pm_units *pm_units_of_cycles(pm_memory *memory, const pm_problem *problem, const size_t *rows,
                             size_t n);

/* A kernel run (sample) of a dataset on a GPU, of which the counters of executed instructions
 * were traced or measured. */
typedef struct {
    const pm_dataset *dataset; /* dataset of the sample */
    const pm_sample *sample;
    const pm_profile *profile; /* profile of the GPU; its member `present` must be true */
} pm_units_sample;
/* Makes the units model, with latencies from counters of waits, from rows (samples) of datasets of
 * one or several GPUs. usable[i] is false if a counter of sample i is unknown; its work is then 0
 * seconds on all functional units. */
pm_units *pm_units_of_samples(pm_memory *memory, const pm_units_sample *samples, size_t n,
                              bool *usable);

/* Returns log T of a row, where T is its time in seconds. parameters: their logarithms. slope[k]:
 * gets the derivative by parameter k; slope NULL: no derivatives. */
double pm_units_log_time(const pm_units *units, const double *parameters, size_t row,
                         double *slope);
/* Values of the parameters (exponentials of their logarithms). They are computed once and used for
 * many rows. */
typedef struct {
    double of[PM_UNITS_PARAMETERS];
    /* stretch[k]: factor by which the seconds in column k of pm_units.work (computed for full
     * rates) are multiplied */
    double stretch[PM_UNITS_COLUMNS];
} pm_units_values;
pm_units_values pm_units_values_of(const pm_units *units, const double *parameters);
double pm_units_log_time_by(const pm_units *units, const pm_units_values *v, size_t row,
                            double *slope);
/* Fills *why with the contribution of each functional unit to the row's time T, in seconds. Unit j
 * adds x_j dT/dx_j, where x_j is its seconds. These contributions sum to T by Euler's theorem,
 * because T is homogeneous of degree 1 in all x_j. */
void pm_units_explain(const pm_units *units, const double *parameters, size_t row,
                      pm_explanation *why);
/* Adds the seconds of a functional unit to an explanation of a time. alone_s: seconds that the unit
 * would take if it were the only limit; added_s: seconds that it contributes to the time. Units
 * beyond PM_MAX_TIME_TERMS are left out. */
void pm_explanation_add(pm_explanation *why, const char *unit, double alone_s, double added_s);
/* Sorts the terms of an explanation by their seconds, largest first, and stores the first one's
 * unit as the bound. */
void pm_explanation_sort(pm_explanation *why);

/* Computes a vector of PM_UNITS_SHAPE numbers that describes the bottlenecks of a row: rows with
 * the same bottlenecks have nearby vectors. Element j is log(x_j / T + 0.05), where T is the time
 * and x_j the seconds of term j of the time. Then follow the same for the launches, and log(T) / 2.
 * The 0.05 makes small terms count little. */
enum { PM_UNITS_SHAPE = PM_UNITS_TERMS + 2 };
void pm_units_shape(const pm_units *units, const pm_units_values *v, size_t row, double *shape);

/* Prior standard deviation of the difference between a program's log time and the modelled one. The
 * difference comes from properties of the program that the counters do not show. */
#define PM_UNITS_PROGRAM_SPREAD (1.0 / 6)

/* Training data of the units model: measured kernel times, and the groups (such as programs)
 * that they belong to. */
typedef struct {
    size_t n, groups;
    const size_t *row; /* row[i]: index of training row i among the rows of pm_units */
    /* group g has the training rows start[g] ... start[g + 1] - 1 */
    const size_t *start;
    const size_t *group;    /* group[i]: group of training row i */
    const double *log_time; /* log_time[i]: logarithm of the time of training row i */
    /* Groups with the same fold are left out together: fold[g] is in 0 ... folds - 1. NULL: the
     * fold of group g is g. */
    size_t folds;
    const size_t *fold;
    /* true: rows with large residuals get smaller weights (Cauchy's weight with the scale
     * PM_UNITS_PROGRAM_SPREAD). Without that, effects for which the model has no term would distort
     * its parameters. */
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

/* Fits the parameters to the log times of all training rows except those of fold left_out;
 * pm_units_folds(rows): no fold is left out. Each group (program) counts like one observation with
 * the standard deviation PM_UNITS_PROGRAM_SPREAD, whatever its number of rows. parameters: start
 * values, which the result replaces. */
pm_status pm_units_fit(const pm_units *units, const pm_units_rows *rows, size_t left_out,
                       double *parameters, pm_error *err);
/* Fits the parameters for each fold to the rows of all other folds, always from the same start
 * values. This is faster than separate fits. sets[f * PM_UNITS_PARAMETERS], ...: the parameters
 * that were fitted without fold f; a copy of `start` if the fold has no rows. */
pm_status pm_units_fit_folds(const pm_units *units, const pm_units_rows *rows, const double *start,
                             double *sets, pm_error *err);

/* Computes the ratio of the times on the target GPU and on the source GPU for the same work. The
 * units model computes both times, with the two profiles and one set of parameters, which is fitted
 * to the training rows' times on the source GPU. */
typedef struct pm_units_ratio pm_units_ratio;
const pm_units_ratio *pm_units_ratio_fit(pm_memory *memory, const pm_training *t);
/* Returns the logarithm of the ratio of the times on the target GPU and on the source GPU for a row
 * of the problem; 0 if a counter or a profile is missing. */
double pm_units_log_ratio(const pm_units_ratio *ratio, size_t row);

/* Standard deviation of each parameter (a logarithm) between two unrelated GPUs whose profiles are
 * known. It is smaller than the prior standard deviation of the parameter, which also covers errors
 * of the model that all GPUs share. The values are assumed. */
extern const double pm_units_apart[PM_UNITS_PARAMETERS];

#endif
