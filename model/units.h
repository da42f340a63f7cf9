/* The time of a kernel from the time that its work takes on each unit of the GPU.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *     T = o L + (P^q + sum_j x_j^q)^(1/q),   P = (sum_k p_k^r)^(1/r)
 *
 * with L launches, and x_j the seconds that unit j would need alone: its work over its rate in the
 * profile, times a slowdown that is fitted. The exponent q > 1 says how well units overlap: at 1
 * they take turns, and with q the sum nears the slowest one (the roofline of Williams, Waterman and
 * Patterson, Commun. ACM 52, 2009). The pipes of a compute unit, of seconds p_k, have an exponent
 * of their own: one instruction is work for several of them at once. One term is no unit but
 * latency, which only warps side by side can hide: rounds of resident warps, times the cycles that
 * a lone warp spends on its instructions and waits for loads and misses (the memory- and
 * warp-parallelism of Hong and Kim, ISCA 2009).
 *
 * The few parameters, logarithms all, are fitted to log T by least squares, each held near what is
 * known of GPUs by a normal prior: nothing is fitted for a program or a kernel.
 */
#ifndef PM_MODEL_UNITS_H
#define PM_MODEL_UNITS_H

#include "training.h"

enum { PM_UNITS_PARAMETERS = 12, PM_UNITS_COLUMNS = 16, PM_UNITS_TERMS = 16 };

/* Work of each row in seconds at full rate; each column has the parameter that stretches it, and
 * belongs to a term. */
typedef struct {
    size_t n, columns, terms, parameters;
    size_t pipes;         /* terms 0 ... pipes - 1 are a compute unit's pipes; 0: no term is */
    size_t pipes_overlap; /* the parameter that is log(r - 1); unused without pipes */
    double *work;         /* n x columns */
    double *launches;     /* n */
    size_t parameter[PM_UNITS_COLUMNS], term[PM_UNITS_COLUMNS];
    double prior[PM_UNITS_PARAMETERS], spread[PM_UNITS_PARAMETERS];
} pm_units;

/* From code counters on a GPU of that profile; *units is NULL where the profile or a counter is
 * missing. Where those of the pipes are, classes of instructions stand in for them: on an H100
 * without its pipe counters, 18 % mean error on programs left out instead of 49 %. */
/* waits: latency from the trace engine's load_wait, load_wait_miss, shared_wait and inst_depth,
 * where they are, and from the profile's latencies; else from the numbers of loads and
 * instructions. It tells variants of a kernel apart that differ in what waits for what. */
pm_status pm_units_of_code(const pm_problem *problem, const pm_profile *profile, bool waits,
                           pm_units **units, pm_error *err);
/* From active cycles, a run counter; *units is NULL where they are missing. Needs no profile: the
 * clock is in the one parameter. rows: those to learn from, for where that parameter starts. */
pm_status pm_units_of_cycles(const pm_problem *problem, const size_t *rows, size_t n,
                             pm_units **units, pm_error *err);
void pm_units_free(pm_units *units);

/* log T of a row (seconds). slope (may be NULL) gets its derivative by each parameter. */
double pm_units_log_time(const pm_units *units, const double *parameters, size_t row,
                         double *slope);

/* Fits the parameters to the log times of the training rows (log_time has one for each), without
 * the program left_out (t->groups: with all). What the model cannot know of a program is some 1/6
 * of its time: a program, whatever its number of rows, counts against the priors as one observation
 * of that spread. parameters: where to start, and the result. */
pm_status pm_units_fit(const pm_units *units, const pm_training *t, const double *log_time,
                       size_t left_out, double *parameters, pm_error *err);

/* log of the target's time over the source's for the same work, by the code model on both profiles
 * with parameters fitted to the source's times of the training rows: train has t->n members, test
 * t->m. All are 0 where a counter or a profile is missing. */
pm_status pm_units_ratio(const pm_training *t, double *train, double *test, pm_error *err);

#endif
