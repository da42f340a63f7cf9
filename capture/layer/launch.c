/* Handles the captured program's kernel launches: records a launch, or only passes it on to the
 * driver and times it. See layer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stddef.h>

#include "capture/layer/layer.h"

/* number of finished launches whose times are read whenever a new launch begins */
enum { HARVEST = 4 };

static const pm_layer_dispatch *next(void)
{
    return &pm_layer_get()->next;
}

/* ---- a launch -------------------------------------------------------------------------------- */

static cl_int hand_on(const pm_layer_call *call, pm_left_out reason)
{
    cl_event own = NULL, *event = call->event ? call->event : &own;
    cl_int code = pm_layer_pass_on(call, event);

    if (code != CL_SUCCESS || (call->event && next()->clRetainEvent(*event) != CL_SUCCESS))
        return code;
    pm_rec_lock();
    pm_recording_get()->number++;
    pm_layer_await(*event, call->entry, reason, call->items);
    pm_layer_harvest(HARVEST);
    pm_rec_unlock();
    return code;
}

/* Returns PM_CAPTURED if a launch can be recorded now, else the reason why not. Recording a launch
 * waits for all enqueued work; this is impossible in a callback of the driver and while a user
 * event is open. The caller must hold the recording's lock (pm_rec_lock()). */
static pm_left_out choose(const pm_layer_call *call)
{
    const pm_left_out reason = pm_rec_choose(call->entry, call->items);

    if (reason == PM_CAPTURED && pm_layer_in_callback)
        return PM_LEFT_CALLBACK;
    if (reason == PM_CAPTURED && pm_layer_get()->open_user_events > 0)
        return PM_LEFT_USER_EVENT;
    return reason;
}

static cl_int launch(pm_layer_call *call)
{
    const pm_layer_kernel *kernel;
    pm_left_out reason;
    bool launched = false;
    cl_int code = CL_SUCCESS;

    call->items = 1;
    for (cl_uint d = 0; call->global && d < call->dimensions && d < 3; d++)
        call->items *= call->global[d];
    pm_rec_lock();
    kernel = pm_rec_find(&pm_layer_get()->kernels, call->kernel);
    call->entry = kernel ? kernel->entry : NULL;
    if (!pm_recording_get()->active || !call->entry || !call->global || call->dimensions < 1 ||
        call->dimensions > 3) {
        pm_rec_unlock();
        return pm_layer_pass_on(call, call->event);
    }
    reason = choose(call);
    if (reason == PM_CAPTURED) {
        pm_rec_take_turn();
        pm_rec_unlock();
        launched = pm_layer_record_launch(call, &code, &reason);
        pm_rec_lock();
        pm_rec_give_turn();
    }
    pm_rec_unlock();
    return launched ? code : hand_on(call, reason);
}

static cl_int CL_API_CALL nd_range(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                   const size_t *offset, const size_t *global, const size_t *local,
                                   cl_uint count, const cl_event *events, cl_event *event)
{
    return launch(&(pm_layer_call){.queue = queue,
                                   .kernel = kernel,
                                   .dimensions = dimensions,
                                   .offset = offset,
                                   .global = global,
                                   .local = local,
                                   .wait_count = count,
                                   .wait_list = events,
                                   .event = event});
}

static cl_int CL_API_CALL task(cl_command_queue queue, cl_kernel kernel, cl_uint count,
                               const cl_event *events, cl_event *event)
{
    static const size_t one = 1;

    return launch(&(pm_layer_call){.queue = queue,
                                   .kernel = kernel,
                                   .dimensions = 1,
                                   .global = &one,
                                   .local = &one,
                                   .wait_count = count,
                                   .wait_list = events,
                                   .event = event,
                                   .task = true});
}

void pm_layer_fill_launches(pm_layer_dispatch *own)
{
    own->clEnqueueNDRangeKernel = nd_range;
    own->clEnqueueTask = task;
}
