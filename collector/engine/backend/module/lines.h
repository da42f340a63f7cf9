/* Retains the source locations of loads that LLVM moves. LLVM drops the location of an instruction
 * that it moves to another basic block, for example out of a loop.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_MODULE_LINES_H
#define PM_COLLECTOR_ENGINE_BACKEND_MODULE_LINES_H

#include <llvm-c/Core.h>

/* Writes line and column of each load that has no name into its name, which LLVM keeps when it
 * moves or copies the load. */
void pm_lines_note(LLVMModuleRef module);

/* Gives loads without a source location the location that pm_lines_note() wrote into their
 * names. */
void pm_lines_restore(LLVMModuleRef module);

#endif
