/* Runs a kernel that keeps the GPU busy while the host submits a launch of the captured program.
 * See cuda.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/cupti/hold_ptx.h"

#include "capture/cuda/cuda.h"

static const uint64_t HOLD_NS = 30000;

/* Loads the kernel that keeps the GPU busy. It needs no lock, because only one thread at a time
 * records a launch (pm_rec_take_turn). */
static pm_cu_function look_for(void)
{
    const pm_cuda_layer *cuda = pm_cuda_layer_get();
    pm_cu_function function = NULL;
    pm_cu_module module = NULL;

    if (!cuda->module_load || !cuda->module_function || !cuda->launch ||
        cuda->module_load(&module, PM_HOLD_PTX) != 0 ||
        cuda->module_function(&function, module, PM_HOLD_NAME) != 0)
        return NULL;
    return function;
}

void pm_cuda_hold(pm_cu_context context, pm_cu_stream stream)
{
    pm_cuda_layer *cuda = pm_cuda_layer_get();
    pm_cuda_hold_kernel *hold;
    uint64_t nanoseconds = HOLD_NS;

    pm_rec_lock();
    hold = pm_rec_find(&cuda->holds, context);
    if (!hold)
        hold = pm_rec_put(&cuda->holds, context, sizeof *hold, NULL);
    pm_rec_unlock();
    if (!hold)
        return;
    if (!hold->looked_for)
        hold->function = look_for();
    hold->looked_for = true;
    /* Launch the kernel that keeps the GPU busy while the host submits the program's launch. If
     * this kernel could not be loaded, nothing is launched here, and the measured time of the
     * program's launch includes the host's time to submit it. */
    if (hold->function)
        cuda->launch(hold->function, 1, 1, 1, 1, 1, 1, 0, stream, (void *[]){&nanoseconds}, NULL);
}

void pm_cuda_forget_holds(void)
{
    const pm_cuda_layer *cuda = pm_cuda_layer_get();

    for (size_t i = 0; i < cuda->holds.count; i++)
        ((pm_cuda_hold_kernel *)cuda->holds.items[i])->looked_for = false;
}
