/* The units model (times of a GPU's functional units), fitted to measured GPUs and transferred to a
 * GPU without measurements. See transfer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/transfer/transfer.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/session/session.h"
#include "model/transfer/parts.h"

enum { P = PM_UNITS_PARAMETERS };

/* The prior variance of a parameter between two GPUs grows with the years between them. After this
 * number of years, half of its limit is reached: about two generations of architecture. The value
 * is assumed. It is used only with one set of parameters for all GPUs; the model of many GPUs
 * estimates the correlation of GPUs instead. */
static const double FORGET_YEARS = 4;
/* Standard deviation, in log time, of the error that the model makes equally for all kernels of a
 * GPU, if the GPU has nothing in common with the GPUs of the fit. The value is assumed. */
static const double FORM_SPREAD = .2;
/* Standard deviation of the median log time of a kernel between two GPUs of the same type, because
 * of clocks, boards and drivers. The value is assumed. */
static const double REPEAT_SPREAD = .03;
/* The model computes by how much log time changes from one GPU to another. Standard deviation of
 * the error of this change, as a fraction of the change. The value is assumed. */
static const double CHANGE_SPREAD = .2;

void pm_transfer_free(pm_transfer *carry)
{
    if (!carry)
        return;
    if (carry->owns_pooled)
        pm_pooled_free(carry->pooled);
    if (carry->owns_trained)
        pm_trained_free(carry->trained);
    pm_memory_free(&carry->memory);
    free(carry);
}

/* Returns the variance of a parameter between two GPUs that are `years` apart, as a fraction (0 ...
 * 1) of the parameter's prior variance. */
static double forgotten(double years)
{
    return 1 - exp2(-years / FORGET_YEARS);
}

/* Returns the variance of the target's parameters around the fitted ones, as a fraction (0 ... 1)
 * of the prior variance. One year is added to the difference of age, because even GPUs of one
 * architecture differ. Returns 0 if the target is one of the GPUs of the fit. */
static double parameters_forgotten(const pm_transfer *carry)
{
    return carry->seen ? 0 : forgotten(1 + carry->years);
}

/* ---- the target ----------------------------------------------------------------------------- */

static void find_distance(pm_transfer *carry)
{
    const pm_trained *trained = carry->trained;
    double years = INFINITY;

    for (size_t g = 0; g < trained->gpu_count; g++) {
        const pm_known_gpu *gpu = &trained->gpus[g];

        carry->seen = carry->seen || strcmp(gpu->name, carry->target->name) == 0;
        years = fmin(years, pm_profile_years_apart(&gpu->profile, &carry->target->profile));
    }
    carry->years = carry->seen ? 0 : years;
}

pm_status pm_transfer_create_on(pm_trained *trained, const pm_known_gpu *target, pm_transfer **out,
                                pm_error *err)
{
    pm_transfer *carry = calloc(1, sizeof *carry);

    *out = NULL;
    if (carry)
        carry->covariance = pm_try_take(&carry->memory, P * P, sizeof *carry->covariance);
    if (!carry || !carry->covariance) {
        free(carry);
        return pm_fail(err, PM_FAILED, "out of memory for a model");
    }
    carry->trained = trained;
    carry->target = target;
    find_distance(carry);
    for (size_t k = 0; k < P; k++)
        carry->covariance[k * P + k] =
            pm_units_apart[k] * pm_units_apart[k] * parameters_forgotten(carry);
    *out = carry;
    return PM_OK;
}

pm_status pm_transfer_create(pm_known_gpu *gpus, size_t count, const pm_known_gpu *target,
                             const pm_classes *classes, pm_transfer **out, pm_error *err)
{
    pm_trained *trained;
    pm_status status = pm_trained_create(NULL, gpus, count, classes, &trained, err);

    *out = NULL;
    if (status == PM_OK)
        status = pm_transfer_create_on(trained, target, out, err);
    if (status == PM_OK)
        (*out)->owns_trained = true;
    else
        pm_trained_free(trained);
    return status;
}

void pm_transfer_pool(pm_transfer *carry, pm_pooled *pooled, bool owned)
{
    carry->pooled = pooled;
    carry->owns_pooled = owned;
}

/* ---- prediction ----------------------------------------------------------------------------- */

static double quadratic(const double *covariance, const double *x)
{
    double sum = 0;

    for (size_t a = 0; a < P; a++)
        for (size_t b = 0; b < P; b++)
            sum += x[a] * covariance[a * P + b] * x[b];
    return sum;
}

double pm_transfer_gain_variance(const pm_transfer_set *set, const double *base,
                                 const double *version)
{
    double difference[P];

    for (size_t k = 0; k < P; k++)
        difference[k] = version[k] - base[k];
    return quadratic(set->open, difference);
}

/* A kernel on the source GPU, on which its time is known: its time by the model, and the
 * residual of its measured time. */
typedef struct {
    bool known;
    double log_time; /* log of the modelled time */
    double residual; /* log(measured time / modelled time) */
    double slope[P];
} on_source;

/* Computes the time of the sample `like` on the source GPU by the model, and its residual there.
 * The result's `known` is false if that GPU has no measured and traced row of the sample, or if a
 * counter is missing. */
static on_source model_source(pm_memory *memory, const double *parameters,
                              const pm_known_gpu *source, const pm_sample *like)
{
    const pm_sample *measured = source ? pm_known_measured(source, like) : NULL;
    const pm_sample *traced = measured ? pm_known_traced(source, like) : NULL;
    on_source there = {0};
    pm_units_sample sample;
    pm_units *units;

    if (!traced)
        return there;
    sample = (pm_units_sample){source->traced, traced, &source->profile};
    units = pm_units_of_samples(memory, &sample, 1, &there.known);
    if (there.known) {
        there.log_time = pm_units_log_time(units, parameters, 0, there.slope);
        there.residual = log(measured->time_s) - there.log_time;
    }
    return there;
}

/* Returns the fraction of a kernel's residual on the source GPU that is expected on the target GPU,
 * too. The model of many GPUs estimates it for each relation of two GPUs (pm_kinship). Without that
 * model, the fraction is halved for every FORGET_YEARS years between the GPUs. */
static double share_kept(const pm_transfer *carry, const pm_transfer_set *set,
                         const pm_known_gpu *source)
{
    const pm_profile *target = &carry->target->profile;

    if (set->pool)
        return pm_hierarchy_what_is_kept(set->pool)->share[pm_kinship_of(&source->profile, target)];
    return exp2(-pm_profile_years_apart(&source->profile, target) / FORGET_YEARS);
}

/* Uncertainty of a prediction, in log time. */
typedef struct {
    /* residual that is expected for an unseen program: its point prediction, and the ends of its 90
     * % interval */
    double point, lo, hi;
    /* variance of log time from all other sources, such as the model's parameters */
    double variance;
} leeway;

/* Returns the uncertainty of a predicted log time without the model of many GPUs. kept: fraction of
 * the residual on the source GPU that was added to the prediction (0: no time there is known).
 * change: log of the modelled time on the target over that on the source. slope: derivatives of the
 * prediction by the parameters. */
static leeway leeway_of(const pm_transfer *carry, const pm_transfer_set *set, double kept,
                        double change, const double *slope)
{
    const pm_spread *spread = &set->spread;
    double lost = sqrt(1 - kept * kept), form = FORM_SPREAD * lost;
    double changed = kept * CHANGE_SPREAD * change;
    double variance = quadratic(set->open, slope) + form * form * forgotten(carry->years);

    if (kept > 0)
        variance += 2 * REPEAT_SPREAD * REPEAT_SPREAD + changed * changed;
    return (leeway){.point = (1 - kept) * spread->point,
                    .lo = lost * spread->lo,
                    .hi = lost * spread->hi,
                    .variance = fmax(variance, 0)};
}

/* Returns the uncertainty of a predicted log time with the model of many GPUs. The prediction then
 * contains `effect`, the random effect of the program that is predicted from its residuals on other
 * GPUs. The interval covers at least the 90 % interval of that effect. */
static leeway pooled_leeway(const pm_transfer_set *set, const pm_hierarchy_effect *effect,
                            const double *slope)
{
    const double open = effect->variance / effect->unknown, lost = sqrt(open);
    const double own =
        effect->known ? gsl_cdf_tdist_Pinv(.95, effect->freedom) * sqrt(effect->variance) : 0;

    return (leeway){.point = fmin(open, 1) * set->spread.point,
                    .lo = fmin(lost * set->spread.lo, -own),
                    .hi = fmax(lost * set->spread.hi, own),
                    .variance = fmax(quadratic(set->open, slope), 0)};
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
                     const pm_transfer_set *set, const on_source *there, double kept,
                     const pm_hierarchy_effect *effect, pm_transferred *out)
{
    const double floor = units->floor[row];
    double difference[P], change;
    leeway l;

    out->known = true;
    out->center = pm_units_log_time(units, set->moved, row, out->slope);
    out->from_source = there->known;
    change = out->center - there->log_time;
    out->center += kept * there->residual;
    for (size_t k = 0; k < P; k++)
        difference[k] = out->slope[k] - kept * there->slope[k];
    l = leeway_of(carry, set, kept, change, difference);
    if (set->pool && !there->known) {
        out->center += effect->mean;
        l = pooled_leeway(set, effect, out->slope);
    }
    out->predicted_s = fmax(pm_seconds(out->center + l.point), floor);
    out->lo_s =
        fmax(pm_seconds(out->center - sqrt(l.lo * l.lo + PM_NORMAL_95 * PM_NORMAL_95 * l.variance)),
             floor);
    out->hi_s =
        fmax(pm_seconds(out->center + sqrt(l.hi * l.hi + PM_NORMAL_95 * PM_NORMAL_95 * l.variance)),
             floor);
    out->lo_s = fmin(out->lo_s, out->predicted_s);
    out->hi_s = fmax(out->hi_s, out->predicted_s);
    pm_units_explain(units, set->moved, row, &out->why);
    scale_terms(&out->why, out->predicted_s);
}

/* Computes the work of all rows of a dataset on the functional units of a GPU. (*usable)[i]: true
 * if all needed counters of row i are known. */
static pm_units *work_of(pm_memory *memory, const pm_dataset *rows, const pm_profile *profile,
                         bool **usable)
{
    size_t n = pm_dataset_rows(rows);
    pm_units_sample *samples = pm_take(memory, n, sizeof *samples);

    *usable = pm_take(memory, n, sizeof **usable);
    for (size_t i = 0; i < n; i++)
        samples[i] = (pm_units_sample){rows, pm_dataset_sample(rows, i), profile};
    return pm_units_of_samples(memory, samples, n, *usable);
}

typedef struct {
    pm_transfer *carry;
    const pm_dataset *counters;
    pm_withheld without;
    const pm_known_gpu *source; /* may be NULL */
    pm_transferred *out;
    pm_memory memory;
} predicting;

/* Predicts the random effects of all rows that have the same program as row `first`; effects[row]
 * gets them. */
static void find_effects(predicting *p, const pm_transfer_set *set, const pm_units *units,
                         size_t first, const bool *usable, pm_hierarchy_effect *effects)
{
    const char *program = pm_dataset_sample(p->counters, first)->program;
    const size_t n = pm_dataset_rows(p->counters);
    const pm_units_values v = pm_units_values_of(units, set->moved);
    bool *wanted = pm_take(&p->memory, n, sizeof *wanted);
    double *shape = pm_take(&p->memory, n, PM_UNITS_SHAPE * sizeof *shape);

    for (size_t i = first; i < n; i++) {
        wanted[i] = usable[i] && strcmp(pm_dataset_sample(p->counters, i)->program, program) == 0;
        if (wanted[i])
            pm_units_shape(units, &v, i, shape + i * PM_UNITS_SHAPE);
    }
    pm_require(&p->memory, pm_pooled_effects(p->carry->pooled, set->pool, p->carry->target,
                                             p->counters, wanted, shape, effects, p->memory.err));
}

static void predict(void *user)
{
    predicting *p = user;
    const pm_known_gpu *target = p->carry->target;
    pm_hierarchy_effect *effects =
        pm_take(&p->memory, pm_dataset_rows(p->counters), sizeof *effects);
    bool *usable;
    pm_units *units = work_of(&p->memory, p->counters, &target->profile, &usable);

    for (size_t i = 0; i < pm_dataset_rows(p->counters); i++) {
        const pm_sample *sample = pm_dataset_sample(p->counters, i);
        const pm_transfer_set *set;
        on_source there;

        pm_go_on(&p->memory);
        p->out[i] = (pm_transferred){0};
        if (!usable[i])
            continue;
        pm_require(&p->memory,
                   pm_transfer_find(p->carry, sample->program, p->without, &set, p->memory.err));
        if (set->pool && !(effects[i].unknown > 0))
            find_effects(p, set, units, i, usable, effects);
        there = model_source(&p->memory, set->pool ? set->moved : set->fitted, p->source, sample);
        estimate(p->carry, units, i, set, &there,
                 there.known ? share_kept(p->carry, set, p->source) : 0, &effects[i], &p->out[i]);
    }
}

pm_status pm_transfer_predict(pm_transfer *carry, const pm_dataset *counters, pm_withheld without,
                              const pm_known_gpu *source, pm_transferred *out, pm_error *err)
{
    predicting p = {.carry = carry,
                    .counters = counters,
                    .without = without,
                    .source = source,
                    .out = out,
                    .memory.cancel = carry->trained->memory.cancel};
    pm_status status = pm_attempt(&p.memory, predict, &p, err);

    pm_memory_free(&p.memory);
    return status;
}

typedef struct {
    pm_trained *trained;
    const pm_transfer_set *set;
    pm_known_gpu *known;
    pm_validation *v;
    pm_memory memory;
    /* last program whose fold (number of the cross-validation's part that has the program) was
     * found; NULL: none */
    const char *program;
    size_t fold; /* its fold */
} unseen;

/* Chooses the row of set->without whose parameters were fitted without this program. Returns its
 * index: a fold of set->inner. Returns inner->folds if there is none, because the set itself leaves
 * the program out, or no training row has the program. */
static size_t find_fold(const unseen *u, const char *program)
{
    const pm_transfer_set *set = u->set;
    const pm_transfer_rows *rows = &u->trained->rows;

    for (size_t g = 0; g < rows->of.groups; g++)
        if (pm_are_twins(rows->program[g], program) && set->cut->fold[g] != set->left_out)
            return set->inner->fold[g];
    return set->inner->folds;
}

/* Returns the fold of a program, as find_fold does. The last result is remembered, because the next
 * row is often of the same program. */
static size_t fold_of(unseen *u, const char *program)
{
    if (!u->program || strcmp(u->program, program) != 0) {
        u->program = program;
        u->fold = find_fold(u, program);
    }
    return u->fold;
}

static void make_validation(unseen *u)
{
    const size_t n = pm_dataset_rows(u->known->traced);

    u->v = calloc(1, sizeof *u->v);
    if (u->v)
        u->v->samples = calloc(n + 1, sizeof *u->v->samples);
    if (!u->v || !u->v->samples)
        pm_leave(&u->memory, PM_FAILED, "out of memory for %zu rows", n);
}

static void predict_unseen(void *user)
{
    unseen *u = user;
    const pm_transfer_set *set = u->set;
    bool *usable;
    pm_units *units;

    pm_require(&u->memory, pm_known_read(u->known, u->memory.err));
    make_validation(u);
    units = work_of(&u->memory, u->known->traced, &u->known->profile, &usable);
    for (size_t i = 0; i < pm_dataset_rows(u->known->traced); i++) {
        const pm_sample *s = pm_dataset_sample(u->known->traced, i);
        const pm_sample *measured = pm_known_measured(u->known, s);
        const size_t fold = measured && usable[i] ? fold_of(u, s->program) : set->inner->folds;
        const double floor = units->floor[i];
        pm_spread log_s;

        if (fold == set->inner->folds || pm_known_traced(u->known, s) != s)
            continue;
        log_s = pm_spread_moved(set->spread,
                                pm_units_log_time(units, set->without + fold * P, i, NULL));
        u->v->samples[u->v->n] =
            (pm_prediction){.sample = s,
                            .measured_s = measured->time_s,
                            .predicted_s = fmax(pm_seconds(log_s.point), floor),
                            .lo_s = fmax(pm_seconds(log_s.lo), floor),
                            .hi_s = fmax(pm_seconds(log_s.hi), floor)};
        pm_units_explain(units, set->without + fold * P, i, &u->v->samples[u->v->n].why);
        scale_terms(&u->v->samples[u->v->n].why, u->v->samples[u->v->n].predicted_s);
        u->v->n++;
    }
}

pm_validation *pm_transfer_unseen(pm_transfer *carry, const pm_transfer_set *set, size_t gpu,
                                  pm_error *err)
{
    unseen u = {.trained = carry->trained,
                .set = set,
                .known = &carry->trained->gpus[gpu],
                .memory.cancel = carry->trained->memory.cancel};
    pm_status status = pm_attempt(&u.memory, predict_unseen, &u, err);

    pm_memory_free(&u.memory);
    if (status == PM_OK)
        return u.v;
    pm_validation_free(u.v);
    return NULL;
}
