/* Computes how long each functional unit of the GPU works, for all rows (measured kernels) of a
 * regression problem. See units.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "model/units/parts.h"

/* Prior standard deviation of the logarithm of a CPU's slowdowns. It is large, because the clock
 * differs from machine to machine and with the machine's load. */
static const double CORE_SPREAD = 0.5;
/* LOCK_CYCLES: cycles of an atomic operation on a CPU core, x86's "lock" (Fog, Instruction tables:
 * 18 to 20 before Zen). It takes more cycles if cores compete for the cache line. LOCK_SPREAD:
 * standard deviation of its logarithm. */
static const double LOCK_CYCLES = 20, LOCK_SPREAD = 0.5;

/* Reads the model's counters of a row into c. column[k]: values of the counter pm_units_name(k) in
 * all rows; NULL: unknown. Returns false if a required counter is unknown and no other counter
 * replaces it. */
static bool read_row(const double *const *column, size_t row, const pm_profile *profile, double *c)
{
    double value[PM_UNITS_NAMES];

    for (size_t k = 0; k < PM_UNITS_NAMES; k++)
        value[k] = column[k] ? column[k][row] : (double)NAN;
    return pm_units_read(value, profile, c);
}

pm_units *pm_units_of_code(pm_memory *memory, const pm_problem *problem, const pm_profile *profile,
                           bool waits)
{
    const double *column[PM_UNITS_NAMES];
    pm_units *units;

    if (!profile->present)
        return NULL;
    for (size_t k = 0; k < PM_UNITS_NAMES; k++)
        column[k] = pm_units_name(k) ? pm_problem_known(problem, pm_units_name(k)) : NULL;
    units = pm_units_alloc(memory, problem->n);
    pm_units_set_priors(units, waits, waits && column[LOAD_WAIT], waits && column[SHARED_WAIT]);
    if (profile->loops) {
        units->spread[PM_UNITS_SM] = CORE_SPREAD;
        units->prior[PM_UNITS_ATOMIC] = log(LOCK_CYCLES);
        units->spread[PM_UNITS_ATOMIC] = LOCK_SPREAD;
    }
    for (size_t row = 0; row < problem->n; row++) {
        double c[COUNTERS];

        if (!read_row(column, row, profile, c))
            return NULL;
        if (!waits)
            pm_units_forget_waits(c);
        pm_units_fill(units, row, c, profile, waits);
        units->cuda[row] = problem->sample[row]->cuda;
    }
    return units;
}
