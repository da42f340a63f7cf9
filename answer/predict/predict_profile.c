/* Predicts times on a GPU by its profile (row of devices.csv). Gathers counters that were traced
 * for the GPU, fits the units model to the times of measured GPUs, and transfers it to the GPU. See
 * parts.h and model/transfer/transfer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/predict/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/counts/counts.h"
#include "base/error.h"
#include "base/session/session.h"
#include "model/samples/dataset.h"
#include "model/samples/table.h"
#include "model/transfer/learned.h"
#include "program/suite/suite.h"

typedef struct {
    pm_session *session;
    const pm_predict_options *options;
    pm_wanted wanted;
    const pm_dataset *from;      /* NULL: all traced samples */
    const pm_dataset *own;       /* dataset of the target; NULL: it has none */
    const pm_programs *programs; /* programs of workloads, which are predicted instead of `from` */
    pm_learn how;
    const pm_known_gpu *target;
    const pm_learned *learned;
    /* GPU that the dataset `from` was measured on; its member `measured` is NULL if its times are
     * not used */
    pm_known_gpu source;
    pm_dataset *there;       /* counters of the workloads, traced for the source GPU; NULL: none */
    pm_dataset *rows;        /* counters of the rows to predict, traced for the target */
    pm_transferred *carried; /* carried[row]: prediction for row `row` of the member `rows` */
    pm_predictions *result;
    pm_memory memory;
} predicting;

/* ---- counters ------------------------------------------------------------------------------- */

static void copy_traced(predicting *p, const pm_dataset *list)
{
    for (size_t i = 0; i < pm_dataset_rows(list); i++) {
        const pm_sample *s = pm_dataset_sample(list, i);
        const pm_sample *traced =
            pm_is_wanted(&p->wanted, s) ? pm_known_traced(p->target, s) : NULL;

        if (traced)
            pm_require(&p->memory, pm_dataset_append(p->rows, traced, p->memory.err));
    }
}

static bool is_same_workload(const pm_sample *a, const pm_sample *b)
{
    return strcmp(a->program, b->program) == 0 && strcmp(a->variant, b->variant) == 0 &&
           strcmp(a->size, b->size) == 0;
}

/* Finds the workloads in `from` that have a kernel for which no counters were traced. Returns their
 * number; (*missing)[i] is a sample of workload i. */
static size_t find_missing(predicting *p, const pm_sample ***missing)
{
    size_t count = 0;

    for (size_t i = 0; i < pm_dataset_rows(p->from); i++) {
        const pm_sample *s = pm_dataset_sample(p->from, i);
        bool new = pm_is_wanted(&p->wanted, s) && !pm_dataset_find(p->rows, s) &&
                   pm_suite_find(s->program);

        for (size_t k = 0; new &&k < count; k++)
            new = !is_same_workload((*missing)[k], s);
        if (new)
            *pm_add(&p->memory, *missing, count) = s;
    }
    return count;
}

/* Traces a workload. If it can no longer be built or traced, it is left out with a notice. */
static void trace_workload(predicting *p, const pm_sample *s)
{
    const pm_counted what = {.program = pm_suite_find(s->program),
                             .variant = s->variant,
                             .size = s->size,
                             .target = p->target->name};
    const pm_counts *counts;
    pm_error why = {0};
    pm_status status;

    if (!pm_program_has_variant(&what.program->info, s->variant)) {
        pm_session_leave_out(
            p->session,
            "%s %s %s: left out: the suite has no such variant, and nothing counted it by "
            "the rules of %s",
            s->program, s->variant, s->size, p->target->name);
        return;
    }
    status = pm_counts_find(p->session, &what, NULL, &counts, &why);
    if (status == PM_OK) {
        pm_require(&p->memory, pm_dataset_append_all(p->rows, counts->rows, p->memory.err));
        pm_note_registers(p->result, counts->registers_source);
    } else if (status == PM_BAD_INPUT && !pm_session_is_cancelled(p->session))
        pm_session_leave_out(p->session, "%s %s %s: left out: %s", s->program, s->variant, s->size,
                             why.text);
    else
        pm_leave(&p->memory, status, "%s", why.text);
}

static void trace_missing(predicting *p)
{
    const pm_sample **missing = NULL;
    size_t count = find_missing(p, &missing);

    for (size_t i = 0; i < count; i++) {
        const pm_sample *s = missing[i];

        pm_session_show(p->session, i, count,
                        pm_format(&p->memory, "%s %s %s", s->program, s->variant, s->size));
        trace_workload(p, s);
    }
}

/* Creates `rows`, a dataset without rows that has the columns of the trace engine's counters. All
 * traced datasets have the same columns. */
static void make_rows(predicting *p)
{
    if (p->target->traced && !p->programs)
        p->rows = pm_dataset_memory_like(p->target->traced, p->memory.err);
    else if (p->from || p->programs)
        p->rows = pm_counts_columns(p->session, p->memory.err);
    else
        pm_leave(&p->memory, PM_BAD_INPUT,
                 "%s: there is nothing to predict: name a program (--program nbody), a workload "
                 "file or a dataset (--from h100)",
                 p->target->name);
    if (!p->rows)
        pm_give_up(&p->memory, p->memory.err->status);
}

static void gather(predicting *p)
{
    make_rows(p);
    if (p->programs) {
        pm_require(&p->memory, pm_own_count(p->session, p->programs, &p->wanted, p->target->name,
                                            p->rows, p->result, p->memory.err));
        return;
    }
    if (p->target->traced)
        copy_traced(p, p->from ? p->from : p->target->traced);
    if (p->from) {
        trace_missing(p);
        pm_require(&p->memory, pm_own_take(p->session, p->from, &p->wanted, p->target->name,
                                           p->rows, p->memory.err));
    }
}

/* ---- times of the source -------------------------------------------------------------------- */

/* Traces the workloads as the source GPU would run them, too. Only programs of which the dataset
 * `from` has times on the source GPU are traced. */
static void count_there(predicting *p)
{
    p->there = p->source.traced = pm_counts_columns(p->session, p->memory.err);
    if (!p->there)
        pm_give_up(&p->memory, p->memory.err->status);
    for (size_t i = 0; i < p->programs->count; i++) {
        const char *const names[] = {p->programs->items[i]->info.name, NULL};
        const pm_wanted wanted = {names, p->wanted.variants, p->wanted.sizes};
        bool timed = false;

        for (size_t row = 0; !timed && row < pm_dataset_rows(p->from); row++)
            timed = pm_is_wanted(&wanted, pm_dataset_sample(p->from, row));
        if (timed && pm_listed(p->wanted.programs, names[0]))
            pm_require(&p->memory, pm_own_count(p->session, p->programs, &wanted, p->source.name,
                                                p->there, NULL, p->memory.err));
    }
}

/* Sets p->source to the GPU that the dataset `from` was measured on. The times on this GPU become
 * an additional input of the prediction. p->source stays empty if the GPU is the target, has no row
 * in devices.csv, or has no traced counters. */
static void open_source(predicting *p)
{
    const char *device = p->from ? pm_dataset_sample(p->from, 0)->device : NULL;
    const pm_known_gpu *known;

    if (!device || p->options->model.no_source_time || strcmp(device, p->target->name) == 0)
        return;
    pm_require(&p->memory, pm_known_find(p->session, device, &known, p->memory.err));
    if (!known->profile.present || (!known->traced && !p->programs))
        return;
    p->source = *known;
    /* the cast is safe because p->source is only read */
    p->source.measured = (pm_dataset *)p->from;
    if (p->programs)
        count_there(p);
}

/* ---- the model ------------------------------------------------------------------------------ */

/* Logs the number of rows that could not be predicted. Raises an error if none could. */
static void check_result(const predicting *p)
{
    const size_t left_out = pm_dataset_rows(p->rows) - p->result->n;

    if (p->result->n == 0)
        pm_leave(&p->memory, PM_BAD_INPUT,
                 "%s: none of the samples can be predicted: %s; collect programs of the suite "
                 "(perfmodel collect)",
                 p->target->name,
                 left_out > 0 ? "counters that the model needs are unknown in all"
                              : "there are no counters of them");
    if (left_out > 0)
        pm_session_leave_out(
            p->session, "%zu samples left out: counters that the model needs are unknown in them",
            left_out);
}

static double measured_on(const predicting *p, const pm_sample *like)
{
    const pm_sample *own = p->own ? pm_dataset_find(p->own, like) : NULL;
    const pm_sample *other = pm_known_measured(p->target, like);

    if (own && own->time_s > 0)
        return own->time_s;
    return other ? other->time_s : (double)NAN;
}

/* Predicts the rows of one program, which are consecutive and begin at `first`. If the options ask
 * for it, the model is fitted without the program, or without its class (a group of similar
 * programs). Returns the index after the program's last row. */
static size_t predict_program(predicting *p, size_t first)
{
    const size_t n = pm_dataset_rows(p->rows);
    const char *name = pm_dataset_sample(p->rows, first)->program, *class = NULL;
    pm_dataset *rows = pm_dataset_memory_like(p->rows, p->memory.err);
    pm_status status = rows ? PM_OK : p->memory.err->status;
    size_t end = first;

    for (size_t i = 0; i < p->programs->count; i++)
        if (strcmp(p->programs->items[i]->info.name, name) == 0)
            class = p->programs->items[i]->class;
    for (;
         status == PM_OK && end < n && strcmp(pm_dataset_sample(p->rows, end)->program, name) == 0;
         end++)
        status = pm_dataset_append(rows, pm_dataset_sample(p->rows, end), p->memory.err);
    if (status == PM_OK)
        status = pm_transfer_predict(
            p->learned->carry, rows, (pm_withheld){p->options->leave_out, class},
            p->source.measured ? &p->source : NULL, p->carried + first, p->memory.err);
    pm_dataset_free(rows);
    pm_require(&p->memory, status);
    return end;
}

static void carry(predicting *p)
{
    const size_t n = pm_dataset_rows(p->rows);

    p->carried = pm_take(&p->memory, n, sizeof *p->carried);
    for (size_t row = 0; p->programs && row < n;)
        row = predict_program(p, row);
    if (!p->programs)
        pm_require(&p->memory, pm_transfer_predict(p->learned->carry, p->rows,
                                                   (pm_withheld){.unit = p->options->leave_out},
                                                   p->source.measured ? &p->source : NULL,
                                                   p->carried, p->memory.err));
}

static void fill(predicting *p)
{
    const size_t n = pm_dataset_rows(p->rows);
    const pm_sample **missing = pm_take(&p->memory, n, sizeof *missing);
    pm_predictions *result = p->result;
    size_t missing_count = 0;

    result->predictions = calloc(n + 1, sizeof *result->predictions);
    if (!result->predictions)
        pm_leave(&p->memory, PM_FAILED, "out of memory for %zu rows", n);
    carry(p);
    for (size_t i = 0; i < n; i++) {
        const pm_sample *s = pm_dataset_sample(p->rows, i);
        const pm_transferred *carried = &p->carried[i];

        if (carried->known)
            result->predictions[result->n++] = (pm_prediction){.sample = s,
                                                               .measured_s = measured_on(p, s),
                                                               .predicted_s = carried->predicted_s,
                                                               .lo_s = carried->lo_s,
                                                               .hi_s = carried->hi_s,
                                                               .why = carried->why};
        else
            missing[missing_count++] = s;
    }
    check_result(p);
    pm_require(&p->memory, pm_predictions_sum(result, missing, missing_count, p->memory.err));
}

static void predict(void *user)
{
    predicting *p = user;
    const pm_predict_options *o = p->options;
    const char *folder = pm_session_chosen(p->session)->datasets;
    pm_error *err = p->memory.err;
    const pm_dataset *list;
    pm_profile profile;

    pm_require(&p->memory, pm_known_find(p->session, o->target, &p->target, err));
    if (!p->target->profile.present)
        pm_require(&p->memory, pm_profile_need(o->target, folder, &profile, err));
    list = p->from ? p->from : p->target->traced;
    if (list && !p->programs)
        pm_require(&p->memory, pm_wanted_check(&p->wanted, list, err));
    pm_require(&p->memory, pm_learned_find(p->session, o->target, p->how, &p->learned, err));
    if (o->basis && strcmp(o->basis, p->learned->basis) != 0)
        pm_leave(
            &p->memory, PM_BAD_INPUT,
            "%s: too few programs were measured and traced for it to learn from; leave --basis "
            "out, or choose --basis profile",
            o->target);
    gather(p);
    open_source(p);
    fill(p);
}

pm_predictions *pm_predict_profile(pm_session *session, const pm_predict_options *options,
                                   const pm_basis *basis, pm_error *err)
{
    predicting p = {.session = session,
                    .options = options,
                    .wanted = pm_wanted_of(options),
                    .from = basis->from,
                    .own = basis->own,
                    .programs = basis->programs,
                    .how = basis->how,
                    .result = calloc(1, sizeof *p.result)};
    pm_status status = p.result ? pm_attempt(&p.memory, predict, &p, err)
                                : pm_fail(err, PM_FAILED, "out of memory for predictions");

    pm_memory_free(&p.memory);
    pm_dataset_free(p.there);
    if (status != PM_OK) {
        pm_dataset_free(p.rows);
        pm_predictions_free(p.result);
        return NULL;
    }
    p.result->method = "units";
    p.result->basis = p.learned->basis;
    p.result->rows = p.rows; /* the result owns the rows from here on */
    return p.result;
}
