/* The units model (times of a GPU's functional units, combined to the time of a kernel) for many
 * GPUs at once, with partial pooling of the GPUs' parameters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Row i is a time of a program p on a GPU g:
 *
 *     log t_i = f(work_i; theta_g) + b_p,g + e_i
 *
 * Here f is the units model (model/units/units.h), theta_g are the GPU's parameters, b_p,g is the
 * random effect of program p on GPU g, and e_i is noise.
 *
 * The prior of parameter k over the GPUs is normal with mean theta_0k, common to all GPUs, and
 * covariance s_k^2 R. R is a sum of three components: one that GPUs of the same architecture share,
 * one that decreases with the years between two GPUs, and one of each GPU's own. This is partial
 * pooling (Gelman and Hill, Data Analysis Using Regression and Multilevel/Hierarchical Models,
 * 2007). The prior standard deviations s_k are estimated from the rows, with start values that
 * count as much as a few GPUs. The same equations predict a GPU without rows.
 *
 * The random effects of a program are correlated between GPUs. They are a Gaussian process over
 * variants and sizes, times one over GPUs (effects.c).
 */
#ifndef PM_MODEL_HIERARCHY_HIERARCHY_H
#define PM_MODEL_HIERARCHY_HIERARCHY_H

#include "base/wire.h"
#include "model/units/units.h"

/* GPU, program, variant, configuration and source of a row, as numbers in place of names. Rows with
 * an equal number have the same GPU, the same program and so on. PM_NO_NAME: no training row has
 * this name. */
#define PM_NO_NAME ((size_t)-1)
typedef struct {
    /* config: number of the combination of kernel, variant and size */
    size_t gpu, program, variant, config;
    size_t source; /* who measured the row */
} pm_hierarchy_row;

/* Training rows: measured kernel times on all GPUs, with the work of each kernel. They must
 * outlive every model that is fitted to them. */
typedef struct {
    size_t n;
    const pm_units *units;
    /* place[i]: index of the row of `units` that has the work of training row i (the seconds that
     * each functional unit needs for it at full rate) */
    const size_t *place;
    const pm_hierarchy_row *of;
    const double *log_time;
    size_t gpus, programs, sources;
    /* profile[g]: rates, latencies and sizes of GPU g from devices.csv; also set for GPUs that have
     * no training rows */
    const pm_profile *const *profile;
} pm_hierarchy_rows;

typedef struct pm_hierarchy pm_hierarchy;

/* Fits the model of many GPUs to the rows i with seen[i] (NULL: to all rows). Free *out with
 * pm_hierarchy_free; it is NULL if the fit fails. */
pm_status pm_hierarchy_fit(const pm_hierarchy_rows *rows, const bool *seen, pm_hierarchy **out,
                           pm_error *err);
void pm_hierarchy_free(pm_hierarchy *h);

/* Returns the PM_UNITS_PARAMETERS parameters (logarithms) of a GPU. h owns them. */
const double *pm_hierarchy_parameters(const pm_hierarchy *h, size_t gpu);
/* Fills `covariance` with the posterior covariance of a GPU's parameters, a matrix of
 * PM_UNITS_PARAMETERS rows and columns that is stored by row. */
void pm_hierarchy_covariance(const pm_hierarchy *h, size_t gpu, double *covariance);

/* Parameters (logarithms) of a GPU that is not one of the fit's GPUs, and their covariance matrix,
 * stored by row. There are no training rows of the GPU. Its parameters are therefore the prior's
 * expectation, given the fitted parameters of the other GPUs (guest.c). */
typedef struct {
    double parameters[PM_UNITS_PARAMETERS];
    double covariance[PM_UNITS_PARAMETERS * PM_UNITS_PARAMETERS];
} pm_hierarchy_guest;
pm_status pm_hierarchy_meet(const pm_hierarchy *h, const pm_profile *profile,
                            pm_hierarchy_guest *guest, pm_error *err);

/* Writes a fit to a byte stream for the cache (wire->writing), or reads it from one (stored.c). A
 * fit that is read must be used with the same training rows, of which the counters and times may be
 * missing. Free it with pm_hierarchy_free. *h becomes NULL if the stream does not match the
 * rows. */
void pm_hierarchy_wire(pm_wire *wire, const pm_hierarchy_rows *rows, pm_hierarchy **h);
/* Returns s_k, the prior standard deviation of parameter k over the GPUs. *error gets its standard
 * error. */
double pm_hierarchy_width(const pm_hierarchy *h, size_t parameter, double *error);

/* The correlation between two GPUs is a sum of components. all: equal for all pairs of GPUs.
 * architecture: added if both GPUs have the same architecture. age: decreases with the years
 * between the two GPUs; this is its value for GPUs of the same year. The rest up to 1 is a
 * component of each GPU alone. */
typedef struct {
    double all, architecture, age;
    /* years of age difference after which the component `age` has fallen to 1/e of its value for
     * GPUs of the same year */
    double years;
} pm_alike;
/* An estimated correlation between two GPUs as a sum of components (pm_alike), and the standard
 * error of each component with the others held fixed. pm_hierarchy_shares returns two of these:
 * `parameters` for the GPUs' parameters, and `programs` for the random effects of programs. `all`
 * is 0 for the parameters, because what all GPUs have in common is already in the mean theta_0. */
typedef struct {
    pm_alike share, error;
} pm_hierarchy_common;
void pm_hierarchy_shares(const pm_hierarchy *h, pm_hierarchy_common *parameters,
                         pm_hierarchy_common *programs);

/* Predicted random effect of a program on one row: the difference of its log time from the log time
 * by the units model. */
typedef struct {
    double mean;
    double variance;
    /* degrees of freedom of the Student t distribution of the effect; a t distribution because the
     * scale of its variance is estimated */
    double freedom;
    double unknown; /* prior variance: the variance if the program had no residuals */
    bool known;     /* true if residuals of the program were used */
} pm_hierarchy_effect;

/* Relation of two GPUs, from near to far. Chips of one architecture and one compute capability are
 * the same chip. A GPU without compute capability is not from NVIDIA. */
typedef enum {
    PM_SAME_CHIP,
    PM_SAME_ARCHITECTURE,
    PM_SAME_MAKER,
    PM_NO_KINSHIP,
    PM_KINSHIPS
} pm_kinship;
pm_kinship pm_kinship_of(const pm_profile *a, const pm_profile *b);

/* Fraction of a kernel's residual on one GPU that is expected on another GPU, for each relation of
 * two GPUs (pm_kinship), with its standard error. gpus: number of GPUs from which the fraction was
 * estimated; 0: it is a default (kept.c). */
typedef struct {
    double share[PM_KINSHIPS], error[PM_KINSHIPS];
    size_t gpus[PM_KINSHIPS];
} pm_hierarchy_kept;
const pm_hierarchy_kept *pm_hierarchy_what_is_kept(const pm_hierarchy *h);

/* Predicts the random effects of n rows of one program on one GPU. gpu: the GPU's profile. If the
 * GPU is one of the fit's, gpu must be the pointer in rows->profile. wanted: n rows, whose member
 * `gpu` is not read. shape[i * PM_UNITS_SHAPE], ...: numbers that describe the bottlenecks of row
 * wanted[i] by that GPU's parameters (pm_units_shape). out[i]: predicted effect of row wanted[i].
 * Only one thread at a time may call this function for a hierarchy, which keeps intermediate
 * results for further calls. */
pm_status pm_hierarchy_effects(const pm_hierarchy *h, const pm_profile *gpu,
                               const pm_hierarchy_row *wanted, const double *shape, size_t n,
                               pm_hierarchy_effect *out, pm_error *err);

#endif
