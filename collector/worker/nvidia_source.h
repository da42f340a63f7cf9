/* Describes the kernels of a CUDA source by the PTX that NVIDIA's compiler makes of it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_WORKER_NVIDIA_SOURCE_H
#define PM_COLLECTOR_WORKER_NVIDIA_SOURCE_H

#include "collector/worker/worker.h"
#include "program/workload.h"
#include "transform/source/source.h"

/* Compiles the source of a workload with NVIDIA's compiler, and describes the kernels that the
 * workload launches from the PTX. Kernels have the names in the workload's launches. Parameters
 * have the names in the source, where these are found. The type of a pointer is the type of the
 * kernel's first access by it. PM_BAD_INPUT if the source does not compile. PM_FAILED if no
 * compiler is found. The caller frees info->memory in all cases. */
pm_status pm_nvidia_describe(const pm_workload *workload, pm_worker *worker, pm_source_info *info,
                             pm_error *err);

#endif
