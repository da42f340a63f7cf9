/* Counts one workload of the suite once with the CUDA executor and prints what it counted: a check
 * of the executor on a real GPU, and what ncu_ratio.sh times.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "collector/executor.h"
#include "collector/opencl/opencl.h"
#include "program/suite/suite.h"
#include "tests/worker_fixture.h"

typedef struct {
    const char *program, *variant, *size;
    const char *table; /* NULL: the shipped table */
    bool counters;
    size_t launches; /* number of launches; 0: as the workload has them */
} request;

static bool parse(int argc, char **argv, request *r)
{
    *r = (request){.counters = true};
    if (argc < 4)
        return false;
    r->program = argv[1];
    r->variant = argv[2];
    r->size = argv[3];
    for (int i = 4; i < argc; i++) {
        if (strcmp(argv[i], "--no-counters") == 0)
            r->counters = false;
        else if (strcmp(argv[i], "--launches") == 0 && i + 1 < argc)
            r->launches = strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--table") == 0 && i + 1 < argc)
            r->table = argv[++i];
        else
            return false;
    }
    return true;
}

/* Repeats the launches in order until there are exactly `want` of them. */
static bool set_launches(pm_workload *w, size_t want)
{
    size_t have = w->launch_count;
    pm_launch *launches = calloc(want, sizeof *launches);

    if (!launches || have == 0) {
        free(launches);
        return false;
    }
    for (size_t i = 0; i < want; i++) {
        launches[i] = w->launches[i % have];
        launches[i].kernel = strdup(w->launches[i % have].kernel);
        if (!launches[i].kernel)
            abort();
    }
    for (size_t i = 0; i < have; i++)
        free(w->launches[i].kernel);
    free(w->launches);
    w->launches = launches;
    w->launch_count = want;
    return true;
}

static pm_status check_outputs(pm_executor *cuda, const pm_workload *w, pm_error *err)
{
    void **outputs = calloc(w->buffer_count + 1, sizeof *outputs);
    pm_status status = outputs ? PM_OK : PM_FAILED;

    for (size_t i = 0; status == PM_OK && i < w->buffer_count; i++) {
        if (!(w->buffers[i].flags & PM_BUFFER_OUTPUT))
            continue;
        outputs[i] = malloc(w->buffers[i].bytes);
        status = outputs[i] ? cuda->type->read(cuda, i, outputs[i], err) : PM_FAILED;
    }
    if (status == PM_OK)
        status = w->check(w, (const void *const *)outputs, err);
    for (size_t i = 0; outputs && i < w->buffer_count; i++)
        free(outputs[i]);
    free(outputs);
    return status;
}

static pm_status run_plain(pm_executor *cuda, const pm_workload *w, pm_error *err)
{
    double *seconds = calloc(w->launch_count, sizeof *seconds);
    pm_status status = seconds ? cuda->type->run(cuda, seconds, err) : PM_FAILED;

    for (size_t i = 0; status == PM_OK && i < w->launch_count; i++)
        printf("%zu %s %.9f s\n", i, w->launches[i].kernel, seconds[i]);
    free(seconds);
    return status;
}

static pm_status count(pm_executor *cuda, const pm_workload *w, const pm_counter_table *table,
                       pm_error *err)
{
    size_t counters = pm_counter_table_size(table);
    double *values = calloc(w->launch_count * counters, sizeof *values);
    double start = now();
    pm_status status = values ? cuda->type->count(cuda, values, NULL, err) : PM_FAILED;

    printf("# count: %.3f s\n", now() - start);
    for (size_t i = 0; status == PM_OK && i < w->launch_count; i++)
        for (size_t c = 0; c < counters; c++)
            printf("%zu %s %s %.17g %s\n", i, w->launches[i].kernel, pm_counter_name(table, c),
                   values[i * counters + c], pm_counter_unit(table, c));
    free(values);
    return status;
}

static pm_status work(const request *r, pm_workload *w, const pm_counter_table *table,
                      pm_executor *opencl, pm_error *err)
{
    const pm_log log = {.fn = print_notice};
    pm_executor *cuda;
    double start = now();
    pm_status status = opencl->type->load(opencl, w, err);

    printf("# OpenCL load: %.3f s\n", now() - start);
    start = now();
    if (status == PM_OK)
        status = pm_executor_cuda_open(opencl, r->counters ? table : NULL, &log, &cuda, err);
    if (status != PM_OK)
        return status;
    printf("# CUDA open: %.3f s\n", now() - start);
    start = now();
    status = cuda->type->load(cuda, w, err);
    printf("# CUDA load: %.3f s\n", now() - start);
    if (status == PM_OK)
        status = r->counters ? count(cuda, w, table, err) : run_plain(cuda, w, err);
    if (status == PM_OK && r->launches == 0) {
        status = check_outputs(cuda, w, err);
        if (status == PM_OK)
            printf("# outputs agree with the reference\n");
    }
    cuda->type->close(cuda);
    return status;
}

int main(int argc, char **argv)
{
    const pm_log log = {.fn = print_notice};
    pm_error err = {0};
    pm_workload *w = NULL;
    pm_counter_table *table = NULL;
    pm_executor *opencl = NULL;
    pm_device device;
    pm_status status = PM_FAILED;
    request r;

    if (!parse(argc, argv, &r)) {
        fprintf(stderr, "usage: count_once PROGRAM VARIANT SIZE [--no-counters] [--launches N] "
                        "[--table FILE.ini]\n");
        return PM_BAD_INPUT;
    }
    w = suite_workload(r.program, r.variant, r.size, &err);
    table = w ? pm_counter_table_read(r.table, &err) : NULL;
    if (table && r.launches > 0 && !set_launches(w, r.launches))
        snprintf(err.text, sizeof err.text, "cannot repeat the launches");
    else if (table && pm_device_select(NULL, &device, &err) == PM_OK &&
             pm_executor_opencl_open(&device, &log, &opencl, &err) == PM_OK)
        status = work(&r, w, table, opencl, &err);
    if (status != PM_OK)
        fprintf(stderr, "count_once: %s\n", err.text);
    if (opencl)
        opencl->type->close(opencl);
    pm_counter_table_free(table);
    pm_workload_free(w);
    return status;
}
