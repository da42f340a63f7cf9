/* Moves arithmetic between the places of LLVM's sinking and those of NVIDIA's compiler.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_REGISTERS_SUNK_H
#define PM_COLLECTOR_ENGINE_BACKEND_REGISTERS_SUNK_H

#include <llvm-c/Core.h>

#include "base/memory.h"

/* Moves to undo. LLVM sinks a value that only one side of a branch uses into that side, so its
 * operands stay live until there. An example are the sums of a tile, each of which is stored only
 * if it is inside the image. ptxas leaves the additions where their operands are defined. */
typedef struct {
    struct pm_sunk_move {
        LLVMValueRef value,
            before; /* before: the instruction that followed the value before the move */
    } * moves;
    size_t count;
} pm_sunk;

/* If sinking keeps more than 32 values live for one side, moves its sums and products, and loads
 * among their operands, up to the definition of their last operand. The moved code is valid for
 * liveness analysis only, because the loads may fault there. Undo it with pm_sunk_restore. */
pm_sunk pm_sunk_move_back(LLVMValueRef kernel, pm_memory *memory);
/* Sinks additions that only one other block uses into that block, except into a loop, as LLVM's
 * back ends for GPUs do (MachineSink). */
pm_sunk pm_sunk_move_on(LLVMValueRef kernel, pm_memory *memory);
void pm_sunk_restore(const pm_sunk *done);

#endif
