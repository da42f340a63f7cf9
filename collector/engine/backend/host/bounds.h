/* Generates LLVM IR that computes the bounds of a memory access: the first and last address of host
 * memory that a load or store of a kernel may touch. Accesses outside of them are errors of the
 * kernel.
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

/* Generates the bounds of an access by the memory instruction `site`. object: the argument or
 * variable that its pointer points into (pm_site_object). host: the accessed address on the host.
 */
pm_host_bounds pm_host_bounds_of(pm_block_builder *writer, const pm_site *site, LLVMValueRef object,
                                 LLVMValueRef host);

#endif
