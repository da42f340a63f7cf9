/* Adds a buffer to a workload for each variable in global memory (__device__, __managed__) of its
 * CUDA source. See variables.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/worker/server/variables.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/engine/bind_launch.h"

/* Adds a buffer with the initial value of a variable. Returns the buffer's index. */
static size_t add_buffer(pm_workload *workload, const pm_device_variable *variable)
{
    void *initial = variable->initial ? malloc(variable->bytes + 1) : NULL;

    if (variable->initial && !initial) {
        pm_fail(&workload->error, PM_FAILED, "%s: out of memory for the variable %s",
                workload->source_path, variable->name);
        return 0;
    }
    if (initial)
        memcpy(initial, variable->initial, variable->bytes);
    return pm_workload_buffer(workload, variable->name, variable->bytes, initial,
                              PM_BUFFER_RESTORE);
}

/* Returns the index of the buffer of the variable `symbol`. If the workload has no buffer for the
 * variable yet, adds one, which all launches share. buffers[v]: index plus 1 of the buffer of the
 * program's variable v; 0: not known yet. */
static size_t buffer_of(pm_workload *workload, const pm_trace_program *program, const char *symbol,
                        size_t *buffers)
{
    size_t v = 0;

    while (v + 1 < program->variable_count && strcmp(program->variables[v].symbol, symbol) != 0)
        v++;
    for (size_t s = 0; s < workload->symbol_count && buffers[v] == 0; s++)
        if (workload->symbols[s].in_buffer &&
            strcmp(workload->symbols[s].name, program->variables[v].name) == 0)
            buffers[v] = 1 + workload->symbols[s].buffer;
    if (buffers[v] == 0)
        buffers[v] = 1 + add_buffer(workload, &program->variables[v]);
    return buffers[v] - 1;
}

/* Returns the source line of the kernel's first texture fetch; 0: no line is known. */
static unsigned line_of_fetch(const pm_kernel_code *code)
{
    for (size_t i = 0; i < code->site_count; i++)
        if (code->sites[i].fetch)
            return code->sites[i].line;
    return 0;
}

/* Adds to a launch the texture that is bound to a texture reference of its kernel. */
static pm_status add_texture(pm_workload *workload, const pm_kernel_code *code, pm_launch *launch,
                             const char *reference, pm_error *err)
{
    size_t t = 0;
    pm_arg *argument = &launch->args[launch->arg_count];

    while (t < workload->texture_count && strcmp(workload->textures[t].name, reference) != 0)
        t++;
    if (t == workload->texture_count)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s:%u: kernel %s reads the texture reference %s, to which no texture is "
                       "bound; add [texture %s] with buffer = BUFFER and width = TEXELS",
                       workload->source_path, line_of_fetch(code), launch->kernel, reference,
                       reference);
    *argument = workload->textures[t].object;
    argument->pointers = (pm_pointers){0};
    if (!pm_pointers_copy(&argument->pointers, workload->textures[t].object.pointers.items,
                          workload->textures[t].object.pointers.count))
        return pm_fail(err, PM_FAILED, "%s: out of memory", workload->source_path);
    if (argument->large) {
        argument->large = malloc(argument->bytes);
        if (!argument->large)
            return pm_fail(err, PM_FAILED, "%s: out of memory", workload->source_path);
        memcpy(argument->large, workload->textures[t].object.large, argument->bytes);
    }
    launch->arg_count++;
    return PM_OK;
}

/* Adds the arguments for the variables and texture references that the launch's kernel uses. Does
 * nothing if the launch has another number of arguments than the kernel takes, which pm_bind_kernel
 * reports. */
static pm_status add_arguments(pm_workload *workload, const pm_trace_program *program,
                               pm_launch *launch, size_t *buffers, pm_error *err)
{
    const pm_kernel_code *code = pm_find_kernel(program, launch->kernel);

    if (!code ||
        launch->arg_count + code->variable_count + code->member_count != code->parameter_count)
        return PM_OK;
    if (code->parameter_count > PM_MAX_ARGS)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s: kernel %s: %zu arguments and %zu __device__ variables and "
                       "texture references; at most %d "
                       "together can be traced",
                       workload->source_path, launch->kernel, launch->arg_count,
                       code->variable_count, PM_MAX_ARGS);
    for (size_t i = launch->arg_count; i < code->parameter_count - code->member_count; i++) {
        const pm_parameter *parameter = &code->parameters[i];

        if (parameter->variable)
            launch->args[launch->arg_count++] =
                PM_BUFFER(buffer_of(workload, program, parameter->variable, buffers));
        else if (add_texture(workload, code, launch, parameter->reference, err) != PM_OK)
            return err->status;
    }
    return PM_OK;
}

pm_status pm_served_add_variables(pm_workload *workload, const pm_trace_program *program,
                                  pm_error *err)
{
    size_t *buffers;
    pm_status status = PM_OK;

    buffers = calloc(program->variable_count + 1, sizeof *buffers);
    if (!buffers)
        return pm_fail(err, PM_FAILED, "%s: out of memory", workload->source_path);
    for (size_t i = 0; status == PM_OK && i < workload->launch_count; i++)
        status = add_arguments(workload, program, &workload->launches[i], buffers, err);
    free(buffers);
    if (status == PM_OK && workload->error.status != PM_OK) {
        *err = workload->error;
        status = err->status;
    }
    return status;
}
