/* Computes the Cholesky factor of the covariance matrix of a program's residuals on the measured
 * GPUs, and stores it for predictions of further GPUs. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The factors do not depend on the GPU that is predicted. A command for several GPUs predicts the
 * same programs for each of them.
 */
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include "base/gsl.h"
#include "model/hierarchy/parts.h"

/* Largest total size in bytes of the Cholesky factors that the store holds for further predictions.
 * If it is exceeded, all are freed. The factors of the program with the most training rows take 24
 * MB. */
static const size_t MOST_BYTES = (size_t)64 << 20;

struct pm_effect_store {
    pm_effect_factored *first;
    size_t bytes;
};

/* State while the covariance matrix of the residuals of a program's n training rows is factored.
 * row[n]: indices of the rows. */
typedef struct {
    const pm_hierarchy *h;
    const size_t *row;
    size_t n;
    pm_memory *memory;
} factoring;

/* Returns the covariance matrix of the residuals of the n training rows f->row: the covariance of
 * their random effects plus, on the diagonal, each row's noise. */
static gsl_matrix *covariance_of(factoring *f)
{
    const pm_hierarchy_rows *rows = f->h->rows;
    gsl_matrix *k = pm_take_matrix(f->memory, f->n, f->n);

    for (size_t a = 0; a < f->n; a++) {
        for (size_t b = 0; b <= a; b++) {
            const size_t row = f->row[b];
            const size_t gpus = rows->of[f->row[a]].gpu * rows->gpus + rows->of[row].gpu;
            const double common = pm_effect_common(f->h, f->row[a], &rows->of[row],
                                                   f->h->shape + row * PM_UNITS_SHAPE) *
                                  f->h->effects.common[gpus];

            gsl_matrix_set(k, a, b, common);
            gsl_matrix_set(k, b, a, common);
        }
        *gsl_matrix_ptr(k, a, a) += pm_effect_noise(&f->h->effects, &rows->of[f->row[a]]);
    }
    return k;
}

/* Writes to `of` the indices a < n of the training rows f->row[a] that were measured on the GPU.
 * Returns their number. */
static size_t rows_of(const factoring *f, size_t gpu, size_t *of)
{
    size_t n = 0;

    for (size_t a = 0; a < f->n; a++)
        if (f->h->rows->of[f->row[a]].gpu == gpu)
            of[n++] = a;
    return n;
}

/* Returns the squared scale of n residuals r on one GPU, whose covariance by the model is K: (nu +
 * r' K^-1 r) / (nu + n), with nu = PM_EFFECT_FREEDOM. About 1: the residuals are as large as the
 * model expects; larger: they are larger. `of` has the n indices of these residuals in the
 * covariance matrix k of all GPUs. */
static double scale_of(factoring *f, const gsl_matrix *k, const size_t *of, size_t n)
{
    gsl_matrix *own = pm_take_matrix(f->memory, n, n);
    gsl_vector *solved = pm_take_vector(f->memory, n);
    double squares;

    for (size_t a = 0; a < n; a++) {
        for (size_t b = 0; b < n; b++)
            gsl_matrix_set(own, a, b, gsl_matrix_get(k, of[a], of[b]));
        gsl_vector_set(solved, a, f->h->residual[f->row[of[a]]]);
    }
    gsl_linalg_cholesky_decomp1(own);
    gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, own, solved);
    gsl_blas_ddot(solved, solved, &squares);
    return (PM_EFFECT_FREEDOM + squares) / (PM_EFFECT_FREEDOM + (double)n);
}

/* If the residuals on a GPU are larger than expected, multiplies that GPU's block of the covariance
 * by their squared scale. */
static void widen(factoring *f, gsl_matrix *k)
{
    const size_t gpus = f->h->rows->gpus;
    size_t *of = pm_take(f->memory, f->n, sizeof *of);

    for (size_t gpu = 0; gpu < gpus; gpu++) {
        const size_t n = rows_of(f, gpu, of);
        const double scale = n > 0 ? scale_of(f, k, of, n) : 1;

        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n; b++)
                *gsl_matrix_ptr(k, of[a], of[b]) *= fmax(scale, 1);
    }
}

static double *diagonal_of(factoring *f, const gsl_matrix *k)
{
    double *diagonal = pm_take(f->memory, f->n, sizeof *diagonal);

    for (size_t a = 0; a < f->n; a++)
        diagonal[a] = gsl_matrix_get(k, a, a);
    return diagonal;
}

static gsl_vector *residuals_of(const factoring *f)
{
    gsl_vector *residuals = pm_take_vector(f->memory, f->n);

    for (size_t a = 0; a < f->n; a++)
        gsl_vector_set(residuals, a, f->h->residual[f->row[a]]);
    return residuals;
}

static pm_effect_factored *factor(factoring *f)
{
    pm_effect_factored *out = pm_take(f->memory, 1, sizeof *out);
    size_t *row = pm_take(f->memory, f->n, sizeof *row);
    gsl_matrix *k = covariance_of(f);

    out->n = f->n;
    out->row = memcpy(row, f->row, f->n * sizeof *row);
    out->expected = diagonal_of(f, k);
    widen(f, k);
    out->taken = diagonal_of(f, k);
    /* K is positive definite because its diagonal contains the noise */
    gsl_linalg_cholesky_decomp1(k);
    out->factor = k;
    out->whitened = residuals_of(f);
    gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, k, out->whitened);
    out->weighted = residuals_of(f);
    gsl_linalg_cholesky_svx(k, out->weighted);
    out->inverse = pm_take_matrix(f->memory, f->n, f->n);
    gsl_matrix_memcpy(out->inverse, k);
    gsl_linalg_cholesky_invert(out->inverse);
    out->off = pm_take(f->memory, f->h->rows->gpus, sizeof *out->off);
    for (size_t g = 0; g < f->h->rows->gpus; g++)
        out->off[g] = (double)NAN;
    return out;
}

pm_effect_store *pm_effect_store_create(pm_memory *memory)
{
    return pm_try_take(memory, 1, sizeof(pm_effect_store));
}

void pm_effect_store_clear(pm_effect_store *store)
{
    while (store && store->first) {
        /* `memory` is a copy of a member of the list's entry. The entry itself lies in the memory
         * that is freed here, so its member must not be read meanwhile. */
        pm_memory memory = store->first->memory;

        store->first = store->first->next;
        pm_memory_free(&memory);
    }
    if (store)
        store->bytes = 0;
}

/* Adds the factored covariance of a program to the store, which becomes the owner of `memory` with
 * all its arrays. */
static void keep(pm_effect_store *store, pm_effect_factored *entry, pm_memory *memory)
{
    /* estimated bytes of the entry: the Cholesky factor of the n x n covariance matrix, the inverse
     * of that factor, and the Cholesky factors of the diagonal blocks of single GPUs, which
     * scale_of computes */
    const size_t bytes = 3 * entry->n * entry->n * sizeof(double);

    if (store->bytes + bytes > MOST_BYTES)
        pm_effect_store_clear(store);
    entry->memory = *memory;
    *memory = (pm_memory){.blocks = NULL};
    entry->next = store->first;
    store->first = entry;
    store->bytes += bytes;
}

const pm_effect_factored *pm_effect_factor(const pm_hierarchy *h, const size_t *row, size_t n,
                                           pm_memory *memory)
{
    pm_effect_factored *entry = h->store ? h->store->first : NULL;
    factoring f = {.h = h, .row = row, .n = n, .memory = memory};

    while (entry && (entry->n != n || memcmp(entry->row, row, n * sizeof *row) != 0))
        entry = entry->next;
    if (entry)
        return entry;
    entry = factor(&f);
    if (h->store)
        keep(h->store, entry, memory);
    return entry;
}
