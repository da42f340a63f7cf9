/* What a CPU's core executes of kernels. See machine.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/machine/machine.h"

#include <stdlib.h>

#include "base/error.h"
#include "collector/executor.h"
#include "collector/machine/live.h"
#include "collector/machine/paths.h"
#include "collector/machine/schedule.h"
#include "collector/opencl/opencl.h"

/* About as many on Intel's and AMD's cores since 2013: 15 to 20 (A. Fog, The microarchitecture of
 * Intel, AMD and VIA CPUs). */
static const double WRONG_BRANCH_CYCLES = 16;

typedef struct {
    pm_memory memory;
    pm_executor *executor;
    const char *const *kernels;
    size_t kernel_count;
    pm_machine_work *work;
} counting;

static pm_status run_pass(void *user, pm_error *err)
{
    pm_executor *executor = user;

    return executor->type->run(executor, NULL, err);
}

/* A kernel's images together. */
static void sum_up(counting *c, const pm_machine_live *live, size_t count, size_t kernel)
{
    pm_machine_work *work = &c->work[kernel];

    *work = (pm_machine_work){0, 0};
    for (size_t i = 0; i < count; i++) {
        const uint8_t *code = live[i].image->code;
        pm_machine_paths paths;

        if (live[i].image->kernel != kernel)
            continue;
        paths = pm_machine_paths_of(&c->memory, &live[i].text, live[i].counts,
                                    live[i].text.step_at[live[i].image->entry - code]);
        if (paths.instructions == 0)
            continue;
        work->instructions += (double)paths.instructions;
        work->cycles +=
            (double)paths.instructions * pm_machine_cycles(&c->memory, &live[i].text, paths.steps) +
            paths.wrong * WRONG_BRANCH_CYCLES;
    }
    if (!(work->instructions > 0))
        pm_leave(&c->memory, PM_FAILED, "kernel %s ran as no code that was found",
                 c->kernels[kernel]);
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
        pm_machine_live_read(memory, &images[i], &live[i]);
    pm_require(memory, pm_machine_live_count(live, count, run_pass, c->executor, memory->err));
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
    counting c = {.kernels = kernels, .kernel_count = kernel_count, .work = work};
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
