/* Running the cases of a share of the programs. See cases.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "cases.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/executor.h"
#include "collector/trace/executor_trace.h"
#include "host.h"
#include "layout/transform.h"
#include "program.h"

typedef struct {
    const lr_options *options;
    lr_host *host;
    bool asked; /* for the devices; NULL: not on this machine */
    pm_executor *opencl, *trace;
    pm_counter_table *table;
    lr_tell tell;
    void *to;
} worker;

/* ---- devices ----------------------------------------------------------------------------------
 */

/* In this process, as the threads of a device do not follow into another. */
static void open_devices(worker *w)
{
    const pm_trace_engine_options options = {.target = "h100", .sample = 1, .seed = 1};
    pm_device *devices = NULL;
    pm_error err;
    size_t count = 0;

    w->asked = true;
    if (pm_devices(&devices, &count, &err) == PM_OK)
        for (size_t i = 0; i < count && !w->opencl; i++)
            if (devices[i].is_cpu &&
                pm_executor_opencl_open(&devices[i], NULL, &w->opencl, &err) != PM_OK)
                w->opencl = NULL;
    free(devices);
    w->table = pm_counter_table_read(NULL, &err);
    if (w->table && pm_executor_trace_open(&options, w->table, NULL, &w->trace, &err) != PM_OK)
        w->trace = NULL;
}

static pm_status read_outputs(pm_executor *executor, const pm_workload *workload, void **outputs,
                              pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t i = 0; i < workload->buffer_count && status == PM_OK; i++) {
        if (!(workload->buffers[i].flags & PM_BUFFER_OUTPUT))
            continue;
        outputs[i] = malloc(workload->buffers[i].bytes);
        status = outputs[i] ? executor->type->read(executor, i, outputs[i], err) : PM_FAILED;
    }
    return status;
}

static pm_status run_on(pm_executor *executor, const pm_workload *workload, pm_error *err)
{
    void **outputs = calloc(workload->buffer_count + 1, sizeof *outputs);
    pm_status status = executor->type->load(executor, workload, err);

    if (!outputs)
        status = PM_FAILED;
    if (status == PM_OK)
        status = executor->type->run(executor, NULL, err);
    if (status == PM_OK)
        status = read_outputs(executor, workload, outputs, err);
    if (status == PM_OK)
        status =
            workload->check(workload, workload->check_context, (const void *const *)outputs, err);
    executor->type->unload(executor);
    for (size_t i = 0; outputs && i < workload->buffer_count; i++)
        free(outputs[i]);
    free(outputs);
    return status;
}

/* ---- a case -----------------------------------------------------------------------------------
 */

/* One line that names a line of the source. */
static bool well_formed(const pm_error *err)
{
    const char *at = strstr(err->text, "random.cl:");

    return err->status == PM_BAD_INPUT && !strchr(err->text, '\n') && at &&
           isdigit((unsigned char)at[strlen("random.cl:")]);
}

/* Makes a transformed Workload wrong, to see that it is noticed. */
static bool break_workload(pm_workload *w, lr_break how)
{
    pm_launch *launch;

    if (how == LR_BREAK_OUTPUT && w->buffer_count > 0 && w->buffers[0].initial &&
        (w->buffers[0].flags & PM_BUFFER_OUTPUT)) {
        memset(w->buffers[0].initial, 1, w->buffers[0].bytes);
        return true;
    }
    for (size_t l = 0; how == LR_BREAK_ARGUMENTS && l < w->launch_count; l++) {
        launch = &w->launches[l];
        for (size_t i = 0; i + 1 < launch->arg_count; i++) {
            pm_arg *a = &launch->args[i], swap = *a;

            if (a[0].kind != PM_ARG_BUFFER || a[1].kind != PM_ARG_BUFFER ||
                a[0].buffer == a[1].buffer ||
                w->buffers[a[0].buffer].bytes != w->buffers[a[1].buffer].bytes)
                continue;
            a[0] = a[1];
            a[1] = swap;
            return true;
        }
    }
    return false;
}

static void conclude(worker *w, lr_case *c, pm_status status, const pm_error *err)
{
    c->result = status == PM_OK ? LR_EQUAL : status == PM_BAD_INPUT ? LR_UNCOMPILABLE : LR_WRONG;
    snprintf(c->text, sizeof c->text, "%s", status == PM_OK ? "" : err->text);
    w->tell(w->to, c);
}

static void run_on_device(worker *w, lr_case *c, pm_executor *executor, const pm_workload *workload)
{
    pm_error err = {0};

    if (!executor)
        return;
    snprintf(c->device, sizeof c->device, "%s", executor->type->name);
    c->result = LR_STARTED;
    w->tell(w->to, c);
    conclude(w, c, run_on(executor, workload, &err) == PM_OK ? PM_OK : PM_FAILED, &err);
}

static void run_case(worker *w, lr_case *c, const lr_program *program, lr_outputs *outputs,
                     bool devices)
{
    char *layout =
        w->options->only_layout ? strdup(w->options->only_layout) : lr_layout(program, c->layout);
    pm_error err = {0};
    pm_workload *workload = lr_workload(program, outputs, &err);
    bool broken = false;

    snprintf(c->device, sizeof c->device, "host");
    c->result = LR_STARTED;
    snprintf(c->text, sizeof c->text, "%s", layout ? layout : "");
    w->tell(w->to, c);
    if (workload && layout)
        workload = pm_layout_transform(workload, layout, NULL, &err);
    if (!workload) {
        c->result = well_formed(&err) ? LR_REFUSED : LR_MALFORMED;
        snprintf(c->text, sizeof c->text, "%s", err.text);
        w->tell(w->to, c);
    } else {
        if (w->options->print)
            printf("/* ---- %s ---- */\n%s\n", workload->variant, workload->source);
        if (w->options->broken != LR_BREAK_NOTHING)
            broken = break_workload(workload, w->options->broken);
        if (broken || w->options->broken == LR_BREAK_NOTHING)
            conclude(w, c, lr_host_run(w->host, workload, &err), &err);
        if (devices && c->result == LR_EQUAL) {
            run_on_device(w, c, w->opencl, workload);
            run_on_device(w, c, w->trace, workload);
        }
    }
    free(layout);
    pm_workload_free(workload);
}

/* The original, which says what the outputs are; later devices have to agree. */
static bool run_original(worker *w, const lr_program *program, lr_outputs *outputs, bool devices)
{
    lr_case c = {.seed = program->seed, .odd = program->odd};
    pm_executor *const executors[] = {w->opencl, w->trace};
    pm_error err = {0};
    pm_workload *workload = lr_workload(program, outputs, &err);
    pm_status status = workload ? PM_OK : PM_FAILED;

    snprintf(c.text, sizeof c.text, "(the original)");
    snprintf(c.device, sizeof c.device, "host");
    w->tell(w->to, &c);
    if (status == PM_OK)
        status = lr_host_run(w->host, workload, &err);
    for (size_t i = 0; i < 2 && devices && status == PM_OK; i++)
        if (executors[i]) {
            snprintf(c.device, sizeof c.device, "%s", executors[i]->type->name);
            status = run_on(executors[i], workload, &err);
        }
    if (status != PM_OK) {
        c.result = LR_UNSOUND;
        snprintf(c.text, sizeof c.text, "%s", err.text);
        w->tell(w->to, &c);
    }
    pm_workload_free(workload);
    return status == PM_OK;
}

static void run_program(worker *w, uint64_t seed)
{
    const lr_options *o = w->options;
    lr_program *program = lr_program_create(seed, o->dropped);
    lr_outputs outputs = {0};
    bool devices =
        o->devices_every && o->broken == LR_BREAK_NOTHING && seed % o->devices_every == 0;
    unsigned count = o->only_layout ? 1 : o->layouts;

    if (devices && !w->asked)
        open_devices(w);
    if (o->print)
        printf("/* ---- seed %llu, n = %zu, odd: %s ---- */\n%s\n", (unsigned long long)seed,
               program->n, program->odd ? program->odd : "nothing", program->source);
    if (run_original(w, program, &outputs, devices))
        for (unsigned i = 0; i < count; i++) {
            lr_case c = {.seed = seed, .layout = i, .odd = program->odd};

            run_case(w, &c, program, &outputs, devices);
        }
    lr_outputs_free(&outputs);
    lr_program_free(program);
}

int lr_run_cases(const lr_options *options, unsigned job, unsigned jobs, uint64_t first,
                 lr_tell tell, void *to)
{
    worker w = {.options = options, .tell = tell, .to = to};
    pm_error err = {0};
    char base[64];

    snprintf(base, sizeof base, "%s/%u", options->folder, job);
    w.host = lr_host_open("-O1", base, &err);
    if (!w.host) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    for (uint64_t seed = first; seed < options->first + options->count; seed += jobs)
        run_program(&w, seed);
    if (w.opencl)
        w.opencl->type->close(w.opencl);
    if (w.trace)
        w.trace->type->close(w.trace);
    pm_counter_table_free(w.table);
    lr_host_close(w.host);
    return 0;
}
