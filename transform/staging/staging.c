/* Parses texts such as "shared:a+b/16", by which a user asks to copy arrays of kernels to local
 * memory (staging). See staging.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/staging.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const char word[] = "shared";

/* ---- items of the text ---------------------------------------------------------------------- */

/* Returns true if item[0..length), a part of a variant's name between ';', is a staging request:
 * "shared", alone or followed by ':', '@' or '/'. */
static bool is_share(const char *item, size_t length)
{
    const size_t own = sizeof word - 1;

    return length >= own && strncmp(item, word, own) == 0 &&
           (length == own || strchr(":@/", item[own]));
}

/* Sets *length to the length of the first part of `text` before a ';'. Returns the start of the
 * next part, or NULL if there is none. */
static const char *next_item(const char *text, size_t *length)
{
    *length = strcspn(text, ";");
    return text[*length] ? text + *length + 1 : NULL;
}

bool pm_stage_is_text(const char *text)
{
    size_t length;

    for (const char *item = text, *next; item; item = next) {
        next = next_item(item, &length);
        if (is_share(item, length))
            return true;
    }
    return false;
}

pm_status pm_stage_split(const char *text, char **layouts, const char **share, pm_error *err)
{
    const char *first = NULL;
    size_t length;

    *layouts = NULL;
    *share = NULL;
    for (const char *item = text, *next; item; item = next) {
        next = next_item(item, &length);
        if (is_share(item, length) && !first)
            first = item;
        else if (first && !is_share(item, length))
            return pm_fail(err, PM_BAD_INPUT,
                           "%s: '%.*s' stands behind %s; give layouts first: soa;shared", text,
                           (int)length, item, word);
    }
    if (first == text)
        *layouts = strdup("aos");
    else
        *layouts = first ? strndup(text, (size_t)(first - text) - 1) : strdup(text);
    if (!*layouts)
        return pm_fail(err, PM_FAILED, "%s: out of memory", text);
    *share = first;
    return PM_OK;
}

/* ---- one kernel ----------------------------------------------------------------------------- */

static bool is_known(const char *name, size_t length, const char *const *kernels, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (strlen(kernels[k]) == length && strncmp(kernels[k], name, length) == 0)
            return true;
    return false;
}

static _Noreturn void unknown_kernel(const pm_memory *memory, const char *text, const char *name,
                                     size_t length, const char *const *kernels, size_t count)
{
    char list[512] = "";
    size_t used = 0;

    for (size_t k = 0; k < count && used + strlen(kernels[k]) + 3 < sizeof list; k++) {
        used += strlen(strcpy(list + used, k ? ", " : ""));
        used += strlen(strcpy(list + used, kernels[k]));
    }
    pm_leave(memory, PM_BAD_INPUT, "%s: there is no kernel '%.*s'; the kernels are %s", text,
             (int)length, name, list);
}

/* Returns true if the kernel names after '@' in a staging request include `kernel`, or if the
 * request has no '@' (names NULL) and so applies to all kernels. */
static bool is_meant(const pm_memory *memory, const char *text, const char *names,
                     const char *kernel, const char *const *kernels, size_t count)
{
    bool meant = !names;

    while (names) {
        size_t length = strcspn(names, "+;");

        if (!is_known(names, length, kernels, count))
            unknown_kernel(memory, text, names, length, kernels, count);
        meant |= is_known(names, length, &kernel, 1);
        names = names[length] == '+' ? names + length + 1 : NULL;
    }
    return meant;
}

static void add_array(pm_memory *memory, const char *text, const char *name, size_t length,
                      pm_stage_choice *choice)
{
    if (is_known(name, length, (const char *const *)choice->arrays, choice->array_count))
        pm_leave(memory, PM_BAD_INPUT, "%s: '%.*s' stands there twice", text, (int)length, name);
    if (length == 0)
        pm_leave(memory, PM_BAD_INPUT,
                 "%s: the name of an array is missing; give shared:a+b, or shared alone", text);
    *pm_add(memory, choice->arrays, choice->array_count) =
        pm_format(memory, "%.*s", (int)length, name);
}

static size_t read_tile(const pm_memory *memory, const char *text, const char *digits,
                        size_t length)
{
    size_t tile = 0;

    for (size_t i = 0; i < length; i++) {
        if (digits[i] < '0' || digits[i] > '9' || tile > 65536)
            length = 0;
        else
            tile = tile * 10 + (size_t)(digits[i] - '0');
    }
    if (length == 0 || tile == 0 || tile > 65536)
        pm_leave(memory, PM_BAD_INPUT,
                 "%s: behind '/' stands how many iterations a loop is tiled by, 1 to 65536", text);
    return tile;
}

/* Parses one staging request. item: text after the word "shared". length: length of this text up to
 * '@' or to the request's end. */
static pm_stage_choice read_item(pm_memory *memory, const char *text, const char *item,
                                 size_t length)
{
    const char *slash = memchr(item, '/', length);
    size_t names = slash ? (size_t)(slash - item) : length;
    pm_stage_choice choice = {.asked = true, .automatic = names == 0};

    for (size_t at = 1; !choice.automatic && at <= names;) {
        size_t part = strcspn(item + at, "+/@;");

        add_array(memory, text, item + at, part, &choice);
        at += part + 1;
    }
    if (slash)
        choice.tile = read_tile(memory, text, slash + 1, length - names - 1);
    return choice;
}

pm_stage_choice pm_stage_parse(pm_memory *memory, const char *text, const char *kernel,
                               const char *const *kernels, size_t kernel_count)
{
    const size_t own = sizeof word - 1;
    pm_stage_choice choice = {.asked = false};

    for (const char *item = text, *next; item; item = next) {
        size_t length;
        const char *at;

        next = next_item(item, &length);
        if (!is_share(item, length))
            pm_leave(memory, PM_BAD_INPUT,
                     "%s: '%.*s' is none of shared, shared:ARRAY+ARRAY, shared:ARRAY/TILE, "
                     "shared:ARRAY@KERNEL",
                     text, (int)length, item);
        at = memchr(item, '@', length);
        if (is_meant(memory, text, at ? at + 1 : NULL, kernel, kernels, kernel_count))
            choice = read_item(memory, text, item + own, (at ? (size_t)(at - item) : length) - own);
    }
    return choice;
}
