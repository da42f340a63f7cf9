/* Types and functions that are shared by the files that fit one model of kernel times to many GPUs.
 * See hierarchy.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_HIERARCHY_PARTS_H
#define PM_MODEL_HIERARCHY_PARTS_H

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>

#include "base/memory.h"
#include "model/hierarchy/hierarchy.h"

double pm_alike_of(const pm_alike *alike, const pm_profile *a, const pm_profile *b);

/* Variance components of the random effects on log time. program, variant, config: added to the
 * covariance of two rows if they have the same program, variant, or configuration (kernel, variant
 * and size). */
typedef struct {
    double program, variant, config;
    /* component that decreases with the distance of the rows' bottlenecks (pm_units_shape) */
    double shape;
    /* length scale with which the component `shape` decreases with distance, see pm_effect_near */
    double length;
    /* row[s]: variance of the noise of a row whose time comes from source s (such as our
     * measurements) */
    double *row;
    pm_alike alike; /* components of the correlation between the random effects on two GPUs */
    double *common; /* gpus x gpus matrix: correlation of each pair of GPUs */
    pm_alike alike_error;
} pm_effect_widths;

/* The squared scale of residuals on one GPU is estimated with a prior at the value 1. The prior
 * counts as much as this number of residuals. */
#define PM_EFFECT_FREEDOM 4.0

/* pm_effect_apart: returns the squared distance of two rows' bottlenecks; shape_a, shape_b: vectors
 * that describe them (pm_units_shape). pm_effect_near: returns the correlation of two rows at that
 * squared distance, exp(-apart / (2 length^2)), in (0, 1]. */
double pm_effect_apart(const double *shape_a, const double *shape_b);
double pm_effect_near(const pm_effect_widths *widths, double apart);
/* Returns the covariance of the random effects of two rows, if both were measured on the same GPU.
 * near: result of pm_effect_near for the two rows. */
double pm_effect_on_one(const pm_effect_widths *widths, const pm_hierarchy_row *a,
                        const pm_hierarchy_row *b, double near);
/* Returns the covariance of the random effects of two rows that were measured on the GPUs a->gpu
 * and b->gpu. near: result of pm_effect_near for the two rows. */
double pm_effect_covariance(const pm_effect_widths *widths, const pm_hierarchy_rows *rows,
                            const pm_hierarchy_row *a, const pm_hierarchy_row *b, double near);
/* Returns the variance of the noise of one row, which depends on who measured it (its source). A
 * row that is only predicted gets the noise of source 0. */
double pm_effect_noise(const pm_effect_widths *widths, const pm_hierarchy_row *row);
/* Returns the covariance of the random effects of training row number `row` and another row, as if
 * both were measured on the same GPU. shape: vector that describes the bottlenecks of the other row
 * (pm_units_shape). */
double pm_effect_common(const pm_hierarchy *h, size_t row, const pm_hierarchy_row *other,
                        const double *shape);
/* Fills widths->common, the correlation of each pair of GPUs, from its components in
 * widths->alike. */
void pm_effect_relate(pm_effect_widths *widths, const pm_hierarchy_rows *rows);
/* Estimates the variance components h->effects of the random effects by maximum likelihood of the
 * residuals (likelihood.c). */
void pm_effect_widths_find(pm_hierarchy *h, pm_memory *scratch);
/* Estimates h->kept: the fraction of a residual on one GPU that is expected on another (kept.c). */
void pm_kept_find(pm_hierarchy *h, pm_memory *scratch);

/* Residuals r of n rows of a program and their covariance K = L L' (factored.c). */
typedef struct pm_effect_factored {
    struct pm_effect_factored *next;
    pm_memory memory; /* owns this struct and its arrays, if the struct is in a store */
    size_t n;
    const size_t *row;        /* indices of the n rows */
    const gsl_matrix *factor; /* n x n matrix, of which the lower triangle is L */
    gsl_matrix *inverse;      /* n x n matrix K^-1 */
    /* whitened: the n numbers L^-1 r; weighted: the n numbers K^-1 r */
    gsl_vector *whitened, *weighted;
    /* expected[a]: variance of residual a by the variance components */
    const double *expected;
    /* taken[a]: diagonal element a of K, the variance that is assumed for residual a. It is
     * increased on GPUs with larger residuals than expected. */
    const double *taken;
    /* off[g]: squared scale of the prediction errors on GPU g (scale.c), 1 if they are as large as
     * expected; NAN: not computed yet */
    double *off;
} pm_effect_factored;
/* Store of factored covariance matrices of residuals, which later calls with the same training rows
 * use again. pm_effect_store_create allocates it from `memory`, and returns NULL if out of memory.
 * pm_effect_store_clear frees its entries. */
typedef struct pm_effect_store pm_effect_store;
pm_effect_store *pm_effect_store_create(pm_memory *memory);
void pm_effect_store_clear(pm_effect_store *store);
/* Returns the factored covariance of the residuals of n training rows, whose indices are row[n]. It
 * is taken from h->store or computed in `memory`. If it is computed, the store becomes the owner of
 * everything in `memory`. The result is valid until the next call. */
const pm_effect_factored *pm_effect_factor(const pm_hierarchy *h, const size_t *row, size_t n,
                                           pm_memory *memory);

/* Returns the squared scale of the prediction errors of a program on the GPU `gpu` (scale.c), 1 if
 * they are as large as expected. *freedom gets the sum of weights from which it was estimated, the
 * degrees of freedom. known: the program's residuals on other GPUs. */
double pm_effect_scale(const pm_hierarchy *h, const pm_effect_factored *known,
                       const pm_profile *gpu, double *freedom, pm_memory *scratch);

/* Functions for the prior of the GPUs' parameters (prior.c). R is the matrix of correlations
 * between the GPUs' parameters, and h->relation its components.
 *
 * - pm_prior_start: sets h->relation to its start values.
 * - pm_prior_relate: writes the inverse of R to `common` and log det R to *log_determinant; false:
 *   R is singular.
 * - pm_prior_add: adds the prior's precision to the matrix `normal` of the normal equations of all
 *   unknowns; common: inverse of R.
 * - pm_prior_find_shares: estimates h->relation; normal, right: the normal equations without the
 *   prior. */
void pm_prior_start(pm_hierarchy *h);
bool pm_prior_relate(const pm_hierarchy_rows *rows, const pm_alike *alike, gsl_matrix *common,
                     double *log_determinant);
void pm_prior_add(const pm_hierarchy *h, const gsl_matrix *common, gsl_matrix *normal);
void pm_prior_find_shares(pm_hierarchy *h, const gsl_matrix *normal, const gsl_vector *right,
                          pm_memory *scratch);

struct pm_hierarchy {
    pm_memory memory;
    const pm_hierarchy_rows *rows;
    /* seen[row]: whether the fit learns from the row; a copy of the caller's array */
    const bool *seen;
    size_t n; /* number of rows that the fit learns from */
    /* number of unknowns of the fit: PM_UNITS_PARAMETERS parameters of each GPU, then as many means
     * theta_0 */
    size_t size;
    double *parameters;
    /* size x size matrix: posterior covariance of the parameters */
    gsl_matrix *covariance;
    /* the correlation of the parameters of two GPUs as a sum of components, and the standard errors
     * of the components */
    pm_alike relation, relation_error;
    double width[PM_UNITS_PARAMETERS];
    /* prior standard deviations s_k with which the parameters were fitted; `width` is estimated
     * after that fit */
    double width_of_fit[PM_UNITS_PARAMETERS];
    /* tell[k]: number of GPUs that effectively determine width[k], the prior standard deviation of
     * parameter k (HELD_BY + gamma in fit.c) */
    double tell[PM_UNITS_PARAMETERS];
    /* residual[row]: log time minus the log time by the units model, without random effects */
    double *residual;
    /* shape[row * PM_UNITS_SHAPE], ...: numbers that describe the row's bottlenecks
     * (pm_units_shape), for rows that are learned from */
    double *shape;
    pm_effect_widths effects;
    pm_hierarchy_kept kept;
    pm_effect_store *store; /* factored covariances for further calls; NULL: none are stored */
};

#endif
