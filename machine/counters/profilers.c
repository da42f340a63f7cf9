/* Reads the names that profilers (such as Nsight Compute and rocprof) have for perfmodel's
 * counters. See profilers.h.
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

enum { LONGEST_WORD = 128 }; /* size of a word of a formula, in bytes */

enum {
    NO_COLUMN = 0
    /* NO_COLUMN: no profiler was found. Column 0 of profilers.csv has perfmodel's own names, so it
     * is never the column of a profiler. */
};

typedef struct {
    const char *path;
    /* name of the profiler to read; NULL: the profiler that fits the compute capability */
    const char *name;
    double capability;
    pm_memory *memory;
    pm_profiler profiler;
    pm_profiler_counter *counters;
    /* column: index of the profiler's column. columns: number of columns in the header. */
    size_t column, columns;
} reading;

/* Returns the compute capability from which a column of profilers.csv applies, from its header
 * "NAME from CAPABILITY". NaN: the profiler is not NVIDIA's. *length gets the length of NAME. */
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
         /* skip the last column, because it lists the sources of the names */
         i++) {
        size_t length;
        const double begin = begin_of(cells[i], &length);
        const bool is_nvidia = begin >= 0;

        if (r->name && (strlen(r->name) != length || strncmp(cells[i], r->name, length) != 0))
            continue;
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

pm_profiler pm_profiler_named(const char *path, const char *name, double capability,
                              pm_memory *memory)
{
    reading r = {.path = path, .name = name, .capability = capability, .memory = memory};
    char shipped[4096];

    if (!path) {
        pm_require(memory, pm_share_path("profilers.csv", shipped, sizeof shipped, memory->err));
        r.path = shipped;
    }
    pm_require(memory, pm_csv_read_table(r.path, read_row, &r, memory->err));
    r.profiler.counters = r.counters;
    return r.profiler;
}

pm_profiler pm_profiler_of(const char *path, double capability, pm_memory *memory)
{
    return pm_profiler_named(path, NULL, capability, memory);
}

/* ---- formulas -------------------------------------------------------------------------------- */

/* Reads the next word of a formula, which is between spaces, and advances *rest past it. Returns
 * false if there is none. */
static bool next_word(const char **rest, char word[LONGEST_WORD])
{
    const char *at = *rest + strspn(*rest, " ");
    const size_t length = strcspn(at, " ");

    if (length == 0 || length >= LONGEST_WORD)
        return false;
    memcpy(word, at, length);
    word[length] = '\0';
    *rest = at + length;
    return true;
}

/* Returns the value of a single formula, such as "a + b / 4". NaN: the value of a counter in it is
 * unknown. */
static double evaluate_one(const char *formula, double (*value_of)(void *user, const char *name),
                           void *user)
{
    char word[LONGEST_WORD], sign = '+';
    /* term: value of the last operand with its factors, which is not yet added to sum */
    double sum = 0, term = 0;

    while (next_word(&formula, word)) {
        double number = (double)NAN;

        if (strlen(word) == 1 && strchr("+-*/", *word)) {
            sign = *word;
        } else if (sign == '*' || sign == '/') {
            (void)pm_number_parse(word, &number);
            term = sign == '*' ? term * number : term / number;
        } else {
            sum += term;
            term = value_of(user, word) * (sign == '-' ? -1 : 1);
        }
    }
    return sum + term;
}

double pm_profiler_evaluate(const char *formula, double (*value_of)(void *user, const char *name),
                            void *user, pm_memory *memory, const char **used)
{
    static const char or [] = " or ";

    for (const char *next; formula; formula = next) {
        const char *end = strstr(formula, or);
        const char *one = pm_format(
            memory, "%.*s", (int)(end ? (size_t)(end - formula) : strlen(formula)), formula);
        const double value = evaluate_one(one, value_of, user);

        next = end ? end + strlen(or) : NULL;
        if (isnan(value))
            continue;
        *used = one;
        return value;
    }
    *used = NULL;
    return (double)NAN;
}

const char *pm_profiler_name(const pm_profiler *profiler, const char *counter)
{
    for (size_t i = 0; i < profiler->count; i++)
        if (strcmp(profiler->counters[i].counter, counter) == 0)
            return profiler->counters[i].name;
    return NULL;
}
