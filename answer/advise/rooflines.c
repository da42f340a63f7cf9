/* Computes the points of a program's versions in the roofline model (operations per byte, and
 * operations per second), from counters of the trace engine and predicted times. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "answer/advise/parts.h"
#include "model/samples/dataset.h"

/* Counters of one kernel of a version, as a row of the table that the trace engine has filled. */
typedef struct {
    const pm_dataset *rows;
    const pm_sample *sample;
} counted;

static double counter_of(const void *user, const char *name)
{
    const counted *c = user;

    return pm_dataset_counter(c->rows, c->sample, name);
}

static pm_roofline point_of(const pm_advising *a, const pm_roof_work *work, double measured_s,
                            double predicted_s)
{
    const bool measured = !isnan(measured_s);

    return pm_roofline_of(&a->units.roofs, work, measured ? measured_s : predicted_s, measured);
}

void pm_advise_roofline(const pm_advising *a, pm_choice *choice)
{
    pm_roof_work all = {0};
    size_t k = 0;

    for (size_t i = 0; i < pm_dataset_rows(a->rows); i++) {
        const counted row = {a->rows, pm_dataset_sample(a->rows, i)};
        pm_choice_kernel *kernel;
        pm_roof_work work;

        if (!pm_advise_is_of(a, i, choice->variant))
            continue;
        kernel = &choice->kernels[k++];
        work = pm_roof_work_of(&a->units, counter_of, &row);
        kernel->roofline = point_of(a, &work, kernel->measured_s, kernel->predicted_s);
        pm_roof_work_add(&all, &work);
    }
    choice->roofline = point_of(a, &all, choice->measured_s, choice->predicted_s);
}
