/* Runs a workload by the CUDA driver: loads its code into the current context, owns its buffers and
 * starts its launches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/cupti/cuda_program.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/cupti/cuda_module.h"
#include "collector/cupti/cuda_ptx.h"
#include "machine/tensor_map.h"

/* bytes to which CUDA aligns dynamic shared memory */
#define SHARED_ALIGN 16

/* A launch that is ready to start: all arguments for cuLaunchKernel. */
typedef struct {
    pm_cu_function function;
    unsigned grid[3], block[3], shared;
    /* words[i]: the value of argument i, if it has at most 16 bytes */
    uint64_t words[PM_MAX_ARGS][2];
    void *arguments[PM_MAX_ARGS];
    /* copies[i]: copy of argument i, a struct of more than 16 bytes, with the addresses of its
     * pointers; the struct owns it. NULL: the argument has no pointers, or is in `words`. */
    void *copies[PM_MAX_ARGS];
    /* true: the work-groups wait for each other, so that all must run at the same time (a
     * cooperative launch) */
    bool together;
    /* constants: buffers of __constant arguments that are copied into the module's array in
     * constant memory before the launch, each with its offset in the array. constant_bytes: bytes
     * of the array in use. */
    size_t constant_count, constant_bytes;
    struct {
        size_t buffer, offset;
    } constants[PM_MAX_ARGS];
} prepared;

struct pm_cuda_program {
    const pm_cuda_driver *cuda;
    const pm_workload *workload;
    /* compiled code of the workload; valid only while pm_cuda_program_create runs */
    const pm_device_code *code;
    pm_cuda_module module;
    pm_cu_pointer *buffers; /* 0: not allocated */
    prepared *launches;
    /* host memory through which the buffers of __constant arguments are copied; large enough for
     * every launch */
    uint8_t *staging;
};

/* ---- __constant arguments ------------------------------------------------------------------ */

/* Copies the buffers of a launch's __constant arguments into constant memory. The data pass through
 * host memory, because the driver may copy within the device by a kernel, which a profiler would
 * count. */
static pm_status copy_constants(pm_cuda_program *p, const prepared *l, pm_error *err)
{
    for (size_t i = 0; i < l->constant_count; i++) {
        const pm_buffer *b = &p->workload->buffers[l->constants[i].buffer];
        pm_status status = pm_cuda_program_read(p, l->constants[i].buffer, p->staging, err);

        if (status == PM_OK)
            status = pm_cuda_check(p->cuda, err, "cuMemcpyHtoD", b->name,
                                   p->cuda->copy_in(p->module.constants + l->constants[i].offset,
                                                    p->staging, b->bytes));
        if (status != PM_OK)
            return status;
    }
    return PM_OK;
}

/* Buffer i may contain pointers to other buffers. Writes the GPU addresses of these other buffers
 * to the pointers' positions in buffer i on the GPU. Pointers at consecutive positions are copied
 * together. */
static pm_status upload_pointers(const pm_cuda_program *p, size_t i, pm_error *err)
{
    enum { CHUNK = 4096 };
    const pm_buffer *b = &p->workload->buffers[i];
    pm_cu_pointer addresses[CHUNK];
    pm_status status = PM_OK;

    for (size_t first = 0, count; first < b->pointers.count && status == PM_OK; first += count) {
        const pm_pointer *items = &b->pointers.items[first];

        for (count = 0; count < CHUNK && first + count < b->pointers.count &&
                        items[count].at == items[0].at + count * sizeof *addresses;
             count++)
            addresses[count] = p->buffers[items[count].buffer] + items[count].offset;
        status = pm_cuda_check(
            p->cuda, err, "cuMemcpyHtoD", b->name,
            p->cuda->copy_in(p->buffers[i] + items[0].at, addresses, count * sizeof *addresses));
    }
    return status;
}

static pm_status upload(pm_cuda_program *p, size_t i, pm_error *err)
{
    const pm_buffer *b = &p->workload->buffers[i];
    pm_cu_result code;
    pm_status status;

    if (pm_workload_write(p->workload, i, err) != PM_OK)
        return err->status;
    if (b->initial) {
        code = p->cuda->copy_in(p->buffers[i], b->initial, b->bytes);
        status = pm_cuda_check(p->cuda, err, "cuMemcpyHtoD", b->name, code);
    } else {
        code = p->cuda->fill(p->buffers[i], b->flags & PM_BUFFER_POISON ? 0xff : 0, b->bytes);
        status = pm_cuda_check(p->cuda, err, "cuMemsetD8", b->name, code);
    }
    return status == PM_OK ? upload_pointers(p, i, err) : status;
}

/* Returns whether a buffer of the workload is a variable of the loaded module, so that it has no
 * memory of its own. */
static bool is_variable(const pm_cuda_program *p, size_t buffer)
{
    return pm_workload_symbol_of(p->workload, buffer) != NULL;
}

/* Sets p->buffers[i] to the address of the module's variable that buffer i of the workload
 * represents. */
static pm_status find_variable(pm_cuda_program *p, size_t i, pm_error *err)
{
    const pm_workload *w = p->workload;
    const pm_device_symbol *symbol = pm_workload_symbol_of(w, i);
    const char *name =
        p->code->compiled ? p->code->compiled->symbols[symbol - w->symbols] : symbol->name;
    size_t bytes = 0;
    const pm_cu_result code =
        p->cuda->module_global(&p->buffers[i], &bytes, p->module.module, name);

    if (code != 0)
        return pm_cuda_check(p->cuda, err, "cuModuleGetGlobal", symbol->name, code);
    if (w->buffers[i].bytes > bytes)
        return pm_fail(err, PM_BAD_INPUT, "%s: the variable %s has %zu bytes, its buffer has %zu",
                       w->source_path, symbol->name, bytes, w->buffers[i].bytes);
    return PM_OK;
}

static pm_status make_device_buffer(pm_cuda_program *p, size_t i, pm_error *err)
{
    const pm_buffer *b = &p->workload->buffers[i];
    pm_cu_result code;

    if (is_variable(p, i))
        return find_variable(p, i, err);
    code = p->cuda->alloc(&p->buffers[i], b->bytes);
    if (code != 0)
        p->buffers[i] = 0;
    return pm_cuda_check(p->cuda, err, "cuMemAlloc", b->name, code);
}

static pm_status make_buffers(pm_cuda_program *p, pm_error *err)
{
    for (size_t i = 0; i < p->workload->buffer_count; i++)
        if (make_device_buffer(p, i, err) != PM_OK)
            return err->status;
    /* fill the buffers after all are allocated, because a buffer may have pointers to other
     * buffers */
    for (size_t i = 0; i < p->workload->buffer_count; i++)
        if (upload(p, i, err) != PM_OK)
            return PM_FAILED;
    return PM_OK;
}

static void prepare_constant(const pm_cuda_program *p, const pm_arg *arg, size_t i, prepared *out)
{
    const size_t unit = PM_PTX_CONSTANT_ALIGN;

    out->words[i][0] = out->constant_bytes + arg->offset;
    out->constants[out->constant_count].buffer = arg->buffer;
    out->constants[out->constant_count++].offset = out->constant_bytes;
    out->constant_bytes += (p->workload->buffers[arg->buffer].bytes + unit - 1) / unit * unit;
}

/* Argument i is a struct with pointers to buffers. Writes the buffers' addresses on the GPU to the
 * pointers' positions in the struct. If the struct is too large for out->words, makes a copy that
 * `out` owns. */
static pm_status prepare_pointers(const pm_cuda_program *p, const pm_arg *arg, size_t i,
                                  prepared *out, pm_error *err)
{
    if (arg->bytes > sizeof out->words[i]) {
        out->copies[i] = malloc(arg->bytes);
        if (!out->copies[i])
            return pm_fail(err, PM_FAILED, "out of memory for an argument");
        out->arguments[i] = memcpy(out->copies[i], pm_arg_value(arg), arg->bytes);
    }
    for (size_t k = 0; k < arg->pointers.count; k++) {
        const pm_pointer *pointer = &arg->pointers.items[k];
        const pm_cu_pointer address = p->buffers[pointer->buffer] + pointer->offset;

        memcpy((char *)out->arguments[i] + pointer->at, &address, sizeof address);
    }
    return PM_OK;
}

/* Returns whether an argument is a tensor map, whose encoding is perfmodel's and not the GPU's. */
static bool is_tensor_map(const pm_arg *arg)
{
    return arg->kind == PM_ARG_VALUE && arg->bytes == PM_TENSOR_MAP_BYTES &&
           arg->pointers.count == 1 && arg->pointers.items[0].at == PM_TENSOR_MAP_ADDRESS &&
           pm_tensor_map_read(pm_arg_value(arg)).rank > 0;
}

/* Checks argument i of a launch against `takes`, the kernel's parameter in the PTX, and stores the
 * argument's value in `out` for cuLaunchKernel. */
static pm_status prepare_argument(pm_cuda_program *p, const pm_launch *launch, size_t i,
                                  const pm_ptx_parameter *takes, prepared *out, pm_error *err)
{
    const pm_arg *arg = &launch->args[i];
    size_t bytes = arg->kind == PM_ARG_VALUE ? arg->bytes : sizeof(pm_cu_pointer);

    if (takes->bytes != bytes)
        return pm_fail(err, PM_FAILED, "argument %zu of %s has %zu bytes, the kernel takes %zu", i,
                       launch->kernel, bytes, takes->bytes);
    if (is_tensor_map(arg))
        return pm_fail(err, PM_BAD_INPUT,
                       "argument %zu of %s is a tensor map, which only the trace engine takes: "
                       "measure your own program, and give its times by import",
                       i, launch->kernel);
    if (p->code->compiled && arg->kind == PM_ARG_LOCAL)
        return pm_fail(err, PM_BAD_INPUT,
                       "argument %zu of %s is local memory, which kernels of CUDA take no pointer "
                       "to: say shared = ...",
                       i, launch->kernel);
    if (arg->kind == PM_ARG_NULL && takes->space == PM_PTX_CONST && p->module.constants_in_array)
        return pm_fail(err, PM_FAILED,
                       "argument %zu of %s is a __constant NULL, which CUDA's constant memory does "
                       "not have: give it a buffer",
                       i, launch->kernel);
    if (arg->kind == PM_ARG_BUFFER && takes->space == PM_PTX_CONST &&
        p->module.constants_in_array) {
        prepare_constant(p, arg, i, out);
    } else if (arg->kind == PM_ARG_BUFFER) {
        out->words[i][0] = p->buffers[arg->buffer] + arg->offset;
    } else if (arg->kind == PM_ARG_NULL) {
        out->words[i][0] = 0;
    } else if (arg->kind == PM_ARG_LOCAL) {
        out->words[i][0] = out->shared;
        if (arg->bytes > UINT_MAX / 2 - out->shared)
            return pm_fail(err, PM_FAILED, "%s wants too much local memory", launch->kernel);
        out->shared += (unsigned)(arg->bytes + SHARED_ALIGN - 1) / SHARED_ALIGN * SHARED_ALIGN;
    } else if (bytes <= sizeof out->words[i]) {
        memcpy(out->words[i], pm_arg_value(arg), bytes);
    }
    /* An argument of up to 16 bytes is passed to cuLaunchKernel from `out`. A larger one is passed
     * directly from the workload, or as a copy if it contains pointers, which become addresses on
     * the GPU. */
    out->arguments[i] = bytes <= sizeof out->words[i] ? (void *)out->words[i]
                                                      : (void *)(uintptr_t)pm_arg_value(arg);
    return arg->pointers.count > 0 ? prepare_pointers(p, arg, i, out, err) : PM_OK;
}

/* Fails if the grid is larger than CUDA allows for one launch. NVIDIA's OpenCL driver splits a
 * larger grid into several launches. perfmodel cannot do so, because only that driver can set the
 * registers from which the PTX reads the first work-group of each launch. */
static pm_status check_grid(const pm_launch *launch, pm_error *err)
{
    static const size_t most[3] = {INT_MAX, UINT16_MAX, UINT16_MAX};

    for (unsigned d = 0; d < 3; d++) {
        if (launch->global[d] / launch->local[d] > most[d])
            return pm_fail(err, PM_FAILED,
                           "%s has %zu work-groups in dimension %u: a CUDA launch takes up to %zu, "
                           "so that CUPTI cannot count it; make its work-groups larger, or use a "
                           "lower dimension",
                           launch->kernel, launch->global[d] / launch->local[d], d, most[d]);
        if (d < launch->dimensions && launch->offset[d] != 0)
            return pm_fail(err, PM_FAILED,
                           "%s: a global offset cannot be counted by CUPTI: a CUDA launch has none",
                           launch->kernel);
    }
    return PM_OK;
}

static pm_status prepare_arguments(pm_cuda_program *p, size_t index, const char *name,
                                   pm_error *err)
{
    const pm_launch *launch = &p->workload->launches[index];
    const pm_cuda_code *compiled = p->code->compiled;
    pm_ptx_parameter takes[PM_PTX_MAX_PARAMETERS];
    size_t count;

    if (pm_ptx_parameters(compiled ? compiled->ptx : p->code->ptx, name, takes, &count, err) !=
        PM_OK)
        return PM_FAILED;
    if (count != launch->arg_count)
        return pm_fail(err, PM_FAILED, "%s has %zu arguments, the kernel takes %zu", launch->kernel,
                       launch->arg_count, count);
    for (size_t i = 0; i < count; i++)
        if (prepare_argument(p, launch, i, &takes[i], &p->launches[index], err) != PM_OK)
            return err->status;
    return PM_OK;
}

/* Raises the kernel's limit of dynamic shared memory to the largest amount that any launch needs.
 * The kernel's own static shared memory also counts against the device's limit, so only the driver
 * can tell whether the amount is too large. */
static pm_status raise_shared(pm_cuda_program *p, const prepared *launch, const char *kernel,
                              pm_error *err)
{
    int most = 0;
    pm_cu_result code =
        p->cuda->function_get(&most, PM_CU_FUNCTION_MAX_DYNAMIC_SHARED, launch->function);

    if (code != 0)
        return pm_cuda_check(p->cuda, err, "cuFuncGetAttribute", kernel, code);
    if (most >= 0 && launch->shared <= (unsigned)most)
        return PM_OK;
    code = p->cuda->function_set(launch->function, PM_CU_FUNCTION_MAX_DYNAMIC_SHARED,
                                 (int)launch->shared);
    return pm_cuda_check(p->cuda, err, "giving dynamic shared memory", kernel, code);
}

static pm_status prepare_launch(pm_cuda_program *p, size_t index, pm_error *err)
{
    const pm_launch *launch = &p->workload->launches[index];
    const pm_cuda_code *compiled = p->code->compiled;
    const char *name = compiled ? compiled->kernels[index] : launch->kernel;
    prepared *out = &p->launches[index];
    pm_cu_result code;

    if (check_grid(launch, err) != PM_OK || prepare_arguments(p, index, name, err) != PM_OK)
        return PM_FAILED;
    for (size_t d = 0; d < 3; d++) {
        bool used = d < launch->dimensions;

        out->block[d] = used ? (unsigned)launch->local[d] : 1;
        out->grid[d] = used ? (unsigned)(launch->global[d] / launch->local[d]) : 1;
    }
    out->together = compiled && pm_ptx_waits_for_grid(compiled->ptx, name);
    if (launch->shared > INT_MAX - out->shared)
        return pm_fail(err, PM_FAILED, "%s wants too much shared memory", launch->kernel);
    out->shared += (unsigned)launch->shared;
    code = p->cuda->module_function(&out->function, p->module.module, name);
    if (code != 0)
        return pm_cuda_check(p->cuda, err, "cuModuleGetFunction", launch->kernel, code);
    return out->shared ? raise_shared(p, out, launch->kernel, err) : PM_OK;
}

static pm_status prepare(pm_cuda_program *p, pm_error *err)
{
    pm_status status = pm_cuda_module_load(p->cuda, p->workload, p->code, &p->module, err);

    if (status == PM_OK && p->module.constants_in_array) {
        p->staging = malloc(PM_PTX_CONSTANT_BYTES);
        if (!p->staging)
            status = pm_fail(err, PM_FAILED, "out of memory for constants");
    }
    if (status == PM_OK)
        status = make_buffers(p, err);
    for (size_t i = 0; status == PM_OK && i < p->workload->launch_count; i++)
        status = prepare_launch(p, i, err);
    p->code = NULL;
    return status == PM_OK ? pm_cuda_program_wait(p, err) : status;
}

pm_cuda_program *pm_cuda_program_create(const pm_cuda_driver *cuda, const pm_workload *workload,
                                        const pm_device_code *code, pm_error *err)
{
    pm_cuda_program *p = calloc(1, sizeof *p);

    if (p) {
        p->cuda = cuda;
        p->workload = workload;
        p->code = code;
        p->buffers = calloc(workload->buffer_count + 1, sizeof *p->buffers);
        p->launches = calloc(workload->launch_count + 1, sizeof *p->launches);
    }
    if (!p || !p->buffers || !p->launches)
        pm_fail(err, PM_FAILED, "out of memory for %s", workload->program);
    else if (prepare(p, err) == PM_OK)
        return p;
    pm_cuda_program_free(p);
    return NULL;
}

void pm_cuda_program_free(pm_cuda_program *p)
{
    if (!p)
        return;
    for (size_t i = 0; p->buffers && i < p->workload->buffer_count; i++)
        if (p->buffers[i] && !is_variable(p, i))
            p->cuda->free(p->buffers[i]);
    pm_cuda_module_unload(p->cuda, &p->module);
    free(p->buffers);
    for (size_t l = 0; p->launches && l < p->workload->launch_count; l++)
        for (size_t a = 0; a < PM_MAX_ARGS; a++)
            free(p->launches[l].copies[a]);
    free(p->launches);
    free(p->staging);
    free(p);
}

pm_status pm_cuda_program_restore(pm_cuda_program *p, pm_error *err)
{
    if (pm_cuda_variables_restore(p->cuda, &p->module.variables, err) != PM_OK)
        return err->status;
    for (size_t i = 0; i < p->workload->buffer_count; i++)
        if (((p->workload->buffers[i].flags & PM_BUFFER_RESTORE) || is_variable(p, i)) &&
            upload(p, i, err) != PM_OK)
            return PM_FAILED;
    return PM_OK;
}

pm_status pm_cuda_program_ready(pm_cuda_program *p, size_t launch, pm_error *err)
{
    return copy_constants(p, &p->launches[launch], err);
}

pm_status pm_cuda_program_launch(pm_cuda_program *p, size_t launch, pm_error *err)
{
    prepared *l = &p->launches[launch];
    const char *name = p->workload->launches[launch].kernel;

    if (l->together)
        return pm_cuda_check(p->cuda, err, "cuLaunchCooperativeKernel", name,
                             p->cuda->launch_together(l->function, l->grid[0], l->grid[1],
                                                      l->grid[2], l->block[0], l->block[1],
                                                      l->block[2], l->shared, NULL, l->arguments));
    return pm_cuda_check(p->cuda, err, "cuLaunchKernel", name,
                         p->cuda->launch(l->function, l->grid[0], l->grid[1], l->grid[2],
                                         l->block[0], l->block[1], l->block[2], l->shared, NULL,
                                         l->arguments, NULL));
}

static pm_status resident_groups(pm_cuda_program *p, const prepared *l, double *value,
                                 pm_error *err)
{
    int groups = 0;
    pm_cu_result code = p->cuda->occupancy(
        &groups, l->function, (int)(l->block[0] * l->block[1] * l->block[2]), (size_t)l->shared);

    if (code != 0)
        return pm_cuda_check(p->cuda, err, "cuOccupancyMaxActiveBlocksPerMultiprocessor", NULL,
                             code);
    *value = groups;
    return PM_OK;
}

pm_status pm_cuda_program_property(pm_cuda_program *p, size_t launch, const char *property,
                                   double *value, pm_error *err)
{
    const prepared *l = &p->launches[launch];
    bool registers = strcmp(property, "registers") == 0;
    bool shared = strcmp(property, "shared_bytes") == 0;
    int got = 0;
    pm_cu_result code;

    if (strcmp(property, "resident_groups") == 0)
        return resident_groups(p, l, value, err);
    if (!registers && !shared)
        return PM_OK;
    code = p->cuda->function_get(
        &got, registers ? PM_CU_FUNCTION_REGISTERS : PM_CU_FUNCTION_STATIC_SHARED, l->function);
    if (code != 0)
        return pm_cuda_check(p->cuda, err, "cuFuncGetAttribute", property, code);
    *value = registers ? got : (double)got + l->shared;
    return PM_OK;
}

pm_status pm_cuda_program_wait(pm_cuda_program *p, pm_error *err)
{
    const pm_workload *w = p->workload;
    pm_cu_result code = p->cuda->synchronize();
    char about[256];

    snprintf(about, sizeof about, "%s %s %s", w->program, w->variant, w->size);
    return pm_cuda_check(p->cuda, err, "cuCtxSynchronize", about, code);
}

pm_status pm_cuda_program_read(pm_cuda_program *p, size_t buffer, void *dst, pm_error *err)
{
    const pm_buffer *b = &p->workload->buffers[buffer];
    pm_cu_result code = p->cuda->copy_out(dst, p->buffers[buffer], b->bytes);

    return pm_cuda_check(p->cuda, err, "cuMemcpyDtoH", b->name, code);
}
