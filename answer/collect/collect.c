/* Runs programs on a device, measures the times of their kernels and counts hardware events, and
 * appends the results as rows to a dataset.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A workload is loaded, run once, compared with its reference, timed and counted. Only then are its
 * rows appended. A wrong result is therefore never stored, and a kill loses only the current
 * workload.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/collect/parts.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/session/session.h"
#include "base/shard.h"
#include "base/version.h"
#include "collector/executor.h"
#include "collector/measure.h"
#include "collector/opencl/opencl.h"
#include "compiler/language.h"
#include "model/samples/dataset.h"
#include "program/definition.h"
#include "program/suite/suite.h"

typedef struct {
    pm_session *session;
    const pm_log *log; /* owned by the session */
    const pm_collect_options *options;
    pm_collect_result *result;
    pm_device device;
    pm_executor *timer; /* executor that times workloads; NULL without a device */
    pm_probe_row *row;  /* row of devices.csv of this CPU, probed for a new dataset; NULL: none */
    bool told_compiler; /* true: the CUDA compiler is recorded in the dataset's JSON file */
    pm_counting counting;
    pm_metering metering;
    const pm_programs *programs;
    pm_dataset_writer *writer;
    pm_stored stored;
    size_t done, total;
    size_t planned; /* number of workloads planned in all shards */
    size_t place_count;
    /* positions that this shard's workloads would have in a run without shards; NULL: there are no
     * shards */
    pm_planned *places;
    pm_eta eta;
} collection;

/* Measured times of a program's variant in smaller sizes, from which the time of the next larger
 * size is estimated before it is run. */
typedef struct {
    /* pass_s: seconds of one pass (each launch of the workload once) in the last size that was
     * timed. work: amount of work of that size; 0: no size was timed yet. */
    double pass_s, work;
    bool too_long; /* true: a size exceeded the time limit, so that all larger sizes are skipped */
} history;

/* A program's variant (version of the source) and size that are to be measured. */
typedef struct {
    const pm_program *program;
    const char *variant, *size;
    size_t rank; /* index of the size among the program's sizes */
    history *before;
} step;

static bool stopped(const collection *c)
{
    return pm_session_is_cancelled(c->session);
}

/* ---- one workload ------------------------------------------------------------------------- */

static pm_status append_rows(collection *c, const pm_workload *workload, const pm_timing *timing,
                             const double *counts, pm_error *err)
{
    for (size_t k = 0; k < timing->kernel_count; k++) {
        const pm_kernel_time *kernel = &timing->kernels[k];
        const pm_sample row = {.device = c->device.id,
                               .program = workload->program,
                               .variant = workload->variant,
                               .size = workload->size,
                               .kernel = kernel->kernel,
                               .counter_source = c->counting.source,
                               .time_s = kernel->time_s,
                               .time_mad_s = kernel->time_mad_s,
                               .runs = (double)timing->runs,
                               .work_items = kernel->work_items,
                               .work_group = kernel->work_group,
                               .counters = counts + k * c->counting.columns->count,
                               .cuda = pm_is_cuda_launched(workload->source_path)};

        if (!pm_stored_kernel(&c->stored, workload, kernel->kernel) &&
            pm_dataset_writer_append(c->writer, &row, err) != PM_OK)
            return err->status;
    }
    return PM_OK;
}

typedef enum { STEP_MEASURED, STEP_KEPT, STEP_SKIPPED, STEP_FAILED, STEP_BROKEN } outcome;

/* Times a workload that is already loaded, if there is a device. Counts its events and appends its
 * rows to the dataset. STEP_BROKEN: the dataset cannot be written, so that the run ends. */
static outcome measure_loaded(collection *c, const pm_program *program, const pm_workload *workload,
                              pm_error *err)
{
    pm_timing timing = {0};
    double *cells;
    outcome result = STEP_FAILED;
    const pm_cancel cancel = pm_session_cancel(c->session);
    pm_status status = c->timer ? pm_measure_time(c->timer, workload, &cancel, &timing, err)
                                : pm_timing_untimed(workload, &timing, err);

    if (status != PM_OK)
        return STEP_FAILED;
    cells = calloc(timing.kernel_count * c->counting.columns->count, sizeof *cells);
    if (!cells)
        pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);
    else if (pm_counting_workload(&c->counting, program, workload, &timing, cells, err) == PM_OK &&
             pm_metering_workload(&c->metering, c->timer, workload, &timing, cells, err) == PM_OK)
        result =
            append_rows(c, workload, &timing, cells, err) == PM_OK ? STEP_MEASURED : STEP_BROKEN;
    free(cells);
    pm_timing_free(&timing);
    return result;
}

static void remember(const step *s, const pm_workload *workload, double pass_s)
{
    if (pass_s > 0) {
        s->before->pass_s = pass_s;
        s->before->work = workload->work;
    }
}

/* Returns the expected seconds of one pass (each launch of the workload once). The time of the size
 * that was timed last is scaled by the amounts of work. 0: unknown. */
static double expected_pass(const step *s, const pm_workload *workload)
{
    return s->before->work > 0 ? s->before->pass_s * workload->work / s->before->work : 0;
}

/* Returns true if the dataset has a row of the step's program and variant in this size. */
static bool is_begun(const collection *c, const step *s, const char *size)
{
    return pm_stored_any(&c->stored, s->program->info.name, s->variant, size);
}

/* Returns true if pass_s, the seconds of one pass (each launch once), exceeds the time limit. If
 * this is the variant's first such size, also gives a notice and removes the larger sizes from the
 * estimate of the remaining time. */
static bool too_long(collection *c, const step *s, double pass_s)
{
    const char *const *sizes = s->program->info.sizes;
    double limit = c->options->time_limit_s;

    if (!(limit > 0) || !(pass_s > limit))
        return false;
    if (s->before->too_long)
        return true;
    s->before->too_long = true;
    pm_notice(
        c->log,
        "%s %s %s: left out with larger sizes, one pass lasts about %.3g s; --time-limit sets "
        "how much is allowed",
        s->program->info.name, s->variant, s->size, pass_s);
    for (size_t rank = s->rank + 1; sizes[rank]; rank++)
        if (pm_listed(c->options->sizes, sizes[rank]) && !is_begun(c, s, sizes[rank]))
            pm_eta_drop(&c->eta, rank);
    return true;
}

/* Removes the rows of a workload whose source has changed since it was measured, so that it is
 * measured again. Rows without a recorded definition (digest of the source) are kept. */
static pm_status forget_changed(collection *c, const pm_workload *workload, pm_error *err)
{
    const pm_defined of = {workload->program, workload->variant, workload->size,
                           pm_is_cuda_launched(workload->source_path)};
    char before[PM_DEFINED], now[PM_DEFINITION];
    bool measured = pm_stored_any(&c->stored, of.program, of.variant, of.size);
    pm_status status = PM_OK;

    if (!workload->origin)
        return of.cuda ? pm_definition_write(c->result->path, &of, NULL, err) : PM_OK;
    if (pm_definition_read(c->result->path, &of, before, err) != PM_OK)
        return err->status;
    pm_workload_definition(workload, now);
    if (strcmp(before, now) == 0 || (measured && !*before))
        return PM_OK;
    if (*before) {
        if (measured)
            pm_notice(c->log, "%s %s %s: changed since it was measured; measured again", of.program,
                      of.variant, of.size);
        status = pm_dataset_writer_remove(c->writer, of.program, of.variant, of.size, err);
        c->stored.rows = pm_dataset_writer_existing(c->writer);
    }
    return status == PM_OK ? pm_definition_write(c->result->path, &of, now, err) : status;
}

/* Records the CUDA compiler in the dataset's JSON file, once. */
static pm_status tell_compiler(collection *c, pm_error *err)
{
    const char *name = pm_executor_device_compiler(c->timer);

    if (!name || c->told_compiler)
        return PM_OK;
    c->told_compiler = true;
    return pm_provenance_compiler(c->result->path, name, err);
}

static outcome measure_workload(collection *c, const step *s, pm_workload *workload, pm_error *err)
{
    outcome result = STEP_FAILED;
    double pass_s;

    if (forget_changed(c, workload, err) != PM_OK)
        return STEP_BROKEN;
    if (pm_stored_workload(&c->stored, workload, &pass_s)) {
        remember(s, workload, pass_s);
        return STEP_KEPT;
    }
    if (!c->timer)
        return measure_loaded(c, s->program, workload, err);
    if (too_long(c, s, expected_pass(s, workload)))
        return STEP_SKIPPED;
    if (pm_measure_reference(c->timer, workload, err) != PM_OK ||
        c->timer->type->load(c->timer, workload, err) != PM_OK)
        return STEP_FAILED;
    if (tell_compiler(c, err) != PM_OK) {
        c->timer->type->unload(c->timer);
        return STEP_BROKEN;
    }
    if (pm_measure_once(c->timer, workload, &pass_s, err) == PM_OK) {
        remember(s, workload, pass_s);
        if (too_long(c, s, pass_s))
            result = STEP_SKIPPED;
        else if (pm_measure_check(c->timer, workload, err) == PM_OK)
            result = measure_loaded(c, s->program, workload, err);
    }
    c->timer->type->unload(c->timer);
    return result;
}

/* ---- the plan ------------------------------------------------------------------------------ */

static void tell_progress(const collection *c, const step *s)
{
    double left_s = pm_eta_left(&c->eta);
    char left[48] = "", text[1024];

    if (isfinite(left_s) && left_s >= 90)
        snprintf(left, sizeof left, ", about %.0f min left", left_s / 60);
    else if (isfinite(left_s))
        snprintf(left, sizeof left, ", about %.0f s left", left_s);
    snprintf(text, sizeof text, "%s %s %s%s", s->program->info.name, s->variant, s->size, left);
    pm_session_show(c->session, c->done, c->total, text);
}

/* Builds and measures one workload. If the result is STEP_FAILED or STEP_BROKEN, err has the
 * reason. */
static outcome take_step(collection *c, const step *s, pm_error *err)
{
    bool expected = !is_begun(c, s, s->size) && !s->before->too_long;
    double start = pm_now_s();
    outcome result = STEP_FAILED;
    pm_workload *workload = pm_program_build(s->program, s->variant, s->size,
                                             pm_session_chosen(c->session)->seed, c->session, err);

    if (workload)
        result = measure_workload(c, s, workload, err);
    pm_workload_free(workload);
    if (expected)
        pm_eta_done(&c->eta, s->rank, pm_now_s() - start);
    c->done++;
    return result;
}

static pm_status run_step(collection *c, const step *s, pm_error *err)
{
    pm_error why = {0};

    tell_progress(c, s);
    switch (take_step(c, s, &why)) {
    case STEP_MEASURED:
        c->result->measured++;
        return PM_OK;
    case STEP_KEPT:
        c->result->kept++;
        return PM_OK;
    case STEP_SKIPPED:
        c->result->skipped++;
        return PM_OK;
    case STEP_FAILED:
        if (stopped(c))
            return PM_OK; /* the run was interrupted and did not fail */
        c->result->failed++;
        pm_notice(c->log, "failed, not stored: %s", why.text);
        return PM_OK;
    case STEP_BROKEN:
        break;
    }
    return pm_fail(err, why.status, "%s", why.text);
}

static pm_status plan_step(collection *c, const step *s, bool own, pm_error *err)
{
    const pm_planned place = {
        .of = {.program = s->program->info.name, .variant = s->variant, .size = s->size},
        .place = c->planned++};

    if (!own)
        return PM_OK;
    if (c->options->shard.count > 0) {
        pm_planned *places = reallocarray(c->places, c->place_count + 1, sizeof *places);

        if (!places)
            return pm_fail(err, PM_FAILED, "out of memory for the plan");
        c->places = places;
        places[c->place_count++] = place;
    }
    c->total++;
    if (!is_begun(c, s, s->size))
        pm_eta_expect(&c->eta, s->rank);
    return PM_OK;
}

/* Goes through the requested sizes of a variant. plan_only true: adds the workload of each size to
 * the list of workloads to run, from which the remaining time is known; false: runs each workload
 * that belongs to this shard. */
static pm_status walk_sizes(collection *c, const pm_program *program, const char *variant,
                            bool plan_only, pm_error *err)
{
    const char *const *sizes = program->info.sizes;
    const bool own = pm_shard_has(&c->options->shard, program->info.name, variant);
    history before = {0};

    for (size_t rank = 0; sizes[rank] && !stopped(c); rank++) {
        const step s = {program, variant, sizes[rank], rank, &before};

        if (!pm_listed(c->options->sizes, s.size))
            continue;
        if (plan_only ? plan_step(c, &s, own, err) != PM_OK : own && run_step(c, &s, err) != PM_OK)
            return err->status;
    }
    return PM_OK;
}

/* Goes through the requested variants of a program: the variants in its list, and layouts that the
 * user gave as text. plan_only true: adds their workloads to the list of workloads to run; false:
 * runs them. */
static pm_status walk_variants(collection *c, const pm_program *program, bool plan_only,
                               pm_error *err)
{
    const pm_program_info *info = &program->info;
    const char *const *wanted = c->options->variants;

    for (const char *const *v = info->variants; *v; v++)
        if (pm_listed(wanted, *v) && walk_sizes(c, program, *v, plan_only, err) != PM_OK)
            return err->status;
    for (; wanted && *wanted; wanted++)
        if (!pm_listed(info->variants, *wanted) && pm_program_has_variant(info, *wanted) &&
            walk_sizes(c, program, *wanted, plan_only, err) != PM_OK)
            return err->status;
    return PM_OK;
}

/* Goes through all requested workloads. plan_only true: adds each one to the list of workloads to
 * run, from which the remaining time is known; false: runs it. */
static pm_status walk_plan(collection *c, bool plan_only, pm_error *err)
{
    const pm_collect_options *options = c->options;

    for (size_t i = 0; i < c->programs->count; i++) {
        const pm_program *program = c->programs->items[i];

        if (pm_listed(options->programs, program->info.name) &&
            walk_variants(c, program, plan_only, err) != PM_OK)
            return err->status;
    }
    return PM_OK;
}

/* ---- the collection ------------------------------------------------------------------------- */

static pm_status write_provenance(const collection *c, pm_error *err)
{
    const pm_counting *counting = &c->counting;
    const pm_provenance_run run = {.counter_source = counting->source,
                                   .counter_tool = counting->tool,
                                   .counter_target = counting->target[0] ? counting->target : NULL,
                                   .registers_source = counting->registers_source,
                                   .sample = pm_session_chosen(c->session)->sample,
                                   .command = c->options->command,
                                   .shard = c->options->shard,
                                   .row = c->row,
                                   .seed = pm_session_chosen(c->session)->seed};

    return pm_provenance_write(c->result->path, &c->device, &run, err);
}

static pm_status open_output(collection *c, pm_error *err)
{
    char *path = c->result->path;
    pm_status status = pm_collect_path(c->options, &c->device, c->timer != NULL, path, err);

    if (status == PM_OK)
        status = pm_collect_check_source(&c->counting, path, err);
    if (status != PM_OK)
        return status;
    c->writer = pm_dataset_writer_open(path, c->counting.columns->names, c->counting.columns->count,
                                       c->log, err);
    if (!c->writer)
        return err->status;
    c->stored =
        (pm_stored){pm_dataset_writer_existing(c->writer), c->device.id, c->counting.source};
    return write_provenance(c, err);
}

/* Opens the device, the executor that measures times, and the executor that counts events. */
static pm_status open_executors(collection *c, pm_error *err)
{
    const pm_collect_options *options = c->options;
    bool untimed = options->device && strcmp(options->device, "none") == 0;
    pm_status status = PM_OK;

    if (!untimed)
        status = pm_device_select(options->device, &c->device, err);
    if (!untimed && status == PM_OK)
        status = pm_executor_device_open(&c->device, c->log, &c->timer, err);
    if (!untimed && status == PM_OK)
        status = pm_collect_path(options, &c->device, true, c->result->path, err);
    if (!untimed && status == PM_OK)
        status = pm_cpu_row_have(c->session, options, &c->device, c->result->path, &c->row, err);
    if (status == PM_OK)
        status = pm_counting_open(&c->counting, c->session, options, untimed ? NULL : &c->device,
                                  c->timer, err);
    if (options->energy && status == PM_OK)
        status = pm_metering_open(&c->metering, c->session, untimed ? NULL : &c->device,
                                  c->counting.columns, err);
    if (untimed && status == PM_OK) {
        snprintf(c->device.id, sizeof c->device.id, "%s", c->counting.target);
        snprintf(c->device.name, sizeof c->device.name, "the %s", c->counting.tool);
    }
    return status;
}

static void close_all(collection *c)
{
    free(c->places);
    pm_probe_free(c->row);
    pm_dataset_writer_close(c->writer);
    pm_metering_close(&c->metering);
    pm_counting_close(&c->counting);
    if (c->timer)
        c->timer->type->close(c->timer);
}

static pm_status check(collection *c, pm_error *err)
{
    static const char *const sources[] = {"auto", "cupti", "trace", "none", NULL};
    const pm_collect_options *options = c->options;
    const char *mode = options->counters;
    pm_status status = PM_OK;

    c->programs =
        pm_programs_find(c->session, options->suite, options->workloads, options->programs, err);
    status = c->programs ? pm_names_check(c->programs, options->programs, options->variants,
                                          options->sizes, err)
                         : err->status;
    if (status != PM_OK || !mode || pm_listed(sources, mode))
        return status;
    return pm_fail(err, PM_BAD_INPUT, "--counters %s: choose one of auto, cupti, trace, none",
                   mode);
}

pm_status pm_collect(pm_session *session, const pm_collect_options *options,
                     pm_collect_result *result, pm_error *err)
{
    collection c = {
        .session = session, .log = pm_session_log(session), .options = options, .result = result};
    pm_error ignored = {0};
    pm_status status;

    err = err ? err : &ignored;
    *result = (pm_collect_result){0};
    status = PM_UNUSED(options, err);
    if (status == PM_OK)
        status = check(&c, err);
    if (status == PM_OK)
        status = open_executors(&c, err);
    if (status == PM_OK)
        status = open_output(&c, err);
    if (status == PM_OK) {
        strcpy(result->device, c.device.id);
        status = walk_plan(&c, true, err);
        if (status == PM_OK && options->shard.count > 0)
            status = pm_plan_write(result->path, c.places, c.place_count, err);
        if (status == PM_OK)
            status = walk_plan(&c, false, err);
    }
    if (status == PM_OK && stopped(&c))
        status = pm_fail(err, PM_FAILED,
                         "stopped; %zu workloads are safe in %s: run the same command to go on",
                         result->measured + result->kept, result->path);
    close_all(&c);
    return status;
}
