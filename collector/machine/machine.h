/* What a CPU's core executes of a workload's kernels, as its OpenCL driver compiled them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PoCL on x86-64. The workload is run three times on one thread: once as it is, once in which some
 * thousand instructions are gone through one by one, and once with code that counts them all.
 * Cycles are those of the instructions by llvm-mca, in the mean over what was gone through, times
 * their number: nothing is timed.
 */
#ifndef PM_COLLECTOR_MACHINE_MACHINE_H
#define PM_COLLECTOR_MACHINE_MACHINE_H

#include "perfmodel.h"
#include "program/workload.h"

typedef struct {
    double instructions; /* of all its launches in a pass, by all cores together */
    double cycles;       /* that they take one core with all data in L1 */
} pm_machine_work;

/* Of the kernels that are named, each once. device: its id (pm_devices). Other drivers, other
 * processors and code that is not understood are PM_FAILED. Limits the drivers of this process to
 * one thread, which has to be done before it first uses OpenCL. The workload's code may do to the
 * process what it likes. */
pm_status pm_machine_count(const char *device, const pm_workload *workload,
                           const char *const *kernels, size_t kernel_count, pm_machine_work *work,
                           pm_error *err);

#endif
