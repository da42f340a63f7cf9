/* Finds how the kernels of a program use each field of a struct: in which loops they read and write
 * it, how often, and at which distances between work-items. The data come from a trace of the
 * launches. See search.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/layout/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the index of a traced kernel in the source's description. Returns kernel_count if the
 * description does not have it. */
static size_t find_kernel(const pm_source_info *source, const char *name)
{
    size_t k = 0;

    while (k < source->kernel_count && strcmp(source->kernels[k].name, name) != 0)
        k++;
    return k;
}

/* Returns the number of different structs that one execution of an access instruction by a warp
 * touches, computed from the number of 32-byte sectors in the trace. A struct of 32 bytes or more
 * counts as one sector. A sector has several structs if they are smaller. */
static double elements_of(const pm_access *a, const pm_struct *structure)
{
    double sectors = a->executions > 0 ? a->transactions / a->executions : 1;
    double lanes = a->executions > 0 ? a->work_items / a->executions : 1;
    double apart = structure->bytes < 32 ? (double)structure->bytes / 32 : 1;

    return fmax(1, fmin(lanes, sectors / apart));
}

static pm_pattern pattern_of(const pm_access *a)
{
    if (strcmp(a->access_class, "ShareCoalesc") == 0)
        return PM_SHARED;
    return strcmp(a->access_class, "Coalesc") == 0 ? PM_CONSECUTIVE : PM_SPREAD;
}

static pm_field_use *add(pm_memory *memory, pm_field_use *uses, size_t *count,
                         const pm_field_use *use)
{
    size_t i = 0;

    while (i < *count && (uses[i].kernel != use->kernel || uses[i].loop != use->loop ||
                          uses[i].field != use->field))
        i++;
    if (i == *count) {
        *pm_add(memory, uses, *count) = *use;
        return uses;
    }
    uses[i].read |= use->read;
    uses[i].written |= use->written;
    if (use->executions > uses[i].executions) {
        uses[i].executions = use->executions;
        uses[i].elements = use->elements;
        uses[i].pattern = use->pattern;
    }
    return uses;
}

static int compare(const void *a, const void *b)
{
    const pm_field_use *x = a, *y = b;

    if (x->kernel != y->kernel)
        return x->kernel < y->kernel ? -1 : 1;
    if (x->loop != y->loop)
        return x->loop < y->loop ? -1 : 1;
    return (x->field > y->field) - (x->field < y->field);
}

pm_field_use *pm_uses(pm_memory *memory, const pm_source_info *source, size_t structure,
                      const pm_trace_kernel *traced, size_t traced_count, size_t *count)
{
    const pm_struct *s = &source->structs.items[structure];
    pm_field_use *uses = NULL;

    *count = 0;
    for (size_t t = 0; t < traced_count; t++)
        for (size_t i = 0; i < traced[t].access_count; i++) {
            const pm_access *a = &traced[t].accesses[i];
            pm_field_use use = {.kernel = find_kernel(source, traced[t].kernel),
                                .loop = a->loop,
                                .field = pm_struct_field(s, a->field),
                                .read = strcmp(a->kind, "store") != 0,
                                .written = strcmp(a->kind, "load") != 0,
                                .executions = a->executions,
                                .elements = elements_of(a, s),
                                .pattern = pattern_of(a)};

            if (use.kernel < source->kernel_count && use.field < s->field_count &&
                strcmp(a->space, "global") == 0 && strcmp(a->structure, s->name) == 0)
                uses = add(memory, uses, count, &use);
        }
    if (uses)
        qsort(uses, *count, sizeof *uses, compare);
    return uses;
}
