/* sobel3x3: magnitude of the Sobel gradient of an RGBA image's luma, with clamped edges.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/common.h"
#include "program/program.h"

#include <math.h>

enum {
    GX = 32, /* a warp reads 128 contiguous bytes of a row */
    GY = 8,
    SAMPLES = 1 << 18
};

/* Tolerance. Unit roundoff is 2^-24. A gradient is a sum of lumas up to 255 with weights of total
 * magnitude 8, so 2040 in all. No term is rounded more than 7 times: 4 in luma, including its
 * constant, and 3 in the sum. The magnitude's error is at most sqrt(2) times that. Then sqrt adds 3
 * ulp (OpenCL 1.2, 7.4), and the squares and their sum add less than 2 roundings. */
static const pm_tolerance tolerance = {.relative = 3 * 0x1p-23 + 2 * 0x1p-24,
                                       .absolute = 1.4143 * 2040 * 7 * 0x1p-24};

typedef struct {
    size_t extent[2];
    const unsigned char *pixels;
} image;

/* Returns the luma of the pixel at (x + dx, y + dy), clamped to the image. */
static double luma(const image *in, size_t x, int dx, size_t y, int dy)
{
    long long column = (long long)x + dx, row = (long long)y + dy;
    long long last_column = (long long)in->extent[0] - 1, last_row = (long long)in->extent[1] - 1;

    column = column < 0 ? 0 : column > last_column ? last_column : column;
    row = row < 0 ? 0 : row > last_row ? last_row : row;
    const unsigned char *p = in->pixels + 4 * ((size_t)row * in->extent[0] + (size_t)column);
    return 0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2];
}

static double reference(const void *context, size_t position)
{
    const image *in = context;
    size_t x = position % in->extent[0], y = position / in->extent[0];
    double gx = 0.0, gy = 0.0;

    for (int k = -1; k <= 1; k++) {
        int weight = k == 0 ? 2 : 1;
        gx += weight * (luma(in, x, 1, y, k) - luma(in, x, -1, y, k));
        gy += weight * (luma(in, x, k, y, 1) - luma(in, x, k, y, -1));
    }
    return sqrt(gx * gx + gy * gy);
}

static pm_status check(const pm_workload *workload, const void *const *outputs, pm_error *err)
{
    image in = {.pixels = workload->buffers[0].initial};
    size_t count = workload->buffers[0].bytes / 4;

    pm_size_parse(workload->size, in.extent, 2);
    return pm_check_float_samples("out", outputs[1], count, SAMPLES, reference, &in, tolerance,
                                  err);
}

static void build(pm_workload *workload, uint64_t seed)
{
    size_t extent[2] = {0};

    pm_size_parse(workload->size, extent, 2);
    size_t pixels = extent[0] * extent[1];
    pm_workload_options(workload, "-cl-std=CL1.2 -DGX=%d -DGY=%d", GX, GY);
    size_t in = pm_random_byte_buffer(workload, "in", 4 * pixels, seed, PM_BUFFER_IN);
    size_t out = pm_poisoned_buffer(workload, "out", pixels * sizeof(float));
    pm_workload_launch(workload, "sobel3x3", 2, extent, (size_t[]){GX, GY});
    PM_ARGS(workload, PM_BUFFER(in), PM_BUFFER(out), PM_INT(extent[0]), PM_INT(extent[1]));
    workload->check = check;
    workload->work = (double)pixels;
}

const pm_program pm_program_sobel3x3 = {
    .info = {.name = "sobel3x3",
             .title = "Sobel filter, RGBA to gradient magnitude",
             .base = "nolocal",
             .variants = PM_NAMES("local", "nolocal"),
             .sizes = PM_NAMES("1536x1536", "2304x2304", "3456x3456", "5184x5184", "8192x8192",
                               "12288x12288")},
    .build = build,
};
