/* The access tables of kernels, which the trace engine makes and a pm_trace keeps.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ACCESS_TABLES_H
#define PM_COLLECTOR_ACCESS_TABLES_H

#include "perfmodel.h"

/* names and units are arrays of malloc, whose texts are not. */
void pm_trace_kernels_free(pm_trace_kernel *kernels, size_t count);

#endif
