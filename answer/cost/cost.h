/* Functions that cost.c, elsewhere.c and energy.c have in common. perfmodel/cost.h has the public
 * ones.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_ANSWER_COST_COST_H
#define PM_ANSWER_COST_COST_H

#include "answer/cost/chance.h"
#include "perfmodel.h"

/* Returns the price in a month of each second that one pass (each launch of the program once)
 * takes, at a price of an hour of one GPU: runs_per_month * passes * gpus * gpu_hour / 3600. */
double pm_cost_of_second(const pm_cost_options *options, double gpu_hour);
/* Returns the gain of a choice with its interval: the measured gain if it is known, else the
 * predicted one. */
pm_interval pm_cost_gain_of(const pm_choice *choice);
/* Returns the distribution of the time in seconds of one pass (run of all launches) of a choice,
 * which is a version of the program. If its gain was measured, the time is the base variant's
 * predicted time divided by that gain. */
pm_chance pm_cost_seconds(const pm_choice *base, const pm_choice *choice);
/* Returns the center of the distribution of pm_cost_seconds, in seconds. */
double pm_cost_middle_seconds(const pm_choice *base, const pm_choice *choice);
/* Returns the distribution of the gain of a choice (pm_cost_gain_of). The gain of the base variant
 * is certainly 1. */
pm_chance pm_cost_gain(const pm_advice *advice, const pm_choice *choice);
/* Returns the distribution of the hours of work for a choice. Writes the center and the 90 %
 * interval of the hours to *hours. */
pm_chance pm_cost_hours(const pm_choice *choice, const pm_cost_options *options,
                        pm_interval *hours);
/* Returns the energy that a choice saves in comparison with the base variant. */
pm_energy_saving pm_cost_energy(const pm_advice *advice, const pm_choice *base,
                                const pm_choice *choice, const pm_cost_options *options);
/* Finds the choice of a variant, which belongs to the advice. PM_BAD_INPUT if the advice has no
 * such choice. */
pm_status pm_cost_find(const pm_advice *advice, const char *variant, const pm_choice **choice,
                       pm_error *err);

#endif
