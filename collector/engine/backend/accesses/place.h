/* The source location of a memory access.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_ACCESSES_PLACE_H
#define PM_COLLECTOR_ENGINE_BACKEND_ACCESSES_PLACE_H

#include <llvm-c/Core.h>

typedef struct {
    /* source line and column, counted from 1; both are 0 if the module has no debug information */
    unsigned line, column;
} pm_place;

/* Returns the source location of a memory instruction. If LLVM dropped the location, returns the
 * first of these that is known: the location of an instruction that uses the loaded value; the
 * nearest location in the basic block, first among earlier instructions; line `loop_line` of the
 * innermost loop (0: unknown); the line of the kernel. */
pm_place pm_place_of(LLVMValueRef instruction, unsigned loop_line);

/* Returns the source line of the function that contains the instruction; 0: there is no debug
 * information. */
unsigned pm_function_line(LLVMValueRef instruction);

#endif
