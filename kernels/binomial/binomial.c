/* binomial: prices of European calls by the lattice of Cox, Ross and Rubinstein ("Option pricing: a
 * simplified approach", J. Financial Economics 7, 1979), with one work-group per option.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The variant without local memory keeps its lattice rows in a scratch buffer, which every pass
 * fills again.
 */
#include "program/common.h"
#include "program/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    STEPS = 255, /* one node per work-item; the last row has STEPS + 1 nodes */
    SAMPLES = 4096
};

/* Same layout as the struct in the kernels. */
typedef struct {
    float spot, strike;
    float step;     /* logarithm of the price ratio of one step up */
    float up, down; /* discounted probabilities of a step */
} option;

/* The probabilities are computed in double, because they are differences of nearly equal numbers.
 * The kernels and the reference read the same values, rounded to float. */
static void make_options(option *options, const float *uniform, size_t count)
{
    const double rate = 0.03, volatility = 0.30;

    for (size_t i = 0; i < count; i++) {
        double years = 0.25 + 1.75 * (double)uniform[3 * i + 2];
        double dt = years / STEPS, step = volatility * sqrt(dt);
        double up = (exp(rate * dt) - exp(-step)) / (exp(step) - exp(-step));

        options[i] = (option){.spot = 10.0f + 90.0f * uniform[3 * i],
                              .strike = 10.0f + 90.0f * uniform[3 * i + 1],
                              .step = (float)step,
                              .up = (float)(exp(-rate * dt) * up),
                              .down = (float)(exp(-rate * dt) * (1.0 - up))};
    }
}

static size_t option_buffer(pm_workload *workload, size_t count, uint64_t seed)
{
    option *options = pm_workload_contents(workload, count * sizeof *options);
    float *uniform = pm_buffer_alloc(workload, 3 * count * sizeof *uniform);

    if (options && uniform) {
        pm_random_floats(uniform, 3 * count, 0.0f, 1.0f, seed, "options");
        make_options(options, uniform, count);
    }
    free(uniform);
    return pm_workload_buffer(workload, "options", count * sizeof *options, options, PM_BUFFER_IN);
}

static double reference(const option *o)
{
    double row[STEPS + 1];

    for (int node = 0; node <= STEPS; node++)
        row[node] = fmax(
            (double)o->spot * exp((double)o->step * (2 * node - STEPS)) - (double)o->strike, 0.0);
    for (int level = STEPS; level > 0; level--)
        for (int node = 0; node < level; node++)
            row[node] = (double)o->up * row[node + 1] + (double)o->down * row[node];
    return row[0];
}

/* Tolerance of a price. Unit roundoff is 2^-24. Each level rounds a value at most twice, for the
 * product and the sum. All terms are positive, so nothing cancels: 2 STEPS roundings relative to
 * the price.
 *
 * A leaf's exp is accurate to 3 ulp (6 roundings), and the rounding of its argument, up to 8, adds
 * 8 more. With the product and the difference, that is 16 roundings relative to the leaf's part of
 * the spot price. */
static pm_tolerance tolerance(const option *o)
{
    return (pm_tolerance){.relative = 2 * STEPS * 0x1p-24,
                          .absolute = 16 * 0x1p-24 * (double)o->spot};
}

static pm_status check(const pm_workload *workload, const void *const *outputs, pm_error *err)
{
    const option *options = workload->buffers[0].initial;
    const float *prices = outputs[1];
    size_t count = workload->buffers[1].bytes / sizeof *prices;
    size_t samples = count < SAMPLES ? count : SAMPLES;
    pm_status status = pm_check_floats_written("prices", prices, count, err);

    for (size_t i = 0; i < samples && !status; i++) {
        size_t position = pm_sample_position(i, samples, count);
        const option *o = &options[position];

        status = pm_check_float("prices", position, (double)prices[position], reference(o),
                                tolerance(o), err);
    }
    return status;
}

static void build(pm_workload *workload, uint64_t seed)
{
    size_t count = pm_size_value(workload->size);

    pm_workload_options(workload, "-cl-std=CL1.2 -DSTEPS=%d", STEPS);
    size_t options = option_buffer(workload, count, seed);
    size_t prices = pm_poisoned_buffer(workload, "prices", count * sizeof(float));
    pm_workload_launch(workload, "binomial", 1, (size_t[]){count * (STEPS + 1)},
                       (size_t[]){STEPS + 1});
    PM_ARGS(workload, PM_BUFFER(options), PM_BUFFER(prices));
    if (strcmp(workload->variant, "nolocal") == 0) {
        size_t bytes = count * 2 * (STEPS + 1) * sizeof(float);
        pm_workload_arg_buffer(
            workload, pm_workload_buffer(workload, "scratch", bytes, NULL, PM_BUFFER_SCRATCH));
    }
    workload->work = (double)count * STEPS * (STEPS + 1) / 2; /* number of nodes */
    workload->check = check;
}

const pm_program pm_program_binomial = {
    .info = {.name = "binomial",
             .title = "European options by a binomial lattice",
             .base = "nolocal",
             .variants = PM_NAMES("local", "nolocal"),
             /* Size: number of options. */
             .sizes = PM_NAMES("1024", "2560", "7168", "18432", "49152", "131072")},
    .build = build,
};
