/* What a CPU's core executes of kernels. See machine.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/machine/machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/executor.h"
#include "collector/machine/live.h"
#include "collector/machine/schedule.h"
#include "collector/opencl/opencl.h"

typedef struct {
    pm_memory memory;
    pm_executor *executor;
    const pm_workload *workload;
    const char *const *kernels;
    size_t kernel_count;
    pm_machine_work *work;
} counting;

static pm_status run_pass(void *user, pm_error *err)
{
    pm_executor *executor = user;

    return executor->type->run(executor, NULL, err);
}

/* Work-groups of a kernel in a pass. */
static uint64_t groups_of(const pm_workload *workload, const char *kernel)
{
    uint64_t groups = 0;

    for (size_t i = 0; i < workload->launch_count; i++) {
        const pm_launch *launch = &workload->launches[i];
        uint64_t here = 1;

        for (unsigned d = 0; d < launch->dimensions; d++)
            here *= launch->global[d] / launch->local[d];
        groups += strcmp(launch->kernel, kernel) == 0 ? here : 0;
    }
    return groups;
}

/* A kernel's images together. One whose few work-groups had no window takes as many cycles an
 * instruction as the others. */
static void sum_up(counting *c, const pm_machine_live *live, size_t count, size_t kernel)
{
    pm_machine_work *work = &c->work[kernel];
    double scheduled = 0;

    *work = (pm_machine_work){0, 0};
    for (size_t i = 0; i < count; i++) {
        const double instructions = (double)live[i].instructions;

        if (live[i].image->kernel != kernel || live[i].instructions == 0)
            continue;
        work->instructions += instructions;
        if (live[i].step_count == 0)
            continue;
        scheduled += instructions;
        work->cycles += instructions * pm_machine_cycles(&c->memory, &live[i].text, live[i].steps,
                                                         live[i].step_count);
    }
    if (!(work->instructions > 0) || !(scheduled > 0))
        pm_leave(&c->memory, PM_FAILED, "kernel %s ran as no code that was found",
                 c->kernels[kernel]);
    work->cycles *= work->instructions / scheduled;
}

static void count_loaded(void *user)
{
    counting *c = user;
    pm_memory *memory = &c->memory;
    pm_machine_image *images;
    pm_machine_live *live;
    size_t count;

    pm_require(memory, run_pass(c->executor, memory->err));
    images = pm_machine_images_find(memory, c->kernels, c->kernel_count, &count);
    live = pm_take(memory, count + 1, sizeof *live);
    for (size_t i = 0; i < count; i++)
        pm_machine_live_read(memory, &images[i],
                             groups_of(c->workload, c->kernels[images[i].kernel]), &live[i]);
    for (pm_machine_watch watch = PM_MACHINE_STEP; watch <= PM_MACHINE_COUNT; watch++)
        pm_require(memory,
                   pm_machine_live_watch(live, count, watch, run_pass, c->executor, memory->err));
    for (size_t k = 0; k < c->kernel_count; k++)
        sum_up(c, live, count, k);
}

/* PoCL's names for it: before 5.0, and since. */
static pm_status open_on_one_thread(const char *id, pm_executor **executor, pm_error *err)
{
    pm_device device;

    setenv("POCL_MAX_PTHREAD_COUNT", "1", 1);
    setenv("POCL_CPU_MAX_CU_COUNT", "1", 1);
    if (pm_device_select(id, &device, err) != PM_OK)
        return err->status;
    if (device.compute_units != 1)
        return pm_fail(err, PM_FAILED, "%s does not run on one thread", device.name);
    return pm_executor_opencl_open(&device, NULL, executor, err);
}

pm_status pm_machine_count(const char *device, const pm_workload *workload,
                           const char *const *kernels, size_t kernel_count, pm_machine_work *work,
                           pm_error *err)
{
    pm_executor *executor = NULL;
    counting c = {
        .workload = workload, .kernels = kernels, .kernel_count = kernel_count, .work = work};
    pm_status status;

#if !defined __x86_64__
    return pm_fail(err, PM_FAILED, "machine code is counted on x86-64 alone");
#endif
    status = open_on_one_thread(device, &executor, err);
    if (status != PM_OK || !executor)
        return status;
    c.executor = executor;
    status = executor->type->load(executor, workload, err);
    if (status == PM_OK)
        status = pm_attempt(&c.memory, count_loaded, &c, err);
    pm_memory_free(&c.memory);
    executor->type->unload(executor);
    executor->type->close(executor);
    return status;
}
