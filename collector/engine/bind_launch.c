/* Prepares a kernel launch of a workload for the compiled code: fills the argument values, the
 * address bounds of each memory instruction, and the work-group's use of shared memory and
 * registers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/bind_launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "collector/engine/kernel_arguments.h"

enum { LOCAL_ALIGNMENT = 16, MOST_GROUP = 1024 };

/* ---- does the launch fit the kernel? ------------------------------------------------------ */

static pm_status no_such_kernel(const pm_trace_program *program, const pm_workload *workload,
                                const char *name, pm_error *err)
{
    char list[256] = "";

    for (size_t k = 0; k < program->kernel_count; k++)
        pm_list_add(list, sizeof list, "%s", program->kernels[k].name);
    return pm_fail(err, PM_BAD_INPUT, "%s: no kernel %s; it has: %s", workload->source_path, name,
                   *list ? list
                         : "none (an instance of CUDA's templates is asked for as "
                           "reduce<float, 256>)");
}

static const char *kind_name(pm_parameter_kind kind)
{
    return kind == PM_PARAMETER_GLOBAL   ? "a buffer"
           : kind == PM_PARAMETER_SHARED ? "local memory"
                                         : "a value";
}

/* Returns whether an argument is an address that the kernel takes as an integer: PTX does not
 * declare pointers, so a parameter by which the kernel accesses no memory is an integer. */
static bool is_address_as_value(const pm_parameter *parameter, const pm_arg *arg)
{
    return parameter->kind == PM_PARAMETER_VALUE && parameter->bytes == sizeof(uint64_t) &&
           (arg->kind == PM_ARG_BUFFER || arg->kind == PM_ARG_NULL);
}

static pm_status check_argument(const pm_workload *workload, const pm_kernel_code *code, size_t i,
                                const pm_arg *arg, pm_error *err)
{
    const pm_parameter *parameter = &code->parameters[i];
    pm_parameter_kind given = arg->kind == PM_ARG_VALUE   ? PM_PARAMETER_VALUE
                              : arg->kind == PM_ARG_LOCAL ? PM_PARAMETER_SHARED
                                                          : PM_PARAMETER_GLOBAL;

    if (code->is_cuda && is_address_as_value(parameter, arg))
        return PM_OK;
    if (given != parameter->kind)
        return pm_fail(err, PM_BAD_INPUT, "%s: kernel %s: argument %zu (%s) is %s, given is %s",
                       workload->source_path, code->name, i, parameter->name,
                       kind_name(parameter->kind), kind_name(given));
    if (given == PM_PARAMETER_VALUE && arg->bytes != parameter->bytes)
        return pm_fail(
            err, PM_BAD_INPUT, "%s: kernel %s: argument %zu (%s) has %zu bytes, given are %zu",
            workload->source_path, code->name, i, parameter->name, parameter->bytes, arg->bytes);
    return PM_OK;
}

/* Fails if a launch of CUDA code exceeds CUDA's limits of grid and block sizes, because LLVM's code
 * for CUDA relies on these limits. */
static pm_status check_limits(const pm_workload *workload, const pm_kernel_code *code,
                              const pm_launch *launch, pm_error *err)
{
    static const size_t most_items[3] = {1024, 1024, 64};
    static const size_t most_groups[3] = {INT32_MAX, UINT16_MAX, UINT16_MAX};

    for (unsigned d = 0; d < 3; d++) {
        size_t groups = launch->global[d] / launch->local[d];

        if (launch->local[d] > most_items[d])
            return pm_fail(err, PM_BAD_INPUT,
                           "%s: kernel %s: work-groups of %zu work-items in dimension %u; a GPU "
                           "takes up to %zu",
                           workload->source_path, code->name, launch->local[d], d, most_items[d]);
        if (groups > most_groups[d])
            return pm_fail(
                err, PM_BAD_INPUT,
                "%s: kernel %s: %zu work-groups in dimension %u; a CUDA launch takes up to "
                "%zu: make work-groups larger, or use a lower dimension",
                workload->source_path, code->name, groups, d, most_groups[d]);
    }
    return PM_OK;
}

static pm_status check_sizes(const pm_workload *workload, const pm_kernel_code *code,
                             const pm_launch *launch, pm_error *err)
{
    size_t items = launch->local[0] * launch->local[1] * launch->local[2];

    for (unsigned d = 0; d < 3; d++) {
        if (code->required_group[d] != 0 && code->required_group[d] != launch->local[d])
            return pm_fail(err, PM_BAD_INPUT,
                           "%s: kernel %s asks for work-groups of %ux%ux%u, the launch has "
                           "%zux%zux%zu",
                           workload->source_path, code->name, code->required_group[0],
                           code->required_group[1], code->required_group[2], launch->local[0],
                           launch->local[1], launch->local[2]);
    }
    if (items > MOST_GROUP)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s: kernel %s: work-groups of %zu work-items; a GPU takes up to %d",
                       workload->source_path, code->name, items, MOST_GROUP);
    return check_limits(workload, code, launch, err);
}

const pm_kernel_code *pm_find_kernel(const pm_trace_program *program, const char *name)
{
    for (size_t k = 0; k < program->kernel_count; k++)
        if (strcmp(program->kernels[k].name, name) == 0)
            return &program->kernels[k];
    return NULL;
}

pm_status pm_bind_kernel(const pm_trace_program *program, const pm_workload *workload,
                         size_t number, const pm_kernel_code **code, pm_error *err)
{
    const pm_launch *launch = &workload->launches[number];

    *code = pm_find_kernel(program, launch->kernel);
    if (!*code)
        return no_such_kernel(program, workload, launch->kernel, err);
    if ((*code)->parameter_count != pm_kernel_argument_count(*code, launch))
        return pm_fail(err, PM_BAD_INPUT, "%s: kernel %s takes %zu arguments, given are %zu",
                       workload->source_path, launch->kernel,
                       (*code)->parameter_count - (*code)->member_count - (*code)->variable_count,
                       launch->arg_count);
    for (size_t i = 0; i < launch->arg_count; i++)
        if (check_argument(workload, *code, i, &launch->args[i], err) != PM_OK)
            return err->status;
    return check_sizes(workload, *code, launch, err);
}

/* ---- a launch ----------------------------------------------------------------------------- */

/* Returns how many bytes at the start of the argument's buffer the kernel must not access. An
 * OpenCL pointer into a buffer is a part of the buffer (clCreateSubBuffer), and a CUDA kernel may
 * access the whole allocation. */
static size_t skipped_bytes(const pm_kernel_code *code, const pm_arg *arg)
{
    return code->is_cuda ? 0 : arg->offset;
}

static void bind_arguments(const pm_kernel_code *code, const pm_launch *launch,
                           const pm_buffers *buffers, pm_bound_launch *bound)
{
    size_t shared = code->shared_bytes;

    for (size_t i = 0; i < code->parameter_count; i++) {
        const pm_arg given = pm_kernel_argument(code, launch, i), *arg = &given;
        uint8_t *slot = bound->values + code->parameters[i].slot;

        if (arg->kind == PM_ARG_VALUE) {
            memcpy(slot, pm_arg_value(arg), arg->bytes);
            pm_buffers_put_pointers(buffers, &arg->pointers, slot);
        } else if (arg->kind == PM_ARG_LOCAL) {
            uint64_t offset = shared;

            memcpy(slot, &offset, sizeof offset);
            shared += (arg->bytes + LOCAL_ALIGNMENT - 1) / LOCAL_ALIGNMENT * LOCAL_ALIGNMENT;
        } else if (arg->kind == PM_ARG_BUFFER && code->parameters[i].kind == PM_PARAMETER_VALUE) {
            const uint8_t *address = buffers->host[arg->buffer] + arg->offset;

            memcpy(slot, &address, sizeof address);
        } else if (arg->kind == PM_ARG_BUFFER) { /* the value of a null pointer stays 0 */
            const size_t skipped = skipped_bytes(code, arg);
            pm_pointer_argument pointer = {.host = buffers->host[arg->buffer] + arg->offset,
                                           .start = buffers->host[arg->buffer] + skipped,
                                           .bytes = buffers->regions[arg->buffer].bytes - skipped,
                                           .address = buffers->regions[arg->buffer].base + skipped};

            memcpy(slot, &pointer, sizeof pointer);
        }
    }
    bound->run.shared_bytes = shared + launch->shared;
}

/* Returns the range of shared memory that a __local argument points to, as bounds of accesses
 * through this argument. */
static pm_bounds local_bounds(const pm_kernel_code *code, const pm_bound_launch *bound,
                              const pm_launch *launch, int argument)
{
    uint64_t offset;

    memcpy(&offset, bound->values + code->parameters[argument].slot, sizeof offset);
    return (pm_bounds){.base = offset, .bytes = launch->args[argument].bytes, .known = true};
}

/* Returns the address range for accesses through a pointer argument to global memory, or to a
 * struct argument passed by value. The range of a NULL argument has 0 bytes. */
static pm_bounds argument_bounds(const pm_kernel_code *code, const pm_launch *launch, size_t i,
                                 const pm_buffers *buffers)
{
    const pm_arg arg = pm_kernel_argument(code, launch, i);
    const pm_memory_region *region;
    size_t skipped;

    if (arg.kind == PM_ARG_VALUE)
        return (pm_bounds){0, arg.bytes, true};
    if (arg.kind != PM_ARG_BUFFER)
        return (pm_bounds){0, 0, true};
    region = &buffers->regions[arg.buffer];
    skipped = skipped_bytes(code, &arg);
    return (pm_bounds){region->base + skipped, region->bytes - skipped, true};
}

static pm_bounds site_bounds(const pm_kernel_code *code, const pm_site *site,
                             const pm_launch *launch, const pm_buffers *buffers,
                             const pm_bound_launch *bound)
{
    bool variable = site->object_bytes > 0;

    switch (site->space) {
    case PM_SPACE_SHARED:
        if (site->argument >= 0)
            return local_bounds(code, bound, launch, site->argument);
        return variable ? (pm_bounds){site->object_offset, site->object_bytes, true}
                        /* The launch sets the size of this shared memory (a __local argument or
                         * CUDA's extern array). The memory is placed behind the kernel's own shared
                         * variables. */
                        : (pm_bounds){site->object_offset,
                                      bound->run.shared_bytes - site->object_offset, true};
    case PM_SPACE_PRIVATE:
        return variable ? (pm_bounds){site->object_offset, site->object_bytes, true}
                        : (pm_bounds){0, code->private_bytes, true};
    default:
        if (site->argument >= 0)
            return argument_bounds(code, launch, (size_t)site->argument, buffers);
        return variable ? (pm_bounds){0, site->object_bytes, true} : (pm_bounds){0};
    }
}

static void bind_sizes(const pm_launch *launch, pm_launch_run *run)
{
    run->context.dimensions = launch->dimensions;
    run->groups = 1;
    for (unsigned d = 0; d < 3; d++) {
        run->context.local_size[d] = (uint32_t)launch->local[d];
        run->context.groups[d] = (uint32_t)(launch->global[d] / launch->local[d]);
        run->context.offset[d] = launch->offset[d];
        run->groups *= run->context.groups[d];
    }
}

static pm_status check_shared(const pm_workload *workload, const pm_bound_launch *bound,
                              const pm_gpu *gpu, pm_error *err)
{
    if (bound->run.shared_bytes <= gpu->shared_group_bytes)
        return PM_OK;
    return pm_fail(err, PM_BAD_INPUT,
                   "%s: kernel %s: a work-group needs %zu bytes of local memory, %s has %zu",
                   workload->source_path, bound->run.rules.code->name, bound->run.shared_bytes,
                   gpu->device, gpu->shared_group_bytes);
}

static void *aligned_zeros(size_t bytes)
{
    const size_t align = PM_ARGUMENT_ALIGNMENT, room = (bytes + align) / align * align;
    void *zeros = aligned_alloc(align, room);

    return zeros ? memset(zeros, 0, room) : NULL;
}

void pm_bind_resources(const pm_launch *launch, const pm_gpu *gpu, const pm_kernel_resources *taken,
                       pm_bound_launch *bound)
{
    const size_t items = launch->local[0] * launch->local[1] * launch->local[2];

    bound->taken = *taken;
    bound->shared_bytes =
        bound->run.shared_bytes - bound->run.rules.code->shared_bytes + taken->shared_bytes;
    bound->resident =
        pm_gpu_resident(gpu, (unsigned)items, taken->registers, bound->shared_bytes, NULL);
}

/* Estimates the registers and spills of a kernel whose resources the GPU's own compiler did not
 * report. A GPU with scalar loads (scalar_bytes > 0) is one of AMD, whose compiler (LLVM) spills
 * the registers that exceed the GPU's limit. */
static pm_kernel_resources estimate(const pm_kernel_code *code, const pm_gpu *gpu)
{
    const bool is_llvm = gpu->scalar_bytes > 0;
    pm_kernel_resources taken = {.registers = is_llvm ? code->registers_sunk : code->registers,
                                 .shared_bytes = code->shared_bytes};

    if (!is_llvm) {
        /* The loads and stores that spills cause are not added to `taken` (the resources of a
         * work-item): they are counted each time that a basic block with spills is executed
         * (pm_block.spill_loads). */
        taken.spilled = code->spilled;
        return taken;
    }
    if (taken.registers > gpu->max_registers)
        taken.spilled = taken.registers - gpu->max_registers;
    taken.outside.stores = taken.outside.loads = taken.spilled;
    return taken;
}

pm_status pm_bind_launch(const pm_kernel_code *code, const pm_workload *workload, size_t number,
                         const pm_buffers *buffers, const pm_gpu *gpu, uint64_t step_limit,
                         pm_bound_launch *bound, pm_error *err)
{
    const pm_launch *launch = &workload->launches[number];
    pm_kernel_resources taken;

    *bound = (pm_bound_launch){0};
    bound->values = aligned_zeros(code->argument_bytes);
    bound->bounds = calloc(code->site_count + 1, sizeof *bound->bounds);
    if (!bound->values || !bound->bounds) {
        pm_bound_launch_free(bound);
        return pm_fail(err, PM_FAILED, "%s: out of memory for a launch", launch->kernel);
    }
    bind_sizes(launch, &bound->run);
    bind_arguments(code, launch, buffers, bound);
    for (size_t i = 0; i < code->site_count; i++)
        bound->bounds[i] = site_bounds(code, &code->sites[i], launch, buffers, bound);
    bound->run.rules = (pm_launch_rules){.code = code,
                                         .bounds = bound->bounds,
                                         .regions = buffers->regions,
                                         .region_count = buffers->count,
                                         .null_address = buffers->arena_address -
                                                         (uint64_t)(uintptr_t)buffers->arena,
                                         .buffers = workload->buffers,
                                         .warp_width = gpu->warp_width,
                                         .loop_window = pm_gpu_runs_loops(gpu) ? gpu->registers : 0,
                                         .full_mask = UINT64_MAX >> (64 - gpu->warp_width),
                                         .step_limit = step_limit,
                                         .source_path = workload->source_path};
    bound->run.context.values = bound->values;
    bound->run.context.value_bytes = code->argument_bytes;
    bound->run.context.shared_bytes = bound->run.shared_bytes;
    bound->run.context.arena = buffers->arena;
    bound->run.context.arena_bytes = buffers->arena_bytes;
    bound->run.context.arena_address = buffers->arena_address;
    if (check_shared(workload, bound, gpu, err) != PM_OK) {
        pm_bound_launch_free(bound);
        return err->status;
    }
    taken = estimate(code, gpu);
    pm_bind_resources(launch, gpu, &taken, bound);
    return PM_OK;
}

void pm_bound_launch_free(pm_bound_launch *bound)
{
    free(bound->values);
    free(bound->bounds);
    *bound = (pm_bound_launch){0};
}
