/* Answers the captured program's queries about the largest work-group. See layer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * No NVIDIA GPU runs work-groups of more than LARGEST_GROUP work-items, and perfmodel
 * does not trace larger ones. A CPU's driver allows more, and programs that use the largest size
 * could then not be captured. So the layer tells programs the smaller limit.
 */
#include "capture/layer/layer.h"

enum { LARGEST_GROUP = 1024 };

static const pm_layer_dispatch *next(void)
{
    return &pm_layer_get()->next;
}

static void limit(size_t *value)
{
    if (*value > LARGEST_GROUP)
        *value = LARGEST_GROUP;
}

static cl_int CL_API_CALL device_info(cl_device_id device, cl_device_info name, size_t size,
                                      void *value, size_t *size_ret)
{
    size_t bytes = 0;
    cl_int code = next()->clGetDeviceInfo(device, name, size, value, &bytes);

    if (size_ret)
        *size_ret = bytes;
    if (code == CL_SUCCESS && value &&
        (name == CL_DEVICE_MAX_WORK_GROUP_SIZE || name == CL_DEVICE_MAX_WORK_ITEM_SIZES))
        for (size_t d = 0; d < bytes / sizeof(size_t); d++)
            limit((size_t *)value + d);
    return code;
}

static cl_int CL_API_CALL kernel_info(cl_kernel kernel, cl_device_id device,
                                      cl_kernel_work_group_info name, size_t size, void *value,
                                      size_t *size_ret)
{
    cl_int code = next()->clGetKernelWorkGroupInfo(kernel, device, name, size, value, size_ret);

    if (code == CL_SUCCESS && value && name == CL_KERNEL_WORK_GROUP_SIZE)
        limit(value);
    return code;
}

void pm_layer_fill_limits(pm_layer_dispatch *own)
{
    own->clGetDeviceInfo = device_info;
    own->clGetKernelWorkGroupInfo = kernel_info;
}
