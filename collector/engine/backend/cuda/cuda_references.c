/* Passes the textures that are bound to texture references to CUDA kernels as further parameters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A texture reference is a variable at file scope. The host binds a texture to it before a launch.
 * compiler/cuda/texture.cuh calls pm_bound_texture with the handle of the reference, which is the
 * result of LLVM's intrinsic for the variable. After inlining, each kernel gets a parameter for
 * each reference that it uses: a texture object that is passed by value.
 */
#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

#include "collector/engine/backend/cuda/cuda.h"
#include "collector/engine/backend/ir/ir.h"

enum { MOST_REFERENCES = 32 };

/* attribute of a parameter that was added for a texture reference */
static const char mark[] = "pm-reference";

typedef struct {
    LLVMValueRef items[MOST_REFERENCES];
    unsigned count;
} references;

static bool is_handle(LLVMValueRef value)
{
    return LLVMIsACallInst(value) && pm_starts(pm_callee_name(value), "llvm.nvvm.texsurf.handle");
}

bool pm_cuda_is_reference(LLVMValueRef variable)
{
    LLVMUseRef use = LLVMGetFirstUse(variable);

    return LLVMIsAGlobalVariable(variable) && use && is_handle(LLVMGetUser(use));
}

/* Returns the texture reference that an instruction passes to pm_bound_texture, which returns the
 * bound texture; NULL: it is another instruction. */
static LLVMValueRef reference_of(LLVMValueRef call)
{
    char name[64];

    if (!LLVMIsACallInst(call) || LLVMGetNumArgOperands(call) != 1 ||
        !is_handle(LLVMGetArgOperand(call, 0)))
        return NULL;
    pm_cuda_plain_name(pm_callee_name(call), name, sizeof name);
    return strcmp(name, "pm_bound_texture") == 0 ? LLVMGetArgOperand(LLVMGetArgOperand(call, 0), 0)
                                                 : NULL;
}

static unsigned find_reference(const references *list, LLVMValueRef reference)
{
    unsigned i = 0;

    while (i < list->count && list->items[i] != reference)
        i++;
    return i;
}

static void find_references(LLVMValueRef kernel, references *list)
{
    PM_EACH_BLOCK(block, kernel)
        PM_EACH_INSTRUCTION(i, block) {
            LLVMValueRef reference = reference_of(i);

            if (reference && list->count < MOST_REFERENCES &&
                find_reference(list, reference) == list->count)
                list->items[list->count++] = reference;
        }
}

/* Parameter `i` was added to a kernel for a texture reference. Gives it the attributes of a texture
 * object that is passed by value. */
static void mark_parameter(LLVMValueRef kernel, unsigned i, LLVMValueRef reference,
                           LLVMTypeRef object)
{
    LLVMContextRef context = pm_context_of(kernel);
    char plain[256];
    size_t length;

    pm_cuda_plain_name(LLVMGetValueName2(reference, &length), plain, sizeof plain);
    LLVMSetValueName2(LLVMGetParam(kernel, i), plain, strlen(plain));
    LLVMAddAttributeAtIndex(kernel, i + 1,
                            LLVMCreateTypeAttribute(context, pm_attribute_kind("byval"), object));
    LLVMAddAttributeAtIndex(kernel, i + 1,
                            LLVMCreateEnumAttribute(context, pm_attribute_kind("noalias"), 0));
    LLVMAddAttributeAtIndex(
        kernel, i + 1,
        LLVMCreateStringAttribute(context, mark, sizeof mark - 1, plain, (unsigned)strlen(plain)));
}

/* Declares a new version of the kernel. Its parameters are those of the kernel, and then one for
 * each texture reference in `list`. NULL: out of memory. */
static LLVMValueRef declare(LLVMModuleRef module, LLVMValueRef old, const references *list,
                            LLVMTypeRef object)
{
    const unsigned count = LLVMCountParams(old);
    LLVMTypeRef *types = calloc(count + list->count, sizeof(LLVMTypeRef));
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMValueRef made = NULL;

    for (unsigned i = 0; types && i < count + list->count; i++)
        types[i] =
            i < count ? LLVMTypeOf(LLVMGetParam(old, i)) : LLVMPointerTypeInContext(context, 0);
    if (types)
        made = LLVMAddFunction(
            module, "",
            LLVMFunctionType(LLVMVoidTypeInContext(context), types, count + list->count, 0));
    for (unsigned i = 0; made && i < list->count; i++)
        mark_parameter(made, count + i, list->items[i], object);
    free(types);
    return made;
}

static void replace_calls(LLVMValueRef old, LLVMValueRef made, const references *list)
{
    const unsigned own = LLVMCountParams(old);

    PM_EACH_BLOCK(block, old)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
            LLVMValueRef reference = reference_of(i), handle;
            const unsigned number = reference ? find_reference(list, reference) : list->count;

            next = LLVMGetNextInstruction(i);
            if (number == list->count)
                continue;
            handle = LLVMGetArgOperand(i, 0);
            LLVMReplaceAllUsesWith(i, LLVMGetParam(made, own + number));
            LLVMInstructionEraseFromParent(i);
            if (!LLVMGetFirstUse(handle))
                LLVMInstructionEraseFromParent(handle);
        }
}

static void bind(LLVMModuleRef module, LLVMValueRef old, LLVMTypeRef object)
{
    references list = {.count = 0};
    LLVMValueRef made;

    find_references(old, &list);
    made = list.count > 0 ? declare(module, old, &list, object) : NULL;
    if (!made)
        return;
    replace_calls(old, made, &list);
    pm_cuda_move_kernel(module, old, made);
}

void pm_cuda_bind_references(LLVMModuleRef module)
{
    LLVMTypeRef object = LLVMGetTypeByName2(LLVMGetModuleContext(module), PM_CUDA_TEXTURE_TYPE);
    LLVMValueRef next;

    for (LLVMValueRef f = LLVMGetFirstFunction(module); object && f; f = next) {
        next = LLVMGetNextFunction(f);
        if (pm_cuda_is_lifted(f))
            bind(module, f, object);
    }
}

const char *pm_cuda_reference_of(LLVMValueRef kernel, unsigned i)
{
    LLVMAttributeRef attribute =
        LLVMGetStringAttributeAtIndex(kernel, i + 1, mark, sizeof mark - 1);
    unsigned length;

    return attribute ? LLVMGetStringAttributeValue(attribute, &length) : NULL;
}
