/* Adds training rows of further datasets. See parts.h.
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

/* Returns whether a row of --with is used for its time: it is of the target's device and has a
 * time. */
static bool has_time(const pm_sample *s, const pm_dataset *target)
{
    return is_of_device(s, target) && s->time_s > 0 && isfinite(s->time_s);
}

/* Returns whether a row of --with is used for its counters. It must be of the source dataset's
 * device, and its counters must have the same origin as the source dataset's. Otherwise counters
 * unknown in some rows would be excluded for all rows. */
static bool has_counters(const pm_sample *s, const pm_dataset *source)
{
    return is_of_device(s, source) &&
           strcmp(s->counter_source, pm_dataset_sample(source, 0)->counter_source) == 0;
}

static bool has_both(const pm_sample *s, const pm_dataset *target)
{
    return has_time(s, target) && has_counters(s, target);
}

/* Adds the rows of `with` that wanted() accepts to the dataset `to`. Adds the number of these rows
 * to *added. */
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
            /* a dataset has times for all rows or for none */
            s.time_s = s.time_mad_s = (double)NAN;
        if (!pm_dataset_find(to, &s)) /* rows of the dataset itself take precedence */
            status = pm_dataset_append(some, &s, err);
    }
    if (status == PM_OK)
        status = pm_dataset_append_all(to, some, err);
    pm_dataset_free(some);
    return status;
}

/* Copies a dataset. The session owns the copy, so that predictions may point into it. NULL with err
 * on failure. */
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
