/* Gives loaded pointers of CUDA kernels the address space of global memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pointers in CUDA have no address space. A pointer that a kernel loads from a struct argument, or
 * from global or constant memory, was stored there by the host or by a kernel. The host can only
 * know addresses of global memory, so we take such a pointer as one to global memory, as NVIDIA's
 * compiler does for pointers in struct arguments. If the pointer leads elsewhere, the access is
 * reported as outside of all buffers.
 */
#include "collector/engine/backend/cuda/cuda.h"

#include <llvm-c/DebugInfo.h>

#include "collector/engine/backend/ir/ir.h"

enum { MOST_VALUES = 128 };

/* Values from which a pointer may be computed. */
typedef struct {
    LLVMValueRef items[MOST_VALUES];
    unsigned count;
} sources;

static bool is_generic_pointer(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);

    return LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) == 0;
}

static LLVMValueRef without_offset(LLVMValueRef pointer)
{
    while (PM_IS(pointer, LLVMGetElementPtr, LLVMAddrSpaceCast, LLVMBitCast, LLVMFreeze))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

static bool add_source(sources *s, LLVMValueRef pointer)
{
    pointer = without_offset(pointer);
    for (unsigned i = 0; i < s->count; i++)
        if (s->items[i] == pointer)
            return true;
    if (s->count == MOST_VALUES)
        return false;
    s->items[s->count++] = pointer;
    return true;
}

static bool add_stored(sources *s, LLVMValueRef variable, unsigned depth);

/* Follows one use of a private variable in which the kernel may store pointers. `pointer` is an
 * address in the variable, and `user` an instruction that uses it. If the instruction stores a
 * pointer in the variable, adds the stored pointer to s. Returns false if the stored value is
 * unknown, or if the instruction may pass the address on to code that stores there. */
static bool add_user(sources *s, LLVMValueRef user, LLVMValueRef pointer, unsigned depth)
{
    if (PM_IS(user, LLVMGetElementPtr, LLVMAddrSpaceCast, LLVMBitCast, LLVMPHI, LLVMSelect))
        return add_stored(s, user, depth);
    if (LLVMIsALoadInst(user) || LLVMIsAICmpInst(user))
        return true;
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == pointer) {
        LLVMValueRef stored = LLVMGetOperand(user, 0);

        return LLVMGetTypeKind(LLVMTypeOf(stored)) != LLVMPointerTypeKind || add_source(s, stored);
    }
    if (LLVMIsAMemCpyInst(user) || LLVMIsAMemMoveInst(user))
        return LLVMGetOperand(user, 0) != pointer || add_source(s, LLVMGetOperand(user, 1));
    return LLVMIsAMemSetInst(user) ||
           (LLVMIsACallInst(user) && pm_starts(pm_callee_name(user), "llvm.lifetime"));
}

/* Adds all pointers that the kernel stores to a private variable. variable: the variable, or an
 * address in it. Returns false if a stored pointer is unknown. */
static bool add_stored(sources *s, LLVMValueRef variable, unsigned depth)
{
    enum { DEEPEST = 16 };

    if (depth == DEEPEST)
        return false;
    PM_EACH_USE(use, variable)
        if (!add_user(s, LLVMGetUser(use), variable, depth + 1))
            return false;
    return true;
}

/* Adds the pointers from which a phi, a select, or a load may get its result. Returns false if the
 * result may point to shared or private memory, or if this is unknown. */
static bool follow_source(sources *s, LLVMValueRef value)
{
    const unsigned space =
        is_generic_pointer(value) ? 0 : LLVMGetPointerAddressSpace(LLVMTypeOf(value));
    bool known = true;

    if (LLVMIsAPHINode(value))
        for (unsigned i = 0; known && i < LLVMCountIncoming(value); i++)
            known = add_source(s, LLVMGetIncomingValue(value, i));
    else if (LLVMIsASelectInst(value))
        known = add_source(s, LLVMGetOperand(value, 1)) && add_source(s, LLVMGetOperand(value, 2));
    else if (LLVMIsALoadInst(value) && space == 0)
        known = add_source(s, LLVMGetOperand(value, 0));
    else if (LLVMIsAAllocaInst(value))
        known = add_stored(s, value, 0);
    else
        known = space == GLOBAL_SPACE || space == CONSTANT_SPACE || LLVMIsAArgument(value) ||
                LLVMIsAIntToPtrInst(value) || LLVMIsUndef(value) || LLVMIsNull(value);
    return known;
}

/* Returns whether a pointer certainly points to global or constant memory or into a struct
 * argument. */
static bool is_outside_of_group(LLVMValueRef pointer)
{
    sources s = {.count = 0};
    bool known = add_source(&s, pointer);

    for (unsigned i = 0; known && i < s.count; i++)
        known = follow_source(&s, s.items[i]);
    return known;
}

static bool is_vtable(LLVMValueRef value)
{
    size_t length;

    return pm_starts(LLVMGetValueName2(value, &length), "vtable");
}

/* Returns whether the result of an instruction is a pointer in the generic address space that
 * points to global memory. integers: true if pointers that are converted from integers count, too.
 */
static bool makes_global(LLVMValueRef i, bool integers)
{
    if (!is_generic_pointer(i) || is_vtable(i))
        return false;
    return (integers && LLVMIsAIntToPtrInst(i) && !LLVMIsAPtrToIntInst(LLVMGetOperand(i, 0))) ||
           (LLVMIsALoadInst(i) && is_outside_of_group(LLVMGetOperand(i, 0)));
}

/* Replaces the instruction by one whose result points to global memory, and a conversion to the old
 * type, which the pass infer-address-spaces removes. */
static void replace(LLVMBuilderRef b, LLVMValueRef i)
{
    LLVMTypeRef type = LLVMPointerTypeInContext(LLVMGetTypeContext(LLVMTypeOf(i)), GLOBAL_SPACE);
    LLVMValueRef made;
    size_t length;

    LLVMPositionBuilderBefore(b, i);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(i));
    if (LLVMIsALoadInst(i)) {
        made = LLVMBuildLoad2(b, type, LLVMGetOperand(i, 0), LLVMGetValueName2(i, &length));
        LLVMSetAlignment(made, LLVMGetAlignment(i));
        LLVMSetVolatile(made, LLVMGetVolatile(i));
    } else {
        made = LLVMBuildIntToPtr(b, LLVMGetOperand(i, 0), type, "");
    }
    LLVMReplaceAllUsesWith(i, LLVMBuildAddrSpaceCast(b, made, LLVMTypeOf(i), ""));
    LLVMInstructionEraseFromParent(i);
}

bool pm_cuda_point_to_global(LLVMModuleRef module, bool integers)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    bool any = false;

    PM_EACH_FUNCTION(f, module)
        PM_EACH_BLOCK(block, f)
            for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (!pm_cuda_is_lifted(f) || !makes_global(i, integers))
                    continue;
                replace(b, i);
                any = true;
            }
    LLVMDisposeBuilder(b);
    return any;
}
