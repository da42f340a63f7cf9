/* The versions in local memory that advice weighs: those that the program lists, and what staging
 * makes of its base and of its best layouts. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advise/parts.h"
#include "base/error.h"
#include "session/session.h"
#include "suite/suite.h"
#include "transform/staging.h"

/* Layouts behind which arrays are staged, the fastest by prediction. */
enum { LAYOUTS = 2 };

/* Texts to trace. */
typedef struct {
    size_t count;
    char **items;
} texts;

static void free_texts(texts *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i]);
    free(list->items);
    *list = (texts){0};
}

/* Takes text, which may be NULL: out of memory. */
static pm_status add_text(texts *list, char *text, pm_error *err)
{
    char **items = realloc(list->items, (list->count + 1) * sizeof *items);

    if (items)
        list->items = items;
    if (!items || !text) {
        free(text);
        return pm_fail(err, PM_FAILED, "out of memory for the versions to trace");
    }
    items[list->count++] = text;
    return PM_OK;
}

/* ---- what staging the base finds ------------------------------------------------------------ */

static bool is_same(const pm_stage_array *a, const pm_stage_array *b)
{
    return strcmp(a->array, b->array) == 0;
}

/* The first staged one of its name. */
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

/* Whether an earlier region of the kernel has the array too. */
static bool is_named(const pm_staged *shared, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (shared->arrays[k].staged && is_same(&shared->arrays[k], &shared->arrays[i]) &&
            strcmp(shared->arrays[k].kernel, shared->arrays[i].kernel) == 0)
            return true;
    return false;
}

/* shared:a, or shared:a@k+l where other kernels may not have it. NULL: out of memory. */
static char *text_of_array(const pm_staged *shared, size_t array, bool one_kernel)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return NULL;
    fprintf(out, "shared:%s", shared->arrays[array].array);
    for (size_t i = array; !one_kernel && i < shared->array_count; i++)
        if (shared->arrays[i].staged && is_same(&shared->arrays[i], &shared->arrays[array]) &&
            !is_named(shared, i))
            fprintf(out, "%c%s", i == array ? '@' : '+', shared->arrays[i].kernel);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* Iterations that a loop was tiled by; 0: none was. */
static size_t tile_of(const pm_staged *shared)
{
    size_t tile = 0;

    for (size_t i = 0; i < shared->array_count; i++)
        if (shared->arrays[i].staged && shared->arrays[i].tile > tile)
            tile = shared->arrays[i].tile;
    return tile;
}

static pm_status add_tile(texts *list, size_t tile, pm_error *err)
{
    char text[64];

    snprintf(text, sizeof text, "shared/%zu", tile);
    return add_text(list, strdup(text), err);
}

/* What is chosen, each of several arrays alone, and loops tiled by half and by twice as much. */
static pm_status add_variations(const pm_workload *base, const pm_staged *shared, texts *list,
                                pm_error *err)
{
    const bool several = count_names(shared) > 1, one_kernel = has_one_kernel(base);
    const size_t tile = tile_of(shared);
    pm_status status = add_text(list, strdup("shared"), err);

    for (size_t i = 0; status == PM_OK && several && i < shared->array_count; i++)
        if (is_first(shared, i))
            status = add_text(list, text_of_array(shared, i, one_kernel), err);
    if (status == PM_OK && tile > 2)
        status = add_tile(list, tile / 2, err);
    if (status == PM_OK && tile > 0)
        status = add_tile(list, tile * 2, err);
    return status;
}

/* If nothing of the base can be staged, that is a notice and no error. */
static pm_status add_staged(pm_advising *a, texts *list, pm_error *err)
{
    pm_workload *base = pm_program_build(a->program, a->advice->base, a->size,
                                         pm_session_chosen(a->session)->seed, a->session, err);
    pm_error why = {0};
    pm_staged shared;
    pm_status status;

    if (!base)
        return err->status;
    status = pm_stage_workload(base, "shared", a->session, &shared, &why);
    if (status == PM_OK)
        status = add_variations(base, &shared, list, err);
    else if (status == PM_BAD_INPUT)
        pm_notice(pm_session_log(a->session), "shared: left out: %s", why.text);
    else
        pm_fail(err, status, "%s", why.text);
    pm_staged_free(&shared);
    pm_workload_free(base);
    return status == PM_BAD_INPUT ? PM_OK : status;
}

/* ---- all of them ---------------------------------------------------------------------------- */

/* Those that the program has beside its base, where they are no layouts. */
static bool lists_versions(const pm_program *program)
{
    return !program->info.layouts || program->build_own;
}

static pm_status add_listed(const pm_advising *a, texts *list, pm_error *err)
{
    const pm_program_info *info = &a->program->info;
    pm_status status = PM_OK;

    for (const char *const *v = info->variants; status == PM_OK && lists_versions(a->program) && *v;
         v++)
        if (strcmp(*v, info->base) != 0)
            status = add_text(list, strdup(*v), err);
    return status;
}

/* The choices are ranked by now where there are layouts. */
static pm_status add_layouts(const pm_advising *a, texts *list, pm_error *err)
{
    const pm_advice *advice = a->advice;
    pm_status status = PM_OK;
    size_t count = 0;

    for (size_t c = 0; status == PM_OK && c < advice->n && count < LAYOUTS; c++) {
        char *text;

        if (strcmp(advice->choices[c].variant, advice->base) == 0)
            continue;
        if (asprintf(&text, "%s;shared", advice->choices[c].variant) < 0)
            text = NULL;
        status = add_text(list, text, err);
        count++;
    }
    return status;
}

pm_status pm_advise_staged(pm_advising *a, pm_error *err)
{
    texts list = {0};
    pm_status status = add_listed(a, &list, err);

    if (status == PM_OK)
        status = add_staged(a, &list, err);
    if (status == PM_OK)
        status = add_layouts(a, &list, err);
    if (status == PM_OK)
        a->expected = a->advice->n + list.count;
    for (size_t i = 0; status == PM_OK && i < list.count; i++) {
        bool added;

        status = pm_advise_trace(a, list.items[i], &added, err);
    }
    free_texts(&list);
    return status;
}
