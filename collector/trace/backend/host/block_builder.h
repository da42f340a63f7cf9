/* The frame of a block's host function: its arguments, the loop over work-items, and where values
 * come from.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_HOST_BLOCK_BUILDER_H
#define PM_COLLECTOR_TRACE_BACKEND_HOST_BLOCK_BUILDER_H

#include "collector/trace/backend/host/warp_builder.h"

typedef struct {
    LLVMValueRef from, to;
} pm_definition;

typedef struct {
    const pm_warp_builder *lanes;
    bool is_slice;
    uint32_t segment, first_site;
    const char *name;
    LLVMValueRef function;
    LLVMBuilderRef builder; /* at the end of body */
    LLVMBuilderRef uniform; /* in the entry, for what all work-items share */
    LLVMBasicBlockRef entry, head, body, skip, done;
    LLVMTypeRef i8, i32, i64, pointer;
    LLVMValueRef frame, private_base, mask, group, addresses, next; /* the function's arguments */
    LLVMValueRef lane, private_memory;                              /* of the work-item */
    LLVMValueRef shared, shared_bytes, arena, arena_bytes, arena_address, spare, arguments;
    pm_definition *defined; /* by this block or read by it already: a hash table */
    size_t defined_count, defined_room;
} pm_block_builder;

pm_block_builder pm_block_builder_start(const pm_warp_builder *lanes, uint32_t segment,
                                        const char *name);
/* Closes the loop over work-items; body must have ended with a branch to skip. */
void pm_block_builder_finish(pm_block_builder *writer);

LLVMBasicBlockRef pm_block_builder_block(const pm_block_builder *writer, const char *name);

LLVMValueRef pm_number(const pm_block_builder *writer, uint64_t value);
/* Pointer to base[index]. */
LLVMValueRef pm_member(LLVMBuilderRef builder, LLVMTypeRef type, LLVMValueRef base,
                       LLVMValueRef index);

/* Computes one of those that the engine answers (pm_call_kind): ids, sizes, offsets. */
LLVMValueRef pm_block_builder_call(pm_block_builder *writer, LLVMValueRef call);
/* What stands for a value of the kernel here. */
LLVMValueRef pm_block_builder_value(pm_block_builder *writer, LLVMValueRef value);
void pm_block_builder_define(pm_block_builder *writer, LLVMValueRef from, LLVMValueRef to);

/* Pointer to the work-item's part of a slot of the frame. */
LLVMValueRef pm_block_builder_slot(pm_block_builder *writer, int64_t slot, LLVMTypeRef type);

/* Where an argument of the kernel stands, and whether it is a struct passed by value. */
LLVMValueRef pm_block_builder_argument_slot(pm_block_builder *writer, LLVMValueRef argument);
bool pm_block_builder_is_by_value(const pm_block_builder *writer, LLVMValueRef argument);

/* Loads what all work-items share, at base + offset. */
LLVMValueRef pm_block_builder_load(pm_block_builder *writer, LLVMTypeRef type, LLVMValueRef base,
                                   uint64_t offset);

#endif
