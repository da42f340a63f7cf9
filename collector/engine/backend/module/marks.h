/* Marks of PTX blocks. A mark is a call of PM_PTX_MARK in a module that was translated from PTX. It
 * says that the PTX basic block with the number in its argument is executed as often as the LLVM
 * basic block that contains the call.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_MODULE_MARKS_H
#define PM_COLLECTOR_ENGINE_BACKEND_MODULE_MARKS_H

#include <llvm-c/Core.h>
#include <stdint.h>

#include "base/memory.h"

/* A mark: the PTX block number `number` is executed as often as the basic block `block` of the
 * module. */
typedef struct {
    LLVMBasicBlockRef block;
    uint32_t number;
} pm_mark;

typedef struct pm_marks {
    size_t count;
    /* Marks of basic blocks, sorted by the address of the member `block`. A mark gives the number
     * of a PTX block that is executed as often as the basic block. Several marks may have the same
     * basic block. */
    pm_mark *marks;
} pm_marks;

/* Removes the calls of PM_PTX_MARK (marks of PTX blocks) from a module. Returns, for each call, its
 * basic block and the number of the PTX block. */
pm_marks pm_marks_take(LLVMModuleRef module, pm_memory *memory);

/* Returns the first mark of a basic block (number of a PTX block that is executed as often as the
 * basic block), and sets *count to the number of its marks. */
const pm_mark *pm_marks_of(const pm_marks *marks, LLVMBasicBlockRef block, uint32_t *count);

#endif
