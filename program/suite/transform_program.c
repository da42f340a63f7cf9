/* Transforms a program of the suite or of a workload: changes its layout, or stages arrays in local
 * memory. See include/perfmodel/transform.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/session/session.h"
#include "base/version.h"
#include "collector/worker/source.h"
#include "compiler/language.h"
#include "program/suite/suite.h"
#include "transform/rewrite/staging.h"

/* State of rewriting a program in one size: for another data layout, or with arrays staged in local
 * memory. */
typedef struct {
    pm_session *session;
    const pm_program *program;
    const char *size;
    pm_transform_options options;
    /* base: workload of the base variant. made: the same workload, rewritten for the new data
     * layouts but without staging. NULL: not needed, or not built yet. */
    pm_workload *base, *made;
} transforming;

static pm_status write_out(const transforming *t, pm_workload *workload, pm_error *err)
{
    return pm_workload_instances(workload, false, pm_session_worker(t->session),
                                 pm_session_log(t->session), err);
}

/* Builds t->made, the workload in the new data layouts, if it is needed. Staging needs it for its
 * launches. Layouts that differ between kernels ('@') need it for its source, which has the kernels
 * that convert between layouts. */
static pm_status make(transforming *t, pm_error *err)
{
    const char *base = t->program->info.base, *share;
    char *layouts;
    bool needed;

    if (pm_stage_split(t->options.layouts, &layouts, &share, err) != PM_OK)
        return err->status;
    needed = share || strchr(layouts, '@');
    if (needed)
        t->made = pm_program_build(t->program, strcmp(layouts, "aos") == 0 ? base : layouts,
                                   t->size, 1, t->session, err);
    free(layouts);
    if (needed && !t->made)
        return err->status;
    return needed ? write_out(t, t->made, err) : PM_OK;
}

static pm_status change(transforming *t, pm_transformed *out, pm_error *err)
{
    pm_status status;

    t->base = pm_suite_make(t->program, t->program->info.base, t->size, 1, t->session, err);
    if (!t->base)
        return err->status;
    status = write_out(t, t->base, err);
    if (status == PM_OK)
        status = make(t, err);
    if (status != PM_OK)
        return status;
    t->options.build_options = t->base->build_options;
    return pm_transform_source_text(t->session, t->base->source, t->base->source_path, &t->options,
                                    t->made, out, err);
}

static pm_status transform(pm_session *session, const pm_program *program, const char *size,
                           const pm_transform_options *options, pm_transformed *out, pm_error *err)
{
    transforming t = {.session = session, .program = program, .size = size, .options = *options};
    pm_status status = change(&t, out, err);

    pm_workload_free(t.made);
    pm_workload_free(t.base);
    return status;
}

pm_status pm_transform_program(pm_session *session, const char *program,
                               const pm_transform_options *options, pm_transformed *out,
                               pm_error *err)
{
    const char *const programs[] = {program, NULL}, *const sizes[] = {options->size, NULL};
    const pm_program *found;
    const pm_programs *suite;
    pm_error ignored = {0};

    *out = (pm_transformed){0};
    err = err ? err : &ignored;
    if (PM_UNUSED(options, err) != PM_OK)
        return PM_BAD_INPUT;
    suite = pm_programs_find(session, NULL, NULL, NULL, err);
    if (!suite || pm_names_check(suite, programs, NULL, options->size ? sizes : NULL, err) != PM_OK)
        return err->status;
    found = pm_suite_find(program);
    if (!found->info.base)
        return pm_fail(err, PM_BAD_INPUT, "%s measures the device and is not transformed", program);
    return transform(session, found, options->size ? options->size : found->info.sizes[0], options,
                     out, err);
}

/* ---- workloads ------------------------------------------------------------------------------ */

/* Writes the source of a variant that the program lists, and that a person wrote, to *out. */
static pm_status take_version(pm_session *session, const pm_program *program, const char *variant,
                              const char *size, pm_transformed *out, pm_error *err)
{
    pm_workload *workload = pm_suite_make(program, variant, size, 1, session, err);
    pm_memory memory = {0};

    if (!workload)
        return err->status;
    out->source = pm_try_take(&memory, strlen(workload->source) + 1, 1);
    if (out->source)
        strcpy(out->source, workload->source);
    out->is_cuda = pm_language_of(workload->source_path) == PM_LANGUAGE_CUDA;
    out->memory = memory.blocks;
    pm_workload_free(workload);
    return out->source ? PM_OK : pm_fail(err, PM_FAILED, "%s: out of memory", program->info.name);
}

static const char *largest(const pm_program_info *info)
{
    const char *const *size = info->sizes;

    while (size[1])
        size++;
    return *size;
}

pm_status pm_transform_workload(pm_session *session, const char *workload,
                                const pm_transform_options *options, pm_transformed *out,
                                pm_error *err)
{
    const pm_program *found;
    const char *size;
    pm_error ignored = {0};

    *out = (pm_transformed){0};
    err = err ? err : &ignored;
    if (PM_UNUSED(options, err) != PM_OK)
        return PM_BAD_INPUT;
    found = pm_program_choose(session, NULL, workload, NULL, options->size, true, err);
    if (!found)
        return err->status;
    size = options->size ? options->size : largest(&found->info);
    if (pm_listed(found->info.variants, options->layouts))
        return take_version(session, found, options->layouts, size, out, err);
    return transform(session, found, size, options, out, err);
}
