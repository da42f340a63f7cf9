/* The layer as the loader sees it, and the struct that it has. See layer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "capture/layer/layer.h"

#include <stdlib.h>
#include <string.h>

static pm_layer layer = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .turn_given = PTHREAD_COND_INITIALIZER, .journal = -1};

_Thread_local bool pm_layer_in_callback;

pm_layer *pm_layer_get(void)
{
    return &layer;
}

void pm_layer_lock(void)
{
    pthread_mutex_lock(&layer.lock);
}

void pm_layer_unlock(void)
{
    pthread_mutex_unlock(&layer.lock);
}

/* ---- fork and end ---------------------------------------------------------------------------- */

/* The child finds the mutex free, and the state whole. */
static void forked(void)
{
    pm_layer_forked();
    pm_layer_unlock();
}

/* The driver may be gone already: nothing here calls it. */
static void end(void)
{
    pm_text record = {0};

    if (pthread_mutex_trylock(&layer.lock) != 0)
        return; /* another thread ends in the middle of a call */
    if (layer.active && layer.journal >= 0) {
        pm_layer_write_totals(true);
        pm_text_add(&record, "end");
        pm_layer_record(&record);
    }
    layer.active = false;
    pm_layer_unlock();
}

/* Loaders before those that call clDeinitLayer leave it to this. */
__attribute__((destructor)) static void at_end(void)
{
    end();
}

/* ---- what the loader asks -------------------------------------------------------------------- */

static cl_int answer(const void *value, size_t size, size_t room, void *to, size_t *size_ret)
{
    if (to && room < size)
        return CL_INVALID_VALUE;
    if (to)
        memcpy(to, value, size);
    if (size_ret)
        *size_ret = size;
    return CL_SUCCESS;
}

__attribute__((visibility("default"))) cl_int clGetLayerInfo(cl_layer_info name, size_t size,
                                                             void *value, size_t *size_ret)
{
    static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    static const char text[] = "perfmodel capture";

    if (name == CL_LAYER_API_VERSION)
        return answer(&version, sizeof version, size, value, size_ret);
    if (name == CL_LAYER_NAME)
        return answer(text, sizeof text, size, value, size_ret);
    return CL_INVALID_VALUE;
}

static void set_up(void)
{
    const char *choice = getenv(PM_RECORD_CHOICE);

    layer.records = getenv(PM_RECORD_FOLDER);
    layer.records = layer.records ? strdup(layer.records) : NULL;
    layer.active = layer.records && choice && pm_layer_choice_read(choice, &layer.choice) &&
                   pthread_atfork(pm_layer_lock, pm_layer_unlock, forked) == 0;
}

/* The table has what the loader's has, and what the layer looks at in place of some. */
__attribute__((visibility("default"))) cl_int
clInitLayer(cl_uint num_entries, const cl_icd_dispatch *target_dispatch, cl_uint *num_entries_ret,
            const cl_icd_dispatch **layer_dispatch_ret)
{
    const size_t most = sizeof layer.next / sizeof(void *);
    const size_t count = num_entries < most ? num_entries : most;

    if (!target_dispatch || !num_entries_ret || !layer_dispatch_ret)
        return CL_INVALID_VALUE;
    memcpy(&layer.next, target_dispatch, count * sizeof(void *));
    layer.own = layer.next;
    set_up();
    if (layer.active) {
        pm_layer_fill_objects(&layer.own);
        pm_layer_fill_programs(&layer.own);
        pm_layer_fill_kernels(&layer.own);
        pm_layer_fill_waits(&layer.own);
        pm_layer_fill_launches(&layer.own);
    }
    *num_entries_ret = (cl_uint)count;
    *layer_dispatch_ret = &layer.own;
    return CL_SUCCESS;
}

/* Khronos' loader asks for these two since 2025; headers may be older. */
cl_int clInitLayerWithProperties(cl_uint num_entries, const cl_icd_dispatch *target_dispatch,
                                 cl_uint *num_entries_ret,
                                 const cl_icd_dispatch **layer_dispatch_ret,
                                 const cl_properties *properties);
cl_int clDeinitLayer(void);

__attribute__((visibility("default"))) cl_int
clInitLayerWithProperties(cl_uint num_entries, const cl_icd_dispatch *target_dispatch,
                          cl_uint *num_entries_ret, const cl_icd_dispatch **layer_dispatch_ret,
                          const cl_properties *properties)
{
    (void)properties;
    return clInitLayer(num_entries, target_dispatch, num_entries_ret, layer_dispatch_ret);
}

__attribute__((visibility("default"))) cl_int clDeinitLayer(void)
{
    end();
    return CL_SUCCESS;
}
