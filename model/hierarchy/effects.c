/* Random effects of a program on a GPU, predicted from its residuals. See hierarchy.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The effects are a Gaussian process (kriging). On one GPU, the covariance of two rows of a program
 * is the sum of up to four components. The first is common to all rows of the program. The second
 * is added if both rows have the same variant, and the third if they have the same configuration.
 * The fourth decreases with the distance of the rows' bottlenecks (pm_units_shape), because rows
 * that wait for the same unit have similar residuals. Between two GPUs, the covariance is
 * multiplied by the GPUs' correlation. Effects of different programs are independent.
 *
 * If the residuals on one GPU are much larger than expected, the cause is the model of that GPU and
 * not the program. Therefore the residuals of a program on a GPU have their own scale, as in a
 * Student t process (Shah, Wilson and Ghahramani, AISTATS 2014). The larger the scale, the less
 * these residuals influence the effects on other GPUs.
 */
#include <gsl/gsl_blas.h>
#include <math.h>

#include "base/gsl.h"
#include "model/hierarchy/parts.h"

/* Largest number of rows of a program to learn from, because the work grows with their cube. */
enum { MOST_ROWS = 1000 };
typedef struct {
    const pm_hierarchy *h;
    const pm_profile *gpu; /* GPU on which the random effects are predicted */
    /* common[g]: correlation of the random effects on GPU g with the random effects on `gpu` */
    double *common;
    const pm_hierarchy_row *wanted;
    /* shape[i * PM_UNITS_SHAPE] ...: vector that describes the bottlenecks of row i of `wanted`
     * (pm_units_shape) */
    const double *shape;
    size_t n;
    pm_hierarchy_effect *out;
    pm_memory memory;
    /* memory of Cholesky factors that are computed now, until the store of factors becomes its
     * owner */
    pm_memory fresh;
    /* row[rows]: indices of the training rows from which the effects are predicted */
    size_t *row;
    size_t rows;
} effects;

static bool is_wanted(const effects *e, size_t config)
{
    for (size_t i = 0; i < e->n; i++)
        if (e->wanted[i].config == config)
            return true;
    return false;
}

/* Chooses the rows of the program to learn from. Rows with a configuration (variant, size and
 * kernel) that is to be predicted come first. If there are more than MOST_ROWS rows, evenly spaced
 * ones are chosen. */
static void choose(effects *e)
{
    const pm_hierarchy_rows *rows = e->h->rows;
    size_t *of = pm_take(&e->memory, rows->n, sizeof *of);

    e->row = pm_take(&e->memory, MOST_ROWS, sizeof *e->row);
    for (unsigned pass = 0; pass < 2; pass++) {
        const size_t room = MOST_ROWS - e->rows;
        size_t count = 0, take;

        for (size_t i = 0; i < rows->n; i++)
            if (e->h->seen[i] && rows->of[i].program == e->wanted->program &&
                is_wanted(e, rows->of[i].config) == (pass == 0))
                of[count++] = i;
        take = count < room ? count : room;
        for (size_t k = 0; k < take; k++)
            e->row[e->rows++] = of[k * count / take];
    }
}

static gsl_matrix *cross_covariance_of(effects *e)
{
    gsl_matrix *cross = pm_take_matrix(&e->memory, e->rows, e->n);

    for (size_t a = 0; a < e->rows; a++)
        for (size_t i = 0; i < e->n; i++)
            gsl_matrix_set(
                cross, a, i,
                pm_effect_common(e->h, e->row[a], &e->wanted[i], e->shape + i * PM_UNITS_SHAPE) *
                    e->common[e->h->rows->of[e->row[a]].gpu]);
    return cross;
}

static void find(void *user)
{
    effects *e = user;
    const pm_effect_widths *widths = &e->h->effects;
    const pm_effect_factored *known = NULL;
    double scale = 1, freedom = 1;
    gsl_matrix *cross = NULL; /* replaced by L^-1 cross */

    choose(e);
    e->common = pm_take(&e->memory, e->h->rows->gpus, sizeof *e->common);
    for (size_t g = 0; g < e->h->rows->gpus; g++)
        e->common[g] = pm_alike_of(&widths->alike, e->h->rows->profile[g], e->gpu);
    if (e->rows > 0) {
        e->fresh = pm_memory_beside(&e->memory);
        known = pm_effect_factor(e->h, e->row, e->rows, &e->fresh);
        cross = cross_covariance_of(e);
        gsl_blas_dtrsm(CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, 1, known->factor, cross);
        scale = pm_effect_scale(e->h, known, e->gpu, &freedom, &e->memory);
    }
    for (size_t i = 0; i < e->n; i++) {
        pm_hierarchy_effect *out = &e->out[i];
        const double noise = pm_effect_noise(widths, &e->wanted[i]);

        *out = (pm_hierarchy_effect){.unknown = widths->program + widths->variant + widths->config +
                                                widths->shape + noise,
                                     .freedom = freedom,
                                     .known = e->rows > 0};
        out->variance = out->unknown;
        for (size_t a = 0; a < e->rows; a++) {
            out->mean += gsl_matrix_get(cross, a, i) * gsl_vector_get(known->whitened, a);
            out->variance -= gsl_matrix_get(cross, a, i) * gsl_matrix_get(cross, a, i);
        }
        out->variance = scale * fmax(out->variance, noise);
    }
}

pm_status pm_hierarchy_effects(const pm_hierarchy *h, const pm_profile *gpu,
                               const pm_hierarchy_row *wanted, const double *shape, size_t n,
                               pm_hierarchy_effect *out, pm_error *err)
{
    effects e = {.h = h, .gpu = gpu, .wanted = wanted, .shape = shape, .n = n, .out = out};
    pm_status status;

    pm_gsl_begin();
    status = n > 0 ? pm_attempt(&e.memory, find, &e, err) : PM_OK;
    pm_gsl_end();
    pm_memory_free(&e.fresh);
    pm_memory_free(&e.memory);
    return status;
}
