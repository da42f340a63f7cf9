/* A worker and a session that all tests of a test program share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_WORKER_FIXTURE_H
#define PM_TESTS_WORKER_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "collector/worker/worker.h"
#include "program/suite/suite.h"

static pm_worker *shared_worker;
static pm_session *shared_session;

static inline void free_shared_worker(void)
{
    pm_session_free(shared_session);
    shared_session = NULL;
    pm_worker_free(shared_worker);
    shared_worker = NULL;
}

static inline pm_worker *test_worker(void)
{
    pm_error err = {.text = ""};

    if (!shared_worker) {
        shared_worker = pm_worker_create(NULL, &err);
        if (!shared_worker || atexit(free_shared_worker) != 0) {
            fprintf(stderr, "%s\n", err.text);
            exit(1);
        }
    }
    return shared_worker;
}

static inline pm_session *test_session(void)
{
    pm_error err = {.text = ""};

    test_worker();
    if (!shared_session) {
        shared_session = pm_session_create(&(pm_session_options){.seed = 1}, &err);
        if (!shared_session) {
            fprintf(stderr, "%s\n", err.text);
            exit(1);
        }
    }
    return shared_session;
}

/* Builds a workload of the suite with seed 1; NULL with err on failure. */
static inline pm_workload *suite_workload(const char *program, const char *variant,
                                          const char *size, pm_error *err)
{
    const pm_program *found = pm_suite_find(program);

    if (found)
        return pm_program_build(found, variant, size, 1, test_session(), err);
    pm_fail(err, PM_BAD_INPUT, "no program %s in the suite", program);
    return NULL;
}

#endif
