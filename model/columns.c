/* Chooses the hardware counters of a dataset that become variables (columns) of a regression of
 * kernel times. Unusable counters are left out. See columns.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/columns.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "machine/counters/counters.h"

size_t pm_candidate_count(const pm_problem_builder *b)
{
    return pm_dataset_counters(b->counted) + 2;
}

static const char *candidate_name(const pm_problem_builder *b, size_t c)
{
    size_t counters = pm_dataset_counters(b->counted);

    if (c < counters)
        return pm_dataset_counter_name(b->counted, c);
    return c == counters ? "work_items" : "work_group";
}

static double candidate_value(const pm_problem_builder *b, size_t c, size_t row)
{
    size_t counters = pm_dataset_counters(b->counted);
    const pm_sample *from = b->from[row];

    if (c < counters)
        return from->counters[c];
    return c == counters ? from->work_items : from->work_group;
}

/* Columns of standard errors are no candidates, because they describe the measurement and not the
 * kernel. */
static bool is_candidate(const pm_problem_builder *b, size_t c)
{
    return !pm_dataset_counter_is_error(b->counted, c);
}

typedef enum { COLUMN_GOOD, COLUMN_EMPTY, COLUMN_GAPS, COLUMN_CONSTANT, COLUMN_COPY } column_state;

/* Copies the values of counter c of the dataset to the next free column of known_x, a matrix that
 * is stored by column. Returns a pointer to the n copied values, one for each row of the regression
 * problem. */
static const double *gather(const pm_problem_builder *b, size_t c)
{
    size_t n = b->problem->n;
    double *values = b->problem->known_x + b->problem->known_count * n;

    for (size_t row = 0; row < n; row++)
        values[row] = candidate_value(b, c, row);
    return values;
}

/* Returns whether a candidate counter may become a column of the regression, or why not. values:
 * one for each row. *line gets the line in the dataset's file of the first unknown value. *like
 * gets the name of an accepted column with the same values. */
static column_state inspect(const pm_problem_builder *b, const double *values, size_t *line,
                            const char **like)
{
    const pm_problem *problem = b->problem;
    size_t unknown = 0, stride = pm_candidate_count(b);
    bool constant = true;

    for (size_t row = 0; row < problem->n; row++) {
        if (isnan(values[row]) && unknown++ == 0)
            *line = b->from[row]->line;
        else if (row < problem->n_known && values[row] != values[0])
            constant = false;
    }
    if (unknown)
        return unknown == problem->n ? COLUMN_EMPTY : COLUMN_GAPS;
    if (constant)
        return COLUMN_CONSTANT;
    for (size_t j = 0; j < problem->p; j++) {
        size_t row = 0;

        while (row < problem->n && problem->x[row * stride + j] == values[row])
            row++;
        if (row == problem->n) {
            *like = problem->names[j];
            return COLUMN_COPY;
        }
    }
    return COLUMN_GOOD;
}

static void take_column(pm_problem_builder *b, size_t c, const double *values)
{
    pm_problem *problem = b->problem;
    size_t stride = pm_candidate_count(b);

    for (size_t row = 0; row < problem->n; row++)
        problem->x[row * stride + problem->p] = values[row];
    problem->names[problem->p++] = candidate_name(b, c);
}

/* Adds counter c of the dataset to the variables of the regression if its values are usable: known
 * in all rows, not constant, and not equal to another counter. named: true if the user asked for
 * the counter by name, so that an unusable counter is an error. */
static void try_column(pm_problem_builder *b, size_t c, bool named)
{
    const char *path = pm_dataset_path(b->counted), *name = candidate_name(b, c), *like = NULL;
    const double *values = gather(b, c), first = values[0];
    size_t line = 0;
    column_state state = inspect(b, values, &line, &like);

    if (state != COLUMN_EMPTY && state != COLUMN_GAPS)
        /* the counter is known in all rows, and gather() has already copied its values to this
         * column of known_x */
        b->problem->known_names[b->problem->known_count++] = name;
    switch (state) {
    case COLUMN_GOOD:
        take_column(b, c, values);
        break;
    case COLUMN_EMPTY:
        if (named)
            pm_leave(&b->memory, PM_BAD_INPUT,
                     "%s:1: counter %s is unknown in every row; leave it out of --counters", path,
                     name);
        break;
    case COLUMN_GAPS:
        if (named)
            pm_leave(&b->memory, PM_BAD_INPUT,
                     "%s:%zu: counter %s is unknown here; leave it out of --counters, or "
                     "collect this sample again",
                     path, line, name);
        pm_list_add(b->aside, sizeof b->aside, "%s (unknown in line %zu)", name, line);
        break;
    case COLUMN_CONSTANT:
        if (named)
            pm_leave(&b->memory, PM_BAD_INPUT,
                     "%s:1: counter %s is %.6g in every row and can explain nothing; leave it "
                     "out of --counters",
                     path, name, first);
        /* a counter that is 0 in every row needs no notice, because many events never occur */
        if (first != 0)
            pm_list_add(b->aside, sizeof b->aside, "%s (%.6g in every row)", name, first);
        break;
    case COLUMN_COPY:
        if (named)
            pm_leave(&b->memory, PM_BAD_INPUT,
                     "%s:1: counters %s and %s are equal in every row; leave one out of "
                     "--counters",
                     path, like, name);
        pm_list_add(b->aside, sizeof b->aside, "%s (equal to %s)", name, like);
        break;
    }
}

static _Noreturn void unknown_counter(const pm_problem_builder *b, const char *name, size_t length)
{
    char names[800] = "";

    for (size_t c = 0; c < pm_candidate_count(b); c++)
        if (is_candidate(b, c))
            pm_list_add(names, sizeof names, "%s", candidate_name(b, c));
    pm_leave(&b->memory, PM_BAD_INPUT, "%s:1: no counter '%.*s'; there is: all, code, %s",
             pm_dataset_path(b->counted), (int)(length < 80 ? length : 80), name, names);
}

/* Returns the index of the candidate counter with that name, or the number of candidates if there
 * is none. */
static size_t find_candidate(const pm_problem_builder *b, const char *name, size_t length)
{
    size_t c = 0;

    while (c < pm_candidate_count(b) &&
           (strlen(candidate_name(b, c)) != length ||
            strncmp(candidate_name(b, c), name, length) != 0 || !is_candidate(b, c)))
        c++;
    return c;
}

static void choose_named(pm_problem_builder *b, const char *list)
{
    while (*list) {
        size_t length = strcspn(list, ","), c = find_candidate(b, list, length);

        if (c == pm_candidate_count(b))
            unknown_counter(b, list, length);
        if (pm_counter_kind_of(b->table, candidate_name(b, c)) == PM_COUNTER_ENERGY)
            pm_leave(&b->memory, PM_BAD_INPUT,
                     "%s:1: %s is no counter, but what a run costs; leave it out of --counters",
                     pm_dataset_path(b->counted), candidate_name(b, c));
        if (!b->source && pm_counter_kind_of(b->table, candidate_name(b, c)) == PM_COUNTER_TIME)
            pm_leave(&b->memory, PM_BAD_INPUT,
                     "%s:1: counter %s is the time that is to be predicted; leave it out of "
                     "--counters",
                     pm_dataset_path(b->counted), candidate_name(b, c));
        for (size_t j = 0; j < b->problem->p; j++)
            if (strcmp(b->problem->names[j], candidate_name(b, c)) == 0)
                pm_leave(&b->memory, PM_BAD_INPUT, "--counters names %s twice; name it once",
                         candidate_name(b, c));
        try_column(b, c, true);
        list += length + (list[length] == ',');
    }
}

static void choose_by_kind(pm_problem_builder *b, bool code_only)
{
    for (size_t c = 0; c < pm_candidate_count(b); c++) {
        pm_counter_kind kind = pm_counter_kind_of(b->table, candidate_name(b, c));

        if (is_candidate(b, c) &&
            (kind == PM_COUNTER_CODE || (kind == PM_COUNTER_RUN && !code_only)))
            try_column(b, c, false);
    }
}

/* Removes unused space between the rows of the matrix x. The rows were filled with space for all
 * candidate columns; afterwards each has problem->p columns. */
static void pack_columns(pm_problem_builder *b)
{
    pm_problem *problem = b->problem;

    for (size_t row = 1; row < problem->n; row++)
        memmove(problem->x + row * problem->p, problem->x + row * pm_candidate_count(b),
                problem->p * sizeof *problem->x);
}

void pm_choose_columns(pm_problem_builder *b)
{
    const char *which = b->options->counters ? b->options->counters : "all";
    pm_problem *problem = b->problem;

    b->table = pm_counter_table_read(NULL, b->memory.err);
    if (!b->table)
        pm_require(&b->memory, b->memory.err ? b->memory.err->status : PM_FAILED);
    if (strcmp(which, "all") == 0 || strcmp(which, "code") == 0)
        choose_by_kind(b, which[0] == 'c');
    else
        choose_named(b, which);
    pack_columns(b);
    if (problem->p == 0 && !problem->source_t)
        pm_leave(&b->memory, PM_BAD_INPUT,
                 "%s:1: no counter that is known and differs between rows: there is nothing "
                 "to predict the time from; collect with counters, or name another GPU's "
                 "dataset with --from",
                 pm_dataset_path(b->counted));
    if (problem->p >= problem->n_known)
        pm_leave(&b->memory, PM_BAD_INPUT,
                 "%s:1: %zu counters but only %zu rows in %s: collect more, or choose fewer "
                 "with --counters NAME,...",
                 pm_dataset_path(b->counted), problem->p, problem->n_known,
                 pm_dataset_path(b->target));
}
