/* Converts the CUDA kernels of an LLVM module to the form of OpenCL kernels.
 *
 * clang marks CUDA kernels only by metadata, and their pointers have no address space. The name by
 * which the workload calls a kernel, such as reduce<float, 256>, is in a string variable of the
 * module. A second variable, whose name has the same number, points to the kernel.
 * compiler/cuda_source/cuda_source.c has added both to the source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/cuda/cuda.h"

#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/engine/backend/ir/ir.h"

enum { PTX_KERNEL = 71 };

/* ---- names by which workloads call kernels --------------------------------------------------- */

/* Returns the kernel to which a variable named pm_kernel_* is initialised to point; NULL if there
 * is none. compiler/cuda_source/cuda_source.c adds these variables to the source. */
static LLVMValueRef named_kernel(LLVMValueRef variable)
{
    LLVMValueRef value = LLVMGetInitializer(variable);

    while (value && LLVMIsAConstantExpr(value))
        value = LLVMGetOperand(value, 0);
    return value && LLVMIsAFunction(value) ? value : NULL;
}

/* Returns the name by which the workload calls a kernel, such as reduce<float, 256>. NULL if the
 * workload does not use the kernel. */
static const char *wanted_name(LLVMModuleRef module, LLVMValueRef kernel)
{
    static const char pointers[] = "pm_kernel_", names[] = "pm_kernel_name_";

    PM_EACH_GLOBAL(g, module) {
        size_t length;
        const char *variable = LLVMGetValueName2(g, &length);
        char beside[64];
        LLVMValueRef string;

        if (!pm_starts(variable, pointers) || pm_starts(variable, names) ||
            named_kernel(g) != kernel)
            continue;
        snprintf(beside, sizeof beside, "%s%s", names, variable + strlen(pointers));
        string = LLVMGetNamedGlobal(module, beside);
        if (!string || !LLVMGetInitializer(string) ||
            !LLVMIsConstantString(LLVMGetInitializer(string)))
            continue;
        return LLVMGetAsString(LLVMGetInitializer(string), &length); /* with its final zero */
    }
    return NULL;
}

static void drop_names(LLVMModuleRef module)
{
    LLVMValueRef next;

    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = next) {
        size_t length;

        next = LLVMGetNextGlobal(g);
        if (pm_starts(LLVMGetValueName2(g, &length), "pm_kernel_") && !LLVMGetFirstUse(g))
            LLVMDeleteGlobal(g);
    }
}

/* ---- kernels ------------------------------------------------------------------------------- */

static bool is_by_value(LLVMValueRef kernel, unsigned i)
{
    return pm_parameter_attribute(kernel, i, "byval") != NULL;
}

static bool is_generic(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) == 0;
}

/* Declares the function that replaces a CUDA kernel in the form of an OpenCL kernel. Its parameters
 * are those of the CUDA kernel, and then one for each variable in global memory that the kernel
 * uses. NULL if out of memory. */
static LLVMValueRef declare(LLVMModuleRef module, LLVMValueRef old, const char *name)
{
    const unsigned count = LLVMCountParams(old);
    size_t more;
    LLVMValueRef *variables = pm_cuda_variables_of(module, old, &more);
    LLVMTypeRef *types = calloc(count + more + 1, sizeof(LLVMTypeRef));
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMValueRef made = NULL;

    for (unsigned i = 0; types && i < count + more; i++) {
        types[i] = i < count ? LLVMTypeOf(LLVMGetParam(old, i)) : NULL;
        if (i >= count && variables)
            types[i] = LLVMTypeOf(variables[i - count]);
        else if (i >= count || (is_generic(types[i]) && !is_by_value(old, i)))
            types[i] = LLVMPointerTypeInContext(context, GLOBAL_SPACE);
    }
    if (types && variables)
        made = LLVMAddFunction(
            module, name,
            LLVMFunctionType(LLVMVoidTypeInContext(context), types, count + (unsigned)more, 0));
    for (unsigned i = 0; made && i < more; i++)
        pm_cuda_mark_variable(made, count + i, variables[i]);
    free(types);
    free(variables);
    return made;
}

/* Copies the name and the attributes of parameter i from kernel `old` to its new version `made`. */
static void copy_parameter(LLVMValueRef old, LLVMValueRef made, unsigned i)
{
    static const char *const kept[] = {"byval",   "readonly", "noalias",
                                       "noundef", "align",    "nonnull"};
    size_t length;
    const char *name = LLVMGetValueName2(LLVMGetParam(old, i), &length);

    LLVMSetValueName2(LLVMGetParam(made, i), name, length);
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
        LLVMAttributeRef attribute = pm_parameter_attribute(old, i, kept[k]);

        if (attribute)
            LLVMAddAttributeAtIndex(made, i + 1, attribute);
    }
}

/* Converts the parameters of the new kernel `made`, which are pointers to global memory, to the
 * types of the old kernel's parameters, and uses the converted values in the kernel's body. */
static void give_parameters(LLVMValueRef old, LLVMValueRef made, LLVMBuilderRef b)
{
    for (unsigned i = 0; i < LLVMCountParams(old); i++) {
        LLVMValueRef parameter = LLVMGetParam(made, i);
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(old, i));

        copy_parameter(old, made, i);
        if (type != LLVMTypeOf(parameter))
            parameter = LLVMBuildAddrSpaceCast(b, parameter, type, "");
        LLVMReplaceAllUsesWith(LLVMGetParam(old, i), parameter);
    }
}

static void lift(LLVMModuleRef module, LLVMValueRef old)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMBasicBlockRef start = LLVMGetEntryBasicBlock(old);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    size_t length;
    const char *mangled = LLVMGetValueName2(old, &length), *wanted = wanted_name(module, old);
    char *plain = malloc(length + 1);
    LLVMValueRef made = NULL;

    if (plain)
        pm_cuda_plain_name(mangled, plain, length + 1);
    LLVMSetValueName2(old, "", 0);
    if (plain)
        made = declare(module, old, wanted ? wanted : plain);
    free(plain);
    if (made) {
        LLVMSetFunctionCallConv(made, PTX_KERNEL);
        pm_cuda_mark_lifted(made);
        /* The conversions of parameters are inserted into the entry block, because the optimiser
         * looks for private variables only there. */
        LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(start));
        LLVMSetCurrentDebugLocation2(b, NULL);
        give_parameters(old, made, b);
        pm_cuda_take_over(module, old, made);
        LLVMReplaceAllUsesWith(old, LLVMGetUndef(LLVMTypeOf(old)));
        LLVMDeleteFunction(old);
    }
    LLVMDisposeBuilder(b);
}

/* Returns the function that a metadata annotation !{function, !"kernel", i32 1} marks as a kernel.
 * NULL if `node` is another annotation, or if the function has the kernel calling convention
 * already. */
static LLVMValueRef annotated_kernel(LLVMValueRef node)
{
    LLVMValueRef operands[3] = {NULL};
    unsigned length;
    const char *key;

    if (LLVMGetMDNodeNumOperands(node) != 3)
        return NULL;
    LLVMGetMDNodeOperands(node, operands);
    if (!operands[0] || !operands[1] || !LLVMIsAFunction(operands[0]))
        return NULL;
    key = LLVMGetMDString(operands[1], &length);
    if (!key || strcmp(key, "kernel") != 0 || LLVMIsDeclaration(operands[0]) ||
        LLVMGetFunctionCallConv(operands[0]) != LLVMCCallConv)
        return NULL;
    return operands[0];
}

static bool lift_kernels(LLVMModuleRef module)
{
    unsigned count = LLVMGetNamedMetadataNumOperands(module, PM_CUDA_ANNOTATIONS);
    LLVMValueRef *nodes = calloc(count + 1, sizeof(LLVMValueRef));
    bool any = false;

    if (nodes && count > 0)
        LLVMGetNamedMetadataOperands(module, PM_CUDA_ANNOTATIONS, nodes);
    for (unsigned i = 0; nodes && i < count; i++) {
        LLVMValueRef kernel = annotated_kernel(nodes[i]);

        if (kernel)
            lift(module, kernel);
        any = any || kernel;
    }
    free(nodes);
    return any;
}

/* ---- functions that are machine instructions ----------------------------------------------- */

static void replace_calls(LLVMModuleRef module, const char *name, LLVMAtomicRMWBinOp operation)
{
    LLVMValueRef function = LLVMGetNamedFunction(module, name), call;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    LLVMUseRef use;

    while (function && (use = LLVMGetFirstUse(function))) {
        call = LLVMGetUser(use);
        LLVMPositionBuilderBefore(b, call);
        LLVMReplaceAllUsesWith(call, LLVMBuildAtomicRMW(b, operation, LLVMGetOperand(call, 0),
                                                        LLVMGetOperand(call, 1),
                                                        LLVMAtomicOrderingMonotonic, 0));
        LLVMInstructionEraseFromParent(call);
    }
    LLVMDisposeBuilder(b);
}

/* Removes the attributes for the target chip that clang gives each function of CUDA code, because
 * all functions of the module must have the same target, as in OpenCL code. */
static void drop_targets(LLVMModuleRef module)
{
    static const char *const names[] = {"target-cpu", "target-features"};

    PM_EACH_FUNCTION(f, module)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, names[i],
                                             (unsigned)strlen(names[i]));
}

/* Deletes the lists llvm.used and llvm.compiler.used. They prevent LLVM from removing symbols that
 * are not used. */
static void drop_used(LLVMModuleRef module)
{
    static const char *const lists[] = {"llvm.used", "llvm.compiler.used"};

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        LLVMValueRef list = LLVMGetNamedGlobal(module, lists[i]);

        if (list)
            LLVMDeleteGlobal(list);
    }
}

/* Gives external linkage to variables in __constant__ and global memory with internal linkage.
 * Otherwise LLVM could replace them by their initial contents, which the host may change. */
static void publish_symbols(LLVMModuleRef module)
{
    PM_EACH_GLOBAL(g, module)
        if (LLVMGetLinkage(g) == LLVMInternalLinkage && LLVMGetInitializer(g) &&
            !LLVMIsGlobalConstant(g) &&
            (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == CONSTANT_SPACE || pm_cuda_is_variable(g)))
            LLVMSetLinkage(g, LLVMExternalLinkage);
}

bool pm_cuda_lift(LLVMModuleRef module)
{
    drop_used(module);
    publish_symbols(module);
    if (!lift_kernels(module))
        return false;
    drop_names(module);
    drop_targets(module);
    pm_cuda_widen_copies(module);
    replace_calls(module, "pm_atomic_inc", LLVMAtomicRMWBinOpUIncWrap);
    replace_calls(module, "pm_atomic_dec", LLVMAtomicRMWBinOpUDecWrap);
    return true;
}
