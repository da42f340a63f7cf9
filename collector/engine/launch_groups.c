/* Computes the number of work-groups of a launch.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/select_launches.h"

enum { DIMENSIONS = 3 };

double pm_launch_groups(const pm_launch *launch)
{
    double groups = 1;

    for (unsigned d = 0; d < DIMENSIONS; d++)
        groups *= (double)launch->global[d] / (double)launch->local[d];
    return groups;
}
