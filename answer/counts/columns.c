/* Lists the columns of a dataset that the trace engine fills for each kernel of a workload:
 * counters, the number of launches, and standard errors. See counts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "answer/counts/counts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/session/session.h"
#include "collector/measure.h"

/* Name of the column after the counters: the number of launches of the kernel, over which a row
 * sums the counts. */
#define LAUNCHES "launches"
#define ERROR_SUFFIX "_se"

static void release(void *object)
{
    pm_count_columns *c = object;

    for (size_t i = c->table_size + 1; i < c->count; i++)
        free((char *)c->names[i]);
    free(c->names);
    free(c->error_of);
    pm_counter_table_free(c->table);
    free(c);
}

static bool add_error(pm_count_columns *c, size_t counter)
{
    char *name;

    if (asprintf(&name, "%s" ERROR_SUFFIX, pm_counter_name(c->table, counter)) < 0)
        return false;
    c->error_of[c->count] = counter;
    c->names[c->count++] = name;
    return true;
}

static pm_status fill(pm_session *session, void *object, const void *errors, pm_error *err)
{
    pm_count_columns *c = object;
    size_t counters;
    bool whole;

    (void)session;
    c->table = pm_counter_table_read(NULL, err);
    if (!c->table)
        return err->status;
    counters = c->table_size = pm_counter_table_size(c->table);
    c->names = calloc(2 * counters + 1, sizeof *c->names);
    c->error_of = calloc(2 * counters + 1, sizeof *c->error_of);
    whole = c->names && c->error_of;
    for (size_t i = 0; whole && i < counters; i++)
        c->names[i] = pm_counter_name(c->table, i);
    if (whole) {
        c->names[counters] = LAUNCHES;
        c->count = counters + 1;
    }
    for (size_t i = 0; whole && *(const bool *)errors && i < counters; i++)
        whole = !pm_counter_is_sampled(c->table, i) || add_error(c, i);
    return whole ? PM_OK : pm_fail(err, PM_FAILED, "out of memory for the counter columns");
}

const pm_count_columns *pm_count_columns_find(pm_session *session, bool errors, pm_error *err)
{
    static const pm_session_kind kinds[] = {
        {"columns", sizeof(pm_count_columns), fill, release},
        {"columns with errors", sizeof(pm_count_columns), fill, release}};

    return pm_session_have(session, &kinds[errors], "", &errors, err);
}

void pm_count_columns_fill(const pm_count_columns *c, const pm_timing *timing, const double *values,
                           const double *errors, double *cells)
{
    for (size_t k = 0; k < timing->kernel_count; k++) {
        double *row = cells + k * c->count;

        memcpy(row, values + k * c->table_size, c->table_size * sizeof *row);
        row[c->table_size] = timing->kernels[k].launches;
        for (size_t i = c->table_size + 1; i < c->count; i++)
            row[i] = errors[k * c->table_size + c->error_of[i]];
    }
}
