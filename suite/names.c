/* Checking the names that a collection is asked for. See suite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "session/session.h"
#include "suite/suite.h"

typedef bool (*known_fn)(const pm_program_info *info, const char *name);

static bool is_program(const pm_program_info *info, const char *name)
{
    return strcmp(info->name, name) == 0;
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
    text[0] = '\0';
    for (size_t i = 0; i < pm_program_count(); i++) {
        const pm_program_info *info = pm_program_at(i);
        const char *const own[] = {info->name, NULL};
        const char *const *names = known == is_program               ? own
                                   : known == pm_program_has_variant ? info->variants
                                                                     : info->sizes;

        for (; pm_listed(programs, info->name) && *names; names++)
            if (!known_among(programs, i, known, *names))
                pm_list_add(text, size, "%s", *names);
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
                           known == pm_program_has_variant ? other_variants(programs) : "");
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
static pm_status check_together(const char *const *programs, const char *const *variants,
                                const char *const *sizes, pm_error *err)
{
    for (size_t i = 0; i < pm_program_count(); i++) {
        const pm_program_info *info = pm_program_at(i);

        if (pm_listed(programs, info->name) && any_variant(info, variants) && any_size(info, sizes))
            return PM_OK;
    }
    return pm_fail(err, PM_BAD_INPUT,
                   "nothing to collect: no program has these variants and sizes together; "
                   "perfmodel collect --list tells what each has");
}

pm_status pm_names_check(const char *const *programs, const char *const *variants,
                         const char *const *sizes, pm_error *err)
{
    pm_status status = check_names(programs, "program", is_program, NULL, err);

    if (status == PM_OK)
        status = check_names(variants, "variant", pm_program_has_variant, programs, err);
    if (status == PM_OK)
        status = check_names(sizes, "size", is_size, programs, err);
    return status == PM_OK ? check_together(programs, variants, sizes, err) : status;
}

static pm_status no_base(const char *program, pm_error *err)
{
    char list[512] = "";

    for (size_t i = 0; i < pm_program_count(); i++)
        if (pm_program_at(i)->base)
            pm_list_add(list, sizeof list, "%s", pm_program_at(i)->name);
    return pm_fail(err, PM_BAD_INPUT,
                   "%s measures the device, and there is nothing to advise; programs to advise on: "
                   "%s",
                   program, list);
}

static void release(void *program)
{
    pm_program_read_free(program);
}

/* The program that a workload file describes, read once. */
static const pm_program *open_file(pm_session *session, const char *path, pm_error *err)
{
    pm_program *program = pm_session_find(session, "workload file", path);

    if (program)
        return program;
    program = pm_program_read(path, pm_session_worker(session), err);
    if (!program || pm_session_keep(session, "workload file", path, program, release, err) != PM_OK)
        return NULL;
    return program;
}

const pm_program *pm_program_choose(pm_session *session, const char *program, const char *workload,
                                    const char *variant, const char *size, bool base, pm_error *err)
{
    const char *const programs[] = {program, NULL}, *const variants[] = {variant, NULL},
                      *const sizes[] = {size, NULL};
    const pm_program *found;

    if (workload) {
        found = open_file(session, workload, err);
        return found && pm_program_check(found, variant, size, err) == PM_OK ? found : NULL;
    }
    if (pm_names_check(programs, variant ? variants : NULL, size ? sizes : NULL, err) != PM_OK)
        return NULL;
    found = pm_suite_find(program);
    return !base || found->info.base || no_base(program, err) == PM_OK ? found : NULL;
}
