/* For a workload whose source is already PTX and not CUDA C++: takes the PTX as the code for the
 * GPU, and finds the names of the launched kernels in it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_CUPTI_GIVEN_PTX_H
#define PM_COLLECTOR_CUPTI_GIVEN_PTX_H

#include "compiler/nvidia/cuda_code.h"

/* Takes the source of a workload, which is PTX, as its code, and finds the names of the launched
 * kernels in it. The GPU's driver compiles the PTX. PM_BAD_INPUT if the PTX cannot be parsed or has
 * no such kernel. The caller frees `code` in all cases. */
pm_status pm_cuda_take_ptx(const pm_workload *workload, pm_cuda_code *code, pm_error *err);

#endif
