/* The CUDA executor: runs a workload's kernels on an NVIDIA GPU, and counts hardware events.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The executor runs exactly the code that NVIDIA's OpenCL driver compiled, a compiled CUDA source,
 * or PTX, and counts events with CUPTI.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/strings.h"
#include "collector/cupti/cuda_driver.h"
#include "collector/cupti/cuda_program.h"
#include "collector/cupti/cuda_timing.h"
#include "collector/cupti/cupti_metrics.h"
#include "collector/cupti/cupti_range.h"
#include "collector/cupti/given_ptx.h"
#include "collector/executor.h"
#include "compiler/language.h"

/* time limit in seconds for a run of nvcc, which compiles one source */
static const double COMPILE_SECONDS = 300;

typedef struct {
    pm_executor base;
    pm_executor *other; /* executor that provides the kernels' compiled code */
    const pm_counter_table *table;
    pm_cuda_driver cuda;
    pm_cupti cupti;
    pm_cu_device device;
    /* CUDA context in which the executor works: the device's primary context if the executor counts
     * with CUPTI, else a context that the executor has created */
    pm_cu_context context;
    char chip[32];
    uint8_t *availability; /* image from CUPTI that says which counters are available on this GPU */
    pm_cupti_metrics *metrics;
    /* compiler of CUDA sources; NULL: no CUDA source was compiled yet */
    pm_cuda_compiler *compiler;
    bool broken; /* true: a launch failed, so the context cannot be used any more */
    /* The members below describe the loaded workload. */
    const pm_workload *workload;
    pm_cuda_program *program;
    pm_cuda_timing timing;
    pm_cuda_code compiled; /* code of the workload's CUDA source, if this executor compiled it */
} cuda_executor;

/* ---- the CUDA context is current only inside the executor's functions
 * ------------------------------------------------------------- */

static pm_status enter(cuda_executor *self, pm_error *err)
{
    pm_cu_result code;

    if (!self->context)
        return pm_fail(err, PM_FAILED,
                       "%s: a kernel before this one faulted, and the driver gives this process no "
                       "GPU any more; mend that kernel, or collect the others without it",
                       self->base.device.name);
    code = self->cuda.context_push(self->context);
    return pm_cuda_check(&self->cuda, err, "cuCtxPushCurrent", NULL, code);
}

static void leave(cuda_executor *self)
{
    pm_cu_context popped;

    self->cuda.context_pop(&popped);
}

static pm_status need_program(cuda_executor *self, pm_error *err)
{
    if (!self->program)
        return pm_fail(err, PM_FAILED, "no workload is loaded on %s", self->base.device.name);
    return enter(self, err);
}

/* ---- the executor's calls ---------------------------------------------------------------- */

/* Opens a CUDA context. A launch that faults destroys its context and everything in it. An executor
 * without CUPTI (`table` is NULL) times launches, which may fault, so it gets a context that no
 * other code uses. */
static pm_cu_result open_context(cuda_executor *self)
{
    pm_cu_result code = self->table ? self->cuda.context_retain(&self->context, self->device)
                                    : self->cuda.context_create(&self->context, 0, self->device);

    if (code != 0)
        self->context = NULL;
    else if (!self->table)
        leave(self);
    return code;
}

static void close_context(cuda_executor *self)
{
    if (self->context && self->table)
        self->cuda.context_release(self->device);
    else if (self->context)
        self->cuda.context_destroy(self->context);
    self->context = NULL;
}

static void mend(cuda_executor *self)
{
    close_context(self);
    open_context(self);
    self->broken = false;
}

static void cuda_unload(pm_executor *executor)
{
    cuda_executor *self = (cuda_executor *)executor;
    bool entered = self->program && enter(self, NULL) == PM_OK;

    if (self->program) {
        pm_cuda_timing_close(&self->timing);
        pm_cuda_program_free(self->program);
    }
    if (entered)
        leave(self);
    pm_cuda_code_free(&self->compiled);
    self->program = NULL;
    self->workload = NULL;
    if (self->broken)
        mend(self);
}

static pm_status open_compiler(cuda_executor *self, pm_error *err)
{
    const pm_compiler_limits limits = {.seconds = COMPILE_SECONDS};
    int version = 0, major = 0, minor = 0;
    pm_cu_result code = self->cuda.driver_version(&version);

    if (code == 0)
        code = self->cuda.device_attribute(&major, PM_CU_ATTRIBUTE_MAJOR, self->device);
    if (code == 0)
        code = self->cuda.device_attribute(&minor, PM_CU_ATTRIBUTE_MINOR, self->device);
    if (code != 0)
        return pm_cuda_check(&self->cuda, err, "cuDeviceGetAttribute", self->base.device.name,
                             code);
    self->compiler = pm_cuda_compiler_open((unsigned)(10 * major + minor), (unsigned)version / 1000,
                                           &limits, err);
    return self->compiler ? PM_OK : PM_FAILED;
}

/* Fails if the kernels read textures. The driver needs texture objects for a launch, which
 * perfmodel does not create. */
static pm_status refuse_textures(const pm_workload *workload, pm_error *err)
{
    if (workload->texture_count == 0 && !pm_find_word(workload->source, "cudaTextureObject_t"))
        return PM_OK;
    return pm_fail(err, PM_FAILED,
                   "%s: kernels that read textures cannot be measured; count them with --device "
                   "none --counters trace",
                   workload->source_path);
}

/* Gets the compiled code of a workload: from the executor `other`, by compiling a CUDA source, or
 * from a source in PTX. The caller frees code->ptx. */
static pm_status get_code(cuda_executor *self, const pm_workload *workload, pm_device_code *code,
                          pm_error *err)
{
    pm_status status = PM_OK;

    *code = (pm_device_code){0};
    if (self->table || !pm_is_cuda_launched(workload->source_path))
        return self->other->type->code(self->other, code, err);
    code->compiled = &self->compiled;
    if (pm_language_of(workload->source_path) == PM_LANGUAGE_PTX)
        return pm_cuda_take_ptx(workload, &self->compiled, err);
    status = refuse_textures(workload, err);
    if (status == PM_OK && !self->compiler)
        status = open_compiler(self, err);
    if (status == PM_OK)
        status = pm_cuda_compile(self->compiler, workload, &self->compiled, err);
    return status;
}

static pm_status make_program(cuda_executor *self, const pm_workload *workload,
                              const pm_device_code *code, pm_error *err)
{
    pm_status status = enter(self, err);

    if (status != PM_OK)
        return status;
    self->program = pm_cuda_program_create(&self->cuda, workload, code, err);
    status = self->program
                 ? pm_cuda_timing_open(&self->cuda, workload->launch_count, &self->timing, err)
                 : err->status;
    leave(self);
    return status;
}

static pm_status cuda_load(pm_executor *executor, const pm_workload *workload, pm_error *err)
{
    cuda_executor *self = (cuda_executor *)executor;
    pm_device_code code;
    pm_status status;

    cuda_unload(executor);
    status = get_code(self, workload, &code, err);
    if (status == PM_OK)
        status = make_program(self, workload, &code, err);
    free(code.ptx);
    if (status == PM_OK)
        self->workload = workload;
    else
        cuda_unload(executor);
    return status;
}

static pm_status cuda_code(pm_executor *executor, pm_device_code *code, pm_error *err)
{
    cuda_executor *self = (cuda_executor *)executor;

    *code = (pm_device_code){.compiled = &self->compiled};
    return self->compiled.ptx
               ? PM_OK
               : pm_fail(err, PM_FAILED, "no CUDA source is loaded on %s", self->base.device.name);
}

static pm_status run_untimed(cuda_executor *self, size_t passes, pm_error *err)
{
    const size_t launches = self->workload->launch_count;
    pm_status status = PM_OK;

    for (size_t i = 0; status == PM_OK && i < passes * launches; i++) {
        status = pm_cuda_program_ready(self->program, i % launches, err);
        if (status == PM_OK)
            status = pm_cuda_program_launch(self->program, i % launches, err);
    }
    return status == PM_OK ? pm_cuda_program_wait(self->program, err) : status;
}

static pm_status run_once(cuda_executor *self, double *seconds, pm_error *err)
{
    pm_status status = pm_cuda_program_restore(self->program, err);

    if (status == PM_OK)
        status = pm_cuda_program_wait(self->program, err);
    if (status == PM_OK)
        status = seconds ? pm_cuda_timing_run(&self->timing, self->program, seconds, err)
                         : run_untimed(self, 1, err);
    self->broken = status != PM_OK;
    return status;
}

static pm_status cuda_run(pm_executor *executor, double *seconds, pm_error *err)
{
    cuda_executor *self = (cuda_executor *)executor;
    pm_status status = need_program(self, err);

    if (status != PM_OK)
        return status;
    status = run_once(self, seconds, err);
    leave(self);
    return status;
}

static pm_status cuda_repeat(pm_executor *executor, size_t passes, pm_error *err)
{
    cuda_executor *self = (cuda_executor *)executor;
    pm_status status = need_program(self, err);

    if (status != PM_OK)
        return status;
    status = run_untimed(self, passes, err);
    self->broken = status != PM_OK;
    leave(self);
    return status;
}

static pm_status cuda_read(pm_executor *executor, size_t buffer, void *dst, pm_error *err)
{
    cuda_executor *self = (cuda_executor *)executor;
    pm_status status = need_program(self, err);

    if (status != PM_OK)
        return status;
    if (buffer < self->workload->buffer_count)
        status = pm_cuda_program_read(self->program, buffer, dst, err);
    else
        status = pm_fail(err, PM_FAILED, "%s has no buffer %zu", self->workload->program, buffer);
    leave(self);
    return status;
}

static pm_status begin_pass(void *user, pm_error *err)
{
    cuda_executor *self = user;
    pm_status status = pm_cuda_program_restore(self->program, err);

    return status == PM_OK ? pm_cuda_program_wait(self->program, err) : status;
}

static pm_status run_launch(void *user, size_t launch, pm_error *err)
{
    cuda_executor *self = user;
    pm_status status = pm_cuda_program_ready(self->program, launch, err);

    if (status == PM_OK)
        status = pm_cuda_program_launch(self->program, launch, err);
    return status == PM_OK ? pm_cuda_program_wait(self->program, err) : status;
}

static pm_status warm_up(void *user, pm_error *err)
{
    cuda_executor *self = user;
    pm_status status = PM_OK;

    for (size_t i = 0; status == PM_OK && i < self->workload->launch_count; i++)
        status = run_launch(user, i, err);
    return status == PM_OK ? begin_pass(user, err) : status;
}

/* Sets for each launch the counters that the driver reports without running the launch, such as
 * registers. These are the counters with the key `launch` in the counter table. */
static pm_status ask_launches(cuda_executor *self, double *values, pm_error *err)
{
    size_t counters = pm_counter_table_size(self->table);
    pm_status status = PM_OK;

    for (size_t i = 0; i < counters; i++) {
        const char *property = pm_counter_launch_property(self->table, i);

        for (size_t l = 0; property && status == PM_OK && l < self->workload->launch_count; l++)
            status = pm_cuda_program_property(self->program, l, property, &values[l * counters + i],
                                              err);
    }
    return status;
}

static pm_status cuda_count(pm_executor *executor, double *values, double *errors, pm_error *err)
{
    cuda_executor *self = (cuda_executor *)executor;
    pm_status status = need_program(self, err);
    pm_cupti_work work = {
        .begin = begin_pass, .warm_up = warm_up, .launch = run_launch, .user = self};

    if (status != PM_OK)
        return status;
    work.launches = self->workload->launch_count;
    status = pm_cupti_count(&self->cupti, self->metrics, self->context, &work,
                            pm_counter_table_size(self->table), values, err);
    if (status == PM_OK)
        status = ask_launches(self, values, err);
    if (status == PM_OK && errors)
        memset(errors, 0, work.launches * pm_counter_table_size(self->table) * sizeof *errors);
    leave(self);
    return status;
}

static void cuda_close(pm_executor *executor)
{
    cuda_executor *self = (cuda_executor *)executor;

    if (!self)
        return;
    cuda_unload(executor);
    pm_cuda_compiler_close(self->compiler);
    pm_cupti_metrics_free(self->metrics);
    free(self->availability);
    close_context(self);
    pm_cupti_close(&self->cupti);
    pm_cuda_driver_close(&self->cuda);
    free(self);
}

static const pm_executor_class cuda_class = {
    .name = "CUDA",
    .counter_source = "cupti",
    .load = cuda_load,
    .run = cuda_run,
    .repeat = cuda_repeat,
    .read = cuda_read,
    .count = cuda_count,
    .unload = cuda_unload,
    .close = cuda_close,
};

/* Functions of the executor without CUPTI. Without CUPTI another profiler can be used at the same
 * time. */
static const pm_executor_class plain_class = {
    .name = "CUDA without counters",
    .load = cuda_load,
    .run = cuda_run,
    .repeat = cuda_repeat,
    .read = cuda_read,
    .code = cuda_code,
    .unload = cuda_unload,
    .close = cuda_close,
};

/* ---- opening ----------------------------------------------------------------------------- */

static pm_status check_support(cuda_executor *self, pm_error *err)
{
    pm_cupti_device_supported ask = {.size = PM_CUPTI_SIZE(pm_cupti_device_supported, api),
                                     .device = self->device,
                                     .api = PM_CUPTI_RANGE_PROFILING};
    const char *why = "for a reason that CUPTI does not tell";

    if (pm_cupti_call_device_supported(&self->cupti, &ask, NULL, err) != PM_OK)
        return PM_FAILED;
    if (ask.supported == PM_CUPTI_LEVEL_SUPPORTED)
        return PM_OK;
    if (ask.architecture != PM_CUPTI_LEVEL_SUPPORTED)
        why = "it is older than Volta (compute capability 7.0), or newer than this CUPTI";
    else if (ask.sli != PM_CUPTI_LEVEL_SUPPORTED)
        why = "SLI is on";
    else if (ask.vgpu == PM_CUPTI_LEVEL_DISABLED)
        why = "the host has not enabled profiling for this virtual GPU";
    else if (ask.vgpu != PM_CUPTI_LEVEL_SUPPORTED)
        why = "this virtual GPU cannot be profiled";
    else if (ask.confidential != PM_CUPTI_LEVEL_SUPPORTED)
        why = "confidential computing is on";
    else if (ask.mining != PM_CUPTI_LEVEL_SUPPORTED)
        why = "it is a mining processor";
    else if (ask.wsl != PM_CUPTI_LEVEL_SUPPORTED)
        why = "this WSL cannot profile";
    return pm_fail(err, PM_FAILED, "CUPTI cannot count on %s: %s", self->base.device.name, why);
}

static pm_status ask_chip(cuda_executor *self, pm_error *err)
{
    pm_cupti_chip_name ask = {.size = PM_CUPTI_SIZE(pm_cupti_chip_name, chip),
                              .device = (size_t)self->device};

    if (pm_cupti_call_chip_name(&self->cupti, &ask, NULL, err) != PM_OK)
        return PM_FAILED;
    if (!ask.chip || strlen(ask.chip) >= sizeof self->chip)
        return pm_fail(err, PM_FAILED, "CUPTI has no usable name for the chip of %s",
                       self->base.device.name);
    strcpy(self->chip, ask.chip);
    return PM_OK;
}

static pm_status ask_availability(cuda_executor *self, pm_error *err)
{
    pm_cupti_availability ask = {.size = PM_CUPTI_SIZE(pm_cupti_availability, image),
                                 .context = self->context};

    if (pm_cupti_call_availability(&self->cupti, &ask, NULL, err) != PM_OK)
        return PM_FAILED;
    self->availability = calloc(1, ask.image_size ? ask.image_size : 1);
    if (!self->availability)
        return pm_fail(err, PM_FAILED, "out of memory for CUPTI's availability image");
    ask.image = self->availability;
    return pm_cupti_call_availability(&self->cupti, &ask, NULL, err);
}

/* Starts CUPTI. Call this function before any CUDA module is loaded, because CUPTI must have
 * installed its hooks in the driver by then. The executor's CUDA context must be current. */
static pm_status start_cupti(cuda_executor *self, pm_error *err)
{
    pm_cupti_initialize start = {.size = PM_CUPTI_SIZE(pm_cupti_initialize, reserved)};

    if (pm_cupti_call_initialize(&self->cupti, &start, NULL, err) != PM_OK)
        return PM_FAILED;
    if (check_support(self, err) != PM_OK || ask_chip(self, err) != PM_OK ||
        ask_availability(self, err) != PM_OK)
        return PM_FAILED;
    self->metrics = pm_cupti_metrics_create(&self->cupti, self->table, self->chip,
                                            self->availability, &self->base.log, err);
    return self->metrics ? PM_OK : PM_FAILED;
}

static pm_status open_all(cuda_executor *self, pm_error *err)
{
    pm_cu_result code;
    pm_status status;

    if (pm_cuda_driver_open(&self->cuda, err) != PM_OK)
        return PM_FAILED;
    if (self->table && pm_cupti_open(&self->cupti, err) != PM_OK)
        return PM_FAILED;
    if (pm_cuda_driver_find(&self->cuda, &self->base.device, &self->device, err) != PM_OK)
        return PM_FAILED;
    code = open_context(self);
    if (code != 0)
        return pm_cuda_check(&self->cuda, err,
                             self->table ? "cuDevicePrimaryCtxRetain" : "cuCtxCreate",
                             self->base.device.name, code);
    if (!self->table)
        return PM_OK;
    status = enter(self, err);
    if (status != PM_OK)
        return status;
    status = start_cupti(self, err);
    leave(self);
    return status;
}

pm_status pm_executor_cuda_open(pm_executor *other, const pm_counter_table *table,
                                const pm_log *log, pm_executor **out, pm_error *err)
{
    cuda_executor *self = calloc(1, sizeof *self);
    pm_status status;

    *out = NULL;
    if (!self)
        return pm_fail(err, PM_FAILED, "out of memory for the CUDA executor");
    self->base.type = table ? &cuda_class : &plain_class;
    self->base.device = other->device;
    if (log)
        self->base.log = *log;
    self->other = other;
    self->table = table;
    status = open_all(self, err);
    if (status == PM_OK)
        *out = &self->base;
    else
        cuda_close(&self->base);
    return status;
}

const char *pm_executor_cuda_compiler(const pm_executor *executor)
{
    const cuda_executor *self = (const cuda_executor *)executor;

    return self->compiler ? pm_cuda_compiler_name(self->compiler) : NULL;
}
