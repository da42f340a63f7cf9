/* Sets the contents of variables in CUDA's __constant__ and global memory to those of a workload.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <llvm-c/Target.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "collector/engine/backend/cuda/cuda.h"
#include "collector/engine/backend/ir/ir.h"

static bool is_constant(LLVMValueRef variable)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(variable)) == CONSTANT_SPACE;
}

/* section that marks a variable in constant memory whose contents are kept in a buffer */
static const char in_buffer[] = "pm-in-buffer";

bool pm_cuda_is_in_buffer(LLVMValueRef variable)
{
    const char *section = LLVMGetSection(variable);

    return is_constant(variable) && section && strcmp(section, in_buffer) == 0;
}

static LLVMValueRef find(LLVMModuleRef module, const char *name)
{
    PM_EACH_GLOBAL(g, module) {
        char plain[4096];
        size_t length;

        pm_cuda_plain_name(LLVMGetValueName2(g, &length), plain, sizeof plain);
        if ((is_constant(g) || pm_cuda_is_variable(g)) && strcmp(plain, name) == 0)
            return g;
    }
    return NULL;
}

static pm_status no_such_symbol(LLVMModuleRef module, const pm_backend_request *request,
                                const char *name, pm_error *err)
{
    char list[300] = "", plain[4096];
    size_t length;

    PM_EACH_GLOBAL(g, module)
        if (is_constant(g) || pm_cuda_is_variable(g)) {
            pm_cuda_plain_name(LLVMGetValueName2(g, &length), plain, sizeof plain);
            pm_list_add(list, sizeof list, "%s", plain);
        }
    return pm_fail(err, PM_BAD_INPUT,
                   "%s: no variable %s in __constant__ or __device__ memory; it has: %s",
                   request->source_path, name, *list ? list : "none");
}

/* Replaces a variable by a byte array of the same size with the contents of `symbol`. That the byte
 * array has another type does not matter, because LLVM's pointers are untyped. */
static pm_status fill(LLVMModuleRef module, LLVMValueRef variable, const pm_backend_symbol *symbol,
                      const pm_backend_request *request, pm_error *err)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
    const size_t bytes = LLVMABISizeOfType(layout, LLVMGlobalGetValueType(variable));
    char *all, *name;
    size_t length;
    LLVMValueRef value, filled;

    if (symbol->bytes > bytes)
        return pm_fail(err, PM_BAD_INPUT, "%s: the variable %s has %zu bytes, given are %zu",
                       request->source_path, symbol->name, bytes, symbol->bytes);
    all = calloc(bytes + 1, 1);
    name = strdup(LLVMGetValueName2(variable, &length));
    if (!all || !name) {
        free(all);
        free(name);
        return pm_fail(err, PM_FAILED, "%s: out of memory for %s", request->source_path,
                       symbol->name);
    }
    memcpy(all, symbol->data, symbol->bytes);
    value = LLVMConstStringInContext(LLVMGetModuleContext(module), all, (unsigned)bytes, 1);
    free(all);
    LLVMSetValueName2(variable, "", 0);
    filled = LLVMAddGlobalInAddressSpace(module, LLVMTypeOf(value), name,
                                         LLVMGetPointerAddressSpace(LLVMTypeOf(variable)));
    free(name);
    LLVMSetInitializer(filled, value);
    LLVMSetAlignment(filled, LLVMGetAlignment(variable));
    LLVMReplaceAllUsesWith(variable, filled);
    LLVMDeleteGlobal(variable);
    return PM_OK;
}

void pm_cuda_mark_buffers(LLVMModuleRef module, const pm_backend_request *request)
{
    for (size_t i = 0; i < request->symbol_count; i++) {
        LLVMValueRef variable =
            request->symbols[i].in_buffer ? find(module, request->symbols[i].name) : NULL;

        if (variable && is_constant(variable))
            LLVMSetSection(variable, in_buffer);
    }
}

pm_status pm_cuda_fill_symbols(LLVMModuleRef module, const pm_backend_request *request,
                               pm_error *err)
{
    for (size_t i = 0; i < request->symbol_count; i++) {
        const pm_backend_symbol *symbol = &request->symbols[i];
        LLVMValueRef variable = find(module, symbol->name);

        if (!variable)
            return no_such_symbol(module, request, symbol->name, err);
        if (pm_cuda_is_in_buffer(variable))
            continue;
        if (fill(module, variable, symbol, request, err) != PM_OK)
            return err->status;
    }
    PM_EACH_GLOBAL(g, module)
        if (is_constant(g) && LLVMGetInitializer(g) && !pm_cuda_is_in_buffer(g))
            /* Kernels do not write to __constant__ memory, so the variables in this memory are
             * declared constant for LLVM. */
            LLVMSetGlobalConstant(g, 1);
    return PM_OK;
}
