/* Lists the arguments of a launch as the compiled kernel takes them. See kernel_arguments.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/kernel_arguments.h"

size_t pm_kernel_argument_count(const pm_kernel_code *code, const pm_launch *launch)
{
    return launch->arg_count + code->member_count;
}

pm_arg pm_kernel_argument(const pm_kernel_code *code, const pm_launch *launch, size_t i)
{
    const pm_parameter *parameter;
    const pm_pointer *pointer;

    if (i < launch->arg_count)
        return launch->args[i];
    parameter = &code->parameters[i];
    pointer = pm_pointers_find(&launch->args[parameter->structure].pointers, parameter->member);
    if (!pointer)
        return (pm_arg){.kind = PM_ARG_NULL};
    return (pm_arg){.kind = PM_ARG_BUFFER, .buffer = pointer->buffer, .offset = pointer->offset};
}
