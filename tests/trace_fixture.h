/* Functions for tests of the trace engine. They open the trace engine and OpenCL on a CPU, and make
 * workloads of the sources in tests/trace/sources.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_TRACE_FIXTURE_H
#define PM_TESTS_TRACE_FIXTURE_H

#include "collector/executor.h"
#include "collector/measure.h"
#include "collector/worker/executor_trace.h"
#include "program/workload.h"
#include "trace_wide.h"
#include "unit.h"

#define PM_TRACE_KERNELS PM_SOURCE_DIR "/tests/trace/sources"

/* Opens PoCL's CPU device. NULL: this machine has none. */
static inline pm_executor *open_cpu(void)
{
    pm_error err = {0};
    pm_device *devices = NULL;
    pm_executor *executor = NULL;
    size_t count = 0;

    if (pm_devices(&devices, &count, &err) != PM_OK)
        return NULL;
    for (size_t i = 0; i < count && !executor; i++)
        if (devices[i].is_cpu && pm_executor_opencl_open(&devices[i], NULL, &executor, &err))
            executor = NULL;
    free(devices);
    return executor;
}

/* Opens the trace engine with the rules of a GPU. Its devices.csv may be in folder (NULL: the
 * shipped one); table must outlive the result. NULL with err on failure. */
static inline pm_executor *open_trace(const char *target, const char *folder, double step_limit,
                                      const pm_counter_table *table, pm_error *err)
{
    const pm_trace_engine_options options = {
        .target = target, .datasets = folder, .sample = 1, .step_limit = step_limit, .seed = 1};
    pm_executor *executor = NULL;

    return pm_executor_trace_open(&options, table, NULL, &executor, err) == PM_OK ? executor : NULL;
}

/* Runs a workload `passes` times on an executor (each time all its launches once), and checks the
 * results of each run. */
static inline pm_status run_checked(pm_executor *executor, const pm_workload *w, int passes,
                                    pm_error *err)
{
    pm_status status = executor->type->load(executor, w, err);

    for (int pass = 0; status == PM_OK && pass < passes; pass++) {
        status = executor->type->run(executor, NULL, err);
        if (status == PM_OK)
            status = pm_measure_check(executor, w, err);
    }
    executor->type->unload(executor);
    return status;
}

/* Executors for a test program's kernels: the trace engine with an H100's rules, and OpenCL's CPU
 * device (NULL: there is none). */
static pm_executor *traced, *cpu;

static inline void close_executors(void)
{
    if (traced)
        traced->type->close(traced);
    if (cpu)
        cpu->type->close(cpu);
    traced = cpu = NULL;
}

/* Opens the executors, runs all tests, and returns the number of failed tests. */
static inline int run_all_tests_on_executors(void)
{
    pm_error err = {0};
    pm_counter_table *table = pm_counter_table_read(NULL, &err);
    int failed = 1;

    traced = table ? open_trace("h100", NULL, 0, table, &err) : NULL;
    cpu = open_cpu();
    if (traced)
        failed = run_all_tests(NULL, NULL);
    else
        print_error("%s\n", err.text);
    close_executors();
    pm_counter_table_free(table);
    return failed;
}

/* Returns the content of a file, which the caller frees; NULL: it cannot be read. */
static inline char *read_source(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 16);
    size_t length = file && text ? fread(text, 1, (1 << 16) - 1, file) : 0;

    if (file)
        fclose(file);
    if (length > 0)
        return text;
    free(text);
    return NULL;
}

/* Sets a workload's source to the file at this path, or to `source` if it is not NULL. */
static inline void give_source(pm_workload *workload, const char *path, const char *source)
{
    workload->source_path = strdup(path);
    workload->source = source ? strdup(source) : read_source(path);
}

/* Returns the same random words on every machine. */
static inline void *random_words(size_t words)
{
    uint32_t *values = malloc(words * sizeof *values);
    uint64_t state = 42;

    for (size_t i = 0; values && i < words; i++)
        values[i] = (uint32_t)(random_bits(&state) >> 32);
    return values;
}

#endif
