/* Accesses outside of what they may touch.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BOUNDS_H
#define PM_COLLECTOR_TRACE_BOUNDS_H

#include "collector/trace/warp.h"

/* PM_BAD_INPUT, naming instruction, address and buffer, if the access of a work-item in mask is
 * outside of the bounds of site `number` or not a multiple of its size. mask is not 0. */
pm_status pm_bounds_check(const pm_launch_rules *rules, uint32_t number, uint64_t mask,
                          const uint64_t *addresses, pm_error *err);

#endif
