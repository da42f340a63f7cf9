/* Changes a workload so that its kernels copy arrays to local memory (CUDA: shared memory) and read
 * them there ("staging").
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_REWRITE_STAGING_H
#define PM_TRANSFORM_REWRITE_STAGING_H

#include "program/workload.h"
#include "transform/staging/staging.h"

/* Local memory of a work-group in bytes that CUDA GPUs have since compute capability 2.0, without
 * opting in to more (CUDA C++ Programming Guide, technical specifications). It is also assumed for
 * OpenCL 1.2 GPUs. */
enum { PM_STAGE_LOCAL_BYTES = 48 * 1024 };

/* A workload's launches as input of staging. A launch is left out if it equals one of the 16
 * launches before it. The string `kernel` of each launch belongs to the workload. */
typedef struct {
    size_t count;
    pm_stage_launch *items;
    pm_memory memory; /* memory of `items`; the caller frees it, also after an error */
} pm_stage_launches;
pm_status pm_stage_launches_of(const pm_workload *workload, pm_stage_launches *launches,
                               pm_error *err);

/* Rewrites the kernel source `text` with the layouts and the staging that `options` request. made:
 * the workload to which the layouts were already applied; staging uses its launches and, if layouts
 * differ between kernels, the result is made from its source. NULL: no workload is known, only the
 * source. */
pm_status pm_transform_source_text(pm_session *session, const char *text, const char *path,
                                   const pm_transform_options *options, const pm_workload *made,
                                   pm_transformed *out, pm_error *err);

/* Makes a new text of the workload's source, in which kernels copy the arrays named by the request
 * `text` to local memory and read them there (staging). Returns it in `shared`. The workload itself
 * does not change. */
pm_status pm_stage_workload(const pm_workload *workload, const char *text, pm_session *session,
                            pm_staged *shared, pm_error *err);

/* Replaces the workload's source by one in which kernels copy the arrays named by the request
 * `text` to local memory and read them there (staging; syntax in transform/staging/staging.h).
 * Buffers, launches and the check of results do not change. PM_BAD_INPUT with path, line and reason
 * if this is not correct, or if the workload's launches do not meet a condition that it needs, such
 * as a range of an argument. */
pm_status pm_transform_share(pm_workload *workload, const char *text, pm_session *session,
                             pm_error *err);

#endif
