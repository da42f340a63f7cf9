/* Copies of CUDA's vectors. See cuda.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * float4 is a struct, which clang copies by bytes and LLVM takes apart into the members that are
 * wanted. NVIDIA's compiler loads and stores a struct of equal scalars that is aligned to its size
 * as one vector.
 */
#include "collector/trace/backend/cuda.h"

#include <llvm-c/DebugInfo.h>

#include "collector/trace/backend/ir.h"

enum { DESTINATION, SOURCE, LENGTH }; /* operands of a copy */

/* The scalar that a struct has 2 or 4 of; NULL: it is another type. */
static LLVMTypeRef scalar_of(LLVMTypeRef type, unsigned *count)
{
    LLVMTypeRef scalar;

    if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
        return NULL;
    *count = LLVMCountStructElementTypes(type);
    if (*count != 2 && *count != 4)
        return NULL;
    scalar = LLVMStructGetTypeAtIndex(type, 0);
    for (unsigned i = 1; i < *count; i++)
        if (LLVMStructGetTypeAtIndex(type, i) != scalar)
            return NULL;
    switch (LLVMGetTypeKind(scalar)) {
    case LLVMIntegerTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
        return scalar;
    default:
        return NULL;
    }
}

static unsigned long long alignment_of(LLVMValueRef call, unsigned argument)
{
    LLVMAttributeRef align =
        LLVMGetCallSiteEnumAttribute(call, argument + 1, pm_attribute_kind("align"));

    return align ? LLVMGetEnumAttributeValue(align) : 1;
}

/* The vector that a copy from or to a variable moves; NULL: it is no such copy. */
static LLVMTypeRef vector_of(LLVMValueRef call)
{
    LLVMTargetDataRef layout = pm_layout_at(call);
    LLVMValueRef length = LLVMGetOperand(call, LENGTH);
    unsigned long long bytes;

    if (!LLVMIsAConstantInt(length))
        return NULL;
    bytes = LLVMConstIntGetZExtValue(length);
    for (unsigned i = DESTINATION; i <= SOURCE; i++) {
        LLVMValueRef variable = LLVMGetOperand(call, i);
        LLVMTypeRef type = LLVMIsAAllocaInst(variable) ? LLVMGetAllocatedType(variable) : NULL;
        unsigned count;
        LLVMTypeRef scalar = type ? scalar_of(type, &count) : NULL;

        if (scalar && bytes <= WIDEST && LLVMABISizeOfType(layout, type) == bytes &&
            alignment_of(call, DESTINATION) >= bytes && alignment_of(call, SOURCE) >= bytes)
            return LLVMVectorType(scalar, count);
    }
    return NULL;
}

static void widen(LLVMValueRef call, LLVMTypeRef vector, LLVMBuilderRef b)
{
    const unsigned bytes = (unsigned)LLVMABISizeOfType(pm_layout_at(call), vector);
    LLVMValueRef loaded, stored;

    LLVMPositionBuilderBefore(b, call);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
    loaded = LLVMBuildLoad2(b, vector, LLVMGetOperand(call, SOURCE), "");
    stored = LLVMBuildStore(b, loaded, LLVMGetOperand(call, DESTINATION));
    LLVMSetAlignment(loaded, bytes);
    LLVMSetAlignment(stored, bytes);
    LLVMInstructionEraseFromParent(call);
}

void pm_cuda_widen_copies(LLVMModuleRef module)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

    PM_EACH_FUNCTION(f, module)
        PM_EACH_BLOCK(block, f)
            for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
                LLVMTypeRef vector = NULL;

                next = LLVMGetNextInstruction(i);
                if (LLVMIsACallInst(i) && pm_starts(pm_callee_name(i), "llvm.memcpy."))
                    vector = vector_of(i);
                if (vector)
                    widen(i, vector, b);
            }
    LLVMDisposeBuilder(b);
}
