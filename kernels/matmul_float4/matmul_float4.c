/* Matrix product with float4 accesses, each work-item a block of 4 x 4 elements.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "kernels/matmul/matmul_reference.h"
#include "program/program.h"

/* 8 x 8 work-items, so that the smallest size still has a work-group for each multiprocessor. */
enum { GROUP = 8, BLOCK = 4 };

static void build(pm_workload *workload, uint64_t seed)
{
    size_t n = pm_size_value(workload->size);
    size_t width = n / BLOCK;

    pm_workload_options(workload, "-cl-std=CL1.2 -DGROUP=%d", GROUP);
    pm_matmul_buffers(workload, n, seed);
    pm_workload_launch(workload, "matmul_float4", 2, (size_t[]){width, width},
                       (size_t[]){GROUP, GROUP});
    for (size_t i = 0; i < 3; i++)
        pm_workload_arg_buffer(workload, i);
    pm_workload_arg_int(workload, (int32_t)width);
}

static const char *const variants[] = {"local", "nolocal", NULL};
static const char *const sizes[] = {"512", "768", "1024", "1536", "2048", "4096", NULL};

const pm_program pm_program_matmul_float4 = {
    .info = {.name = "matmul_float4",
             .title = "matrix product, float4, 4 x 4 elements a work-item",
             .base = "nolocal",
             .variants = variants,
             .sizes = sizes},
    .build = build,
};
