/* What fitting many GPUs at once is made of. See hierarchy.h.
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

/* What the model gets wrong of a program: variances of logarithms. */
typedef struct {
    double program, variant, config;
    double shape;   /* of what rows of one shape have in common (pm_units_shape), */
    double length;  /* which is the less the farther apart they are, by this */
    double *row;    /* a member a source: of a row by itself */
    pm_alike alike; /* in what share it is the same on two GPUs */
    double *common; /* gpus x gpus: what that comes to */
    pm_alike alike_error;
} pm_effect_widths;

/* Degrees of freedom of how much farther off than elsewhere the model may be on a GPU. */
#define PM_EFFECT_FREEDOM 4.0

/* The square of how far apart two shapes are, and how near to each other that is: up to 1. */
double pm_effect_apart(const double *shape_a, const double *shape_b);
double pm_effect_near(const pm_effect_widths *widths, double apart);
/* Covariance of the random effects of two rows on one GPU. near: nearness of their shapes, from
 * pm_effect_near. */
double pm_effect_on_one(const pm_effect_widths *widths, const pm_hierarchy_row *a,
                        const pm_hierarchy_row *b, double near);
/* Like pm_effect_on_one, for rows on the GPUs a->gpu and b->gpu. */
double pm_effect_covariance(const pm_effect_widths *widths, const pm_hierarchy_rows *rows,
                            const pm_hierarchy_row *a, const pm_hierarchy_row *b, double near);
/* Fills widths->common (gpus x gpus) from widths->alike. */
void pm_effect_relate(pm_effect_widths *widths, const pm_hierarchy_rows *rows);
/* Finds the widths that make the residuals most likely. */
void pm_effect_widths_find(pm_hierarchy *h, pm_memory *scratch);
/* Finds what residuals on one GPU say of those on another. */
void pm_kept_find(pm_hierarchy *h, pm_memory *scratch);

/* Rows of a program that are learned from. */
typedef struct {
    size_t n;
    const size_t *row;
    const double *expected; /* n: variances of their residuals if their GPUs were like others */
    const double *taken;    /* n: those that are taken */
} pm_effect_known;
/* How much larger, squared, residuals are to be expected on a GPU. decomposed: Cholesky's factor of
 * the covariance that is taken. freedom: how many GPUs tell of it. */
double pm_effect_scale(const pm_hierarchy *h, const pm_effect_known *known,
                       const gsl_matrix *decomposed, const pm_profile *gpu, double *freedom,
                       pm_memory *scratch);

/* What is assumed of the shares of parameters; the inverse of R (gpus squared) by shares, false
 * where there is none; what it adds to the equations of all unknowns; and the shares that the times
 * tell of, from those equations without it. */
void pm_prior_start(pm_hierarchy *h);
bool pm_prior_relate(const pm_hierarchy_rows *rows, const pm_alike *alike, gsl_matrix *common,
                     double *log_determinant);
void pm_prior_add(const pm_hierarchy *h, const gsl_matrix *common, gsl_matrix *normal);
void pm_prior_find_shares(pm_hierarchy *h, const gsl_matrix *normal, const gsl_vector *right,
                          pm_memory *scratch);

struct pm_hierarchy {
    pm_memory memory;
    const pm_hierarchy_rows *rows;
    const bool *seen; /* a copy; a member a row */
    size_t n;         /* rows that are seen */
    size_t size;      /* of the unknowns: parameters of each GPU, then of all */
    double *parameters;
    gsl_matrix *covariance;            /* of them */
    pm_alike relation, relation_error; /* of parameters on two GPUs */
    double width[PM_UNITS_PARAMETERS];
    double width_of_fit[PM_UNITS_PARAMETERS]; /* s_k that the parameters were fitted with;
                                               * `width` is estimated after that fit */
    double tell[PM_UNITS_PARAMETERS];         /* how many GPUs tell of each width */
    double *residual; /* a member a row: log time less the model's, without what programs add */
    double *shape;    /* rows x PM_UNITS_SHAPE, of those that are seen */
    pm_effect_widths effects;
    pm_hierarchy_kept kept;
};

#endif
