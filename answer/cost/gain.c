/* Computes the gain of a version (time of the unmodified program divided by time of the version)
 * with its 90 % interval. See cost.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "answer/cost/cost.h"

pm_interval pm_cost_gain_of(const pm_choice *choice)
{
    return choice->measured
               ? (pm_interval){choice->measured_lo, choice->measured_gain, choice->measured_hi}
               : (pm_interval){choice->lo, choice->gain, choice->hi};
}
