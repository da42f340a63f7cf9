/* Kernel launches in the host code of a CUDA or HIP source, read in a worker process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_WORKER_HOST_H
#define PM_WORKER_HOST_H

#include "source/launches.h"
#include "worker/worker.h"

/* Reads which kernels the host code launches, with which buffers and values. build_options as for
 * nvcc; NULL: none. sets: values of variables, macros and parameters as "NAME=VALUE", behind the
 * last NULL; NULL: none. What host code does not tell is assumed, and stands in `assumptions`. Zero
 * launches mean that the file has no host code that launches a kernel. Headers that are missing,
 * and what clang cannot make sense of, stop nothing. worker NULL: one of its own. `out` is to be
 * freed with pm_source_launches_free, also after a failure. */
pm_status pm_host_launches(const char *text, const char *path, const char *build_options,
                           const char *const *sets, pm_worker *worker, const pm_log *log,
                           pm_source_launches *out, pm_error *err);

#endif
