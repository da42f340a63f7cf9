/* Method `paper`: the method of Shimada, Endo, Maruyama and Matsuoka, "Towards Characteristic-aware
 * Optimization of OpenCL programs on Heterogeneous GPUs" (2010). Run time is a linear function of
 * z-scored counters, fitted by ordinary least squares (equation 1, section 3.2).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two things differ from the paper. A negative prediction becomes 0 (the paper's Dwt was negative).
 * The interval comes from the leave-one-out residuals of the training rows: its half width is
 * sqrt(1 + leverage) of the predicted row, times the 90 % quantile of |residual| / sqrt(1 +
 * leverage) of the training rows. The interval therefore holds for unseen programs.
 */
#include <float.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/gsl.h"
#include "model/method.h"
#include "model/methods/ols.h"

/* Returns the counters of the paper by Shimada et al. (2010). They are those of section 5.2.1 or
 * 5.2.2 (GTX 480), the union of both for all variants, or those of section 5.3.2 with another GPU
 * as source. The time on the source GPU is added separately. The paper's "instruction issued" is
 * inst_issued. */
static const char *paper_counters(const char *variant, bool from_source)
{
    if (from_source)
        return "gld_request,gst_request,branch,inst_executed,divergent_branch";
    if (variant && strcmp(variant, "nolocal") == 0)
        return "gld_request,gst_request,branch,inst_issued,l1_global_load_hit,"
               "l1_global_load_miss,active_cycles";
    if (variant && strcmp(variant, "local") == 0)
        return "gld_request,gst_request,shared_load,branch,inst_issued,l1_global_load_miss,"
               "active_cycles";
    return "gld_request,gst_request,shared_load,branch,inst_issued,l1_global_load_hit,"
           "l1_global_load_miss,active_cycles";
}

/* Fills the variables of a row: the counters, then the time on the source GPU if there is one. */
static void fill_row(const pm_problem *problem, size_t row, double *out)
{
    memcpy(out, problem->x + row * problem->p, problem->p * sizeof *out);
    if (problem->source_t)
        out[problem->p] = problem->source_t[row];
}

typedef struct {
    size_t n, p;
    gsl_matrix *x;
    gsl_vector *y, *left_out;
    size_t *group;
    double *row, *score;
    /* times are divided by 2^exponent before the fit, so that no square overflows or underflows */
    int exponent;
    pm_ols *ols;
} workspace;

static void prepare(pm_memory *memory, workspace *w, const pm_problem *problem, const size_t *train,
                    size_t n)
{
    double longest = 0;

    *w = (workspace){.n = n, .p = problem->p + (problem->source_t ? 1 : 0)};
    w->x = pm_take_matrix(memory, n, w->p);
    w->y = pm_take_vector(memory, n);
    w->left_out = pm_take_vector(memory, n);
    w->group = pm_take(memory, n, sizeof *w->group);
    w->row = pm_take(memory, w->p, sizeof *w->row);
    w->score = pm_take(memory, n, sizeof *w->score);
    for (size_t i = 0; i < n; i++)
        longest = fmax(longest, problem->t[train[i]]);
    frexp(longest, &w->exponent);
    for (size_t i = 0; i < n; i++) {
        fill_row(problem, train[i], gsl_matrix_ptr(w->x, i, 0));
        gsl_vector_set(w->y, i, ldexp(problem->t[train[i]], -w->exponent));
        w->group[i] = problem->group[train[i]];
    }
    w->ols = pm_ols_fit(memory, w->x, w->y);
    pm_ols_leave_out(memory, w->ols, w->x, w->y, w->group, problem->groups, w->left_out);
}

/* Converts a fitted value back to seconds, limited to 0 ... DBL_MAX. */
static double seconds(const workspace *w, double fitted)
{
    return fmin(fmax(ldexp(fitted, w->exponent), 0), DBL_MAX);
}

/* Returns the half width of the 90 % interval in multiples of sqrt(1 + leverage). A row's score is
 * its absolute leave-one-out residual divided by sqrt(1 + leverage). The result is the ceil(0.9 (n
 * + 1))-th smallest score (split conformal prediction, Lei et al., J. Am. Stat. Assoc. 113, 2018).
 */
static double interval_factor(workspace *w)
{
    double rank = ceil(0.9 * ((double)w->n + 1));
    size_t k = rank > (double)w->n ? w->n : (size_t)rank;

    for (size_t i = 0; i < w->n; i++)
        w->score[i] = fabs(gsl_vector_get(w->left_out, i)) / sqrt(1 + pm_ols_leverage(w->ols, i));
    gsl_sort(w->score, 1, w->n);
    return w->score[k - 1];
}

static void learn(const pm_method *method, pm_learning *l)
{
    workspace w;
    double factor;

    (void)method;
    prepare(&l->memory, &w, l->problem, l->train, l->n_train);
    factor = interval_factor(&w);
    for (size_t i = 0; i < l->n_test; i++) {
        double leverage, fit, half;

        fill_row(l->problem, l->test[i], w.row);
        fit = pm_ols_at(w.ols, w.row, &leverage);
        half = factor * sqrt(1 + leverage);
        l->estimates[i] = (pm_estimate){.predicted_s = seconds(&w, fit),
                                        .lo_s = seconds(&w, fit - half),
                                        .hi_s = seconds(&w, fit + half)};
    }
}

/* Predicts each row by a fit without the row's group. All of these predictions are computed from
 * the leverages of one fit. */
static void leave_out(pm_memory *memory, const pm_problem *problem, double *predicted)
{
    size_t *rows = pm_take(memory, problem->n_known, sizeof *rows);
    workspace w;

    for (size_t i = 0; i < problem->n_known; i++)
        rows[i] = i;
    prepare(memory, &w, problem, rows, problem->n_known);
    for (size_t i = 0; i < problem->n_known; i++)
        predicted[i] = seconds(&w, gsl_vector_get(w.y, i) - gsl_vector_get(w.left_out, i));
}

const pm_method pm_method_paper = {
    .info = {"paper", "least squares on z-scored counters (Shimada et al. 2010)"},
    .counters = paper_counters,
    .learn = learn,
    .leave_out = leave_out,
};
