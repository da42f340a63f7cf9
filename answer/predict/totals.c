/* Adds up the predicted times of a program's kernels to a time of the whole program. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/predict/parts.h"
#include "base/error.h"
#include "base/strings.h"
#include "model/transfer/transfer.h"

typedef struct {
    pm_predictions *of;
    pm_hash_index places; /* indices into `totals` */
} summing;

typedef struct {
    const pm_predictions *of;
    const pm_sample *sample;
} total_key;

static bool is_of(const void *key, size_t place)
{
    const total_key *wanted = key;
    const pm_predicted_total *total = &wanted->of->totals[place];
    const pm_sample *s = wanted->sample;

    return strcmp(total->program, s->program) == 0 && strcmp(total->variant, s->variant) == 0 &&
           strcmp(total->size, s->size) == 0;
}

static uint64_t hash_of(const pm_sample *s)
{
    return pm_hash_text(s->program) + 3 * pm_hash_text(s->variant) + 7 * pm_hash_text(s->size);
}

static pm_predicted_total *find(const summing *sum, const pm_sample *s)
{
    size_t place =
        pm_hash_index_find(&sum->places, hash_of(s), is_of, &(const total_key){sum->of, s});

    return place == PM_NO_ENTRY ? NULL : &sum->of->totals[place];
}

/* Adds an entry to the array `totals` for the program, variant and size of a sample. The array
 * already has memory for it. Returns NULL if the hash index is out of memory. */
static pm_predicted_total *add(summing *sum, const pm_sample *s)
{
    pm_predicted_total *totals = sum->of->totals, *total;

    if (!totals || !pm_hash_index_add(&sum->places, hash_of(s), sum->of->total_count))
        return NULL;
    total = &totals[sum->of->total_count++];
    *total = (pm_predicted_total){.program = s->program, .variant = s->variant, .size = s->size};
    return total;
}

static bool add_kernel(summing *sum, const pm_prediction *p)
{
    pm_predicted_total *total = find(sum, p->sample);

    if (!total)
        total = add(sum, p->sample);
    if (!total)
        return false;
    total->kernels++;
    total->measured_s += p->measured_s;
    total->predicted_s += p->predicted_s;
    total->lo_s += p->lo_s;
    total->hi_s += p->hi_s;
    for (size_t k = 0; k < p->why.n; k++)
        pm_explanation_add(&total->why, p->why.terms[k].unit, p->why.terms[k].alone_s,
                           p->why.terms[k].added_s);
    return true;
}

pm_status pm_predictions_sum(pm_predictions *predictions, const pm_sample *const *missing,
                             size_t missing_count, pm_error *err)
{
    summing sum = {.of = predictions};
    bool whole = true;

    predictions->totals = calloc(predictions->n + 1, sizeof *predictions->totals);
    if (!predictions->totals)
        return pm_fail(err, PM_FAILED, "out of memory for %zu predictions", predictions->n);
    for (size_t i = 0; whole && i < predictions->n; i++)
        whole = add_kernel(&sum, &predictions->predictions[i]);
    for (size_t i = 0; whole && i < missing_count; i++) {
        pm_predicted_total *total = find(&sum, missing[i]);

        if (total) {
            total->kernels++;
            total->predicted_s = total->lo_s = total->hi_s = (double)NAN;
            total->why = (pm_explanation){0};
        }
    }
    for (size_t i = 0; whole && i < predictions->total_count; i++)
        pm_explanation_sort(&predictions->totals[i].why);
    pm_hash_index_clear(&sum.places);
    return whole ? PM_OK
                 : pm_fail(err, PM_FAILED, "out of memory for %zu predictions", predictions->n);
}
