/* Loads a workload's PTX into the current CUDA context, owns its buffers and starts its launches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/cupti/cuda_program.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/cupti/cuda_ptx.h"

/* CUDA's own alignment of dynamic shared memory. */
#define SHARED_ALIGN 16
#define LOG_SIZE 512

/* A launch, ready for cuLaunchKernel. */
typedef struct {
    pm_cu_function function;
    unsigned grid[3], block[3], shared;
    uint64_t words[PM_MAX_ARGS][2]; /* 16 bytes an argument, aligned */
    void *arguments[PM_MAX_ARGS];
    /* Of __constant arguments: how far into the array their buffers are copied. */
    size_t constant_count, constant_bytes;
    struct {
        size_t buffer, offset;
    } constants[PM_MAX_ARGS];
} prepared;

struct pm_cuda_program {
    const pm_cuda_driver *cuda;
    const pm_workload *workload;
    pm_cu_module module;
    pm_cu_pointer *buffers; /* 0: not allocated */
    prepared *launches;
    bool constants_in_array; /* what __constant arguments point to, else they are addresses */
    pm_cu_pointer constants; /* the array */
    uint8_t *staging;        /* as large as it can be */
};

static pm_cu_result load_image(pm_cuda_program *p, const char *ptx, char *log)
{
    int options[] = {PM_CU_JIT_ERROR_LOG, PM_CU_JIT_ERROR_LOG_SIZE};
    void *values[] = {log, (void *)(uintptr_t)LOG_SIZE};

    memset(log, 0, LOG_SIZE);
    return p->cuda->module_load(&p->module, ptx, 2, options, values);
}

/* The number of dimensions that all launches have; 0: they differ. */
static unsigned dimensions_of(const pm_workload *w)
{
    for (size_t i = 1; i < w->launch_count; i++)
        if (w->launches[i].dimensions != w->launches[0].dimensions)
            return 0;
    return w->launch_count ? w->launches[0].dimensions : 0;
}

/* ---- __constant arguments ------------------------------------------------------------------ */

/* Bytes of the array that a launch's __constant arguments take. */
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

/* The most that any launch takes. */
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

static pm_status find_array(pm_cuda_program *p, pm_error *err)
{
    pm_cu_result code = p->cuda->module_global(&p->constants, NULL, p->module, PM_PTX_CONSTANTS);

    if (code != 0)
        return pm_cuda_check(p->cuda, err, "cuModuleGetGlobal", PM_PTX_CONSTANTS, code);
    p->staging = malloc(PM_PTX_CONSTANT_BYTES);
    return p->staging ? PM_OK : pm_fail(err, PM_FAILED, "out of memory for constants");
}

/* By way of the host: a copy on the device can be a kernel, which would be counted. */
static pm_status copy_constants(pm_cuda_program *p, const prepared *l, pm_error *err)
{
    for (size_t i = 0; i < l->constant_count; i++) {
        const pm_buffer *b = &p->workload->buffers[l->constants[i].buffer];
        pm_status status = pm_cuda_program_read(p, l->constants[i].buffer, p->staging, err);

        if (status == PM_OK)
            status = pm_cuda_check(
                p->cuda, err, "cuMemcpyHtoD", b->name,
                p->cuda->copy_in(p->constants + l->constants[i].offset, p->staging, b->bytes));
        if (status != PM_OK)
            return status;
    }
    return PM_OK;
}

/* ---- loading ------------------------------------------------------------------------------- */

static char *make_text(const pm_cuda_program *p, const char *opencl_ptx, size_t constant_bytes,
                       pm_error *err)
{
    if (p->constants_in_array && constant_bytes > PM_PTX_CONSTANT_BYTES) {
        pm_fail(err, PM_FAILED,
                "a launch has %zu bytes of __constant buffers, CUDA has room for %d: make some "
                "__global const",
                constant_bytes, PM_PTX_CONSTANT_BYTES);
        return NULL;
    }
    return pm_ptx_for_cuda(opencl_ptx, dimensions_of(p->workload),
                           p->constants_in_array ? constant_bytes : 0, err);
}

static bool is_rejected(pm_cu_result code)
{
    return code == PM_CU_INVALID_IMAGE || code == PM_CU_INVALID_PTX;
}

static pm_status tell_load(const pm_cuda_program *p, pm_cu_result code, char *log, pm_error *err)
{
    log[LOG_SIZE - 1] = '\0';
    for (char *at = log; (at = strchr(at, '\n'));)
        *at = ' ';
    return pm_cuda_check(p->cuda, err, "cuModuleLoadDataEx", *log ? log : p->workload->program,
                         code);
}

/* A driver that rejects the notes of parameters takes them without; __constant arguments are no
 * addresses then. */
static pm_status load_module(pm_cuda_program *p, const char *opencl_ptx, pm_error *err)
{
    char log[LOG_SIZE], *ptx;
    size_t constant_bytes;
    pm_cu_result code;

    if (most_constants(p->workload, opencl_ptx, &constant_bytes, err) != PM_OK)
        return PM_FAILED;
    p->constants_in_array = constant_bytes > 0 && !pm_ptx_constants_are_global(opencl_ptx);
    ptx = make_text(p, opencl_ptx, constant_bytes, err);
    code = ptx ? load_image(p, ptx, log) : 0;
    if (ptx && is_rejected(code)) {
        free(ptx);
        p->constants_in_array = constant_bytes > 0;
        ptx = make_text(p, opencl_ptx, constant_bytes, err);
        if (ptx)
            pm_ptx_drop_pointer_notes(ptx);
        code = ptx ? load_image(p, ptx, log) : 0;
    }
    free(ptx);
    if (!ptx || code != 0)
        p->module = NULL;
    if (!ptx)
        return PM_FAILED;
    if (code != 0)
        return tell_load(p, code, log, err);
    return p->constants_in_array ? find_array(p, err) : PM_OK;
}

static pm_status upload(pm_cuda_program *p, size_t i, pm_error *err)
{
    const pm_buffer *b = &p->workload->buffers[i];
    pm_cu_result code;

    if (b->initial) {
        code = p->cuda->copy_in(p->buffers[i], b->initial, b->bytes);
        return pm_cuda_check(p->cuda, err, "cuMemcpyHtoD", b->name, code);
    }
    code = p->cuda->fill(p->buffers[i], b->flags & PM_BUFFER_POISON ? 0xff : 0, b->bytes);
    return pm_cuda_check(p->cuda, err, "cuMemsetD8", b->name, code);
}

static pm_status make_buffers(pm_cuda_program *p, pm_error *err)
{
    for (size_t i = 0; i < p->workload->buffer_count; i++) {
        const pm_buffer *b = &p->workload->buffers[i];
        pm_cu_result code = p->cuda->alloc(&p->buffers[i], b->bytes);

        if (code != 0) {
            p->buffers[i] = 0;
            return pm_cuda_check(p->cuda, err, "cuMemAlloc", b->name, code);
        }
        if (upload(p, i, err) != PM_OK)
            return PM_FAILED;
    }
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

/* One argument: its value, checked against what the kernel takes. */
static pm_status prepare_argument(pm_cuda_program *p, const pm_launch *launch, size_t i,
                                  const pm_ptx_parameter *takes, prepared *out, pm_error *err)
{
    const pm_arg *arg = &launch->args[i];
    size_t bytes = arg->kind == PM_ARG_VALUE ? arg->bytes : sizeof(pm_cu_pointer);

    if (takes->bytes != bytes)
        return pm_fail(err, PM_FAILED, "argument %zu of %s has %zu bytes, the PTX takes %zu", i,
                       launch->kernel, bytes, takes->bytes);
    if (arg->kind == PM_ARG_NULL && takes->space == PM_PTX_CONST && p->constants_in_array)
        return pm_fail(err, PM_FAILED,
                       "argument %zu of %s is a __constant NULL, which CUDA's constant memory does "
                       "not have: give it a buffer",
                       i, launch->kernel);
    if (arg->kind == PM_ARG_BUFFER && takes->space == PM_PTX_CONST && p->constants_in_array) {
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
    /* CUDA copies what does not fit from the workload. */
    out->arguments[i] = bytes <= sizeof out->words[i] ? (void *)out->words[i]
                                                      : (void *)(uintptr_t)pm_arg_value(arg);
    return PM_OK;
}

/* OpenCL's driver cuts a larger grid into several; the PTX reads where each starts from registers
 * that only it can set. */
static pm_status check_grid(const pm_launch *launch, pm_error *err)
{
    static const size_t most[3] = {INT_MAX, UINT16_MAX, UINT16_MAX};

    for (unsigned d = 0; d < 3; d++)
        if (launch->global[d] / launch->local[d] > most[d])
            return pm_fail(err, PM_FAILED,
                           "%s has %zu work-groups in dimension %u: a CUDA launch takes up to %zu, "
                           "so that CUPTI cannot count it; make its work-groups larger, or use a "
                           "lower dimension",
                           launch->kernel, launch->global[d] / launch->local[d], d, most[d]);
    return PM_OK;
}

static pm_status prepare_launch(pm_cuda_program *p, const char *ptx, size_t index, pm_error *err)
{
    const pm_launch *launch = &p->workload->launches[index];
    prepared *out = &p->launches[index];
    pm_ptx_parameter takes[PM_PTX_MAX_PARAMETERS];
    size_t count;
    pm_cu_result code;

    if (check_grid(launch, err) != PM_OK)
        return PM_FAILED;
    if (pm_ptx_parameters(ptx, launch->kernel, takes, &count, err) != PM_OK)
        return PM_FAILED;
    if (count != launch->arg_count)
        return pm_fail(err, PM_FAILED, "%s has %zu arguments, its PTX takes %zu", launch->kernel,
                       launch->arg_count, count);
    for (size_t i = 0; i < count; i++)
        if (prepare_argument(p, launch, i, &takes[i], out, err) != PM_OK)
            return PM_FAILED;
    for (size_t d = 0; d < 3; d++) {
        bool used = d < launch->dimensions;

        if (used && launch->offset[d] != 0)
            return pm_fail(err, PM_FAILED,
                           "%s: a global offset cannot be counted by CUPTI: a CUDA launch has none",
                           launch->kernel);
        out->block[d] = used ? (unsigned)launch->local[d] : 1;
        out->grid[d] = used ? (unsigned)(launch->global[d] / launch->local[d]) : 1;
    }
    code = p->cuda->module_function(&out->function, p->module, launch->kernel);
    if (code != 0)
        return pm_cuda_check(p->cuda, err, "cuModuleGetFunction", launch->kernel, code);
    if (out->shared == 0)
        return PM_OK;
    code =
        p->cuda->function_set(out->function, PM_CU_FUNCTION_MAX_DYNAMIC_SHARED, (int)out->shared);
    return pm_cuda_check(p->cuda, err, "cuFuncSetAttribute", launch->kernel, code);
}

static pm_status prepare(pm_cuda_program *p, const char *opencl_ptx, pm_error *err)
{
    pm_status status = load_module(p, opencl_ptx, err);

    if (status == PM_OK)
        status = make_buffers(p, err);
    for (size_t i = 0; status == PM_OK && i < p->workload->launch_count; i++)
        status = prepare_launch(p, opencl_ptx, i, err);
    return status == PM_OK ? pm_cuda_program_wait(p, err) : status;
}

pm_cuda_program *pm_cuda_program_create(const pm_cuda_driver *cuda, const pm_workload *workload,
                                        const char *ptx, pm_error *err)
{
    pm_cuda_program *p = calloc(1, sizeof *p);

    if (p) {
        p->cuda = cuda;
        p->workload = workload;
        p->buffers = calloc(workload->buffer_count + 1, sizeof *p->buffers);
        p->launches = calloc(workload->launch_count + 1, sizeof *p->launches);
    }
    if (!p || !p->buffers || !p->launches)
        pm_fail(err, PM_FAILED, "out of memory for %s", workload->program);
    else if (prepare(p, ptx, err) == PM_OK)
        return p;
    pm_cuda_program_free(p);
    return NULL;
}

void pm_cuda_program_free(pm_cuda_program *p)
{
    if (!p)
        return;
    for (size_t i = 0; p->buffers && i < p->workload->buffer_count; i++)
        if (p->buffers[i])
            p->cuda->free(p->buffers[i]);
    if (p->module)
        p->cuda->module_unload(p->module);
    free(p->buffers);
    free(p->launches);
    free(p->staging);
    free(p);
}

pm_status pm_cuda_program_restore(pm_cuda_program *p, pm_error *err)
{
    for (size_t i = 0; i < p->workload->buffer_count; i++)
        if ((p->workload->buffers[i].flags & PM_BUFFER_RESTORE) && upload(p, i, err) != PM_OK)
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
    pm_cu_result code =
        p->cuda->launch(l->function, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1],
                        l->block[2], l->shared, NULL, l->arguments, NULL);

    return pm_cuda_check(p->cuda, err, "cuLaunchKernel", p->workload->launches[launch].kernel,
                         code);
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
    pm_cu_result code = p->cuda->synchronize();

    return pm_cuda_check(p->cuda, err, "cuCtxSynchronize", p->workload->program, code);
}

pm_status pm_cuda_program_read(pm_cuda_program *p, size_t buffer, void *dst, pm_error *err)
{
    const pm_buffer *b = &p->workload->buffers[buffer];
    pm_cu_result code = p->cuda->copy_out(dst, p->buffers[buffer], b->bytes);

    return pm_cuda_check(p->cuda, err, "cuMemcpyDtoH", b->name, code);
}
