/* Answers of stub_nvml.c, a stand-in for NVIDIA's library NVML. A test finds pm_stub_nvml_says by
 * dlsym and sets the answers in it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_STUB_NVML_H
#define PM_TESTS_STUB_NVML_H

typedef struct {
    int init, energy; /* result codes of nvmlInit and of the energy function */
    unsigned gpus;
    double watts;  /* of the first one */
    double step_s; /* update interval of the meter in seconds; 0: the meter does not change */
    int open;      /* number of calls of init minus number of calls of shutdown */
    unsigned reads;
} pm_stub_nvml;

typedef struct {
    char legacy_id[16];
    unsigned domain, bus, slot, device_id, subsystem_id;
    char id[32];
} stub_nvml_pci;

extern pm_stub_nvml pm_stub_nvml_says;
int nvmlInit_v2(void);
int nvmlShutdown(void);
const char *nvmlErrorString(int code);
int nvmlDeviceGetCount_v2(unsigned *count);
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device);
int nvmlDeviceGetPciInfo_v3(void *device, stub_nvml_pci *pci);
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules);

#endif
