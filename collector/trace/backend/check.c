/* What of a module the engine does not do. See module.h, pm_module_check.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is let through here runs in this process: it must be arithmetic, or an access to memory that
 * lanes.c or tables.c checks.
 */
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "ir.h"
#include "module.h"
#include "sites.h"

enum { MOST_SPACE = PRIVATE_SPACE, MOST_PRIVATE = 512 * 1024 };

/* Intrinsics that compute and do nothing else. */
static const char *const pure[] = {"abs.",
                                   "bitreverse.",
                                   "bswap.",
                                   "canonicalize.",
                                   "ceil.",
                                   "convert.from.fp16.",
                                   "convert.to.fp16.",
                                   "copysign.",
                                   "cos.",
                                   "ctlz.",
                                   "ctpop.",
                                   "cttz.",
                                   "exp.",
                                   "exp10.",
                                   "exp2.",
                                   "expect.",
                                   "fabs.",
                                   "floor.",
                                   "fma.",
                                   "fmuladd.",
                                   "fptosi.sat.",
                                   "fptoui.sat.",
                                   "frexp.",
                                   "fshl.",
                                   "fshr.",
                                   "is.fpclass.",
                                   "ldexp.",
                                   "log.",
                                   "log10.",
                                   "log2.",
                                   "maximum.",
                                   "maxnum.",
                                   "minimum.",
                                   "minnum.",
                                   "nearbyint.",
                                   "pow.",
                                   "powi.",
                                   "ptrmask.",
                                   "rint.",
                                   "round.",
                                   "roundeven.",
                                   "sadd.",
                                   "scmp.",
                                   "sin.",
                                   "smax.",
                                   "smin.",
                                   "smul.with.overflow.",
                                   "sqrt.",
                                   "sshl.sat.",
                                   "ssub.",
                                   "tan.",
                                   "trunc.",
                                   "uadd.",
                                   "ucmp.",
                                   "umax.",
                                   "umin.",
                                   "umul.with.overflow.",
                                   "ushl.sat.",
                                   "usub.",
                                   "vector.reduce."};

static bool is_pure(const char *name)
{
    if (!pm_starts(name, "llvm."))
        return false;
    for (size_t i = 0; i < sizeof pure / sizeof *pure; i++)
        if (pm_starts(name + 5, pure[i]))
            return true;
    return false;
}

static pm_status refuse(LLVMValueRef instruction, const char *what, const char *name,
                        const pm_backend_request *request, pm_error *err)
{
    return pm_fail(err, PM_BAD_INPUT, "%s:%u: %s%s cannot be traced; count this kernel without it",
                   request->source_path, LLVMGetDebugLocLine(instruction), what, name);
}

/* OpenCL's names as the user wrote them: _Z6printfPU3AS2Kcz is printf. */
static void plain_name(const char *mangled, char *name, size_t size)
{
    unsigned long length;
    char *rest;

    snprintf(name, size, "%s", mangled);
    if (!pm_starts(mangled, "_Z"))
        return;
    length = strtoul(mangled + 2, &rest, 10);
    if (length > 0 && length < size && length <= strlen(rest)) {
        memcpy(name, rest, length);
        name[length] = '\0';
    }
}

static bool always_inlined(LLVMValueRef function)
{
    return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                       LLVMGetEnumAttributeKindForName("alwaysinline", 12));
}

static pm_status check_call(LLVMValueRef call, const pm_backend_request *request, pm_error *err)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    unsigned dimension;
    char name[128];

    if (LLVMIsAInlineAsm(callee))
        return refuse(call, "inline assembly", "", request, err);
    if (!LLVMIsAFunction(callee))
        return refuse(call, "a call by pointer", "", request, err);
    if (pm_call_kind(call, &dimension) != PM_CALL_ORDINARY)
        return PM_OK;
    plain_name(pm_callee_name(call), name, sizeof name);
    if (LLVMIsDeclaration(callee))
        return is_pure(name) ? PM_OK : refuse(call, "the function ", name, request, err);
    if (pm_is_kernel(callee) || always_inlined(callee))
        return refuse(call, "recursion: ", name, request, err);
    return PM_OK;
}

static pm_status check_arguments(LLVMValueRef kernel, const pm_backend_request *request,
                                 pm_error *err)
{
    size_t length;

    for (unsigned i = 0; i < LLVMCountParams(kernel); i++) {
        LLVMValueRef parameter = LLVMGetParam(kernel, i);

        if (LLVMGetTypeKind(LLVMTypeOf(parameter)) == LLVMTargetExtTypeKind)
            return pm_fail(err, PM_BAD_INPUT,
                           "%s: argument %s of %s is an image or a sampler, which cannot be traced",
                           request->source_path, LLVMGetValueName2(parameter, &length),
                           LLVMGetValueName2(kernel, &length));
    }
    return PM_OK;
}

/* The host gives address spaces of its own meanings of its own. */
static bool is_foreign(LLVMTypeRef type)
{
    type = pm_element_type(type);
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
           LLVMGetPointerAddressSpace(type) > MOST_SPACE;
}

static bool has_foreign(LLVMValueRef instruction)
{
    if (is_foreign(LLVMTypeOf(instruction)))
        return true;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++)
        if (is_foreign(LLVMTypeOf(LLVMGetOperand(instruction, i))))
            return true;
    return false;
}

/* A variable has no line of its own. */
static unsigned function_line(LLVMValueRef instruction)
{
    LLVMMetadataRef subprogram =
        LLVMGetSubprogram(LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction)));

    return subprogram ? LLVMDISubprogramGetLine(subprogram) : 0;
}

static pm_status check_variable(LLVMValueRef variable, uint64_t *private_bytes,
                                const pm_backend_request *request, pm_error *err)
{
    LLVMValueRef count = LLVMGetOperand(variable, 0);
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(variable))));
    uint64_t bytes = LLVMABISizeOfType(layout, LLVMGetAllocatedType(variable));

    if (!LLVMIsAConstantInt(count))
        return refuse(variable, "a private array whose length is not a constant", "", request, err);
    if (bytes > MOST_PRIVATE || LLVMConstIntGetZExtValue(count) > MOST_PRIVATE ||
        (*private_bytes += bytes * LLVMConstIntGetZExtValue(count)) > MOST_PRIVATE)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s:%u: more private memory than the 512 KiB that a GPU has for a work-item",
                       request->source_path, function_line(variable));
    return PM_OK;
}

static bool in_table(LLVMValueRef load, LLVMValueRef object)
{
    LLVMTargetDataRef layout;

    if (!object || !LLVMIsAGlobalVariable(object) || !LLVMIsGlobalConstant(object))
        return false;
    layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(object));
    return LLVMStoreSizeOfType(layout, LLVMTypeOf(load)) <=
           LLVMABISizeOfType(layout, LLVMGlobalGetValueType(object));
}

/* Stores to constant memory, and whatever a function that stays a call does to memory but read
 * tables. */
static pm_status check_access(LLVMValueRef access, bool in_kernel,
                              const pm_backend_request *request, pm_error *err)
{
    LLVMValueRef pointer = pm_site_pointer(access), object = pm_site_object(pointer);
    bool constant = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == CONSTANT_SPACE ||
                    (object && LLVMIsAGlobalVariable(object) && LLVMIsGlobalConstant(object));
    size_t length;

    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(access))));

    if (LLVMStoreSizeOfType(layout, pm_site_type(access)) > PM_SPARE_BYTES)
        return refuse(access, "a vector of more bytes than OpenCL's have", "", request, err);
    if (constant && !LLVMIsALoadInst(access))
        return refuse(access, "a store to constant memory", "", request, err);
    if (!in_kernel && !in_table(access, object)) {
        char name[128];

        plain_name(
            LLVMGetValueName2(LLVMGetBasicBlockParent(LLVMGetInstructionParent(access)), &length),
            name, sizeof name);
        return refuse(access, "a function of one's own that accesses memory and is called ", name,
                      request, err);
    }
    return PM_OK;
}

static pm_status check_instruction(LLVMValueRef i, bool in_kernel, uint64_t *private_bytes,
                                   const pm_backend_request *request, pm_error *err)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);

    if (opcode == LLVMInvoke || opcode == LLVMIndirectBr || opcode == LLVMCallBr)
        return refuse(i, "an indirect jump", "", request, err);
    if (has_foreign(i))
        return refuse(i, "a pointer to an address space that OpenCL does not have", "", request,
                      err);
    if (opcode == LLVMCall)
        return check_call(i, request, err);
    if (opcode == LLVMAlloca)
        return check_variable(i, private_bytes, request, err);
    return pm_site_pointer(i) ? check_access(i, in_kernel, request, err) : PM_OK;
}

static pm_status check_function(LLVMValueRef function, const pm_backend_request *request,
                                pm_error *err)
{
    bool in_kernel = pm_is_kernel(function);
    uint64_t private_bytes = 0;

    if (in_kernel && check_arguments(function, request, err) != PM_OK)
        return err->status;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (check_instruction(i, in_kernel, &private_bytes, request, err) != PM_OK)
                return err->status;
    return PM_OK;
}

pm_status pm_module_check(LLVMModuleRef module, const pm_backend_request *request, pm_error *err)
{
    size_t length;

    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (LLVMIsDeclaration(g) && LLVMGetFirstUse(g))
            return pm_fail(err, PM_BAD_INPUT, "%s: the variable %s has no definition",
                           request->source_path, LLVMGetValueName2(g, &length));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (pm_is_kernel(f) && check_function(f, request, err) != PM_OK)
            return err->status;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!pm_is_kernel(f) && check_function(f, request, err) != PM_OK)
            return err->status;
    return PM_OK;
}
