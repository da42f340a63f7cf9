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

struct pm_hierarchy {
    pm_memory memory;
    const pm_hierarchy_rows *rows;
    const bool *seen; /* a copy; a member a row */
    size_t n;         /* rows that are seen */
    size_t size;      /* of the unknowns: parameters of each GPU, then of all */
    double *parameters;
    gsl_matrix *covariance; /* of them */
    double width[PM_UNITS_PARAMETERS];
    double *residual; /* a member a row: log time less the model's, without what programs add */
};

#endif
