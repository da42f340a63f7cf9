/* Finds data dependences through buffers: which launches, or which work-groups of one launch, read
 * data that others write.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_DEPENDENCES_H
#define PM_COLLECTOR_ENGINE_DEPENDENCES_H

#include "collector/engine/program.h"
#include "program/workload.h"

/* Returns whether two memory instructions may access the same byte, if their pointer arguments
 * point to the same buffer. */
bool pm_sites_meet(const pm_site *a, const pm_site *b);

/* Returns whether the counts of a launch depend on the order in which its work-groups run. They do
 * if the kernel has an atomic on global memory. They also do if an address or a branch may depend
 * on data that another work-group writes. */
bool pm_groups_interact(const pm_workload *workload, const pm_kernel_code *code,
                        const pm_launch *launch);

/* Returns whether a launch may write data that branches or addresses depend on when the same launch
 * is repeated. */
bool pm_launch_feeds_itself(const pm_workload *workload, const pm_kernel_code *code,
                            const pm_launch *launch);
/* Sets needed[i] to whether all work-groups of launch i must run. They must if an address or a
 * branch of a later launch depends on data that launch i writes, directly or through other
 * launches. codes: code of each launch's kernel. codes and needed have workload->launch_count
 * members. */
void pm_launches_needed(const pm_workload *workload, const pm_kernel_code *const *codes,
                        bool *needed);

/* Returns whether an address or a branch of launch i may depend on data that earlier launches of
 * the workload write. */
bool pm_launch_depends(const pm_workload *workload, const pm_kernel_code *const *codes, size_t i);

/* Returns whether the counts of any launch from `first` on depend on the contents of the buffers.
 * If not, pages that a sampled launch has written may be discarded. needed: result of
 * pm_launches_needed, which says for each launch whether all of its work-groups must run. */
bool pm_data_matters(const pm_workload *workload, const pm_kernel_code *const *codes,
                     const bool *needed, size_t first);

#endif
