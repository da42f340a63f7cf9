/* Builds the frame of a block's host function: arguments, the loop over work-items, and access to
 * values of other blocks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_HOST_BLOCK_BUILDER_H
#define PM_COLLECTOR_ENGINE_BACKEND_HOST_BLOCK_BUILDER_H

#include "collector/engine/backend/host/warp_builder.h"

typedef struct {
    LLVMValueRef from, to;
} pm_definition;

typedef struct {
    const pm_warp_builder *lanes;
    bool is_slice;
    uint32_t segment, first_site;
    unsigned step; /* number of work-items that an iteration of the loop executes */
    const char *name;
    LLVMValueRef function;
    LLVMBuilderRef builder; /* positioned at the end of `body` */
    /* Positioned in the entry, for values that all work-items have in common. */
    LLVMBuilderRef uniform;
    LLVMBasicBlockRef entry, head, body, skip, done;
    LLVMTypeRef i8, i32, i64, pointer;
    LLVMValueRef frame, private_base, mask, group, addresses, next; /* the function's arguments */
    /* lane number and private memory of the current work-item, which is the first of `step` */
    LLVMValueRef lane, private_memory;
    LLVMValueRef shared, shared_bytes, arena, arena_bytes, arena_address, spare, arguments;
    pm_definition *defined; /* hash table of the values that this block has defined or loaded */
    size_t defined_count, defined_room;
} pm_block_builder;

/* step: number of work-items of an iteration, a divisor of the warp's width. */
pm_block_builder pm_block_builder_start(const pm_warp_builder *lanes, uint32_t segment,
                                        unsigned step, const char *name);
/* Closes the loop over work-items. `body` must have ended with a branch to `skip`. */
void pm_block_builder_finish(pm_block_builder *writer);

LLVMBasicBlockRef pm_block_builder_block(const pm_block_builder *writer, const char *name);

LLVMValueRef pm_number(const pm_block_builder *writer, uint64_t value);
/* Pointer to base[index]. */
LLVMValueRef pm_member(LLVMBuilderRef builder, LLVMTypeRef type, LLVMValueRef base,
                       LLVMValueRef index);

/* Computes the result of a call that the engine implements (pm_call_kind): ids, sizes, offsets. */
LLVMValueRef pm_block_builder_call(pm_block_builder *writer, LLVMValueRef call);
/* The host value that corresponds to a value of the kernel in this block. */
LLVMValueRef pm_block_builder_value(pm_block_builder *writer, LLVMValueRef value);
/* As pm_block_builder_value, but NULL if the block has not defined or loaded the value yet. */
LLVMValueRef pm_block_builder_find(const pm_block_builder *writer, LLVMValueRef value);
void pm_block_builder_define(pm_block_builder *writer, LLVMValueRef from, LLVMValueRef to);

/* Pointer to the work-item's element of a slot of the frame. */
LLVMValueRef pm_block_builder_slot(pm_block_builder *writer, int64_t slot, LLVMTypeRef type);

/* Address of a kernel argument. The second function: whether the argument is a struct passed by
 * value. */
LLVMValueRef pm_block_builder_argument_slot(pm_block_builder *writer, LLVMValueRef argument);
bool pm_block_builder_is_by_value(const pm_block_builder *writer, LLVMValueRef argument);

/* Loads a value that all work-items have in common, at base + offset. */
LLVMValueRef pm_block_builder_load(pm_block_builder *writer, LLVMTypeRef type, LLVMValueRef base,
                                   uint64_t offset);

#endif
