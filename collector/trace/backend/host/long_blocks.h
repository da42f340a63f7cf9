/* Long basic blocks cut into short ones.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_LONG_BLOCKS_H
#define PM_COLLECTOR_TRACE_BACKEND_LONG_BLOCKS_H

#include <llvm-c/Core.h>

/* LLVM selects the host's instructions a basic block at a time, in time that grows as the square of
 * its length where it does so by a graph of the block, as it does of all that stands above an
 * instruction that its fast way does not know. Cuts each block of the module to 256 instructions,
 * one of which jumps to the rest. */
void pm_long_blocks_cut(LLVMModuleRef module);

#endif
