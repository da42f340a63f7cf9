/* Adds the rows of further datasets (option --with) to the rows to which a model is fitted. See
 * parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "answer/predict/parts.h"
#include "base/error.h"
#include "base/text.h"
#include "model/samples/dataset.h"

static bool is_of_device(const pm_sample *s, const pm_dataset *dataset)
{
    return strcmp(s->device, pm_dataset_sample(dataset, 0)->device) == 0;
}

/* Returns true if a row of a dataset given by --with can be used for its time: it has a time, and
 * it was measured on the target's device. */
static bool has_time(const pm_sample *s, const pm_dataset *target)
{
    return is_of_device(s, target) && s->time_s > 0 && isfinite(s->time_s);
}

/* Returns true if the counters of a row of a dataset given by --with can be used. The row must have
 * been measured on the device of the source dataset, and its counters must come from the same tool
 * as those of the source dataset. The reason is that a counter which only one of two tools provides
 * could not be used for any row. */
static bool has_counters(const pm_sample *s, const pm_dataset *source)
{
    return is_of_device(s, source) &&
           strcmp(s->counter_source, pm_dataset_sample(source, 0)->counter_source) == 0;
}

static bool has_both(const pm_sample *s, const pm_dataset *target)
{
    return has_time(s, target) && has_counters(s, target);
}

/* Adds to the dataset `to` the rows of the dataset `with` for which wanted(row, like) is true. Adds
 * the number of these rows to *added. */
static pm_status add_rows(pm_dataset *to, const pm_dataset *with, const pm_dataset *like,
                          bool (*wanted)(const pm_sample *s, const pm_dataset *like), size_t *added,
                          pm_error *err)
{
    pm_dataset *some = pm_dataset_memory_like(with, err);
    pm_status status = some ? PM_OK : err->status;

    for (size_t i = 0; status == PM_OK && i < pm_dataset_rows(with); i++) {
        pm_sample s = *pm_dataset_sample(with, i);

        if (!wanted(&s, like))
            continue;
        ++*added;
        if (isnan(pm_dataset_sample(like, 0)->time_s))
            /* If the dataset has no times, the added rows must not have times either. */
            s.time_s = s.time_mad_s = (double)NAN;
        if (!pm_dataset_find(to, &s)) /* a row that the dataset has already is not replaced */
            status = pm_dataset_append(some, &s, err);
    }
    if (status == PM_OK)
        status = pm_dataset_append_all(to, some, err);
    pm_dataset_free(some);
    return status;
}

/* Returns a copy of a dataset. The session owns the copy, because the predictions that are returned
 * to the user point into it. The key of the copy in the session is made of the addresses of
 * `dataset` and of the datasets `with`. The caller adds the rows of `with` to the copy. NULL with
 * err on failure. */
static pm_dataset *copy(pm_session *session, const pm_dataset *dataset,
                        const pm_dataset *const *with, pm_error *err)
{
    pm_dataset *made = pm_dataset_memory_like(dataset, err);
    const pm_dataset *kept;
    pm_text key = {0};

    if (!made)
        return NULL;
    pm_text_add(&key, "%p", (const void *)dataset);
    for (; *with; with++)
        pm_text_add(&key, " with %p", (const void *)*with);
    kept = pm_dataset_keep(session, pm_text_get(&key), made, err);
    pm_text_free(&key);
    return kept && pm_dataset_append_all(made, dataset, err) == PM_OK ? made : NULL;
}

pm_status pm_with_rows(pm_session *session, const pm_model_options *options,
                       const pm_dataset **target, const pm_dataset **source, pm_error *err)
{
    const pm_dataset *const *with = options->with;
    pm_dataset *times, *counters = NULL;

    if (!with || !*with)
        return PM_OK;
    times = copy(session, *target, with, err);
    if (times && *source)
        counters = copy(session, *source, with, err);
    if (!times || (*source && !counters))
        return err->status;
    for (; *with; with++) {
        size_t added = 0;

        if (add_rows(times, *with, *target, *source ? has_time : has_both, &added, err) != PM_OK ||
            (*source && add_rows(counters, *with, *source, has_counters, &added, err) != PM_OK))
            return err->status;
        if (added == 0)
            return pm_fail(err, PM_BAD_INPUT,
                           "%s: has no row like those of %s: of the same device, with times and "
                           "with counters of the same source",
                           pm_dataset_path(*with), pm_dataset_path(*target));
    }
    *target = times;
    *source = counters;
    return PM_OK;
}
