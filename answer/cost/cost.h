/* Functions that cost.c, elsewhere.c and energy.c have in common. perfmodel/cost.h has the public
 * ones.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_ANSWER_COST_COST_H
#define PM_ANSWER_COST_COST_H

#include "answer/cost/chance.h"
#include "perfmodel.h"

/* Returns the price per month of each second that one pass (each launch of the program once) takes:
 * runs_per_month * passes * gpus * gpu_hour / 3600. gpu_hour: price of one GPU for one hour. */
double pm_cost_of_second(const pm_cost_options *options, double gpu_hour);
/* Returns the gain of a version (time of the base variant / time of the version) with its 90 %
 * interval: the measured gain if it is known, else the predicted one. */
pm_interval pm_cost_gain_of(const pm_choice *choice);
/* Returns the distribution of the time in seconds of one pass (each launch once) of a version. If
 * its gain was measured, the time is the base variant's predicted time divided by that gain. base:
 * the base variant; choice: the version. */
pm_chance pm_cost_seconds(const pm_choice *base, const pm_choice *choice);
/* Returns the center of the distribution of pm_cost_seconds, in seconds. */
double pm_cost_middle_seconds(const pm_choice *base, const pm_choice *choice);
/* Returns the distribution of the gain of a version (pm_cost_gain_of). The gain of the base variant
 * is exactly 1. */
pm_chance pm_cost_gain(const pm_advice *advice, const pm_choice *choice);
/* Returns the distribution of the hours of programming work that a variant needs. Writes the center
 * of the distribution and the 90 % interval to *hours. */
pm_chance pm_cost_hours(const pm_choice *choice, const pm_cost_options *options,
                        pm_interval *hours);
/* Returns the energy that a version saves in comparison with the base variant, with its price and
 * CO2. */
pm_energy_saving pm_cost_energy(const pm_advice *advice, const pm_choice *base,
                                const pm_choice *choice, const pm_cost_options *options);
/* Sets *choice to the variant of the program with this name; the advice owns it. PM_BAD_INPUT if
 * the advice has no such variant. */
pm_status pm_cost_find(const pm_advice *advice, const char *variant, const pm_choice **choice,
                       pm_error *err);

#endif
