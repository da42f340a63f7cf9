/* Solves the normal equations of a fit, as one of GSL's solvers. See normal.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/units/normal.h"

#include <gsl/gsl_linalg.h>
#include <stdlib.h>
#include <string.h>

#include "model/units/units.h"

enum { P = PM_UNITS_PARAMETERS, ROWS = 4 };

typedef struct {
    size_t p;
    /* product[a][b]: element of J'J, where J is the Jacobian; 0 for a or b beyond p */
    double product[P][P];
    /* p x p matrix: Cholesky factor of the damped normal equations J'J + mu D'D */
    double factor[P * P];
} normal;

static void *create(size_t n, size_t p)
{
    normal *e = p <= P ? calloc(1, sizeof *e) : NULL;

    (void)n;
    if (e)
        e->p = p;
    return e;
}

/* Adds ROWS rows of the Jacobian to the matrix `product` of sums of squares, in the order of the
 * rows. All P columns are added, also unused ones, because loops of fixed length are vectorized. */
static void add_products(double product[P][P], const double row[ROWS][P])
{
    for (size_t a = 0; a < P; a++)
        for (size_t b = 0; b < P; b++) {
            double sum = product[a][b];

            sum += row[0][a] * row[0][b];
            sum += row[1][a] * row[1][b];
            sum += row[2][a] * row[2][b];
            sum += row[3][a] * row[3][b];
            product[a][b] = sum;
        }
}

static int multiply(const void *trust, void *equations)
{
    const gsl_matrix *j = ((const gsl_multifit_nlinear_trust_state *)trust)->J;
    normal *e = equations;

    memset(e->product, 0, sizeof e->product);
    for (size_t first = 0; first < j->size1; first += ROWS) {
        double row[ROWS][P] = {0};

        for (size_t k = 0; k < ROWS && first + k < j->size1; k++)
            memcpy(row[k], gsl_matrix_const_ptr(j, first + k, 0), e->p * sizeof **row);
        add_products(e->product, row);
    }
    return GSL_SUCCESS;
}

static gsl_matrix_view factor_of(normal *e)
{
    return gsl_matrix_view_array(e->factor, e->p, e->p);
}

static int factorise(double mu, const void *trust, void *equations)
{
    const gsl_vector *d = ((const gsl_multifit_nlinear_trust_state *)trust)->diag;
    normal *e = equations;
    gsl_matrix_view factor = factor_of(e);

    for (size_t a = 0; a < e->p; a++) {
        memcpy(e->factor + a * e->p, e->product[a], e->p * sizeof *e->factor);
        e->factor[a * e->p + a] += mu * gsl_vector_get(d, a) * gsl_vector_get(d, a);
    }
    return gsl_linalg_cholesky_decomp1(&factor.matrix);
}

/* Callback of GSL: solves the damped normal equations for the step x. f is not read, because GSL
 * has already computed the gradient from it. */
static int solve(const gsl_vector *f, gsl_vector *x, const void *trust, void *equations)
{
    const gsl_vector *gradient = ((const gsl_multifit_nlinear_trust_state *)trust)->g;
    normal *e = equations;
    const gsl_matrix_view factor = factor_of(e);

    (void)f;
    gsl_vector_memcpy(x, gradient);
    gsl_vector_scale(x, -1);
    return gsl_linalg_cholesky_svx(&factor.matrix, x);
}

const gsl_multifit_nlinear_solver pm_normal_solver = {.name = "normal equations",
                                                      .alloc = create,
                                                      .init = multiply,
                                                      .presolve = factorise,
                                                      .solve = solve,
                                                      .free = free};
