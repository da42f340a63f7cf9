/* Converts copies of CUDA's structs, such as float4, to vector loads and stores.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CUDA's float4 is a struct, not a vector type. clang copies its bytes, and LLVM would reduce the
 * copy to loads of the members that are used. NVIDIA's compiler (NVRTC 11.8 and 12.9) copies a
 * struct of equal scalars, with its padding, by accesses as wide as its alignment: seven floats
 * aligned to 16 bytes by two accesses of 16 bytes. Unused members are copied with the other members
 * of their access. If the last access has one member and padding, it is only as wide as the member.
 */
#include "collector/engine/backend/cuda/cuda.h"

#include <llvm-c/DebugInfo.h>

#include "collector/engine/backend/ir/ir.h"

enum { DESTINATION, SOURCE, LENGTH }; /* indices of the operands of llvm.memcpy */
enum { MOST = 4 };                    /* maximum number of elements of a vector in PTX */

/* A struct that consists of scalars of one type, possibly followed by padding. */
typedef struct {
    LLVMTypeRef scalar; /* NULL: the type is not such a struct */
    unsigned count;     /* number of members */
    unsigned bytes;     /* bytes of a member */
    unsigned all;       /* bytes of the struct */
} equal_scalars;

/* Returns whether a type is the padding that a compiler adds at the end of an aligned struct. */
static bool is_padding(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMArrayTypeKind &&
           LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMGetElementType(type)) == 8;
}

static bool is_scalar(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
        return true;
    default:
        return false;
    }
}

static equal_scalars scalars_of(LLVMTypeRef type, LLVMTargetDataRef layout)
{
    equal_scalars found = {0};

    if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
        return found;
    found.count = LLVMCountStructElementTypes(type);
    if (found.count > 2 && is_padding(LLVMStructGetTypeAtIndex(type, found.count - 1)))
        found.count--;
    if (found.count < 2)
        return found;
    found.scalar = LLVMStructGetTypeAtIndex(type, 0);
    for (unsigned i = 1; i < found.count; i++)
        if (LLVMStructGetTypeAtIndex(type, i) != found.scalar)
            found.scalar = NULL;
    if (found.scalar && !is_scalar(found.scalar))
        found.scalar = NULL;
    if (found.scalar)
        found.bytes = (unsigned)LLVMABISizeOfType(layout, found.scalar);
    found.all = (unsigned)LLVMABISizeOfType(layout, type);
    return found;
}

static unsigned long long alignment_of(LLVMValueRef call, unsigned argument)
{
    LLVMAttributeRef align =
        LLVMGetCallSiteEnumAttribute(call, argument + 1, pm_attribute_kind("align"));

    return align ? LLVMGetEnumAttributeValue(align) : 1;
}

/* Returns the type of the struct that a call of llvm.memcpy copies, if it copies a whole private
 * variable whose type is a struct of equal scalars. */
static equal_scalars moved_by(LLVMValueRef call)
{
    LLVMTargetDataRef layout = pm_layout_at(call);
    LLVMValueRef length = LLVMGetOperand(call, LENGTH);

    for (unsigned i = DESTINATION; LLVMIsAConstantInt(length) && i <= SOURCE; i++) {
        LLVMValueRef variable = LLVMGetOperand(call, i);
        LLVMTypeRef type = LLVMIsAAllocaInst(variable) ? LLVMGetAllocatedType(variable) : NULL;

        if (type && LLVMABISizeOfType(layout, type) == LLVMConstIntGetZExtValue(length)) {
            const equal_scalars found = scalars_of(type, layout);
            if (found.scalar)
                return found;
        }
    }
    return (equal_scalars){0};
}

/* Returns the number of scalars that one access of the copy has. An access is at most as wide as
 * the alignment of source and destination, and its size divides the size of the struct. */
static unsigned scalars_of_access(LLVMValueRef call, const equal_scalars *of)
{
    unsigned long long widest = of->bytes < WIDEST / MOST ? MOST * of->bytes : WIDEST;

    for (unsigned i = DESTINATION; i <= SOURCE; i++)
        if (alignment_of(call, i) < widest)
            widest = alignment_of(call, i);
    while (of->all % widest)
        widest /= 2;
    return (unsigned)widest / of->bytes;
}

static LLVMValueRef place_in(LLVMBuilderRef b, LLVMValueRef pointer, unsigned offset)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(pointer));
    LLVMValueRef at = LLVMConstInt(LLVMInt64TypeInContext(context), offset, false);

    return LLVMBuildInBoundsGEP2(b, LLVMInt8TypeInContext(context), pointer, &at, 1, "");
}

/* Generates a load and a store that copy one part of the struct. offset: start of the part in
 * bytes. bytes: size and alignment of the accesses. */
static void move(LLVMBuilderRef b, LLVMValueRef call, LLVMTypeRef type, unsigned offset,
                 unsigned bytes)
{
    LLVMValueRef loaded =
        LLVMBuildLoad2(b, type, place_in(b, LLVMGetOperand(call, SOURCE), offset), "");
    LLVMValueRef stored =
        LLVMBuildStore(b, loaded, place_in(b, LLVMGetOperand(call, DESTINATION), offset));

    LLVMSetAlignment(loaded, bytes);
    LLVMSetAlignment(stored, bytes);
}

static void widen(LLVMValueRef call, const equal_scalars *of, unsigned many, LLVMBuilderRef b)
{
    LLVMPositionBuilderBefore(b, call);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
    for (unsigned first = 0; first < of->count; first += many) {
        const bool single = first + 1 == of->count;

        move(b, call, single ? of->scalar : LLVMVectorType(of->scalar, many), first * of->bytes,
             many * of->bytes);
    }
    LLVMInstructionEraseFromParent(call);
}

void pm_cuda_widen_copies(LLVMModuleRef module)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

    PM_EACH_FUNCTION(f, module)
        PM_EACH_BLOCK(block, f)
            for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
                equal_scalars of = {0};

                next = LLVMGetNextInstruction(i);
                if (LLVMIsACallInst(i) && pm_starts(pm_callee_name(i), "llvm.memcpy."))
                    of = moved_by(i);
                if (of.scalar && scalars_of_access(i, &of) > 1)
                    widen(i, &of, scalars_of_access(i, &of), b);
            }
    LLVMDisposeBuilder(b);
}
