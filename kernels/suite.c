/* The programs of the suite, in the order in which they are listed and collected.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "collector/workload.h"
#include "layout/layout.h"
#include "layout/transform.h"

extern const pm_program pm_program_matmul_tiled;
extern const pm_program pm_program_matmul_float4;
extern const pm_program pm_program_dct8x8;
extern const pm_program pm_program_haar1d;
extern const pm_program pm_program_nbody;
extern const pm_program pm_program_fdtd3d;
extern const pm_program pm_program_median3x3;
extern const pm_program pm_program_sobel3x3;
extern const pm_program pm_program_binomial;
extern const pm_program pm_program_aes128;
extern const pm_program pm_program_matmul;
extern const pm_program pm_program_inverse;
extern const pm_program pm_program_sph;
extern const pm_program pm_program_idw;
extern const pm_program pm_program_copy;
extern const pm_program pm_program_cfd;
extern const pm_program pm_program_particlefilter;

static const pm_program *const programs[] = {
    &pm_program_matmul_tiled, &pm_program_matmul_float4,
    &pm_program_dct8x8,       &pm_program_haar1d,
    &pm_program_nbody,        &pm_program_fdtd3d,
    &pm_program_median3x3,    &pm_program_sobel3x3,
    &pm_program_binomial,     &pm_program_aes128,
    &pm_program_matmul,       &pm_program_inverse,
    &pm_program_sph,          &pm_program_idw,
    &pm_program_cfd,          &pm_program_particlefilter,
    &pm_program_copy,
};

size_t pm_program_count(void)
{
    return sizeof programs / sizeof programs[0];
}

const pm_program *pm_suite_program(size_t i)
{
    return i < pm_program_count() ? programs[i] : NULL;
}

const pm_program_info *pm_program_at(size_t i)
{
    return i < pm_program_count() ? &programs[i]->info : NULL;
}

const pm_program *pm_suite_find(const char *name)
{
    for (size_t i = 0; i < pm_program_count(); i++)
        if (strcmp(programs[i]->info.name, name) == 0)
            return programs[i];
    return NULL;
}

/* ---- variants ------------------------------------------------------------------------------ */

static bool is_listed(const pm_program_info *info, const char *variant)
{
    for (const char *const *v = info->variants; *v; v++)
        if (strcmp(*v, variant) == 0)
            return true;
    return false;
}

bool pm_program_has_variant(const pm_program_info *info, const char *variant)
{
    return is_listed(info, variant) || (info->layouts && pm_layouts_is_text(variant));
}

/* The layouts that a variant of that name stands for; NULL: it is the source as it is. */
static const char *layouts_of(const pm_program *program, const char *variant)
{
    bool first = strcmp(variant, program->info.variants[0]) == 0;

    for (const pm_named_layout *named = program->layouts; named && named->variant; named++)
        if (strcmp(named->variant, variant) == 0)
            return named->layouts;
    return program->info.layouts && !first ? variant : NULL;
}

pm_workload *pm_program_build(const pm_program *program, const char *variant, const char *size,
                              uint64_t seed, const pm_log *log, pm_error *err)
{
    const char *layouts = layouts_of(program, variant);
    pm_workload *workload;
    char *name;

    if (!layouts)
        return program->build(variant, size, seed, err);
    workload = program->build(program->info.variants[0], size, seed, err);
    if (workload)
        workload = pm_layout_transform(workload, layouts, log, err);
    if (!workload)
        return NULL;
    name = strdup(variant);
    if (!name) {
        pm_workload_free(workload);
        pm_fail(err, PM_FAILED, "%s %s: out of memory", program->info.name, variant);
        return NULL;
    }
    free(workload->variant);
    workload->variant = name;
    return workload;
}
