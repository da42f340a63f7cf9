/* Least squares: NIST's certified Longley regression, and leave-out residuals in closed form
 * against refitting without each group.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "model/methods/ols.h"
#include "owned.h"
#include "rng.h"

/* NIST (National Institute of Standards and Technology), Statistical Reference Datasets, Longley:
 * y, then x1 ... x6. */
static const double longley[16][7] = {
    {60323, 83.0, 234289, 2356, 1590, 107608, 1947},
    {61122, 88.5, 259426, 2325, 1456, 108632, 1948},
    {60171, 88.2, 258054, 3682, 1616, 109773, 1949},
    {61187, 89.5, 284599, 3351, 1650, 110929, 1950},
    {63221, 96.2, 328975, 2099, 3099, 112075, 1951},
    {63639, 98.1, 346999, 1932, 3594, 113270, 1952},
    {64989, 99.0, 365385, 1870, 3547, 115094, 1953},
    {63761, 100.0, 363112, 3578, 3350, 116219, 1954},
    {66019, 101.2, 397469, 2904, 3048, 117388, 1955},
    {67857, 104.6, 419180, 2822, 2857, 118734, 1956},
    {68169, 108.4, 442769, 2936, 2798, 120445, 1957},
    {66513, 110.8, 444546, 4681, 2637, 121950, 1958},
    {68655, 112.6, 482704, 3813, 2552, 123366, 1959},
    {69564, 114.2, 502601, 3931, 2514, 125368, 1960},
    {69331, 115.7, 518173, 4806, 2572, 127852, 1961},
    {70551, 116.9, 554894, 4007, 2827, 130081, 1962},
};
static const double certified[7] = {-3482258.63459582, 15.0618722713733,  -0.358191792925910e-1,
                                    -2.02022980381683, -1.03322686717359, -0.511041056535807e-1,
                                    1829.15146461355};

OWNED(matrix, gsl_matrix, gsl_matrix_free)
OWNED(vector, gsl_vector, gsl_vector_free)

TEST(longley_has_the_certified_coefficients)
{
    gsl_matrix *x = owned_matrix(gsl_matrix_alloc(16, 6));
    gsl_vector *y = owned_vector(gsl_vector_alloc(16));
    pm_ols *ols;
    double constant;

    for (size_t i = 0; i < 16; i++) {
        gsl_vector_set(y, i, longley[i][0]);
        for (size_t j = 0; j < 6; j++)
            gsl_matrix_set(x, i, j, longley[i][j + 1]);
    }
    ols = pm_ols_fit(own_memory(), x, y);
    assert_int_equal(ols->rank, 7);
    constant = gsl_vector_get(ols->coefficients, 0);
    for (size_t j = 0; j < 6; j++) {
        double slope = gsl_vector_get(ols->coefficients, j + 1) * gsl_vector_get(ols->scale, j);

        assert_true(fabs(slope / certified[j + 1] - 1) < 1e-8);
        constant -= slope * gsl_vector_get(ols->mean, j);
    }
    assert_true(fabs(constant / certified[0] - 1) < 1e-8);
    assert_true(fabs(ols->sigma / 304.854073561965 - 1) < 1e-8);
}

/* Returns the residual of row i by a new fit without its group. */
static double refitted(const gsl_matrix *x, const gsl_vector *y, const size_t *group, size_t i)
{
    size_t n = x->size1, rest = 0;
    gsl_matrix *xr = owned_matrix(gsl_matrix_alloc(n, x->size2));
    gsl_vector *yr = owned_vector(gsl_vector_alloc(n));
    pm_ols *ols;
    double residual;

    for (size_t k = 0; k < n; k++) {
        gsl_vector_const_view row = gsl_matrix_const_row(x, k);

        if (group[k] == group[i])
            continue;
        gsl_matrix_set_row(xr, rest, &row.vector);
        gsl_vector_set(yr, rest++, gsl_vector_get(y, k));
    }
    gsl_matrix_view xv = gsl_matrix_submatrix(xr, 0, 0, rest, x->size2);
    gsl_vector_view yv = gsl_vector_subvector(yr, 0, rest);

    ols = pm_ols_fit(own_memory(), &xv.matrix, &yv.vector);
    residual = gsl_vector_get(y, i) - pm_ols_at(ols, gsl_matrix_const_ptr(x, i, 0), NULL);
    return residual;
}

/* alone: adds a column that is 0 except in group 0. Without that group its direction is missing. */
static void compare_with_refits(size_t n, size_t p, size_t groups, bool alone, unsigned long seed)
{
    gsl_rng *rng = rng_of(seed);
    gsl_matrix *x = owned_matrix(gsl_matrix_alloc(n, p));
    gsl_vector *y = owned_vector(gsl_vector_alloc(n)),
               *residual = owned_vector(gsl_vector_alloc(n));
    size_t group[64];
    pm_ols *ols;

    for (size_t i = 0; i < n; i++) {
        group[i] = i % groups;
        gsl_vector_set(y, i, gsl_ran_gaussian(rng, 3));
        for (size_t j = 0; j < p; j++)
            gsl_matrix_set(x, i, j, gsl_ran_lognormal(rng, (double)j, 1));
        if (alone)
            gsl_matrix_set(x, i, 0, group[i] == 0 ? gsl_ran_gaussian(rng, 1) : 0);
    }
    ols = pm_ols_fit(own_memory(), x, y);
    pm_ols_leave_out(own_memory(), ols, x, y, group, groups, residual);
    for (size_t i = 0; i < n; i++) {
        double expected = refitted(x, y, group, i);

        assert_true(fabs(gsl_vector_get(residual, i) - expected) < 1e-6 * (1 + fabs(expected)));
    }
}

TEST(leaving_out_equals_refitting)
{
    for (unsigned long seed = 1; seed <= 20; seed++) {
        compare_with_refits(40, 5, 40, false, seed); /* a sample at a time */
        compare_with_refits(48, 7, 8, false, seed);  /* groups of six */
        /* a direction that only one group determines */
        compare_with_refits(48, 7, 8, true, seed);
        /* groups with more rows than there are directions */
        compare_with_refits(60, 3, 4, false, seed);
        compare_with_refits(60, 3, 4, true, seed);
    }
}
