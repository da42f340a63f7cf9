/* Which launches and work-groups depend on what others leave in the buffers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_DEPENDS_H
#define PM_COLLECTOR_TRACE_DEPENDS_H

#include "collector/trace/program.h"
#include "program/workload.h"

/* Whether two sites, by arguments that hold the same buffer, may access a byte of it both. */
bool pm_sites_meet(const pm_site *a, const pm_site *b);

/* Whether work-groups of a launch may see what others of it write, in a way that tells: where
 * addresses or branches depend on it, or an atomic counts. Then what is counted depends on their
 * order. */
bool pm_groups_interact(const pm_kernel_code *code, const pm_launch *launch);

/* needed[i]: all of launch i must run, because what a later launch does depends on what i writes,
 * or on what a launch writes that reads it. codes and needed have a member a launch. */
void pm_launches_needed(const pm_workload *workload, const pm_kernel_code *const *codes,
                        bool *needed);

/* Whether what launch i does depends on what launches before it write. */
bool pm_launch_depends(const pm_workload *workload, const pm_kernel_code *const *codes, size_t i);

/* Whether what any launch from `first` on does depends on what the buffers hold. If not, pages that
 * a sample has written need not be kept. */
bool pm_data_matters(const pm_workload *workload, const pm_kernel_code *const *codes,
                     const bool *needed, size_t first);

#endif
