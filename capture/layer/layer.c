/* Functions by which the OpenCL loader starts and ends this library, a layer between the captured
 * program and the OpenCL driver. See layer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "capture/layer/layer.h"

#include <stdlib.h>
#include <string.h>

/* ---- fork and end ---------------------------------------------------------------------------- */

/* Called in the child after a fork of the captured program. Forgets the ids of programs and
 * kernels, so that the child writes them into its own records again. */
static void forked(void)
{
    pm_layer *layer = pm_layer_get();

    layer->pending_count = 0;
    for (size_t i = 0; i < layer->programs.count; i++)
        ((pm_layer_program *)layer->programs.items[i])->id = 0;
    for (size_t i = 0; i < layer->kernels.count; i++)
        ((pm_layer_kernel *)layer->kernels.items[i])->entry = NULL;
}

/* Library destructor. It is needed because older OpenCL loaders do not call clDeinitLayer. */
__attribute__((destructor)) static void at_end(void)
{
    pm_rec_end();
}

/* ---- calls by the loader --------------------------------------------------------------------- */

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

/* Returns the layer's function table to the loader. It is a copy of the loader's table in which the
 * functions that the layer handles are replaced. */
__attribute__((visibility("default"))) cl_int
clInitLayer(cl_uint num_entries, const cl_icd_dispatch *target_dispatch, cl_uint *num_entries_ret,
            const cl_icd_dispatch **layer_dispatch_ret)
{
    pm_layer *layer = pm_layer_get();
    const size_t most = sizeof layer->next / sizeof(void *);
    const size_t count = num_entries < most ? num_entries : most;

    if (!target_dispatch || !num_entries_ret || !layer_dispatch_ret)
        return CL_INVALID_VALUE;
    memcpy(&layer->next, target_dispatch, count * sizeof(void *));
    layer->own = layer->next;
    if (pm_rec_set_up("", forked, NULL)) {
        pm_layer_fill_objects(&layer->own);
        pm_layer_fill_svm(&layer->own);
        pm_layer_fill_limits(&layer->own);
        pm_layer_fill_programs(&layer->own);
        pm_layer_fill_kernels(&layer->own);
        pm_layer_fill_waits(&layer->own);
        pm_layer_fill_launches(&layer->own);
    }
    *num_entries_ret = (cl_uint)count;
    *layer_dispatch_ret = &layer->own;
    return CL_SUCCESS;
}

/* clInitLayerWithProperties and clDeinitLayer: Khronos' loader calls them since 2025. They are
 * declared here because older OpenCL headers do not have them. */
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
    pm_rec_end();
    return CL_SUCCESS;
}
