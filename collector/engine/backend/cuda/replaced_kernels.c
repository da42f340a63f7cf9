/* Names of CUDA kernels and variables, and the replacement of a kernel by another function. See
 * cuda.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/engine/backend/cuda/cuda.h"
#include "collector/engine/backend/ir/ir.h"

static const char lifted_mark[] = "pm-cuda";

/* ---- names --------------------------------------------------------------------------------- */

/* Appends to `name` the identifier at `at` in a mangled name, which has the form <length><text>.
 * Unnamed namespaces are skipped. Returns the position behind the identifier; NULL if there is none
 * at `at`. */
static const char *add_identifier(const char *at, char *name, size_t size)
{
    char *rest;
    unsigned long length = isdigit((unsigned char)*at) ? strtoul(at, &rest, 10) : 0;
    size_t used = strlen(name);

    if (length == 0 || length > strlen(rest))
        return NULL;
    if (!pm_starts(rest, "_GLOBAL__N")) /* skips clang's name of an unnamed namespace */
        snprintf(name + used, size - used, "%s%.*s", used ? "::" : "", (int)length, rest);
    return rest + length;
}

/* Returns the start of <name> in a variable's mangled name _ZZ<function>E<name>. */
static const char *variable_name(const char *mangled)
{
    const char *at = mangled + strlen(mangled);

    while (at > mangled && !(at[-1] == 'E' && isdigit((unsigned char)*at)))
        at--;
    return at;
}

/* Removes from a name the unnamed namespaces, which clang calls _GLOBAL__N_1. */
static void drop_unnamed(char *name)
{
    static const char unnamed[] = "_GLOBAL__N_1::";
    char *at;

    while ((at = strstr(name, unnamed)))
        memmove(at, at + sizeof unnamed - 1, strlen(at + sizeof unnamed - 1) + 1);
}

void pm_cuda_plain_name(const char *mangled, char *name, size_t size)
{
    const bool nested = pm_starts(mangled, "_ZN");
    const char *at = mangled + 2;

    name[0] = '\0';
    if (pm_starts(mangled, "_ZZ"))
        at = variable_name(mangled);
    else if (pm_starts(mangled, "_Z"))
        at += strspn(at, "NL");
    if (pm_starts(mangled, "_Z"))
        do {
            at = add_identifier(at, name, size);
            at = at && *at == 'L' ? at + 1 : at;
        } while (at && nested && isdigit((unsigned char)*at));
    drop_unnamed(name);
    if (!*name)
        snprintf(name, size, "%s", mangled);
}

/* ---- kernels that replace others ------------------------------------------------------------- */

static void move_body(LLVMValueRef old, LLVMBasicBlockRef behind)
{
    LLVMBasicBlockRef next;

    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(old); block; block = next) {
        next = LLVMGetNextBasicBlock(block);
        LLVMMoveBasicBlockAfter(block, behind);
        behind = block;
    }
}

/* Copies the kernel's annotations to the new kernel, such as !{old, !"maxntidx", i32 256} from
 * __launch_bounds__. */
static void hand_on_annotations(LLVMModuleRef module, LLVMValueRef old, LLVMValueRef made)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    const unsigned count = LLVMGetNamedMetadataNumOperands(module, PM_CUDA_ANNOTATIONS);
    LLVMValueRef *nodes = calloc(count + 1, sizeof(LLVMValueRef));

    if (nodes && count > 0)
        LLVMGetNamedMetadataOperands(module, PM_CUDA_ANNOTATIONS, nodes);
    for (unsigned i = 0; nodes && i < count; i++) {
        LLVMValueRef operands[3] = {NULL};
        LLVMMetadataRef parts[3];
        unsigned length;

        if (LLVMGetMDNodeNumOperands(nodes[i]) != 3)
            continue;
        LLVMGetMDNodeOperands(nodes[i], operands);
        if (operands[0] != old || !operands[1] || !operands[2] ||
            !LLVMIsAConstantInt(operands[2]) || !LLVMGetMDString(operands[1], &length) ||
            strcmp(LLVMGetMDString(operands[1], &length), "kernel") == 0)
            continue;
        parts[0] = LLVMValueAsMetadata(made);
        parts[1] = LLVMMDStringInContext2(context, LLVMGetMDString(operands[1], &length), length);
        parts[2] = LLVMValueAsMetadata(operands[2]);
        LLVMAddNamedMetadataOperand(
            module, PM_CUDA_ANNOTATIONS,
            LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, parts, 3)));
    }
    free(nodes);
}

void pm_cuda_take_over(LLVMModuleRef module, LLVMValueRef old, LLVMValueRef made)
{
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(LLVMGetModuleContext(module), made, "");
    LLVMMetadataRef lines = LLVMGetSubprogram(old);

    move_body(old, entry);
    LLVMDeleteBasicBlock(entry);
    if (lines)
        LLVMSetSubprogram(made, lines);
    hand_on_annotations(module, old, made);
}

/* Gives `made` the name of the kernel `old`. If memory for the name runs out, `made` has no name,
 * and no launch finds it. */
static void name_as(LLVMValueRef old, LLVMValueRef made)
{
    size_t length;
    char *name = strdup(LLVMGetValueName2(old, &length));

    LLVMSetValueName2(old, "", 0);
    if (name)
        LLVMSetValueName2(made, name, length);
    free(name);
}

/* Copies all attributes of the kernel (index LLVMAttributeFunctionIndex) or of a parameter. */
static void copy_attributes(LLVMValueRef old, LLVMValueRef made, LLVMAttributeIndex index)
{
    const unsigned count = LLVMGetAttributeCountAtIndex(old, index);
    LLVMAttributeRef *attributes = calloc(count + 1, sizeof(LLVMAttributeRef));

    if (attributes)
        LLVMGetAttributesAtIndex(old, index, attributes);
    for (unsigned i = 0; attributes && i < count; i++)
        LLVMAddAttributeAtIndex(made, index, attributes[i]);
    free(attributes);
}

void pm_cuda_move_kernel(LLVMModuleRef module, LLVMValueRef old, LLVMValueRef made)
{
    size_t length;

    copy_attributes(old, made, LLVMAttributeFunctionIndex);
    for (unsigned i = 0; i < LLVMCountParams(old); i++) {
        const char *name = LLVMGetValueName2(LLVMGetParam(old, i), &length);

        LLVMSetValueName2(LLVMGetParam(made, i), name, length);
        copy_attributes(old, made, i + 1);
        LLVMReplaceAllUsesWith(LLVMGetParam(old, i), LLVMGetParam(made, i));
    }
    LLVMSetFunctionCallConv(made, LLVMGetFunctionCallConv(old));
    pm_cuda_take_over(module, old, made);
    name_as(old, made);
    LLVMReplaceAllUsesWith(old, made);
    LLVMDeleteFunction(old);
}

void pm_cuda_mark_lifted(LLVMValueRef kernel)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(kernel));

    LLVMAddAttributeAtIndex(
        kernel, LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(context, lifted_mark, sizeof lifted_mark - 1, "", 0));
}

bool pm_cuda_is_lifted(LLVMValueRef kernel)
{
    return LLVMGetStringAttributeAtIndex(kernel, LLVMAttributeFunctionIndex, lifted_mark,
                                         sizeof lifted_mark - 1) != NULL;
}
