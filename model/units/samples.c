/* Computes how long each functional unit of a GPU works, for single measured or traced kernels
 * (samples) of one or several GPUs. See units.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "model/units/parts.h"

/* Indices of the model's counters in a dataset. at[k]: index of the counter pm_units_name(k) in the
 * samples' arrays of counters; the number of counters if the dataset lacks the counter. */
typedef struct {
    const pm_dataset *dataset;
    size_t at[PM_UNITS_NAMES];
} places;

static void find_places(places *p, const pm_dataset *dataset)
{
    const size_t count = pm_dataset_counters(dataset);

    p->dataset = dataset;
    for (size_t k = 0; k < PM_UNITS_NAMES; k++) {
        const char *name = pm_units_name(k);
        size_t i = name ? 0 : count;

        while (i < count && strcmp(pm_dataset_counter_name(dataset, i), name) != 0)
            i++;
        p->at[k] = i;
    }
}

/* Reads the model's counters of a dataset's row into c. Returns false if a required counter is
 * unknown and no other counter replaces it. */
static bool read_sample(const places *p, const pm_sample *sample, const pm_profile *profile,
                        double *c)
{
    const size_t count = pm_dataset_counters(p->dataset);
    double value[PM_UNITS_NAMES];

    for (size_t k = 0; k < PM_UNITS_NAMES; k++)
        value[k] = p->at[k] < count ? sample->counters[p->at[k]] : (double)NAN;
    return pm_units_read(value, profile, c);
}

pm_units *pm_units_of_samples(pm_memory *memory, const pm_units_sample *samples, size_t n,
                              bool *usable)
{
    pm_units *units = pm_units_alloc(memory, n);
    places where = {0};

    pm_units_set_priors(units, true, true, true);
    for (size_t row = 0; row < n; row++) {
        const pm_units_sample *s = &samples[row];
        double c[COUNTERS];

        if (s->dataset != where.dataset)
            find_places(&where, s->dataset);
        usable[row] = read_sample(&where, s->sample, s->profile, c);
        if (usable[row])
            pm_units_fill(units, row, c, s->profile, true);
        units->cuda[row] = s->sample->cuda;
    }
    return units;
}
