/* What the files about cost share. The functions themselves are in perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COST_COST_H
#define PM_COST_COST_H

#include "cost/chance.h"
#include "perfmodel.h"

/* What a second of the program's time costs in a month at this price of a GPU. */
double pm_cost_of_second(const pm_cost_options *options, double gpu_hour);
/* The gain to go by: measured where it was, else predicted. */
pm_interval pm_cost_gain_of(const pm_choice *choice);
/* The time of a pass of the base and of a choice, the gain, and the hours for it. */
pm_chance pm_cost_seconds(const pm_choice *base, const pm_choice *choice);
double pm_cost_middle_seconds(const pm_choice *base, const pm_choice *choice);
pm_chance pm_cost_gain(const pm_advice *advice, const pm_choice *choice);
pm_chance pm_cost_hours(const pm_choice *choice, const pm_cost_options *options,
                        pm_interval *hours);
pm_energy_saving pm_cost_energy(const pm_advice *advice, const pm_choice *base,
                                const pm_choice *choice, const pm_cost_options *options);
/* PM_BAD_INPUT: the advice has no choice of that name. */
pm_status pm_cost_find(const pm_advice *advice, const char *variant, const pm_choice **choice,
                       pm_error *err);

#endif
