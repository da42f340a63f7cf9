/* Checking the names that a collection is asked for. See collect_names.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collect_names.h"

#include <stdio.h>
#include <string.h>

#include "error.h"
#include "workload.h"

typedef bool (*known_fn)(const pm_program_info *info, const char *name);

bool pm_listed(const char *const *list, const char *name)
{
    if (!list)
        return true;
    for (; *list; list++)
        if (strcmp(*list, name) == 0)
            return true;
    return false;
}

static bool is_program(const pm_program_info *info, const char *name)
{
    return strcmp(info->name, name) == 0;
}

static bool is_variant(const pm_program_info *info, const char *name)
{
    return pm_program_has_variant(info, name);
}

static bool is_size(const pm_program_info *info, const char *name)
{
    return pm_listed(info->sizes, name);
}

/* Whether one of the first n programs knows the name, among those in `programs`. */
static bool known_among(const char *const *programs, size_t n, known_fn known, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (pm_listed(programs, pm_program_at(i)->name) && known(pm_program_at(i), name))
            return true;
    return false;
}

/* The right names of a kind, each once, of the programs in `programs`. */
static void list_names(const char *const *programs, known_fn known, char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < pm_program_count(); i++) {
        const pm_program_info *info = pm_program_at(i);
        const char *const own[] = {info->name, NULL};
        const char *const *names = known == is_program   ? own
                                   : known == is_variant ? info->variants
                                                         : info->sizes;

        for (; pm_listed(programs, info->name) && *names && used < size; names++)
            if (!known_among(programs, i, known, *names))
                used +=
                    (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", *names);
    }
}

/* What a variant may be beside those listed, of the programs in `programs`. */
static const char *other_variants(const char *const *programs)
{
    bool layouts = false, staged = false;

    for (size_t i = 0; i < pm_program_count(); i++) {
        const pm_program_info *info = pm_program_at(i);

        layouts = layouts || (pm_listed(programs, info->name) && info->layouts);
        staged = staged || (pm_listed(programs, info->name) && info->base);
    }
    return layouts  ? "; or a layout, and shared:ARRAY+ARRAY/TILE"
           : staged ? "; or shared, shared:ARRAY+ARRAY/TILE"
                    : "";
}

static pm_status check_names(const char *const *names, const char *what, known_fn known,
                             const char *const *programs, pm_error *err)
{
    char right[700];

    for (; names && *names; names++)
        if (!known_among(programs, pm_program_count(), known, *names)) {
            list_names(programs, known, right, sizeof right);
            return pm_fail(err, PM_BAD_INPUT, "no %s '%s'; there is: %s%s", what, *names, right,
                           known == is_variant ? other_variants(programs) : "");
        }
    return PM_OK;
}

static bool any_size(const pm_program_info *info, const char *const *sizes)
{
    for (const char *const *size = info->sizes; *size; size++)
        if (pm_listed(sizes, *size))
            return true;
    return false;
}

static bool any_variant(const pm_program_info *info, const char *const *variants)
{
    if (!variants)
        return true;
    for (; *variants; variants++)
        if (pm_program_has_variant(info, *variants))
            return true;
    return false;
}

/* Each name may be right and no program have them together. */
static pm_status check_together(const pm_collect_options *options, pm_error *err)
{
    for (size_t i = 0; i < pm_program_count(); i++) {
        const pm_program_info *info = pm_program_at(i);

        if (pm_listed(options->programs, info->name) && any_variant(info, options->variants) &&
            any_size(info, options->sizes))
            return PM_OK;
    }
    return pm_fail(err, PM_BAD_INPUT,
                   "nothing to collect: no program has these variants and sizes together; "
                   "perfmodel collect --list tells what each has");
}

static pm_status check_counters(const char *mode, pm_error *err)
{
    static const char *const modes[] = {"auto", "cupti", "trace", "none", NULL};

    if (!mode || pm_listed(modes, mode))
        return PM_OK;
    return pm_fail(err, PM_BAD_INPUT, "--counters %s: choose one of auto, cupti, trace, none",
                   mode);
}

pm_status pm_sampling_check(double sample, double step_limit, pm_error *err)
{
    if (!(sample >= 0 && sample <= 1))
        return pm_fail(err, PM_BAD_INPUT,
                       "--sample %g: a share of the work-groups above 0, at most 1, or all",
                       sample);
    if (!(step_limit >= 0))
        return pm_fail(err, PM_BAD_INPUT, "--step-limit %g: a number above 0", step_limit);
    return PM_OK;
}

pm_status pm_collect_check(const pm_collect_options *options, pm_error *err)
{
    pm_status status = check_names(options->programs, "program", is_program, NULL, err);

    if (status == PM_OK)
        status = check_names(options->variants, "variant", is_variant, options->programs, err);
    if (status == PM_OK)
        status = check_names(options->sizes, "size", is_size, options->programs, err);
    if (status == PM_OK)
        status = check_together(options, err);
    if (status == PM_OK)
        status = check_counters(options->counters, err);
    return status == PM_OK ? pm_sampling_check(options->sample, options->step_limit, err) : status;
}
