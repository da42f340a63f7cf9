/* Traces one workload of the suite, and prints the time, the number of recorded accesses of
 * work-items, and the memory of the process. trace_speed.sh makes its tables from this output.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "bench.h"
#include "collector/executor.h"
#include "collector/worker/executor_trace.h"
#include "program/suite/suite.h"
#include "tests/worker_fixture.h"

typedef struct {
    double load_s, count_s;
    double recorded;     /* accesses of the work-items that ran and were counted */
    double least_sample; /* smallest fraction of the work-groups that ran, over all kernels */
} result;

static int list(void)
{
    for (size_t i = 0; i < pm_program_count(); i++) {
        const pm_program_info *info = pm_program_at(i);

        for (size_t v = 0; info->variants[v]; v++)
            for (size_t s = 0; info->sizes[s]; s++)
                printf("%s %s %s\n", info->name, info->variants[v], info->sizes[s]);
    }
    return 0;
}

/* The access table is scaled to all work-groups. The counts of the groups that ran are the sampled
 * fraction of it. */
static void add_kernel(result *r, const pm_trace_kernel *kernel)
{
    double scaled = 0;

    for (size_t i = 0; i < kernel->access_count; i++)
        scaled += kernel->accesses[i].work_items;
    r->recorded += scaled * kernel->sampled;
    r->least_sample = fmin(r->least_sample, kernel->sampled);
}

static pm_status measure(pm_executor *executor, const pm_workload *w, double *values, result *r,
                         pm_error *err)
{
    pm_trace_tables tables = {.count = 0};
    double start = now();
    pm_status status = executor->type->load(executor, w, err);

    r->load_s = now() - start;
    start = now();
    if (status == PM_OK)
        status = executor->type->count(executor, values, NULL, err);
    r->count_s = now() - start;
    if (status == PM_OK)
        status = pm_executor_trace_accesses(executor, &tables, err);
    r->least_sample = 1;
    for (size_t i = 0; i < tables.count; i++)
        add_kernel(r, &tables.kernels[i]);
    pm_memory_free(&tables.memory);
    return status;
}

static pm_status trace(const pm_workload *w, const pm_trace_engine_options *options, result *r,
                       pm_error *err)
{
    const pm_log log = {.fn = print_notice};
    pm_counter_table *table = pm_counter_table_read(NULL, err);
    pm_executor *executor = NULL;
    double *values = NULL;
    pm_status status = table ? PM_OK : err->status;

    if (status == PM_OK) {
        values = calloc(pm_counter_table_size(table) * w->launch_count, sizeof *values);
        status = values ? pm_executor_trace_open(options, table, &log, &executor, err) : PM_FAILED;
    }
    if (status == PM_OK)
        status = measure(executor, w, values, r, err);
    if (executor)
        executor->type->close(executor);
    free(values);
    pm_counter_table_free(table);
    return status;
}

static void print_result(const pm_workload *w, const result *r)
{
    struct rusage usage;
    double bytes = 0;

    for (size_t i = 0; i < w->buffer_count; i++)
        bytes += (double)w->buffers[i].bytes;
    getrusage(RUSAGE_SELF, &usage);
    printf("%s %s %s %zu %.6f %.3f %.3f %.0f %.1f %.1f\n", w->program, w->variant, w->size,
           w->launch_count, r->least_sample, r->load_s, r->count_s, r->recorded,
           bytes / (1024 * 1024), (double)usage.ru_maxrss / 1024);
}

int main(int argc, char **argv)
{
    pm_trace_engine_options options = {.target = "h100"};
    pm_workload *w = NULL;
    pm_error err = {0};
    result r = {0};
    pm_status status;

    if (argc == 2 && strcmp(argv[1], "--list") == 0)
        return list();
    if (argc == 6)
        options.sample = strtod(argv[5], NULL);
    if ((argc != 4 && argc != 6) || (argc == 6 && strcmp(argv[4], "--sample") != 0)) {
        fprintf(stderr, "usage: trace_speed --list | PROGRAM VARIANT SIZE [--sample SHARE]\n"
                        "prints: program variant size launches least-sample load-s count-s "
                        "recorded-accesses buffers-MiB peak-MiB\n");
        return PM_BAD_INPUT;
    }
    w = suite_workload(argv[1], argv[2], argv[3], &err);
    status = w ? trace(w, &options, &r, &err) : PM_BAD_INPUT;
    if (status == PM_OK)
        print_result(w, &r);
    else
        fprintf(stderr, "trace_speed: %s\n", err.text);
    pm_workload_free(w);
    return (int)status;
}
