/* The entry points of the library that records the launches of a CUDA program: functions that
 * CUDA's driver calls to load it, and by which CUPTI reports the program's driver calls. See
 * cuda.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/cuda.h"
#include "collector/cupti/cupti_find.h"

/* ---- driver functions that are intercepted --------------------------------------------------- */

typedef void (*handler)(const pm_cupti_call_data *data);

static void launch_alike(const pm_cupti_call_data *data, bool has_extra)
{
    const pm_cu_launch_parameters *p = data->parameters;

    if (data->site == PM_CUPTI_ENTER)
        pm_cuda_launch_begins(data, &(pm_cuda_call){.function = p->function,
                                                    .grid = p->grid,
                                                    .block = p->block,
                                                    .shared = p->shared,
                                                    .stream = p->stream,
                                                    .arguments = p->arguments,
                                                    .extra = has_extra ? p->extra : NULL});
    else
        pm_cuda_launch_ends(data);
}

static void launch(const pm_cupti_call_data *data)
{
    launch_alike(data, true);
}

static void launch_cooperative(const pm_cupti_call_data *data)
{
    launch_alike(data, false);
}

static void launch_ex(const pm_cupti_call_data *data)
{
    const pm_cu_launch_ex_parameters *p = data->parameters;
    pm_cuda_call call = {.function = p->function, .arguments = p->arguments, .extra = p->extra};

    if (data->site != PM_CUPTI_ENTER) {
        pm_cuda_launch_ends(data);
        return;
    }
    *data->kept = 0;
    if (!p->config)
        return;
    call.grid = p->config->grid;
    call.block = p->config->block;
    call.shared = p->config->shared;
    call.stream = p->config->stream;
    for (unsigned i = 0; p->config->attributes && i < p->config->attribute_count; i++)
        call.clusters |= p->config->attributes[i].id == PM_CU_ATTRIBUTE_CLUSTER;
    pm_cuda_launch_begins(data, &call);
}

static void make_graph(const pm_cupti_call_data *data)
{
    const pm_cu_graph_parameters *p = data->parameters;

    if (data->site == PM_CUPTI_EXIT && pm_cuda_layer_get()->has_graphs && data->result &&
        *(const pm_cu_result *)data->result == 0 && pm_recording_get()->active)
        pm_cuda_graph_made(*p->instance, p->graph);
}

static void change_graph(const pm_cupti_call_data *data)
{
    const pm_cu_graph_exec_parameters *p = data->parameters;

    if (data->site == PM_CUPTI_ENTER)
        pm_cuda_graph_forget(p->instance);
}

static void launch_graph(const pm_cupti_call_data *data)
{
    const pm_cu_graph_launch_parameters *p = data->parameters;

    if (data->site == PM_CUPTI_ENTER)
        pm_cuda_graph_begins(data, p->instance, p->stream);
    else
        pm_cuda_graph_ends(data);
}

/* Function that copies an image to the records. image: the argument of the driver's function, which
 * is the image itself or the path of its file. Returns the image's number; 0 if it is not
 * stored. */
typedef uint64_t (*keep_fn)(const void *image);

static uint64_t keep_file(const void *path)
{
    return pm_cuda_keep_file(path);
}

/* Handles a call that loads a module. Copies the module's image when the call begins, because the
 * program may free the image after the call. */
static void load_by(const pm_cupti_call_data *data, keep_fn keep)
{
    const pm_cu_load_parameters *p = data->parameters;

    pm_rec_lock();
    if (data->site == PM_CUPTI_ENTER)
        *data->kept = pm_recording_get()->active ? keep(p->image) : 0;
    else if (data->result && *(const pm_cu_result *)data->result == 0 && p->module)
        pm_cuda_module_loaded(*p->module, *data->kept);
    pm_rec_unlock();
}

static void load(const pm_cupti_call_data *data)
{
    load_by(data, pm_cuda_keep_image);
}

/* Handles a call that loads a module from a file. */
static void load_file(const pm_cupti_call_data *data)
{
    load_by(data, keep_file);
}

/* Handles calls that pass an image to the driver's linker, and copies the image to the records. The
 * linker makes one cubin of several images, so it is later not known which image has a kernel.
 * from_file: true if the argument is the path of the image. */
static void link_image(const pm_cupti_call_data *data, bool from_file)
{
    const pm_cu_link_parameters *p = data->parameters;

    if (data->site != PM_CUPTI_ENTER)
        return;
    pm_rec_lock();
    if (pm_recording_get()->active && from_file)
        pm_cuda_keep_file(p->image);
    else if (pm_recording_get()->active)
        pm_cuda_keep_bytes(p->image, p->bytes);
    pm_rec_unlock();
}

static void link_data(const pm_cupti_call_data *data)
{
    link_image(data, false);
}

static void link_file(const pm_cupti_call_data *data)
{
    link_image(data, true);
}

static void unload(const pm_cupti_call_data *data)
{
    if (data->site != PM_CUPTI_ENTER)
        return;
    pm_rec_lock();
    pm_cuda_forget_kernels();
    pm_rec_unlock();
}

/* Handles the call that destroys a CUDA context. Before the context is destroyed, adds the launches
 * that still run to the statistics, because the events that time them are destroyed with it. */
static void leave_context(const pm_cupti_call_data *data)
{
    if (data->site != PM_CUPTI_ENTER)
        return;
    pm_cuda_activity_read(true);
    pm_rec_lock();
    if (pm_recording_get()->active)
        pm_cuda_settle(true);
    pm_cuda_forget_holds();
    pm_cuda_forget_kernels();
    pm_rec_unlock();
}

static void wait(const pm_cupti_call_data *data)
{
    if (data->site != PM_CUPTI_EXIT)
        return;
    pm_cuda_activity_wait();
    pm_rec_lock();
    if (pm_recording_get()->active && pm_cuda_layer_get()->open_captures == 0)
        pm_cuda_harvest(SIZE_MAX);
    pm_rec_unlock();
}

static void begin_capture(const pm_cupti_call_data *data)
{
    pm_cuda_layer *layer = pm_cuda_layer_get();
    const bool enters = data->site == PM_CUPTI_ENTER;

    pm_rec_lock();
    if (enters)
        layer->open_captures++;
    else if (data->result && *(const pm_cu_result *)data->result != 0)
        layer->open_captures--;
    pm_rec_unlock();
}

static void end_capture(const pm_cupti_call_data *data)
{
    pm_cuda_layer *layer = pm_cuda_layer_get();

    pm_rec_lock();
    if (data->site == PM_CUPTI_EXIT && layer->open_captures > 0)
        layer->open_captures--;
    pm_rec_unlock();
}

/* Handlers by names of driver functions. A handler is also called for the function's variants with
 * per-thread default streams. */
static const struct {
    const char *name;
    handler call;
} handlers[] = {{"cuLaunchKernel", launch},
                {"cuLaunchCooperativeKernel", launch_cooperative},
                {"cuLaunchKernelEx", launch_ex},
                {"cuGraphInstantiate_v2", make_graph},
                {"cuGraphInstantiateWithFlags", make_graph},
                {"cuGraphInstantiateWithParams", make_graph},
                {"cuGraphLaunch", launch_graph},
                {"cuGraphExecDestroy", change_graph},
                {"cuGraphExecUpdate", change_graph},
                {"cuGraphExecUpdate_v2", change_graph},
                {"cuGraphExecKernelNodeSetParams", change_graph},
                {"cuGraphExecKernelNodeSetParams_v2", change_graph},
                {"cuModuleLoadData", load},
                {"cuModuleLoadDataEx", load},
                {"cuModuleLoadFatBinary", load},
                {"cuLibraryLoadData", load},
                {"cuModuleLoad", load_file},
                {"cuLibraryLoadFromFile", load_file},
                {"cuLinkAddData_v2", link_data},
                {"cuLinkAddFile_v2", link_file},
                {"cuModuleUnload", unload},
                {"cuLibraryUnload", unload},
                {"cuCtxDestroy_v2", leave_context},
                {"cuDevicePrimaryCtxRelease", leave_context},
                {"cuDevicePrimaryCtxRelease_v2", leave_context},
                {"cuDevicePrimaryCtxReset", leave_context},
                {"cuDevicePrimaryCtxReset_v2", leave_context},
                {"cuCtxSynchronize", wait},
                {"cuCtxSynchronize_v2", wait},
                {"cuStreamSynchronize", wait},
                {"cuEventSynchronize", wait},
                {"cuMemcpyDtoH_v2", wait},
                {"cuMemcpy", wait},
                {"cuStreamBeginCapture", begin_capture},
                {"cuStreamBeginCapture_v2", begin_capture},
                {"cuStreamBeginCaptureToGraph", begin_capture},
                {"cuStreamEndCapture", end_capture}};

enum { HANDLERS = sizeof handlers / sizeof *handlers, MOST_CALLBACKS = 2048 };

static handler handler_of(const char *name)
{
    for (size_t i = 0; i < HANDLERS; i++) {
        const size_t length = strlen(handlers[i].name);

        if (strncmp(name, handlers[i].name, length) == 0 &&
            (!name[length] || strcmp(name + length, "_ptsz") == 0 ||
             strcmp(name + length, "_ptds") == 0))
            return handlers[i].call;
    }
    return NULL;
}

/* ---- CUPTI ----------------------------------------------------------------------------------- */

/* by_number[id]: handler of the driver function with CUPTI's callback id `id`; NULL: none */
static handler by_number[MOST_CALLBACKS];

static _Thread_local bool inside; /* true while the library itself calls the driver */

static void call_back(void *user, int domain, uint32_t id, const void *data)
{
    (void)user;
    if (domain == PM_CUPTI_RESOURCE && id == PM_CUPTI_MODULE_LOADED) {
        const pm_cupti_resource_data *resource = data;
        const pm_cupti_module_data *module = resource->descriptor;

        if (module && module->cubin)
            pm_cuda_note_constants(module->cubin, module->bytes);
    }
    if (domain != PM_CUPTI_DRIVER_API || id >= MOST_CALLBACKS || !by_number[id] || inside)
        return;
    inside = true;
    by_number[id](data);
    inside = false;
}

static bool enable_all(void)
{
    pm_cuda_layer *layer = pm_cuda_layer_get();
    bool launches = false;

    for (uint32_t id = 1; id < MOST_CALLBACKS; id++) {
        const char *name = NULL;

        if (layer->callback_name(PM_CUPTI_DRIVER_API, id, &name) != 0 || !name)
            continue;
        by_number[id] = handler_of(name);
        if (by_number[id] && layer->enable(1, layer->subscriber, PM_CUPTI_DRIVER_API, id) == 0)
            launches |= by_number[id] == launch;
    }
    return launches &&
           layer->enable(1, layer->subscriber, PM_CUPTI_RESOURCE, PM_CUPTI_MODULE_LOADED) == 0;
}

/* ---- loading the driver and CUPTI ------------------------------------------------------------ */

/* Finds the driver's functions. Returns the name of a missing function, or NULL. */
static const char *find_driver(void *driver)
{
    pm_cuda_layer *layer = pm_cuda_layer_get();
    void *found;

#define FIND(name, symbol, parameters)                                                             \
    found = dlsym(driver, symbol);                                                                 \
    memcpy(&layer->name, &found, sizeof found);                                                    \
    if (!found)                                                                                    \
        return symbol;
    PM_CU_CAPTURE_FUNCTIONS(FIND)
#undef FIND
#define FIND(name, symbol, parameters)                                                             \
    found = dlsym(driver, symbol);                                                                 \
    memcpy(&layer->name, &found, sizeof found);
    PM_CU_CAPTURE_OPTIONAL(FIND)
#undef FIND
    return NULL;
}

static const char *find_cupti(void *cupti)
{
    pm_cuda_layer *layer = pm_cuda_layer_get();
    void *found;

#define FIND(name, symbol, parameters)                                                             \
    found = dlsym(cupti, symbol);                                                                  \
    memcpy(&layer->name, &found, sizeof found);                                                    \
    if (!found)                                                                                    \
        return symbol;
    PM_CUPTI_CALLBACK_FUNCTIONS(FIND)
#undef FIND
#define FIND(name, symbol, parameters)                                                             \
    found = dlsym(cupti, symbol);                                                                  \
    memcpy(&layer->name, &found, sizeof found);
    PM_CUPTI_ACTIVITY_FUNCTIONS(FIND)
#undef FIND
    return NULL;
}

static const char *open_all(void)
{
    pm_cuda_layer *layer = pm_cuda_layer_get();
    void *driver = dlopen("libcuda.so.1", RTLD_NOW), *cupti = pm_cupti_find();
    const char *missing;

    if (!driver)
        return "libcuda.so.1 cannot be loaded";
    if (!cupti)
        return "no CUPTI (libcupti.so.13 or .12) where the loader looks, in $CUDA_HOME or in "
               "/usr/local/cuda: install the CUDA toolkit's cuda-cupti package, or add the folder "
               "of libcupti.so to LD_LIBRARY_PATH";
    missing = find_driver(driver);
    if (!missing)
        missing = find_cupti(cupti);
    if (missing)
        return missing;
    if (layer->subscribe(&layer->subscriber, call_back, NULL) != 0)
        return "another tool uses CUPTI in this process";
    if (!enable_all())
        return "CUPTI tells of no launches";
    layer->has_graphs = layer->graph_nodes && layer->node_type && layer->kernel_node;
    pm_cuda_activity_open();
    return NULL;
}

/* ---- start and exit of the process ----------------------------------------------------------- */

static void forked(void)
{
    pm_cuda_layer *layer = pm_cuda_layer_get();

    layer->program = 0;
    layer->running_count = 0;
    layer->event_count = 0;
    layer->open_captures = 0;
    pm_cuda_forget_holds();
    pm_cuda_forget_kernels();
}

/* Called when the process ends. The CUDA driver may be unloaded already, so no driver function is
 * called. */
static void before_end(void)
{
    pm_cuda_settle(false);
}

__attribute__((destructor)) static void at_end(void)
{
    pm_rec_end();
}

/* Reads the times of the last kernels, before the driver and CUPTI end. */
static void read_last(void)
{
    inside = true;
    pm_cuda_activity_read(true);
    inside = false;
}

int InitializeInjection(void);

/* Entry point for CUDA's injection. Always returns 1, because the driver reports an error for 0. */
__attribute__((visibility("default"))) int InitializeInjection(void)
{
    const char *fault;

    if (!pm_rec_set_up("-cuda", forked, before_end))
        return 1;
    fault = open_all();
    if (fault) {
        pm_recording_get()->active = false;
        fprintf(stderr, "perfmodel: CUDA launches are not captured: %s\n", fault);
    } else if (pm_cuda_layer_get()->has_activity) {
        atexit(read_last);
    }
    return 1;
}
