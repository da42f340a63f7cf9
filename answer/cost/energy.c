/* Computes the energy that a faster version of a program saves, with its price and CO2. See
 * perfmodel.h and cost.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "answer/cost/cost.h"

static const double JOULES_A_KWH = 3.6e6, GRAMS_A_KG = 1000;

const char *pm_energy_basis_name(pm_energy_basis basis)
{
    static const char *const names[] = {[PM_ENERGY_UNKNOWN] = "unknown",
                                        [PM_ENERGY_MEASURED] = "measured",
                                        [PM_ENERGY_BY_POWER] = "power",
                                        [PM_ENERGY_AT_MOST] = "at most"};

    return names[basis];
}

/* Returns the seconds that the version (variant of the program) saves in one pass (each launch of
 * the program once), by the gain of pm_cost_gain_of. */
static double seconds_saved(const pm_choice *base, const pm_choice *choice)
{
    return choice == base ? 0 : base->predicted_s * (1 - 1 / pm_cost_gain_of(choice).mid);
}

static void find_joules(const pm_advice *advice, const pm_choice *base, const pm_choice *choice,
                        pm_energy_saving *saving)
{
    saving->watts = base->energy_j / base->energy_s;
    if (!isnan(base->energy_j) && !isnan(choice->energy_j)) {
        saving->basis = PM_ENERGY_MEASURED;
        saving->joules = base->energy_j - choice->energy_j;
        return;
    }
    if (!isnan(saving->watts)) {
        saving->basis = PM_ENERGY_BY_POWER;
    } else if (advice->power_limit_w > 0) {
        saving->basis = PM_ENERGY_AT_MOST;
        saving->watts = advice->power_limit_w;
    }
    saving->joules = saving->watts * seconds_saved(base, choice);
}

pm_energy_saving pm_cost_energy(const pm_advice *advice, const pm_choice *base,
                                const pm_choice *choice, const pm_cost_options *options)
{
    pm_energy_saving saving = {.joules = (double)NAN};

    find_joules(advice, base, choice, &saving);
    saving.kwh_a_month =
        saving.joules * options->runs_per_month * options->passes * options->gpus / JOULES_A_KWH;
    saving.money_a_month = saving.kwh_a_month * options->energy.price;
    saving.co2_kg_a_month = saving.kwh_a_month * options->energy.co2_g / GRAMS_A_KG;
    return saving;
}
