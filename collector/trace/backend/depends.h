/* Whether what a kernel does depends on what its buffers hold.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_DEPENDS_H
#define PM_COLLECTOR_TRACE_BACKEND_DEPENDS_H

#include "slots.h"

/* true: some address or branch may depend on a value that was loaded. false: the same addresses are
 * accessed and the same way is taken whatever the buffers hold. values are all of the kernel's. */
pm_status pm_depends_on_data(const pm_values *values, bool *depends, pm_error *err);

#endif
