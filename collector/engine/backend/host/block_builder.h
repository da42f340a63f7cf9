/* Each basic block of a kernel becomes a function of host code, which executes it for all
 * work-items of a warp. Generates what these functions have in common: their arguments, the loop
 * over work-items, and access to values of other blocks.
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
    LLVMBuilderRef builder; /* LLVM builder, positioned at the end of `body` */
    /* Builder positioned in the host function's entry basic block, outside of the loop over
     * work-items. Its instructions compute values that all work-items have in common. */
    LLVMBuilderRef uniform;
    LLVMBasicBlockRef entry, head, body, skip, done;
    LLVMTypeRef i8, i32, i64, pointer;
    LLVMValueRef frame, private_base, mask, group, addresses, next; /* the function's arguments */
    /* LLVM values of the loop's current iteration, which executes `step` work-items: lane number
     * and private memory of the first of them */
    LLVMValueRef lane, private_memory;
    LLVMValueRef shared, shared_bytes, arena, arena_bytes, arena_address, spare, arguments;
    /* hash table from values of the kernel to values of the host function, for values that this
     * basic block has defined or loaded */
    pm_definition *defined;
    size_t defined_count, defined_room;
} pm_block_builder;

/* Starts the host function `name` of a segment (basic block, cut at barriers) up to the body of its
 * loop over work-items. step: number of work-items that an iteration executes, a divisor of the
 * warp's width. */
pm_block_builder pm_block_builder_start(const pm_warp_builder *lanes, uint32_t segment,
                                        unsigned step, const char *name);
/* Closes the loop over work-items. Generated code in `body` must already end with a branch to
 * `skip`. */
void pm_block_builder_finish(pm_block_builder *writer);

LLVMBasicBlockRef pm_block_builder_block(const pm_block_builder *writer, const char *name);

LLVMValueRef pm_number(const pm_block_builder *writer, uint64_t value);
/* Generates code for the address of base[index]. type: type of an element. */
LLVMValueRef pm_member(LLVMBuilderRef builder, LLVMTypeRef type, LLVMValueRef base,
                       LLVMValueRef index);

/* Generates code for the result of a call such as get_local_id, which reads an id, a size or an
 * offset of the launch. */
LLVMValueRef pm_block_builder_call(pm_block_builder *writer, LLVMValueRef call);
/* Returns the value in the host function that corresponds to a value of the kernel. */
LLVMValueRef pm_block_builder_value(pm_block_builder *writer, LLVMValueRef value);
/* Returns the value in the host function that corresponds to a value of the kernel, as
 * pm_block_builder_value does. Returns NULL if the basic block has not defined or loaded the value
 * yet. */
LLVMValueRef pm_block_builder_find(const pm_block_builder *writer, LLVMValueRef value);
void pm_block_builder_define(pm_block_builder *writer, LLVMValueRef from, LLVMValueRef to);

/* Generates code for the address of the element of a slot that belongs to the current work-item of
 * the loop. A slot is an array in the warp's frame, with one element per work-item, for a value
 * that several basic blocks use. */
LLVMValueRef pm_block_builder_slot(pm_block_builder *writer, int64_t slot, LLVMTypeRef type);

/* pm_block_builder_argument_slot generates code for the address at which the host stores a kernel
 * argument. pm_block_builder_is_by_value returns whether the argument is a struct passed by
 * value. */
LLVMValueRef pm_block_builder_argument_slot(pm_block_builder *writer, LLVMValueRef argument);
bool pm_block_builder_is_by_value(const pm_block_builder *writer, LLVMValueRef argument);

/* Generates a load from base + offset bytes, for a value that all work-items have in common. */
LLVMValueRef pm_block_builder_load(pm_block_builder *writer, LLVMTypeRef type, LLVMValueRef base,
                                   uint64_t offset);

#endif
