/* Data exchange between the work-items of a warp: shuffles, votes, reductions (CUDA's __shfl_sync,
 * __ballot_sync and similar).
 *
 * The host executes a basic block for one work-item after the other. A block is therefore cut
 * before an exchange call, so that all work-items have stored their operands in the warp's frame
 * (memory for values of all work-items) when the call is executed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_HOST_EXCHANGE_H
#define PM_COLLECTOR_ENGINE_BACKEND_HOST_EXCHANGE_H

#include "collector/engine/backend/host/block_builder.h"

/* Copies the operands of each exchange call (shuffle, vote or reduction) into instructions directly
 * before the call. Adds a point between them and the call at which all work-items of a warp wait
 * for each other. Call this function once per kernel. */
void pm_exchange_prepare(LLVMValueRef kernel, pm_cuts *cuts, pm_memory *memory);

/* Generates code for the current work-item's result of an exchange call (shuffle, vote or
 * reduction). */
LLVMValueRef pm_exchange_write(pm_block_builder *writer, LLVMValueRef call);

#endif
