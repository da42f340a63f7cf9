/* Three programs that compute the product c = a b of n x n floats: a plain loop for matrices of any
 * size, tiles of 16 x 16, and float4 accesses with a block of 4 x 4 elements per work-item.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/common.h"
#include "program/program.h"

/* With float4, groups have 8 x 8 work-items, so that the smallest size has a work-group for each
 * multiprocessor. */
enum { TILE = 16, GROUP = 8, BLOCK = 4 };
enum { A, B, C };

typedef struct {
    const float *a, *b;
    size_t n;
} operands;

static double element(const void *context, size_t position)
{
    const operands *m = context;
    const float *a = m->a + position / m->n * m->n;
    const float *b = m->b + position % m->n;
    double sum = 0;

    for (size_t k = 0; k < m->n; k++)
        sum += (double)a[k] * (double)b[k * m->n];
    return sum;
}

/* Compares every element for n <= 512, else 1024 evenly spaced ones.
 *
 * Tolerance: with elements uniform in [-1, 1], the k-th partial sum has the standard deviation
 * sqrt(k) / 3 and is rounded by at most 2^-24 of its value. If the n roundings are independent,
 * they add up to a standard deviation below 2^-24 n / (3 sqrt 2). The tolerance 4 n 2^-24 is 17
 * standard deviations. An element itself is about sqrt(n) / 3. */
static pm_status check(const pm_workload *workload, const void *const *outputs, pm_error *err)
{
    size_t n = pm_size_value(workload->size);
    const operands m = {workload->buffers[A].initial, workload->buffers[B].initial, n};
    const pm_tolerance tolerance = {.absolute = 4.0 * (double)n * 0x1p-24};

    return pm_check_float_samples("c", outputs[C], n * n, n <= 512 ? n * n : 1024, element, &m,
                                  tolerance, err);
}

/* Adds the launch of a product. The kernel has the name of its program. A work-group has edge x
 * edge work-items, and each computes block x block elements. */
static void add_product(pm_workload *workload, uint64_t seed, size_t edge, size_t block)
{
    const size_t n = pm_size_value(workload->size), width = n / block;
    const size_t covered = (width + edge - 1) / edge * edge;

    pm_random_float_buffer(workload, "a", n * n, -1.0f, 1.0f, seed, PM_BUFFER_IN);
    pm_random_float_buffer(workload, "b", n * n, -1.0f, 1.0f, seed, PM_BUFFER_IN);
    pm_poisoned_buffer(workload, "c", n * n * sizeof(float));
    pm_workload_launch(workload, workload->program, 2, (size_t[]){covered, covered},
                       (size_t[]){edge, edge});
    PM_ARGS(workload, PM_BUFFER(A), PM_BUFFER(B), PM_BUFFER(C), PM_INT(width));
    workload->check = check;
    workload->work = 2.0 * (double)n * (double)n * (double)n;
}

static void build(pm_workload *workload, uint64_t seed)
{
    pm_workload_options(workload, "-cl-std=CL1.2 -DTILE=%d", TILE);
    add_product(workload, seed, TILE, 1);
}

static void build_float4(pm_workload *workload, uint64_t seed)
{
    pm_workload_options(workload, "-cl-std=CL1.2 -DGROUP=%d", GROUP);
    add_product(workload, seed, GROUP, BLOCK);
}

const pm_program pm_program_matmul = {
    .info = {.name = "matmul",
             .title = "matrix product, one plain loop, any size",
             .base = "nolocal",
             .variants = PM_NAMES("local", "nolocal"),
             .sizes = PM_NAMES("256", "512", "777", "1024", "2048", "4096")},
    .build = build,
};

const pm_program pm_program_matmul_tiled = {
    .info = {.name = "matmul_tiled",
             .title = "matrix product, tiles of 16 x 16",
             .base = "nolocal",
             .variants = PM_NAMES("local", "nolocal"),
             .sizes = PM_NAMES("512", "768", "1024", "1536", "2048", "4096")},
    .build = build,
};

const pm_program pm_program_matmul_float4 = {
    .info = {.name = "matmul_float4",
             .title = "matrix product, float4, 4 x 4 elements a work-item",
             .base = "nolocal",
             .variants = PM_NAMES("local", "nolocal"),
             .sizes = PM_NAMES("512", "768", "1024", "1536", "2048", "4096")},
    .build = build_float4,
};
