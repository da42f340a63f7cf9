/* Transform: a Workload in, the same work with another layout out.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The buffers that kernels take as arrays of structs become one buffer a part, their contents are
 * packed, and the check unpacks before it asks the original's. Buffers whose struct does not change
 * are shared by reference to the original workload's contents, so it is owned by the new one.
 */
#ifndef PM_LAYOUT_TRANSFORM_H
#define PM_LAYOUT_TRANSFORM_H

#include "collector/workload.h"

/* layouts: text as in layout.h; it becomes the new workload's variant, as given. Takes ownership of
 * workload, also on failure. A text that leaves all as it is returns workload itself, renamed.
 * Layouts that differ between kernels put conversions where a buffer is needed in another layout
 * than it is in. PM_BAD_INPUT: a layout that does not fit, a source that cannot be rewritten, a
 * buffer that is an array of structs to one kernel and something else to another. */
pm_workload *pm_layout_transform(pm_workload *workload, const char *layouts, const pm_log *log,
                                 pm_error *err);

#endif
