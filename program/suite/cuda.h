/* The CUDA versions of the suite's programs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_SUITE_CUDA_H
#define PM_PROGRAM_SUITE_CUDA_H

#include "program/suite/suite.h"

size_t pm_cuda_suite_count(void);
/* Describes CUDA program number i of the suite, which is called NAME_cuda if the OpenCL program is
 * NAME. Returns false if the suite has no OpenCL program NAME. */
bool pm_cuda_suite_program(size_t i, pm_program *program);
/* Turns a workload of an OpenCL program into the workload of its CUDA version, and returns it. If
 * it fails, frees the workload and returns NULL. */
pm_workload *pm_cuda_suite_make(pm_workload *workload, pm_error *err);

#endif
