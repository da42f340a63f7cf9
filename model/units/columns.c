/* Makes the units model (times of a GPU's functional units) for all rows of a regression problem.
 * See units.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "model/units/parts.h"

/* Standard deviation of a CPU's slowdown. The clock differs from machine to machine and with the
 * machine's load. */
static const double CORE_SPREAD = 0.5;
/* Cycles of an atomic on a CPU core, x86's "lock" (Fog, Instruction tables: 18 to 20 before Zen).
 * An atomic takes more cycles if cores compete for the cache line. */
static const double LOCK_CYCLES = 20, LOCK_SPREAD = 0.5;

/* A counter of all rows. scaled: value[i] counts instructions of work-items and must be multiplied
 * by the warp instructions per work-item instruction. value NULL: the counter is 0 in every row. */
typedef struct {
    const double *value;
    bool scaled;
} code_column;

/* Finds the column of a counter or of the counter that replaces it. Returns false if neither is
 * known and the counter is required. */
static bool find_column(const pm_problem *problem, size_t counter, code_column *column)
{
    *column = (code_column){pm_problem_known(problem, pm_units_counters[counter].name), false};
    if (column->value)
        return true;
    if (pm_units_counters[counter].stand_in)
        column->value = pm_problem_known(problem, pm_units_counters[counter].stand_in);
    column->scaled = column->value && pm_units_counters[counter].by_work_item;
    return column->value || pm_units_counters[counter].may_miss;
}

static void read_row(const code_column *columns, const double *threads, size_t row, double *c)
{
    double warps = threads ? pm_units_warps(columns[EXECUTED].value[row], threads[row]) : 0;

    for (size_t k = 0; k < COUNTERS; k++) {
        c[k] = columns[k].value ? columns[k].value[row] : 0;
        if (columns[k].scaled)
            c[k] *= warps;
    }
    c[LAUNCHES] = fmax(c[LAUNCHES], 1);
    if (!columns[LOAD_WAIT_MISS].value)
        pm_units_estimate_misses(c);
}

/* Replaces the counters of waits, for a model without them: every load counts as a wait, and every
 * instruction as dependent. */
static void forget_waits(code_column *columns)
{
    columns[LOAD_WAIT] = columns[GLD_REQUEST];
    columns[LOAD_WAIT_MISS].value = NULL;
    columns[DEPTH] = columns[EXECUTED];
    columns[SHARED_WAIT] = columns[SHARED_LOAD];
}

pm_units *pm_units_of_code(pm_memory *memory, const pm_problem *problem, const pm_profile *profile,
                           bool waits)
{
    const double *threads = pm_problem_known(problem, "thread_inst_executed");
    code_column columns[COUNTERS];
    pm_units *units;

    if (!profile->present)
        return NULL;
    for (size_t k = 0; k < COUNTERS; k++) {
        if (!find_column(problem, k, &columns[k]))
            return NULL;
        /* Only the lower bound of the time uses the counters FLOP32 and FLOP64, so they may be
         * missing. */
        if ((k == FLOP32 || k == FLOP64) && !threads)
            columns[k] = (code_column){NULL, false};
        if (columns[k].scaled && !threads)
            return NULL;
    }
    if (!waits)
        forget_waits(columns);
    units = pm_units_alloc(memory, problem->n);
    pm_units_set_priors(units, waits,
                        waits && pm_problem_known(problem, pm_units_counters[LOAD_WAIT].name),
                        waits && pm_problem_known(problem, pm_units_counters[SHARED_WAIT].name));
    if (profile->loops) {
        units->spread[PM_UNITS_SM] = CORE_SPREAD;
        units->prior[PM_UNITS_ATOMIC] = log(LOCK_CYCLES);
        units->spread[PM_UNITS_ATOMIC] = LOCK_SPREAD;
    }
    for (size_t row = 0; row < problem->n; row++) {
        double c[COUNTERS];

        read_row(columns, threads, row, c);
        pm_units_fill(units, row, c, profile, waits);
        units->cuda[row] = problem->sample[row]->cuda;
    }
    return units;
}
