/* What a layout costs a GPU's caches, roughly. See search.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_LAYOUT_ESTIMATE_H
#define PM_LAYOUT_ESTIMATE_H

#include "layout/plan.h"
#include "layout/search.h"

/* Lines of L1 that a kernel's requests touch, plus what the sectors that miss it cost: a line and
 * two sectors of 32 bytes each take a cycle of their unit. */
double pm_layout_estimate(const pm_plan *plan, const pm_field_use *uses, size_t use_count,
                          const pm_search_options *options);

#endif
