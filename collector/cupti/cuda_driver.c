/* Loads NVIDIA's CUDA driver (libcuda) at run time and not when perfmodel is linked, so that one
 * perfmodel binary runs on machines with and without an NVIDIA GPU.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/cupti/cuda_driver.h"

#include <dlfcn.h>
#include <string.h>

#include "base/error.h"

static pm_status find_functions(pm_cuda_driver *cuda, pm_error *err)
{
    void *found;

    /* Copies the address byte by byte, because ISO C has no cast from void * to a function pointer.
     * POSIX guarantees that the copy is a valid function pointer. */
#define PM_CUDA_FIND(type, name, symbol, parameters)                                               \
    found = dlsym(cuda->library, symbol);                                                          \
    if (!found)                                                                                    \
        return pm_fail(err, PM_FAILED,                                                             \
                       "libcuda.so.1 has no %s: the NVIDIA driver is too old, or this is not it",  \
                       symbol);                                                                    \
    memcpy(&cuda->name, &found, sizeof found);
    PM_CUDA_FUNCTIONS(PM_CUDA_FIND)
#undef PM_CUDA_FIND
    return PM_OK;
}

pm_status pm_cuda_check(const pm_cuda_driver *cuda, pm_error *err, const char *call,
                        const char *about, pm_cu_result code)
{
    const char *name = NULL, *text = NULL;

    if (code == 0)
        return PM_OK;
    if (cuda->error_name(code, &name) != 0 || !name)
        name = "unknown error";
    if (cuda->error_string(code, &text) != 0 || !text)
        text = "no description";
    return pm_fail(err, PM_FAILED, "%s%s%s: %s (%d), %s", call, about ? " for " : "",
                   about ? about : "", name, code, text);
}

pm_status pm_cuda_driver_open(pm_cuda_driver *cuda, pm_error *err)
{
    pm_cu_result code;
    int count = 0;

    memset(cuda, 0, sizeof *cuda);
    cuda->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
    if (!cuda->library)
        return pm_fail(err, PM_FAILED,
                       "no CUDA driver (%s): install NVIDIA's driver, or add the folder of "
                       "libcuda.so.1 to LD_LIBRARY_PATH",
                       dlerror());
    if (find_functions(cuda, err) != PM_OK) {
        pm_cuda_driver_close(cuda);
        return PM_FAILED;
    }
    code = cuda->init(0);
    if (code != 0)
        pm_cuda_check(cuda, err, "cuInit", NULL, code);
    else if ((code = cuda->device_count(&count)) != 0)
        pm_cuda_check(cuda, err, "cuDeviceGetCount", NULL, code);
    else if (count == 0)
        pm_fail(err, PM_FAILED, "the CUDA driver sees no GPU; look at CUDA_VISIBLE_DEVICES");
    else
        return PM_OK;
    pm_cuda_driver_close(cuda);
    return PM_FAILED;
}

pm_status pm_cuda_driver_find(const pm_cuda_driver *cuda, const pm_device *wanted,
                              pm_cu_device *device, pm_error *err)
{
    int count = 0, bus = -1, slot = -1;
    pm_cu_result code = cuda->device_count(&count);

    if (code != 0)
        return pm_cuda_check(cuda, err, "cuDeviceGetCount", NULL, code);
    for (int i = 0; i < count; i++) {
        code = cuda->device_get(device, i);
        if (code != 0)
            return pm_cuda_check(cuda, err, "cuDeviceGet", NULL, code);
        if (cuda->device_attribute(&bus, PM_CU_ATTRIBUTE_PCI_BUS, *device) == 0 &&
            cuda->device_attribute(&slot, PM_CU_ATTRIBUTE_PCI_DEVICE, *device) == 0 &&
            bus == (int)wanted->pci_bus && slot == (int)wanted->pci_slot)
            return PM_OK;
    }
    if (count == 1)
        /* CUDA sees only one GPU, so use this GPU even if its PCI slot differs. The loop above has
         * set *device to it. */
        return PM_OK;
    return pm_fail(err, PM_FAILED,
                   "none of the %d GPUs that CUDA sees is %s in PCI slot %02x:%02x; look at "
                   "CUDA_VISIBLE_DEVICES",
                   count, wanted->name, wanted->pci_bus, wanted->pci_slot);
}

void pm_cuda_driver_close(pm_cuda_driver *cuda)
{
    if (cuda->library)
        dlclose(cuda->library);
    memset(cuda, 0, sizeof *cuda);
}
