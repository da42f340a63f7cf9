/* Splits long basic blocks, so that LLVM compiles them faster.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_HOST_LONG_BLOCKS_H
#define PM_COLLECTOR_ENGINE_BACKEND_HOST_LONG_BLOCKS_H

#include <llvm-c/Core.h>

/* Splits each basic block of the module into blocks of at most 256 instructions. LLVM selects
 * instructions one block at a time. If its fast selector meets an unknown instruction, it builds a
 * graph for all instructions above it in the block, in time quadratic in their number. */
void pm_long_blocks_cut(LLVMModuleRef module);

#endif
