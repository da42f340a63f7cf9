/* Tests that errors of GSL become errors with one line of text, and that the error handler which
 * the caller has set in GSL stays in place.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <pthread.h>

#include "base/gsl.h"
#include "model/methods/gram.h"
#include "model/methods/ols.h"
#include "unit.h"

static unsigned called;

static void count_calls(const char *reason, const char *file, int line, int code)
{
    (void)reason;
    (void)file;
    (void)line;
    (void)code;
    called++;
}

/* A matrix without a Cholesky decomposition. */
static int fail_in_gsl(void)
{
    double values[] = {1, 2, 2, 1};
    gsl_matrix_view view = gsl_matrix_view_array(values, 2, 2);

    return gsl_linalg_cholesky_decomp1(&view.matrix);
}

/* Work that fails in GSL and therefore ends the attempt. */
static void factor_ones(void *memory)
{
    static const size_t start[] = {0, 2};
    gsl_matrix *k = pm_take_matrix(memory, 2, 2);

    gsl_matrix_set_all(k, 1);
    pm_gram_factor(memory, k, start, 1);
}

static void fit_not_a_number(void *memory)
{
    gsl_matrix *x = pm_take_matrix(memory, 3, 1);
    gsl_vector *y = pm_take_vector(memory, 3);

    gsl_vector_set(y, 1, (double)NAN);
    pm_ols_fit(memory, x, y);
}

TEST(test_singular_covariances)
{
    pm_memory memory = {0};

    assert_int_equal(pm_attempt(&memory, factor_ones, &memory, told()), PM_FAILED);
    assert_non_null(strstr(last_error.text, "2 rows"));
    pm_memory_free(&memory);
}

TEST(test_not_a_number)
{
    pm_memory memory = {0};

    assert_int_equal(pm_attempt(&memory, fit_not_a_number, &memory, told()), PM_FAILED);
    pm_memory_free(&memory);
}

static void *fail_elsewhere(void *user)
{
    *(int *)user = fail_in_gsl();
    return NULL;
}

TEST(test_callers_handler)
{
    pthread_t other;
    int code = GSL_SUCCESS;

    gsl_set_error_handler(count_calls);
    called = 0;
    pm_gsl_begin();
    pm_gsl_begin();
    assert_int_equal(fail_in_gsl(), GSL_EDOM);
    pm_gsl_end();
    assert_int_equal(fail_in_gsl(), GSL_EDOM);
    assert_int_equal(called, 0);
    /* The caller's own thread works at the same time. */
    assert_int_equal(pthread_create(&other, NULL, fail_elsewhere, &code), 0);
    pthread_join(other, NULL);
    assert_int_equal(code, GSL_EDOM);
    assert_int_equal(called, 1);
    pm_gsl_end();
    fail_in_gsl();
    assert_int_equal(called, 2);
    assert_ptr_equal(gsl_set_error_handler(NULL), count_calls);
}
