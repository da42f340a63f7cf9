/* Running a Workload on other machines than this test's own: by OpenCL, in the trace engine, and by
 * Oclgrind, which looks for data races.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_RANDOM_DEVICES_H
#define PM_TESTS_RANDOM_DEVICES_H

#include "collector/executor.h"
#include "collector/worker/worker.h"

enum { RD_BY_OPENCL, RD_TRACED, RD_DEVICES };

typedef struct {
    bool asked;
    pm_executor *executors[RD_DEVICES]; /* NULL: not on this machine */
    pm_counter_table *table;
} rd_devices;

/* At first use. Threads of a device do not follow into another process. doubles: no GPU, which may
 * have none. worker: of the trace engine. */
void rd_devices_open(rd_devices *devices, bool doubles, pm_worker *worker);
void rd_devices_close(rd_devices *devices);
/* Runs it and hands the outputs to its check. */
pm_status rd_device_run(pm_executor *executor, const pm_workload *workload, pm_error *err);

/* Runs this test's program on that case by Oclgrind, which is on this machine. base: for its log.
 * PM_FAILED: what Oclgrind found. ended: false where it was too slow. */
pm_status rd_oclgrind_run(const char *base, unsigned long long seed, const char *spec,
                          bool identity, bool *ended, pm_error *err);
bool rd_oclgrind_there(void);

#endif
