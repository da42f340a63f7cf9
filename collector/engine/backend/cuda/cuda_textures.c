/* Makes the modes of textures part of CUDA kernels' code.
 *
 * A texture object is a struct argument, or a member of one (compiler/cuda/texture.cuh). On a GPU
 * the texture unit reads its modes, such as linear filtering, and a fetch is one instruction
 * whatever the modes are. In the code that the trace engine runs, the modes would be conditions.
 * The launches of the workload give the modes of each argument, so the loads of modes are replaced
 * by constants before the code is optimised.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/cuda/cuda.h"

#include <llvm-c/Target.h>
#include <string.h>

#include "base/error.h"
#include "collector/engine/backend/ir/ir.h"

enum { MODES_FIELD = 4 }; /* index of the member pm_modes in the struct of a texture object */

typedef struct {
    const pm_backend_request *request;
    LLVMTargetDataRef layout;
    LLVMValueRef kernel;
    unsigned parameter;
    pm_error *err;
} search;

static bool is_texture(LLVMTypeRef type)
{
    const char *name = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;

    return name && strcmp(name, PM_CUDA_TEXTURE_TYPE) == 0 &&
           LLVMCountStructElementTypes(type) > MODES_FIELD;
}

/* Returns whether the 32-bit number at byte `offset` of a value of the type is the member
 * `pm_modes` of a texture object, which contains its modes (filter, address mode, format). */
static bool is_modes(LLVMTargetDataRef layout, LLVMTypeRef type, uint64_t offset)
{
    const LLVMTypeKind kind = LLVMGetTypeKind(type);
    unsigned element;

    if (offset >= LLVMABISizeOfType(layout, type))
        return false;
    if (is_texture(type))
        return offset == LLVMOffsetOfElement(layout, type, MODES_FIELD);
    if (kind == LLVMArrayTypeKind)
        return is_modes(layout, LLVMGetElementType(type),
                        offset % LLVMABISizeOfType(layout, LLVMGetElementType(type)));
    if (kind != LLVMStructTypeKind || LLVMCountStructElementTypes(type) == 0)
        return false;
    element = LLVMElementAtOffset(layout, type, offset);
    return is_modes(layout, LLVMStructGetTypeAtIndex(type, element),
                    offset - LLVMOffsetOfElement(layout, type, element));
}

static bool has_texture(LLVMTypeRef type)
{
    const LLVMTypeKind kind = LLVMGetTypeKind(type);

    if (kind == LLVMArrayTypeKind)
        return has_texture(LLVMGetElementType(type));
    for (unsigned i = 0; kind == LLVMStructTypeKind && i < LLVMCountStructElementTypes(type); i++)
        if (has_texture(LLVMStructGetTypeAtIndex(type, i)))
            return true;
    return is_texture(type);
}

/* Returns whether a value of the request belongs to the parameter s->parameter: the texture that is
 * bound to the parameter's texture reference, or the parameter's argument in a launch of the
 * kernel. */
static bool is_of(const pm_backend_value *value, const search *s, const char *kernel)
{
    const char *reference = pm_cuda_reference_of(s->kernel, s->parameter);

    if (reference || value->reference)
        return reference && value->reference && strcmp(reference, value->reference) == 0;
    return value->argument == s->parameter && strcmp(value->kernel, kernel) == 0;
}

/* Sets *modes to a texture's modes (filter, address mode, format): the 32-bit number at byte
 * `offset` of the argument. Returns false if no launch gives the argument. PM_BAD_INPUT in s->err
 * if the number differs between launches. */
static bool find_modes(const search *s, uint64_t offset, uint32_t *modes)
{
    size_t length;
    const char *kernel = LLVMGetValueName2(s->kernel, &length);
    bool found = false;

    *modes = 0;
    for (size_t i = 0; s->request->values && i < s->request->value_count; i++) {
        const pm_backend_value *value = &s->request->values[i];
        uint32_t given;

        if (!is_of(value, s, kernel) || offset + sizeof given > value->bytes)
            continue;
        memcpy(&given, (const char *)value->data + offset, sizeof given);
        if (found && given != *modes)
            pm_fail(s->err, PM_BAD_INPUT,
                    "%s: kernel %s: launches give argument %u (%s) textures of different kinds "
                    "(filter, address mode, format or layout), which cannot be traced together; "
                    "trace one of them with --kernel, or launch copies of the kernel",
                    s->request->source_path, kernel, s->parameter + 1,
                    LLVMGetValueName2(LLVMGetParam(s->kernel, s->parameter), &length));
        *modes = given;
        found = true;
    }
    return found;
}

/* Replaces loads of textures' modes (filter, address mode, format) by constants, among the users of
 * an address. The address is `offset` bytes after the start of the argument. */
static void replace_loads(const search *s, LLVMValueRef address, LLVMTypeRef type, uint64_t offset)
{
    LLVMUseRef next;

    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        uint64_t more;
        uint32_t modes;

        next = LLVMGetNextUse(use);
        if (LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) == address &&
            pm_constant_offset(user, s->layout, &more))
            replace_loads(s, user, type, offset + more);
        else if (LLVMIsALoadInst(user) && pm_integer_bits(LLVMTypeOf(user)) == 32 &&
                 is_modes(s->layout, type, offset) && find_modes(s, offset, &modes))
            LLVMReplaceAllUsesWith(user, LLVMConstInt(LLVMTypeOf(user), modes, 0));
    }
}

pm_status pm_cuda_fix_textures(LLVMModuleRef module, const pm_backend_request *request,
                               pm_error *err)
{
    search s = {.request = request, .layout = LLVMGetModuleDataLayout(module), .err = err};

    err->status = PM_OK;
    PM_EACH_FUNCTION(f, module)
        for (unsigned i = 0; pm_cuda_is_lifted(f) && i < LLVMCountParams(f); i++) {
            LLVMAttributeRef attribute = pm_parameter_attribute(f, i, "byval");

            s.kernel = f;
            s.parameter = i;
            if (attribute && has_texture(LLVMGetTypeAttributeValue(attribute)))
                replace_loads(&s, LLVMGetParam(f, i), LLVMGetTypeAttributeValue(attribute), 0);
        }
    return err->status;
}

bool pm_cuda_is_texture(LLVMValueRef kernel, unsigned i)
{
    LLVMAttributeRef attribute = pm_parameter_attribute(kernel, i, "byval");

    return attribute && is_texture(LLVMGetTypeAttributeValue(attribute));
}
