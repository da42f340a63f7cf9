/* Asks the drivers for properties of a device (OpenCL for every device, and the CUDA driver for
 * NVIDIA GPUs), and writes them to the device's row of devices.csv.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "collector/cupti/cuda_driver.h"
#include "collector/opencl/opencl.h"
#include "collector/probe/probe.h"

/* ---- NVIDIA ---------------------------------------------------------------------------------- */

static void ask_cuda(pm_probe *probe, const char *column, double value)
{
    pm_probe_number(probe, column, PM_PROBE_ASKED, value, "the CUDA driver");
}

/* Returns the name of NVIDIA's architecture with a compute capability `major`.`minor` (CUDA C++
 * Programming Guide). */
static const char *architecture_of(int major, int minor)
{
    static const char *const names[] = {"",          "tesla",     "fermi",    "kepler", "",
                                        "maxwell",   "pascal",    "volta",    "ampere", "hopper",
                                        "blackwell", "blackwell", "blackwell"};

    if (major == 7 && minor == 5)
        return "turing";
    if (major == 8 && minor == 9)
        return "ada";
    return major >= 0 && (size_t)major < sizeof names / sizeof *names ? names[major] : "";
}

typedef struct {
    const pm_cuda_driver *cuda;
    pm_cu_device device;
} cuda_device;

/* Returns the value of a CUDA device attribute; 0 if the driver is too old to have the
 * attribute. */
static int attribute(const cuda_device *gpu, int which)
{
    int value = 0;

    return gpu->cuda->device_attribute(&value, which, gpu->device) == 0 && value > 0 ? value : 0;
}

/* Fills those values of the device's row of devices.csv that are CUDA device attributes without
 * conversion. */
static void ask_plain(pm_probe *probe, const cuda_device *gpu)
{
    static const struct {
        const char *column;
        int attribute;
    } plain[] = {
        {"compute_units", PM_CU_ATTRIBUTE_COMPUTE_UNITS},
        {"warp_width", PM_CU_ATTRIBUTE_WARP_SIZE},
        {"l2_bytes", PM_CU_ATTRIBUTE_L2_BYTES},
        {"shared_bytes", PM_CU_ATTRIBUTE_UNIT_SHARED},
        {"shared_group_bytes", PM_CU_ATTRIBUTE_GROUP_SHARED},
        {"max_groups", PM_CU_ATTRIBUTE_UNIT_GROUPS},
        {"registers", PM_CU_ATTRIBUTE_UNIT_REGISTERS},
        {"dram_bus_bits", PM_CU_ATTRIBUTE_MEMORY_BUS},
    };
    int reserved = -1;

    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        int value = attribute(gpu, plain[i].attribute);

        if (value > 0)
            ask_cuda(probe, plain[i].column, value);
    }
    if (gpu->cuda->device_attribute(&reserved, PM_CU_ATTRIBUTE_RESERVED_SHARED, gpu->device) == 0 &&
        reserved >= 0)
        ask_cuda(probe, "shared_reserved_bytes", reserved);
}

/* Fills those values of the device's row of devices.csv that are computed from CUDA device
 * attributes. Memory transfers data twice per cycle of the memory clock that the driver reports.
 * Memory with a bus of 1024 bits or more is HBM, which has separate lanes for ECC bits. Memory with
 * a narrower bus stores these bits among the data. */
static void ask_derived(pm_probe *probe, const cuda_device *gpu)
{
    pm_probe_facts *facts = &probe->facts;
    int major = attribute(gpu, PM_CU_ATTRIBUTE_MAJOR),
        minor = attribute(gpu, PM_CU_ATTRIBUTE_MINOR);
    int items = attribute(gpu, PM_CU_ATTRIBUTE_UNIT_WORK_ITEMS), ecc = -1;
    int warp = attribute(gpu, PM_CU_ATTRIBUTE_WARP_SIZE), warps = warp > 0 ? items / warp : 0;
    int bus = attribute(gpu, PM_CU_ATTRIBUTE_MEMORY_BUS);

    facts->capability = (unsigned)(major * 10 + minor);
    facts->clock_mhz = attribute(gpu, PM_CU_ATTRIBUTE_CLOCK_KHZ) / 1e3;
    facts->l2_bytes = attribute(gpu, PM_CU_ATTRIBUTE_L2_BYTES);
    facts->dram_gb_s = (double)attribute(gpu, PM_CU_ATTRIBUTE_MEMORY_KHZ) * bus / 4 / 1e6;
    facts->shared_unit = attribute(gpu, PM_CU_ATTRIBUTE_UNIT_SHARED);
    if (major > 0)
        ask_cuda(probe, "compute_capability", major + minor / 10.0);
    if (facts->clock_mhz > 0)
        ask_cuda(probe, "clock_mhz", facts->clock_mhz);
    if (warps > 0)
        ask_cuda(probe, "max_warps", warps);
    if (facts->dram_gb_s > 0)
        pm_probe_number(probe, "dram_gb_s", PM_PROBE_ASKED, facts->dram_gb_s,
                        "the CUDA driver: two transfers a memory clock, times the bus");
    pm_probe_text(probe, "architecture", PM_PROBE_ASKED, architecture_of(major, minor),
                  "compute capability");
    if (gpu->cuda->device_attribute(&ecc, PM_CU_ATTRIBUTE_ECC, gpu->device) == 0 && ecc >= 0)
        pm_probe_text(probe, "dram_ecc", PM_PROBE_ASKED,
                      ecc == 0      ? "no"
                      : bus >= 1024 ? "sideband"
                                    : "inline",
                      "the CUDA driver: ECC as it is set now, and the bus");
}

static void ask_nvidia(pm_probe *probe)
{
    pm_cuda_driver cuda;
    cuda_device gpu = {.cuda = &cuda};
    pm_error why = {0};

    if (pm_cuda_driver_open(&cuda, &why) != PM_OK) {
        pm_notice(&probe->log, "what CUDA would tell is not known: %s", why.text);
        return;
    }
    if (cuda.driver_version(&probe->facts.cuda_version) != 0)
        probe->facts.cuda_version = 0;
    if (pm_cuda_driver_find(&cuda, &probe->row->device, &gpu.device, &why) != PM_OK) {
        pm_notice(&probe->log, "what CUDA would tell is not known: %s", why.text);
    } else {
        ask_plain(probe, &gpu);
        ask_derived(probe, &gpu);
    }
    pm_cuda_driver_close(&cuda);
}

/* ---- OpenCL ---------------------------------------------------------------------------------- */

/* Returns the type of DRAM that the device's name contains, such as "hbm3"; "" if the name contains
 * none. */
static const char *memory_of(const char *name)
{
    static const struct {
        const char *word, *type;
    } types[] = {{"HBM3e", "hbm3e"},   {"HBM3", "hbm3"},   {"HBM2e", "hbm2e"}, {"HBM2", "hbm2"},
                 {"GDDR6X", "gddr6x"}, {"GDDR6", "gddr6"}, {"GDDR5", "gddr5"}, {"GDDR3", "gddr3"}};

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcasestr(name, types[i].word))
            return types[i].type;
    return "";
}

static void ask_more(pm_probe *probe)
{
    cl_platform_id platform;
    cl_device_id id;
    cl_device_fp_config fp64 = 0;
    cl_uint line = 0;
    const pm_memory *memory = &probe->bench.memory;

    pm_require(memory, pm_opencl_device(&probe->row->device, &platform, &id, memory->err));
    probe->facts.fp64 =
        clGetDeviceInfo(id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof fp64, &fp64, NULL) == CL_SUCCESS &&
        fp64 != 0;
    if (clGetDeviceInfo(id, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, sizeof line, &line, NULL) ==
            CL_SUCCESS &&
        line >= 32 && line <= 1024 && (line & (line - 1)) == 0)
        pm_probe_number(probe, "l1_line", PM_PROBE_ASKED, line, "the OpenCL driver");
}

static void ask_opencl(pm_probe *probe)
{
    const pm_device *device = &probe->row->device;

    pm_probe_text(probe, "device", PM_PROBE_ASKED, device->id, "made from the name");
    pm_probe_text(probe, "name", PM_PROBE_ASKED, device->name, "the OpenCL driver");
    if (device->compute_units > 0 && !device->is_cpu) /* not for a CPU, whose cores cpu.c counts */
        pm_probe_number(probe, "compute_units", PM_PROBE_ASKED, device->compute_units,
                        "the OpenCL driver");
    if (device->clock_mhz > 0 && !device->is_cpu) /* a CPU's clock is measured */
        pm_probe_number(probe, "clock_mhz", PM_PROBE_ASKED, device->clock_mhz, "the OpenCL driver");
    if (device->local_memory_bytes > 0)
        pm_probe_number(probe, "shared_group_bytes", PM_PROBE_ASKED,
                        (double)device->local_memory_bytes, "the OpenCL driver");
    pm_probe_text(probe, "dram_type", PM_PROBE_ASKED, memory_of(device->name),
                  "part of the device's name");
    ask_more(probe);
}

void pm_probe_driver(pm_probe *probe)
{
    const pm_device *device = &probe->row->device;
    pm_probe_facts *facts = &probe->facts;

    if (device->is_nvidia)
        ask_nvidia(probe);
    ask_opencl(probe);
    facts->compute_units = device->compute_units;
    if (!(facts->clock_mhz > 0))
        facts->clock_mhz = device->clock_mhz;
    if (facts->compute_units == 0 || !(facts->clock_mhz > 0))
        pm_leave(&probe->bench.memory, PM_FAILED,
                 "%s: the driver tells neither compute units nor a clock; update it", device->name);
}
