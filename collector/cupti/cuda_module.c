/* Loads a workload's compiled kernels into the CUDA context that is current for the calling thread.
 *
 * The code is either PTX from NVIDIA's OpenCL compiler, changed so that the CUDA driver can launch
 * it, or a compiled CUDA source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/cupti/cuda_module.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/cupti/cuda_ptx.h"

#define LOG_SIZE 512

typedef struct {
    const pm_cuda_driver *cuda;
    const pm_workload *workload;
    pm_cuda_module *out;
} loading;

static pm_cu_result load_image(const loading *l, const void *image, char *log)
{
    int options[] = {PM_CU_JIT_ERROR_LOG, PM_CU_JIT_ERROR_LOG_SIZE};
    void *values[] = {log, (void *)(uintptr_t)LOG_SIZE};

    memset(log, 0, LOG_SIZE);
    return l->cuda->module_load(&l->out->module, image, 2, options, values);
}

/* Returns the number of dimensions (1 to 3) of the workload's launches; 0 if it differs between
 * launches. */
static unsigned dimensions_of(const pm_workload *w)
{
    for (size_t i = 1; i < w->launch_count; i++)
        if (w->launches[i].dimensions != w->launches[0].dimensions)
            return 0;
    return w->launch_count ? w->launches[0].dimensions : 0;
}

/* ---- code from OpenCL
 * -------------------------------------------------------------------------- */

/* Returns the bytes of constant memory that the buffers of a launch's __constant arguments take.
 * takes: the `count` parameters of the launch's kernel. */
static size_t constants_of(const pm_workload *w, const pm_launch *launch,
                           const pm_ptx_parameter *takes, size_t count)
{
    const size_t unit = PM_PTX_CONSTANT_ALIGN;
    size_t bytes = 0;

    for (size_t i = 0; i < count && i < launch->arg_count; i++)
        if (takes[i].space == PM_PTX_CONST && launch->args[i].kind == PM_ARG_BUFFER)
            bytes += (w->buffers[launch->args[i].buffer].bytes + unit - 1) / unit * unit;
    return bytes;
}

/* Sets *most to the largest number of bytes of constant memory that the __constant arguments of one
 * launch of the workload take. */
static pm_status most_constants(const pm_workload *w, const char *ptx, size_t *most, pm_error *err)
{
    pm_ptx_parameter takes[PM_PTX_MAX_PARAMETERS];
    size_t count;

    *most = 0;
    for (size_t i = 0; i < w->launch_count; i++) {
        size_t bytes;

        if (pm_ptx_parameters(ptx, w->launches[i].kernel, takes, &count, err) != PM_OK)
            return PM_FAILED;
        bytes = constants_of(w, &w->launches[i], takes, count);
        *most = bytes > *most ? bytes : *most;
    }
    return PM_OK;
}

static pm_status find_array(const loading *l, pm_error *err)
{
    pm_cu_result code =
        l->cuda->module_global(&l->out->constants, NULL, l->out->module, PM_PTX_CONSTANTS);

    return pm_cuda_check(l->cuda, err, "cuModuleGetGlobal", PM_PTX_CONSTANTS, code);
}

static char *make_text(const loading *l, const char *opencl_ptx, size_t constant_bytes,
                       pm_error *err)
{
    const bool in_array = l->out->constants_in_array;

    if (in_array && constant_bytes > PM_PTX_CONSTANT_BYTES) {
        pm_fail(err, PM_FAILED,
                "a launch has %zu bytes of __constant buffers, CUDA has room for %d: make some "
                "__global const",
                constant_bytes, PM_PTX_CONSTANT_BYTES);
        return NULL;
    }
    return pm_ptx_for_cuda(opencl_ptx, dimensions_of(l->workload), in_array ? constant_bytes : 0,
                           err);
}

static bool is_rejected(pm_cu_result code)
{
    return code == PM_CU_INVALID_IMAGE || code == PM_CU_INVALID_PTX;
}

static pm_status tell_load(const loading *l, pm_cu_result code, char *log, pm_error *err)
{
    log[LOG_SIZE - 1] = '\0';
    for (char *at = log; (at = strchr(at, '\n'));)
        *at = ' ';
    return pm_cuda_check(l->cuda, err, "cuModuleLoadDataEx", *log ? log : l->workload->program,
                         code);
}

/* Loads PTX from NVIDIA's OpenCL compiler. A __constant argument is an address if the GPU reads
 * such arguments from global memory, else an offset into an array in constant memory. If the driver
 * rejects the .ptr attributes of kernel parameters, loads the PTX without these attributes;
 * __constant arguments are then offsets. */
static pm_status load_opencl(const loading *l, const char *opencl_ptx, pm_error *err)
{
    char log[LOG_SIZE], *ptx;
    size_t constant_bytes;
    pm_cu_result code;

    if (most_constants(l->workload, opencl_ptx, &constant_bytes, err) != PM_OK)
        return PM_FAILED;
    l->out->constants_in_array = constant_bytes > 0 && !pm_ptx_constants_are_global(opencl_ptx);
    ptx = make_text(l, opencl_ptx, constant_bytes, err);
    code = ptx ? load_image(l, ptx, log) : 0;
    if (ptx && is_rejected(code)) {
        free(ptx);
        l->out->constants_in_array = constant_bytes > 0;
        ptx = make_text(l, opencl_ptx, constant_bytes, err);
        if (ptx)
            pm_ptx_drop_pointer_notes(ptx);
        code = ptx ? load_image(l, ptx, log) : 0;
    }
    free(ptx);
    if (!ptx || code != 0)
        l->out->module = NULL;
    if (!ptx)
        return PM_FAILED;
    if (code != 0)
        return tell_load(l, code, log, err);
    return l->out->constants_in_array ? find_array(l, err) : PM_OK;
}

/* ---- code from a CUDA source
 * ------------------------------------------------------------------- */

/* Loads the machine code of a compiled CUDA source, or its PTX if there is no machine code or the
 * driver rejects it. A driver that is too old for the machine code may still accept the PTX. */
static pm_status load_compiled(const loading *l, const pm_cuda_code *compiled, pm_error *err)
{
    char log[LOG_SIZE];
    pm_cu_result code = compiled->image ? load_image(l, compiled->image, log) : PM_CU_INVALID_IMAGE;

    if (code != 0)
        code = load_image(l, compiled->ptx, log);
    if (code == 0)
        return PM_OK;
    l->out->module = NULL;
    return tell_load(l, code, log, err);
}

static pm_status fill_symbol(const loading *l, const pm_device_symbol *symbol, const char *name,
                             pm_error *err)
{
    pm_cu_pointer place = 0;
    size_t bytes = 0;
    pm_cu_result code = l->cuda->module_global(&place, &bytes, l->out->module, name);

    if (code != 0)
        return pm_cuda_check(l->cuda, err, "cuModuleGetGlobal", symbol->name, code);
    if (symbol->bytes > bytes)
        return pm_fail(err, PM_BAD_INPUT, "%s: the variable %s has %zu bytes, given are %zu",
                       l->workload->source_path, symbol->name, bytes, symbol->bytes);
    return pm_cuda_check(l->cuda, err, "cuMemcpyHtoD", symbol->name,
                         l->cuda->copy_in(place, symbol->data, symbol->bytes));
}

/* ---- module
 * ------------------------------------------------------------------------------------ */

pm_status pm_cuda_module_load(const pm_cuda_driver *cuda, const pm_workload *workload,
                              const pm_device_code *code, pm_cuda_module *out, pm_error *err)
{
    const loading l = {.cuda = cuda, .workload = workload, .out = out};
    pm_status status;

    *out = (pm_cuda_module){0};
    if (!code->compiled)
        return load_opencl(&l, code->ptx, err);
    status = load_compiled(&l, code->compiled, err);
    for (size_t i = 0; status == PM_OK && i < workload->symbol_count; i++)
        /* Skip variables whose contents are a buffer of the workload. pm_cuda_program_create fills
         * these. */
        if (!workload->symbols[i].in_buffer)
            status = fill_symbol(&l, &workload->symbols[i], code->compiled->symbols[i], err);
    if (status == PM_OK)
        status =
            pm_cuda_variables_save(cuda, out->module, code->compiled->ptx, &out->variables, err);
    return status;
}

void pm_cuda_module_unload(const pm_cuda_driver *cuda, pm_cuda_module *module)
{
    pm_cuda_variables_free(&module->variables);
    if (module->module)
        cuda->module_unload(module->module);
    *module = (pm_cuda_module){0};
}
