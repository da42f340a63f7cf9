/* Several Workloads as one, which is compiled and traced at once: a compiler takes longer to start
 * than for a small kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_RANDOM_TOGETHER_H
#define PM_TESTS_RANDOM_TOGETHER_H

#include "program/workload.h"

/* Their sources, whose names at file scope all differ, their buffers and their launches one behind
 * the other, and all their checks; of the first one's path and options. They must outlive it. */
pm_workload *rd_together(const pm_workload *const *workloads, size_t count, pm_error *err);
/* Which of them an error of the one is about, by its path:line; count: that does not stand there.
 */
size_t rd_together_which(const pm_workload *const *workloads, size_t count, const char *error);

#endif
