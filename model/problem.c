/* Makes the matrix and vector of a regression from datasets: the counters and times of measured
 * kernels (rows), the groups that are left out together, and the properties of the GPUs. columns.c
 * chooses the counters. See problem.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/problem.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/session/session.h"
#include "base/strings.h"
#include "model/columns.h"
#include "model/samples/dataset.h"
#include "model/samples/table.h"

/* Least number of groups of rows in a regression problem, where a group has the rows of one
 * program, of one class of similar programs, or of one sample. If there are fewer, a model that
 * leaves one group out cannot generalize. */
enum { MIN_GROUPS = 3 };

void pm_problem_free(pm_problem *problem)
{
    pm_memory memory;

    if (!problem)
        return;
    memory = problem->memory; /* a copy, because the problem itself is in this memory */
    pm_memory_free(&memory);
}

const double *pm_problem_known(const pm_problem *problem, const char *name)
{
    for (size_t k = 0; k < problem->known_count; k++)
        if (strcmp(problem->known_names[k], name) == 0)
            return problem->known_x + k * problem->n;
    return NULL;
}

/* ---- rows --------------------------------------------------------------------------------- */

static bool is_wanted(const pm_problem_builder *b, const pm_sample *sample)
{
    return pm_listed(b->options->variants, sample->variant) &&
           pm_listed(b->options->sizes, sample->size);
}

/* Returns whether the time on the source GPU is a variable of the model. It cannot be if no row of
 * the source has a time, for example because the trace engine only counted and no kernel was
 * run. */
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

static _Noreturn void no_rows(const pm_problem_builder *b)
{
    const pm_model_options *o = b->options;

    if (o->variants || o->sizes)
        pm_leave(&b->memory, PM_BAD_INPUT, "%s: no sample of %s '%s'%s%s%s to learn from%s",
                 pm_dataset_path(b->target), o->variants ? "variant" : "size",
                 o->variants ? *o->variants : *o->sizes,
                 o->variants && o->sizes ? " and size '" : "",
                 o->variants && o->sizes ? *o->sizes : "", o->variants && o->sizes ? "'" : "",
                 b->source ? " that the source has too" : "");
    if (b->source)
        pm_leave(&b->memory, PM_BAD_INPUT,
                 "%s: none of its samples (program, variant, size, kernel) is in %s; collect "
                 "the same programs on both",
                 pm_dataset_path(b->target), pm_dataset_path(b->source));
    pm_leave(&b->memory, PM_BAD_INPUT,
             "%s:1: time_s is empty in every row; collect some, or name this dataset "
             "with --from",
             pm_dataset_path(b->target));
}

static void choose_rows(pm_problem_builder *b)
{
    bool timed = uses_source_time(b);

    for (size_t i = 0; i < pm_dataset_rows(b->target); i++) {
        const pm_sample *sample = pm_dataset_sample(b->target, i);
        const pm_sample *from = b->source ? pm_dataset_find(b->source, sample) : sample;

        if (!is_wanted(b, sample) || isnan(sample->time_s))
            continue;
        if (from && !(timed && isnan(from->time_s)))
            add_row(b, sample, from);
        else
            b->unmatched++;
    }
    b->problem->n_known = b->problem->n;
    if (b->problem->n_known == 0)
        no_rows(b);
    for (size_t i = 0; b->extra && b->source && i < pm_dataset_rows(b->source); i++) {
        const pm_sample *from = pm_dataset_sample(b->source, i);
        const pm_sample *known = pm_dataset_find(b->target, from);

        if (is_wanted(b, from) && !(timed && isnan(from->time_s)) &&
            (!known || isnan(known->time_s)))
            add_row(b, NULL, from);
    }
}

static size_t last_line(const pm_dataset *dataset)
{
    return pm_dataset_sample(dataset, pm_dataset_rows(dataset) - 1)->line;
}

static _Noreturn void too_few(const pm_problem_builder *b, size_t known)
{
    const pm_leave_out unit = b->options->leave_out;
    const char *what = unit == PM_LEAVE_SAMPLE  ? "sample"
                       : unit == PM_LEAVE_CLASS ? "class"
                                                : "program";
    const char *more = known == 1 ? "" : unit == PM_LEAVE_CLASS ? "es" : "s";

    if (b->source)
        pm_leave(&b->memory, PM_BAD_INPUT,
                 "%s:%zu: %zu %s%s to learn from that %s:%zu has too, at least %d are "
                 "needed to leave one out; collect more",
                 pm_dataset_path(b->target), last_line(b->target), known, what, more,
                 pm_dataset_path(b->source), last_line(b->source), MIN_GROUPS);
    pm_leave(&b->memory, PM_BAD_INPUT,
             "%s:%zu: %zu %s%s to learn from, at least %d are needed to leave one out; "
             "collect more",
             pm_dataset_path(b->target), last_line(b->target), known, what, more, MIN_GROUPS);
}

/* Returns the name of the group that a row of a dataset belongs to: its program, or the class of
 * its program (similar programs that classes.csv lists together). */
static const char *group_name(pm_problem_builder *b, const pm_sample *s)
{
    return b->options->leave_out == PM_LEAVE_CLASS ? pm_class_of(&b->classes, s->program)
                                                   : pm_twin_name(&b->memory, s->program);
}

/* Returns a hash of the name of a row's group. A group has the rows of one program, of one class of
 * similar programs, or of one kernel, variant and size. Even a group of the last kind can have
 * several rows, if two tools or two devices of a dataset measured the kernel. */
static uint64_t hash_group(const pm_problem_builder *b, const char *const *name, size_t row)
{
    const pm_sample *s = b->problem->sample[row];
    uint64_t hash = pm_hash_text(name[row]);

    if (b->options->leave_out == PM_LEAVE_SAMPLE) {
        const char *others[] = {s->variant, s->size, s->kernel};

        for (size_t i = 0; i < 3; i++)
            hash = (hash ^ pm_hash_text(others[i])) * 0x9e3779b97f4a7c15u;
    }
    return hash ^ hash >> 32;
}

typedef struct {
    const pm_problem_builder *b;
    const char *const *name; /* name[row]: name of the row's group (group_name) */
    const size_t *first;     /* first[group]: one row of the group */
    size_t row;
} group_key;

static bool same_group(const void *key, size_t group)
{
    const group_key *k = key;
    const pm_sample *p = k->b->problem->sample[k->row];
    const pm_sample *q = k->b->problem->sample[k->first[group]];

    return strcmp(k->name[k->row], k->name[k->first[group]]) == 0 &&
           (k->b->options->leave_out != PM_LEAVE_SAMPLE ||
            (strcmp(p->variant, q->variant) == 0 && strcmp(p->size, q->size) == 0 &&
             strcmp(p->kernel, q->kernel) == 0));
}

/* Numbers the groups in order of appearance. first: receives one row of each group. Returns false
 * if memory runs out. */
static bool number_groups(pm_problem_builder *b, pm_hash_index *index, const char *const *name,
                          size_t *first)
{
    pm_problem *problem = b->problem;

    for (size_t row = 0; row < problem->n; row++) {
        const group_key key = {b, name, first, row};
        uint64_t hash = hash_group(b, name, row);
        size_t group = pm_hash_index_find(index, hash, same_group, &key);

        if (group == PM_NO_ENTRY) {
            group = problem->groups++;
            first[group] = row;
            if (!pm_hash_index_add(index, hash, group))
                return false;
        }
        problem->group[row] = group;
    }
    return true;
}

static void choose_groups(pm_problem_builder *b)
{
    pm_problem *problem = b->problem;
    size_t *first = pm_take(&b->memory, problem->n, sizeof *first), known = 0;
    const char **name = pm_take(&b->memory, problem->n, sizeof *name);
    pm_hash_index index = {0};
    bool numbered;

    for (size_t row = 0; row < problem->n; row++)
        name[row] = group_name(b, problem->sample[row]);
    numbered = number_groups(b, &index, name, first);
    pm_hash_index_clear(&index);
    if (!numbered)
        pm_leave(&b->memory, PM_FAILED, "out of memory for %zu rows", problem->n);
    for (size_t row = 0; row < problem->n_known; row++)
        known = problem->group[row] + 1 > known ? problem->group[row] + 1 : known;
    if (known < MIN_GROUPS)
        too_few(b, known);
}

/* ---- the problem -------------------------------------------------------------------------- */

static void allocate(pm_problem_builder *b)
{
    size_t rows = pm_dataset_rows(b->target) + (b->source ? pm_dataset_rows(b->source) : 0);
    size_t columns = pm_candidate_count(b);
    pm_problem *problem = pm_take(&b->memory, 1, sizeof *problem);

    *problem = (pm_problem){
        .x = pm_take(&b->memory, rows, columns * sizeof *problem->x),
        .t = pm_take(&b->memory, rows, sizeof *problem->t),
        .source_t = pm_take(&b->memory, rows, sizeof *problem->source_t),
        .group = pm_take(&b->memory, rows, sizeof *problem->group),
        .names = pm_take(&b->memory, columns, sizeof *problem->names),
        .known_x = pm_take(&b->memory, rows, columns * sizeof *problem->known_x),
        .known_names = pm_take(&b->memory, columns, sizeof *problem->known_names),
        .sample = pm_take(&b->memory, rows, sizeof *problem->sample),
    };
    b->problem = problem;
    b->from = pm_take(&b->memory, rows, sizeof *b->from);
}

/* Prints notices about rows of datasets and counters that are left out of the regression problem.
 * Called after the problem is built, so that an error prints only one line. */
static void tell_left_out(const pm_problem_builder *b)
{
    if (b->unmatched > 0)
        pm_notice(pm_session_log(b->session), "%s: %zu samples are not in %s and are left out",
                  pm_dataset_path(b->target), b->unmatched, pm_dataset_path(b->source));
    if (*b->aside)
        pm_notice(pm_session_log(b->session), "%s: left out of the counters: %s",
                  pm_dataset_path(b->counted), b->aside);
}

/* Finds the profile of a dataset's device. PoCL reports the same device name on all machines.
 * Therefore a row of devices.csv beside the dataset, or at least the number of cores in its
 * provenance, says which machine it was. */
static void find_profile(const pm_problem_builder *b, const pm_dataset *dataset,
                         pm_profile *profile)
{
    char json[PATH_MAX];
    unsigned cores;

    pm_require(&b->memory, pm_provenance_path(pm_dataset_path(dataset), json, b->memory.err));
    pm_require(&b->memory, pm_profile_of_dataset(pm_dataset_sample(dataset, 0)->device, json,
                                                 pm_session_chosen(b->session)->datasets, profile,
                                                 b->memory.err));
    if (profile->loops && !profile->of_dataset &&
        (cores = pm_provenance_cores(pm_dataset_path(dataset))) > 0)
        profile->compute_units = cores;
}

static void build(void *builder)
{
    pm_problem_builder *b = builder;

    allocate(b);
    choose_rows(b);
    if (b->options->leave_out == PM_LEAVE_CLASS)
        pm_require(&b->memory, pm_classes_load(b->session, &b->classes, b->memory.err));
    choose_groups(b);
    if (!uses_source_time(b))
        b->problem->source_t = NULL;
    pm_choose_columns(b);
    find_profile(b, b->target, &b->problem->profile);
    if (b->source)
        find_profile(b, b->source, &b->problem->source_profile);
    tell_left_out(b);
}

pm_problem *pm_problem_create(const pm_session *session, const pm_dataset *target,
                              const pm_dataset *source, bool extra, const pm_model_options *options,
                              pm_error *err)
{
    pm_problem_builder b = {.session = session,
                            .target = target,
                            .source = source,
                            .counted = source ? source : target,
                            .options = options,
                            .extra = extra,
                            .memory.cancel = pm_session_cancel((pm_session *)session)};
    pm_status status = pm_attempt(&b.memory, build, &b, err);

    pm_counter_table_free(b.table);
    pm_classes_clear(&b.classes);
    if (status == PM_OK) {
        b.problem->memory = b.memory;
        return b.problem;
    }
    pm_memory_free(&b.memory);
    return NULL;
}
