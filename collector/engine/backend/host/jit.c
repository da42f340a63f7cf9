/* Compiles LLVM modules to machine code of the host.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/host/jit.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/engine/backend/host/long_blocks.h"
#include "collector/engine/backend/ir/ir.h"
#include "collector/engine/backend/module/module.h"

/* A module with more LLVM instructions than this is compiled without optimisation. Its code is
 * mostly unrolled, so that each basic block executes only once or twice, and optimisation would
 * take longer than it saves. */
enum { LONG_CODE = 10000 };
/* Basic blocks are split into blocks of at most this number of instructions before LLVM selects
 * machine instructions. QUICK_BLOCK: for code that is not optimised. If LLVM's fast selector meets
 * an instruction that it does not know, it builds a graph of all instructions before it in the
 * block. OPTIMISED_BLOCK: for optimised code. LLVM builds one graph of each block and searches it
 * in a time that is quadratic in its length. Few blocks are that long, so that their code changes
 * little. */
enum { QUICK_BLOCK = 256, OPTIMISED_BLOCK = 256 };

struct pm_jit {
    LLVMOrcThreadSafeContextRef context;
    LLVMTargetMachineRef machine;
    LLVMTargetDataRef layout;
    /* lljit[k]: LLVM's JIT for the module that was added by call k of pm_jit_add */
    LLVMOrcLLJITRef lljit[PM_JIT_MODULES];
    size_t count;
    bool quick;
};

static void set_target(void)
{
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
}

static LLVMTargetMachineRef host_machine(bool quick, pm_error *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char *triple = LLVMGetDefaultTargetTriple(), *cpu = LLVMGetHostCPUName();
    char *features = LLVMGetHostCPUFeatures(), *text = NULL;
    LLVMTargetMachineRef machine = NULL;
    LLVMTargetRef target;

    pthread_once(&once, set_target);
    if (LLVMGetTargetFromTriple(triple, &target, &text)) {
        pm_fail(err, PM_FAILED, "LLVM cannot make code for this machine (%s)",
                text ? text : triple);
        LLVMDisposeMessage(text);
    } else {
        machine = LLVMCreateTargetMachine(target, triple, cpu, features,
                                          quick ? LLVMCodeGenLevelNone : LLVMCodeGenLevelDefault,
                                          LLVMRelocPIC, LLVMCodeModelJITDefault);
        if (!machine)
            pm_fail(err, PM_FAILED, "LLVM made no target machine for %s", triple);
    }
    LLVMDisposeMessage(triple);
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(features);
    return machine;
}

/* Rounds a float to bfloat16, to the nearest, ties to even. LLVM's code calls this function as
 * __truncsfbf2, because libgcc has a function of this name only since GCC 13. The result is
 * returned in the lower 16 bits of a float register. */
static float bfloat_of_float(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    bits = (bits & 0x7fffffff) > 0x7f800000 ? bits >> 16 | 0x40
                                            : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    memcpy(&x, &bits, sizeof bits);
    return x;
}

/* Rounds a double to bfloat16, through a float. Rounding twice to the nearest could give a wrong
 * result. The float is therefore rounded to odd (its last bit is set if it is not exact). */
static float bfloat_of_double(double x)
{
    float single = (float)x;
    uint32_t bits;

    memcpy(&bits, &single, sizeof bits);
    if (isfinite(x) && (double)single != x && (bits & 1) == 0)
        bits += fabs((double)single) < fabs(x) ? 1 : UINT32_MAX;
    memcpy(&single, &bits, sizeof bits);
    return bfloat_of_float(single);
}

static LLVMErrorRef define_conversions(LLVMOrcLLJITRef lljit)
{
    const LLVMJITSymbolFlags flags = {
        LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable, 0};
    LLVMOrcCSymbolMapPair pairs[] = {
        {LLVMOrcLLJITMangleAndIntern(lljit, "__truncsfbf2"),
         {(LLVMOrcExecutorAddress)(uintptr_t)bfloat_of_float, flags}},
        {LLVMOrcLLJITMangleAndIntern(lljit, "__truncdfbf2"),
         {(LLVMOrcExecutorAddress)(uintptr_t)bfloat_of_double, flags}},
    };

    return LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(lljit),
                                 LLVMOrcAbsoluteSymbols(pairs, sizeof pairs / sizeof *pairs));
}

/* Creates an LLVM JIT. quick: true if the JIT shall compile fast, without optimising. */
static pm_status open_lljit(LLVMOrcLLJITRef *lljit, bool quick, pm_error *err)
{
    LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
    LLVMTargetMachineRef machine = host_machine(quick, err);
    LLVMOrcDefinitionGeneratorRef process;
    LLVMErrorRef error;

    if (!machine) {
        LLVMOrcDisposeLLJITBuilder(builder);
        return PM_FAILED;
    }
    LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
        builder, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine));
    error = LLVMOrcCreateLLJIT(lljit, builder);
    if (error)
        return pm_llvm_fail(err, "starting the JIT", error);
    /* Makes this process's symbols available to compiled code, because LLVM turns mathematical
     * intrinsics into calls of the C library. */
    error = LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
        &process, LLVMOrcLLJITGetGlobalPrefix(*lljit), NULL, NULL);
    if (error)
        return pm_llvm_fail(err, "starting the JIT", error);
    LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(*lljit), process);
    error = define_conversions(*lljit);
    return error ? pm_llvm_fail(err, "starting the JIT", error) : PM_OK;
}

pm_jit *pm_jit_create(bool quick, pm_error *err)
{
    pm_jit *jit = calloc(1, sizeof *jit);

    if (!jit) {
        pm_fail(err, PM_FAILED, "out of memory for the JIT");
        return NULL;
    }
    jit->quick = quick;
    jit->machine = host_machine(quick, err);
    if (!jit->machine) {
        pm_jit_free(jit);
        return NULL;
    }
    jit->context = LLVMOrcCreateNewThreadSafeContext();
    jit->layout = LLVMCreateTargetDataLayout(jit->machine);
    return jit;
}

void pm_jit_free(pm_jit *jit)
{
    if (!jit)
        return;
    for (size_t i = 0; i < jit->count; i++) {
        LLVMErrorRef error = LLVMOrcDisposeLLJIT(jit->lljit[i]);

        if (error)
            LLVMConsumeError(error);
    }
    if (jit->context)
        LLVMOrcDisposeThreadSafeContext(jit->context);
    if (jit->layout)
        LLVMDisposeTargetData(jit->layout);
    if (jit->machine)
        LLVMDisposeTargetMachine(jit->machine);
    free(jit);
}

LLVMContextRef pm_jit_context(pm_jit *jit)
{
    return LLVMOrcThreadSafeContextGetContext(jit->context);
}

LLVMTargetDataRef pm_jit_layout(pm_jit *jit)
{
    return jit->layout;
}

/* Renames the variables of the kernels' source. A variable could otherwise have the same name as a
 * function of the C library that the compiled code calls. */
static void hide_variables(LLVMModuleRef module)
{
    static const char name[] = "pm.variable";

    PM_EACH_GLOBAL(g, module) {
        LLVMSetValueName2(g, name, sizeof name - 1);
        if (!LLVMIsDeclaration(g))
            LLVMSetLinkage(g, LLVMPrivateLinkage);
    }
}

void pm_jit_adopt(pm_jit *jit, LLVMModuleRef module)
{
    static const char *const foreign[] = {"target-cpu", "target-features", "tune-cpu"};
    char *triple = LLVMGetTargetMachineTriple(jit->machine);

    LLVMSetTarget(module, triple);
    LLVMDisposeMessage(triple);
    LLVMSetModuleDataLayout(module, jit->layout);
    LLVMStripModuleDebugInfo(module);
    hide_variables(module);
    PM_EACH_FUNCTION(f, module)
        for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
            LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, foreign[i],
                                             (unsigned)strlen(foreign[i]));
}

/* LLVM passes for the host's code. Each function contains only one basic block of a kernel, which
 * further passes hardly improve. instcombine is left out, because its time would be quadratic in
 * the number of the block's accesses. */
static const char host_passes[] = "function(sroa,early-cse<memssa>,simplifycfg,instsimplify,adce)";

static bool is_long(LLVMModuleRef module)
{
    size_t count = 0;

    PM_EACH_FUNCTION(f, module)
        PM_EACH_BLOCK(b, f)
            PM_EACH_INSTRUCTION(i, b)
                count++;
    return count > LONG_CODE;
}

/* Creates the LLVM JIT for a module, in jit->lljit. The JIT compiles fast, without optimising, if
 * the module has more than LONG_CODE instructions or jit->quick is set. */
static pm_status prepare(pm_jit *jit, LLVMModuleRef module, pm_error *err)
{
    const bool quick = jit->quick || is_long(module);
    LLVMOrcLLJITRef *lljit = &jit->lljit[jit->count];
    pm_status status;

    pm_long_blocks_cut(module, quick ? QUICK_BLOCK : OPTIMISED_BLOCK);
    status = open_lljit(lljit, quick, err);
    jit->count += *lljit != NULL;
    return status;
}

pm_status pm_jit_add(pm_jit *jit, LLVMModuleRef module, pm_error *err)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    char *text = NULL;
    LLVMOrcLLJITRef lljit;
    LLVMErrorRef error;

    if (LLVMVerifyModule(module, LLVMReturnStatusAction, &text)) {
        pm_fail(err, PM_FAILED, "the engine wrote code that LLVM refuses: %.600s", text);
        LLVMDisposeMessage(text);
        LLVMDisposePassBuilderOptions(options);
        LLVMDisposeModule(module);
        return PM_FAILED;
    }
    LLVMDisposeMessage(text);
    /* Only inlining runs in quick mode, because further passes improve the code of a single basic
     * block little. */
    error =
        LLVMRunPasses(module, jit->quick ? "always-inline" : host_passes, jit->machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (error) {
        LLVMDisposeModule(module);
        return pm_llvm_fail(err, "optimising for the host", error);
    }
    if (prepare(jit, module, err) != PM_OK) {
        LLVMDisposeModule(module);
        return err->status;
    }
    lljit = jit->lljit[jit->count - 1];
    error = LLVMOrcLLJITAddLLVMIRModule(lljit, LLVMOrcLLJITGetMainJITDylib(lljit),
                                        LLVMOrcCreateNewThreadSafeModule(module, jit->context));
    return error ? pm_llvm_fail(err, "adding code", error) : PM_OK;
}

pm_status pm_jit_find(pm_jit *jit, const char *name, uint64_t *address, pm_error *err)
{
    LLVMOrcExecutorAddress found = 0;
    LLVMErrorRef error = LLVMOrcLLJITLookup(jit->lljit[jit->count - 1], &found, name);

    if (error)
        return pm_llvm_fail(err, "compiling for the host", error);
    *address = found;
    return PM_OK;
}
