/* Finds texture fetches in the IR of CUDA kernels. See texture.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/ir/texture.h"

#include <string.h>

#include "collector/engine/backend/ir/ir.h"

enum { DEEPEST = 8 };

bool pm_is_texture_function(LLVMValueRef function)
{
    size_t length;

    return pm_starts(LLVMGetValueName2(function, &length), PM_TEXTURE_FUNCTION);
}

bool pm_is_texture_call(LLVMValueRef value)
{
    return LLVMIsACallInst(value) && pm_starts(pm_callee_name(value), PM_TEXTURE_FUNCTION);
}

pm_fetch pm_fetch_of(LLVMValueRef pointer)
{
    static const struct {
        const char *function;
        pm_fetch fetch;
    } fetches[] = {{PM_TEXTURE_FUNCTION "offset_1d", PM_FETCH_INDEX},
                   {PM_TEXTURE_FUNCTION "offset_2d", PM_FETCH_POINT},
                   {PM_TEXTURE_FUNCTION "offset_opposite", PM_FETCH_OPPOSITE},
                   {PM_TEXTURE_FUNCTION "offset_beside", PM_FETCH_BESIDE}};

    for (; pm_is_opcode(pointer, LLVMGetElementPtr); pointer = LLVMGetOperand(pointer, 0))
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(pointer); i++)
            for (size_t f = 0; f < sizeof fetches / sizeof *fetches; f++)
                if (LLVMIsACallInst(LLVMGetOperand(pointer, i)) &&
                    strcmp(pm_callee_name(LLVMGetOperand(pointer, i)), fetches[f].function) == 0)
                    return fetches[f].fetch;
    return PM_FETCH_NONE;
}

/* Returns whether only functions of the texture unit (pm_is_texture_function) use a value. The
 * value may reach them through an extraction from a vector, or through a phi of another basic
 * block. */
static bool is_only_for_texture(LLVMValueRef value, unsigned depth)
{
    if (depth == DEEPEST || !LLVMGetFirstUse(value))
        return false;
    PM_EACH_USE(use, value) {
        LLVMValueRef user = LLVMGetUser(use);
        const bool is_part = PM_IS(user, LLVMExtractElement, LLVMTrunc, LLVMLShr, LLVMBitCast,
                                   LLVMPHI, LLVMSelect, LLVMFreeze, LLVMZExt, LLVMSExt);

        if (!pm_is_texture_call(user) && !(is_part && is_only_for_texture(user, depth + 1)))
            return false;
    }
    return true;
}

bool pm_is_descriptor_read(LLVMValueRef load)
{
    LLVMValueRef pointer;

    if (!LLVMIsALoadInst(load))
        return false;
    pointer = LLVMGetOperand(load, 0);
    while (pm_is_opcode(pointer, LLVMGetElementPtr))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAArgument(pointer) && LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == 0 &&
           is_only_for_texture(load, 0);
}
