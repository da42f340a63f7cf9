/* The units model, fitted on the GPUs that were measured and carried to one that was not. See
 * transfer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/transfer/transfer.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/gsl.h"
#include "model/transfer/parts.h"

enum { P = PM_UNITS_PARAMETERS, LEAST_PROGRAMS = 3 };

/* After so many years of development half of what is known of one GPU's parameters says nothing of
 * another's: two generations of architecture. Assumed. */
static const double FORGET_YEARS = 4;
/* How far apart parameters (logarithms) of GPUs without anything in common are, given that their
 * profiles say their rates and latencies: less than the priors of a GPU of which nothing was
 * measured (model/units/work.c), as those have to hold for what profiles do not say too. Assumed.
 */
static const double apart[P] = {
    [PM_UNITS_OVERHEAD] = .5, [PM_UNITS_OVERLAP] = .3,       [PM_UNITS_SM] = .1,
    [PM_UNITS_L2] = .3,       [PM_UNITS_DRAM] = .1,          [PM_UNITS_DEPTH] = .2,
    [PM_UNITS_LOAD] = .2,     [PM_UNITS_SHARED] = .2,        [PM_UNITS_MISS] = .3,
    [PM_UNITS_OWN] = .3,      [PM_UNITS_PIPES_OVERLAP] = .3,
};
/* What the form of the model gets wrong of all kernels on a GPU without anything in common with
 * those that it was fitted on. Assumed. */
static const double FORM_SPREAD = .2;
/* Two medians of one kernel's time on two GPUs of a kind: clocks, boards, drivers. Assumed. */
static const double REPEAT_SPREAD = .03;
/* Share of a change that the model sees between two GPUs that may be wrong. Assumed. */
static const double CHANGE_SPREAD = .2;

void pm_transfer_free(pm_transfer *carry)
{
    if (!carry)
        return;
    pm_transfer_rows_free(&carry->rows);
    pm_transfer_rows_free(&carry->own);
    free(carry->fitted);
    free(carry->moved);
    free(carry->covariance);
    free(carry);
}

/* How much of what is known of one GPU is lost on the way to another. */
static double forgotten(double years)
{
    return 1 - exp2(-years / FORGET_YEARS);
}

/* The same for the target's parameters: even GPUs of one architecture differ, by as much as a year
 * of development makes. */
static double parameters_forgotten(const pm_transfer *carry)
{
    return carry->seen ? 0 : forgotten(1 + carry->years);
}

/* ---- fitting ------------------------------------------------------------------------------- */

static double *set_of(double *sets, size_t set)
{
    return sets + set * P;
}

/* With all programs first, where the fits without one of them start. */
static pm_status fit_all(pm_transfer *carry, pm_error *err)
{
    const pm_units_rows rows = pm_transfer_view(&carry->rows);
    double *all = set_of(carry->fitted, rows.groups);
    pm_status status;

    memcpy(all, carry->rows.units->prior, P * sizeof *all);
    status = pm_units_fit(carry->rows.units, &rows, rows.groups, all, err);
    for (size_t g = 0; status == PM_OK && g < rows.groups; g++) {
        memcpy(set_of(carry->fitted, g), all, P * sizeof *all);
        status = pm_units_fit(carry->rows.units, &rows, g, set_of(carry->fitted, g), err);
    }
    return status;
}

static void find_distance(pm_transfer *carry)
{
    double years = INFINITY;

    for (size_t g = 0; g < carry->gpu_count; g++) {
        const pm_known_gpu *gpu = &carry->gpus[g];

        carry->seen = carry->seen || strcmp(gpu->name, carry->target->name) == 0;
        years = fmin(years, pm_profile_years_apart(&gpu->profile, &carry->target->profile));
    }
    carry->years = carry->seen ? 0 : years;
}

static pm_status learn(pm_transfer *carry, pm_error *err)
{
    pm_status status = pm_transfer_rows_fill(&carry->rows, carry->gpus, carry->gpu_count, err);

    if (status != PM_OK)
        return status;
    if (carry->rows.groups < LEAST_PROGRAMS)
        return pm_fail(err, PM_BAD_INPUT,
                       "%zu programs have measured times and traced counters of GPUs with a "
                       "profile; %d are needed (perfmodel collect, and collect --device none "
                       "--target NAME)",
                       carry->rows.groups, LEAST_PROGRAMS);
    carry->fitted = calloc((carry->rows.groups + 1) * P, sizeof *carry->fitted);
    carry->covariance = calloc(P * P, sizeof *carry->covariance);
    if (!carry->fitted || !carry->covariance)
        return pm_fail(err, PM_FAILED, "out of memory for %zu rows", carry->rows.n);
    status = fit_all(carry, err);
    if (status == PM_OK)
        status = pm_transfer_spread(carry, carry->rows.groups, &carry->spread, err);
    for (size_t k = 0; k < P; k++)
        carry->covariance[k * P + k] = apart[k] * apart[k] * parameters_forgotten(carry);
    return status;
}

pm_status pm_transfer_create(const pm_known_gpu *gpus, size_t count, const pm_known_gpu *target,
                             pm_transfer **out, pm_error *err)
{
    pm_transfer *carry = calloc(1, sizeof *carry);
    pm_status status;

    *out = NULL;
    if (!carry)
        return pm_fail(err, PM_FAILED, "out of memory for a model");
    carry->gpus = gpus;
    carry->gpu_count = count;
    carry->target = target;
    find_distance(carry);
    status = learn(carry, err);
    if (status != PM_OK) {
        pm_transfer_free(carry);
        return status;
    }
    *out = carry;
    return PM_OK;
}

/* ---- a few samples of the target ------------------------------------------------------------ */

/* What stays open: the inverse of what the own samples and the spread between GPUs say. */
static pm_status find_covariance(pm_transfer *carry, const double *parameters, pm_error *err)
{
    const pm_transfer_rows *own = &carry->own;
    gsl_matrix_view c = gsl_matrix_view_array(carry->covariance, P, P);
    double h[P * P] = {0}, slope[P];
    bool inverted;
    gsl_matrix_view matrix = gsl_matrix_view_array(h, P, P);

    for (size_t k = 0; k < P; k++)
        h[k * P + k] = 1 / carry->covariance[k * P + k];
    for (size_t i = 0; i < own->n; i++) {
        size_t g = own->group[i];
        double weight = 1 / (PM_UNITS_PROGRAM_SPREAD * PM_UNITS_PROGRAM_SPREAD *
                             (double)(own->start[g + 1] - own->start[g]));

        pm_units_log_time(own->units, parameters, own->row[i], slope);
        for (size_t a = 0; a < P; a++)
            for (size_t b = 0; b < P; b++)
                h[a * P + b] += weight * slope[a] * slope[b];
    }
    pm_gsl_begin();
    inverted = gsl_linalg_cholesky_decomp1(&matrix.matrix) == GSL_SUCCESS &&
               gsl_linalg_cholesky_invert(&matrix.matrix) == GSL_SUCCESS;
    pm_gsl_end();
    if (!inverted)
        return pm_fail(err, PM_FAILED, "%s: its samples cannot be learned from",
                       carry->target->name);
    gsl_matrix_memcpy(&c.matrix, &matrix.matrix);
    return PM_OK;
}

static pm_status move_set(pm_transfer *carry, size_t set, size_t from, size_t left_out,
                          pm_error *err)
{
    const pm_units_rows rows = pm_transfer_view(&carry->own);
    double *moved = set_of(carry->moved, set);

    memcpy(moved, set_of(carry->fitted, from), P * sizeof *moved);
    memcpy(carry->own.units->prior, moved, P * sizeof *moved);
    return pm_units_fit(carry->own.units, &rows, left_out, moved, err);
}

static pm_status move_all(pm_transfer *carry, pm_error *err)
{
    const size_t groups = carry->rows.groups, own = carry->own.groups;
    pm_status status = PM_OK;

    for (size_t k = 0; k < P; k++)
        carry->own.units->spread[k] = apart[k] * sqrt(parameters_forgotten(carry));
    for (size_t g = 0; status == PM_OK && g <= groups; g++)
        status = move_set(carry, g, g,
                          g < groups ? pm_transfer_group(&carry->own, carry->rows.program[g]) : own,
                          err);
    for (size_t g = 0; status == PM_OK && g < own; g++)
        status = move_set(carry, groups + 1 + g, groups, g, err);
    return status;
}

pm_status pm_transfer_recalibrate(pm_transfer *carry, size_t *used, pm_error *err)
{
    pm_status status;

    *used = 0;
    if (carry->seen || !pm_known_is_whole(carry->target))
        return PM_OK;
    status = pm_transfer_rows_fill(&carry->own, carry->target, 1, err);
    if (status != PM_OK || carry->own.n == 0)
        return status;
    *used = carry->own.n;
    carry->moved = calloc((carry->rows.groups + 1 + carry->own.groups) * P, sizeof *carry->moved);
    if (!carry->moved)
        return pm_fail(err, PM_FAILED, "out of memory for a model");
    status = move_all(carry, err);
    if (status == PM_OK)
        status = find_covariance(carry, set_of(carry->moved, carry->rows.groups), err);
    return status;
}

/* ---- prediction ----------------------------------------------------------------------------- */

/* The parameters for a program on the target, or on a GPU that was learned from. */
static const double *parameters_of(const pm_transfer *carry, const char *program, bool leave_out,
                                   bool of_target)
{
    const size_t groups = carry->rows.groups;
    size_t set = groups;

    if (leave_out) {
        set = pm_transfer_group(&carry->rows, program);
        if (set == groups && carry->moved && of_target) {
            size_t own = pm_transfer_group(&carry->own, program);

            set = own < carry->own.groups ? groups + 1 + own : groups;
        }
    }
    return of_target && carry->moved ? set_of(carry->moved, set) : set_of(carry->fitted, set);
}

static double quadratic(const pm_transfer *carry, const double *x)
{
    double sum = 0;

    for (size_t a = 0; a < P; a++)
        for (size_t b = 0; b < P; b++)
            sum += x[a] * carry->covariance[a * P + b] * x[b];
    return sum;
}

double pm_transfer_gain_variance(const pm_transfer *carry, const double *base,
                                 const double *version)
{
    double difference[P];

    for (size_t k = 0; k < P; k++)
        difference[k] = version[k] - base[k];
    return quadratic(carry, difference);
}

/* What the model says of a sample on the source, and what it got wrong there. */
typedef struct {
    bool known;
    double log_time; /* modelled */
    double residual; /* log of measured over modelled */
    double slope[P];
} on_source;

/* there->known stays false where nothing is known of the sample there. */
static pm_status model_source(const pm_transfer *carry, const pm_known_gpu *source,
                              const pm_sample *like, bool leave_out, on_source *there,
                              pm_error *err)
{
    const pm_sample *measured = source ? pm_known_measured(source, like) : NULL;
    const pm_sample *traced = measured ? pm_known_traced(source, like) : NULL;
    const double *parameters = parameters_of(carry, like->program, leave_out, false);
    pm_units_sample sample;
    pm_units *units;
    pm_status status;

    *there = (on_source){0};
    if (!traced)
        return PM_OK;
    sample = (pm_units_sample){source->traced, traced, &source->profile};
    status = pm_units_of_samples(&sample, 1, &units, &there->known, err);
    if (status == PM_OK && there->known) {
        there->log_time = pm_units_log_time(units, parameters, 0, there->slope);
        there->residual = log(measured->time_s) - there->log_time;
    }
    pm_units_free(units);
    return status;
}

/* What is known of a prediction's spread, as logarithms. */
typedef struct {
    double point, lo, hi; /* of what the model gets wrong */
    double variance;      /* of all the rest */
} leeway;

/* spread: what the model gets wrong of programs that it has not seen; kept: share of what it got
 * wrong on the source that is taken over; change: log of the modelled time over that on the source.
 */
static leeway leeway_of(const pm_transfer *carry, const pm_spread *spread, double kept,
                        double change, const double *slope)
{
    double lost = sqrt(1 - kept * kept), form = FORM_SPREAD * lost;
    double changed = kept * CHANGE_SPREAD * change;
    double variance = quadratic(carry, slope) + form * form * forgotten(carry->years);

    if (kept > 0)
        variance += 2 * REPEAT_SPREAD * REPEAT_SPREAD + changed * changed;
    return (leeway){.point = (1 - kept) * spread->point,
                    .lo = lost * spread->lo,
                    .hi = lost * spread->hi,
                    .variance = fmax(variance, 0)};
}

static void scale_terms(pm_explanation *why, double predicted_s)
{
    double sum = 0;

    for (size_t k = 0; k < why->n; k++)
        sum += why->terms[k].added_s;
    for (size_t k = 0; k < why->n && sum > 0; k++)
        why->terms[k].added_s *= predicted_s / sum;
}

static void estimate(const pm_transfer *carry, const pm_units *units, size_t row,
                     const double *parameters, const pm_spread *spread, const on_source *there,
                     double kept, pm_transferred *out)
{
    const double floor = units->floor[row];
    double difference[P], change;
    leeway l;

    out->known = true;
    out->center = pm_units_log_time(units, parameters, row, out->slope);
    out->from_source = there->known;
    change = out->center - there->log_time;
    out->center += kept * there->residual;
    for (size_t k = 0; k < P; k++)
        difference[k] = out->slope[k] - kept * there->slope[k];
    l = leeway_of(carry, spread, kept, change, difference);
    out->predicted_s = fmax(pm_seconds(out->center + l.point), floor);
    out->lo_s =
        fmax(pm_seconds(out->center - sqrt(l.lo * l.lo + PM_NORMAL_95 * PM_NORMAL_95 * l.variance)),
             floor);
    out->hi_s =
        fmax(pm_seconds(out->center + sqrt(l.hi * l.hi + PM_NORMAL_95 * PM_NORMAL_95 * l.variance)),
             floor);
    out->lo_s = fmin(out->lo_s, out->predicted_s);
    out->hi_s = fmax(out->hi_s, out->predicted_s);
    pm_units_explain(units, parameters, row, &out->why);
    scale_terms(&out->why, out->predicted_s);
}

/* The work of all rows of a dataset on a GPU; *usable is freed by the caller. */
static pm_status work_of(const pm_dataset *rows, const pm_profile *profile, pm_units **units,
                         bool **usable, pm_error *err)
{
    size_t n = pm_dataset_rows(rows);
    pm_units_sample *samples = calloc(n + 1, sizeof *samples);
    pm_status status;

    *units = NULL;
    *usable = calloc(n + 1, sizeof **usable);
    if (!samples || !*usable) {
        free(samples);
        return pm_fail(err, PM_FAILED, "out of memory for %zu rows", n);
    }
    for (size_t i = 0; i < n; i++)
        samples[i] = (pm_units_sample){rows, pm_dataset_sample(rows, i), profile};
    status = pm_units_of_samples(samples, n, units, *usable, err);
    free(samples);
    return status;
}

/* What a prediction needs beside the parameters. */
typedef struct {
    const pm_transfer *carry;
    bool leave_out;
    const pm_known_gpu *source; /* may be NULL */
    double kept;                /* on the way from there */
    pm_spread *without;         /* a member a group: the spread that has not seen it */
    bool *has;                  /* whether without has been found */
} predicting;

/* That of the program's prediction. */
static pm_status spread_for(predicting *p, const char *program, const pm_spread **spread,
                            pm_error *err)
{
    const size_t groups = p->carry->rows.groups;
    size_t g = p->leave_out ? pm_transfer_group(&p->carry->rows, program) : groups;
    pm_status status = PM_OK;

    *spread = g < groups ? &p->without[g] : &p->carry->spread;
    if (g < groups && !p->has[g]) {
        status = pm_transfer_spread(p->carry, g, &p->without[g], err);
        p->has[g] = status == PM_OK;
    }
    return status;
}

static pm_status predict_row(predicting *p, const pm_units *units, size_t row,
                             const pm_sample *sample, pm_transferred *out, pm_error *err)
{
    const double *parameters = parameters_of(p->carry, sample->program, p->leave_out, true);
    const pm_spread *spread;
    on_source there;
    pm_status status = spread_for(p, sample->program, &spread, err);

    if (status == PM_OK)
        status = model_source(p->carry, p->source, sample, p->leave_out, &there, err);
    if (status == PM_OK)
        estimate(p->carry, units, row, parameters, spread, &there, there.known ? p->kept : 0, out);
    return status;
}

pm_status pm_transfer_predict(const pm_transfer *carry, const pm_dataset *counters, bool leave_out,
                              const pm_known_gpu *source, pm_transferred *out, pm_error *err)
{
    predicting p = {carry, leave_out, source, 0, NULL, NULL};
    pm_units *units;
    bool *usable;
    pm_status status = work_of(counters, &carry->target->profile, &units, &usable, err);

    if (source)
        p.kept =
            exp2(-pm_profile_years_apart(&source->profile, &carry->target->profile) / FORGET_YEARS);
    p.without = calloc(carry->rows.groups, sizeof *p.without);
    p.has = calloc(carry->rows.groups, sizeof *p.has);
    if (status == PM_OK && (!p.without || !p.has))
        status = pm_fail(err, PM_FAILED, "out of memory for %zu programs", carry->rows.groups);
    for (size_t i = 0; status == PM_OK && i < pm_dataset_rows(counters); i++) {
        out[i] = (pm_transferred){0};
        if (usable[i])
            status = predict_row(&p, units, i, pm_dataset_sample(counters, i), &out[i], err);
    }
    free(p.without);
    free(p.has);
    pm_units_free(units);
    free(usable);
    return status;
}

pm_validation *pm_transfer_unseen(const pm_transfer *carry, size_t gpu, pm_error *err)
{
    const pm_known_gpu *known = &carry->gpus[gpu];
    const size_t n = pm_dataset_rows(known->traced);
    pm_validation *v = calloc(1, sizeof *v);
    pm_units *units = NULL;
    bool *usable = NULL;
    pm_status status = PM_FAILED;

    if (v)
        v->samples = calloc(n + 1, sizeof *v->samples);
    if (v && v->samples)
        status = work_of(known->traced, &known->profile, &units, &usable, err);
    else
        pm_fail(err, PM_FAILED, "out of memory for %zu rows", n);
    for (size_t i = 0; status == PM_OK && i < n; i++) {
        const pm_sample *s = pm_dataset_sample(known->traced, i);
        const pm_sample *measured = pm_known_measured(known, s);
        double log_s;

        if (!usable[i] || !measured || pm_known_traced(known, s) != s)
            continue;
        log_s = pm_units_log_time(units, parameters_of(carry, s->program, true, false), i, NULL);
        v->samples[v->n++] = (pm_prediction){.sample = s,
                                             .measured_s = measured->time_s,
                                             .predicted_s = pm_seconds(log_s + carry->spread.point),
                                             .lo_s = pm_seconds(log_s + carry->spread.lo),
                                             .hi_s = pm_seconds(log_s + carry->spread.hi)};
    }
    pm_units_free(units);
    free(usable);
    if (status == PM_OK)
        return v;
    pm_validation_free(v);
    return NULL;
}

size_t pm_transfer_samples(const pm_transfer *carry)
{
    return carry->rows.n;
}

double pm_transfer_years(const pm_transfer *carry)
{
    return carry->years;
}
