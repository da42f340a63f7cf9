/* Finds the arguments and variables that a pointer of a kernel may point into.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/addresses/pointer.h"

#include <stdbool.h>

#include "base/numbers.h"
#include "collector/engine/backend/addresses/addresses.h"
#include "collector/engine/backend/ir/ir.h"

enum { MOST_WAYS = 128, MOST_ARGUMENTS = 64 };

typedef struct {
    /* a pointer from which the followed pointer may be computed. `pointer` is a phi or select,
     * whose operands are visited next, or the argument, variable or other value at which the path
     * ends */
    LLVMValueRef pointer;
    /* constant number of bytes that the path from `pointer` to the followed pointer adds */
    uint64_t offset;
} way;

typedef struct {
    way ways[MOST_WAYS];
    unsigned count;
    /* LLVM's data layout, to compute offsets; NULL: offsets are not computed */
    LLVMTargetDataRef layout;
    /* greatest common divisor of the differences between the offsets of all paths, in bytes */
    uint64_t stride;
} walk;

static void widen(walk *w, uint64_t apart)
{
    w->stride = pm_gcd((long long)w->stride, (long long)apart);
}

static uint64_t multiple_of(LLVMValueRef index, unsigned depth);

/* Returns a number that always divides the result of a shift by a constant; 1: nothing is known.
 * For a right shift, the result is known only if all bits that are shifted out are 0. */
static uint64_t multiple_of_shift(LLVMValueRef shift, unsigned depth)
{
    LLVMValueRef by = LLVMGetOperand(shift, 1);
    uint64_t of = multiple_of(LLVMGetOperand(shift, 0), depth), bits;

    if (!LLVMIsAConstantInt(by) || (bits = LLVMConstIntGetZExtValue(by)) > 32)
        return 1;
    if (pm_is_opcode(shift, LLVMShl))
        return of < UINT64_C(1) << 31 ? of << bits : 1;
    return of % (UINT64_C(1) << bits) == 0 ? of >> bits : 1;
}

/* Returns a number that always divides the index: 0 if the index is always 0, 1 if nothing is
 * known. We assume that the index does not overflow, because the access would then be out of
 * bounds. */
static uint64_t multiple_of(LLVMValueRef index, unsigned depth)
{
    enum { DEEPEST = 8 };
    uint64_t a, b;

    if (LLVMIsAConstantInt(index)) {
        long long value = LLVMConstIntGetSExtValue(index);

        return value < 0 ? -(uint64_t)value : (uint64_t)value;
    }
    if (depth == DEEPEST || !LLVMIsAInstruction(index))
        return 1;
    depth++;
    if (pm_is_extended(index))
        return multiple_of(LLVMGetOperand(index, 0), depth);
    if (PM_IS(index, LLVMShl, LLVMAShr, LLVMLShr))
        return multiple_of_shift(index, depth);
    if (!PM_IS(index, LLVMMul, LLVMAdd, LLVMSub))
        return 1;
    a = multiple_of(LLVMGetOperand(index, 0), depth);
    b = multiple_of(LLVMGetOperand(index, 1), depth);
    if (pm_is_opcode(index, LLVMMul))
        return a >> 31 == 0 && b >> 31 == 0 ? a * b : 1;
    return pm_gcd((long long)a, (long long)b);
}

static LLVMOpcode opcode_of(LLVMValueRef value)
{
    if (LLVMIsAInstruction(value))
        return LLVMGetInstructionOpcode(value);
    return LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value) : (LLVMOpcode)0;
}

/* Returns the constant number of bytes that an LLVM getelementptr adds to a pointer. A variable
 * index adds a multiple of some number of bytes, which becomes part of w->stride. */
static uint64_t gep_offset(walk *w, LLVMValueRef gep)
{
    LLVMTargetDataRef layout = w->layout;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    uint64_t offset = 0;

    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, i);

        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned element = (unsigned)LLVMConstIntGetZExtValue(index);

            offset += LLVMOffsetOfElement(layout, type, element);
            type = LLVMStructGetTypeAtIndex(type, element);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        if (LLVMIsAConstantInt(index))
            offset += (uint64_t)LLVMConstIntGetSExtValue(index) * LLVMABISizeOfType(layout, type);
        else
            widen(w, LLVMABISizeOfType(layout, type) * multiple_of(index, 0));
    }
    return offset;
}

/* Adds to w->ways the pointer from which `pointer` is computed by conversions and additions of
 * offsets, unless w->ways has it already. offset: constant number of bytes that is added to
 * `pointer` later. Returns false if there would be more than MOST_WAYS. */
static bool add_way(walk *w, LLVMValueRef pointer, uint64_t offset)
{
    for (LLVMOpcode opcode;
         (opcode = opcode_of(pointer)) == LLVMGetElementPtr || opcode == LLVMAddrSpaceCast ||
         opcode == LLVMBitCast || opcode == LLVMFreeze;
         pointer = LLVMGetOperand(pointer, 0))
        if (opcode == LLVMGetElementPtr && w->layout)
            offset += gep_offset(w, pointer);
    if (LLVMIsUndef(pointer))
        return true;
    for (unsigned i = 0; i < w->count; i++)
        if (w->ways[i].pointer == pointer) {
            widen(w, offset - w->ways[i].offset);
            return true;
        }
    if (w->count == MOST_WAYS)
        return false;
    w->ways[w->count++] = (way){pointer, offset};
    return true;
}

static bool add_ways(walk *w, const way *from)
{
    LLVMValueRef value = from->pointer;
    bool phi = LLVMIsAPHINode(value) != NULL, ok = true;
    unsigned ways = phi ? LLVMCountIncoming(value) : 2;

    for (unsigned i = 0; ok && i < ways; i++)
        ok = add_way(w, phi ? LLVMGetIncomingValue(value, i) : LLVMGetOperand(value, i + 1),
                     from->offset);
    return ok;
}

static bool is_joined(const way *at)
{
    LLVMOpcode opcode = opcode_of(at->pointer);

    return opcode == LLVMPHI || opcode == LLVMSelect;
}

/* Lists in w->ways the pointers from which a pointer may be computed, and follows all operands of
 * phis and selects. Returns false if there are more than MOST_WAYS. */
static bool follow(walk *w, LLVMValueRef pointer)
{
    bool ok = add_way(w, pointer, 0);

    for (unsigned i = 0; ok && i < w->count; i++)
        ok = !is_joined(&w->ways[i]) || add_ways(w, &w->ways[i]);
    return ok;
}

LLVMValueRef pm_pointer_object(LLVMValueRef pointer, LLVMTargetDataRef layout, uint64_t *offset,
                               uint64_t *stride)
{
    LLVMValueRef object = NULL;
    walk w = {.layout = layout};

    if (!follow(&w, pointer))
        return NULL;
    for (unsigned i = 0; i < w.count; i++) {
        LLVMValueRef at = w.ways[i].pointer;

        if (is_joined(&w.ways[i]))
            continue;
        if (object || !(LLVMIsAArgument(at) || LLVMIsAGlobalVariable(at) || LLVMIsAAllocaInst(at)))
            return NULL;
        object = at;
        *offset = w.ways[i].offset;
    }
    *stride = w.stride;
    return object;
}

bool pm_pointer_is_private(LLVMValueRef pointer)
{
    walk w = {0};

    if (!follow(&w, pointer))
        return false;
    for (unsigned i = 0; i < w.count; i++)
        if (!is_joined(&w.ways[i]) && !LLVMIsAAllocaInst(w.ways[i].pointer))
            return false;
    return true;
}

/* Returns whether a value is a pointer that was loaded from global or constant memory. */
static bool is_loaded(LLVMValueRef value)
{
    return LLVMIsALoadInst(value) && !pm_pointer_is_private(LLVMGetOperand(value, 0));
}

uint64_t pm_pointer_arguments(LLVMValueRef kernel, LLVMValueRef pointer, bool *loaded)
{
    uint64_t arguments = 0;
    walk w = {0};

    *loaded = true;
    if (!follow(&w, pointer))
        return UINT64_MAX;
    *loaded = false;
    for (unsigned i = 0; i < w.count; i++) {
        LLVMValueRef at = w.ways[i].pointer;
        const int argument = pm_parameter_index(kernel, at);

        if (is_joined(&w.ways[i]) || LLVMIsAGlobalVariable(at) || LLVMIsAAllocaInst(at))
            continue;
        *loaded = *loaded || argument < 0;
        if (is_loaded(at))
            continue;
        if (argument < 0 || argument >= MOST_ARGUMENTS)
            return UINT64_MAX;
        arguments |= UINT64_C(1) << argument;
    }
    return arguments;
}
