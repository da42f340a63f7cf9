/* Warns the user if the measured times in a Kernel Tuner file differ so much from the predictions
 * that they seem to belong to another size of the input data or to another GPU. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "answer/tune/parts.h"
#include "base/error.h"
#include "base/session/session.h"

/* Conditions on which measured times are taken as times of another problem size or GPU. LEAST or
 * more times are outside of the predicted 90 % intervals. The fraction that is outside on the same
 * side is MOST or more. The median differs from the predicted median by the factor FAR or more. A
 * single version (combination of tuning parameters) may be outside by chance. */
enum { LEAST = 3 };
#define MOST 0.8
#define FAR 2.0

/* Measured times compared with the predicted intervals. */
typedef struct {
    size_t count, below, above; /* numbers of times: all, shorter and longer than the interval */
    double ratio;               /* median of measured time / predicted time */
} times_apart;

static times_apart compare_times(pm_tuner *t)
{
    times_apart apart = {0};
    double *ratios = pm_take(&t->memory, t->count + 1, sizeof *ratios);

    for (size_t i = 0; i < t->count; i++) {
        const pm_tune_version *v = &t->versions[i];

        if (!(v->measured_s > 0) || !(v->predicted_s > 0) || v->was_run)
            continue;
        ratios[apart.count++] = v->measured_s / v->predicted_s;
        apart.below += v->measured_s < v->lo_s;
        apart.above += v->measured_s > v->hi_s;
    }
    if (apart.count > 0) {
        gsl_sort(ratios, 1, apart.count);
        apart.ratio = gsl_stats_median_from_sorted_data(ratios, 1, apart.count);
    }
    return apart;
}

/* Returns the words of the notice that tell the problem size, such as "(its problem_size is 4096)".
 * Returns "" if the Kernel Tuner file does not have it. */
static const char *problem_size(pm_tuner *t)
{
    json_t *size = json_object_get(json_array_get(t->files, 0), "problem_size");
    char *text = size ? json_dumps(size, JSON_ENCODE_ANY) : NULL;
    const char *told = text ? pm_format(&t->memory, " (its problem_size is %.80s)", text) : "";

    free(text);
    return told;
}

void pm_tune_tell_size(pm_tuner *t)
{
    const times_apart apart = compare_times(t);
    const bool shorter = apart.below > apart.above;
    const double outside = (double)(shorter ? apart.below : apart.above);
    const double factor = shorter ? 1 / apart.ratio : apart.ratio;

    if (!t->options->space || apart.count < LEAST || outside < MOST * (double)apart.count ||
        !(factor >= FAR))
        return;
    pm_notice(
        pm_session_log(t->session),
        "%s: its times are typically %.3g times as %s as predicted for size %s, and %.0f of "
        "%zu lie outside of the 90 %% intervals: they seem to be of another problem size%s or "
        "GPU; choose the size with --size",
        t->options->space, factor, shorter ? "short" : "long", t->size, outside, apart.count,
        problem_size(t));
}
