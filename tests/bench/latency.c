/* Cycles that a lone work-item waits for a load from L1 and from L2: it follows pointers
 * through buffers of some sizes, each pointer a cache line further on by a random cycle (Saavedra
 * and Smith 1995). The figures of load_l1_cycles and load_l2_cycles in datasets/devices.csv are
 * made with it: latency [DEVICE [CLOCK_MHZ]]. The clock is the highest that the driver names, or as
 * given.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "collector/executor.h"
#include "collector/opencl.h"

enum { LINE = 128, FEW = 1 << 14, MANY = 1 << 17, PASSES = 9 };

static const char source[] =
    "__kernel void chase(__global const uint *next, __global uint *out, int steps)\n"
    "{\n"
    "    uint at = 0;\n"
    "    for (int i = 0; i < steps; i++)\n"
    "        at = next[at];\n"
    "    *out = at;\n"
    "}\n";

/* One cycle through all lines, in random order (Sattolo 1986). */
static void link_lines(uint32_t *next, size_t lines)
{
    uint32_t *order = malloc(lines * sizeof *order);
    uint64_t state = 1;

    if (!order)
        abort();
    for (size_t i = 0; i < lines; i++)
        order[i] = (uint32_t)i;
    for (size_t i = lines - 1; i > 0; i--) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        size_t k = (size_t)(state >> 33) % i;
        uint32_t kept = order[i];

        order[i] = order[k];
        order[k] = kept;
    }
    for (size_t i = 0; i < lines; i++)
        next[order[i] * (LINE / 4)] = order[(i + 1) % lines] * (LINE / 4);
    free(order);
}

static pm_workload *build(size_t bytes, int steps, pm_error *err)
{
    pm_workload *w = pm_workload_create("latency", "chase", "1");
    uint32_t *next = w ? pm_workload_contents(w, bytes) : NULL;

    if (!w)
        return NULL;
    w->source = strdup(source);
    w->source_path = strdup("chase.cl");
    pm_workload_options(w, "-cl-std=CL1.2");
    if (next)
        link_lines(next, bytes / LINE);
    size_t from = pm_workload_buffer(w, "next", bytes, next, PM_BUFFER_IN);
    size_t out = pm_workload_buffer(w, "out", sizeof *next, NULL, PM_BUFFER_OUTPUT);
    pm_workload_launch(w, "chase", 1, (size_t[]){1}, (size_t[]){1});
    pm_workload_arg_buffer(w, from);
    pm_workload_arg_buffer(w, out);
    pm_workload_arg_int(w, steps);
    return pm_workload_finish(w, err);
}

static _Noreturn void give_up(const pm_error *err)
{
    fprintf(stderr, "latency: %s\n", err->text);
    exit(PM_FAILED);
}

/* The least time of a pass: nothing else makes it longer. */
static double seconds_of(pm_executor *executor, size_t bytes, int steps, pm_error *err)
{
    pm_workload *w = build(bytes, steps, err);
    double least = -1, seconds;

    if (!w || executor->type->load(executor, w, err) != PM_OK)
        give_up(err);
    for (int pass = 0; pass < PASSES; pass++) {
        if (executor->type->run(executor, &seconds, err) != PM_OK)
            give_up(err);
        least = least < 0 || seconds < least ? seconds : least;
    }
    executor->type->unload(executor);
    pm_workload_free(w);
    return least;
}

int main(int argc, char **argv)
{
    static const size_t sizes[] = {16 << 10, 64 << 10, 4 << 20, 16 << 20};
    pm_executor *executor;
    pm_device device;
    pm_error err = {0};
    double mhz;

    if (pm_device_select(argc > 1 ? argv[1] : NULL, &device, &err) != PM_OK ||
        pm_executor_opencl_open(&device, NULL, &executor, &err) != PM_OK) {
        fprintf(stderr, "%s\n", err.text);
        return err.status;
    }
    mhz = argc > 2 ? atof(argv[2]) : device.clock_mhz;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        double few = seconds_of(executor, sizes[i], FEW, &err);
        double many = seconds_of(executor, sizes[i], MANY, &err);

        printf("%s: %8zu KiB: %.1f cycles at %.0f MHz\n", device.id, sizes[i] >> 10,
               (many - few) / (MANY - FEW) * mhz * 1e6, mhz);
    }
    executor->type->close(executor);
    return PM_OK;
}
