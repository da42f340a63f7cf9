/* Reads the LLVM module of a compilation request: parses bitcode, or translates PTX to a module.
 * See module.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <llvm-c/BitReader.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/engine/backend/module/module.h"
#include "compiler/ptx/emit/compile.h"
#include "compiler/ptx/lex.h"

enum { PTX_WARP = 32 };

static LLVMModuleRef read_bitcode(LLVMContextRef context, const pm_backend_request *request,
                                  pm_error *err)
{
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
        request->bitcode, request->bitcode_bytes, request->source_path);
    LLVMModuleRef module = NULL;

    if (LLVMParseBitcodeInContext2(context, buffer, &module)) {
        pm_fail(err, PM_FAILED, "%s: LLVM does not read the bitcode that clang wrote",
                request->source_path);
        module = NULL;
    }
    LLVMDisposeMemoryBuffer(buffer);
    return module;
}

static LLVMModuleRef translate_ptx(LLVMContextRef context, const pm_backend_request *request,
                                   const char *text, pm_error *err)
{
    const pm_ptx_request ptx = {.text = text,
                                .path = request->source_path,
                                .kernels = request->kernels,
                                .kernel_count = request->kernel_count,
                                .marks = request->marks};

    if (request->warp_width != PTX_WARP) {
        pm_fail(err, PM_BAD_INPUT,
                "%s: PTX is for warps of %d threads, and this target has %u; name a GPU of NVIDIA "
                "by --target",
                request->source_path, PTX_WARP, request->warp_width);
        return NULL;
    }
    return pm_ptx_compile(context, &ptx, err);
}

LLVMModuleRef pm_module_read(LLVMContextRef context, const pm_backend_request *request,
                             pm_error *err)
{
    char *text = strndup(request->bitcode, request->bitcode_bytes);
    LLVMModuleRef module = NULL;

    if (!text)
        pm_fail(err, PM_FAILED, "%s: out of memory", request->source_path);
    else if (pm_ptx_is_text(text))
        module = translate_ptx(context, request, text, err);
    else
        module = read_bitcode(context, request, err);
    free(text);
    return module;
}
