/* Reads the profilers' names of the counters. See profilers.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "machine/counters/profilers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/numbers.h"

enum {
    NO_COLUMN = 0
}; /* index of the first column of profilers.csv. It has perfmodel's names, so that this
      value stands for no profiler. */

typedef struct {
    const char *path;
    double capability;
    pm_memory *memory;
    pm_profiler profiler;
    pm_profiler_counter *counters;
    /* column: index of the profiler's column. columns: number of columns in the header. */
    size_t column, columns;
} reading;

/* Returns the compute capability from which a profiler's column applies. NaN: the profiler is not
 * NVIDIA's. */
static double begin_of(const char *header, size_t *length)
{
    static const char from[] = " from ";
    const char *at = strstr(header, from);

    *length = at ? (size_t)(at - header) : strlen(header);
    return at ? strtod(at + strlen(from), NULL) : (double)NAN;
}

static void choose_column(reading *r, const char *const *cells, size_t count)
{
    double best = -1;

    for (size_t i = 1; i + 1 < count;
         /* the last column is skipped, because it has the sources of the names and not a profiler's
          * names */
         i++) {
        size_t length;
        const double begin = begin_of(cells[i], &length);
        const bool is_nvidia = begin >= 0;

        if (is_nvidia != (r->capability > 0) || (is_nvidia && begin > r->capability) ||
            (is_nvidia && begin < best))
            continue;
        best = is_nvidia ? begin : best;
        r->column = i;
        r->profiler.profiler = pm_format(r->memory, "%.*s", (int)length, cells[i]);
    }
    r->columns = count;
}

static pm_status read_row(void *user, size_t line, const char *const *cells, size_t count,
                          pm_error *err)
{
    reading *r = user;

    if (r->columns == 0) {
        choose_column(r, cells, count);
        return PM_OK;
    }
    if (count != r->columns)
        return pm_fail(err, PM_BAD_INPUT, "%s:%zu: %zu cells, but the header has %zu", r->path,
                       line, count, r->columns);
    if (r->column != NO_COLUMN && *cells[r->column])
        *pm_add(r->memory, r->counters, r->profiler.count) = (pm_profiler_counter){
            pm_copy(r->memory, cells[0]), pm_copy(r->memory, cells[r->column])};
    return PM_OK;
}

pm_profiler pm_profiler_of(const char *path, double capability, pm_memory *memory)
{
    reading r = {.path = path, .capability = capability, .memory = memory};
    char shipped[4096];

    if (!path) {
        pm_require(memory, pm_share_path("profilers.csv", shipped, sizeof shipped, memory->err));
        r.path = shipped;
    }
    pm_require(memory, pm_csv_read_table(r.path, read_row, &r, memory->err));
    r.profiler.counters = r.counters;
    return r.profiler;
}

const char *pm_profiler_name(const pm_profiler *profiler, const char *counter)
{
    for (size_t i = 0; i < profiler->count; i++)
        if (strcmp(profiler->counters[i].counter, counter) == 0)
            return profiler->counters[i].name;
    return NULL;
}
