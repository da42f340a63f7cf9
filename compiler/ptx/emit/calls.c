/* Emits LLVM IR that calls LLVM's intrinsics, or functions that the trace engine executes itself.
 * See emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "compiler/ptx/emit/emitter.h"

enum { MOST_ARGUMENTS = 8 };

static LLVMValueRef call(pm_ptx_emitter *e, LLVMValueRef function, LLVMValueRef *arguments,
                         unsigned count)
{
    return LLVMBuildCall2(e->b, LLVMGlobalGetValueType(function), function, arguments, count, "");
}

LLVMValueRef pm_ptx_intrinsic(pm_ptx_emitter *e, const char *name, LLVMTypeRef overload,
                              LLVMValueRef *arguments, unsigned count)
{
    const unsigned id = LLVMLookupIntrinsicID(name, strlen(name));

    if (id == 0)
        pm_leave(e->memory, PM_FAILED, "this LLVM has no intrinsic %s; install LLVM 19", name);
    return call(e, LLVMGetIntrinsicDeclaration(e->module, id, &overload, overload ? 1 : 0),
                arguments, count);
}

static LLVMValueRef declare(pm_ptx_emitter *e, const char *name, LLVMTypeRef result,
                            LLVMValueRef *arguments, unsigned count)
{
    LLVMTypeRef types[MOST_ARGUMENTS];
    LLVMValueRef function = LLVMGetNamedFunction(e->module, name);

    for (unsigned i = 0; i < count && i < MOST_ARGUMENTS; i++)
        types[i] = LLVMTypeOf(arguments[i]);
    return function ? function
                    : LLVMAddFunction(e->module, name, LLVMFunctionType(result, types, count, 0));
}

LLVMValueRef pm_ptx_known_function(pm_ptx_emitter *e, const char *name, LLVMTypeRef result,
                                   LLVMValueRef *arguments, unsigned count)
{
    return call(e, declare(e, name, result, arguments, count), arguments, count);
}

static void add_attribute(pm_ptx_emitter *e, LLVMValueRef function, const char *name)
{
    const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

    /* the value 0 of the attribute `memory` promises that the function accesses no memory */
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(e->context, kind, 0));
}

LLVMValueRef pm_ptx_reading_function(pm_ptx_emitter *e, const char *name, LLVMTypeRef result,
                                     LLVMValueRef *arguments, unsigned count)
{
    static const char *const attributes[] = {"convergent", "nounwind", "willreturn"};
    LLVMValueRef function = declare(e, name, result, arguments, count);

    for (size_t k = 0; k < sizeof attributes / sizeof *attributes; k++)
        add_attribute(e, function, attributes[k]);
    return call(e, function, arguments, count);
}

LLVMValueRef pm_ptx_warp_function(pm_ptx_emitter *e, const char *name, LLVMTypeRef result,
                                  LLVMValueRef *arguments, unsigned count)
{
    LLVMValueRef made = pm_ptx_reading_function(e, name, result, arguments, count);

    add_attribute(e, LLVMGetCalledValue(made), "memory");
    return made;
}

LLVMValueRef pm_ptx_free_zero(pm_ptx_emitter *e, LLVMTypeRef type)
{
    const unsigned words =
        LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;

    return pm_ptx_warp_function(e, pm_format(e->memory, "pm.warp.zero.%u", words), type, NULL, 0);
}

/* Returns the function `name` with one parameter, a float, and with the body that `body` emits.
 * Adds it to the module under its mangled name (_Z4sqrtf) if the module does not have it. */
static LLVMValueRef define_counted(pm_ptx_emitter *e, const char *name, pm_ptx_body body,
                                   LLVMTypeRef type)
{
    const char *mangled = pm_format(e->memory, "_Z%zu%sf", strlen(name), name);
    LLVMValueRef function = LLVMGetNamedFunction(e->module, mangled);
    LLVMBuilderRef outer = e->b;

    if (function)
        return function;
    function = LLVMAddFunction(e->module, mangled, LLVMFunctionType(type, &type, 1, 0));
    LLVMSetLinkage(function, LLVMInternalLinkage);
    e->b = LLVMCreateBuilderInContext(e->context);
    LLVMPositionBuilderAtEnd(e->b, LLVMAppendBasicBlockInContext(e->context, function, ""));
    LLVMBuildRet(e->b, body(e, LLVMGetParam(function, 0)));
    LLVMDisposeBuilder(e->b);
    e->b = outer;
    return function;
}

LLVMValueRef pm_ptx_counted(pm_ptx_emitter *e, const char *name, pm_ptx_body body,
                            LLVMValueRef argument)
{
    return call(e, define_counted(e, name, body, LLVMTypeOf(argument)), &argument, 1);
}
