/* Accesses outside of what they may touch.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BOUNDS_H
#define PM_COLLECTOR_TRACE_BOUNDS_H

#include "collector/trace/warp.h"

/* PM_BAD_INPUT, naming instruction, address and buffer, if an access of site `number` is outside of
 * its bounds or not a multiple of its size. access->pattern, where it is
 * known, has where its addresses lie. */
pm_status pm_bounds_check(const pm_launch_rules *rules, uint32_t number,
                          const pm_warp_access *access, pm_error *err);

#endif
