/* Random effects of a program on a GPU, predicted from its residuals. See hierarchy.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The effects are a Gaussian process (kriging). On one GPU, the covariance of two rows of a program
 * is the sum of up to four components: one of the program; one of the variant, if both rows have
 * the same variant; one of the configuration, if both have the same; and one that decreases with
 * the distance of their shapes (pm_units_shape). The last is there because rows that wait for the
 * same unit have similar residuals. Between two GPUs, the covariance is multiplied by the GPUs'
 * correlation. Effects of different programs are independent.
 *
 * If the residuals on one GPU are much larger than expected, the cause is the model of that GPU and
 * not the program. Therefore the residuals of a program on a GPU have their own scale, as in a
 * Student t process (Shah, Wilson and Ghahramani, AISTATS 2014). The larger the scale, the less
 * they influence other GPUs.
 */
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>

#include "base/gsl.h"
#include "model/hierarchy/parts.h"

/* Most rows of a program to learn from, because the work grows with their cube. */
enum { MOST_ROWS = 1000 };
typedef struct {
    const pm_hierarchy *h;
    const pm_profile *gpu; /* GPU on which effects are predicted */
    /* one member per GPU: correlation of its random effects with the random effects on `gpu` */
    double *common;
    const pm_hierarchy_row *wanted;
    /* n x PM_UNITS_SHAPE: shape coordinates (pm_units_shape) of the rows to predict */
    const double *shape;
    size_t n;
    pm_hierarchy_effect *out;
    pm_memory memory;
    size_t *row; /* rows (indices) to learn from */
    size_t rows;
} effects;

double pm_effect_apart(const double *shape_a, const double *shape_b)
{
    double sum = 0;

    for (size_t k = 0; k < PM_UNITS_SHAPE; k++)
        sum += (shape_a[k] - shape_b[k]) * (shape_a[k] - shape_b[k]);
    return sum;
}

double pm_effect_near(const pm_effect_widths *widths, double apart)
{
    return exp(-.5 * apart / (widths->length * widths->length));
}

double pm_effect_on_one(const pm_effect_widths *widths, const pm_hierarchy_row *a,
                        const pm_hierarchy_row *b, double near)
{
    double same = widths->program;

    if (a->program != b->program)
        return 0;
    same += a->variant == b->variant ? widths->variant : 0;
    same += a->config == b->config ? widths->config : 0;
    return same + widths->shape * near;
}

double pm_effect_covariance(const pm_effect_widths *widths, const pm_hierarchy_rows *rows,
                            const pm_hierarchy_row *a, const pm_hierarchy_row *b, double near)
{
    return pm_effect_on_one(widths, a, b, near) * widths->common[a->gpu * rows->gpus + b->gpu];
}

void pm_effect_relate(pm_effect_widths *widths, const pm_hierarchy_rows *rows)
{
    for (size_t a = 0; a < rows->gpus; a++)
        for (size_t b = 0; b < rows->gpus; b++)
            widths->common[a * rows->gpus + b] =
                pm_alike_of(&widths->alike, rows->profile[a], rows->profile[b]);
}

/* Returns the variance of a row's own noise, by the source that measured it. A row without a
 * measurement has the noise of source 0. */
static double noise_of(const pm_effect_widths *widths, const pm_hierarchy_row *row)
{
    return widths->row[row->source == PM_NO_NAME ? 0 : row->source];
}

static bool is_wanted(const effects *e, size_t config)
{
    for (size_t i = 0; i < e->n; i++)
        if (e->wanted[i].config == config)
            return true;
    return false;
}

/* Chooses the rows of the program to learn from. Rows with a configuration (variant, size and
 * kernel) that is to be predicted come first. If a list is too long, evenly spaced members of it
 * are used. */
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

/* Covariance of the effects of learned row `a` and another row, as if both were on the same GPU. */
static double common_with(const effects *e, size_t a, const pm_hierarchy_row *other,
                          const double *shape)
{
    const double *own = e->h->shape + e->row[a] * PM_UNITS_SHAPE;

    return pm_effect_on_one(&e->h->effects, &e->h->rows->of[e->row[a]], other,
                            pm_effect_near(&e->h->effects, pm_effect_apart(own, shape)));
}

/* Returns the covariance of the residuals of the learned rows (rows x rows): effects plus each
 * row's noise. */
static gsl_matrix *covariance_of(effects *e)
{
    const pm_hierarchy_rows *rows = e->h->rows;
    gsl_matrix *k = pm_take_matrix(&e->memory, e->rows, e->rows);

    for (size_t a = 0; a < e->rows; a++) {
        for (size_t b = 0; b <= a; b++) {
            const size_t row = e->row[b];
            const size_t gpus = rows->of[e->row[a]].gpu * rows->gpus + rows->of[row].gpu;
            const double common =
                common_with(e, a, &rows->of[row], e->h->shape + row * PM_UNITS_SHAPE) *
                e->h->effects.common[gpus];

            gsl_matrix_set(k, a, b, common);
            gsl_matrix_set(k, b, a, common);
        }
        *gsl_matrix_ptr(k, a, a) += noise_of(&e->h->effects, &rows->of[e->row[a]]);
    }
    return k;
}

/* Lists in `of` the learned rows that are on the GPU. Returns their number. */
static size_t rows_of(const effects *e, size_t gpu, size_t *of)
{
    size_t n = 0;

    for (size_t a = 0; a < e->rows; a++)
        if (e->h->rows->of[e->row[a]].gpu == gpu)
            of[n++] = a;
    return n;
}

/* Returns the squared scale of n residuals on one GPU relative to their covariance K: (nu + r' K^-1
 * r) / (nu + n), with nu = PM_EFFECT_FREEDOM. It is 1 if they are as large as expected. */
static double scale_of(effects *e, const gsl_matrix *k, const size_t *of, size_t n)
{
    gsl_matrix *own = pm_take_matrix(&e->memory, n, n);
    gsl_vector *solved = pm_take_vector(&e->memory, n);
    double squares;

    for (size_t a = 0; a < n; a++) {
        for (size_t b = 0; b < n; b++)
            gsl_matrix_set(own, a, b, gsl_matrix_get(k, of[a], of[b]));
        gsl_vector_set(solved, a, e->h->residual[e->row[of[a]]]);
    }
    gsl_linalg_cholesky_decomp1(own);
    gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, own, solved);
    gsl_blas_ddot(solved, solved, &squares);
    return (PM_EFFECT_FREEDOM + squares) / (PM_EFFECT_FREEDOM + (double)n);
}

/* If the residuals on a GPU are larger than expected, multiplies that GPU's block of the covariance
 * by their squared scale. */
static void widen(effects *e, gsl_matrix *k)
{
    const size_t gpus = e->h->rows->gpus;
    size_t *of = pm_take(&e->memory, e->rows, sizeof *of);

    for (size_t gpu = 0; gpu < gpus; gpu++) {
        const size_t n = rows_of(e, gpu, of);
        const double scale = n > 0 ? scale_of(e, k, of, n) : 1;

        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n; b++)
                *gsl_matrix_ptr(k, of[a], of[b]) *= fmax(scale, 1);
    }
}

static gsl_matrix *cross_covariance_of(effects *e)
{
    gsl_matrix *cross = pm_take_matrix(&e->memory, e->rows, e->n);

    for (size_t a = 0; a < e->rows; a++)
        for (size_t i = 0; i < e->n; i++)
            gsl_matrix_set(cross, a, i,
                           common_with(e, a, &e->wanted[i], e->shape + i * PM_UNITS_SHAPE) *
                               e->common[e->h->rows->of[e->row[a]].gpu]);
    return cross;
}

static const double *diagonal_of(effects *e, const gsl_matrix *k)
{
    double *diagonal = pm_take(&e->memory, e->rows, sizeof *diagonal);

    for (size_t a = 0; a < e->rows; a++)
        diagonal[a] = gsl_matrix_get(k, a, a);
    return diagonal;
}

/* Factors the covariance of the learned rows, K = L L'. Sets solved = L^-1 residuals and replaces
 * cross by L^-1 cross. Returns the squared scale of the prediction errors and their degrees of
 * freedom (pm_effect_scale). */
static double solve(effects *e, gsl_matrix *cross, gsl_vector *solved, double *freedom)
{
    pm_effect_known known = {.n = e->rows, .row = e->row};
    gsl_matrix *k = covariance_of(e);

    known.expected = diagonal_of(e, k);
    widen(e, k);
    known.taken = diagonal_of(e, k);
    for (size_t a = 0; a < e->rows; a++)
        gsl_vector_set(solved, a, e->h->residual[e->row[a]]);
    /* K is positive definite because its diagonal contains the noise */
    gsl_linalg_cholesky_decomp1(k);
    gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, k, solved);
    gsl_blas_dtrsm(CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, 1, k, cross);
    return pm_effect_scale(e->h, &known, k, e->gpu, freedom, &e->memory);
}

static void find(void *user)
{
    effects *e = user;
    const pm_effect_widths *widths = &e->h->effects;
    double scale = 1, freedom = 1;
    gsl_matrix *cross = NULL;
    gsl_vector *solved = NULL;

    choose(e);
    e->common = pm_take(&e->memory, e->h->rows->gpus, sizeof *e->common);
    for (size_t g = 0; g < e->h->rows->gpus; g++)
        e->common[g] = pm_alike_of(&widths->alike, e->h->rows->profile[g], e->gpu);
    if (e->rows > 0) {
        cross = cross_covariance_of(e);
        solved = pm_take_vector(&e->memory, e->rows);
        scale = solve(e, cross, solved, &freedom);
    }
    for (size_t i = 0; i < e->n; i++) {
        pm_hierarchy_effect *out = &e->out[i];
        const double noise = noise_of(widths, &e->wanted[i]);

        *out = (pm_hierarchy_effect){.unknown = widths->program + widths->variant + widths->config +
                                                widths->shape + noise,
                                     .freedom = freedom,
                                     .known = e->rows > 0};
        out->variance = out->unknown;
        for (size_t a = 0; a < e->rows; a++) {
            out->mean += gsl_matrix_get(cross, a, i) * gsl_vector_get(solved, a);
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
    pm_memory_free(&e.memory);
    return status;
}
