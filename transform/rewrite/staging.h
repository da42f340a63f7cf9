/* Stages arrays of a workload in local memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_REWRITE_STAGING_H
#define PM_TRANSFORM_REWRITE_STAGING_H

#include "program/workload.h"
#include "transform/staging/staging.h"

/* Local memory per work-group that CUDA GPUs have had since compute capability 2.0, in bytes,
 * without opting in to more (CUDA C++ Programming Guide, technical specifications). We assume it
 * for OpenCL 1.2 GPUs too. */
enum { PM_STAGE_LOCAL_BYTES = 48 * 1024 };

/* A workload's launches, as staging needs them. A launch equal to one of the last few before it is
 * omitted. `kernel` is borrowed from the workload. */
typedef struct {
    size_t count;
    pm_stage_launch *items;
    pm_memory memory; /* owns items; the caller frees it, also on failure */
} pm_stage_launches;
pm_status pm_stage_launches_of(const pm_workload *workload, pm_stage_launches *launches,
                               pm_error *err);

/* Like pm_transform_source(). made: the workload after the layouts are applied. It gives staging
 * the launches, and the source if layouts differ between kernels. NULL: there is only the source.
 */
pm_status pm_transform_source_text(pm_session *session, const char *text, const char *path,
                                   const pm_transform_options *options, const pm_workload *made,
                                   pm_transformed *out, pm_error *err);

/* Stages arrays of the workload's source as text requests (pm_source_stage with the workload's
 * launches). The workload does not change. */
pm_status pm_stage_workload(const pm_workload *workload, const char *text, pm_session *session,
                            pm_staged *shared, pm_error *err);

/* Replaces the workload's source by one that stages arrays as text requests
 * (transform/staging/staging.h). Buffers, launches and check do not change. Assumptions of the
 * analysis are checked for these launches. Fails with PM_BAD_INPUT if an assumption fails or
 * staging would not be correct; the message has path, line and reason. */
pm_status pm_transform_share(pm_workload *workload, const char *text, pm_session *session,
                             pm_error *err);

#endif
