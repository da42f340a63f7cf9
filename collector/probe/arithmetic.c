/* Measures the rates of arithmetic instructions, in warp instructions per cycle and compute unit,
 * by the kernels of kernels/probe/arithmetic.cl.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work-groups fill each compute unit. Each work-item executes eight chains of operations; within a
 * chain, each operation needs the result of the one before, but the chains are independent of each
 * other.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "collector/probe/probe.h"

enum { ROUND = 64, FEW = 8, MANY = 264, SEEDS = 16, BITS = 0x2545f491 };
static const float FACTOR = -1e-6f;

typedef struct {
    const char *column, *what;
    int operation;
    bool wide;  /* true: the operation is on 64-bit floating-point numbers */
    bool whole; /* true: integer arithmetic */
} operation;

static const operation operations[] = {
    {"fma_per_cycle", "fp32 multiply-add", 0, false, false},
    {"fp64_per_cycle", "fp64 multiply-add", 1, true, false},
    {"fmaheavy_per_cycle", "32-bit integer multiply-add", 2, false, true},
    {"alu_per_cycle", "logic of three 32-bit values", 3, false, true},
    {"xu_per_cycle", "native_rsqrt", 4, false, false},
};

/* Adds to the job (the workload that a measurement runs) the buffer with the kernels' start values.
 * Elements 0 to 7 start the eight chains of dependent operations. Elements 8 and 9 are the factor
 * and, for integers, the summand. Element 10 is a value that no chain reaches: the kernel compares
 * with it, so that the compiler cannot drop the chains. */
static size_t add_seed(pm_workload *job, bool wide, bool whole)
{
    void *seed = pm_workload_contents(job, SEEDS * sizeof(double));

    for (size_t i = 0; seed && i < SEEDS; i++) {
        double value = i == 8 ? FACTOR : i == 10 ? -1e9 : 1 + 0.01 * (double)i;

        if (whole)
            ((uint32_t *)seed)[i] = 0x9e3779b9u * (uint32_t)(i + 1) | 1;
        else if (wide)
            ((double *)seed)[i] = value;
        else
            ((float *)seed)[i] = (float)value;
    }
    return pm_workload_buffer(job, "seed", SEEDS * sizeof(double), seed, PM_BUFFER_IN);
}

/* Adds two launches of a kernel to the job (the workload that a measurement runs), one with few and
 * one with many iterations. They have enough work-groups to fill the device. mixture: true if the
 * kernel mixes two kinds of instructions, and takes two further arguments, a float (FACTOR) and an
 * integer (BITS). */
static void add_launches(const pm_probe *probe, pm_workload *job, const char *kernel,
                         const size_t *buffers, size_t count, bool mixture)
{
    size_t global = probe->bench.group * probe->facts.compute_units * PM_PROBE_UNIT_GROUPS;

    for (int i = 0; i < 2; i++) {
        pm_workload_launch(job, kernel, 1, &global, &probe->bench.group);
        for (size_t b = 0; b < count; b++)
            pm_workload_arg_buffer(job, buffers[b]);
        if (mixture) {
            pm_workload_arg_float(job, FACTOR);
            pm_workload_arg_int(job, BITS);
        }
        pm_workload_arg_int(job, i == 0 ? FEW : MANY);
    }
}

/* Runs a job (a workload that measures something) with two launches, one with few and one with many
 * iterations. Returns the rate of the measured instruction in warp instructions per cycle and
 * compute unit. */
static pm_probe_value measure(pm_probe *probe, pm_workload *job, const char *what)
{
    double warps = PM_PROBE_UNIT_GROUPS * ceil((double)probe->bench.group / probe->facts.warp);

    return pm_probe_run_rate(&probe->bench, job, (MANY - FEW) * (double)ROUND * warps, what);
}

static pm_probe_value measure_operation(pm_probe *probe, const operation *op)
{
    char options[32];
    size_t buffers[2];
    pm_workload *job;

    snprintf(options, sizeof options, "-DOPERATION=%d", op->operation);
    job = pm_probe_job(&probe->bench, "probe/arithmetic.cl", options);
    buffers[0] = add_seed(job, op->wide, op->whole);
    buffers[1] = pm_workload_buffer(job, "out",
                                    probe->bench.group * probe->facts.compute_units *
                                        PM_PROBE_UNIT_GROUPS * sizeof(double),
                                    NULL, PM_BUFFER_IN);
    add_launches(probe, job, "arithmetic", buffers, 2, false);
    return measure(probe, job, op->what);
}

static pm_probe_value measure_mixture(pm_probe *probe)
{
    size_t buffers[3];
    pm_workload *job = pm_probe_job(&probe->bench, "probe/mixture.cl", "");

    buffers[0] = add_seed(job, false, false);
    buffers[1] = add_seed(job, false, true);
    buffers[2] = pm_workload_buffer(job, "out",
                                    probe->bench.group * probe->facts.compute_units *
                                        PM_PROBE_UNIT_GROUPS * sizeof(float),
                                    NULL, PM_BUFFER_IN);
    add_launches(probe, job, "mixture", buffers, 3, true);
    return measure(probe, job, "fp32 multiply-adds and logic in turns");
}

/* Returns whether an operation's rate is not measured, because the operation needs 64-bit floating
 * point and the device has none. The cell of the rate in devices.csv then stays empty, which is not
 * a failure. */
static bool left_out(const pm_probe *probe, const operation *op)
{
    return op->wide && !probe->facts.fp64;
}

void pm_probe_arithmetic(pm_probe *probe)
{
    pm_probe_value most = {0}, rate;

    if (probe->facts.warp == 0)
        pm_leave(&probe->bench.memory, PM_FAILED,
                 "rates of arithmetic: the width of a warp is not known");
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        const operation *op = &operations[i];

        if (left_out(probe, op))
            continue;
        rate = measure_operation(probe, op);
        pm_probe_measured(probe, op->column, rate, op->what);
        if (rate.median > most.median)
            most = rate;
    }
    rate = measure_mixture(probe);
    if (rate.median > most.median)
        most = rate;
    probe->issue = most;
}
