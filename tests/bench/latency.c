/* Measures on a GPU of this machine the latencies and rates that the GPU's row of
 * datasets/devices.csv has. These are the cycles that one work-item waits for a load from L1, L2,
 * DRAM and local memory, and for an arithmetic instruction; the time from one empty kernel to the
 * next; and the bandwidth of a large copy. For loads it follows pointers through buffers of some
 * sizes, each pointer a cache line further on by a random cycle (Saavedra and Smith 1995). Run it
 * as latency [DEVICE [CLOCK_MHZ]]. The clock is the highest that the driver names, or as given.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/executor.h"
#include "collector/opencl/opencl.h"

enum {
    LINE = 128,
    LOCAL_BYTES = 8192,
    FEW = 1 << 14,
    MANY = 1 << 17,
    /* Number of steps that touch more lines than any L2 holds, so that a pass finds no line of the
     * previous pass in L2. */
    DRAM_STEPS = 3 << 19,
    CHAIN = 16, /* instructions per step */
    COPY_BYTES = 1 << 30,
    PASSES = 9
};

static const char source[] =
    "__kernel void chase(__global const uint *next, __global uint *out, int steps)\n"
    "{\n"
    "    uint at = 0;\n"
    "    for (int i = 0; i < steps; i++)\n"
    "        at = next[at];\n"
    "    *out = at;\n"
    "}\n"
    "__kernel void chase_local(__global const uint *next, __global uint *out, int steps)\n"
    "{\n"
    "    __local uint tile[2048];\n"
    "    uint at = 0;\n"
    "    for (int i = 0; i < 2048; i++)\n"
    "        tile[i] = next[i];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int i = 0; i < steps; i++)\n"
    "        at = tile[at];\n"
    "    *out = at;\n"
    "}\n"
    "__kernel void chain(__global const float *next, __global float *out, int steps)\n"
    "{\n"
    "    float a = next[0], b = next[1], x = a;\n"
    "    for (int i = 0; i < steps; i++) {\n"
    "        x = fma(x, a, b); x = fma(x, a, b); x = fma(x, a, b); x = fma(x, a, b);\n"
    "        x = fma(x, a, b); x = fma(x, a, b); x = fma(x, a, b); x = fma(x, a, b);\n"
    "        x = fma(x, a, b); x = fma(x, a, b); x = fma(x, a, b); x = fma(x, a, b);\n"
    "        x = fma(x, a, b); x = fma(x, a, b); x = fma(x, a, b); x = fma(x, a, b);\n"
    "    }\n"
    "    *out = x;\n"
    "}\n"
    "__kernel void copy(__global const float4 *next, __global float4 *out, int steps)\n"
    "{\n"
    "    out[get_global_id(0)] = next[get_global_id(0)];\n"
    "}\n";

typedef struct {
    const char *kernel;
    size_t bytes;     /* of the input buffer */
    size_t out_bytes; /* bytes of the output buffer */
    size_t stride;    /* bytes from one pointer to the next; 0: no pointers */
    size_t items, group;
} job;

/* Links all elements in one cycle in random order (Sattolo 1986), `stride` words apart. */
static void link_elements(uint32_t *next, size_t count, size_t stride)
{
    uint32_t *order = malloc(count * sizeof *order);
    uint64_t state = 1;

    if (!order)
        abort();
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    for (size_t i = count - 1; i > 0; i--) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        size_t k = (size_t)(state >> 33) % i;
        uint32_t kept = order[i];

        order[i] = order[k];
        order[k] = kept;
    }
    for (size_t i = 0; i < count; i++)
        next[order[i] * stride] = (uint32_t)(order[(i + 1) % count] * stride);
    free(order);
}

static pm_workload *build(const job *what, int steps, pm_error *err)
{
    pm_workload *w = pm_workload_create("latency", what->kernel, "1");
    uint32_t *next = w ? pm_workload_contents(w, what->bytes) : NULL;

    if (!w)
        return NULL;
    w->source = strdup(source);
    w->source_path = strdup("latency.cl");
    pm_workload_options(w, "-cl-std=CL1.2");
    if (next && what->stride)
        link_elements(next, what->bytes / what->stride, what->stride / sizeof *next);
    size_t from = pm_workload_buffer(w, "next", what->bytes, next, PM_BUFFER_IN);
    size_t out = pm_workload_buffer(w, "out", what->out_bytes, NULL, PM_BUFFER_OUTPUT);
    pm_workload_launch(w, what->kernel, 1, &what->items, &what->group);
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

/* Returns the shortest time of a pass in seconds, because disturbances only make it longer. */
static double seconds_of(pm_executor *executor, const job *what, int steps, pm_error *err)
{
    pm_workload *w = build(what, steps, err);
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

static double step_seconds(pm_executor *executor, const job *what, int few, int many)
{
    pm_error err = {0};
    const double least = seconds_of(executor, what, few, &err);

    return (seconds_of(executor, what, many, &err) - least) / (many - few);
}

static void tell_loads(pm_executor *executor, double hz)
{
    static const size_t sizes[] = {16 << 10, 64 << 10, 4 << 20, 16 << 20, 256 << 20, 1 << 30};
    const job local = {"chase_local", LOCAL_BYTES, 4, 4, 1, 1};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const job chase = {"chase", sizes[i], 4, LINE, 1, 1};
        const bool dram = sizes[i] >= 256 << 20;
        const double seconds = step_seconds(executor, &chase, dram ? DRAM_STEPS : FEW,
                                            dram ? DRAM_STEPS + DRAM_STEPS / 4 : MANY);

        printf("load, %7zu KiB: %.1f cycles\n", sizes[i] >> 10, seconds * hz);
    }
    printf("load from local memory: %.1f cycles\n", step_seconds(executor, &local, FEW, MANY) * hz);
}

static void tell_rest(pm_executor *executor, double hz)
{
    const job chain = {"chain", 8, 4, 0, 1, 1},
              copy = {"copy", COPY_BYTES, COPY_BYTES, 0, COPY_BYTES / 16, 256};
    pm_error err = {0};
    double seconds;

    printf("multiply-add: %.2f cycles\n", step_seconds(executor, &chain, FEW, MANY) * hz / CHAIN);
    seconds = seconds_of(executor, &copy, 0, &err);
    printf("copy of %d MiB: %.0f GB/s\n", COPY_BYTES >> 20, 2e-9 * COPY_BYTES / seconds);
}

int main(int argc, char **argv)
{
    pm_executor *executor;
    pm_device device;
    pm_error err = {0};
    double hz;

    if (pm_device_select(argc > 1 ? argv[1] : NULL, &device, &err) != PM_OK ||
        pm_executor_opencl_open(&device, NULL, &executor, &err) != PM_OK) {
        fprintf(stderr, "%s\n", err.text);
        return err.status;
    }
    hz = 1e6 * (argc > 2 ? atof(argv[2]) : device.clock_mhz);
    printf("%s, cycles of %.0f MHz\n", device.id, hz / 1e6);
    tell_loads(executor, hz);
    tell_rest(executor, hz);
    executor->type->close(executor);
    return PM_OK;
}
