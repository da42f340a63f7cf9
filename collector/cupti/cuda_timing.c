/* Times kernel launches by CUDA events.
 *
 * The GPU records an event's time stamp when it has executed the stream's earlier work. If the GPU
 * is idle, it records the time stamp at once. The host starts the next launch some microseconds
 * later, and these microseconds would be measured, too. The host therefore queues all events and
 * launches while a kernel of one thread, which accesses no memory, keeps the GPU busy.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/cupti/cuda_timing.h"

#include <stdlib.h>

#include "base/error.h"
#include "collector/cupti/hold_ptx.h"

/* Nanoseconds for which a kernel of one thread keeps the GPU busy while the host queues the
 * launches to be timed: HOLD_NS plus HOLD_LAUNCH_NS for each launch, at most HOLD_MOST_NS. */
static const uint64_t HOLD_NS = 30000, HOLD_LAUNCH_NS = 10000, HOLD_MOST_NS = 10000000;

pm_status pm_cuda_timing_open(const pm_cuda_driver *cuda, size_t launches, pm_cuda_timing *timing,
                              pm_error *err)
{
    pm_status status;

    *timing = (pm_cuda_timing){.cuda = cuda, .launches = launches};
    timing->events = calloc(launches + 1, sizeof *timing->events);
    if (!timing->events)
        return pm_fail(err, PM_FAILED, "out of memory for %zu events", launches + 1);
    status = pm_cuda_check(cuda, err, "cuModuleLoadDataEx", "timing",
                           cuda->module_load(&timing->module, PM_HOLD_PTX, 0, NULL, NULL));
    if (status != PM_OK) {
        timing->module = NULL;
        return status;
    }
    status = pm_cuda_check(cuda, err, "cuModuleGetFunction", "timing",
                           cuda->module_function(&timing->hold, timing->module, PM_HOLD_NAME));
    for (size_t i = 0; status == PM_OK && i <= launches; i++) {
        pm_cu_result code = cuda->event_create(&timing->events[i], 0);

        if (code != 0)
            timing->events[i] = NULL;
        status = pm_cuda_check(cuda, err, "cuEventCreate", NULL, code);
    }
    return status;
}

void pm_cuda_timing_close(pm_cuda_timing *timing)
{
    for (size_t i = 0; timing->events && i <= timing->launches; i++)
        if (timing->events[i])
            timing->cuda->event_destroy(timing->events[i]);
    if (timing->module)
        timing->cuda->module_unload(timing->module);
    free(timing->events);
    *timing = (pm_cuda_timing){0};
}

static pm_status record(pm_cuda_timing *t, size_t event, pm_error *err)
{
    return pm_cuda_check(t->cuda, err, "cuEventRecord", NULL,
                         t->cuda->event_record(t->events[event], NULL));
}

static pm_status hold(pm_cuda_timing *t, pm_error *err)
{
    uint64_t nanoseconds = HOLD_NS + HOLD_LAUNCH_NS * t->launches;
    void *arguments[] = {&nanoseconds};

    if (nanoseconds > HOLD_MOST_NS)
        nanoseconds = HOLD_MOST_NS;
    return pm_cuda_check(t->cuda, err, "cuLaunchKernel", "timing",
                         t->cuda->launch(t->hold, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
}

pm_status pm_cuda_timing_run(pm_cuda_timing *t, pm_cuda_program *program, double *seconds,
                             pm_error *err)
{
    pm_status status = hold(t, err);

    if (status == PM_OK)
        status = record(t, 0, err);
    for (size_t i = 0; status == PM_OK && i < t->launches; i++) {
        status = pm_cuda_program_ready(program, i, err);
        if (status == PM_OK)
            status = pm_cuda_program_launch(program, i, err);
        if (status == PM_OK)
            status = record(t, i + 1, err);
    }
    if (status == PM_OK)
        status = pm_cuda_program_wait(program, err);
    for (size_t i = 0; status == PM_OK && i < t->launches; i++) {
        float milliseconds = 0;

        status =
            pm_cuda_check(t->cuda, err, "cuEventElapsedTime", NULL,
                          t->cuda->event_elapsed(&milliseconds, t->events[i], t->events[i + 1]));
        seconds[i] = milliseconds * 1e-3;
    }
    return status;
}
