/* Transforms a workload: gives its arrays of structs other memory layouts, and stages arrays in
 * local memory. See transform.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/rewrite/transform.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/session/session.h"
#include "compiler/language.h"
#include "transform/rewrite/parts.h"
#include "transform/rewrite/staging.h"

static void free_transform(void *context)
{
    pm_transform *t = context;

    for (size_t g = 0; g < t->group_count; g++)
        pm_memory_free(&t->groups[g].rewritten.memory);
    pm_source_close(t->source);
    pm_source_close(t->other);
    pm_workload_free(t->original);
    pm_memory_free(&t->memory);
    free(t);
}

/* ---- check of the outputs ----------------------------------------------------------------- */

/* Returns a copy of a buffer's initial contents. An output is converted into this copy, so that
 * padding bytes, which conversion does not write, are the same as in a run of the original
 * workload. */
static void *initial_copy(const pm_buffer *buffer)
{
    void *copy = malloc(buffer->bytes);

    if (copy && buffer->initial)
        memcpy(copy, buffer->initial, buffer->bytes);
    else if (copy)
        memset(copy, buffer->flags & PM_BUFFER_POISON ? 0xff : 0, buffer->bytes);
    return copy;
}

/* Converts an output array from the buffers of its layout to structs as the source declares them.
 * Returns NULL if memory runs out. */
static void *unpack(const pm_transform *t, size_t b, const void *const *outputs)
{
    const pm_array *array = &t->arrays[b];
    void *structs = initial_copy(&t->original->buffers[b]);

    if (structs)
        pm_plan_unpack(t->plans[array->structure].items[array->newest], structs, array->count,
                       outputs + array->versions[array->newest].first);
    return structs;
}

/* Runs the original workload's check of results, after converting the outputs to the original
 * layout. */
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

static char *copy_text(const pm_transform *t, const char *text)
{
    char *copy = text ? strdup(text) : NULL;

    if (text && !copy)
        pm_leave(&t->memory, PM_FAILED, "%s: out of memory", t->original->program);
    return copy;
}

/* Parses the source, computes the positions of the fields in the new layouts, and creates the new
 * workload. */
static void transform(void *user)
{
    pm_transform *t = user;
    const pm_workload *original = t->original;

    t->source =
        pm_source_open(original->source, t->path, original->build_options,
                       pm_session_worker(t->session), pm_session_log(t->session), t->memory.err);
    if (!t->source)
        pm_give_up(&t->memory, t->memory.err->status);
    t->info = pm_source_describe(t->source);
    if (t->info->structs.count == 0 && t->info->left)
        pm_leave(&t->memory, PM_BAD_INPUT, "%s", t->info->left);
    if (t->info->structs.count == 0)
        pm_leave(&t->memory, PM_BAD_INPUT,
                 "%s: no kernel takes an array of structs, so there is no layout to change",
                 t->path);
    t->structs = pm_structs_copy(&t->memory, &t->info->structs);
    pm_transform_groups(t);
    if (pm_transform_is_identity(t))
        return;
    pm_transform_arrays(t);
    t->workload = pm_workload_create(original->program, t->layouts, original->size);
    if (!t->workload)
        pm_leave(&t->memory, PM_FAILED, "%s: out of memory", original->program);
    pm_transform_buffers(t);
    pm_transform_launches(t);
    t->workload->source = pm_transform_text(t);
    t->workload->source_path = copy_text(t, original->source_path);
    t->workload->origin = copy_text(t, original->origin);
    t->workload->salt = original->salt;
    t->workload->check_files = original->check_files;
    free(t->workload->build_options);
    t->workload->build_options = NULL;
    t->workload->build_options = copy_text(t, original->build_options);
    t->workload->work = original->work;
}

/* Applies the layouts of a variant to a workload and returns the new workload. Takes ownership of
 * `workload`. */
static pm_workload *change_layouts(pm_workload *workload, const char *layouts, pm_session *session,
                                   pm_error *err)
{
    pm_transform *t;
    pm_status status;

    if (strcmp(layouts, "aos") == 0) /* no layout changes, so the source need not be parsed */
        return pm_workload_rename(workload, layouts, err);
    t = calloc(1, sizeof *t);
    if (!t) {
        pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);
        pm_workload_free(workload);
        return NULL;
    }
    *t = (pm_transform){.session = session, .layouts = layouts, .original = workload};
    t->path = workload->source_path ? workload->source_path : workload->program;
    t->words = pm_kernel_words_of(pm_language_of(t->path) == PM_LANGUAGE_CUDA);
    status = pm_attempt(&t->memory, transform, t, err);
    if (status == PM_OK && t->workload) {
        /* free libclang's memory now, because neither running the workload nor checking its results
         * needs the parsed source */
        pm_source_close(t->source);
        t->source = NULL;
        pm_workload_check(t->workload, workload->check ? check_original : NULL, t, free_transform);
        t->workload->original = workload;
        return pm_workload_finish(t->workload, err);
    }
    if (status == PM_OK)
        /* the original workload is returned to the caller, so it must not be freed here */
        t->original = NULL;
    pm_workload_free(t->workload);
    free_transform(t);
    return status == PM_OK ? pm_workload_rename(workload, layouts, err) : NULL;
}

/* Replaces template instances by functions, and C++ references to array elements by the elements,
 * in the workload's source (pm_workload_instances). pointers: true if reference parameters become
 * pointers, too. If it fails, frees the workload and returns NULL. */
static pm_workload *write_out(pm_workload *workload, bool pointers, pm_session *session,
                              pm_error *err)
{
    if (pm_workload_instances(workload, pointers, pm_session_worker(session),
                              pm_session_log(session), err) == PM_OK)
        return workload;
    pm_workload_free(workload);
    return NULL;
}

pm_workload *pm_layout_transform(pm_workload *workload, const char *text, pm_session *session,
                                 pm_error *err)
{
    const char *share;
    char *layouts;
    pm_error unread = {0};

    err = err ? err : &unread;
    if (pm_stage_split(text, &layouts, &share, err) != PM_OK) {
        pm_workload_free(workload);
        return NULL;
    }
    if (strcmp(layouts, "aos") != 0)
        workload = write_out(workload, true, session, err);
    if (workload)
        workload = change_layouts(workload, layouts, session, err);
    if (workload && share)
        workload = write_out(workload, false, session, err);
    if (workload && share && pm_transform_share(workload, share, session, err) != PM_OK) {
        pm_workload_free(workload);
        workload = NULL;
    }
    if (workload && share)
        workload = pm_workload_rename(workload, text, err);
    free(layouts);
    return workload;
}
