/* Splits long basic blocks, so that LLVM compiles them faster.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_HOST_LONG_BLOCKS_H
#define PM_COLLECTOR_ENGINE_BACKEND_HOST_LONG_BLOCKS_H

#include <llvm-c/Core.h>
#include <stddef.h>

/* Splits each basic block of the module into blocks of at most `most` instructions and its phis
 * (most: at least 3). LLVM selects instructions one block at a time, in a time that is quadratic in
 * the number of the block's instructions. */
void pm_long_blocks_cut(LLVMModuleRef module, size_t most);

#endif
