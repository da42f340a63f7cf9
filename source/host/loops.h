/* Executes loops of host code.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SOURCE_HOST_LOOPS_H
#define PM_SOURCE_HOST_LOOPS_H

#include "source/host/state.h"

/* Executes a for, while, do or range-based for statement. Equal launches of several rounds become
 * one launch with a count. */
pm_host_flow pm_host_run_loop(pm_host_state *state, pm_host_node *loop);

#endif
