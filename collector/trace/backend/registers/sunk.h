/* Arithmetic that LLVM has moved to where its result is wanted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_REGISTERS_SUNK_H
#define PM_COLLECTOR_TRACE_BACKEND_REGISTERS_SUNK_H

#include <llvm-c/Core.h>

#include "base/memory.h"

/* LLVM moves a value that one side of a branch alone wants into that side, and what it is made of
 * then has to be kept until there: the sums of a tile, each of which is stored if it is within the
 * image. NVIDIA's compiler adds up as the operands come. */
typedef struct {
    struct pm_sunk_move {
        LLVMValueRef value, before; /* where it was */
    } * moves;
    size_t count;
} pm_sunk;

/* Where more than 32 values would be kept for one side, moves its sums and products, and the loads
 * among their operands, back to behind the last of their operands. For a look at what is live:
 * whether the loads may be done there nobody has asked, so that all has to go back. */
pm_sunk pm_sunk_move_back(LLVMValueRef kernel, pm_memory *memory);
/* The other way: sums that one other block alone wants move there, if it is in no loop, as LLVM's
 * back ends for GPUs move them (MachineSink). */
pm_sunk pm_sunk_move_on(LLVMValueRef kernel, pm_memory *memory);
void pm_sunk_restore(const pm_sunk *done);

#endif
