/* The source location of a memory access.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_ACCESSES_PLACE_H
#define PM_COLLECTOR_TRACE_BACKEND_ACCESSES_PLACE_H

#include <llvm-c/Core.h>

typedef struct {
    unsigned line, column; /* from 1; 0 in a module without debug information */
} pm_place;

/* The instruction's own location. If LLVM dropped it: that of an instruction that uses what was
 * loaded; else of the nearest one of its block that has one, an earlier one first; else line
 * `loop_line`, of the innermost loop around it (0: none); else the kernel's. */
pm_place pm_place_of(LLVMValueRef instruction, unsigned loop_line);

/* Line of the function that has the instruction; 0: there is no debug information. */
unsigned pm_function_line(LLVMValueRef instruction);

#endif
