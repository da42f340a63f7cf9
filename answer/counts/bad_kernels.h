/* Removes from a workload the launches of kernels that do not compile or cannot be traced, so that
 * the events of the other kernels can still be counted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_ANSWER_COUNTS_BAD_KERNELS_H
#define PM_ANSWER_COUNTS_BAD_KERNELS_H

#include "collector/executor.h"
#include "program/program.h"
#include "program/workload.h"

/* Call this function after the workload could not be loaded. Sets *part to a copy of the workload
 * without the launches of kernels that cannot be loaded alone, and logs a notice for each of these
 * kernels. The copy shares its data with `workload`, except part->launches, which the caller frees.
 * Returns false if all kernels or no kernels can be loaded alone; *part must then not be used. */
bool pm_counts_leave_out_bad(pm_session *session, pm_executor *engine, const pm_workload *workload,
                             pm_workload *part);

#endif
