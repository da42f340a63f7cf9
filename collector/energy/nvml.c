/* Reads the energy meter of NVIDIA's GPUs by NVIDIA's library NVML, which is loaded at run time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The types and constants of NVML's interface are from the NVML API Reference Guide for driver 580.
 * nvmlDeviceGetTotalEnergyConsumption counts millijoules since the driver was loaded, on GPUs from
 * Volta on.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/energy/energy.h"

typedef int nvml_result; /* nvmlReturn_t; 0 is success */
enum { NOT_SUPPORTED = 3 };
typedef struct nvml_device_ *nvml_device; /* opaque handle of the driver */

/* NVML's struct nvmlPciInfo_t, followed by space for members that later versions of NVML may
 * add. */
typedef struct {
    char legacy_id[16];
    unsigned domain, bus, slot, device_id, subsystem_id;
    char id[32];
    char room[64];
} nvml_pci;

/* X-macro list of all NVML functions that perfmodel calls. X(member of a struct of function
 * pointers, symbol in libnvidia-ml, parameters). */
#define NVML_FUNCTIONS(X)                                                                          \
    X(init, "nvmlInit_v2", (void))                                                                 \
    X(shutdown, "nvmlShutdown", (void))                                                            \
    X(count, "nvmlDeviceGetCount_v2", (unsigned *count))                                           \
    X(at, "nvmlDeviceGetHandleByIndex_v2", (unsigned index, nvml_device *device))                  \
    X(pci, "nvmlDeviceGetPciInfo_v3", (nvml_device device, nvml_pci * pci))                        \
    X(energy, "nvmlDeviceGetTotalEnergyConsumption",                                               \
      (nvml_device device, unsigned long long *millijoules))

struct pm_energy {
    void *library;
    bool started;
    nvml_device device;
    const char *(*text)(nvml_result code);
#define NVML_MEMBER(name, symbol, parameters) nvml_result(*name) parameters;
    NVML_FUNCTIONS(NVML_MEMBER)
#undef NVML_MEMBER
};

static pm_status check(const pm_energy *nvml, const char *call, nvml_result code, pm_error *err)
{
    const char *text = code ? nvml->text(code) : NULL;

    return code == 0 ? PM_OK
                     : pm_fail(err, PM_FAILED, "no energy: %s: %s (%d)", call,
                               text ? text : "no description", code);
}

static pm_status find_functions(pm_energy *nvml, pm_error *err)
{
    void *found = dlsym(nvml->library, "nvmlErrorString");

    /* Copies the address byte by byte, because ISO C has no cast from void * to a function pointer.
     * POSIX guarantees that the copy is a valid function pointer. */
    memcpy(&nvml->text, &found, sizeof found);
    if (!found)
        return pm_fail(err, PM_FAILED,
                       "no energy: libnvidia-ml.so.1 has no nvmlErrorString: this "
                       "is not NVIDIA's");
#define NVML_FIND(name, symbol, parameters)                                                        \
    found = dlsym(nvml->library, symbol);                                                          \
    if (!found)                                                                                    \
        return pm_fail(err, PM_FAILED,                                                             \
                       "no energy: libnvidia-ml.so.1 has no %s: the NVIDIA driver is too old",     \
                       symbol);                                                                    \
    memcpy(&nvml->name, &found, sizeof found);
    NVML_FUNCTIONS(NVML_FIND)
#undef NVML_FIND
    return PM_OK;
}

/* Finds NVML's handle of the GPU in the same PCI slot as the OpenCL device `wanted`. If the machine
 * has only one GPU, that GPU is used without a comparison of slots. */
static pm_status find_device(pm_energy *nvml, const pm_device *wanted, pm_error *err)
{
    unsigned count = 0;
    pm_status status = check(nvml, "nvmlDeviceGetCount", nvml->count(&count), err);

    for (unsigned i = 0; status == PM_OK && i < count; i++) {
        nvml_pci pci = {.bus = ~0u};

        status = check(nvml, "nvmlDeviceGetHandleByIndex", nvml->at(i, &nvml->device), err);
        if (status == PM_OK && nvml->pci(nvml->device, &pci) == 0 && pci.bus == wanted->pci_bus &&
            pci.slot == wanted->pci_slot)
            return PM_OK;
    }
    if (status != PM_OK || count == 1)
        return status;
    return pm_fail(err, PM_FAILED,
                   "no energy: none of the %u GPUs of NVML is %s in PCI slot %02x:%02x", count,
                   wanted->name, wanted->pci_bus, wanted->pci_slot);
}

static pm_status start(pm_energy *nvml, const pm_device *device, pm_error *err)
{
    double joules;
    pm_status status = find_functions(nvml, err);

    if (status == PM_OK)
        status = check(nvml, "nvmlInit", nvml->init(), err);
    nvml->started = status == PM_OK;
    if (status == PM_OK)
        status = find_device(nvml, device, err);
    return status == PM_OK ? pm_energy_read(nvml, &joules, err) : status;
}

pm_status pm_energy_open(const pm_device *device, pm_energy **out, pm_error *err)
{
    pm_energy *nvml;
    pm_status status;

    *out = NULL;
    if (!device->is_nvidia)
        return pm_fail(err, PM_FAILED,
                       "no energy: %s has no meter that perfmodel can read; NVIDIA's "
                       "GPUs have one",
                       device->name);
    nvml = calloc(1, sizeof *nvml);
    if (!nvml)
        return pm_fail(err, PM_FAILED, "no energy: out of memory");
    nvml->library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    status = nvml->library
                 ? start(nvml, device, err)
                 : pm_fail(err, PM_FAILED,
                           "no energy: no NVML (%s): it comes with NVIDIA's driver; add the folder "
                           "of libnvidia-ml.so.1 to LD_LIBRARY_PATH",
                           dlerror());
    if (status == PM_OK)
        *out = nvml;
    else
        pm_energy_close(nvml);
    return status;
}

pm_status pm_energy_read(const pm_energy *meter, double *joules, pm_error *err)
{
    unsigned long long millijoules = 0;
    nvml_result code = meter->energy(meter->device, &millijoules);

    *joules = (double)millijoules * 1e-3;
    if (code == NOT_SUPPORTED)
        return pm_fail(err, PM_FAILED,
                       "no energy: this GPU does not count it; those from Volta on do");
    return check(meter, "nvmlDeviceGetTotalEnergyConsumption", code, err);
}

void pm_energy_close(pm_energy *meter)
{
    if (!meter)
        return;
    if (meter->started)
        meter->shutdown();
    if (meter->library)
        dlclose(meter->library);
    free(meter);
}
