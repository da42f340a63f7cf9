/* Generates code for the bounds of the host memory that a memory access of a kernel may touch.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_HOST_BOUNDS_H
#define PM_COLLECTOR_ENGINE_BACKEND_HOST_BOUNDS_H

#include "collector/engine/backend/host/block_builder.h"

typedef struct {
    LLVMValueRef base, bytes; /* host addresses in [base, base + bytes) are valid */
    LLVMValueRef address;     /* GPU address of `base` */
} pm_host_bounds;

/* Bounds of an access by the memory instruction `site`. object: result of pm_site_object for its
 * pointer. host: the accessed host address. */
pm_host_bounds pm_host_bounds_of(pm_block_builder *writer, const pm_site *site, LLVMValueRef object,
                                 LLVMValueRef host);

#endif
