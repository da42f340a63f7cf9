/* Assigns positions (slots) in a warp's frame to values of a kernel. The frame is memory for values
 * that one segment (basic block, cut at barriers) computes and another one uses.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/control_flow/slots.h"

#include <stdlib.h>

#include "collector/engine/backend/ir/intrinsics.h"
#include "collector/engine/backend/ir/ir.h"

enum { SLOT_ALIGNMENT = 64 };

static int by_instruction(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)((const pm_code_value *)a)->instruction;
    uintptr_t y = (uintptr_t)((const pm_code_value *)b)->instruction;

    return (x > y) - (x < y);
}

pm_code_value *pm_code_value_of(const pm_values *values, LLVMValueRef instruction)
{
    pm_code_value key = {.instruction = instruction};

    return bsearch(&key, values->values, values->count, sizeof key, by_instruction);
}

bool pm_value_is_free(LLVMValueRef instruction)
{

    if (LLVMIsAAllocaInst(instruction))
        return true;
    if (!LLVMIsACallInst(instruction))
        return false;
    switch (pm_call_kind(instruction)) {
    case PM_CALL_ORDINARY:
    case PM_CALL_NOTHING:
    case PM_CALL_BARRIER:
    case PM_CALL_GRID_BARRIER:
    case PM_CALL_EXCHANGE:
    case PM_CALL_WARP_SYNC:
        return false;
    /* A global offset is recomputed at each use if its dimension is a constant. If the dimension is
     * a variable, recomputing would need a slot for this variable in the warp's frame (memory for
     * values that several basic blocks use). */
    case PM_CALL_OFFSET:
        return LLVMIsAConstant(LLVMGetOperand(instruction, 0));
    default:
        return true;
    }
}

/* A basic block is cut into segments at barriers. Returns the index of the block's last segment,
 * which contains the block's terminator. */
static uint32_t tail_of(const pm_values *values, LLVMBasicBlockRef block)
{
    return pm_code_value_of(values, LLVMGetBasicBlockTerminator(block))->segment;
}

/* Returns whether a phi reads the value in another segment (basic block, cut at barriers) than the
 * one that defines it. A phi reads its value at the end of the predecessor basic block. */
static bool phi_reads_elsewhere(const pm_values *values, const pm_code_value *value,
                                LLVMValueRef phi)
{
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
        if (LLVMGetIncomingValue(phi, k) == value->instruction &&
            tail_of(values, LLVMGetIncomingBlock(phi, k)) != value->segment)
            return true;
    return false;
}

static bool is_used_elsewhere(const pm_values *values, const pm_code_value *value)
{
    PM_EACH_USE(use, value->instruction) {
        LLVMValueRef user = LLVMGetUser(use);
        const pm_code_value *by = pm_code_value_of(values, user);

        if (!by)
            continue;
        if (LLVMIsAPHINode(user) ? phi_reads_elsewhere(values, value, user)
                                 : by->segment != value->segment)
            return true;
    }
    return false;
}

static size_t align_up(size_t bytes, size_t to)
{
    return (bytes + to - 1) / to * to;
}

/* Assigns to a private variable its offset in the work-item's private memory. pm_module_check has
 * made sure that the variables' sizes are constants and their sum is small. */
static void place_variable(pm_code_value *value, LLVMTargetDataRef layout, pm_values *values)
{
    LLVMValueRef count = LLVMGetOperand(value->instruction, 0);
    LLVMTypeRef type = LLVMGetAllocatedType(value->instruction);

    values->private_bytes = align_up(values->private_bytes, 16);
    value->slot = (int64_t)values->private_bytes;
    values->private_bytes += LLVMABISizeOfType(layout, type) * LLVMConstIntGetZExtValue(count);
}

/* If another segment (basic block, cut at barriers) uses a value, assigns a slot to it in the
 * warp's frame, which is the memory for such values. */
static void place_value(pm_code_value *value, LLVMTargetDataRef layout, unsigned warp_width,
                        pm_values *values)
{
    LLVMTypeRef type = LLVMTypeOf(value->instruction);

    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind || pm_value_is_free(value->instruction))
        return;
    if (!LLVMIsAPHINode(value->instruction) && !is_used_elsewhere(values, value))
        return;
    value->slot = (int64_t)values->frame_bytes;
    values->frame_bytes += align_up(LLVMABISizeOfType(layout, type) * warp_width, SLOT_ALIGNMENT);
}

/* Values are sorted by the host address of their LLVM object, which differs from run to run. Slots
 * in the warp's frame (memory for values that several basic blocks use), and offsets in private
 * memory, are therefore assigned in program order, because these offsets are part of GPU addresses,
 * which must be the same in each run. */
pm_values pm_values_find(const pm_structure *structure, LLVMTargetDataRef layout,
                         unsigned warp_width, pm_memory *memory)
{
    /* the warp's frame (memory for values that several basic blocks use) starts with the three
     * local ids of each of the warp's work-items */
    pm_values values = {.frame_bytes =
                            align_up((size_t)3 * warp_width * sizeof(uint32_t), SLOT_ALIGNMENT)};

    for (uint32_t k = 0; k < structure->count; k++)
        PM_EACH_OF_SEGMENT(i, &structure->segments[k])
            *pm_add(memory, values.values, values.count) =
                (pm_code_value){.instruction = i, .segment = k, .slot = PM_NO_SLOT};
    qsort(values.values, values.count, sizeof *values.values, by_instruction);
    for (uint32_t k = 0; k < structure->count; k++)
        PM_EACH_OF_SEGMENT(i, &structure->segments[k]) {
            pm_code_value *value = pm_code_value_of(&values, i);

            if (LLVMIsAAllocaInst(i))
                place_variable(value, layout, &values);
            else
                place_value(value, layout, warp_width, &values);
        }
    values.private_bytes = align_up(values.private_bytes, 64);
    return values;
}
