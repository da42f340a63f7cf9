/* Matrix product as one writes it first: one work-item an element, one loop, matrices of any size.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "kernels/matmul/matmul_reference.h"
#include "program/program.h"

enum { TILE = 16 };

static void build(pm_workload *workload, uint64_t seed)
{
    const size_t n = pm_size_value(workload->size), covered = (n + TILE - 1) / TILE * TILE;

    pm_workload_options(workload, "-cl-std=CL1.2 -DTILE=%d", TILE);
    pm_matmul_buffers(workload, n, seed);
    pm_workload_launch(workload, "matmul", 2, (size_t[]){covered, covered}, (size_t[]){TILE, TILE});
    for (size_t i = 0; i < 3; i++)
        pm_workload_arg_buffer(workload, i);
    pm_workload_arg_int(workload, (int32_t)n);
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
