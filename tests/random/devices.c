/* Other machines. See devices.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "collector/worker/executor_trace.h"

void rd_devices_open(rd_devices *d, bool doubles, pm_worker *worker)
{
    const pm_trace_engine_options options = {
        .target = "h100", .sample = 1, .seed = 1, .quick = true, .worker = worker};
    pm_device *devices = NULL;
    pm_error err;
    size_t count = 0;

    if (d->asked)
        return;
    d->asked = true;
    if (pm_devices(&devices, &count, &err) == PM_OK)
        for (size_t i = 0; i < count && !d->executors[RD_BY_OPENCL]; i++)
            if ((doubles && !devices[i].is_cpu) ||
                pm_executor_opencl_open(&devices[i], NULL, &d->executors[RD_BY_OPENCL], &err) !=
                    PM_OK)
                d->executors[RD_BY_OPENCL] = NULL;
    free(devices);
    d->table = pm_counter_table_read(NULL, &err);
    if (d->table &&
        pm_executor_trace_open(&options, d->table, NULL, &d->executors[RD_TRACED], &err) != PM_OK)
        d->executors[RD_TRACED] = NULL;
}

void rd_devices_close(rd_devices *d)
{
    for (size_t i = 0; i < RD_DEVICES; i++)
        if (d->executors[i])
            d->executors[i]->type->close(d->executors[i]);
    pm_counter_table_free(d->table);
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

pm_status rd_device_run(pm_executor *executor, const pm_workload *workload, pm_error *err)
{
    void **outputs = calloc(workload->buffer_count + 1, sizeof *outputs);
    pm_status status = executor->type->load(executor, workload, err);

    if (!outputs)
        status = pm_fail(err, PM_FAILED, "out of memory");
    if (status == PM_OK)
        status = executor->type->run(executor, NULL, err);
    if (status == PM_OK)
        status = read_outputs(executor, workload, outputs, err);
    if (status == PM_OK)
        status = workload->check(workload, (const void *const *)outputs, err);
    executor->type->unload(executor);
    for (size_t i = 0; outputs && i < workload->buffer_count; i++)
        free(outputs[i]);
    free(outputs);
    return status;
}

/* ---- Oclgrind ---------------------------------------------------------------------------------
 */

bool rd_oclgrind_there(void)
{
    return system("command -v oclgrind >/dev/null") == 0;
}

/* Time limit of Oclgrind. Faults that it reported before the limit count. */
enum { OCLGRIND_SECONDS = 20, TIMEOUT_PASSED = 124 };

/* Reads the first fault in Oclgrind's log. */
static pm_status read_log(const char *path, pm_error *err)
{
    FILE *file = fopen(path, "r");
    char line[256];
    pm_status status = PM_OK;

    while (file && status == PM_OK && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (*line)
            status = pm_fail(err, PM_FAILED, "%s", line);
    }
    if (file)
        fclose(file);
    return status;
}

/* Returns whether a line of a run's output starts with the word. */
static bool has_line(const char *path, const char *word)
{
    FILE *file = fopen(path, "r");
    char line[512];
    bool found = false;

    while (file && !found && fgets(line, sizeof line, file))
        found = strncmp(line, word, strlen(word)) == 0;
    if (file)
        fclose(file);
    return found;
}

pm_status rd_oclgrind_run(const char *base, unsigned long long seed, const char *spec,
                          bool identity, bool *ended, pm_error *err)
{
    char self[512], command[1024], log[160];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    int status;

    if (length < 0)
        return pm_fail(err, PM_FAILED, "where this program is cannot be told");
    self[length] = '\0';
    snprintf(log, sizeof log, "%s.log", base);
    /* Oclgrind loads its own library before the sanitizer's, and has memory leaks. */
    snprintf(
        command, sizeof command,
        "ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 timeout %d oclgrind --data-races "
        "--max-errors 3 --log '%s' '%s' --seed %llu --only '%s' --opencl%s "
        ">'%s.out' 2>&1",
        OCLGRIND_SECONDS, log, self, seed, spec, identity ? " --identity" : "", base);
    status = system(command);
    if (read_log(log, err) != PM_OK)
        status = 0;
    unlink(log);
    snprintf(log, sizeof log, "%s.out", base);
    /* Oclgrind may compute another result than this machine (a float beyond int's range). It still
     * checks for races. */
    *ended = !WIFEXITED(status) || WEXITSTATUS(status) != TIMEOUT_PASSED;
    if (status != 0 && *ended && !has_line(log, "  unsound"))
        pm_fail(err, PM_FAILED, "the run by Oclgrind ended with status %d", status);
    unlink(log);
    return err->status;
}
