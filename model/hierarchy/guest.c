/* Predicts the model parameters of a GPU without measured times, from the parameters of the GPUs to
 * which the model was fitted. See hierarchy.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The prior of parameter k over all GPUs is normal with mean theta_0k and covariance s_k^2 R, where
 * R is the correlation matrix of the GPUs. A GPU t without rows adds no data. Given the parameters
 * theta_g of the fit's GPUs, its own parameters are
 *
 *     theta_t = theta_0 + w' (theta_g - theta_0) + e,   w = R_gg^-1 R_gt,
 *     var e_k = s_k^2 (1 - R_tg w)
 *
 * This is the conditional normal distribution (Rasmussen and Williams, Gaussian Processes for
 * Machine Learning, 2006, A.2). theta_t is a sum of theta_g and theta_0 with the weights w and 1 -
 * sum w. Its covariance is the covariance of that sum, plus var e.
 */
#include <math.h>

#include "base/error.h"
#include "base/gsl.h"
#include "model/hierarchy/parts.h"

enum { P = PM_UNITS_PARAMETERS };

typedef struct {
    const pm_hierarchy *h;
    const pm_profile *profile;
    pm_hierarchy_guest *guest;
    pm_memory memory;
    /* weights w of the GPUs' parameters, followed by 1 - sum w, the weight of their mean theta_0 */
    double *weight;
    double own; /* 1 - R_tg w: fraction of the prior variance that remains */
} meeting;

static void find_weights(meeting *m)
{
    const pm_hierarchy_rows *rows = m->h->rows;
    const size_t gpus = rows->gpus;
    gsl_matrix *inverse = pm_take_matrix(&m->memory, gpus, gpus);
    double log_determinant, sum = 0;

    if (gpus > 0 && !pm_prior_relate(rows, &m->h->relation, inverse, &log_determinant))
        pm_leave(&m->memory, PM_FAILED, "the GPUs cannot be told apart: is a year absurd?");
    m->weight = pm_take(&m->memory, gpus + 1, sizeof *m->weight);
    m->own = 1;
    for (size_t a = 0; a < gpus; a++) {
        for (size_t b = 0; b < gpus; b++)
            m->weight[a] += gsl_matrix_get(inverse, a, b) *
                            pm_alike_of(&m->h->relation, rows->profile[b], m->profile);
        m->own -= m->weight[a] * pm_alike_of(&m->h->relation, rows->profile[a], m->profile);
        sum += m->weight[a];
    }
    m->weight[gpus] = 1 - sum;
}

/* Returns w' C w, a part of the covariance of parameters k and l of the new GPU. w are the weights
 * of the fit's GPUs and of the mean theta_0, with which the new GPU is predicted. C is the
 * covariance matrix of these two parameters over the same GPUs and theta_0. The other part of the
 * covariance, var e (the deviation of the new GPU from that prediction), is not included. */
static double covariance_of(const meeting *m, size_t k, size_t l)
{
    const size_t members = m->h->rows->gpus + 1;
    double sum = 0;

    for (size_t a = 0; a < members; a++)
        for (size_t b = 0; b < members; b++)
            sum += m->weight[a] * gsl_matrix_get(m->h->covariance, a * P + k, b * P + l) *
                   m->weight[b];
    return sum;
}

static void meet(void *user)
{
    meeting *m = user;

    find_weights(m);
    for (size_t k = 0; k < P; k++) {
        m->guest->parameters[k] = 0;
        for (size_t a = 0; a < m->h->rows->gpus + 1; a++)
            m->guest->parameters[k] += m->weight[a] * m->h->parameters[a * P + k];
        for (size_t l = 0; l < P; l++)
            m->guest->covariance[k * P + l] = covariance_of(m, k, l);
        m->guest->covariance[k * P + k] +=
            m->h->width_of_fit[k] * m->h->width_of_fit[k] * fmax(m->own, 0);
    }
}

pm_status pm_hierarchy_meet(const pm_hierarchy *h, const pm_profile *profile,
                            pm_hierarchy_guest *guest, pm_error *err)
{
    meeting m = {.h = h, .profile = profile, .guest = guest};
    pm_status status;

    pm_gsl_begin();
    status = pm_attempt(&m.memory, meet, &m, err);
    pm_gsl_end();
    pm_memory_free(&m.memory);
    return status;
}
