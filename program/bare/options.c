/* Stores and checks a session's options about launches (such as --grid) for sources without a
 * workload file. See perfmodel/launch.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/session/session.h"
#include "base/text.h"
#include "base/version.h"
#include "program/bare/bare.h"

static const char KIND[] = "launch options";

typedef struct {
    pm_memory memory; /* owns the options' texts */
    pm_launch_options options;
    const char *key;
} said;

static void release(void *object)
{
    said *s = object;

    pm_memory_free(&s->memory);
    free(s);
}

const pm_launch_options *pm_bare_options(const pm_session *session)
{
    static const pm_launch_options none;
    const said *s = pm_session_find(session, KIND, "");

    return s ? &s->options : &none;
}

const char *pm_bare_key(const pm_session *session)
{
    const said *s = pm_session_find(session, KIND, "");

    return s && s->key ? s->key : "";
}

const char *pm_bare_said(const char *const *list, const char *name, size_t *index)
{
    const size_t length = strlen(name);

    for (size_t i = 0; list && list[i]; i++)
        if (strncmp(list[i], name, length) == 0 && list[i][length] == '=') {
            if (index)
                *index = i;
            return list[i] + length + 1;
        }
    return NULL;
}

const char *pm_bare_for(const char *const *list, size_t kernel)
{
    size_t count = 0;

    while (list && list[count])
        count++;
    return count == 0 ? NULL : count == 1 ? list[0] : kernel < count ? list[kernel] : NULL;
}

/* ---- checks of the options' syntax ---------------------------------------------------------- */

static size_t count_of(const char *const *list)
{
    size_t count = 0;

    while (list && list[count])
        count++;
    return count;
}

/* Raises PM_BAD_INPUT unless an option, such as --grid, was given once for all kernels or once for
 * each --kernel. what: the option. list: its values. */
static void check_each(const pm_memory *memory, const pm_launch_options *o, const char *what,
                       const char *const *list)
{
    const size_t count = count_of(list), kernels = count_of(o->kernels);

    if (count > 1 && count != kernels)
        pm_leave(memory, PM_BAD_INPUT,
                 "%s is there %zu times for %zu kernels: say it once for all, or once behind each "
                 "--kernel NAME",
                 what, count, kernels);
}

static void check_range(const pm_memory *memory, const char *what, const char *const *list)
{
    for (; list && *list; list++) {
        size_t commas = 0;

        for (const char *c = *list; *c; c++)
            commas += *c == ',';
        if (!**list || commas > 2 || (*list)[strspn(*list, "0123456789,")] || **list == ',' ||
            strstr(*list, ",,") || (*list)[strlen(*list) - 1] == ',')
            pm_leave(memory, PM_BAD_INPUT,
                     "%s %.60s: one to three numbers with commas, such as 4096 or 64,64", what,
                     *list);
    }
}

static void check_named(const pm_memory *memory, const char *what, const char *usual,
                        const char *const *list)
{
    for (; list && *list; list++)
        if (strcspn(*list, "=") == 0 || !strchr(*list, '=') || !strchr(*list, '=')[1] ||
            strpbrk(*list, "\n#;"))
            pm_leave(memory, PM_BAD_INPUT, "%s %.60s: %s is wanted", what, *list, usual);
}

static void check_shared(const pm_memory *memory, const char *const *list)
{
    for (; list && *list; list++)
        if (!**list || (*list)[strspn(*list, "0123456789")] || strlen(*list) > 9)
            pm_leave(memory, PM_BAD_INPUT, "--shared %.60s: a number of bytes is wanted", *list);
}

/* ---- options -------------------------------------------------------------------------------- */

/* Copies the list of an option's values, and appends them to the key by which the session caches
 * results. what: the option. */
static const char *const *copy_list(pm_memory *memory, pm_text *key, const char *what,
                                    const char *const *list)
{
    const size_t count = count_of(list);
    const char **own = pm_take(memory, count + 1, sizeof *own);

    for (size_t i = 0; i < count; i++) {
        own[i] = pm_copy(memory, list[i]);
        pm_text_add(key, " %s %zu %s", what, strlen(list[i]), list[i]);
    }
    return list ? own : NULL;
}

typedef struct {
    said *to;
    const pm_launch_options *from;
} saying;

static void say(void *user)
{
    const saying *s = user;
    const pm_launch_options *from = s->from;
    pm_launch_options *to = &s->to->options;
    pm_memory *memory = &s->to->memory;
    pm_text key = {.memory = memory};

    check_each(memory, from, "--grid", from->grids);
    check_each(memory, from, "--block", from->blocks);
    check_each(memory, from, "--shared", from->shared);
    check_range(memory, "--grid", from->grids);
    check_range(memory, "--block", from->blocks);
    check_shared(memory, from->shared);
    check_named(memory, "--arg", "NAME=VALUE or NAME=TYPE[COUNT]", from->arguments);
    check_named(memory, "--set", "NAME=VALUE", from->sets);
    to->kernels = copy_list(memory, &key, "kernel", from->kernels);
    to->grids = copy_list(memory, &key, "grid", from->grids);
    to->blocks = copy_list(memory, &key, "block", from->blocks);
    to->shared = copy_list(memory, &key, "shared", from->shared);
    to->arguments = copy_list(memory, &key, "arg", from->arguments);
    to->sets = copy_list(memory, &key, "set", from->sets);
    if (from->build_options) {
        to->build_options = pm_copy(memory, from->build_options);
        pm_text_add(&key, " options %s", from->build_options);
    }
    s->to->key = pm_text_get(&key);
}

pm_status pm_session_launch(pm_session *session, const pm_launch_options *options, pm_error *err)
{
    static const pm_launch_options none;
    said *s = pm_session_find(session, KIND, "");

    options = options ? options : &none;
    if (PM_UNUSED(options, err) != PM_OK)
        return err->status;
    if (!s) {
        s = calloc(1, sizeof *s);
        if (!s)
            return pm_fail(err, PM_FAILED, "out of memory for launch options");
        if (pm_session_keep(session, KIND, "", s, release, err) != PM_OK)
            return err->status;
    }
    pm_memory_free(&s->memory);
    *s = (said){0};
    if (pm_attempt(&s->memory, say, &(saying){s, options}, err) == PM_OK)
        return PM_OK;
    pm_memory_free(&s->memory);
    *s = (said){0};
    return err->status;
}
