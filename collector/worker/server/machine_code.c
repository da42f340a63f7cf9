/* Gives the trace engine the machine code (SASS) of a workload's kernels, from which it counts
 * executed machine instructions. See machine_code.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/worker/server/machine_code.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/ptx/describe.h"

/* ---- PTX ---------------------------------------------------------------------------------------
 */

typedef struct {
    pm_served_code *code;
    const pm_backend_request *request;
    unsigned capability;
} annotating;

static void annotate(void *user)
{
    annotating *a = user;
    pm_served_code *code = a->code;
    const pm_backend_request *r = a->request;
    char *text = pm_format(&code->memory, "%.*s", (int)r->bitcode_bytes, r->bitcode);
    const pm_ptx_module *module = pm_ptx_parse(&code->memory, text, r->source_path);
    size_t count;
    const pm_ptx_kernel *kernels = pm_ptx_describe(&code->memory, module, &count);

    code->annotated = pm_ptx_annotate(&code->memory, text, module, a->capability);
    code->kernels = pm_take(&code->memory, r->kernel_count + 1, sizeof *code->kernels);
    code->in_ptx = pm_take(&code->memory, r->kernel_count + 1, sizeof *code->in_ptx);
    for (size_t k = 0; k < r->kernel_count; k++) {
        const pm_ptx_kernel *kernel = pm_ptx_find_kernel(kernels, count, r->kernels[k]);

        if (!kernel)
            continue;
        code->kernels[code->kernel_count] = pm_copy(&code->memory, r->kernels[k]);
        code->in_ptx[code->kernel_count++] = pm_copy(&code->memory, kernel->function->name);
    }
}

pm_status pm_served_code_annotate(pm_served_code *code, const pm_backend_request *request,
                                  unsigned capability, pm_error *err)
{
    annotating a = {.code = code, .request = request, .capability = capability};

    pm_served_code_free(code);
    return pm_attempt(&code->memory, annotate, &a, err);
}

/* ---- machine code
 * -------------------------------------------------------------------------------- */

typedef struct {
    pm_served_code *code;
    const char *text;
    pm_engine *engine;
} reading;

static void read_text(void *user)
{
    reading *r = user;
    pm_served_code *code = r->code;

    code->program =
        pm_sass_read(&code->memory, r->text, code->annotated.origins, code->annotated.origin_count);
    for (size_t k = 0; k < code->kernel_count; k++) {
        const pm_sass *sass = pm_sass_of(&code->program, code->in_ptx[k]);

        if (!sass)
            pm_leave(&code->memory, PM_BAD_INPUT,
                     "nvdisasm printed no machine code of kernel %.200s", code->kernels[k]);
        pm_engine_set_sass(r->engine, code->kernels[k], sass);
    }
}

pm_status pm_served_code_read(pm_served_code *code, const char *text, pm_engine *engine,
                              pm_error *err)
{
    reading r = {.code = code, .text = text, .engine = engine};

    return pm_attempt(&code->memory, read_text, &r, err);
}

void pm_served_code_free(pm_served_code *code)
{
    pm_memory_free(&code->memory);
    *code = (pm_served_code){.kernel_count = 0};
}
