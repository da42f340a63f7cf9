/* Loads a workload file that was made from the captured launches of a program into the trace
 * engine.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CAPTURE_LOADED_H
#define PM_CAPTURE_LOADED_H

#include "collector/worker/executor_trace.h"
#include "program/suite/suite.h"

typedef struct {
    pm_program *program;
    pm_workload *workload;
    pm_executor *engine;
} pm_captured_loaded;

/* Reads a workload file, compiles its source and loads both into the trace engine. The caller calls
 * pm_captured_unload also after a failure. */
pm_status pm_captured_load(pm_session *session, const char *path, pm_captured_loaded *loaded,
                           pm_error *err);
void pm_captured_unload(pm_captured_loaded *loaded);

#endif
