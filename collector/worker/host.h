/* Reads the kernel launches in the host code of a CUDA or HIP source, in a worker process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_WORKER_HOST_H
#define PM_COLLECTOR_WORKER_HOST_H

#include "collector/worker/worker.h"
#include "transform/source/launches.h"

/* Finds the kernels that the host code launches, with their buffers and values.
 *
 * build_options: as for nvcc; NULL: none. inputs->sets: values of variables, macros and parameters.
 * inputs NULL: no values are given. worker NULL: a temporary worker is started. `out`: free it with
 * pm_source_launches_free, also after a failure.
 *
 * Values that the host code does not determine are assumed and listed in `assumptions`. Zero
 * launches mean that the file has no host code with a launch. Missing headers and code that clang
 * cannot parse are not errors.
 */
pm_status pm_host_launches(const char *text, const char *path, const char *build_options,
                           const pm_launch_inputs *inputs, pm_worker *worker, const pm_log *log,
                           pm_source_launches *out, pm_error *err);

#endif
