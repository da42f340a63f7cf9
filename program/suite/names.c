/* Checks that the programs, variants and sizes that a user named in a command exist, and opens
 * workload files. See suite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "base/error.h"
#include "base/nearest.h"
#include "base/numbers.h"
#include "base/session/session.h"
#include "base/text.h"
#include "program/suite/suite.h"

typedef bool (*known_fn)(const pm_program_info *info, const char *name);

static bool is_program(const pm_program_info *info, const char *name)
{
    return strcmp(info->name, name) == 0;
}

static bool is_size(const pm_program_info *info, const char *name)
{
    return pm_listed(info->sizes, name);
}

/* Returns whether a name of a variant or size is valid for one of the first n programs of `all`.
 * known(info, name) tells it for one program. programs: names of the programs to consider; NULL:
 * all. */
static bool known_among(const pm_programs *all, const char *const *programs, size_t n,
                        known_fn known, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (pm_listed(programs, all->items[i]->info.name) && known(&all->items[i]->info, name))
            return true;
    return false;
}

/* Adds the valid names of programs, variants or sizes to the names from which `nearest` suggests,
 * each name once. `known` says which kind of names. programs: names of the programs to consider;
 * NULL: all. */
static void add_names(const pm_programs *all, const char *const *programs, known_fn known,
                      pm_nearest *nearest)
{
    for (size_t i = 0; i < all->count; i++) {
        const pm_program_info *info = &all->items[i]->info;
        const char *const own[] = {info->name, NULL};
        const char *const *names = known == is_program               ? own
                                   : known == pm_program_has_variant ? info->variants
                                                                     : info->sizes;

        for (; pm_listed(programs, info->name) && *names; names++)
            if (!known_among(all, programs, i, known, *names))
                pm_nearest_add(nearest, *names);
    }
}

/* Returns the end of an error message about an unknown variant. It describes the names that are
 * valid although no list has them, such as layouts. */
static const char *other_variants(const pm_programs *all, const char *const *programs)
{
    bool layouts = false, staged = false;

    for (size_t i = 0; i < all->count; i++) {
        const pm_program_info *info = &all->items[i]->info;

        layouts = layouts || (pm_listed(programs, info->name) && info->layouts);
        staged = staged || (pm_listed(programs, info->name) && info->base);
    }
    return layouts  ? "; or a layout, and shared:ARRAY+ARRAY/TILE"
           : staged ? "; or restrict, shared, shared:ARRAY+ARRAY/TILE"
                    : "";
}

static pm_status check_names(const pm_programs *all, const char *const *names, const char *what,
                             known_fn known, const char *const *programs, pm_error *err)
{
    char shown[PM_SHOWN_CELL];
    pm_nearest nearest;

    for (; names && *names; names++)
        if (!known_among(all, programs, all->count, known, *names)) {
            pm_nearest_open(&nearest, *names);
            add_names(all, programs, known, &nearest);
            return pm_fail(err, PM_BAD_INPUT, "no %s '%s'; %s%s", what,
                           pm_shown(*names, shown, sizeof shown),
                           pm_nearest_text(&nearest, "perfmodel collect --list"),
                           known == pm_program_has_variant ? other_variants(all, programs) : "");
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

/* Returns PM_BAD_INPUT if each name is valid, but no program has one of the given variants together
 * with one of the given sizes. */
static pm_status check_together(const pm_programs *all, const char *const *programs,
                                const char *const *variants, const char *const *sizes,
                                pm_error *err)
{
    for (size_t i = 0; i < all->count; i++) {
        const pm_program_info *info = &all->items[i]->info;

        if (pm_listed(programs, info->name) && any_variant(info, variants) && any_size(info, sizes))
            return PM_OK;
    }
    return pm_fail(err, PM_BAD_INPUT,
                   "nothing to collect: no program has these variants and sizes together; "
                   "perfmodel collect --list tells what each has");
}

pm_status pm_names_check(const pm_programs *all, const char *const *programs,
                         const char *const *variants, const char *const *sizes, pm_error *err)
{
    pm_status status = check_names(all, programs, "program", is_program, NULL, err);

    if (status == PM_OK)
        status = check_names(all, variants, "variant", pm_program_has_variant, programs, err);
    if (status == PM_OK)
        status = check_names(all, sizes, "size", is_size, programs, err);
    return status == PM_OK ? check_together(all, programs, variants, sizes, err) : status;
}

static void release(void *program)
{
    pm_program_read_free(program);
}

static const pm_program *open_program(pm_session *session, const char *path, const char *key,
                                      pm_error *err)
{
    pm_program *program = pm_session_find(session, "workload file", key);

    if (program)
        return program;
    program = pm_bare_is(path) ? pm_bare_read(session, path, err)
                               : pm_program_read(path, pm_session_worker(session), err);
    if (!program || pm_session_keep(session, "workload file", key, program, release, err) != PM_OK)
        return NULL;
    return program;
}

const pm_program *pm_program_open(pm_session *session, const char *path, pm_error *err)
{
    const pm_program *program = NULL;
    pm_text key = {0};

    if (!pm_bare_is(path))
        return open_program(session, path, path, err);
    pm_text_add(&key, "%s\n%s", path, pm_bare_key(session));
    if (key.failed)
        pm_fail(err, PM_FAILED, "%s: out of memory", path);
    else
        program = open_program(session, path, pm_text_get(&key), err);
    pm_text_free(&key);
    return program;
}

/* ---- names of a program -------------------------------------------------------------------- */

pm_status pm_program_check(const pm_program *program, const char *variant, const char *size,
                           pm_error *err)
{
    const pm_program_info *info = &program->info;
    bool known = !size;
    pm_nearest nearest;

    if (variant && !pm_program_has_variant(info, variant)) {
        pm_nearest_open(&nearest, variant);
        pm_nearest_add_all(&nearest, info->variants);
        return pm_fail(err, PM_BAD_INPUT, "%s has no variant \"%.60s\"; %s%s, shared:...",
                       info->name, variant, pm_nearest_text(&nearest, NULL),
                       info->layouts ? ", layouts (soa, ...)" : "");
    }
    for (const char *const *s = info->sizes; size && *s; s++)
        known |= strcmp(*s, size) == 0;
    if (known)
        return PM_OK;
    pm_nearest_open(&nearest, size);
    pm_nearest_add_all(&nearest, info->sizes);
    return pm_fail(err, PM_BAD_INPUT, "%s has no size \"%.60s\"; %s", info->name, size,
                   pm_nearest_text(&nearest, NULL));
}
