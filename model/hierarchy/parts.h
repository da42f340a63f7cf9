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

/* What two GPUs have in common, as shares that add up to 1 with what is each one's own. */
typedef struct {
    double all, architecture, age;
    double years; /* after which age says 1/e of what it says at once */
} pm_alike;

double pm_alike_of(const pm_alike *alike, const pm_profile *a, const pm_profile *b);

/* What the model gets wrong of a program: variances of logarithms. */
typedef struct {
    double program, variant, config;
    double *row;    /* a member a source: of a row by itself */
    pm_alike alike; /* in what share it is the same on two GPUs; nothing of all is what is left */
} pm_effect_widths;

/* Degrees of freedom of how much farther off than elsewhere the model may be on a GPU. */
#define PM_EFFECT_FREEDOM 4.0

/* What two rows of a program have in common. */
double pm_effect_covariance(const pm_effect_widths *widths, const pm_hierarchy_rows *rows,
                            const pm_hierarchy_row *a, const pm_hierarchy_row *b);
/* Finds the widths that make the residuals most likely. */
void pm_effect_widths_find(pm_hierarchy *h, pm_memory *scratch);

struct pm_hierarchy {
    pm_memory memory;
    const pm_hierarchy_rows *rows;
    const bool *seen; /* a copy; a member a row */
    size_t n;         /* rows that are seen */
    size_t size;      /* of the unknowns: parameters of each GPU, then of all */
    double *parameters;
    gsl_matrix *covariance; /* of them */
    double width[PM_UNITS_PARAMETERS];
    double tell[PM_UNITS_PARAMETERS]; /* how many GPUs tell of each width */
    double *residual; /* a member a row: log time less the model's, without what programs add */
    pm_effect_widths effects;
};

#endif
