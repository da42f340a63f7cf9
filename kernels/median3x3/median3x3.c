/* median3x3: 3x3 median filter of the channels of an RGBA image, with clamped edges.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernels use a sorting network. The reference finds the median by counting, which is an
 * independent method.
 */
#include "program/common.h"
#include "program/program.h"

enum {
    GX = 32, /* a warp reads 128 contiguous bytes of a row */
    GY = 8,
    WHOLE = 1 << 20,  /* pixels: the check compares images up to this size completely, */
    SAMPLES = 1 << 16 /* number of pixels that the check compares in larger images */
};

static size_t clamped(size_t position, int offset, size_t length)
{
    if (offset < 0)
        return position > 0 ? position - 1 : 0;
    return position + (size_t)offset < length ? position + (size_t)offset : length - 1;
}

/* Returns the median by rank: at most four values are smaller and at most four are larger. */
static unsigned char median(const unsigned char *values)
{
    for (int i = 0; i < 8; i++) {
        int smaller = 0, larger = 0;

        for (int k = 0; k < 9; k++) {
            smaller += values[k] < values[i];
            larger += values[k] > values[i];
        }
        if (smaller <= 4 && larger <= 4)
            return values[i];
    }
    return values[8];
}

static unsigned char reference(const size_t extent[2], const unsigned char *in, size_t pixel,
                               size_t channel)
{
    unsigned char values[9];
    size_t x = pixel % extent[0], y = pixel / extent[0];

    for (int i = 0; i < 9; i++) {
        size_t row = clamped(y, i / 3 - 1, extent[1]);
        size_t column = clamped(x, i % 3 - 1, extent[0]);
        values[i] = in[4 * (row * extent[0] + column) + channel];
    }
    return median(values);
}

/* Checks that every pixel was written. A pixel that was not written is white in all channels. A
 * median of random input is never white: five of nine bytes would have to be 255 in each of four
 * channels (one pixel in 10^39). */
static pm_status check_written(const unsigned char *got, size_t pixels, pm_error *err)
{
    for (size_t i = 0; i < pixels; i++)
        if (got[4 * i] == 0xff && got[4 * i + 1] == 0xff && got[4 * i + 2] == 0xff &&
            got[4 * i + 3] == 0xff)
            return pm_fail(err, PM_FAILED, "out: pixel %zu was not written", i);
    return PM_OK;
}

static pm_status check(const pm_workload *workload, const void *const *outputs, pm_error *err)
{
    const unsigned char *in = workload->buffers[0].initial, *got = outputs[1];
    size_t extent[2], pixels = workload->buffers[0].bytes / 4;
    size_t samples = pixels <= WHOLE ? pixels : SAMPLES;
    pm_status status = check_written(got, pixels, err);

    pm_size_parse(workload->size, extent, 2);
    for (size_t i = 0; i < samples && !status; i++) {
        size_t pixel = pm_sample_position(i, samples, pixels);

        for (size_t channel = 0; channel < 4 && !status; channel++) {
            unsigned char want = reference(extent, in, pixel, channel);
            if (got[4 * pixel + channel] != want)
                status = pm_fail(
                    err, PM_FAILED, "out: pixel (%zu, %zu), channel %zu is %d, the reference is %d",
                    pixel % extent[0], pixel / extent[0], channel, got[4 * pixel + channel], want);
        }
    }
    return status;
}

static void build(pm_workload *workload, uint64_t seed)
{
    size_t extent[2] = {0};

    pm_size_parse(workload->size, extent, 2);
    size_t bytes = 4 * extent[0] * extent[1];
    pm_workload_options(workload, "-cl-std=CL1.2 -DGX=%d -DGY=%d", GX, GY);
    size_t in = pm_random_byte_buffer(workload, "in", bytes, seed, PM_BUFFER_IN);
    size_t out = pm_poisoned_buffer(workload, "out", bytes);
    pm_workload_launch(workload, "median3x3", 2, extent, (size_t[]){GX, GY});
    PM_ARGS(workload, PM_BUFFER(in), PM_BUFFER(out), PM_INT(extent[0]), PM_INT(extent[1]));
    workload->check = check;
    workload->work = (double)extent[0] * (double)extent[1];
}

const pm_program pm_program_median3x3 = {
    .info = {.name = "median3x3",
             .title = "3x3 median filter, RGBA",
             .base = "nolocal",
             .variants = PM_NAMES("local", "nolocal"),
             .sizes = PM_NAMES("1024x1024", "1600x1600", "2560x2560", "4096x4096", "6400x6400",
                               "10240x10240")},
    .build = build,
};
