/* Matrix product, one work-item an element, in tiles of 16 x 16.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "kernels/matmul/matmul_reference.h"
#include "program/program.h"

enum { TILE = 16 };

static void build(pm_workload *workload, uint64_t seed)
{
    size_t n = pm_size_value(workload->size);

    pm_workload_options(workload, "-cl-std=CL1.2 -DTILE=%d", TILE);
    pm_matmul_buffers(workload, n, seed);
    pm_workload_launch(workload, "matmul_tiled", 2, (size_t[]){n, n}, (size_t[]){TILE, TILE});
    for (size_t i = 0; i < 3; i++)
        pm_workload_arg_buffer(workload, i);
    pm_workload_arg_int(workload, (int32_t)n);
}

static const char *const variants[] = {"local", "nolocal", NULL};
static const char *const sizes[] = {"512", "768", "1024", "1536", "2048", "4096", NULL};

const pm_program pm_program_matmul_tiled = {
    .info = {.name = "matmul_tiled",
             .title = "matrix product, tiles of 16 x 16",
             .base = "nolocal",
             .variants = variants,
             .sizes = sizes},
    .build = build,
};
