/* The access table of a kernel (Nakai and Ohno 2017, table 1 and figure 12).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_ACCESS_TABLE_H
#define PM_COLLECTOR_TRACE_ACCESS_TABLE_H

#include "base/memory.h"
#include "collector/trace/count.h"

/* Adds a launch's counts to the table of its kernel, which is made on the first call (accesses
 * NULL). */
void pm_access_table_add(pm_trace_kernel *kernel, const pm_kernel_code *code,
                         const pm_launch_counts *counts, pm_memory *memory);
/* Turns the sums into means, after the last launch. */
void pm_access_table_finish(pm_trace_kernel *kernel);

#endif
