/* Several Workloads as one, which is compiled and traced at once: a compiler takes longer to start
 * than for a small kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_RANDOM_TOGETHER_H
#define PM_TESTS_RANDOM_TOGETHER_H

#include "program/workload.h"

/* Makes one workload of several: their sources, whose names at file scope all differ, and their
 * buffers, launches and checks in order. Path and options are the first one's. They must outlive
 * it. */
pm_workload *rd_together(const pm_workload *const *workloads, size_t count, pm_error *err);
/* Returns the index of the workload whose path:line an error names; count: it names none. */
size_t rd_together_which(const pm_workload *const *workloads, size_t count, const char *error);

#endif
