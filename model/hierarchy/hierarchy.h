/* The units model of many GPUs at once, with parameters of each that are pooled in part.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row i is a time on a GPU g of a program p:
 *
 *     log t_i = f(work_i; theta_g) + b_p,g + e_i
 *
 * with f the units model (model/units/units.h). Parameter k of the GPUs is normal about one for
 * all, theta_0k, with the covariance s_k^2 R: R adds up a share of the architecture, which its GPUs
 * have in common, one of age, which is the less in common the more years are between two GPUs, and
 * one of each GPU's own (partial pooling: Gelman and Hill, Data Analysis Using Regression and
 * Multilevel/Hierarchical Models, 2007). The widths s_k are found from the rows, held near what was
 * assumed of them before as if by a few GPUs. A GPU without rows is predicted by the same
 * equations: from its architecture, its years, and the rest.
 *
 * What the model gets wrong of a program, b_p,g, is in part the same on all GPUs: a Gaussian
 * process over variants and sizes, times one over GPUs (effects.c).
 */
#ifndef PM_MODEL_HIERARCHY_HIERARCHY_H
#define PM_MODEL_HIERARCHY_HIERARCHY_H

#include "base/wire.h"
#include "model/units/units.h"

/* What a row is of: numbers of the same name are equal; PM_NO_NAME: there is no other row of it. */
#define PM_NO_NAME ((size_t)-1)
typedef struct {
    size_t gpu, program, variant, config; /* config: the variant in a size, of a kernel */
    size_t source;                        /* who measured it */
} pm_hierarchy_row;

/* Must outlive what is learned from it. */
typedef struct {
    size_t n;
    const pm_units *units;
    const size_t *place; /* n: rows of units */
    const pm_hierarchy_row *of;
    const double *log_time;
    size_t gpus, programs, sources;
    const pm_profile *const *profile; /* a member a GPU, which may have no rows */
} pm_hierarchy_rows;

typedef struct pm_hierarchy pm_hierarchy;

/* Learns from the rows i with seen[i] (NULL: from all). */
pm_status pm_hierarchy_fit(const pm_hierarchy_rows *rows, const bool *seen, pm_hierarchy **out,
                           pm_error *err);
void pm_hierarchy_free(pm_hierarchy *h);

/* A GPU's parameters (logarithms), PM_UNITS_PARAMETERS of them. */
const double *pm_hierarchy_parameters(const pm_hierarchy *h, size_t gpu);
/* What they may be off by: PM_UNITS_PARAMETERS squared, by row. */
void pm_hierarchy_covariance(const pm_hierarchy *h, size_t gpu, double *covariance);

/* Parameters (logarithms) of a GPU that is not one of the fit's GPUs, and their covariance (shapes
 * as above). The GPU has no rows and would not change the fit. Its parameters are the prior's
 * expectation given the fitted ones (guest.c). */
typedef struct {
    double parameters[PM_UNITS_PARAMETERS];
    double covariance[PM_UNITS_PARAMETERS * PM_UNITS_PARAMETERS];
} pm_hierarchy_guest;
pm_status pm_hierarchy_meet(const pm_hierarchy *h, const pm_profile *profile,
                            pm_hierarchy_guest *guest, pm_error *err);

/* Writes a fit to a message, or reads one (stored.c). Reading makes a hierarchy of the same rows,
 * whose units and times may be missing; free it with pm_hierarchy_free. *h is NULL if the message
 * does not match the rows. */
void pm_hierarchy_wire(pm_wire *wire, const pm_hierarchy_rows *rows, pm_hierarchy **h);
/* s_k, and its standard error. */
double pm_hierarchy_width(const pm_hierarchy *h, size_t parameter, double *error);

/* What two GPUs have in common, as shares that add up to 1 with what is each one's own. */
typedef struct {
    double all, architecture, age;
    double years; /* after which age says 1/e of what it says at once */
} pm_alike;
/* Shares with their standard errors, each with the others held (of parameters, what all have in
 * common is apart, and all is 0): of parameters, and of what the model gets wrong of programs. */
typedef struct {
    pm_alike share, error;
} pm_hierarchy_common;
void pm_hierarchy_shares(const pm_hierarchy *h, pm_hierarchy_common *parameters,
                         pm_hierarchy_common *programs);

/* What the model gets wrong of a row, as logarithms. */
typedef struct {
    double mean;
    double variance;
    double freedom; /* degrees of freedom of Student's t, by which that variance is not certain */
    double unknown; /* the variance where nothing is known of its program */
    bool known;     /* something is */
} pm_hierarchy_effect;

/* How near two GPUs are; chips of one compute capability are one here, and what has none is not
 * NVIDIA's. */
typedef enum {
    PM_SAME_CHIP,
    PM_SAME_ARCHITECTURE,
    PM_SAME_MAKER,
    PM_NO_KINSHIP,
    PM_KINSHIPS
} pm_kinship;
pm_kinship pm_kinship_of(const pm_profile *a, const pm_profile *b);

/* Of what the model gets wrong of a kernel on a GPU, the share that it gets wrong on another; its
 * standard error; and the number of GPUs that tell of it (0: none do, and the share is of others).
 */
typedef struct {
    double share[PM_KINSHIPS], error[PM_KINSHIPS];
    size_t gpus[PM_KINSHIPS];
} pm_hierarchy_kept;
const pm_hierarchy_kept *pm_hierarchy_what_is_kept(const pm_hierarchy *h);

/* Predicts the effects of n rows of one program on one GPU. gpu: the GPU's profile. If the GPU is
 * one of the fit's, gpu must be the pointer in rows->profile. wanted: n rows, whose member `gpu` is
 * not read. shape: n x PM_UNITS_SHAPE, shapes of the rows' times by that GPU's parameters. out: n.
 */
pm_status pm_hierarchy_effects(const pm_hierarchy *h, const pm_profile *gpu,
                               const pm_hierarchy_row *wanted, const double *shape, size_t n,
                               pm_hierarchy_effect *out, pm_error *err);

#endif
