/* How far predictions are off, by program. See program_errors.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report/program_errors.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_known(const pm_program_error *list, size_t count, const char *program)
{
    /* Samples of a program mostly stand together: look at the last one first. */
    while (count-- > 0)
        if (strcmp(list[count].program, program) == 0)
            return true;
    return false;
}

/* Of the program of the first-th sample. errors has room for one a sample. */
static pm_program_error error_of(const pm_validation *v, size_t first, double *errors)
{
    pm_program_error e = {.program = v->samples[first].sample->program, .lo = INFINITY};
    double log_sum = 0;

    for (size_t i = first; i < v->n; i++) {
        const pm_prediction *p = &v->samples[i];
        double ratio = p->predicted_s / p->measured_s;

        if (strcmp(p->sample->program, e.program) != 0 || !(ratio > 0) || !isfinite(ratio))
            continue;
        errors[e.n++] = fabs(ratio - 1);
        log_sum += log(ratio);
        e.lo = fmin(e.lo, ratio);
        e.hi = fmax(e.hi, ratio);
    }
    if (e.n == 0)
        return e;
    gsl_sort(errors, 1, e.n);
    e.ratio = exp(log_sum / (double)e.n);
    e.mean = gsl_stats_mean(errors, 1, e.n);
    e.median = gsl_stats_median_from_sorted_data(errors, 1, e.n);
    e.largest = errors[e.n - 1];
    return e;
}

pm_program_error *pm_program_errors(const pm_validation *v, size_t *count)
{
    pm_program_error *list = calloc(v->n + 1, sizeof *list);
    double *errors = malloc((v->n + 1) * sizeof *errors);

    *count = 0;
    for (size_t i = 0; list && errors && i < v->n; i++)
        if (!is_known(list, *count, v->samples[i].sample->program)) {
            list[*count] = error_of(v, i, errors);
            *count += list[*count].n > 0;
        }
    if (!errors) {
        free(list);
        list = NULL;
    }
    free(errors);
    return list;
}
