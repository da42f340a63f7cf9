/* From datasets to a regression problem: its rows, what is left out together, and all of it put
 * together. The columns are chosen in columns.c. See problem.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "columns.h"

/* Fewer programs than this and a model that leaves one out has nothing to generalize from. */
enum { MIN_GROUPS = 3 };

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

const double *pm_problem_known(const pm_problem *problem, const char *name)
{
    for (size_t k = 0; k < problem->known_count; k++)
        if (strcmp(problem->known_names[k], name) == 0)
            return problem->known_x + k * problem->n;
    return NULL;
}

/* ---- rows --------------------------------------------------------------------------------- */

static bool wanted_variant(const pm_problem_builder *b, const pm_sample *sample)
{
    return !b->options->variant || strcmp(sample->variant, b->options->variant) == 0;
}

/* Whether the source's time is a variable: not if it has none, as where the trace engine counted
 * and nothing ran. */
static bool uses_source_time(const pm_problem_builder *b)
{
    if (!b->source || b->options->no_source_time)
        return false;
    for (size_t i = 0; i < pm_dataset_rows(b->source); i++)
        if (!isnan(pm_dataset_sample(b->source, i)->time_s))
            return true;
    return false;
}

static void add_row(pm_problem_builder *b, const pm_sample *target, const pm_sample *from)
{
    pm_problem *problem = b->problem;
    size_t row = problem->n++;

    problem->sample[row] = target ? target : from;
    problem->t[row] = target ? target->time_s : (double)NAN;
    problem->source_t[row] = b->source ? from->time_s : (double)NAN;
    b->from[row] = from;
}

static pm_status no_rows(const pm_problem_builder *b, pm_error *err)
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
    return pm_fail(err, PM_BAD_INPUT,
                   "%s:1: time_s is empty in every row; collect some, or name this dataset "
                   "with --from",
                   pm_dataset_path(b->target));
}

static pm_status choose_rows(pm_problem_builder *b, bool extra, pm_error *err)
{
    bool timed = uses_source_time(b);

    for (size_t i = 0; i < pm_dataset_rows(b->target); i++) {
        const pm_sample *sample = pm_dataset_sample(b->target, i);
        const pm_sample *from = b->source ? pm_dataset_find(b->source, sample) : sample;

        if (!wanted_variant(b, sample) || isnan(sample->time_s))
            continue;
        if (from && !(timed && isnan(from->time_s)))
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

        if (wanted_variant(b, from) && !(timed && isnan(from->time_s)) &&
            (!known || isnan(known->time_s)))
            add_row(b, NULL, from);
    }
    return PM_OK;
}

static size_t last_line(const pm_dataset *dataset)
{
    return pm_dataset_sample(dataset, pm_dataset_rows(dataset) - 1)->line;
}

static pm_status too_few(const pm_problem_builder *b, size_t known, pm_error *err)
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

/* 0 for two rows that are left out together: those of a program, or of a sample, which two tools or
 * two devices of a dataset may each have a row of. */
static int compare_groups(const pm_problem_builder *b, size_t x, size_t y)
{
    const pm_sample *p = b->problem->sample[x], *q = b->problem->sample[y];
    int order = strcmp(p->program, q->program);

    if (b->options->leave_out_sample) {
        order = order ? order : strcmp(p->variant, q->variant);
        order = order ? order : strcmp(p->size, q->size);
        order = order ? order : strcmp(p->kernel, q->kernel);
    }
    return order;
}

static int compare_rows(const void *a, const void *b, void *builder)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    int order = compare_groups(builder, x, y);

    return order ? order : (x > y) - (x < y);
}

/* Groups are numbered in the order in which they come. */
static pm_status choose_groups(pm_problem_builder *b, pm_error *err)
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
    qsort_r(order, problem->n, sizeof *order, compare_rows, b);
    for (size_t k = 1; k < problem->n; k++)
        if (compare_groups(b, order[k], order[k - 1]) == 0)
            first[order[k]] = first[order[k - 1]];
    for (size_t row = 0; row < problem->n; row++)
        problem->group[row] = first[row] == row ? problem->groups++ : problem->group[first[row]];
    free(order);
    free(first);
    for (size_t row = 0; row < problem->n_known; row++)
        known = problem->group[row] + 1 > known ? problem->group[row] + 1 : known;
    return known < MIN_GROUPS ? too_few(b, known, err) : PM_OK;
}

/* ---- all of it ---------------------------------------------------------------------------- */

static pm_status allocate(pm_problem_builder *b, pm_error *err)
{
    size_t rows = pm_dataset_rows(b->target) + (b->source ? pm_dataset_rows(b->source) : 0);
    pm_problem *problem = b->problem;

    problem->x = calloc(rows * pm_candidate_count(b), sizeof *problem->x);
    problem->t = calloc(rows, sizeof *problem->t);
    problem->source_t = calloc(rows, sizeof *problem->source_t);
    problem->group = calloc(rows, sizeof *problem->group);
    problem->names = calloc(pm_candidate_count(b), sizeof *problem->names);
    problem->known_x = calloc(rows * pm_candidate_count(b), sizeof *problem->known_x);
    problem->known_names = calloc(pm_candidate_count(b), sizeof *problem->known_names);
    problem->sample = calloc(rows, sizeof *problem->sample);
    b->from = calloc(rows, sizeof *b->from);
    if (!problem->x || !problem->t || !problem->source_t || !problem->group || !problem->names ||
        !problem->known_x || !problem->known_names || !problem->sample || !b->from)
        return pm_fail(err, PM_FAILED, "out of memory for %zu rows", rows);
    return PM_OK;
}

/* Once the problem is built, so that an error stays one line. */
static void tell_left_out(const pm_problem_builder *b)
{
    if (b->unmatched > 0)
        pm_notice(&b->options->log, "%s: %zu samples are not in %s and are left out",
                  pm_dataset_path(b->target), b->unmatched, pm_dataset_path(b->source));
    if (*b->aside)
        pm_notice(&b->options->log, "%s: left out of the counters: %s", pm_dataset_path(b->counted),
                  b->aside);
}

static pm_status build(pm_problem_builder *b, bool extra, pm_error *err)
{
    pm_status status = allocate(b, err);

    if (status == PM_OK)
        status = choose_rows(b, extra, err);
    if (status == PM_OK)
        status = choose_groups(b, err);
    if (status == PM_OK && !uses_source_time(b)) {
        free(b->problem->source_t);
        b->problem->source_t = NULL;
    }
    if (status == PM_OK)
        status = pm_choose_columns(b, err);
    if (status == PM_OK)
        status = pm_profile_find(pm_dataset_sample(b->target, 0)->device, b->options->datasets,
                                 &b->problem->profile, err);
    if (status == PM_OK && b->source)
        status = pm_profile_find(pm_dataset_sample(b->source, 0)->device, b->options->datasets,
                                 &b->problem->source_profile, err);
    if (status == PM_OK)
        tell_left_out(b);
    return status;
}

pm_problem *pm_problem_create(const pm_dataset *target, const pm_dataset *source, bool extra,
                              const pm_model_options *options, pm_error *err)
{
    pm_problem_builder b = {.target = target,
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
