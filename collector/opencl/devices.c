/* Lists the OpenCL devices of this machine, gives each a short name (id), and finds the device that
 * a user has named.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "collector/opencl/opencl.h"

/* Parameters of clGetDeviceInfo that the OpenCL extension cl_nv_device_attribute_query defines: the
 * GPU's PCI bus and slot. */
#define NV_PCI_BUS_ID 0x4008
#define NV_PCI_SLOT_ID 0x4009

#define MAX_PLATFORMS 32
#define MAX_DEVICES 64

const char *pm_opencl_error_name(cl_int code)
{
    static const struct {
        cl_int code;
        const char *name;
    } names[] = {
        {CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND"},
        {CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
        {CL_COMPILER_NOT_AVAILABLE, "CL_COMPILER_NOT_AVAILABLE"},
        {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
        {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
        {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
        {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
        {CL_INVALID_VALUE, "CL_INVALID_VALUE"},
        {CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"},
        {CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME"},
        {CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS"},
        {CL_INVALID_ARG_INDEX, "CL_INVALID_ARG_INDEX"},
        {CL_INVALID_ARG_SIZE, "CL_INVALID_ARG_SIZE"},
        {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
        {CL_INVALID_WORK_ITEM_SIZE, "CL_INVALID_WORK_ITEM_SIZE"},
        {CL_INVALID_COMMAND_QUEUE, "CL_INVALID_COMMAND_QUEUE"},
        {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].code == code)
            return names[i].name;
    return "an OpenCL error";
}

/* Returns whether a word of the device name that a driver reports says nothing about the chip, such
 * as "NVIDIA" or "HBM3". */
static bool is_noise(const char *word)
{
    static const char *const noise[] = {
        "nvidia", "geforce", "tesla", "quadro", "amd",  "radeon", "graphics", "hbm2", "hbm2e",
        "hbm3",   "hbm3e",   "pcie",  "sxm",    "sxm2", "sxm4",   "sxm5",     "nvl",  "series"};
    size_t length = strlen(word);

    for (size_t i = 0; i < sizeof noise / sizeof *noise; i++)
        if (strcmp(word, noise[i]) == 0)
            return true;
    return length > 2 && isdigit((unsigned char)word[0]) && strcmp(word + length - 2, "gb") == 0;
}

/* Makes a device's id, its short name for users, from the name that the driver reports. "NVIDIA
 * H100 80GB HBM3" becomes h100, "NVIDIA GeForce GTX 980" becomes gtx980, and any PoCL device
 * becomes pocl. */
static void make_id(pm_device *device)
{
    char words[sizeof device->name], *rest = words;
    size_t used = 0;

    if (strstr(device->platform, "Portable Computing Language")) {
        snprintf(device->id, sizeof device->id, "pocl");
        return;
    }
    snprintf(words, sizeof words, "%s", device->name);
    for (char *c = words; *c; c++)
        *c = isalnum((unsigned char)*c) ? (char)tolower((unsigned char)*c) : ' ';
    for (char *word; (word = strsep(&rest, " "));) {
        size_t length = strlen(word);

        if (length == 0 || is_noise(word) || used + length >= sizeof device->id)
            continue;
        memcpy(device->id + used, word, length);
        used += length;
    }
    device->id[used] = '\0';
    if (used == 0)
        snprintf(device->id, sizeof device->id, "device");
}

static void query_text(cl_device_id id, cl_device_info what, char *text, size_t size)
{
    text[0] = '\0';
    if (clGetDeviceInfo(id, what, size - 1, text, NULL) != CL_SUCCESS)
        text[0] = '\0';
    text[size - 1] = '\0';
}

static unsigned query_uint(cl_device_id id, cl_device_info what)
{
    cl_uint value = 0;

    return clGetDeviceInfo(id, what, sizeof value, &value, NULL) == CL_SUCCESS ? value : 0;
}

static size_t query_ulong(cl_device_id id, cl_device_info what)
{
    cl_ulong value = 0;

    return clGetDeviceInfo(id, what, sizeof value, &value, NULL) == CL_SUCCESS ? value : 0;
}

static void describe(cl_platform_id platform, cl_device_id id, pm_device *device)
{
    cl_device_type type = 0;
    size_t group = 0;

    if (clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof device->platform - 1, device->platform,
                          NULL) != CL_SUCCESS)
        device->platform[0] = '\0';
    query_text(id, CL_DEVICE_NAME, device->name, sizeof device->name);
    query_text(id, CL_DEVICE_VENDOR, device->vendor, sizeof device->vendor);
    query_text(id, CL_DRIVER_VERSION, device->driver, sizeof device->driver);
    if (clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof type, &type, NULL) == CL_SUCCESS)
        device->is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    if (clGetDeviceInfo(id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof group, &group, NULL) ==
        CL_SUCCESS)
        device->max_work_group = group;
    device->is_nvidia = strstr(device->vendor, "NVIDIA") && !device->is_cpu;
    device->compute_units = query_uint(id, CL_DEVICE_MAX_COMPUTE_UNITS);
    device->clock_mhz = query_uint(id, CL_DEVICE_MAX_CLOCK_FREQUENCY);
    device->memory_bytes = query_ulong(id, CL_DEVICE_GLOBAL_MEM_SIZE);
    device->local_memory_bytes = query_ulong(id, CL_DEVICE_LOCAL_MEM_SIZE);
    if (device->is_nvidia) {
        device->pci_bus = query_uint(id, NV_PCI_BUS_ID);
        device->pci_slot = query_uint(id, NV_PCI_SLOT_ID);
    }
    make_id(device);
}

static bool is_taken(const pm_device *devices, size_t count, const char *id)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(devices[i].id, id) == 0)
            return true;
    return false;
}

/* Makes the id of the last device in `devices` unique, because an id is the name of one device and
 * of its dataset. The second device with the id h200 becomes h200-2, the third h200-3. */
static void make_unique(pm_device *devices, size_t count)
{
    /* `base` is shorter than an id, to leave space for the number */
    char *id = devices[count - 1].id, base[sizeof devices->id - 8];

    snprintf(base, sizeof base, "%.*s", (int)sizeof base - 1, id);
    for (unsigned same = 2; is_taken(devices, count - 1, id); same++)
        snprintf(id, sizeof devices->id, "%s-%u", base, same);
}

static pm_status list_platforms(cl_platform_id *platforms, cl_uint *count, pm_error *err)
{
    cl_int code = clGetPlatformIDs(MAX_PLATFORMS, platforms, count);

    if (code != CL_SUCCESS || *count == 0)
        return pm_fail(err, PM_FAILED,
                       "no OpenCL platform (%s): install a driver with an ICD file in "
                       "/etc/OpenCL/vendors, or pocl-opencl-icd for the CPU",
                       pm_opencl_error_name(code));
    if (*count > MAX_PLATFORMS)
        *count = MAX_PLATFORMS;
    return PM_OK;
}

pm_status pm_devices(pm_device **devices, size_t *count, pm_error *err)
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint platform_count = 0;
    pm_device *list;

    if (list_platforms(platforms, &platform_count, err) != PM_OK)
        return PM_FAILED;
    list = calloc(MAX_DEVICES, sizeof *list);
    if (!list)
        return pm_fail(err, PM_FAILED, "out of memory for the list of devices");
    *count = 0;
    for (cl_uint p = 0; p < platform_count; p++) {
        cl_device_id ids[MAX_DEVICES];
        cl_uint found = 0;

        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MAX_DEVICES, ids, &found) !=
            CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < found && d < MAX_DEVICES && *count < MAX_DEVICES; d++) {
            pm_device *device = &list[*count];

            device->platform_index = p;
            device->device_index = d;
            describe(platforms[p], ids[d], device);
            (*count)++;
            make_unique(list, *count);
        }
    }
    if (*count == 0) {
        free(list);
        return pm_fail(err, PM_FAILED,
                       "no OpenCL device: the platforms are there but list none; check the driver "
                       "(clinfo), or install pocl-opencl-icd for the CPU");
    }
    *devices = list;
    return PM_OK;
}

pm_status pm_opencl_device(const pm_device *device, cl_platform_id *platform, cl_device_id *id,
                           pm_error *err)
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_device_id ids[MAX_DEVICES];
    cl_uint platform_count = 0, count = 0;

    if (list_platforms(platforms, &platform_count, err) != PM_OK)
        return PM_FAILED;
    if (device->platform_index >= platform_count ||
        clGetDeviceIDs(platforms[device->platform_index], CL_DEVICE_TYPE_ALL, MAX_DEVICES, ids,
                       &count) != CL_SUCCESS ||
        device->device_index >= count)
        return pm_fail(err, PM_FAILED, "%s: the device has gone since it was listed", device->name);
    *platform = platforms[device->platform_index];
    *id = ids[device->device_index];
    return PM_OK;
}

static bool matches(const pm_device *device, size_t number, const char *selector)
{
    char *end;
    unsigned long wanted = strtoul(selector, &end, 10);

    if (isdigit((unsigned char)selector[0]) && *end == '\0')
        return wanted == number;
    return strcasestr(device->id, selector) || strcasestr(device->name, selector);
}

static size_t default_device(const pm_device *devices, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!devices[i].is_cpu)
            return i;
    return 0;
}

static pm_status wrong_device(const char *selector, const pm_device *devices, size_t count,
                              pm_error *err)
{
    char names[700] = "";

    for (size_t i = 0; i < count; i++)
        pm_list_add(names, sizeof names, "%s (%s)", devices[i].id, devices[i].name);
    return pm_fail(err, PM_BAD_INPUT, "no device '%s' here; there is: %s", selector, names);
}

pm_status pm_device_select(const char *selector, pm_device *device, pm_error *err)
{
    pm_device *devices;
    size_t count, chosen = 0;
    pm_error none = {0};
    pm_status status = pm_devices(&devices, &count, &none);

    if (status != PM_OK && selector)
        return pm_fail(err, PM_BAD_INPUT, "no device '%.80s' here: %s", selector, none.text);
    if (status != PM_OK)
        return pm_fail(err, status, "%s", none.text);
    if (!selector) {
        chosen = default_device(devices, count);
    } else {
        for (chosen = 0; chosen < count; chosen++)
            if (strcasecmp(devices[chosen].id, selector) == 0)
                break;
        if (chosen == count)
            for (chosen = 0; chosen < count; chosen++)
                if (matches(&devices[chosen], chosen, selector))
                    break;
    }
    if (chosen == count)
        status = wrong_device(selector, devices, count, err);
    else
        *device = devices[chosen];
    free(devices);
    return status;
}
