/* The suite's programs in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SUITE_CUDA_H
#define PM_SUITE_CUDA_H

#include "program/suite/suite.h"

size_t pm_cuda_suite_count(void);
/* Fills in CUDA program i of the suite, named NAME_cuda. Returns false if the suite has no OpenCL
 * program NAME. */
bool pm_cuda_suite_program(size_t i, pm_program *program);
/* Turns a workload of the OpenCL program into the same of its CUDA version, and returns it. NULL:
 * failed, and the workload is freed. */
pm_workload *pm_cuda_suite_make(pm_workload *workload, pm_error *err);

#endif
