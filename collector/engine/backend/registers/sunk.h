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
 * If only one side of a branch uses the result of an addition, LLVM moves the addition down into
 * that side, so that the operands stay live until there. An example is a kernel in which each
 * work-item adds up many sums and stores each sum only if it is inside the image. ptxas leaves the
 * additions where their operands are defined. */
typedef struct {
    struct pm_sunk_move {
        LLVMValueRef value,
            before; /* before: the instruction that followed the value before the move */
    } * moves;
    size_t count;
} pm_sunk;

/* Moves computations up, to the position at which ptxas leaves them. LLVM has moved sums and
 * products down into a side of a branch. If this keeps more than 32 values live, moves each of them
 * up to the definition of its last operand. Loads among the operands are moved, too. The moved code
 * is valid for liveness analysis only, because the loads may fault there. Undo the moves with
 * pm_sunk_restore. */
pm_sunk pm_sunk_move_back(LLVMValueRef kernel, pm_memory *memory);
/* Moves computations down, as LLVM's back ends for GPUs do (pass MachineSink). If only one other
 * basic block uses the result of an addition, and that block is in no loop, moves the addition into
 * that block. Undo the moves with pm_sunk_restore. */
pm_sunk pm_sunk_move_on(LLVMValueRef kernel, pm_memory *memory);
void pm_sunk_restore(const pm_sunk *done);

#endif
