/* Traces versions of a program that copy arrays to local memory (OpenCL's local, CUDA's shared
 * memory). These are handwritten variants that the program lists, and versions that perfmodel
 * generates from the unmodified program and from its fastest data layouts. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "answer/advise/parts.h"
#include "base/error.h"
#include "base/session/session.h"
#include "base/text.h"
#include "program/suite/suite.h"

/* Number of data layouts for which perfmodel also generates versions that copy arrays to local
 * memory. They are the layouts with the shortest predicted times. */
enum { LAYOUTS = 2 };

/* Names of a program's variants (versions of its source) that are to be traced. */
typedef struct {
    size_t count;
    const char **items;
} texts;

static void add_text(pm_advising *a, texts *list, const char *text)
{
    *pm_add(&a->memory, list->items, list->count) = text;
}

/* ---- staged versions of the base ------------------------------------------------------------- */

static bool is_same(const pm_stage_array *a, const pm_stage_array *b)
{
    return strcmp(a->array, b->array) == 0;
}

/* shared->arrays has an entry for each array and use in a kernel. Returns true if entry i is
 * staged, and no earlier staged entry has the same array. */
static bool is_first(const pm_staged *shared, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (shared->arrays[k].staged && is_same(&shared->arrays[k], &shared->arrays[i]))
            return false;
    return shared->arrays[i].staged;
}

static size_t count_names(const pm_staged *shared)
{
    size_t count = 0;

    for (size_t i = 0; i < shared->array_count; i++)
        count += is_first(shared, i);
    return count;
}

static bool has_one_kernel(const pm_workload *workload)
{
    for (size_t l = 1; l < workload->launch_count; l++)
        if (strcmp(workload->launches[l].kernel, workload->launches[0].kernel) != 0)
            return false;
    return true;
}

/* Returns true if an entry of shared->arrays before entry i stages the same array in the same
 * kernel, so that the kernel's name is already in the variant's text. */
static bool is_named(const pm_staged *shared, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (shared->arrays[k].staged && is_same(&shared->arrays[k], &shared->arrays[i]) &&
            strcmp(shared->arrays[k].kernel, shared->arrays[i].kernel) == 0)
            return true;
    return false;
}

/* Returns the name of the variant that stages one array: "shared:ARRAY", or
 * "shared:ARRAY@KERNEL+KERNEL" with the kernels that stage it if the program has several kernels.
 * array: index in shared->arrays. */
static const char *text_of_array(pm_advising *a, const pm_staged *shared, size_t array,
                                 bool one_kernel)
{
    pm_text text = {.memory = &a->memory};

    pm_text_add(&text, "shared:%s", shared->arrays[array].array);
    for (size_t i = array; !one_kernel && i < shared->array_count; i++)
        if (shared->arrays[i].staged && is_same(&shared->arrays[i], &shared->arrays[array]) &&
            !is_named(shared, i))
            pm_text_add(&text, "%c%s", i == array ? '@' : '+', shared->arrays[i].kernel);
    return pm_text_get(&text);
}

/* Returns the largest tile (number of iterations whose data is staged at a time) of the loops that
 * are staged; 0: no loop is tiled. */
static size_t tile_of(const pm_staged *shared)
{
    size_t tile = 0;

    for (size_t i = 0; i < shared->array_count; i++)
        if (shared->arrays[i].staged && shared->arrays[i].tile > tile)
            tile = shared->arrays[i].tile;
    return tile;
}

/* Adds the names of variants to the list. "shared" stages all arrays that can be staged, with the
 * default tile. The other variants stage each array alone if several can be staged, or use half or
 * twice the default tile. */
static void add_variations(pm_advising *a, const pm_workload *base, const pm_staged *shared,
                           texts *list)
{
    const bool several = count_names(shared) > 1, one_kernel = has_one_kernel(base);
    const size_t tile = tile_of(shared);

    add_text(a, list, "shared");
    for (size_t i = 0; several && i < shared->array_count; i++)
        if (is_first(shared, i))
            add_text(a, list, text_of_array(a, shared, i, one_kernel));
    if (tile > 2)
        add_text(a, list, pm_format(&a->memory, "shared/%zu", tile / 2));
    if (tile > 0)
        add_text(a, list, pm_format(&a->memory, "shared/%zu", tile * 2));
}

/* Adds the versions of the base variant that stage arrays in local memory. If none of its arrays
 * can be staged, logs a notice with the reason. */
static void add_staged(pm_advising *a, texts *list)
{
    pm_error why = {0};
    pm_status status;

    a->workload = pm_advise_build(a, a->advice->base);
    status = pm_workload_instances(a->workload, false, pm_session_worker(a->session),
                                   pm_session_log(a->session), &why);
    if (status == PM_OK)
        status = pm_stage_workload(a->workload, "shared", a->session, &a->shared, &why);
    if (status == PM_OK)
        add_variations(a, a->workload, &a->shared, list);
    else if (status == PM_BAD_INPUT)
        pm_notice(pm_session_log(a->session), "shared: left out: %s", why.text);
    else
        pm_leave(&a->memory, status, "%s", why.text);
    pm_advise_release(a);
}

/* ---- list of variants ------------------------------------------------------------------------ */

/* Adds the variants that the program lists, except the base variant. Adds nothing if the listed
 * variants are only layouts, which are traced elsewhere. */
static void add_listed(pm_advising *a, texts *list)
{
    const pm_program_info *info = &a->program->info;

    if (info->layouts && !a->program->build_own)
        return;
    for (const char *const *v = info->variants; *v; v++)
        if (strcmp(*v, info->base) != 0)
            add_text(a, list, *v);
}

/* Adds, for each of the LAYOUTS fastest layouts, a version that also stages arrays in local memory.
 * If the program has layouts, the choices must already be sorted by predicted time. */
static void add_layouts(pm_advising *a, texts *list)
{
    const pm_advice *advice = a->advice;
    size_t count = 0;

    for (size_t c = 0; c < advice->n && count < LAYOUTS; c++) {
        if (strcmp(advice->choices[c].variant, advice->base) == 0)
            continue;
        add_text(a, list, pm_format(&a->memory, "%s;shared", advice->choices[c].variant));
        count++;
    }
}

void pm_advise_staged(pm_advising *a)
{
    texts list = {0};

    add_listed(a, &list);
    add_staged(a, &list);
    add_layouts(a, &list);
    a->expected = a->advice->n + list.count;
    for (size_t i = 0; i < list.count; i++)
        pm_advise_trace_staged(a, list.items[i]);
}
