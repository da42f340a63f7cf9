/* A stand-in for the CUDA driver and for CUPTI, for tests without a GPU. It has the functions that
 * a captured program and perfmodel's library in the program call. GPU memory is memory of the host,
 * a module is a shared library of the host, and a kernel is a function of this library, which has
 * run when its launch returns. Reported times are those of a GPU that begins a kernel when the
 * previous one has ended and the host has launched it, and that needs a nanosecond per thread. Like
 * NVIDIA's driver, it loads the library that CUDA_INJECTION64_PATH names, and reports driver calls
 * to it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "collector/cupti/callback_abi.h"
#include "collector/cupti/hold_ptx.h"
#include "tests/capture/cuda/driver.h"

enum {
    MOST = 4096,
    FAILED = 1,
    START_NS = 5000 /* START_NS: nanoseconds of the host per launch */
};

struct pm_cu_function_ {
    char name[256];
    pm_cu_module module;
    void (*call)(void **arguments, const unsigned *grid, const unsigned *block);
    const size_t *bytes;
};

static struct {
    bool ready;
    size_t count, function_count;
    struct {
        pm_cu_pointer base;
        size_t bytes;
    } memory[MOST];
    struct pm_cu_function_ functions[MOST];
    uint64_t done; /* when the GPU is */
    int capturing; /* the stream's launches are recorded into a graph */
} driver;

/* Records of kernels that have run, if the environment variable CUPTI_ACTIVITY is set. */
static struct {
    bool enabled;
    void (*request)(uint8_t **buffer, size_t *bytes, size_t *most);
    void (*complete)(pm_cu_context context, uint32_t stream, uint8_t *buffer, size_t bytes,
                     size_t valid);
    size_t count;
    pm_cupti_kernel_record records[6000]; /* fits into the buffers of perfmodel, of 1 MiB */
} activity;

static struct {
    pm_cupti_callback call;
    void *user;
    bool enabled[64], modules;
} cupti;

/* ---- CUPTI ----------------------------------------------------------------------------------- */

static const char *const calls[] = {"",
                                    "cuLaunchKernel",
                                    "cuLaunchKernelEx",
                                    "cuModuleLoadData",
                                    "cuModuleUnload",
                                    "cuCtxSynchronize",
                                    "cuMemcpyDtoH_v2",
                                    "cuStreamBeginCapture_v2",
                                    "cuStreamEndCapture",
                                    "cuGraphInstantiateWithFlags",
                                    "cuGraphLaunch",
                                    "cuModuleLoad",
                                    "cuLinkAddData_v2"};
enum {
    LAUNCH = 1,
    LAUNCH_EX,
    LOAD,
    UNLOAD,
    SYNCHRONIZE,
    COPY_OUT,
    BEGIN_CAPTURE,
    END_CAPTURE,
    INSTANTIATE,
    LAUNCH_GRAPH,
    LOAD_FILE,
    LINK_DATA
};

PM_SHOWN int cuptiGetCallbackName(int domain, uint32_t id, const char **name)
{
    if (domain != PM_CUPTI_DRIVER_API || id == 0 || id >= sizeof calls / sizeof *calls)
        return FAILED;
    *name = calls[id];
    return 0;
}

PM_SHOWN int cuptiSubscribe(pm_cupti_subscriber *subscriber, pm_cupti_callback callback, void *user)
{
    *subscriber = NULL;
    cupti.call = callback;
    cupti.user = user;
    return 0;
}

PM_SHOWN int cuptiEnableCallback(uint32_t on, pm_cupti_subscriber subscriber, int domain,
                                 uint32_t id)
{
    (void)subscriber;
    if (domain == PM_CUPTI_RESOURCE)
        cupti.modules = on && id == PM_CUPTI_MODULE_LOADED;
    else
        cupti.enabled[id] = on;
    return 0;
}

PM_SHOWN int cuptiActivityRegisterCallbacks(void (*request)(uint8_t **, size_t *, size_t *),
                                            void (*complete)(pm_cu_context, uint32_t, uint8_t *,
                                                             size_t, size_t))
{
    activity.request = request;
    activity.complete = complete;
    return 0;
}

PM_SHOWN int cuptiActivityEnable(int kind)
{
    activity.enabled = kind == PM_CUPTI_CONCURRENT_KERNEL && getenv("CUPTI_ACTIVITY");
    return activity.enabled ? 0 : FAILED;
}

PM_SHOWN int cuptiActivityFlushAll(uint32_t flag)
{
    size_t bytes = 0, most, used = activity.count * sizeof *activity.records;
    uint8_t *buffer = NULL;

    (void)flag;
    activity.request(&buffer, &bytes, &most);
    if (!buffer || bytes < used) {
        activity.count = 0;
        return FAILED;
    }
    memcpy(buffer, activity.records, used);
    activity.count = 0;
    activity.complete(NULL, 0, buffer, bytes, used);
    return 0;
}

PM_SHOWN int cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, void **record)
{
    uint8_t *next = *record ? (uint8_t *)*record + sizeof *activity.records : buffer;

    if (next >= buffer + valid)
        return FAILED;
    *record = next;
    return 0;
}

/* A call of the driver, from its beginning to its end. */
typedef struct {
    pm_cupti_call_data data;
    uint64_t kept;
    pm_cu_result result;
    unsigned id;
} call_state;

static void begin(call_state *call, unsigned id, const void *parameters, const char *symbol)
{
    *call = (call_state){.id = id};
    call->data = (pm_cupti_call_data){.site = PM_CUPTI_ENTER,
                                      .function = calls[id],
                                      .parameters = parameters,
                                      .symbol = symbol,
                                      .context = (pm_cu_context)(uintptr_t)&driver,
                                      .kept = &call->kept,
                                      .result = &call->result};
    if (cupti.call && cupti.enabled[id])
        cupti.call(cupti.user, PM_CUPTI_DRIVER_API, id, &call->data);
}

static pm_cu_result end(call_state *call, pm_cu_result result)
{
    call->result = result;
    call->data.site = PM_CUPTI_EXIT;
    if (cupti.call && cupti.enabled[call->id])
        cupti.call(cupti.user, PM_CUPTI_DRIVER_API, call->id, &call->data);
    return result;
}

/* ---- time ------------------------------------------------------------------------------------ */

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Time at which the GPU starts work that is enqueued now. */
static uint64_t gpu_ns(void)
{
    const uint64_t now = now_ns();

    return driver.done > now ? driver.done : now;
}

static void add_record(const char *name, const unsigned *grid, const unsigned *block, uint64_t ns)
{
    pm_cupti_kernel_record *record = &activity.records[activity.count];

    if (!activity.enabled)
        return;
    if (activity.count == sizeof activity.records / sizeof *activity.records)
        cuptiActivityFlushAll(0);
    activity.count++;
    *record = (pm_cupti_kernel_record){.kind = PM_CUPTI_CONCURRENT_KERNEL,
                                       .start = driver.done - ns,
                                       .end = driver.done,
                                       .name = name};
    for (int d = 0; d < 3; d++) {
        record->grid[d] = (int32_t)grid[d];
        record->block[d] = (int32_t)block[d];
    }
}

static void pass(const char *name, const unsigned *grid, const unsigned *block)
{
    const uint64_t begun = now_ns();
    uint64_t threads = 1;

    for (int d = 0; d < 3; d++)
        threads *= (uint64_t)grid[d] * block[d];
    while (now_ns() - begun < START_NS)
        continue;
    driver.done = gpu_ns() + threads;
    add_record(name, grid, block, threads);
}

/* ---- the driver ------------------------------------------------------------------------------ */

PM_SHOWN pm_cu_result cuInit(unsigned flags)
{
    const char *path = getenv("CUDA_INJECTION64_PATH");
    void *library = path && !driver.ready ? dlopen(path, RTLD_NOW) : NULL;
    void *found = library ? dlsym(library, "InitializeInjection") : NULL;
    int (*initialize)(void);

    (void)flags;
    driver.ready = true;
    memcpy(&initialize, &found, sizeof found);
    if (found)
        initialize();
    return 0;
}

PM_SHOWN pm_cu_result cuCtxGetDevice(pm_cu_device *device)
{
    *device = 0;
    return 0;
}

PM_SHOWN pm_cu_result cuDeviceGetName(char *name, int length, pm_cu_device device)
{
    (void)device;
    snprintf(name, (size_t)length, "a GPU that is none");
    return 0;
}

PM_SHOWN pm_cu_result cuDeviceGetAttribute(int *value, int attribute, pm_cu_device device)
{
    (void)device;
    *value = attribute == PM_CU_ATTRIBUTE_MAJOR ? 9 : 0;
    return 0;
}

PM_SHOWN pm_cu_result cuCtxSynchronize(void)
{
    call_state call;

    begin(&call, SYNCHRONIZE, NULL, NULL);
    return end(&call, driver.capturing ? FAILED : 0);
}

PM_SHOWN pm_cu_result cuMemAlloc_v2(pm_cu_pointer *pointer, size_t bytes)
{
    void *memory;

    if (driver.count == MOST)
        return FAILED;
    /* mmap, because the addresses of a GPU are close to each other, and those of AddressSanitizer's
     * malloc are not */
    memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE,
                  -1, 0);
    if (memory == MAP_FAILED)
        return FAILED;
    *pointer = (pm_cu_pointer)(uintptr_t)memory;
    driver.memory[driver.count].base = *pointer;
    driver.memory[driver.count++].bytes = bytes;
    return 0;
}

PM_SHOWN pm_cu_result cuMemGetAddressRange_v2(pm_cu_pointer *base, size_t *bytes,
                                              pm_cu_pointer pointer)
{
    for (size_t i = 0; i < driver.count; i++)
        if (pointer >= driver.memory[i].base &&
            pointer - driver.memory[i].base < driver.memory[i].bytes) {
            *base = driver.memory[i].base;
            *bytes = driver.memory[i].bytes;
            return 0;
        }
    return FAILED;
}

PM_SHOWN pm_cu_result cuMemcpy(pm_cu_pointer to, pm_cu_pointer from, size_t bytes)
{
    memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
    return 0;
}

PM_SHOWN pm_cu_result cuMemcpyHtoD_v2(pm_cu_pointer to, const void *from, size_t bytes)
{
    return cuMemcpy(to, (pm_cu_pointer)(uintptr_t)from, bytes);
}

PM_SHOWN pm_cu_result cuMemcpyDtoH_v2(void *to, pm_cu_pointer from, size_t bytes)
{
    call_state call;

    begin(&call, COPY_OUT, NULL, NULL);
    return end(&call, cuMemcpy((pm_cu_pointer)(uintptr_t)to, from, bytes));
}

/* ---- modules --------------------------------------------------------------------------------- */

static void tell_module(const void *image, size_t bytes)
{
    pm_cupti_module_data module = {1, bytes, image};
    pm_cupti_resource_data resource = {NULL, NULL, &module};

    if (cupti.call && cupti.modules)
        cupti.call(cupti.user, PM_CUPTI_RESOURCE, PM_CUPTI_MODULE_LOADED, &resource);
}

/* The kernel with which perfmodel holds a GPU until all launches are enqueued. */
PM_SHOWN void pm_hold(void **arguments, const unsigned *grid, const unsigned *block)
{
    (void)grid;
    (void)block;
    driver.done = gpu_ns() + *(const uint64_t *)arguments[0];
}

/* Loads the library with the code of all images. The environment variable KERNELS names it. */
static pm_cu_result load(pm_cu_module *module)
{
    const char *path = getenv("KERNELS");
    char *bytes;
    FILE *file;
    size_t size;

    *module = path ? dlopen(path, RTLD_NOW) : NULL;
    file = *module ? fopen(path, "rb") : NULL;
    if (!file)
        return PM_CU_INVALID_IMAGE;
    bytes = malloc(1 << 20);
    size = bytes ? fread(bytes, 1, 1 << 20, file) : 0;
    fclose(file);
    tell_module(bytes, size);
    free(bytes);
    return 0;
}

PM_SHOWN pm_cu_result cuModuleLoadData(pm_cu_module *module, const void *image)
{
    const pm_cu_load_parameters parameters = {(const void **)module, image};
    call_state call;

    begin(&call, LOAD, &parameters, NULL);
    if (strcmp(image, PM_HOLD_PTX) == 0) {
        *module = dlopen(NULL, RTLD_NOW);
        return end(&call, 0);
    }
    return end(&call, load(module));
}

PM_SHOWN pm_cu_result cuModuleLoad(pm_cu_module *module, const char *path)
{
    const pm_cu_load_parameters parameters = {(const void **)module, path};
    call_state call;

    begin(&call, LOAD_FILE, &parameters, NULL);
    return end(&call, load(module));
}

PM_SHOWN pm_cu_result cuLinkAddData_v2(void *state, int type, const void *image, size_t bytes,
                                       const char *name, unsigned options, void *keys, void *values)
{
    const pm_cu_link_parameters parameters = {state, type, image, bytes};
    call_state call;

    (void)name;
    (void)options;
    (void)keys;
    (void)values;
    begin(&call, LINK_DATA, &parameters, NULL);
    return end(&call, 0);
}

PM_SHOWN pm_cu_result cuModuleUnload(pm_cu_module module)
{
    call_state call;

    begin(&call, UNLOAD, NULL, NULL);
    dlclose(module);
    return end(&call, 0);
}

PM_SHOWN pm_cu_result cuModuleGetFunction(pm_cu_function *function, pm_cu_module module,
                                          const char *name)
{
    struct pm_cu_function_ *found = &driver.functions[driver.function_count];
    void *call = dlsym(module, name);

    if (!call || driver.function_count == MOST)
        return FAILED;
    driver.function_count++;
    found->module = module;
    snprintf(found->name, sizeof found->name - 8, "%s.bytes", name);
    found->bytes = dlsym(module, found->name);
    snprintf(found->name, sizeof found->name, "%s", name);
    memcpy(&found->call, &call, sizeof call);
    *function = found;
    return 0;
}

PM_SHOWN pm_cu_result cuModuleGetGlobal_v2(pm_cu_pointer *pointer, size_t *bytes,
                                           pm_cu_module module, const char *name)
{
    void *found = dlsym(module, name);

    *pointer = (pm_cu_pointer)(uintptr_t)found;
    *bytes = 16;
    return found ? 0 : FAILED;
}

PM_SHOWN pm_cu_result cuFuncGetModule(pm_cu_module *module, pm_cu_function function)
{
    *module = function->module;
    return 0;
}

PM_SHOWN pm_cu_result cuFuncGetName(const char **name, pm_cu_function function)
{
    *name = function->name;
    return 0;
}

PM_SHOWN pm_cu_result cuFuncGetParamInfo(pm_cu_function function, size_t index, size_t *offset,
                                         size_t *bytes)
{
    *offset = 0;
    for (size_t i = 0; function->bytes[i]; i++) {
        *offset = (*offset + function->bytes[i] - 1) / function->bytes[i] * function->bytes[i];
        *bytes = function->bytes[i];
        if (i == index)
            return 0;
        *offset += *bytes;
    }
    return PM_CU_INVALID_VALUE;
}

/* ---- launches -------------------------------------------------------------------------------- */

/* Arguments in one block have the offsets that the driver reports. */
static void unpack(const struct pm_cu_function_ *function, void **extra, void **arguments)
{
    const char *block = extra[1];
    size_t offset, bytes;

    for (size_t i = 0;
         cuFuncGetParamInfo((pm_cu_function)(uintptr_t)function, i, &offset, &bytes) == 0; i++)
        arguments[i] = (char *)(uintptr_t)block + offset;
}

/* A kernel of the only graph, with copies of its arguments. */
struct pm_cu_graph_node_ {
    const struct pm_cu_function_ *function;
    unsigned grid[3], block[3];
    void *arguments[16];
    uint64_t values[16][2];
};

static struct {
    size_t count;
    struct pm_cu_graph_node_ nodes[16];
} graph;

static void add_node(const struct pm_cu_function_ *function, const unsigned *grid,
                     const unsigned *block, void **arguments)
{
    struct pm_cu_graph_node_ *node = &graph.nodes[graph.count++];

    node->function = function;
    memcpy(node->grid, grid, sizeof node->grid);
    memcpy(node->block, block, sizeof node->block);
    for (size_t i = 0; function->bytes[i]; i++) {
        memcpy(node->values[i], arguments[i], function->bytes[i]);
        node->arguments[i] = node->values[i];
    }
}

static pm_cu_result run(const struct pm_cu_function_ *function, const unsigned *grid,
                        const unsigned *block, void **arguments, void **extra)
{
    void *unpacked[16] = {0};

    if (driver.capturing) {
        add_node(function, grid, block, arguments);
        return 0;
    }
    if (!arguments)
        unpack(function, extra, unpacked);
    pass(function->name, grid, block);
    function->call(arguments ? arguments : unpacked, grid, block);
    return 0;
}

PM_SHOWN pm_cu_result cuLaunchKernel(pm_cu_function function, unsigned grid_x, unsigned grid_y,
                                     unsigned grid_z, unsigned block_x, unsigned block_y,
                                     unsigned block_z, unsigned shared, pm_cu_stream stream,
                                     void **arguments, void **extra)
{
    const pm_cu_launch_parameters parameters = {
        function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, stream, arguments,
        extra};
    call_state call;

    begin(&call, LAUNCH, &parameters, function->name);
    if (block_x * block_y * block_z > 1024)
        return end(&call, PM_CU_INVALID_VALUE);
    return end(&call, run(function, parameters.grid, parameters.block, arguments, extra));
}

PM_SHOWN pm_cu_result cuLaunchKernelEx(const pm_cu_launch_config *config, pm_cu_function function,
                                       void **arguments, void **extra)
{
    const pm_cu_launch_ex_parameters parameters = {config, function, arguments, extra};
    call_state call;

    begin(&call, LAUNCH_EX, &parameters, function->name);
    return end(&call, run(function, config->grid, config->block, arguments, extra));
}

PM_SHOWN pm_cu_result cuStreamIsCapturing(pm_cu_stream stream, int *status)
{
    (void)stream;
    *status = driver.capturing;
    return 0;
}

PM_SHOWN pm_cu_result cuStreamBeginCapture_v2(pm_cu_stream stream, int mode)
{
    call_state call;

    (void)stream;
    (void)mode;
    begin(&call, BEGIN_CAPTURE, NULL, NULL);
    driver.capturing = 1;
    return end(&call, 0);
}

PM_SHOWN pm_cu_result cuStreamEndCapture(pm_cu_stream stream, void **made)
{
    call_state call;

    (void)stream;
    *made = &graph;
    begin(&call, END_CAPTURE, NULL, NULL);
    driver.capturing = 0;
    return end(&call, 0);
}

/* ---- graphs ---------------------------------------------------------------------------------- */

PM_SHOWN pm_cu_result cuGraphGetNodes(const void *of, pm_cu_graph_node *nodes, size_t *count)
{
    (void)of;
    for (size_t i = 0; nodes && i < graph.count; i++)
        nodes[i] = &graph.nodes[i];
    *count = graph.count;
    return 0;
}

PM_SHOWN pm_cu_result cuGraphNodeGetType(pm_cu_graph_node node, int *type)
{
    (void)node;
    *type = PM_CU_KERNEL_NODE;
    return 0;
}

PM_SHOWN pm_cu_result cuGraphKernelNodeGetParams_v2(pm_cu_graph_node node,
                                                    pm_cu_kernel_node *kernel)
{
    *kernel = (pm_cu_kernel_node){.function = node->function, .arguments = node->arguments};
    memcpy(kernel->grid, node->grid, sizeof kernel->grid);
    memcpy(kernel->block, node->block, sizeof kernel->block);
    return 0;
}

PM_SHOWN pm_cu_result cuGraphInstantiateWithFlags(const void **instance, const void *of,
                                                  unsigned long long flags)
{
    const pm_cu_graph_parameters parameters = {instance, of};
    call_state call;

    (void)flags;
    begin(&call, INSTANTIATE, &parameters, NULL);
    *instance = &graph;
    return end(&call, 0);
}

PM_SHOWN pm_cu_result cuGraphLaunch(const void *instance, pm_cu_stream stream)
{
    const pm_cu_graph_launch_parameters parameters = {instance, stream};
    call_state call;

    begin(&call, LAUNCH_GRAPH, &parameters, NULL);
    for (size_t i = 0; i < graph.count; i++)
        run(graph.nodes[i].function, graph.nodes[i].grid, graph.nodes[i].block,
            graph.nodes[i].arguments, NULL);
    return end(&call, 0);
}

/* ---- events ---------------------------------------------------------------------------------- */

PM_SHOWN pm_cu_result cuEventCreate(pm_cu_event *event, unsigned flags)
{
    (void)flags;
    *event = calloc(1, sizeof(uint64_t));
    return *event ? 0 : FAILED;
}

PM_SHOWN pm_cu_result cuEventRecord(pm_cu_event event, pm_cu_stream stream)
{
    (void)stream;
    *(uint64_t *)event = gpu_ns();
    return 0;
}

PM_SHOWN pm_cu_result cuEventQuery(pm_cu_event event)
{
    return event ? 0 : FAILED;
}

PM_SHOWN pm_cu_result cuEventElapsedTime(float *milliseconds, pm_cu_event start, pm_cu_event stop)
{
    *milliseconds = (float)((double)(*(uint64_t *)stop - *(uint64_t *)start) * 1e-6);
    return 0;
}
