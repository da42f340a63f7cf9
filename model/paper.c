/* Method `paper`: Shimada, Endo, Maruyama and Matsuoka, "Towards Characteristic-aware Optimization
 * of OpenCL programs on Heterogeneous GPUs" (2010), faithfully: run time as a linear function of
 * z-scored counters, by ordinary least squares (equation 1, section 3.2).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two things are not the paper's: a prediction under 0 becomes 0 (the paper's Dwt went below), and
 * the interval, which is split off from the leave-out residuals of the training rows: the 90 %
 * quantile of |residual| / sqrt(1 + leverage), so that it holds for programs unseen.
 */
#include <float.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "method.h"
#include "ols.h"

/* Sections 5.2.1 and 5.2.2 (GTX 480), their union for both variants together, and section 5.3.2 for
 * another GPU (the source's time joins by itself). "instruction issued" is inst_issued. */
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

/* The variables of a row: the counters, then the source's time where there is one. */
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
    int exponent; /* times are fitted over this power of two: no square over- or underflows */
    pm_ols *ols;
} workspace;

static void release(workspace *w)
{
    gsl_matrix_free(w->x);
    gsl_vector_free(w->y);
    gsl_vector_free(w->left_out);
    free(w->group);
    free(w->row);
    free(w->score);
    pm_ols_free(w->ols);
}

static pm_status prepare(workspace *w, const pm_problem *problem, const size_t *train, size_t n,
                         pm_error *err)
{
    double longest = 0;

    w->n = n;
    w->p = problem->p + (problem->source_t ? 1 : 0);
    w->x = gsl_matrix_alloc(n, w->p);
    w->y = gsl_vector_alloc(n);
    w->left_out = gsl_vector_alloc(n);
    w->group = calloc(n, sizeof *w->group);
    w->row = calloc(w->p, sizeof *w->row);
    w->score = calloc(n, sizeof *w->score);
    if (!w->x || !w->y || !w->left_out || !w->group || !w->row || !w->score)
        return pm_fail(err, PM_FAILED, "out of memory for %zu rows", n);
    for (size_t i = 0; i < n; i++)
        longest = fmax(longest, problem->t[train[i]]);
    frexp(longest, &w->exponent);
    for (size_t i = 0; i < n; i++) {
        fill_row(problem, train[i], gsl_matrix_ptr(w->x, i, 0));
        gsl_vector_set(w->y, i, ldexp(problem->t[train[i]], -w->exponent));
        w->group[i] = problem->group[train[i]];
    }
    w->ols = pm_ols_fit(w->x, w->y, err);
    if (!w->ols)
        return PM_FAILED;
    return pm_ols_leave_out(w->ols, w->x, w->y, w->group, problem->groups, w->left_out, err);
}

/* Seconds of a fitted time, which is not negative, and finite however far off the row lies. */
static double seconds(const workspace *w, double fitted)
{
    return fmin(fmax(ldexp(fitted, w->exponent), 0), DBL_MAX);
}

/* How many times sqrt(1 + leverage) the 90 % interval is wide to each side: the
 * ceil(0.9 (n + 1))-th smallest score (split conformal: Lei et al., J. Am. Stat. Assoc. 113, 2018).
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

static pm_status learn(const pm_problem *problem, const size_t *train, size_t n_train,
                       const size_t *test, size_t n_test, pm_estimate *estimates, pm_error *err)
{
    workspace w = {0};
    pm_status status = prepare(&w, problem, train, n_train, err);

    if (status == PM_OK) {
        double factor = interval_factor(&w);

        for (size_t i = 0; i < n_test; i++) {
            double leverage, fit, half;

            fill_row(problem, test[i], w.row);
            fit = pm_ols_at(w.ols, w.row, &leverage);
            half = factor * sqrt(1 + leverage);
            estimates[i] = (pm_estimate){.predicted_s = seconds(&w, fit),
                                         .lo_s = seconds(&w, fit - half),
                                         .hi_s = seconds(&w, fit + half)};
        }
    }
    release(&w);
    return status;
}

/* All groups left out in turn, by the leverages of one fit. */
static pm_status leave_out(const pm_problem *problem, double *predicted, pm_error *err)
{
    workspace w = {0};
    size_t *rows = calloc(problem->n_known, sizeof *rows);
    pm_status status;

    if (!rows)
        return pm_fail(err, PM_FAILED, "out of memory for %zu rows", problem->n_known);
    for (size_t i = 0; i < problem->n_known; i++)
        rows[i] = i;
    status = prepare(&w, problem, rows, problem->n_known, err);
    for (size_t i = 0; status == PM_OK && i < problem->n_known; i++)
        predicted[i] = seconds(&w, gsl_vector_get(w.y, i) - gsl_vector_get(w.left_out, i));
    free(rows);
    release(&w);
    return status;
}

const pm_method pm_method_paper = {
    .info = {"paper", "least squares on z-scored counters (Shimada et al. 2010)"},
    .counters = paper_counters,
    .learn = learn,
    .leave_out = leave_out,
};
