/* What the work-items of a warp tell each other: shuffles, votes, reductions (CUDA's __shfl_sync,
 * __ballot_sync and their like).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The work-items of a warp run a block one after another, so a block ends before such a call: all
 * have computed what they give by then, and it stands in the warp's frame.
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_HOST_EXCHANGE_H
#define PM_COLLECTOR_TRACE_BACKEND_HOST_EXCHANGE_H

#include "collector/trace/backend/host/block_builder.h"

/* Puts what each such call of a kernel is given into an instruction of its own right before it, and
 * adds the cuts that make them parts of two segments. A kernel is prepared once. */
void pm_exchange_prepare(LLVMValueRef kernel, pm_cuts *cuts, pm_memory *memory);

/* What a call gives the work-item that is being written. */
LLVMValueRef pm_exchange_write(pm_block_builder *writer, LLVMValueRef call);

#endif
