/* Measures the times of the captured program's kernels by their OpenCL events. See layer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For a launch that is not recorded, the layer only keeps its event. When the program later calls
 * OpenCL and the launch has finished, the layer reads the launch's time from this event.
 */
#include <stdlib.h>

#include "capture/layer/layer.h"

enum { MOST_PENDING = 1 << 20 };

static const pm_layer_dispatch *next(void)
{
    return &pm_layer_get()->next;
}

bool pm_layer_event_ns(cl_event event, uint64_t *ns)
{
    cl_ulong start = 0, end = 0;

    if (next()->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start,
                                        NULL) != CL_SUCCESS ||
        next()->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) !=
            CL_SUCCESS ||
        end < start)
        return false;
    *ns = end - start;
    return true;
}

static bool make_room(pm_layer *layer)
{
    size_t room = layer->pending_room ? layer->pending_room * 2 : 256;
    pm_layer_pending *grown;

    if (layer->pending_count < layer->pending_room)
        return true;
    grown = room <= MOST_PENDING ? calloc(room, sizeof *grown) : NULL;
    if (!grown)
        return false;
    for (size_t i = 0; i < layer->pending_count; i++)
        grown[i] = layer->pending[(layer->pending_first + i) & (layer->pending_room - 1)];
    free(layer->pending);
    layer->pending = grown;
    layer->pending_room = room;
    layer->pending_first = 0;
    return true;
}

void pm_layer_await(cl_event event, pm_rec_entry *entry, pm_left_out reason, uint64_t items)
{
    pm_layer *layer = pm_layer_get();
    size_t i;

    if (!make_room(layer)) {
        pm_rec_count(entry, reason, false, 0);
        next()->clReleaseEvent(event);
        return;
    }
    i = (layer->pending_first + layer->pending_count++) & (layer->pending_room - 1);
    layer->pending[i] = (pm_layer_pending){event, entry, reason, items};
}

/* Returns true if the launch has finished or failed. */
static bool is_over(cl_event event)
{
    cl_int status = CL_COMPLETE;

    return next()->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                                  NULL) != CL_SUCCESS ||
           status <= CL_COMPLETE;
}

void pm_layer_harvest(size_t most)
{
    pm_layer *layer = pm_layer_get();

    for (; most > 0 && layer->pending_count > 0; most--) {
        const pm_layer_pending *done = &layer->pending[layer->pending_first];
        uint64_t ns = 0;
        bool timed;

        if (!is_over(done->event))
            break;
        timed = pm_layer_event_ns(done->event, &ns);
        if (timed)
            pm_rec_learn(done->entry, done->items, ns);
        pm_rec_count(done->entry, done->reason, timed, ns);
        next()->clReleaseEvent(done->event);
        layer->pending_first = (layer->pending_first + 1) & (layer->pending_room - 1);
        layer->pending_count--;
    }
    pm_rec_write_totals(false);
}

/* ---- calls of the program that wait for launches --------------------------------------------- */

static void harvest(void)
{
    pm_rec_lock();
    pm_layer_harvest(SIZE_MAX);
    pm_rec_unlock();
}

static cl_int CL_API_CALL finish(cl_command_queue queue)
{
    cl_int code = next()->clFinish(queue);

    harvest();
    return code;
}

static cl_int CL_API_CALL wait_for_events(cl_uint count, const cl_event *events)
{
    cl_int code = next()->clWaitForEvents(count, events);

    harvest();
    return code;
}

static cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                      size_t offset, size_t size, void *to, cl_uint count,
                                      const cl_event *events, cl_event *event)
{
    cl_int code = next()->clEnqueueReadBuffer(queue, buffer, blocking, offset, size, to, count,
                                              events, event);

    if (blocking)
        harvest();
    return code;
}

static void *CL_API_CALL map_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                    cl_map_flags flags, size_t offset, size_t size, cl_uint count,
                                    const cl_event *events, cl_event *event, cl_int *code)
{
    void *mapped = next()->clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, count,
                                              events, event, code);

    if (blocking)
        harvest();
    return mapped;
}

/* ---- events that the host sets, and callbacks ------------------------------------------------ */

/* Creates a user event, and counts the user events whose status the program has not set yet.
 * Launches may wait for such an event, so if the layer waited for a launch, it might wait
 * forever. */
static cl_event CL_API_CALL create_user_event(cl_context context, cl_int *code)
{
    cl_event event = next()->clCreateUserEvent(context, code);

    pm_rec_lock();
    pm_layer_get()->open_user_events += event != NULL;
    pm_rec_unlock();
    return event;
}

static cl_int CL_API_CALL set_user_event(cl_event event, cl_int status)
{
    cl_int code = next()->clSetUserEventStatus(event, status);

    pm_rec_lock();
    if (code == CL_SUCCESS && pm_layer_get()->open_user_events > 0)
        pm_layer_get()->open_user_events--;
    pm_rec_unlock();
    return code;
}

typedef struct {
    void(CL_CALLBACK *call)(cl_event, cl_int, void *);
    void *user;
} callback;

static void CL_CALLBACK call_back(cl_event event, cl_int status, void *user)
{
    const callback theirs = *(callback *)user;
    const bool before = pm_layer_in_callback;

    free(user);
    pm_layer_in_callback = true;
    theirs.call(event, status, theirs.user);
    pm_layer_in_callback = before;
}

static cl_int CL_API_CALL set_callback(cl_event event, cl_int type,
                                       void(CL_CALLBACK *call)(cl_event, cl_int, void *),
                                       void *user)
{
    callback *ours = call ? malloc(sizeof *ours) : NULL;
    cl_int code;

    if (!ours)
        return next()->clSetEventCallback(event, type, call, user);
    *ours = (callback){call, user};
    code = next()->clSetEventCallback(event, type, call_back, ours);
    if (code != CL_SUCCESS)
        free(ours);
    return code;
}

void pm_layer_fill_waits(pm_layer_dispatch *own)
{
    own->clFinish = finish;
    own->clWaitForEvents = wait_for_events;
    own->clEnqueueReadBuffer = read_buffer;
    own->clEnqueueMapBuffer = map_buffer;
    own->clCreateUserEvent = create_user_event;
    own->clSetUserEventStatus = set_user_event;
    own->clSetEventCallback = set_callback;
}
