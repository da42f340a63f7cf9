/* Staging the arrays of a workload in local memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_STAGING_H
#define PM_TRANSFORM_STAGING_H

#include "program/workload.h"
#include "staging/staging.h"

/* What every OpenCL 1.2 GPU and every CUDA GPU since compute capability 2.0 gives a work-group
 * without being asked for more (CUDA C++ Programming Guide, table of technical specifications). */
enum { PM_STAGE_LOCAL_BYTES = 48 * 1024 };

/* A workload's launches as staging sees them, without those that are like one of the last few
 * before them. kernel belongs to the workload. */
typedef struct {
    size_t count;
    pm_stage_launch *items;
    pm_memory memory; /* of what is here; to be freed either way */
} pm_stage_launches;
pm_status pm_stage_launches_of(const pm_workload *workload, pm_stage_launches *launches,
                               pm_error *err);

/* As pm_transform_source. made: the workload as the layouts leave it, which tells launches to
 * staging, and has the source where layouts differ between kernels; NULL: the source is all there
 * is, as far as these go. */
pm_status pm_transform_source_text(pm_session *session, const char *text, const char *path,
                                   const pm_transform_options *options, const pm_workload *made,
                                   pm_transformed *out, pm_error *err);

/* What staging as text says makes of the workload's source (pm_source_stage with its launches). */
pm_status pm_stage_workload(const pm_workload *workload, const char *text, pm_session *session,
                            pm_staged *shared, pm_error *err);

/* Replaces the workload's source by one that stages arrays as text says (staging/staging.h);
 * buffers, launches and check stay as they are. What the analysis has to assume holds for these
 * launches, or it is refused. PM_BAD_INPUT: what cannot be kept right, with path, line and reason.
 */
pm_status pm_transform_share(pm_workload *workload, const char *text, pm_session *session,
                             pm_error *err);

#endif
