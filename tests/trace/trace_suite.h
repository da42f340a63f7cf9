/* Functions for tests that trace programs of the suite.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_TRACE_SUITE_H
#define PM_TESTS_TRACE_SUITE_H

#include <math.h>

#include "collector/worker/executor_trace.h"
#include "compiler/compile.h"
#include "owned.h"
#include "program/suite/suite.h"
#include "worker_fixture.h"

typedef struct {
    const char *program, *variant, *size;
} suite_case;

/* Counters of every launch, and their standard errors. */
typedef struct {
    double *values, *errors;
    size_t count;
} suite_counts;

/* Traces the executor's workload (each launch once) to get its counters. The result is valid until
 * the test ends. */
static inline pm_status suite_count(pm_executor *executor, const pm_counter_table *table,
                                    const pm_workload *workload, suite_counts *counts,
                                    pm_error *err)
{
    counts->count = workload->launch_count * pm_counter_table_size(table);
    counts->values = room(counts->count, sizeof *counts->values);
    counts->errors = room(counts->count, sizeof *counts->errors);
    return executor->type->count(executor, counts->values, counts->errors, err);
}

static inline bool same_numbers(const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i] != b[i] && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

/* Returns whether this machine has the compilers that the engine needs. */
static inline bool engine_is_there(void)
{
    if (pm_compiler_find(pm_worker_compiler(test_worker()), told()) == PM_OK)
        return true;
    print_message("SKIPPED: %s\n", last_error.text);
    return false;
}

/* The tests' state is the table of counters. */
static inline int open_table(void **state)
{
    *state = pm_counter_table_read(NULL, told());
    return *state ? 0 : -1;
}

static inline int close_table(void **state)
{
    pm_counter_table_free(*state);
    return 0;
}

#endif
