/* Translates kernels in PTX to LLVM IR. See compile.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/ptx/emit/compile.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "compiler/ptx/describe.h"
#include "compiler/ptx/emit/emitter.h"

static const char target[] = "nvptx64-nvidia-cuda";
/* clang's data layout for nvptx64 */
static const char layout[] = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64";

typedef struct {
    const pm_ptx_request *request;
    pm_ptx_emitter e;
    pm_memory memory;
    size_t kernel_count;
    pm_ptx_kernel *kernels;
} compilation;

/* ---- kernels --------------------------------------------------------------------------------- */

/* Adds !{function, key, value} to the module's metadata nvvm.annotations, by which NVPTX marks
 * kernels and their launch bounds. */
static void annotate(pm_ptx_emitter *e, LLVMValueRef function, const char *key, unsigned value)
{
    LLVMMetadataRef parts[3] = {
        LLVMValueAsMetadata(function), LLVMMDStringInContext2(e->context, key, strlen(key)),
        LLVMValueAsMetadata(LLVMConstInt(pm_ptx_integer_type(e, 32), value, 0))};

    LLVMAddNamedMetadataOperand(
        e->module, "nvvm.annotations",
        LLVMMetadataAsValue(e->context, LLVMMDNodeInContext2(e->context, parts, 3)));
}

/* Adds the variables that name a kernel, as compiler/cuda_source/cuda_source.c does: a string with
 * the name by which the workload calls it, and a pointer to the kernel. */
static void name_kernel(pm_ptx_emitter *e, LLVMValueRef kernel, size_t number, const char *name)
{
    LLVMValueRef text = LLVMConstStringInContext2(e->context, name, strlen(name), 0), variable;

    variable = LLVMAddGlobal(e->module, LLVMTypeOf(text),
                             pm_format(e->memory, "pm_kernel_name_%zu", number));
    LLVMSetInitializer(variable, text);
    LLVMSetGlobalConstant(variable, 1);
    variable =
        LLVMAddGlobal(e->module, LLVMTypeOf(kernel), pm_format(e->memory, "pm_kernel_%zu", number));
    LLVMSetInitializer(variable, kernel);
    LLVMSetGlobalConstant(variable, 1);
}

static LLVMTypeRef parameter_type(const pm_ptx_emitter *e, const pm_ptx_kernel_parameter *parameter,
                                  const pm_ptx_variable *variable)
{
    if (parameter->is_pointer || variable->is_array)
        return LLVMPointerTypeInContext(e->context, 0);
    return pm_ptx_variable_type(e, variable);
}

/* Declares that parameter k of a kernel is a struct: the kernel gets the address of a copy (LLVM's
 * attribute byval), which it only reads. */
static void pass_by_value(pm_ptx_emitter *e, LLVMValueRef kernel, unsigned k,
                          const pm_ptx_variable *variable)
{
    const unsigned by_value = LLVMGetEnumAttributeKindForName("byval", 5);
    const unsigned align = LLVMGetEnumAttributeKindForName("align", 5);

    LLVMAddAttributeAtIndex(
        kernel, k + 1,
        LLVMCreateTypeAttribute(e->context, by_value, pm_ptx_variable_type(e, variable)));
    LLVMAddAttributeAtIndex(
        kernel, k + 1, LLVMCreateEnumAttribute(e->context, align, pm_ptx_variable_align(variable)));
    LLVMAddAttributeAtIndex(
        kernel, k + 1,
        LLVMCreateEnumAttribute(e->context, LLVMGetEnumAttributeKindForName("readonly", 8), 0));
}

/* Declares a kernel's LLVM function, whose code is emitted later. */
static void add_kernel(pm_ptx_emitter *e, const pm_ptx_kernel *kernel, const char *name)
{
    static const char *const required[] = {"reqntidx", "reqntidy", "reqntidz"};
    static const char *const most[] = {"maxntidx", "maxntidy", "maxntidz"};
    const pm_ptx_function *f = kernel->function;
    LLVMTypeRef *types = pm_take(e->memory, f->parameter_count + 1, sizeof(LLVMTypeRef));
    LLVMValueRef made;

    if (e->functions[f->number])
        return;
    for (size_t k = 0; k < f->parameter_count; k++)
        types[k] = parameter_type(e, &kernel->parameters[k], f->parameters[k]);
    made = LLVMAddFunction(e->module, f->name,
                           LLVMFunctionType(LLVMVoidTypeInContext(e->context), types,
                                            (unsigned)f->parameter_count, 0));
    for (unsigned k = 0; k < f->parameter_count; k++) {
        LLVMSetValueName2(LLVMGetParam(made, k), kernel->parameters[k].name,
                          strlen(kernel->parameters[k].name));
        if (f->parameters[k]->is_array)
            pass_by_value(e, made, k, f->parameters[k]);
    }
    annotate(e, made, "kernel", 1);
    for (unsigned d = 0; d < 3; d++) {
        if (f->required[0] > 0)
            annotate(e, made, required[d], f->required[d]);
        if (f->most[0] > 0)
            annotate(e, made, most[d], f->most[d]);
    }
    name_kernel(e, made, f->number, name);
    e->functions[f->number] = made;
    *pm_add(e->memory, e->waiting, e->waiting_count) = f;
}

static void add_requested(compilation *c, const char *name)
{
    const pm_ptx_kernel *kernel = pm_ptx_find_kernel(c->kernels, c->kernel_count, name);
    char list[256] = "";

    if (kernel) {
        add_kernel(&c->e, kernel, name);
        return;
    }
    for (size_t k = 0; k < c->kernel_count; k++)
        pm_list_add(list, sizeof list, "%s", c->kernels[k].plain);
    pm_leave(&c->memory, PM_BAD_INPUT, "%s: no kernel %.100s; it has: %s", c->request->path, name,
             *list ? list : "none");
}

/* ---- the module ------------------------------------------------------------------------------ */

static void begin_module(compilation *c)
{
    pm_ptx_emitter *e = &c->e;
    const char *path = c->request->path;

    LLVMSetTarget(e->module, target);
    LLVMSetDataLayout(e->module, layout);
    e->file = LLVMDIBuilderCreateFile(e->lines, path, strlen(path), "", 0);
    e->unit = LLVMDIBuilderCreateCompileUnit(
        e->lines, LLVMDWARFSourceLanguageC, e->file, "perfmodel", 9, 1, "", 0, 0, "", 0,
        LLVMDWARFEmissionLineTablesOnly, 0, 0, 0, "", 0, "", 0);
    LLVMAddModuleFlag(e->module, LLVMModuleFlagBehaviorWarning, "Debug Info Version", 18,
                      LLVMValueAsMetadata(
                          LLVMConstInt(pm_ptx_integer_type(e, 32), LLVMDebugMetadataVersion(), 0)));
    e->variables = pm_take(e->memory, e->tree->variable_count + 1, sizeof(LLVMValueRef));
    e->functions = pm_take(e->memory, e->tree->function_count + 1, sizeof(LLVMValueRef));
}

static void run_passes(compilation *c, const char *passes)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(c->e.module, passes, NULL, options);
    char *text, *kept;

    LLVMDisposePassBuilderOptions(options);
    if (!error)
        return;
    text = LLVMGetErrorMessage(error);
    kept = pm_copy(&c->memory, text);
    LLVMDisposeErrorMessage(text);
    pm_leave(&c->memory, PM_FAILED, "%s: optimising: %s", c->request->path, kept);
}

/* Checks the module, because LLVM's passes may crash if it is wrong. */
static void verify(compilation *c)
{
    char *text = NULL, *kept;
    const bool wrong = LLVMVerifyModule(c->e.module, LLVMReturnStatusAction, &text);

    kept = pm_copy(&c->memory, text ? text : "");
    LLVMDisposeMessage(text);
    kept[strcspn(kept, "\n")] = '\0';
    if (wrong)
        pm_leave(&c->memory, PM_FAILED, "%s: LLVM refuses the translation: %.300s",
                 c->request->path, kept);
}

static void compile(void *user)
{
    /* The passes make values of variables (sroa), inline all functions, and remove unreachable code
     * (simplifycfg), whose values may depend on themselves. Passes that fold constants must not
     * run: they would turn an address that is a number into a constant expression, and
     * pm_ptx_find_pointers searches only instructions. */
    static const char passes[] = "always-inline,function(sroa,simplifycfg)";
    compilation *c = user;
    pm_ptx_emitter *e = &c->e;
    const pm_ptx_request *r = c->request;

    e->memory = &c->memory;
    e->marks = r->marks;
    e->tree = pm_ptx_parse(&c->memory, r->text, r->path);
    c->kernels = pm_ptx_describe(&c->memory, e->tree, &c->kernel_count);
    begin_module(c);
    for (size_t k = 0; k < r->kernel_count; k++)
        add_requested(c, r->kernels[k]);
    for (size_t k = 0; k < c->kernel_count && r->kernel_count == 0; k++)
        add_kernel(e, &c->kernels[k], c->kernels[k].plain);
    for (size_t k = 0; k < e->waiting_count; k++)
        pm_ptx_emit_function(e, e->waiting[k]);
    LLVMDIBuilderFinalize(e->lines);
    verify(c);
    run_passes(c, passes);
    for (LLVMValueRef f = LLVMGetFirstFunction(e->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) {
            pm_ptx_find_pointers(&c->memory, f);
            pm_ptx_keep_loops(&c->memory, f);
        }
    verify(c);
}

LLVMModuleRef pm_ptx_compile(LLVMContextRef context, const pm_ptx_request *request, pm_error *err)
{
    compilation c = {.request = request,
                     .e = {.context = context,
                           .module = LLVMModuleCreateWithNameInContext(request->path, context),
                           .b = LLVMCreateBuilderInContext(context),
                           .entry = LLVMCreateBuilderInContext(context)}};
    pm_status status;

    c.e.lines = LLVMCreateDIBuilder(c.e.module);
    status = pm_attempt(&c.memory, compile, &c, err);
    LLVMDisposeDIBuilder(c.e.lines);
    LLVMDisposeBuilder(c.e.b);
    LLVMDisposeBuilder(c.e.entry);
    pm_memory_free(&c.memory);
    if (status == PM_OK)
        return c.e.module;
    LLVMDisposeModule(c.e.module);
    return NULL;
}
