/* A program of the suite in another layout, or with arrays staged in local memory. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "suite/suite.h"
#include "transform/staging.h"

/* The launches as the layouts leave them. */
static pm_status find_launches(const pm_program *program, const pm_transform_options *options,
                               pm_workload **workload, pm_stage_launches *launches, pm_error *err)
{
    const char *share;
    char *layouts;

    if (pm_stage_split(options->layouts, &layouts, &share, err) != PM_OK)
        return err->status;
    if (share)
        *workload =
            pm_program_build(program, strcmp(layouts, "aos") == 0 ? program->info.base : layouts,
                             options->size ? options->size : program->info.sizes[0], 1, NULL, err);
    free(layouts);
    if (!share)
        return PM_OK;
    return *workload ? pm_stage_launches_of(*workload, launches, err) : err->status;
}

pm_status pm_transform_program(pm_session *session, const char *program,
                               const pm_transform_options *options, pm_transformed *out,
                               pm_error *err)
{
    const char *const programs[] = {program, NULL}, *const sizes[] = {options->size, NULL};
    pm_transform_options own = *options;
    pm_stage_launches launches = {.count = 0};
    pm_workload *base = NULL, *launched = NULL;
    const pm_program *found;
    const pm_programs *suite;
    pm_error ignored = {0};
    pm_status status;

    *out = (pm_transformed){0};
    err = err ? err : &ignored;
    suite = pm_programs_find(session, NULL, NULL, NULL, err);
    if (!suite || pm_names_check(suite, programs, NULL, options->size ? sizes : NULL, err) != PM_OK)
        return err->status;
    found = pm_suite_find(program);
    if (!found->info.base)
        return pm_fail(err, PM_BAD_INPUT, "%s measures the device and is not transformed", program);
    base = pm_program_make(found, found->info.base,
                           options->size ? options->size : found->info.sizes[0], 1, err);
    if (!base)
        return err->status;
    status = find_launches(found, options, &launched, &launches, err);
    if (status == PM_OK) {
        own.build_options = base->build_options;
        status = pm_transform_source_text(session, base->source, base->source_path, &own, &launches,
                                          out, err);
    }
    pm_memory_free(&launches.memory);
    pm_workload_free(launched);
    pm_workload_free(base);
    return status;
}
