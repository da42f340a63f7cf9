/* Texts that say what to stage in local memory. See staging.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "staging/staging.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const char word[] = "shared";

void pm_staged_free(pm_staged *shared)
{
    for (size_t i = 0; i < shared->array_count; i++) {
        free(shared->arrays[i].kernel);
        free(shared->arrays[i].array);
        free(shared->arrays[i].range);
        free(shared->arrays[i].reason);
    }
    for (size_t i = 0; i < shared->assumption_count; i++)
        free(shared->assumptions[i]);
    free(shared->assumptions);
    free(shared->arrays);
    free(shared->text);
    *shared = (pm_staged){.text = NULL};
}

void pm_stage_choice_free(pm_stage_choice *choice)
{
    for (size_t i = 0; i < choice->array_count; i++)
        free(choice->arrays[i]);
    free(choice->arrays);
    choice->arrays = NULL;
    choice->array_count = choice->tile = 0;
    choice->asked = choice->automatic = false;
}

/* ---- items ---------------------------------------------------------------------------------- */

/* An item of the text: up to ';' or the end. */
static bool is_share(const char *item, size_t length)
{
    const size_t own = sizeof word - 1;

    return length >= own && strncmp(item, word, own) == 0 &&
           (length == own || strchr(":@/", item[own]));
}

/* The item that starts at text, and where the next one does; NULL: it is the last. */
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

pm_status pm_stage_split(const char *text, char **layouts, char **share, pm_error *err)
{
    const char *first = NULL;
    size_t length;

    *layouts = *share = NULL;
    for (const char *item = text, *next; item; item = next) {
        next = next_item(item, &length);
        if (is_share(item, length) && !first)
            first = item;
        else if (first && !is_share(item, length))
            return pm_fail(err, PM_BAD_INPUT,
                           "%s: '%.*s' stands behind %s; give layouts first: soa;shared", text,
                           (int)length, item, word);
    }
    if (first)
        *share = strdup(first);
    if (first == text)
        *layouts = strdup("aos");
    else
        *layouts = first ? strndup(text, (size_t)(first - text) - 1) : strdup(text);
    if (*layouts && (*share || !first))
        return PM_OK;
    free(*layouts);
    free(*share);
    *layouts = *share = NULL;
    return pm_fail(err, PM_FAILED, "%s: out of memory", text);
}

/* ---- one kernel ----------------------------------------------------------------------------- */

static bool is_known(const char *name, size_t length, const char *const *kernels, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (strlen(kernels[k]) == length && strncmp(kernels[k], name, length) == 0)
            return true;
    return false;
}

static pm_status unknown_kernel(const char *text, const char *name, size_t length,
                                const char *const *kernels, size_t count, pm_error *err)
{
    char list[512] = "";
    size_t used = 0;

    for (size_t k = 0; k < count && used + strlen(kernels[k]) + 3 < sizeof list; k++) {
        used += strlen(strcpy(list + used, k ? ", " : ""));
        used += strlen(strcpy(list + used, kernels[k]));
    }
    return pm_fail(err, PM_BAD_INPUT, "%s: there is no kernel '%.*s'; the kernels are %s", text,
                   (int)length, name, list);
}

/* Whether the names behind '@' (NULL: none) have the kernel. */
static pm_status is_meant(const char *text, const char *names, const char *kernel,
                          const char *const *kernels, size_t count, bool *meant, pm_error *err)
{
    *meant = !names;
    while (names) {
        size_t length = strcspn(names, "+;");

        if (!is_known(names, length, kernels, count))
            return unknown_kernel(text, names, length, kernels, count, err);
        if (strlen(kernel) == length && strncmp(kernel, names, length) == 0)
            *meant = true;
        names = names[length] == '+' ? names + length + 1 : NULL;
    }
    return PM_OK;
}

static pm_status add_array(const char *text, const char *name, size_t length,
                           pm_stage_choice *choice, pm_error *err)
{
    char **grown;

    for (size_t i = 0; i < choice->array_count; i++)
        if (strlen(choice->arrays[i]) == length && strncmp(choice->arrays[i], name, length) == 0)
            return pm_fail(err, PM_BAD_INPUT, "%s: '%.*s' stands there twice", text, (int)length,
                           name);
    if (length == 0)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s: the name of an array is missing; give shared:a+b, or shared alone",
                       text);
    grown = realloc(choice->arrays, (choice->array_count + 1) * sizeof *grown);
    if (grown)
        choice->arrays = grown;
    if (!grown || !(grown[choice->array_count] = strndup(name, length)))
        return pm_fail(err, PM_FAILED, "%s: out of memory", text);
    choice->array_count++;
    return PM_OK;
}

static pm_status read_tile(const char *text, const char *digits, size_t length,
                           pm_stage_choice *choice, pm_error *err)
{
    choice->tile = 0;
    for (size_t i = 0; i < length; i++) {
        if (digits[i] < '0' || digits[i] > '9' || choice->tile > 65536)
            length = 0;
        else
            choice->tile = choice->tile * 10 + (size_t)(digits[i] - '0');
    }
    if (length == 0 || choice->tile == 0 || choice->tile > 65536)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s: behind '/' stands how many iterations a loop is tiled by, 1 to 65536",
                       text);
    return PM_OK;
}

/* item: behind "shared", up to '@' or its end. */
static pm_status read_item(const char *text, const char *item, size_t length,
                           pm_stage_choice *choice, pm_error *err)
{
    const char *slash = memchr(item, '/', length);
    size_t names = slash ? (size_t)(slash - item) : length;
    pm_status status = PM_OK;

    pm_stage_choice_free(choice);
    choice->asked = true;
    choice->automatic = names == 0;
    for (size_t at = 1; status == PM_OK && !choice->automatic && at <= names;) {
        size_t part = strcspn(item + at, "+/@;");

        status = add_array(text, item + at, part, choice, err);
        at += part + 1;
    }
    if (status == PM_OK && slash)
        status = read_tile(text, slash + 1, length - names - 1, choice, err);
    return status;
}

pm_status pm_stage_parse(const char *text, const char *kernel, const char *const *kernels,
                         size_t kernel_count, pm_stage_choice *choice, pm_error *err)
{
    pm_status status = PM_OK;

    *choice = (pm_stage_choice){.asked = false};
    for (const char *item = text, *next; status == PM_OK && item; item = next) {
        size_t length;
        const char *at;
        bool meant;

        next = next_item(item, &length);
        if (!is_share(item, length)) {
            status = pm_fail(err, PM_BAD_INPUT,
                             "%s: '%.*s' is none of shared, shared:ARRAY+ARRAY, "
                             "shared:ARRAY/TILE, shared:ARRAY@KERNEL",
                             text, (int)length, item);
            break;
        }
        at = memchr(item, '@', length);
        status = is_meant(text, at ? at + 1 : NULL, kernel, kernels, kernel_count, &meant, err);
        if (status == PM_OK && meant)
            status =
                read_item(text, item + sizeof word - 1,
                          (at ? (size_t)(at - item) : length) - (sizeof word - 1), choice, err);
    }
    if (status != PM_OK)
        pm_stage_choice_free(choice);
    return status;
}
