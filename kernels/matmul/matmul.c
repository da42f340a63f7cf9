/* Matrix product as one writes it first: one work-item an element, one loop, matrices of any size.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "kernels/matmul_reference.h"

enum { TILE = 16 };

static pm_workload *build(const char *variant, const char *size, uint64_t seed, pm_error *err)
{
    const size_t n = pm_size_value(size), covered = (n + TILE - 1) / TILE * TILE;
    pm_workload *workload = pm_program_workload("matmul", variant, size, err);

    if (!workload)
        return NULL;
    pm_workload_options(workload, "-cl-std=CL1.2 -DTILE=%d", TILE);
    pm_matmul_buffers(workload, n, seed);
    pm_workload_launch(workload, "matmul", 2, (size_t[]){covered, covered}, (size_t[]){TILE, TILE});
    for (size_t i = 0; i < 3; i++)
        pm_workload_arg_buffer(workload, i);
    pm_workload_arg_int(workload, (int32_t)n);
    return pm_workload_finish(workload, err);
}

static const char *const variants[] = {"local", "nolocal", NULL};
static const char *const sizes[] = {"256", "512", "777", "1024", "2048", "4096", NULL};

const pm_program pm_program_matmul = {
    .info = {.name = "matmul",
             .title = "matrix product, one plain loop, any size",
             .base = "nolocal",
             .variants = variants,
             .sizes = sizes},
    .build = build,
};
