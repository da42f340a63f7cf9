/* Defines the functions for global offsets and for the number of dimensions in a module before it
 * is compiled to PTX. Their results come from special registers, in which NVIDIA's OpenCL has these
 * values.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>

#include "collector/engine/backend/ir/intrinsics.h"
#include "collector/engine/backend/ir/ir.h"
#include "collector/engine/backend/module/ptx.h"

/* Numbers of PTX's special registers %envreg in NVIDIA's OpenCL: of the global offset in dimension
 * 0 (dimensions 1 and 2 follow), and of the number of dimensions. */
enum { OFFSET_REGISTER = 3, DIMENSIONS_REGISTER = 9 };

static LLVMValueRef read_register(LLVMModuleRef module, LLVMBuilderRef b, unsigned number)
{
    char name[64];
    int length = snprintf(name, sizeof name, "llvm.nvvm.read.ptx.sreg.envreg%u", number);
    unsigned id = LLVMLookupIntrinsicID(name, (size_t)length);
    LLVMValueRef intrinsic = LLVMGetIntrinsicDeclaration(module, id, NULL, 0);

    return LLVMBuildCall2(b, LLVMGlobalGetValueType(intrinsic), intrinsic, NULL, 0, "");
}

static LLVMValueRef offset_of(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef dimension)
{
    LLVMValueRef offset = read_register(module, b, OFFSET_REGISTER);

    for (unsigned d = 1; d < 3; d++) {
        LLVMValueRef constant = LLVMConstInt(LLVMTypeOf(dimension), d, 0);
        LLVMValueRef is = LLVMBuildICmp(b, LLVMIntEQ, dimension, constant, "");

        offset = LLVMBuildSelect(b, is, read_register(module, b, OFFSET_REGISTER + d), offset, "");
    }
    return offset;
}

/* Generates the body of `function`, which returns a global offset (is_offset) or the number of
 * dimensions. Both are in special registers, as signed 32-bit numbers. */
static void define(LLVMModuleRef module, LLVMValueRef function, bool is_offset)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    LLVMValueRef value;

    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(context, function, ""));
    value = is_offset ? offset_of(module, b, LLVMGetParam(function, 0))
                      : read_register(module, b, DIMENSIONS_REGISTER);
    LLVMBuildRet(b, LLVMBuildSExtOrBitCast(b, value, result, ""));
    LLVMDisposeBuilder(b);
}

static bool returns_integer(LLVMValueRef function)
{
    return pm_integer_bits(LLVMGetReturnType(LLVMGlobalGetValueType(function))) >= 32;
}

void pm_ptx_define_answers(LLVMModuleRef module)
{
    PM_EACH_FUNCTION(f, module) {
        size_t length;
        pm_call answer = pm_call_of(LLVMGetValueName2(f, &length));

        if (!LLVMIsDeclaration(f) || !returns_integer(f))
            continue;
        if (answer == PM_CALL_DIMENSIONS && LLVMCountParams(f) == 0)
            define(module, f, false);
        if (answer == PM_CALL_OFFSET && LLVMCountParams(f) == 1 &&
            pm_integer_bits(LLVMTypeOf(LLVMGetParam(f, 0))) == 32)
            define(module, f, true);
    }
}
