/* Runs a workload by OpenCL, in the trace engine, and by Oclgrind, which looks for data races.
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
    pm_executor *executors[RD_DEVICES]; /* NULL: this machine has no such device */
    pm_counter_table *table;
} rd_devices;

/* Opens the executors of all devices, at the first call. Their threads do not exist in forked
 * processes. doubles: true if no GPU is opened, because it may lack doubles. worker: worker of the
 * trace engine. */
void rd_devices_open(rd_devices *devices, bool doubles, pm_worker *worker);
void rd_devices_close(rd_devices *devices);
/* Runs the workload on a device and passes the outputs to its check. */
pm_status rd_device_run(pm_executor *executor, const pm_workload *workload, pm_error *err);

/* Runs this test's program on one case under Oclgrind, which must be installed. base: path of its
 * log. PM_FAILED: Oclgrind found a fault. ended: false if it exceeded the time limit. */
pm_status rd_oclgrind_run(const char *base, unsigned long long seed, const char *spec,
                          bool identity, bool *ended, pm_error *err);
bool rd_oclgrind_there(void);

#endif
