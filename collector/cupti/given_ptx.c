/* For a workload whose source is already PTX: takes the PTX as the code for the GPU, and finds the
 * names of the launched kernels in it. See given_ptx.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/cupti/given_ptx.h"

#include "compiler/ptx/describe.h"
#include "compiler/ptx/parse.h"

typedef struct {
    const pm_workload *workload;
    pm_cuda_code *code;
    pm_memory tree; /* the parsed PTX */
} taking;

static void take(void *user)
{
    taking *t = user;
    const pm_workload *w = t->workload;
    pm_memory *memory = &t->code->memory;
    const pm_ptx_kernel *kernels;
    size_t count;

    t->tree = pm_memory_beside(memory);
    kernels = pm_ptx_describe(&t->tree, pm_ptx_parse(&t->tree, w->source, w->source_path), &count);
    t->code->ptx = pm_copy(memory, w->source);
    t->code->kernels = pm_take(memory, w->launch_count + 1, sizeof *t->code->kernels);
    t->code->symbols = pm_take(memory, w->symbol_count + 1, sizeof *t->code->symbols);
    for (size_t l = 0; l < w->launch_count; l++) {
        const char *name = w->launches[l].kernel;
        const pm_ptx_kernel *kernel = pm_ptx_find_kernel(kernels, count, name);

        if (!kernel)
            pm_leave(memory, PM_BAD_INPUT, "%s: the PTX has no kernel %s", w->source_path, name);
        t->code->kernels[l] = pm_copy(memory, kernel->function->name);
    }
    for (size_t s = 0; s < w->symbol_count; s++)
        t->code->symbols[s] = w->symbols[s].name;
}

pm_status pm_cuda_take_ptx(const pm_workload *workload, pm_cuda_code *code, pm_error *err)
{
    taking t = {.workload = workload, .code = code};
    pm_status status;

    *code = (pm_cuda_code){0};
    status = pm_attempt(&code->memory, take, &t, err);
    pm_memory_free(&t.tree);
    return status;
}
