/* Compiles LLVM bitcode to a program that the trace engine runs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/engine/backend/cuda/cuda.h"
#include "collector/engine/backend/host/jit.h"
#include "collector/engine/backend/host/tables.h"
#include "collector/engine/backend/ir/ir.h"
#include "collector/engine/backend/kernel.h"
#include "collector/engine/backend/module/marks.h"
#include "collector/engine/backend/module/module.h"
#include "collector/engine/backend/registers/limit.h"

typedef struct {
    pm_trace_program program;
    pm_memory kept; /* strings and arrays of the kernels */
    pm_jit *jit;
    /* generated code of each kind (complete code, and slices that compute only addresses and
     * branches), which is compiled when it is needed; NULL: none */
    LLVMModuleRef modules[PM_CODE_KINDS];
    bool compiled[PM_CODE_KINDS];
} owner;

void pm_trace_program_free(pm_trace_program *program)
{
    owner *o = program ? program->owner : NULL;

    if (!o)
        return;
    for (size_t kind = 0; kind < PM_CODE_KINDS; kind++)
        if (o->modules[kind])
            LLVMDisposeModule(o->modules[kind]);
    pm_jit_free(o->jit);
    pm_memory_free(&o->kept);
    free((pm_kernel_code *)o->program.kernels);
    free(o);
}

static size_t count_kernels(LLVMModuleRef module)
{
    size_t count = 0;

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        count += pm_is_kernel(f);
    return count;
}

/* Deletes the kernels' own functions from the module, because the host executes only the functions
 * that were generated for their basic blocks. */
static void drop_kernels(LLVMModuleRef module)
{
    LLVMValueRef next;

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = next) {
        next = LLVMGetNextFunction(f);
        if (!pm_is_kernel(f))
            continue;
        LLVMReplaceAllUsesWith(f, LLVMGetUndef(LLVMTypeOf(f)));
        LLVMDeleteFunction(f);
    }
}

typedef struct {
    owner *o;
    LLVMModuleRef module;
    pm_marks marks;
} marks_request;

static void take_marks(void *user)
{
    marks_request *r = user;

    r->marks = pm_marks_take(r->module, &r->o->kept);
}

static pm_status build_kernels(owner *o, LLVMModuleRef module, const pm_register_rules *rules,
                               const pm_costs *costs, const pm_marks *marks,
                               pm_kernel_code *kernels, pm_error *err)
{
    size_t n = 0;

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        pm_kernel_request request = {.module = module,
                                     .kernel = f,
                                     .number = n,
                                     .costs = costs,
                                     .layout = pm_jit_layout(o->jit),
                                     .warp_width = o->program.warp_width,
                                     .register_limit =
                                         pm_register_limit(module, f, o->program.warp_width, rules),
                                     .sliced = o->program.has_slices,
                                     .marks = marks,
                                     .kept = &o->kept};

        if (!pm_is_kernel(f))
            continue;
        if (pm_kernel_build(&request, &kernels[n++], err) != PM_OK)
            return err->status;
    }
    return PM_OK;
}

static pm_status find_code(owner *o, pm_code_kind kind, pm_error *err)
{
    const pm_kernel_code *kernels = o->program.kernels;

    for (size_t k = 0; k < o->program.kernel_count; k++)
        for (uint32_t b = 0; b < kernels[k].block_count; b++) {
            pm_block *block = (pm_block *)&kernels[k].blocks[b];
            char name[64];
            uint64_t address;

            pm_kernel_block_name(k, b, kind, name, sizeof name);
            if (pm_jit_find(o->jit, name, &address, err) != PM_OK)
                return err->status;
            block->code[kind] = (pm_block_code)(uintptr_t)address;
        }
    return PM_OK;
}

pm_status pm_trace_program_compile(const pm_trace_program *program, pm_code_kind kind,
                                   pm_error *err)
{
    owner *o = program->owner;
    LLVMModuleRef module = o->modules[kind];

    if (o->compiled[kind])
        return PM_OK;
    if (!module)
        return pm_fail(err, PM_FAILED, "LLVM has failed to compile this program before");
    o->modules[kind] = NULL;
    if (pm_jit_add(o->jit, module, err) != PM_OK || find_code(o, kind, err) != PM_OK)
        return err->status;
    o->compiled[kind] = true;
    return PM_OK;
}

/* Deletes from a module the basic blocks' functions of one kind of code (complete code, or slices
 * that compute only addresses and branches). */
static void drop_code(LLVMModuleRef module, pm_code_kind kind)
{
    const char *prefix = pm_kernel_prefix(kind);
    LLVMValueRef next;

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = next) {
        size_t length;

        next = LLVMGetNextFunction(f);
        if (pm_starts(LLVMGetValueName2(f, &length), prefix))
            LLVMDeleteFunction(f);
    }
}

/* Splits the generated code into one module for complete code and one for slices (code that
 * computes only addresses and branches), because most launches need only one of them. */
static void part_code(owner *o, LLVMModuleRef module)
{
    o->modules[PM_CODE_WHOLE] = module;
    if (!o->program.has_slices)
        return;
    o->modules[PM_CODE_SLICE] = LLVMCloneModule(module);
    drop_code(o->modules[PM_CODE_SLICE], PM_CODE_WHOLE);
    drop_code(o->modules[PM_CODE_WHOLE], PM_CODE_SLICE);
}

static pm_status build_module(owner *o, LLVMModuleRef module, const pm_backend_request *request,
                              const pm_costs *costs, pm_error *err)
{
    size_t count = count_kernels(module);
    marks_request marks = {.o = o, .module = module};
    pm_kernel_code *kernels = calloc(count + 1, sizeof *kernels);
    pm_status status;

    o->program.kernels = kernels;
    o->program.kernel_count = count;
    status = kernels ? pm_attempt(&o->kept, take_marks, &marks, err)
                     : pm_fail(err, PM_FAILED, "out of memory for %zu kernels", count);
    if (status == PM_OK)
        status = pm_module_check(module, request, err);
    if (status == PM_OK)
        status = pm_cuda_collect_variables(module, request->source_path, &o->kept,
                                           &o->program.variables, &o->program.variable_count, err);
    if (status == PM_OK) {
        pm_tables_guard(module, pm_jit_layout(o->jit));
        status =
            build_kernels(o, module, &request->register_rules, costs, &marks.marks, kernels, err);
    }
    if (status != PM_OK) {
        LLVMDisposeModule(module);
        return status;
    }
    drop_kernels(module);
    pm_jit_adopt(o->jit, module);
    part_code(o, module);
    return PM_OK;
}

pm_status pm_trace_program_build(const pm_backend_request *request, pm_trace_program **out,
                                 pm_error *err)
{
    owner *o = calloc(1, sizeof *o);
    pm_costs *costs = pm_costs_read(request->costs, request->capability, err);
    LLVMModuleRef module = NULL;
    pm_status status = PM_FAILED;

    *out = NULL;
    if (!o)
        status = pm_fail(err, PM_FAILED, "out of memory for a traced program");
    else if (!costs)
        status = err->status;
    else if ((o->jit = pm_jit_create(request->quick, err)))
        module = pm_module_load(pm_jit_context(o->jit), request, costs, err);
    if (module) {
        o->program.owner = o;
        o->program.warp_width = request->warp_width;
        o->program.has_slices = !request->quick;
        status = build_module(o, module, request, costs, err);
    }
    pm_costs_free(costs);
    if (status == PM_OK) {
        *out = &o->program;
    } else if (o) {
        o->program.owner = o;
        pm_trace_program_free(&o->program);
    }
    return status;
}
