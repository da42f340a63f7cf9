/* Fits how many bytes the addresses of a memory instruction increase from one work-group to the
 * next in each dimension (stride).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fit is robust (iteratively reweighted least squares with Cauchy's weights), because
 * work-groups at an edge of the grid may have clamped addresses or take other branches.
 */
#include "collector/engine/group_strides.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_multifit.h>
#include <math.h>

#include "base/gsl.h"

enum { ROUNDS = 4, DIMENSIONS = 3 };
/* Number of bytes, the size of a memory sector, by which an address may deviate from the fit. The
 * same number is the scale of the fit's robust weights. */
static const double NEAR_BYTES = 32;
/* If a singular value of the regression is smaller than this fraction of the largest one, the
 * recorded work-groups do not determine the stride in every dimension. */
static const double DISTINCT = 1e-9;

/* Removes every second cell (work-groups of one wave on one compute unit) from the recorded
 * addresses. */
static void thin_out(pm_site_starts *to)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < to->count; i++)
        if (i / PM_SHIFT_EACH % 2 == 0) {
            to->group[kept] = to->group[i];
            to->address[kept++] = to->address[i];
        }
    to->count = kept;
    to->every *= 2;
}

void pm_shift_join(pm_site_starts *to, const pm_site_starts *from)
{
    const unsigned each = from->count < PM_SHIFT_EACH ? from->count : PM_SHIFT_EACH;

    if (to->every == 0)
        to->every = 1;
    if (to->cells++ % to->every != 0)
        return;
    if (to->count + each > PM_SHIFT_GROUPS)
        thin_out(to);
    for (unsigned i = 0; i < each; i++) {
        /* Selects PM_SHIFT_EACH of the recorded work-groups of `from`, evenly spaced from the first
         * to the last. */
        const unsigned k = i * (from->count - 1) / (PM_SHIFT_EACH - 1);

        pm_shift_see(to, from->group[k], from->address[k]);
    }
}

typedef struct {
    const pm_site_starts *starts;
    const uint64_t *groups;
    pm_memory memory;
    size_t unknowns;
    /* The fit has one unknown for the constant term (number 0) and one per dimension of the grid
     * with more than one work-group. dimension[k - 1]: dimension to whose stride unknown k belongs.
     */
    unsigned dimension[DIMENSIONS];
    gsl_matrix *at;
    gsl_vector *address, *weight, *found, *off;
    pm_site_shift shift;
} fitting;

/* Sets up the regression of addresses on work-groups' positions in the grid. Addresses and
 * positions are relative to those of the first recorded work-group, so that the numbers are
 * small. */
static void set_up(fitting *f)
{
    const size_t n = f->starts->count;
    double first[DIMENSIONS];

    f->unknowns = 1;
    for (unsigned d = 0; d < DIMENSIONS; d++)
        if (f->groups[d] > 1)
            f->dimension[f->unknowns++ - 1] = d;
    f->at = pm_take_matrix(&f->memory, n, f->unknowns);
    f->address = pm_take_vector(&f->memory, n);
    f->weight = pm_take_vector(&f->memory, n);
    f->off = pm_take_vector(&f->memory, n);
    f->found = pm_take_vector(&f->memory, f->unknowns);
    pm_wave_place(f->groups, f->starts->group[0], first);
    for (unsigned i = 0; i < n; i++) {
        double here[DIMENSIONS];

        pm_wave_place(f->groups, f->starts->group[i], here);
        gsl_matrix_set(f->at, i, 0, 1);
        for (size_t k = 1; k < f->unknowns; k++)
            gsl_matrix_set(f->at, i, k, here[f->dimension[k - 1]] - first[f->dimension[k - 1]]);
        gsl_vector_set(f->address, i,
                       (double)(int64_t)(f->starts->address[i] - f->starts->address[0]));
        gsl_vector_set(f->weight, i, 1);
    }
}

/* Returns the number of work-groups whose address deviates from the fit by less than NEAR_BYTES. */
static unsigned near(const fitting *f)
{
    unsigned count = 0;

    for (size_t i = 0; i < f->off->size; i++)
        count += fabs(gsl_vector_get(f->off, i)) < NEAR_BYTES;
    return count;
}

static void fit(void *user)
{
    fitting *f = user;
    const size_t n = f->starts->count;
    gsl_multifit_linear_workspace *work;
    gsl_matrix *covariance;
    size_t rank = 0;
    bool solved = true;

    set_up(f);
    if (n < f->unknowns)
        return;
    covariance = pm_take_matrix(&f->memory, f->unknowns, f->unknowns);
    work = gsl_multifit_linear_alloc(n, f->unknowns);
    for (unsigned round = 0; work && solved && round < ROUNDS; round++) {
        double square;

        solved = gsl_multifit_wlinear_tsvd(f->at, f->weight, f->address, DISTINCT, f->found,
                                           covariance, &square, &rank, work) == GSL_SUCCESS;
        gsl_vector_memcpy(f->off, f->address);
        gsl_blas_dgemv(CblasNoTrans, -1, f->at, f->found, 1, f->off);
        if (near(f) == n)
            break;
        for (size_t i = 0; i < n; i++) {
            const double off = gsl_vector_get(f->off, i) / NEAR_BYTES;

            gsl_vector_set(f->weight, i, 1 / (1 + off * off));
        }
    }
    f->shift.known = work && solved && rank == f->unknowns && 4 * near(f) >= 3 * n;
    gsl_multifit_linear_free(work);
    for (size_t k = 1; k < f->unknowns; k++)
        f->shift.by[f->dimension[k - 1]] = gsl_vector_get(f->found, k);
}

pm_status pm_shift_find(const pm_site_starts *starts, const uint64_t groups[3],
                        pm_site_shift *shift, pm_error *err)
{
    fitting f = {.starts = starts, .groups = groups};
    pm_status status = PM_OK;

    if (starts->count > 0) {
        pm_gsl_begin();
        status = pm_attempt(&f.memory, fit, &f, err);
        pm_gsl_end();
    }
    *shift = f.shift;
    pm_memory_free(&f.memory);
    return status;
}
