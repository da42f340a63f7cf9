/* The suite's programs in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_SUITE_CUDA_H
#define PM_PROGRAM_SUITE_CUDA_H

#include "program/suite/suite.h"

size_t pm_cuda_suite_count(void);
/* Fills in CUDA program i of the suite, named NAME_cuda. Returns false if the suite has no OpenCL
 * program NAME. */
bool pm_cuda_suite_program(size_t i, pm_program *program);
/* Changes a workload of an OpenCL program to the workload of its CUDA version, and returns it. On
 * failure, frees the workload and returns NULL. */
pm_workload *pm_cuda_suite_make(pm_workload *workload, pm_error *err);

#endif
