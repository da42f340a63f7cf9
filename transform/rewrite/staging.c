/* Changes a workload's kernels so that they copy arrays to local memory and read them there
 * (staging). See staging.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/rewrite/staging.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/session/session.h"
#include "collector/worker/source.h"

enum { RECENT = 16 };

/* ---- launches ------------------------------------------------------------------------------- */

/* Returns the description of an argument that is passed by value. Its 4 or 8 bytes are read as an
 * integer. The value is meaningful only if the parameter has an integer type, which is found out
 * later from the source. */
static pm_stage_arg value_arg(const pm_arg *arg)
{
    pm_stage_arg seen = {.buffer = SIZE_MAX};
    int32_t narrow;
    int64_t wide;

    if (arg->bytes == sizeof narrow) {
        memcpy(&narrow, pm_arg_value(arg), sizeof narrow);
        seen.value = narrow;
    } else if (arg->bytes == sizeof wide) {
        memcpy(&wide, pm_arg_value(arg), sizeof wide);
        seen.value = wide;
    }
    seen.is_integer = arg->bytes == sizeof narrow || arg->bytes == sizeof wide;
    return seen;
}

static pm_stage_arg arg_of(const pm_workload *workload, const pm_arg *arg)
{
    const pm_buffer *buffer;

    if (arg->kind == PM_ARG_VALUE)
        return value_arg(arg);
    if (arg->kind != PM_ARG_BUFFER)
        return (pm_stage_arg){.buffer = SIZE_MAX};
    buffer = &workload->buffers[arg->buffer];
    return (pm_stage_arg){.buffer = arg->buffer,
                          .buffer_bytes = buffer->bytes - arg->offset,
                          .scratch = buffer->flags & PM_BUFFER_SCRATCH};
}

/* Returns true if two launches are equal in all properties that staging uses. */
static bool is_like(const pm_launch *a, const pm_launch *b)
{
    if (strcmp(a->kernel, b->kernel) != 0 || a->dimensions != b->dimensions ||
        memcmp(a->global, b->global, sizeof a->global) != 0 ||
        memcmp(a->local, b->local, sizeof a->local) != 0 ||
        memcmp(a->offset, b->offset, sizeof a->offset) != 0 || a->shared != b->shared ||
        a->arg_count != b->arg_count)
        return false;
    for (size_t i = 0; i < a->arg_count; i++) {
        const pm_arg *x = &a->args[i], *y = &b->args[i];

        if (x->kind != y->kind || x->bytes != y->bytes ||
            (x->kind == PM_ARG_BUFFER && (x->buffer != y->buffer || x->offset != y->offset)) ||
            (x->kind == PM_ARG_VALUE && memcmp(pm_arg_value(x), pm_arg_value(y), x->bytes) != 0))
            return false;
    }
    return true;
}

/* Returns true if one of the RECENT launches before this one is equal to it, so that it need not be
 * analysed. If a program alternates buffers, launches repeat after a few. A longer search would
 * cost more than analysing a duplicate. */
static bool is_repeated(const pm_workload *workload, size_t launch)
{
    for (size_t l = launch > RECENT ? launch - RECENT : 0; l < launch; l++)
        if (is_like(&workload->launches[l], &workload->launches[launch]))
            return true;
    return false;
}

typedef struct {
    const pm_workload *workload;
    pm_stage_launches *launches;
} listing;

static void list_launches(void *user)
{
    const listing *l = user;
    pm_memory *memory = &l->launches->memory;

    for (size_t i = 0; i < l->workload->launch_count; i++) {
        const pm_launch *launch = &l->workload->launches[i];
        pm_stage_launch *seen;
        pm_stage_arg *args;

        if (is_repeated(l->workload, i))
            continue;
        args = pm_take(memory, launch->arg_count, sizeof *args);
        for (size_t a = 0; a < launch->arg_count; a++)
            args[a] = arg_of(l->workload, &launch->args[a]);
        seen = pm_add(memory, l->launches->items, l->launches->count);
        *seen = (pm_stage_launch){.kernel = launch->kernel,
                                  .dimensions = launch->dimensions,
                                  .shared = launch->shared,
                                  .arg_count = launch->arg_count,
                                  .args = args};
        memcpy(seen->global, launch->global, sizeof seen->global);
        memcpy(seen->local, launch->local, sizeof seen->local);
        memcpy(seen->offset, launch->offset, sizeof seen->offset);
    }
}

pm_status pm_stage_launches_of(const pm_workload *workload, pm_stage_launches *launches,
                               pm_error *err)
{
    *launches = (pm_stage_launches){.count = 0};
    return pm_attempt(&launches->memory, list_launches, &(listing){workload, launches}, err);
}

/* ---- staging of a workload ------------------------------------------------------------------ */

pm_status pm_stage_workload(const pm_workload *workload, const char *text, pm_session *session,
                            pm_staged *shared, pm_error *err)
{
    const char *path = workload->source_path ? workload->source_path : workload->program;
    pm_stage_launches launches = {.count = 0};
    pm_source *source = pm_source_open(workload->source, path, workload->build_options,
                                       pm_session_worker(session), pm_session_log(session), err);
    pm_status status = source ? pm_stage_launches_of(workload, &launches, err) : err->status;

    *shared = (pm_staged){.text = NULL};
    if (status == PM_OK) {
        const pm_stage_request request = {.text = text,
                                          .local_bytes = PM_STAGE_LOCAL_BYTES,
                                          .launch_count = launches.count,
                                          .launches = launches.items};

        status = pm_source_stage(source, &request, shared, err);
    }
    pm_memory_free(&launches.memory);
    pm_source_close(source);
    return status;
}

pm_status pm_transform_share(pm_workload *workload, const char *text, pm_session *session,
                             pm_error *err)
{
    pm_staged shared;
    pm_status status = pm_stage_workload(workload, text, session, &shared, err);

    if (status != PM_OK)
        return status;
    free(workload->source);
    workload->source = strdup(shared.text);
    pm_memory_free(&shared.memory);
    return workload->source ? PM_OK
                            : pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);
}
