/* A library in place of NVIDIA's libnvidia-ml.so.1 (NVML). A test sets what its functions return,
 * and perfmodel reads it as if it were the driver's library.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stub_nvml.h"

pm_stub_nvml pm_stub_nvml_says = {.gpus = 1, .watts = 100, .step_s = 0.02};

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int nvmlInit_v2(void)
{
    pm_stub_nvml_says.open++;
    return pm_stub_nvml_says.init;
}

int nvmlShutdown(void)
{
    pm_stub_nvml_says.open--;
    return 0;
}

const char *nvmlErrorString(int code)
{
    return code == 3 ? "Not Supported" : "Driver Not Loaded";
}

int nvmlDeviceGetCount_v2(unsigned *count)
{
    *count = pm_stub_nvml_says.gpus;
    return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device)
{
    *device = (char *)&pm_stub_nvml_says + index;
    return 0;
}

/* GPU number i has bus number i + 1 and slot 0. */
int nvmlDeviceGetPciInfo_v3(void *device, stub_nvml_pci *pci)
{
    memset(pci, 0, sizeof *pci);
    pci->bus = (unsigned)((char *)device - (char *)&pm_stub_nvml_says) + 1;
    return 0;
}

/* The energy is the power multiplied by the time since the start, updated in steps. GPU i draws i
 * watts more than GPU 0. */
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules)
{
    const double watts =
        pm_stub_nvml_says.watts + (double)((char *)device - (char *)&pm_stub_nvml_says);
    const double step = pm_stub_nvml_says.step_s;
    const double seconds = step > 0 ? step * (double)(long long)(now_s() / step) : 1;

    *millijoules = (unsigned long long)(1000 * watts * seconds);
    pm_stub_nvml_says.reads++;
    return pm_stub_nvml_says.energy;
}
