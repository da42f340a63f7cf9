/* Runs a Workload on this machine: clang compiles its source to a shared library. Much faster to
 * compile than for a device, and every access outside of a buffer shows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_LAYOUT_RANDOM_HOST_H
#define PM_TESTS_LAYOUT_RANDOM_HOST_H

#include "collector/workload.h"

typedef struct lr_host lr_host;

/* options: of clang, such as -O1; must outlive it. base: path that its files' names start with;
 * they end in .cl, .o, .so and .txt, and are left to the caller to remove. */
lr_host *lr_host_open(const char *options, const char *base, pm_error *err);
void lr_host_close(lr_host *host);

/* Compiles, runs all launches, hands the outputs to the check. PM_BAD_INPUT: the source does not
 * compile. PM_FAILED: it wrote outside of a buffer, its work-items do not meet at barriers, or the
 * check failed. Arguments are pointers and integers. */
pm_status lr_host_run(lr_host *host, const pm_workload *workload, pm_error *err);

#endif
