/* Converts clang's bitcode to optimised IR, as a GPU's compiler has it before it generates machine
 * code.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/module/module.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm/Config/llvm-config.h>
#include <pthread.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "collector/engine/backend/cuda/cuda.h"
#include "collector/engine/backend/ir/ir.h"
#include "collector/engine/backend/ir/texture.h"
#include "collector/engine/backend/module/expand_copies.h"
#include "collector/engine/backend/module/lines.h"
#include "collector/engine/backend/module/long_stores.h"
#include "collector/engine/backend/module/ptx.h"
#include "collector/engine/backend/module/split_accesses.h"
#include "collector/engine/backend/module/unroll.h"

enum {
    CUDA_WARP = 32,
    STRUCT_ALIGNMENT = 16 /* alignment of struct arguments and private variables */
};

/* ---- attributes --------------------------------------------------------------------------- */

static void remove_attribute(LLVMValueRef function, const char *name)
{
    LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, pm_attribute_kind(name));
}

static LLVMAttributeRef attribute_of(LLVMValueRef function, const char *name)
{
    return LLVMCreateEnumAttribute(pm_context_of(function), pm_attribute_kind(name), 0);
}

static void add_attribute(LLVMValueRef function, const char *name)
{
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute_of(function, name));
}

static bool takes_pointer(LLVMValueRef function)
{
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, i))) == LLVMPointerTypeKind)
            return true;
    return false;
}

/* Sets the attributes of a builtin function that has its own row in instructions.ini, such as exp,
 * so that LLVM does not inline its calls. Its result depends only on its arguments. A builtin that
 * also writes through a pointer (sincos) is inlined, but the functions that it calls are not. */
static void keep_call(LLVMValueRef function)
{
    /* the attribute `convergent` would prevent unrolling of loops */
    unsigned convergent = pm_attribute_kind("convergent");

    PM_EACH_USE(use, function)
        if (LLVMIsACallInst(LLVMGetUser(use)))
            LLVMRemoveCallSiteEnumAttribute(LLVMGetUser(use), LLVMAttributeFunctionIndex,
                                            convergent);
    remove_attribute(function, "convergent");
    remove_attribute(function, "alwaysinline");
    add_attribute(function, "noinline");
    add_attribute(function, "memory"); /* promises that the function accesses no memory */
    add_attribute(function, "nounwind");
    add_attribute(function, "willreturn");
}

/* Copies struct arguments that are passed by value to private variables. A work-item may write to
 * its struct, but the engine has only one copy of an argument for all work-items. The optimiser
 * removes the private copy if it is only read. */
static void copy_structs(LLVMValueRef kernel)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(kernel);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(kernel)));

    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
    for (unsigned i = 0; i < LLVMCountParams(kernel); i++) {
        LLVMValueRef argument = LLVMGetParam(kernel, i), copy;
        LLVMAttributeRef attribute = pm_parameter_attribute(kernel, i, "byval");
        LLVMTypeRef type;

        if (!attribute)
            continue;
        LLVMAddAttributeAtIndex(kernel, i + 1, attribute_of(kernel, "noalias"));
        /* PTX cannot write parameters, and tensor maps must keep the address of the parameter. */
        if (pm_parameter_attribute(kernel, i, "readonly"))
            continue;
        type = LLVMGetTypeAttributeValue(attribute);
        copy = LLVMBuildAlloca(b, type, "");
        LLVMSetAlignment(copy, STRUCT_ALIGNMENT);
        LLVMReplaceAllUsesWith(argument, copy);
        LLVMBuildMemCpy(b, copy, STRUCT_ALIGNMENT, argument, STRUCT_ALIGNMENT, LLVMSizeOf(type));
    }
    LLVMDisposeBuilder(b);
}

/* Makes LLVM inline the calls of a kernel by other kernels. */
static void inline_calls(LLVMValueRef kernel)
{
    PM_EACH_USE(use, kernel)
        if (LLVMIsACallInst(LLVMGetUser(use)))
            LLVMAddCallSiteAttribute(LLVMGetUser(use), LLVMAttributeFunctionIndex,
                                     attribute_of(kernel, "alwaysinline"));
}

/* Returns whether calls of a function are not inlined, because instructions.ini gives the cost of a
 * call by the function's name. A function with debug information is from the user's source and not
 * a builtin, even if it has a builtin's name, because libclc has no debug information. */
static bool is_kept(LLVMValueRef function, const pm_costs *costs)
{
    size_t length;

    return costs && !takes_pointer(function) && !LLVMGetSubprogram(function) &&
           (pm_costs_builtin(costs, LLVMGetValueName2(function, &length), false) ||
            pm_is_texture_function(function));
}

static void set_inlining(LLVMModuleRef module, const pm_costs *costs)
{
    PM_EACH_FUNCTION(f, module) {
        if (LLVMIsDeclaration(f))
            continue;
        remove_attribute(f, "optnone");
        remove_attribute(f, "noinline");
        if (pm_is_kernel(f)) {
            copy_structs(f);
            inline_calls(f);
            continue;
        }
        /* LLVM deletes a function with internal linkage when no caller is left */
        LLVMSetLinkage(f, LLVMInternalLinkage);
        if (is_kept(f, costs))
            keep_call(f);
        else
            add_attribute(f, "alwaysinline");
    }
}

/* Marks all pointer arguments of kernels as restrict (noalias), as nvcc's option --restrict
 * does. */
static void restrict_all(LLVMModuleRef module)
{
    PM_EACH_FUNCTION(f, module)
        for (unsigned i = 0; pm_is_kernel(f) && i < LLVMCountParams(f); i++)
            if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(f, i))) == LLVMPointerTypeKind &&
                !pm_parameter_attribute(f, i, "byval"))
                LLVMAddAttributeAtIndex(f, i + 1, attribute_of(f, "noalias"));
}

static void align_shared(LLVMModuleRef module)
{
    PM_EACH_GLOBAL(g, module)
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == SHARED_SPACE &&
            LLVMGetAlignment(g) < SHARED_ALIGNMENT)
            LLVMSetAlignment(g, SHARED_ALIGNMENT);
}

/* ---- adjacent accesses --------------------------------------------------------------------- */

/* Returns whether an instruction is x | (2^k - 1), of at most 64 bits, and sets *low to 2^k - 1. */
static bool sets_low_bits(LLVMValueRef instruction, unsigned long long *low)
{
    LLVMValueRef constant;

    if (LLVMGetInstructionOpcode(instruction) != LLVMOr)
        return false;
    constant = LLVMGetOperand(instruction, 1);
    if (!LLVMIsAConstantInt(constant) || LLVMGetIntTypeWidth(LLVMTypeOf(constant)) > 64)
        return false;
    *low = LLVMConstIntGetZExtValue(constant);
    return *low != 0 && (*low & (*low + 1)) == 0;
}

static void show_step(LLVMBuilderRef builder, LLVMValueRef instruction, unsigned long long low)
{
    LLVMTypeRef type = LLVMTypeOf(instruction);
    LLVMValueRef base, sum;

    LLVMPositionBuilderBefore(builder, instruction);
    base = LLVMBuildAnd(builder, LLVMGetOperand(instruction, 0), LLVMConstInt(type, ~low, 0), "");
    sum = LLVMBuildAdd(builder, base, LLVMConstInt(type, low, 0), "");
    /* The low bits of `base` are 0, so the addition cannot overflow. A flag passes this fact to
     * LLVM. */
    if (LLVMIsAInstruction(sum)) {
        LLVMSetNUW(sum, 1);
        LLVMSetNSW(sum, 1);
    }
    LLVMReplaceAllUsesWith(instruction, sum);
    LLVMInstructionEraseFromParent(instruction);
}

/* Rewrites x | (2^k - 1) as (x & -2^k) + (2^k - 1). LLVM has converted the second form to the
 * first, which hides that the index differs by a constant from x & -2^k. LLVM would then not merge
 * loads at adjacent addresses, which NVIDIA's compiler does. */
static void show_neighbours(LLVMModuleRef module)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    unsigned long long low;

    PM_EACH_FUNCTION(f, module)
        PM_EACH_BLOCK(b, f)
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (sets_low_bits(i, &low))
                    show_step(builder, i, low);
            }
    LLVMDisposeBuilder(builder);
}

/* ---- optimisation ------------------------------------------------------------------------- */

/* Sets LLVM's command-line options. They apply to the whole process, in which nothing else uses
 * LLVM. The options imitate NVIDIA's compiler. A vector load stays one load even if only some
 * elements are used. PTX has fused products and sums, and quotients and roots as exact as OpenCL
 * requires. No loop gets one incremented pointer per array (loop strength reduction). The host's
 * machine code keeps the order of the IR, because LLVM's schedulers compare each access of a block
 * with all earlier ones, and a block of an unrolled kernel has thousands. */
static void set_options(void)
{
    static const char *const options[] = {"perfmodel",
                                          "-disable-vector-combine",
                                          "-unroll-threshold=450",
                                          "-unroll-partial-threshold=200",
                                          "-scev-cheap-expansion-budget=32",
                                          "-disable-lsr",
                                          "-enable-misched=0",
                                          "-disable-post-ra",
                                          "-nvptx-fma-level=2",
                                          "-nvptx-prec-divf32=1",
                                          "-nvptx-prec-sqrtf32=0"};

    LLVMParseCommandLineOptions(sizeof options / sizeof *options, options, NULL);
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
}

LLVMTargetMachineRef pm_gpu_machine(const char *chip, const char *features, pm_error *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    LLVMTargetRef target;
    char *text = NULL;
    LLVMTargetMachineRef machine;

    pthread_once(&once, set_options);
    if (LLVMGetTargetFromTriple("nvptx64--", &target, &text)) {
        pm_fail(err, PM_FAILED, "this LLVM has no NVPTX target (%s); install a full LLVM", text);
        LLVMDisposeMessage(text);
        return NULL;
    }
    machine = LLVMCreateTargetMachine(target, "nvptx64--", chip, features, LLVMCodeGenLevelDefault,
                                      LLVMRelocDefault, LLVMCodeModelDefault);
    if (!machine)
        pm_fail(err, PM_FAILED, "LLVM made no NVPTX target machine");
    return machine;
}

static pm_status run_passes(LLVMModuleRef module, const char *passes, bool unroll,
                            LLVMTargetMachineRef machine, pm_error *err)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error;

    LLVMPassBuilderOptionsSetLoopVectorization(options, 0);
    LLVMPassBuilderOptionsSetSLPVectorization(options, 0);
    LLVMPassBuilderOptionsSetLoopUnrolling(options, unroll);
    error = LLVMRunPasses(module, passes, machine, options);
    LLVMDisposePassBuilderOptions(options);
    return error ? pm_llvm_fail(err, "optimising", error) : PM_OK;
}

/* Maximum number of times that loops over private arrays are unrolled. More than one is needed,
 * because the number of iterations of an inner loop may be known only after outer loops are
 * unrolled. */
enum { ARRAY_ROUNDS = 3 };

/* Runs the optimisation passes that do not depend on the GPU. If there are private arrays, loops
 * are unrolled only after pm_unroll_mark has found the loops that index arrays. */
static pm_status run_middle_end(LLVMModuleRef module, bool as_written, LLVMTargetMachineRef machine,
                                pm_error *err)
{
    static const char passes[] = "default<O2>";
    bool arrays = !as_written && pm_unroll_has_arrays(module), marked = true;
    pm_status status;

    pm_long_stores_mark(module);
    status = run_passes(module, passes, !as_written && !arrays, machine, err);

    for (unsigned i = 0; arrays && status == PM_OK && i < ARRAY_ROUNDS; i++) {
        status = pm_unroll_mark(module, &marked, err);
        if (status == PM_OK && (marked || i == 0))
            status = run_passes(module, passes, true, machine, err);
        arrays = marked;
    }
    pm_long_stores_unmark(module);
    return status;
}

/* Optimises a module. LLVM's general optimisations are followed by IR passes of its NVPTX back end.
 * These arrange address computations as a GPU's compiler does, and merge adjacent loads and stores.
 *
 * instcombine runs between these passes, because the first of them split indices by masks of bits
 * that are known to be zero. Its option no-verify-fixpoint is needed, because LLVM would otherwise
 * end the process if instcombine needs more than one iteration.
 *
 * We leave out loop strength reduction, the back end's next pass. That pass creates a pointer per
 * array that is incremented in the loop. Kernels with many arrays would get more registers and
 * instructions than on an H100. */
static pm_status optimise(LLVMModuleRef module, const pm_backend_request *request, bool is_cuda,
                          pm_error *err)
{
    /* CUDA's pointers have no address space until the pass infer-address-spaces has found the
     * memory that they point to. */
    static const char inlining[] = "always-inline,function(mem2reg)";
    static const char front_end[] = "function(sroa,infer-address-spaces)";
    static const char spaces[] = "function(infer-address-spaces)";
    static const char back_end[] =
        "function(scalarizer,separate-const-offset-from-gep,slsr,early-cse,nary-reassociate,"
        "early-cse,instcombine<no-verify-fixpoint>,infer-alignment,load-store-vectorizer,"
        "early-cse<memssa>,adce,simplifycfg),"
        "globaldce";
    LLVMTargetMachineRef machine = pm_gpu_machine("sm_70", "+ptx70", err);
    pm_status status = PM_OK;
    const bool as_written = request->as_written || request->quick;
    bool split = false;

    if (!machine)
        return PM_FAILED;
    if (is_cuda)
        status = run_passes(module, inlining, false, machine, err);
    if (status == PM_OK && is_cuda) {
        pm_cuda_bind_references(module);
        pm_cuda_drop_copies(module);
        status = run_passes(module, front_end, false, machine, err);
    }
    if (status == PM_OK && is_cuda)
        status = pm_cuda_fix_textures(module, request, err);
    if (status == PM_OK && is_cuda && pm_cuda_point_to_global(module, false))
        status = run_passes(module, spaces, false, machine, err);
    pm_lines_note(module);
    if (status == PM_OK)
        status = run_middle_end(module, as_written, machine, err);
    if (status == PM_OK && is_cuda) {
        pm_cuda_point_to_global(module, true);
        status = run_passes(module, spaces, false, machine, err);
    }
    if (status == PM_OK && is_cuda) {
        pm_cuda_use_parameters(module);
        pm_cuda_split_structs(module);
    }
    PM_EACH_FUNCTION(f, module)
        split = (status == PM_OK && is_cuda && pm_accesses_split(f)) || split;
    if (status == PM_OK && split)
        status = run_passes(module, spaces, false, machine, err);
    PM_EACH_FUNCTION(f, module)
        if (status == PM_OK && pm_is_kernel(f))
            pm_copies_expand(f);
    if (status == PM_OK) {
        show_neighbours(module);
        /* Gives moved loads their source lines again now, because the following passes merge loads.
         */
        pm_lines_restore(module);
        status = run_passes(module, back_end, true, machine, err);
        pm_lines_restore(module);
    }
    LLVMDisposeTargetMachine(machine);
    return status;
}

/* Discards LLVM's messages, as a handler of diagnostics. Without a handler, LLVM would print them,
 * and end the process at an error. */
static void hear_nothing(LLVMDiagnosticInfoRef info, void *user)
{
    (void)info;
    (void)user;
}

static bool is_wanted(const pm_backend_request *request, LLVMValueRef kernel)
{
    size_t length;
    const char *name = LLVMGetValueName2(kernel, &length);

    for (size_t i = 0; i < request->kernel_count; i++)
        if (strlen(request->kernels[i]) == length && memcmp(request->kernels[i], name, length) == 0)
            return true;
    return false;
}

/* Deletes one kernel that was not requested and that no other kernel calls. Returns false if there
 * is no such kernel. */
static bool drop_one(LLVMModuleRef module, const pm_backend_request *request)
{
    PM_EACH_FUNCTION(f, module)
        if (pm_is_kernel(f) && !LLVMGetFirstUse(f) && !is_wanted(request, f)) {
            LLVMDeleteFunction(f);
            return true;
        }
    return false;
}

static pm_status find_wanted(LLVMModuleRef module, const char *name, const char *path,
                             pm_error *err)
{
    LLVMValueRef found = LLVMGetNamedFunction(module, name);
    char list[256] = "";

    if (found && pm_is_kernel(found))
        return PM_OK;
    PM_EACH_FUNCTION(f, module) {
        size_t length;

        if (pm_is_kernel(f))
            pm_list_add(list, sizeof list, "%s", LLVMGetValueName2(f, &length));
    }
    return pm_fail(err, PM_BAD_INPUT, "%s: no kernel %s; it has: %s", path, name,
                   *list ? list
                         : "none (an instance of CUDA's templates is asked for as "
                           "reduce<float, 256>)");
}

/* Deletes the kernels that were not requested, because features that they use (images, printf)
 * must not cause an error. */
static pm_status drop_others(LLVMModuleRef module, const pm_backend_request *request, pm_error *err)
{
    for (size_t i = 0; i < request->kernel_count; i++)
        if (find_wanted(module, request->kernels[i], request->source_path, err) != PM_OK)
            return err->status;
    while (request->kernel_count > 0 && drop_one(module, request))
        ;
    return PM_OK;
}

LLVMModuleRef pm_module_load(LLVMContextRef context, const pm_backend_request *request,
                             const pm_costs *costs, pm_error *err)
{
    LLVMModuleRef module;
    bool is_cuda;

    LLVMContextSetDiagnosticHandler(context, hear_nothing, NULL);
    module = pm_module_read(context, request, err);
    if (!module)
        return NULL;
    pm_cuda_mark_buffers(module, request);
    is_cuda = pm_cuda_lift(module);
    if (is_cuda && request->warp_width != CUDA_WARP && request->warp_width != 2 * CUDA_WARP) {
        LLVMDisposeModule(module);
        pm_fail(
            err, PM_BAD_INPUT,
            "%s: CUDA's warps have %d threads, HIP's %d or %d, and this target's %u work-items; "
            "trace it for another --target",
            request->source_path, CUDA_WARP, CUDA_WARP, 2 * CUDA_WARP, request->warp_width);
        return NULL;
    }
    if (drop_others(module, request, err) == PM_OK) {
        if (!costs)
            pm_ptx_define_answers(module);
        set_inlining(module, costs);
        if (request->all_restrict)
            restrict_all(module);
        align_shared(module);
        if (optimise(module, request, is_cuda, err) == PM_OK &&
            (!is_cuda || pm_cuda_fill_symbols(module, request, err) == PM_OK))
            return module;
    }
    LLVMDisposeModule(module);
    return NULL;
}
