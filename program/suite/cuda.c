/* The CUDA versions of the suite's programs: those with a .cu file next to the .cl file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A CUDA version has the sizes, inputs, expected results and data layouts of its OpenCL program.
 * Its other variants are the hand-written CUDA versions in the table below. As for OpenCL programs,
 * its base variant can be rewritten for other layouts and for arrays in shared memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "program/suite/cuda.h"

pm_workload *pm_cuda_suite_make(pm_workload *w, pm_error *err)
{
    static const char standard[] = "-cl-std=CL1.2";
    char *path = NULL, *name = NULL;
    const char *options = w->build_options;

    if (strncmp(options, standard, sizeof standard - 1) == 0)
        options += sizeof standard - 1 + (options[sizeof standard - 1] == ' ');
    if (asprintf(&path, "%.*s.cu", (int)(strlen(w->source_path) - strlen(".cl")), w->source_path) <
        0)
        path = NULL;
    if (asprintf(&name, "%s_cuda", w->program) < 0)
        name = NULL;
    if (path && name) {
        char *own = strdup(options);

        free(w->program);
        w->program = name;
        name = NULL;
        pm_workload_source_file(w, path);
        pm_workload_options(w, "%s", own ? own : "");
        free(own);
    } else {
        pm_fail(&w->error, PM_FAILED, "%s: out of memory", w->program);
    }
    free(path);
    free(name);
    return pm_workload_finish(w, err);
}

#define CUDA(of, ...)                                                                              \
    {                                                                                              \
        .name = #of "_cuda", .program = #of, .variants = PM_NAMES(__VA_ARGS__)                     \
    }

static const struct {
    const char *name, *program;
    const char *const *variants;
} rows[] = {
    CUDA(matmul_tiled, "local", "nolocal"),
    CUDA(dct8x8, "local"),
    CUDA(haar1d, "local"),
    CUDA(nbody, "local", "nolocal"),
    CUDA(fdtd3d, "local"),
    CUDA(sobel3x3, "nolocal"),
    CUDA(binomial, "local"),
    CUDA(matmul, "local", "nolocal"),
    CUDA(inverse, "local", "nolocal"),
    CUDA(sph, "aos"),
    CUDA(idw, "aos"),
    CUDA(cfd, "aos"),
    CUDA(particlefilter, "aos"),
    CUDA(copy, "float", "float2", "float4", "float8", "float16"),
};

size_t pm_cuda_suite_count(void)
{
    return sizeof rows / sizeof *rows;
}

bool pm_cuda_suite_program(size_t i, pm_program *program)
{
    const pm_program *of = pm_suite_find(rows[i].program);

    if (!of)
        return false;
    *program = *of;
    program->info.name = rows[i].name;
    /* A program with data layouts has the same variants in CUDA and in OpenCL, because that list
     * names the layouts. */
    if (!of->layouts)
        program->info.variants = rows[i].variants;
    if (of->info.base && !pm_listed(rows[i].variants, of->info.base))
        program->info.base = NULL; /* there is no CUDA source of the base variant */
    program->file = NULL;
    program->twin = of;
    return true;
}
