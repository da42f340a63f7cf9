/* Tests the robust fit of the units model: the farther a row is from the model, the less weight it
 * gets. Without the option `robust`, the fit is ordinary least squares.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "units_fixture.h"

/* Distance of each parameter from the minimum of the (robust) sum of squares along that parameter,
 * in prior standard deviations. */
static double left_to_go(const pm_units *units, const pm_units_rows *rows, const double *at,
                         bool robust)
{
    double sum[PM_UNITS_PARAMETERS], bend[PM_UNITS_PARAMETERS], slope[PM_UNITS_PARAMETERS];
    double most = 0;

    for (size_t k = 0; k < units->parameters; k++) {
        bend[k] = 1 / (units->spread[k] * units->spread[k]);
        sum[k] = (at[k] - units->prior[k]) * bend[k];
    }
    for (size_t i = 0; i < rows->n; i++) {
        const size_t g = rows->group[i];
        const double found = pm_units_log_time(units, at, rows->row[i], slope);
        const double off = (found - rows->log_time[i]) / PM_UNITS_PROGRAM_SPREAD;
        const double share = 1 / (double)(rows->start[g + 1] - rows->start[g]);
        const double counts = share / (robust ? 1 + off * off : 1);

        for (size_t k = 0; k < units->parameters; k++) {
            sum[k] += counts * off * slope[k] / PM_UNITS_PROGRAM_SPREAD;
            bend[k] += counts * pow(slope[k] / PM_UNITS_PROGRAM_SPREAD, 2);
        }
    }
    for (size_t k = 0; k < units->parameters; k++)
        most = fmax(most, fabs(sum[k]) / bend[k] / units->spread[k]);
    return most;
}

/* Returns the distance of two sets of parameters, in prior standard deviations. */
static double distance(const pm_units *units, const double *a, const double *b)
{
    double sum = 0;

    for (size_t k = 0; k < units->parameters; k++)
        sum += pow((a[k] - b[k]) / units->spread[k], 2);
    return sqrt(sum);
}

/* Fits all rows, starting at the priors, and checks that the fit ends at a minimum. */
static void fit_to_the_end(const pm_units *units, const pm_units_rows *rows, double *found)
{
    memcpy(found, units->prior, PM_UNITS_PARAMETERS * sizeof *found);
    assert_int_equal(pm_units_fit(units, rows, rows->groups, found, told()), PM_OK);
    assert_true(left_to_go(units, rows, found, rows->robust) < (rows->robust ? 0.05 : 1e-3));
}

/* Makes times from given parameters with 5 % noise. The times of one program are then multiplied by
 * twenty. */
TEST(a_program_far_off)
{
    double moved[2], truth[PM_UNITS_PARAMETERS];
    generated g;
    pm_training t;
    pm_units_rows rows;
    gsl_rng *rng = rng_of(3);
    const pm_units *units = draw(&g, &t, &rows);

    for (size_t k = 0; k < units->parameters; k++)
        truth[k] = units->prior[k] + (k % 2 ? 0.7 : -0.7) * units->spread[k];
    for (size_t i = 0; i < t.n; i++)
        t.z[i] = pm_units_log_time(units, truth, t.row[i], NULL) + gsl_ran_gaussian(rng, 0.05);
    for (int robust = 0; robust < 2; robust++) {
        double near[PM_UNITS_PARAMETERS], far[PM_UNITS_PARAMETERS];

        rows.robust = robust;
        fit_to_the_end(units, &rows, near);
        for (size_t i = t.start[5]; i < t.start[6]; i++)
            t.z[i] += log(20);
        fit_to_the_end(units, &rows, far);
        assert_true(left_to_go(units, &rows, far, !robust) > 0.5);
        for (size_t i = t.start[5]; i < t.start[6]; i++)
            t.z[i] -= log(20);
        moved[robust] = distance(units, near, far);
    }
    assert_true(moved[0] > 1);
    assert_true(moved[1] < moved[0] / 10);
}

/* Fits in folds start at the result of the fit to all rows and give the same result as separate
 * fits. */
TEST(a_program_far_off_in_folds)
{
    enum { FOLDS = 4, FAR = 5 };
    double sets[FOLDS][PM_UNITS_PARAMETERS], one[PM_UNITS_PARAMETERS];
    size_t fold[PROGRAMS];
    generated g;
    pm_training t;
    pm_units_rows rows;
    const pm_units *units = draw(&g, &t, &rows);

    fold_up(&rows, fold, FOLDS, FOLDS);
    rows.robust = true;
    for (size_t i = 0; i < t.n; i++)
        t.z[i] = pm_units_log_time(units, units->prior, t.row[i], NULL) +
                 (t.group[i] == FAR ? log(20) : 0);
    assert_int_equal(pm_units_fit_folds(units, &rows, units->prior, *sets, told()), PM_OK);
    for (size_t f = 0; f < FOLDS; f++)
        assert_true(distance(units, sets[f], units->prior) < 0.1);
    rows.robust = false;
    memcpy(one, units->prior, sizeof one);
    assert_int_equal(pm_units_fit(units, &rows, FAR % FOLDS, one, told()), PM_OK);
    assert_true(distance(units, one, units->prior) < 1e-6);
    assert_int_equal(pm_units_fit(units, &rows, FOLDS, one, told()), PM_OK);
    assert_true(distance(units, one, units->prior) > 1);
}
