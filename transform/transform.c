/* A workload in other layouts, and with arrays in local memory. See transform.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/transform.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "session/session.h"
#include "transform/parts.h"
#include "transform/staging.h"
#include "worker/session_worker.h"

static void free_transform(void *context)
{
    pm_transform *t = context;

    if (!t)
        return;
    for (size_t c = 0; c < t->conversion_count; c++)
        free(t->conversions[c].name);
    for (size_t b = 0; b < t->array_count; b++)
        free(t->arrays[b].versions);
    for (size_t g = 0; g < t->group_count; g++) {
        free(t->groups[g].plans);
        pm_rewritten_free(&t->groups[g].rewritten);
    }
    for (size_t s = 0; t->plans && s < t->structs.count; s++) {
        for (size_t p = 0; p < t->plans[s].count; p++)
            pm_plan_free(t->plans[s].items[p]);
        free(t->plans[s].items);
    }
    free(t->conversions);
    free(t->arrays);
    free(t->groups);
    free(t->group_of);
    free(t->plans);
    pm_structs_free(&t->structs);
    pm_source_close(t->source);
    pm_workload_free(t->original);
    free(t);
}

/* ---- the check ---------------------------------------------------------------------------- */

/* A buffer as it was before the first launch: padding that nothing writes must look the same. */
static void *initial_copy(const pm_buffer *buffer)
{
    void *copy = malloc(buffer->bytes);

    if (copy && buffer->initial)
        memcpy(copy, buffer->initial, buffer->bytes);
    else if (copy)
        memset(copy, buffer->flags & PM_BUFFER_POISON ? 0xff : 0, buffer->bytes);
    return copy;
}

/* The array of structs that an output's parts make; NULL: out of memory. */
static void *unpack(const pm_transform *t, size_t b, const void *const *outputs)
{
    const pm_array *array = &t->arrays[b];
    void *structs = initial_copy(&t->original->buffers[b]);

    if (structs)
        pm_plan_unpack(t->plans[array->structure].items[array->newest], structs, array->count,
                       outputs + array->versions[array->newest].first);
    return structs;
}

/* The original's check, on outputs as its kernels would have left them. */
static pm_status check_original(const pm_workload *workload, const void *const *outputs,
                                pm_error *err)
{
    const pm_transform *t = workload->check_context;
    const pm_workload *original = t->original;
    const void **seen = calloc(original->buffer_count + 1, sizeof *seen);
    void **unpacked = calloc(original->buffer_count + 1, sizeof *unpacked);
    pm_status status = PM_OK;

    if (!seen || !unpacked)
        status = pm_fail(err, PM_FAILED, "out of memory for a check");
    for (size_t b = 0; status == PM_OK && b < original->buffer_count; b++) {
        if (!(original->buffers[b].flags & PM_BUFFER_OUTPUT))
            continue;
        if (pm_array_is_shared(t, &t->arrays[b])) {
            seen[b] = outputs[t->arrays[b].shared];
            continue;
        }
        seen[b] = unpacked[b] = unpack(t, b, outputs);
        if (!unpacked[b])
            status = pm_fail(err, PM_FAILED, "out of memory for unpacking buffer %s",
                             original->buffers[b].name);
    }
    if (status == PM_OK)
        status = original->check(original, seen, err);
    for (size_t b = 0; unpacked && b < original->buffer_count; b++)
        free(unpacked[b]);
    free(unpacked);
    free(seen);
    return status;
}

/* ---- the workload ------------------------------------------------------------------------- */

static char *copy_text(const char *text, pm_workload *workload)
{
    char *copy = text ? strdup(text) : NULL;

    if (text && !copy && workload->error.status == PM_OK)
        pm_fail(&workload->error, PM_FAILED, "%s: out of memory", workload->program);
    return copy;
}

/* Fills a workload that is still empty. */
static pm_status build(pm_transform *t, pm_workload *workload, pm_session *session, pm_error *err)
{
    const pm_workload *original = t->original;
    pm_status status;

    pm_transform_buffers(t, workload);
    status = pm_transform_launches(t, workload, err);
    if (status != PM_OK)
        return status;
    workload->source = pm_transform_text(t, session, err);
    if (!workload->source)
        return err->status;
    workload->source_path = copy_text(original->source_path, workload);
    workload->origin = copy_text(original->origin, workload);
    free(workload->build_options);
    workload->build_options = copy_text(original->build_options, workload);
    workload->work = original->work;
    return PM_OK;
}

/* Reads the source and finds out what becomes of what. */
static pm_status analyse(pm_transform *t, const char *layouts, pm_session *session, pm_error *err)
{
    const pm_workload *original = t->original;
    pm_status status;

    t->source = pm_source_open(original->source, t->path, original->build_options,
                               pm_session_worker(session), pm_session_log(session), err);
    if (!t->source)
        return err->status;
    t->info = pm_source_describe(t->source);
    if (t->info->structs.count == 0)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s: no kernel takes an array of structs, so there is no layout to change",
                       t->path);
    status = pm_structs_copy(&t->info->structs, &t->structs, err);
    if (status == PM_OK)
        status = pm_transform_groups(t, layouts, err);
    if (status == PM_OK && !pm_transform_is_identity(t))
        status = pm_transform_arrays(t, err);
    return status;
}

/* The workload under its new name; freed on failure. */
static pm_workload *rename_workload(pm_workload *workload, const char *text, pm_error *err)
{
    char *variant = strdup(text);

    if (!variant) {
        pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);
        pm_workload_free(workload);
        return NULL;
    }
    free(workload->variant);
    workload->variant = variant;
    return workload;
}

/* The original itself, under its new name; t is freed. */
static pm_workload *rename_original(pm_transform *t, const char *layouts, pm_error *err)
{
    pm_workload *original = t->original;

    t->original = NULL;
    free_transform(t);
    return rename_workload(original, layouts, err);
}

/* t belongs to the new workload, or is freed. */
static pm_workload *finish(pm_transform *t, const char *layouts, pm_session *session, pm_error *err)
{
    const pm_workload *original = t->original;
    pm_workload *workload = pm_workload_create(original->program, layouts, original->size);

    if (!workload) {
        pm_fail(err, PM_FAILED, "%s: out of memory", original->program);
        free_transform(t);
        return NULL;
    }
    pm_workload_check(workload, original->check ? check_original : NULL, t, free_transform);
    if (build(t, workload, session, err) != PM_OK) {
        pm_workload_free(workload);
        return NULL;
    }
    pm_source_close(t->source); /* which is large, and the check needs it no more */
    t->source = NULL;
    t->info = NULL;
    return pm_workload_finish(workload, err);
}

/* Without staging. Takes ownership of workload. */
static pm_workload *change_layouts(pm_workload *workload, const char *layouts, pm_session *session,
                                   pm_error *err)
{
    pm_transform *t = calloc(1, sizeof *t);

    if (!t) {
        pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);
        pm_workload_free(workload);
        return NULL;
    }
    t->original = workload;
    t->path = workload->source_path ? workload->source_path : workload->program;
    if (strcmp(layouts, "aos") == 0) /* whatever its source is */
        return rename_original(t, layouts, err);
    if (analyse(t, layouts, session, err) != PM_OK) {
        free_transform(t);
        return NULL;
    }
    if (pm_transform_is_identity(t))
        return rename_original(t, layouts, err);
    return finish(t, layouts, session, err);
}

pm_workload *pm_layout_transform(pm_workload *workload, const char *text, pm_session *session,
                                 pm_error *err)
{
    char *layouts, *share;
    pm_error unread = {0};

    err = err ? err : &unread;
    if (pm_stage_split(text, &layouts, &share, err) != PM_OK) {
        pm_workload_free(workload);
        return NULL;
    }
    workload = change_layouts(workload, layouts, session, err);
    if (workload && share && pm_transform_share(workload, share, session, err) != PM_OK) {
        pm_workload_free(workload);
        workload = NULL;
    }
    if (workload && share)
        workload = rename_workload(workload, text, err);
    free(layouts);
    free(share);
    return workload;
}
