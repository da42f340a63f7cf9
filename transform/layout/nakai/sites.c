/* Finds the access in the source from which each traced instruction was compiled, for the method of
 * Nakai and Ohno. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In the paper, the analysis of the source and the trace number instructions and loops in the same
 * way (instID and loopID). Here, libclang parses the source, but the trace executes code that
 * another compiler has optimised. That compiler may unroll loops and inline functions. Both keep
 * the line of an access, and the column of a load (the column of a store is that of its `=`). The
 * loop of the matched access is taken from the source. The loop that the trace reports only decides
 * between candidates that match equally well.
 */
#include <string.h>

#include "transform/layout/nakai/parts.h"

static const pm_trace_kernel *traced(const pm_trace_kernel *kernels, size_t count, const char *name)
{
    for (size_t k = 0; k < count; k++)
        if (strcmp(kernels[k].kernel, name) == 0)
            return &kernels[k];
    return NULL;
}

/* Returns how well an access in the source matches a traced instruction; 0: not at all. Equal line
 * and column count most, then an equal line, then equal loop and field. */
static int fit(const pm_struct *structure, const pm_source_access *a, const pm_access *access)
{
    const char *path = structure->fields[a->field].path;
    size_t length = strlen(access->field);
    bool same_loop = a->loop == access->loop;
    /* Compare only the beginning of the field's path. If the struct contains an array of structs,
     * the trace gives only the name of the array, such as n, and not the path of the inner struct's
     * member, such as n.x. */
    bool same_field = strncmp(path, access->field, length) == 0 && length > 0 &&
                      (path[length] == '\0' || path[length] == '.');

    if (a->line == access->line && a->column == access->column)
        return 8 + 2 * same_loop + same_field;
    if (a->line == access->line)
        return 4 + 2 * same_loop + same_field;
    return access->line == 0 && same_field ? 1 + same_loop : 0;
}

static void match(const pm_source_info *source, size_t structure, pm_nakai_site *site)
{
    const pm_source_kernel *kernel = &source->kernels[site->kernel];
    int best = 0;

    site->loop = site->access->loop;
    for (size_t i = 0; i < kernel->access_count; i++) {
        const pm_source_access *a = &kernel->accesses[i];
        int how =
            a->structure == structure ? fit(&source->structs.items[structure], a, site->access) : 0;

        if (how <= best)
            continue;
        best = how;
        site->loop = a->loop;
        site->matched = true;
    }
}

/* Returns true if an instruction accesses an array of this struct in global memory. The trace names
 * the kernel parameter from which the instruction's pointer was computed, and the parameter's type
 * decides. If the trace names none, because several are possible, the instruction must have the
 * line and column of an access to the struct in the source. */
static bool is_of(const pm_source_info *source, size_t structure, const pm_nakai_site *site)
{
    const pm_source_kernel *kernel = &source->kernels[site->kernel];
    const pm_access *access = site->access;

    if (strcmp(access->space, "global") != 0)
        return false;
    for (size_t p = 0; p < kernel->param_count; p++)
        if (strcmp(kernel->params[p].name, access->buffer) == 0)
            return kernel->params[p].structure == structure;
    for (size_t i = 0; access->line > 0 && i < kernel->access_count; i++)
        if (kernel->accesses[i].structure == structure &&
            kernel->accesses[i].line == access->line &&
            kernel->accesses[i].column == access->column)
            return true;
    return false;
}

pm_nakai_site *pm_nakai_sites(const pm_source_info *source, size_t structure,
                              const pm_trace_kernel *kernels, size_t kernel_count,
                              pm_memory *memory, size_t *count)
{
    pm_nakai_site *sites = NULL;

    *count = 0;
    for (size_t k = 0; k < source->kernel_count; k++) {
        const pm_trace_kernel *t = traced(kernels, kernel_count, source->kernels[k].name);

        for (size_t i = 0; t && i < t->access_count; i++) {
            pm_nakai_site site = {.access = &t->accesses[i], .kernel = k};

            if (!is_of(source, structure, &site))
                continue;
            match(source, structure, &site);
            *pm_add(memory, sites, *count) = site;
        }
    }
    return sites;
}
