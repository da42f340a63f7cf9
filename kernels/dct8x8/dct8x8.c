/* dct8x8: DCT of the 8 x 8 blocks of a square image of floats (pixels from -128 to 128, as in
 * JPEG).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "program/common.h"
#include "program/program.h"

enum { BLOCK = 8, GROUP_WIDTH = 32 };
enum { IMAGE, OUT, COEFFICIENTS };

/* Fills c with the orthonormal DCT-II (Ahmed, Natarajan, Rao 1974): row u is frequency u. */
static void dct_matrix(double c[BLOCK][BLOCK])
{
    const double pi = 3.14159265358979323846;

    for (int u = 0; u < BLOCK; u++)
        for (int i = 0; i < BLOCK; i++)
            c[u][i] = u == 0 ? sqrt(1.0 / BLOCK)
                             : sqrt(2.0 / BLOCK) * cos(pi * u * (2 * i + 1) / (2.0 * BLOCK));
}

/* Computes y = c x c^T for the block whose first pixel is at x. */
static void transform_block(double c[BLOCK][BLOCK], const float *x, size_t width,
                            double y[BLOCK][BLOCK])
{
    double cx[BLOCK][BLOCK] = {{0}};

    for (int u = 0; u < BLOCK; u++)
        for (int i = 0; i < BLOCK; i++)
            for (int k = 0; k < BLOCK; k++)
                cx[u][k] += c[u][i] * (double)x[(size_t)i * width + (size_t)k];
    for (int u = 0; u < BLOCK; u++)
        for (int v = 0; v < BLOCK; v++) {
            y[u][v] = 0;
            for (int k = 0; k < BLOCK; k++)
                y[u][v] += cx[u][k] * c[v][k];
        }
}

/* Compares all blocks of the smallest image, or 16384 blocks of a larger one.
 *
 * Tolerance: each of the two sums has 8 products. With the rounding of the coefficients, the error
 * of each is at most 9 x 2^-24 of the sum of its absolute products (Higham, Accuracy and Stability
 * of Numerical Algorithms, 3.1). 20 x 2^-24 bounds both together. A row of |c| has a sum of at most
 * sqrt(8), so the absolute products have a sum of at most 8 x 128. */
static pm_status check(const pm_workload *workload, const void *const *outputs, pm_error *err)
{
    const pm_tolerance tolerance = {.absolute = 20 * 0x1p-24 * 8 * 128};
    const size_t width = pm_size_value(workload->size);
    const size_t row_blocks = width / BLOCK, blocks = row_blocks * row_blocks;
    const size_t samples = blocks <= 65536 ? blocks : 16384;
    const float *image = workload->buffers[IMAGE].initial, *out = outputs[OUT];
    pm_status status = pm_check_floats_written("out", out, width * width, err);
    double c[BLOCK][BLOCK], y[BLOCK][BLOCK];

    dct_matrix(c);
    for (size_t i = 0; i < samples && !status; i++) {
        size_t block = pm_sample_position(i, samples, blocks);
        size_t first = block / row_blocks * BLOCK * width + block % row_blocks * BLOCK;
        transform_block(c, image + first, width, y);
        for (size_t k = 0; k < BLOCK * BLOCK && !status; k++) {
            size_t position = first + k / BLOCK * width + k % BLOCK;
            status = pm_check_float("out", position, (double)out[position], y[k / BLOCK][k % BLOCK],
                                    tolerance, err);
        }
    }
    return status;
}

static void coefficient_buffer(pm_workload *workload)
{
    const size_t bytes = BLOCK * BLOCK * sizeof(float);
    float *initial = pm_workload_contents(workload, bytes);
    double c[BLOCK][BLOCK];

    if (!initial)
        return;
    dct_matrix(c);
    for (int k = 0; k < BLOCK * BLOCK; k++)
        initial[k] = (float)c[k / BLOCK][k % BLOCK];
    pm_workload_buffer(workload, "coefficients", bytes, initial, PM_BUFFER_IN);
}

static void build(pm_workload *workload, uint64_t seed)
{
    size_t width = pm_size_value(workload->size);

    pm_workload_options(workload, "-cl-std=CL1.2 -DGROUP_WIDTH=%d", GROUP_WIDTH);
    pm_random_float_buffer(workload, "image", width * width, -128.0f, 128.0f, seed, PM_BUFFER_IN);
    pm_poisoned_buffer(workload, "out", width * width * sizeof(float));
    coefficient_buffer(workload);
    pm_workload_launch(workload, "dct8x8", 2, (size_t[]){width, width},
                       (size_t[]){GROUP_WIDTH, BLOCK});
    PM_ARGS(workload, PM_BUFFER(IMAGE), PM_BUFFER(OUT), PM_BUFFER(COEFFICIENTS), PM_INT(width));
    workload->check = check;
    workload->work = (double)width * (double)width;
}

const pm_program pm_program_dct8x8 = {
    .info = {.name = "dct8x8",
             .title = "DCT of 8 x 8 blocks of an image",
             .base = "nolocal",
             .variants = PM_NAMES("local", "nolocal"),
             .sizes = PM_NAMES("2048", "3072", "4096", "6144", "8192", "12288")},
    .build = build,
};
