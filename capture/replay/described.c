/* Finds the types of kernel parameters in the driver's descriptions, for a source that cannot be
 * parsed or is PTX, which does not tell all types. See replay.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "capture/replay/replay.h"

enum { TYPE_SIZE = sizeof((pm_source_param *)0)->type };

/* Copies the type that a pointer type points to, by its name in workload files, such as "uint" for
 * "unsigned int*". `copy` must be "" before, and stays "" if workload files do not have the
 * type. */
static void copy_type(const char *type, char copy[TYPE_SIZE])
{
    static const struct {
        const char *driver, *ours;
    } others[] = {{"unsigned char", "uchar"}, {"unsigned short", "ushort"},
                  {"unsigned int", "uint"},   {"unsigned long", "ulong"},
                  {"size_t", "ulong"},        {"unsigned", "uint"}};
    const size_t length = strcspn(type, "*");
    char plain[64];

    snprintf(plain, sizeof plain, "%.*s", (int)length, type);
    while (*plain && plain[strlen(plain) - 1] == ' ')
        plain[strlen(plain) - 1] = '\0';
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(plain, others[i].driver) == 0)
            strcpy(plain, others[i].ours);
    if (pm_replay_type_bytes(plain) && strlen(plain) < TYPE_SIZE)
        strcpy(copy, plain);
}

static void describe_kernel(pm_memory *memory, const pm_captured_kernel *from,
                            pm_source_kernel *kernel)
{
    kernel->name = pm_copy(memory, from->name);
    kernel->params = pm_take(memory, from->param_count + 1, sizeof *kernel->params);
    kernel->param_count = from->param_count;
    for (size_t i = 0; i < from->param_count; i++) {
        pm_source_param *param = &kernel->params[i];
        const char *address = from->params[i].address;

        param->name = pm_copy(memory, from->params[i].name);
        param->structure = PM_NO_STRUCT;
        copy_type(from->params[i].type, param->type);
        param->takes = strcmp(address, "global") == 0 || strcmp(address, "constant") == 0
                           ? PM_TAKES_BUFFER
                       : strcmp(address, "local") == 0 ? PM_TAKES_LOCAL
                                                       : PM_TAKES_VALUE;
    }
}

bool pm_replay_describe(pm_memory *memory, const pm_replay *replay, pm_source_info *info)
{
    *info = (pm_source_info){0};
    for (size_t k = 0; k < replay->process->kernel_count; k++) {
        const pm_captured_kernel *kernel = replay->process->kernels[k];

        if (kernel->program == replay->program)
            describe_kernel(memory, kernel, pm_add(memory, info->kernels, info->kernel_count));
    }
    for (size_t k = 0; k < info->kernel_count; k++)
        if (info->kernels[k].param_count > 0)
            return true;
    return false;
}

/* ---- PTX ------------------------------------------------------------------------------------- */

/* Returns whether a captured launch of the kernel passes a buffer for parameter p. */
static bool gets_buffer(const pm_captured_process *process, const pm_captured_kernel *kernel,
                        size_t p)
{
    for (size_t l = 0; l < process->launch_count; l++) {
        const pm_captured_launch *launch = &process->launches[l];

        if (launch->kernel == kernel && !launch->dropped && p < launch->arg_count &&
            launch->args[p].kind == PM_CAPTURED_BUFFER)
            return true;
    }
    return false;
}

/* Returns the description of a kernel's parameter. parsed: its description from the PTX. told: its
 * type and name from the kernel's mangled name or source; NULL: not known. takes_buffer: true if a
 * captured launch passes a buffer for it. */
static pm_source_param describe_param(pm_memory *memory, const pm_source_param *parsed,
                                      const pm_captured_param *told, bool takes_buffer)
{
    pm_source_param param = *parsed;
    char type[TYPE_SIZE] = "";

    param.name = pm_copy(memory, told && *told->name ? told->name : parsed->name);
    if (told)
        copy_type(told->type, type);
    if (*type)
        strcpy(param.type, type);
    /* PTX does not show that a parameter is a pointer if the kernel does not use it as an address,
     * but a captured launch passes a buffer for it */
    if (takes_buffer)
        param.takes = PM_TAKES_BUFFER;
    return param;
}

void pm_replay_describe_ptx(pm_memory *memory, const pm_replay *replay,
                            const pm_source_info *parsed, pm_source_info *info)
{
    *info = (pm_source_info){0};
    for (size_t k = 0; k < replay->process->kernel_count; k++) {
        const pm_captured_kernel *from = replay->process->kernels[k];
        const pm_source_kernel *found =
            from->program == replay->program ? pm_source_find_kernel(parsed, from->symbol) : NULL;
        pm_source_kernel *to;

        if (!found)
            continue;
        to = pm_add(memory, info->kernels, info->kernel_count);
        to->name = pm_copy(memory, from->name);
        to->param_count = found->param_count;
        to->params = pm_take(memory, found->param_count + 1, sizeof *to->params);
        for (size_t p = 0; p < found->param_count; p++)
            to->params[p] =
                describe_param(memory, &found->params[p],
                               from->param_count == found->param_count ? &from->params[p] : NULL,
                               gets_buffer(replay->process, from, p));
    }
}
