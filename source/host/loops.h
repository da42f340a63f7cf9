/* Loops of host code.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SOURCE_HOST_LOOPS_H
#define PM_SOURCE_HOST_LOOPS_H

#include "source/host/state.h"

/* Follows a for, while, do or range-based for statement. Where it makes the same launches again,
 * these count as several times of one. */
pm_host_flow pm_host_run_loop(pm_host_state *state, pm_host_node *loop);

#endif
