/* Parses IR, and computes its instruction mix by the shipped table of costs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_MIX_FIXTURE_H
#define PM_TESTS_MIX_FIXTURE_H

#include <llvm-c/IRReader.h>

#include "collector/engine/backend/costs/costs.h"
#include "collector/engine/backend/mix/count_mix.h"
#include "tests/owned.h"

#define TABLE PM_SOURCE_DIR "/collector/engine/backend/instructions.ini"

/* ---- IR ----------------------------------------------------------------------------------- */

OWNED(context, struct LLVMOpaqueContext, LLVMContextDispose)
OWNED(module, struct LLVMOpaqueModule, LLVMDisposeModule)

/* definitions: IR at module level. Function f has the arguments `arguments`. */
static inline LLVMValueRef parse(const char *arguments, const char *body)
{
    char text[8192], *message = NULL;
    LLVMMemoryBufferRef buffer;
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module;

    snprintf(text, sizeof text,
             "target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\n"
             "target triple = \"nvptx64--\"\n"
             "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
             "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
             "declare void @llvm.nvvm.barrier0()\n"
             "declare float @llvm.fmuladd.f32(float, float, float)\n"
             "declare float @llvm.fabs.f32(float)\n"
             "declare <4 x float> @llvm.sqrt.v4f32(<4 x float>)\n"
             "declare float @_Z3expf(float)\n"
             "declare double @_Z3powdd(double, double)\n"
             "declare float @unheard_of(float)\n"
             "@tile = internal addrspace(3) global [256 x float] undef\n"
             "@table = internal addrspace(4) constant [8 x i32] zeroinitializer\n"
             "define void @f(%s) {\n%s}\n",
             arguments, body);
    buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
    if (LLVMParseIRInContext(context, buffer, &module, &message))
        fail_msg("%s", message);
    owned_context(context);
    return LLVMGetNamedFunction(owned_module(module), "f");
}

OWNED(costs, pm_costs, pm_costs_free)

static inline pm_costs *read_costs_of(unsigned capability)
{
    return owned_costs(pm_costs_read(TABLE, capability, told()));
}

static inline pm_costs *read_costs(void)
{
    return read_costs_of(90);
}

static inline pm_mix mix_on(unsigned capability, const char *arguments, const char *body)
{
    pm_costs *costs = read_costs_of(capability);
    LLVMValueRef function = parse(arguments, body);
    pm_mix mix = {0};

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            assert_int_equal(pm_mix_add(costs, i, &mix, told()), PM_OK);
    return mix;
}

static inline pm_mix mix_of(const char *arguments, const char *body)
{
    return mix_on(90, arguments, body);
}

#define ID "%id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
#define WIDE "%wide = sext i32 %id to i64\n"
#define END "ret void\n"
enum { ENDS = 1, IDS = 1 }; /* machine instructions of END and ID */

#endif
