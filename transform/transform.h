/* Transform: a Workload in, the same work with another layout, or with arrays staged in local
 * memory, out.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The buffers that kernels take as arrays of structs become one buffer a part (particles.pos_x,
 * particles.0), their contents are packed, and the check unpacks before it asks the original's.
 * Buffers that do not change borrow the original's contents, so the new workload owns the original.
 *
 * An array that kernels use in several layouts is there in each of them. A kernel that needs it in
 * one that is out of date is preceded by a launch of a conversion (Particle_to_soa), which is part
 * of the work and of its time. Such an array, where kernels write it, is restored before each pass.
 */
#ifndef PM_TRANSFORM_TRANSFORM_H
#define PM_TRANSFORM_TRANSFORM_H

#include "program/workload.h"

/* text: layouts as in layout.h, then staging as in staging/staging.h, or either alone; it becomes
 * the new workload's variant, as given. Takes ownership of workload, also on failure. A text that
 * leaves all as it is returns workload itself, renamed. Layouts that differ between kernels put
 * conversions where a buffer is needed in another layout than it is in; arrays are staged in the
 * source that the layouts make, which leaves buffers, launches and check alone. PM_BAD_INPUT: a
 * layout that does not fit, a source that cannot be rewritten, a buffer that is an array of structs
 * to one kernel and something else to another, arrays that cannot be staged. */
pm_workload *pm_layout_transform(pm_workload *workload, const char *text, pm_session *session,
                                 pm_error *err);

#endif
