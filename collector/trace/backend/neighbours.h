/* Helps LLVM to see that accesses are neighbours.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_NEIGHBOURS_H
#define PM_COLLECTOR_TRACE_BACKEND_NEIGHBOURS_H

#include <llvm-c/Core.h>

/* Rewrites x | (2^k - 1) as (x & -2^k) + (2^k - 1) in all of a module. LLVM has made the first of
 * the second, which hides that the index is a fixed step from x & -2^k: loads of neighbours would
 * not be merged, as NVIDIA's compiler merges them. */
void pm_neighbours_show(LLVMModuleRef module);

#endif
