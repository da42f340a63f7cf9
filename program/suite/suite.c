/* Determines how a program's variant is made (hand-written, or the base variant in another layout
 * or with arrays in local memory), and builds the variant's workload. See suite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/session/session.h"
#include "program/suite/suite.h"
#include "transform/layout/layout.h"
#include "transform/rewrite/transform.h"
#include "transform/staging/staging.h"

/* ---- variants ------------------------------------------------------------------------------ */

/* Returns whether the name of a variant requests staging of arrays in local memory, such as
 * "shared:a" or "soa;shared:a". A malformed name of this form counts, too, because the transform
 * then reports the error. */
static bool is_staged(const pm_program_info *info, const char *variant)
{
    const char *share;
    char *layouts;
    bool fits;

    if (!info->base || !pm_stage_is_text(variant))
        return false;
    fits = pm_stage_split(variant, &layouts, &share, NULL) != PM_OK ||
           strcmp(layouts, "aos") == 0 ||
           (info->layouts && (pm_listed(info->variants, layouts) || pm_layouts_is_text(layouts)));
    free(layouts);
    return fits;
}

/* Returns whether a variant is PM_RESTRICT_VARIANT: the base variant with `restrict` added to all
 * pointers. It is not if the program itself lists a variant with this name. */
static bool is_restrict(const pm_program_info *info, const char *variant)
{
    return info->base && strcmp(variant, PM_RESTRICT_VARIANT) == 0 &&
           !pm_listed(info->variants, variant);
}

bool pm_program_has_variant(const pm_program_info *info, const char *variant)
{
    return pm_listed(info->variants, variant) || is_restrict(info, variant) ||
           is_staged(info, variant) || (info->tuned && pm_version_is_text(variant)) ||
           (info->layouts && pm_layouts_is_text(variant));
}

const char *pm_program_layouts(const pm_program *program, const char *layouts)
{
    for (const pm_named_layout *named = program->layouts; named && named->variant; named++)
        if (strcmp(named->variant, layouts) == 0)
            return named->layouts;
    return layouts;
}

bool pm_program_is_transformed(const pm_program *program, const char *variant)
{
    const pm_program_info *info = &program->info;

    return info->base && strcmp(variant, info->base) != 0 && !pm_version_is_text(variant) &&
           (strcmp(pm_program_layouts(program, variant), variant) != 0 ||
            (info->layouts && pm_layouts_is_text(variant)) || !pm_listed(info->variants, variant));
}

/* Returns the text of the transform that makes a variant: its data layouts and its staging request.
 * A named variant is replaced by the text of its layout. The caller frees the result. NULL with err
 * set on failure. */
static char *transform_of(const pm_program *program, const char *variant, pm_error *err)
{
    char *layouts, *text = NULL;
    const char *share;

    if (pm_stage_split(variant, &layouts, &share, err) != PM_OK)
        return NULL;
    if (asprintf(&text, "%s%s%s", pm_program_layouts(program, layouts), share ? ";" : "",
                 share ? share : "") < 0) {
        pm_fail(err, PM_FAILED, "%s %s: out of memory", program->info.name, variant);
        text = NULL;
    }
    free(layouts);
    return text;
}

/* A function that builds the workload of a listed variant. */
typedef pm_workload *(*make_fn)(const pm_program *program, const char *variant, const char *size,
                                uint64_t seed, pm_session *session, pm_error *err);

/* Returns PM_BAD_INPUT if a launch passes one buffer for two parameters. The variant with
 * `restrict` on all pointers would then be wrong, because `restrict` promises that pointers do not
 * alias. */
static pm_status check_apart(const pm_workload *workload, pm_error *err)
{
    for (size_t l = 0; l < workload->launch_count; l++) {
        const pm_launch *launch = &workload->launches[l];

        for (size_t a = 0; a < launch->arg_count; a++)
            for (size_t b = 0; b < a; b++)
                if (launch->args[a].kind == PM_ARG_BUFFER &&
                    launch->args[b].kind == PM_ARG_BUFFER &&
                    launch->args[a].buffer == launch->args[b].buffer)
                    return pm_fail(err, PM_BAD_INPUT,
                                   "%s: a launch of kernel %s gives it buffer %s twice, which "
                                   "restrict rules out",
                                   workload->program, launch->kernel,
                                   workload->buffers[launch->args[a].buffer].name);
    }
    return PM_OK;
}

static pm_workload *build_restrict(const pm_program *program, make_fn make, const char *size,
                                   uint64_t seed, pm_session *session, pm_error *err)
{
    pm_workload *workload = make(program, program->info.base, size, seed, session, err);
    char *options = NULL;

    if (!workload)
        return NULL;
    if (check_apart(workload, err) == PM_OK &&
        asprintf(&options, "%s -restrict", workload->build_options ? workload->build_options : "") <
            0) {
        options = NULL;
        pm_fail(err, PM_FAILED, "%s: out of memory", program->info.name);
    }
    if (!options) {
        pm_workload_free(workload);
        return NULL;
    }
    free(workload->build_options);
    workload->build_options = options;
    return pm_workload_rename(workload, PM_RESTRICT_VARIANT, err);
}

static pm_workload *build(const pm_program *program, make_fn make, const char *variant,
                          const char *size, uint64_t seed, pm_session *session, pm_error *err)
{
    pm_workload *workload = NULL;
    char *text;

    if (is_restrict(&program->info, variant))
        return build_restrict(program, make, size, seed, session, err);
    if (!pm_program_is_transformed(program, variant))
        return make(program, variant, size, seed, session, err);
    text = transform_of(program, variant, err);
    if (text)
        workload = make(program, program->info.base, size, seed, session, err);
    if (workload)
        workload = pm_layout_transform(workload, text, session, err);
    free(text);
    return workload ? pm_workload_rename(workload, variant, err) : NULL;
}

/* Returns `workload`. If it is NULL, its build has failed, and err becomes "interrupted" if the
 * user has cancelled the work. */
static pm_workload *built(pm_workload *workload, const pm_session *session, pm_error *err)
{
    if (!workload)
        pm_session_end_step(session, PM_FAILED, err);
    return workload;
}

pm_workload *pm_program_build(const pm_program *program, const char *variant, const char *size,
                              uint64_t seed, pm_session *session, pm_error *err)
{
    return built(build(program, pm_suite_make, variant, size, seed, session, err), session, err);
}

static pm_workload *make_against(const pm_program *program, const char *variant, const char *size,
                                 uint64_t seed, pm_session *session, pm_error *err)
{
    return program->build_against
               ? program->build_against(program->context, variant, size, seed, err)
               : pm_suite_make(program, variant, size, seed, session, err);
}

pm_workload *pm_program_build_against(const pm_program *program, const char *variant,
                                      const char *size, uint64_t seed, pm_session *session,
                                      pm_error *err)
{
    return built(build(program, make_against, variant, size, seed, session, err), session, err);
}
