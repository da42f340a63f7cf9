/* The frame of a block's host function: its arguments, the loop over work-items, and where values
 * come from.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_WRITER_H
#define PM_COLLECTOR_TRACE_BACKEND_WRITER_H

#include "lanes.h"

typedef struct {
    LLVMValueRef from, to;
} pm_definition;

typedef struct {
    const pm_lanes *lanes;
    uint32_t segment, first_site;
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
    const char *failed; /* NULL: all went well */
} pm_writer;

pm_writer *pm_writer_create(const pm_lanes *lanes, uint32_t segment, const char *name,
                            pm_error *err);
void pm_writer_free(pm_writer *writer);
/* Closes the loop over work-items; body must have ended with a branch to skip. */
void pm_writer_finish(pm_writer *writer);

LLVMBasicBlockRef pm_writer_block(pm_writer *writer, const char *name);

/* Computes one of those that the engine answers (pm_call_kind): ids, sizes, offsets. */
LLVMValueRef pm_writer_call(pm_writer *writer, LLVMValueRef call);
/* What stands for a value of the kernel here. */
LLVMValueRef pm_writer_value(pm_writer *writer, LLVMValueRef value);
void pm_writer_define(pm_writer *writer, LLVMValueRef from, LLVMValueRef to);

/* Pointer to the work-item's part of a slot of the frame. */
LLVMValueRef pm_writer_slot(pm_writer *writer, int64_t slot, LLVMTypeRef type);

/* Where an argument of the kernel stands, and whether it is a struct passed by value. */
LLVMValueRef pm_writer_argument_slot(pm_writer *writer, LLVMValueRef argument);
bool pm_writer_is_by_value(const pm_writer *writer, LLVMValueRef argument);

/* Loads what all work-items share, at base + offset. */
LLVMValueRef pm_writer_load(pm_writer *writer, LLVMTypeRef type, LLVMValueRef base,
                            uint64_t offset);

#endif
