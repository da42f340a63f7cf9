/* Generates PTX from a module by LLVM's NVPTX back end.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/module/ptx.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/TargetMachine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/engine/backend/ir/intrinsics.h"
#include "collector/engine/backend/ir/ir.h"
#include "collector/engine/backend/module/module.h"

/* ---- chips --------------------------------------------------------------------------------- */

/* Compute capabilities that LLVM 19 supports, in tenths, each with the first PTX version that has
 * it, in tenths. The oldest possible version is used, because old versions of ptxas reject newer
 * PTX. */
static const struct {
    unsigned capability, version;
} chips[] = {{20, 50}, {30, 50}, {32, 50}, {35, 50}, {37, 50}, {50, 50}, {52, 50},
             {53, 50}, {60, 50}, {61, 50}, {62, 50}, {70, 60}, {72, 61}, {75, 63},
             {80, 70}, {86, 71}, {87, 74}, {89, 78}, {90, 78}};

static LLVMTargetMachineRef machine_of(unsigned capability, pm_error *err)
{
    size_t c = sizeof chips / sizeof *chips;
    char chip[16], features[16];

    while (c > 0 && chips[c - 1].capability > capability)
        c--;
    if (c == 0) {
        pm_fail(err, PM_BAD_INPUT, "LLVM makes no PTX for compute capability %u.%u",
                capability / 10, capability % 10);
        return NULL;
    }
    snprintf(chip, sizeof chip, "sm_%u", chips[c - 1].capability);
    snprintf(features, sizeof features, "+ptx%u", chips[c - 1].version);
    return pm_gpu_machine(chip, features, err);
}

/* ---- native functions ---------------------------------------------------------------------- */

/* Replacements of LLVM intrinsics for libclc's native functions (such as native_sin). libclc uses
 * general intrinsics, which the NVPTX back end does not support. NVIDIA's intrinsics for the
 * special-function unit replace them. general, own: names of the two intrinsics. before, behind:
 * factors by which the argument and the result are multiplied. */
static const struct {
    const char *general, *own;
    double before, behind;
} natives[] = {{"llvm.sin.f32", "llvm.nvvm.sin.approx.f", 1, 1},
               {"llvm.cos.f32", "llvm.nvvm.cos.approx.f", 1, 1},
               {"llvm.exp2.f32", "llvm.nvvm.ex2.approx.f", 1, 1},
               {"llvm.exp.f32", "llvm.nvvm.ex2.approx.f", 1.4426950408889634, 1},
               {"llvm.exp10.f32", "llvm.nvvm.ex2.approx.f", 3.3219280948873623, 1},
               {"llvm.log2.f32", "llvm.nvvm.lg2.approx.f", 1, 1},
               {"llvm.log.f32", "llvm.nvvm.lg2.approx.f", 1, 0.69314718055994531},
               {"llvm.log10.f32", "llvm.nvvm.lg2.approx.f", 1, 0.30102999566398120}};

static LLVMValueRef scale(LLVMBuilderRef b, LLVMValueRef value, double factor)
{
    return factor == 1.0 ? value
                         : LLVMBuildFMul(b, value, LLVMConstReal(LLVMTypeOf(value), factor), "");
}

static void replace_native(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef call, size_t native)
{
    const char *own = natives[native].own;
    LLVMValueRef to =
        LLVMGetIntrinsicDeclaration(module, LLVMLookupIntrinsicID(own, strlen(own)), NULL, 0);
    LLVMValueRef value;

    LLVMPositionBuilderBefore(b, call);
    value = scale(b, LLVMGetOperand(call, 0), natives[native].before);
    value = LLVMBuildCall2(b, LLVMGlobalGetValueType(to), to, &value, 1, "");
    LLVMReplaceAllUsesWith(call, scale(b, value, natives[native].behind));
    LLVMInstructionEraseFromParent(call);
}

static void replace_natives(LLVMModuleRef module)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

    for (size_t n = 0; n < sizeof natives / sizeof *natives; n++) {
        LLVMValueRef function = LLVMGetNamedFunction(module, natives[n].general);
        LLVMUseRef use;

        while (function && (use = LLVMGetFirstUse(function)) && LLVMIsACallInst(LLVMGetUser(use)))
            replace_native(module, b, LLVMGetUser(use), n);
    }
    LLVMDisposeBuilder(b);
}

/* ---- the text ------------------------------------------------------------------------------ */

static pm_status copy_text(LLVMMemoryBufferRef text, char **ptx, size_t *bytes, pm_error *err)
{
    *bytes = LLVMGetBufferSize(text);
    *ptx = malloc(*bytes + 1);
    if (!*ptx)
        return pm_fail(err, PM_FAILED, "out of memory for PTX");
    memcpy(*ptx, LLVMGetBufferStart(text), *bytes);
    (*ptx)[*bytes] = '\0';
    return PM_OK;
}

static pm_status emit(LLVMModuleRef module, LLVMTargetMachineRef machine, char **ptx, size_t *bytes,
                      pm_error *err)
{
    LLVMMemoryBufferRef text;
    char *message = NULL;
    pm_status status;

    LLVMStripModuleDebugInfo(module);
    replace_natives(module);
    if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMAssemblyFile, &message, &text)) {
        pm_fail(err, PM_FAILED, "LLVM made no PTX: %s", message);
        LLVMDisposeMessage(message);
        return PM_FAILED;
    }
    status = copy_text(text, ptx, bytes, err);
    LLVMDisposeMemoryBuffer(text);
    return status;
}

pm_status pm_trace_program_ptx(const pm_backend_request *request, unsigned capability, char **ptx,
                               size_t *bytes, pm_error *err)
{
    LLVMTargetMachineRef machine = machine_of(capability, err);
    LLVMContextRef context;
    LLVMModuleRef module;
    pm_status status = PM_FAILED;

    if (!machine)
        return err->status;
    context = LLVMContextCreate();
    module = pm_module_load(context, request, NULL, err);
    if (module) {
        status = emit(module, machine, ptx, bytes, err);
        LLVMDisposeModule(module);
    }
    LLVMContextDispose(context);
    LLVMDisposeTargetMachine(machine);
    return status;
}
