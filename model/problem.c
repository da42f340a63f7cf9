/* From datasets to a regression problem. See problem.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "problem.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/counters.h"
#include "collector/error.h"

/* Fewer programs than this and a model that leaves one out has nothing to generalize from. */
enum { MIN_GROUPS = 3 };

typedef struct {
    const pm_dataset *target, *source;
    const pm_dataset *counted; /* the one whose counters are used */
    const pm_model_options *options;
    pm_problem *problem;
    const pm_sample **from; /* per row: the sample whose counters are used */
    size_t unmatched;       /* samples that the source lacks */
    char aside[600];        /* the columns that nobody named and that are left out, and why */
} builder;

void pm_problem_free(pm_problem *problem)
{
    if (!problem)
        return;
    free(problem->x);
    free(problem->t);
    free(problem->source_t);
    free(problem->group);
    free(problem->names);
    free(problem->known_x);
    free(problem->known_names);
    free(problem->sample);
    free(problem);
}

size_t pm_problem_column(const pm_problem *problem, const char *name)
{
    size_t column = 0;

    while (column < problem->p && strcmp(problem->names[column], name) != 0)
        column++;
    return column;
}

const double *pm_problem_known(const pm_problem *problem, const char *name)
{
    for (size_t k = 0; k < problem->known_count; k++)
        if (strcmp(problem->known_names[k], name) == 0)
            return problem->known_x + k * problem->n;
    return NULL;
}

/* ---- rows --------------------------------------------------------------------------------- */

static bool wanted_variant(const builder *b, const pm_sample *sample)
{
    return !b->options->variant || strcmp(sample->variant, b->options->variant) == 0;
}

static void add_row(builder *b, const pm_sample *target, const pm_sample *from)
{
    pm_problem *problem = b->problem;
    size_t row = problem->n++;

    problem->sample[row] = target ? target : from;
    problem->t[row] = target ? target->time_s : (double)NAN;
    problem->source_t[row] = b->source ? from->time_s : (double)NAN;
    b->from[row] = from;
}

static pm_status no_rows(const builder *b, pm_error *err)
{
    const char *variant = b->options->variant;

    if (variant)
        return pm_fail(err, PM_BAD_INPUT, "%s: no sample of variant '%s' to learn from%s",
                       pm_dataset_path(b->target), variant,
                       b->source ? " that the source has too" : "");
    if (b->source)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s: none of its samples (program, variant, size, kernel) is in %s; collect "
                       "the same programs on both",
                       pm_dataset_path(b->target), pm_dataset_path(b->source));
    return pm_fail(err, PM_BAD_INPUT, "%s:1: time_s is empty in every row; collect some",
                   pm_dataset_path(b->target));
}

static pm_status choose_rows(builder *b, bool extra, pm_error *err)
{
    for (size_t i = 0; i < pm_dataset_rows(b->target); i++) {
        const pm_sample *sample = pm_dataset_sample(b->target, i);
        const pm_sample *from = b->source ? pm_dataset_find(b->source, sample) : sample;

        if (!wanted_variant(b, sample) || isnan(sample->time_s))
            continue;
        if (from && !(b->source && isnan(from->time_s)))
            add_row(b, sample, from);
        else
            b->unmatched++;
    }
    b->problem->n_known = b->problem->n;
    if (b->problem->n_known == 0)
        return no_rows(b, err);
    for (size_t i = 0; extra && b->source && i < pm_dataset_rows(b->source); i++) {
        const pm_sample *from = pm_dataset_sample(b->source, i);
        const pm_sample *known = pm_dataset_find(b->target, from);

        if (wanted_variant(b, from) && !isnan(from->time_s) && (!known || isnan(known->time_s)))
            add_row(b, NULL, from);
    }
    return PM_OK;
}

static int compare_programs(const void *a, const void *b, void *problem)
{
    const pm_sample *const *sample = ((const pm_problem *)problem)->sample;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    int order = strcmp(sample[x]->program, sample[y]->program);

    return order ? order : (x > y) - (x < y);
}

static size_t last_line(const pm_dataset *dataset)
{
    return pm_dataset_sample(dataset, pm_dataset_rows(dataset) - 1)->line;
}

static pm_status too_few(const builder *b, size_t known, pm_error *err)
{
    const char *what = b->options->leave_out_sample ? "sample" : "program";
    const char *more = known == 1 ? "" : "s";

    if (b->source)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s:%zu: %zu %s%s to learn from that %s:%zu has too, at least %d are "
                       "needed to leave one out; collect more",
                       pm_dataset_path(b->target), last_line(b->target), known, what, more,
                       pm_dataset_path(b->source), last_line(b->source), MIN_GROUPS);
    return pm_fail(err, PM_BAD_INPUT,
                   "%s:%zu: %zu %s%s to learn from, at least %d are needed to leave one out; "
                   "collect more",
                   pm_dataset_path(b->target), last_line(b->target), known, what, more, MIN_GROUPS);
}

/* Rows of one program, or each row, are left out together; groups are numbered in the order in
 * which they come. */
static pm_status choose_groups(builder *b, pm_error *err)
{
    pm_problem *problem = b->problem;
    size_t *order = calloc(problem->n, sizeof *order), *first = calloc(problem->n, sizeof *first);
    size_t known = 0;

    if (!order || !first) {
        free(order);
        free(first);
        return pm_fail(err, PM_FAILED, "out of memory for %zu rows", problem->n);
    }
    for (size_t row = 0; row < problem->n; row++)
        order[row] = first[row] = row;
    if (!b->options->leave_out_sample) {
        qsort_r(order, problem->n, sizeof *order, compare_programs, problem);
        for (size_t k = 1; k < problem->n; k++)
            if (strcmp(problem->sample[order[k]]->program,
                       problem->sample[order[k - 1]]->program) == 0)
                first[order[k]] = first[order[k - 1]];
    }
    for (size_t row = 0; row < problem->n; row++)
        problem->group[row] = first[row] == row ? problem->groups++ : problem->group[first[row]];
    free(order);
    free(first);
    for (size_t row = 0; row < problem->n_known; row++)
        known = problem->group[row] + 1 > known ? problem->group[row] + 1 : known;
    return known < MIN_GROUPS ? too_few(b, known, err) : PM_OK;
}

/* ---- columns ------------------------------------------------------------------------------ */

/* Beside the counters, what is known of a launch: two more columns. */
static size_t candidate_count(const builder *b)
{
    return pm_dataset_counters(b->counted) + 2;
}

static const char *candidate_name(const builder *b, size_t c)
{
    size_t counters = pm_dataset_counters(b->counted);

    if (c < counters)
        return pm_dataset_counter_name(b->counted, c);
    return c == counters ? "work_items" : "work_group";
}

static double candidate_value(const builder *b, size_t c, size_t row)
{
    size_t counters = pm_dataset_counters(b->counted);
    const pm_sample *from = b->from[row];

    if (c < counters)
        return from->counters[c];
    return c == counters ? from->work_items : from->work_group;
}

typedef enum { COLUMN_GOOD, COLUMN_EMPTY, COLUMN_GAPS, COLUMN_CONSTANT, COLUMN_COPY } column_state;

/* What is the matter with a candidate. line: of the file, where a cell is unknown. like: the column
 * it is a copy of. */
static column_state inspect(const builder *b, size_t c, size_t *line, const char **like)
{
    const pm_problem *problem = b->problem;
    size_t unknown = 0;
    bool constant = true;

    for (size_t row = 0; row < problem->n; row++) {
        double value = candidate_value(b, c, row);

        if (isnan(value) && unknown++ == 0)
            *line = b->from[row]->line;
        else if (row < problem->n_known && value != candidate_value(b, c, 0))
            constant = false;
    }
    if (unknown)
        return unknown == problem->n ? COLUMN_EMPTY : COLUMN_GAPS;
    if (constant)
        return COLUMN_CONSTANT;
    for (size_t j = 0; j < problem->p; j++) {
        size_t row = 0;

        while (row < problem->n &&
               problem->x[row * candidate_count(b) + j] == candidate_value(b, c, row))
            row++;
        if (row == problem->n) {
            *like = problem->names[j];
            return COLUMN_COPY;
        }
    }
    return COLUMN_GOOD;
}

static void take_column(builder *b, size_t c)
{
    pm_problem *problem = b->problem;

    for (size_t row = 0; row < problem->n; row++)
        problem->x[row * candidate_count(b) + problem->p] = candidate_value(b, c, row);
    problem->names[problem->p++] = candidate_name(b, c);
}

static void keep_known(builder *b, size_t c)
{
    pm_problem *problem = b->problem;
    size_t k = problem->known_count++;

    problem->known_names[k] = candidate_name(b, c);
    for (size_t row = 0; row < problem->n; row++)
        problem->known_x[k * problem->n + row] = candidate_value(b, c, row);
}

/* One more phrase of the one notice that tells what was left out. */
static void put_aside(builder *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put_aside(builder *b, const char *format, ...)
{
    static const char more[] = ", ...";
    size_t used = strlen(b->aside);
    char phrase[200];
    va_list args;

    va_start(args, format);
    vsnprintf(phrase, sizeof phrase, format, args);
    va_end(args);
    if (used + strlen(phrase) + 2 * sizeof more < sizeof b->aside)
        snprintf(b->aside + used, sizeof b->aside - used, "%s%s", used ? ", " : "", phrase);
    else if (used < sizeof more || strcmp(b->aside + used - strlen(more), more) != 0)
        strcpy(b->aside + used, more);
}

static void tell_left_out(const builder *b)
{
    if (b->unmatched > 0)
        pm_notice(&b->options->log, "%s: %zu samples are not in %s and are left out",
                  pm_dataset_path(b->target), b->unmatched, pm_dataset_path(b->source));
    if (*b->aside)
        pm_notice(&b->options->log, "%s: left out of the counters: %s", pm_dataset_path(b->counted),
                  b->aside);
}

/* named: asked for by name, so that leaving it out would not be what was asked. */
static pm_status try_column(builder *b, size_t c, bool named, pm_error *err)
{
    const char *path = pm_dataset_path(b->counted), *name = candidate_name(b, c), *like = NULL;
    size_t line = 0;
    column_state state = inspect(b, c, &line, &like);

    if (state != COLUMN_EMPTY && state != COLUMN_GAPS)
        keep_known(b, c);
    switch (state) {
    case COLUMN_GOOD:
        take_column(b, c);
        return PM_OK;
    case COLUMN_EMPTY:
        if (named)
            return pm_fail(err, PM_BAD_INPUT,
                           "%s:1: counter %s is unknown in every row; leave it out of --counters",
                           path, name);
        return PM_OK;
    case COLUMN_GAPS:
        if (named)
            return pm_fail(err, PM_BAD_INPUT,
                           "%s:%zu: counter %s is unknown here; leave it out of --counters, or "
                           "collect this sample again",
                           path, line, name);
        put_aside(b, "%s (unknown in line %zu)", name, line);
        return PM_OK;
    case COLUMN_CONSTANT:
        if (named)
            return pm_fail(
                err, PM_BAD_INPUT,
                "%s:1: counter %s is %.6g in every row and can explain nothing; leave it "
                "out of --counters",
                path, name, candidate_value(b, c, 0));
        if (candidate_value(b, c, 0) != 0) /* nothing of a kind happened: usual */
            put_aside(b, "%s (%.6g in every row)", name, candidate_value(b, c, 0));
        return PM_OK;
    case COLUMN_COPY:
        if (named)
            return pm_fail(err, PM_BAD_INPUT,
                           "%s:1: counters %s and %s are equal in every row; leave one out of "
                           "--counters",
                           path, like, name);
        put_aside(b, "%s (equal to %s)", name, like);
        return PM_OK;
    }
    return PM_OK;
}

static pm_status unknown_counter(const builder *b, const char *name, size_t length, pm_error *err)
{
    char names[800] = "";

    for (size_t c = 0; c < candidate_count(b); c++) {
        size_t used = strlen(names);

        snprintf(names + used, sizeof names - used, "%s%s", c ? ", " : "", candidate_name(b, c));
    }
    return pm_fail(err, PM_BAD_INPUT, "%s:1: no counter '%.*s'; there is: all, code, %s",
                   pm_dataset_path(b->counted), (int)(length < 80 ? length : 80), name, names);
}

static pm_status choose_named(builder *b, const char *list, pm_error *err)
{
    while (*list) {
        size_t length = strcspn(list, ","), c = 0;

        while (c < candidate_count(b) && (strlen(candidate_name(b, c)) != length ||
                                          strncmp(candidate_name(b, c), list, length) != 0))
            c++;
        if (c == candidate_count(b))
            return unknown_counter(b, list, length, err);
        for (size_t j = 0; j < b->problem->p; j++)
            if (strcmp(b->problem->names[j], candidate_name(b, c)) == 0)
                return pm_fail(err, PM_BAD_INPUT, "--counters names %s twice; name it once",
                               candidate_name(b, c));
        if (try_column(b, c, true, err) != PM_OK)
            return PM_BAD_INPUT;
        list += length + (list[length] == ',');
    }
    return PM_OK;
}

static pm_status choose_by_kind(builder *b, bool code_only, pm_error *err)
{
    pm_counter_table *table = pm_counter_table_read(NULL, err);

    if (!table)
        return err ? err->status : PM_FAILED;
    for (size_t c = 0; c < candidate_count(b); c++) {
        pm_counter_kind kind = pm_counter_kind_of(table, candidate_name(b, c));

        if (kind == PM_COUNTER_CODE || (kind == PM_COUNTER_RUN && !code_only))
            try_column(b, c, false, err);
    }
    pm_counter_table_free(table);
    return PM_OK;
}

/* x was filled with a stride of all candidates: close the gaps. */
static void pack_columns(builder *b)
{
    pm_problem *problem = b->problem;

    for (size_t row = 1; row < problem->n; row++)
        memmove(problem->x + row * problem->p, problem->x + row * candidate_count(b),
                problem->p * sizeof *problem->x);
}

static pm_status choose_columns(builder *b, pm_error *err)
{
    const char *which = b->options->counters ? b->options->counters : "all";
    pm_problem *problem = b->problem;
    pm_status status;

    if (strcmp(which, "all") == 0 || strcmp(which, "code") == 0)
        status = choose_by_kind(b, which[0] == 'c', err);
    else
        status = choose_named(b, which, err);
    if (status != PM_OK)
        return status;
    pack_columns(b);
    if (problem->p == 0 && !problem->source_t)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s:1: no counter that is known and differs between rows: there is nothing "
                       "to predict the time from; collect with counters, or name another GPU's "
                       "dataset with --from",
                       pm_dataset_path(b->counted));
    if (problem->p >= problem->n_known)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s:1: %zu counters but only %zu rows in %s: collect more, or choose fewer "
                       "with --counters NAME,...",
                       pm_dataset_path(b->counted), problem->p, problem->n_known,
                       pm_dataset_path(b->target));
    return PM_OK;
}

/* ---- all of it ---------------------------------------------------------------------------- */

static pm_status allocate(builder *b, pm_error *err)
{
    size_t rows = pm_dataset_rows(b->target) + (b->source ? pm_dataset_rows(b->source) : 0);
    pm_problem *problem = b->problem;

    problem->x = calloc(rows * candidate_count(b), sizeof *problem->x);
    problem->t = calloc(rows, sizeof *problem->t);
    problem->source_t = calloc(rows, sizeof *problem->source_t);
    problem->group = calloc(rows, sizeof *problem->group);
    problem->names = calloc(candidate_count(b), sizeof *problem->names);
    problem->known_x = calloc(rows * candidate_count(b), sizeof *problem->known_x);
    problem->known_names = calloc(candidate_count(b), sizeof *problem->known_names);
    problem->sample = calloc(rows, sizeof *problem->sample);
    b->from = calloc(rows, sizeof *b->from);
    if (!problem->x || !problem->t || !problem->source_t || !problem->group || !problem->names ||
        !problem->known_x || !problem->known_names || !problem->sample || !b->from)
        return pm_fail(err, PM_FAILED, "out of memory for %zu rows", rows);
    return PM_OK;
}

static pm_status build(builder *b, bool extra, pm_error *err)
{
    pm_status status = allocate(b, err);

    if (status == PM_OK)
        status = choose_rows(b, extra, err);
    if (status == PM_OK)
        status = choose_groups(b, err);
    if (status == PM_OK && (!b->source || b->options->no_source_time)) {
        free(b->problem->source_t);
        b->problem->source_t = NULL;
    }
    if (status == PM_OK)
        status = choose_columns(b, err);
    if (status == PM_OK)
        status =
            pm_profile_find(pm_dataset_sample(b->target, 0)->device, &b->problem->profile, err);
    if (status == PM_OK && b->source)
        status = pm_profile_find(pm_dataset_sample(b->source, 0)->device,
                                 &b->problem->source_profile, err);
    if (status == PM_OK)
        tell_left_out(b);
    return status;
}

pm_problem *pm_problem_create(const pm_dataset *target, const pm_dataset *source, bool extra,
                              const pm_model_options *options, pm_error *err)
{
    builder b = {.target = target,
                 .source = source,
                 .counted = source ? source : target,
                 .options = options,
                 .problem = calloc(1, sizeof(pm_problem))};
    pm_status status;

    if (!b.problem) {
        pm_fail(err, PM_FAILED, "out of memory for a regression problem");
        return NULL;
    }
    status = build(&b, extra, err);
    free(b.from);
    if (status != PM_OK) {
        pm_problem_free(b.problem);
        return NULL;
    }
    return b.problem;
}
