/* Joins several workloads into one, which is compiled and traced at once, because starting a
 * compiler takes longer than compiling a small kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_RANDOM_TOGETHER_H
#define PM_TESTS_RANDOM_TOGETHER_H

#include "program/workload.h"

/* Makes one workload of several. Their sources, whose names at file scope must all differ, are
 * joined, as are buffers, launches and checks. Path and options are the first workload's. They must
 * outlive the result. */
pm_workload *rd_together(const pm_workload *const *workloads, size_t count, pm_error *err);
/* Returns the index of the workload that contains the path:line of an error; count: the error names
 * none. */
size_t rd_together_which(const pm_workload *const *workloads, size_t count, const char *error);

#endif
