/* Measures the latency of loads by following a chain of indices through a buffer (pointer chasing),
 * by kernels/probe/chase.cl.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/probe/probe.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"

/* FEW: number of loads of the first launch, enough to visit all lines of a small buffer. MORE:
 * number of loads that the second launch executes in addition. */
enum { FEW = 1 << 13, MORE = 1 << 14 };

/* Writes to the start of each line of a buffer the index of the first element of the line to visit
 * next. All lines form one cycle in random order (Sattolo 1986). false if out of memory. */
static bool link_lines(uint32_t *next, size_t lines)
{
    uint32_t *order = malloc(lines * sizeof *order);
    uint64_t state = 1;

    if (!order)
        return false;
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
        next[order[i] * (size_t)(PM_CHASE_LINE / 4)] =
            order[(i + 1) % lines] * (uint32_t)(PM_CHASE_LINE / 4);
    free(order);
    return true;
}

static int few_steps(size_t lines)
{
    return lines < FEW ? (int)lines : FEW;
}

/* Adds to the job (the workload that a measurement runs) a launch that reads the whole buffer, so
 * that caches contain it. The launch has enough work-items to fill the device. */
static void add_touch(const pm_probe *probe, pm_workload *job, size_t from, size_t out,
                      size_t bytes)
{
    size_t global = probe->bench.group * PM_PROBE_UNIT_GROUPS * probe->facts.compute_units;

    pm_workload_launch(job, "touch", 1, &global, &probe->bench.group);
    pm_workload_arg_buffer(job, from);
    pm_workload_arg_buffer(job, out);
    pm_workload_arg_int(job, (int)(bytes / 16));
}

typedef struct {
    size_t few, many;
} launch_pair;

/* Adds to the job (the workload that a measurement runs) the launches that measure the latency of a
 * load in a buffer of `bytes` bytes. warm: true if a launch reads the whole buffer first, so that
 * caches contain it. pair: gets the indices of the two measured launches. Returns false if memory
 * runs out. */
static bool add_size(const pm_probe *probe, pm_workload *job, size_t out, size_t bytes, bool warm,
                     launch_pair *pair)
{
    size_t lines = bytes / PM_CHASE_LINE, from, state;
    uint32_t *next = pm_workload_contents(job, lines * PM_CHASE_LINE);
    bool linked =
        /* link_lines needs no call if `next` is NULL; the job has then recorded the error
         * already */
        !next || link_lines(next, lines);

    from = pm_workload_buffer(job, "next", lines * PM_CHASE_LINE, next, PM_BUFFER_IN);
    state = pm_workload_buffer(job, "state", sizeof *next, NULL, PM_BUFFER_IN);
    if (warm)
        add_touch(probe, job, from, out, lines * PM_CHASE_LINE);
    for (int i = 0; i < 2; i++) {
        pm_workload_launch(job, "chase", 1, (size_t[]){1}, (size_t[]){1});
        pm_workload_arg_buffer(job, from);
        pm_workload_arg_buffer(job, state);
        pm_workload_arg_int(job, few_steps(lines) + (i == 0 ? 0 : MORE));
    }
    *pair = (launch_pair){.few = job->launch_count - 2, .many = job->launch_count - 1};
    return linked;
}

void pm_probe_chase(pm_probe *probe, const size_t *bytes, size_t count, bool warm,
                    pm_probe_value *seconds, pm_probe_value *cycles)
{
    launch_pair pairs[PM_CHASE_MAX] = {{0}};
    pm_workload *job = pm_probe_job(&probe->bench, "probe/chase.cl", "");
    size_t groups = (size_t)PM_PROBE_UNIT_GROUPS * probe->facts.compute_units;
    size_t out = pm_workload_buffer(job, "out", groups * probe->bench.group * sizeof(uint32_t),
                                    NULL, PM_BUFFER_IN);
    pm_probe_times times;

    for (size_t i = 0; job && i < count; i++)
        if (!add_size(probe, job, out, bytes[i], warm, &pairs[i])) {
            pm_workload_free(job);
            pm_leave(&probe->bench.memory, PM_FAILED, "out of memory for a buffer of %zu KiB",
                     bytes[i] >> 10);
        }
    times = pm_probe_run_job(&probe->bench, job);
    for (size_t i = 0; i < count; i++) {
        if (seconds &&
            !pm_probe_step_seconds(&times, pairs[i].few, pairs[i].many, MORE, &seconds[i]))
            seconds[i] = (pm_probe_value){0};
        if (cycles && !pm_probe_step_cycles(&probe->bench, &times, pairs[i].few, pairs[i].many,
                                            MORE, &cycles[i]))
            cycles[i] = (pm_probe_value){0};
    }
}
