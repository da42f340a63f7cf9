/* Transforms a workload (source, buffers and launches): the same work with other memory layouts, or
 * with arrays staged in local memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A buffer that kernels use as an array of structs is replaced by the buffers of the new layout,
 * such as particles.pos_x or particles.0, and its contents are converted to them. To check results,
 * the outputs are converted back and given to the original workload's check. All other buffers
 * share the memory of the original workload's contents, so the new workload owns the original.
 *
 * If kernels use an array in several layouts, there is a copy in each layout. If the copy that a
 * kernel needs is outdated, a conversion kernel (Particle_to_soa) is launched first. Its time
 * counts as part of the work. If kernels write such an array, all copies are reset to their initial
 * contents before each pass over the launches.
 */
#ifndef PM_TRANSFORM_REWRITE_TRANSFORM_H
#define PM_TRANSFORM_REWRITE_TRANSFORM_H

#include "program/workload.h"

/* Transforms a workload. text: layouts (layout.h), then a staging request
 * (transform/staging/staging.h), or only one of both; it becomes the new workload's variant.
 * Staging changes only the source that the layouts produce. Takes ownership of `workload`, also on
 * failure. If nothing changes, returns `workload` itself with the new variant. PM_BAD_INPUT if a
 * layout does not fit, the source cannot be rewritten, arrays cannot be staged, or a buffer is an
 * array of structs in one kernel and something else in another. */
pm_workload *pm_layout_transform(pm_workload *workload, const char *text, pm_session *session,
                                 pm_error *err);

#endif
