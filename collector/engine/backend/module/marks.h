/* Marks of the PTX blocks in a module that was translated from PTX.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_MODULE_MARKS_H
#define PM_COLLECTOR_ENGINE_BACKEND_MODULE_MARKS_H

#include <llvm-c/Core.h>
#include <stdint.h>

#include "base/memory.h"

/* A mark (PM_PTX_MARK): the PTX block with this number is executed as often as an LLVM block. */
typedef struct {
    LLVMBasicBlockRef block;
    uint32_t number;
} pm_mark;

typedef struct pm_marks {
    size_t count;
    pm_mark *marks; /* sorted by the address of `block` */
} pm_marks;

/* Removes the calls of PM_PTX_MARK from a module. Returns their blocks and numbers. */
pm_marks pm_marks_take(LLVMModuleRef module, pm_memory *memory);

/* Returns the first mark of a block, and sets *count to their number. */
const pm_mark *pm_marks_of(const pm_marks *marks, LLVMBasicBlockRef block, uint32_t *count);

#endif
