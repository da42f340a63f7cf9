/* Selects the samples to predict. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "answer/predict/parts.h"

#include <string.h>

#include "base/error.h"
#include "base/nearest.h"
#include "base/numbers.h"
#include "base/strings.h"

pm_wanted pm_wanted_of(const pm_predict_options *options)
{
    return (pm_wanted){options->programs, options->variants, options->sizes};
}

bool pm_is_wanted(const pm_wanted *wanted, const pm_sample *sample)
{
    return pm_listed(wanted->programs, sample->program) &&
           pm_listed(wanted->variants, sample->variant) && pm_listed(wanted->sizes, sample->size);
}

/* Returns one of the names in a row of a dataset, such as its variant. at: offset of the member in
 * pm_sample in bytes, such as offsetof(pm_sample, variant). */
static const char *name_of(const pm_sample *sample, size_t at)
{
    return *(const char *const *)((const char *)sample + at);
}

/* Returns true if one of the first n rows of `list` has the name `name`, and its program is in
 * `programs`. at: offset in pm_sample of the name that is compared, in bytes. */
static bool has_name(const pm_dataset *list, size_t n, const char *const *programs, size_t at,
                     const char *name)
{
    for (size_t i = 0; i < n; i++) {
        const pm_sample *s = pm_dataset_sample(list, i);

        if (pm_listed(programs, s->program) && strcmp(name_of(s, at), name) == 0)
            return true;
    }
    return false;
}

static pm_status check_names(const pm_dataset *list, const char *const *names,
                             const char *const *programs, const char *what, size_t at,
                             pm_error *err)
{
    const size_t rows = pm_dataset_rows(list);
    char shown[PM_SHOWN_CELL];
    pm_nearest nearest;

    while (names && *names && has_name(list, rows, programs, at, *names))
        names++;
    if (!names || !*names)
        return PM_OK;
    pm_nearest_open(&nearest, *names);
    for (size_t i = 0; i < rows; i++) {
        const pm_sample *s = pm_dataset_sample(list, i);

        if (pm_listed(programs, s->program) && !has_name(list, i, programs, at, name_of(s, at)))
            pm_nearest_add(&nearest, name_of(s, at));
    }
    return pm_fail(err, PM_BAD_INPUT, "%s: no %s '%s' in it; %s", pm_dataset_path(list), what,
                   pm_shown(*names, shown, sizeof shown), pm_nearest_text(&nearest, NULL));
}

pm_status pm_wanted_check(const pm_wanted *wanted, const pm_dataset *list, pm_error *err)
{
    pm_status status =
        check_names(list, wanted->programs, NULL, "program", offsetof(pm_sample, program), err);

    if (status == PM_OK)
        status = check_names(list, wanted->variants, wanted->programs, "variant",
                             offsetof(pm_sample, variant), err);
    if (status == PM_OK)
        status = check_names(list, wanted->sizes, wanted->programs, "size",
                             offsetof(pm_sample, size), err);
    for (size_t i = 0; status == PM_OK && i < pm_dataset_rows(list); i++)
        if (pm_is_wanted(wanted, pm_dataset_sample(list, i)))
            return PM_OK;
    return status == PM_OK && (wanted->variants || wanted->sizes)
               ? pm_fail(err, PM_BAD_INPUT,
                         "%s: no sample of these programs has these variants and sizes together; "
                         "leave one of them out",
                         pm_dataset_path(list))
               : status;
}
