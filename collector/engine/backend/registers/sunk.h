/* Moves arithmetic instructions of LLVM IR to the positions at which NVIDIA's or LLVM's back end
 * executes them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_REGISTERS_SUNK_H
#define PM_COLLECTOR_ENGINE_BACKEND_REGISTERS_SUNK_H

#include <llvm-c/Core.h>

#include "base/memory.h"

/* The moves that pm_sunk_move_back or pm_sunk_move_on made, so that pm_sunk_restore can undo them.
 * LLVM sinks a value that only one side of a branch uses into that side, so the value's operands
 * stay live until there. An example is a tile of sums, each of which is stored only if it is inside
 * the image. ptxas leaves the additions where their operands are defined. */
typedef struct {
    struct pm_sunk_move {
        LLVMValueRef value,
            before; /* before: the instruction that followed the value before the move */
    } * moves;
    size_t count;
} pm_sunk;

/* If LLVM's sinking into one side of a branch keeps more than 32 values live, moves the side's sums
 * and products up to the definition of their last operand. Loads among their operands are moved,
 * too. The moved code is valid for liveness analysis only, because the loads may fault there. Undo
 * it with pm_sunk_restore. */
pm_sunk pm_sunk_move_back(LLVMValueRef kernel, pm_memory *memory);
/* Moves each addition whose result only one other basic block uses down into that block, if the
 * block is in no loop. LLVM's back ends for GPUs do the same (pass MachineSink). */
pm_sunk pm_sunk_move_on(LLVMValueRef kernel, pm_memory *memory);
void pm_sunk_restore(const pm_sunk *done);

#endif
