/* Several layouts in one text: which one holds for a struct in a kernel. See layout.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "layout/layout.h"

/* A part of a text, which does not end in a NUL. */
typedef struct {
    const char *text;
    size_t length;
} span;

/* STRUCT=LAYOUT@KERNEL+KERNEL */
typedef struct {
    span structure; /* text is NULL: any */
    span layout;
    span kernels; /* text is NULL: any */
} entry;

enum { SHOWN = 60 };

static int shown(span word)
{
    return (int)(word.length < SHOWN ? word.length : SHOWN);
}

static bool is_word(span word, const char *text)
{
    return strlen(text) == word.length && memcmp(text, word.text, word.length) == 0;
}

/* Takes what stands before the first `mark` off *rest; all of it where there is no mark. */
static bool split(span *rest, char mark, span *head)
{
    const char *at = memchr(rest->text, mark, rest->length);

    *head = *rest;
    if (!at)
        return false;
    head->length = (size_t)(at - rest->text);
    rest->text = at + 1;
    rest->length -= head->length + 1;
    return true;
}

static entry read_entry(span text)
{
    entry e = {0};
    span head;

    if (split(&text, '=', &head))
        e.structure = head;
    if (split(&text, '@', &e.layout))
        e.kernels = text;
    return e;
}

/* The next entry of *rest. There is always one: the empty text has an empty one. Whether another
 * one follows goes to *more. */
static entry next_entry(span *rest, bool *more)
{
    span text;

    *more = split(rest, ';', &text);
    return read_entry(text);
}

static bool entry_fits(const entry *e, const pm_struct *structure, const char *kernel)
{
    span rest = e->kernels, name;
    bool more = true;

    if (e->structure.text && !is_word(e->structure, structure->name))
        return false;
    if (!rest.text)
        return true;
    while (kernel && more) {
        more = split(&rest, '+', &name);
        if (is_word(name, kernel))
            return true;
    }
    return false;
}

static pm_status parse_span(span text, const pm_struct *structure, pm_layout *layout, pm_error *err)
{
    char *copy = strndup(text.text, text.length);
    pm_status status;

    if (!copy)
        return pm_fail(err, PM_FAILED, "out of memory for a layout");
    status = pm_layout_parse(copy, structure, layout, err);
    free(copy);
    return status;
}

pm_status pm_layouts_find(const char *text, const pm_struct *structure, const char *kernel,
                          pm_layout *layout, pm_error *err)
{
    span rest = {text, strlen(text)}, found = {"aos", 3};
    bool more = true;

    while (more) {
        entry e = next_entry(&rest, &more);

        if (entry_fits(&e, structure, kernel))
            found = e.layout;
    }
    return parse_span(found, structure, layout, err);
}

/* ---- is the text right? ------------------------------------------------------------------- */

static pm_status check_struct(span name, const pm_structs *structs, pm_error *err)
{
    char list[512] = "";

    for (size_t s = 0; s < structs->count; s++) {
        if (is_word(name, structs->items[s].name))
            return PM_OK;
        pm_list_add(list, sizeof list, "%s", structs->items[s].name);
    }
    return pm_fail(err, PM_BAD_INPUT,
                   "layout: the kernels take no array of a struct \"%.*s\"; they do of: %s",
                   shown(name), name.text, list);
}

static pm_status check_kernels(span rest, const char *const *kernels, size_t count, pm_error *err)
{
    char list[512] = "";
    bool more = true;

    while (more) {
        bool known = false;
        span name;

        more = split(&rest, '+', &name);
        for (size_t k = 0; k < count && !known; k++)
            known = is_word(name, kernels[k]);
        if (known)
            continue;
        for (size_t k = 0; k < count; k++)
            pm_list_add(list, sizeof list, "%s", kernels[k]);
        return pm_fail(err, PM_BAD_INPUT, "layout: no kernel \"%.*s\"; there are: %s", shown(name),
                       name.text, list);
    }
    return PM_OK;
}

/* An entry that others hide must be right too: for one struct at least. */
static pm_status check_entry(const entry *e, const pm_structs *structs, const char *const *kernels,
                             size_t kernel_count, pm_error *err)
{
    pm_status status = PM_OK;

    if (e->structure.text)
        status = check_struct(e->structure, structs, err);
    if (status == PM_OK && e->kernels.text)
        status = check_kernels(e->kernels, kernels, kernel_count, err);
    if (status != PM_OK)
        return status;
    for (size_t s = 0; s < structs->count; s++) {
        pm_layout layout;
        pm_error first;

        if (e->structure.text && !is_word(e->structure, structs->items[s].name))
            continue;
        if (parse_span(e->layout, &structs->items[s], &layout, &first) == PM_OK) {
            pm_layout_free(&layout);
            return PM_OK;
        }
        if (status == PM_OK)
            status = pm_fail(err, first.status, "%s", first.text);
    }
    return status;
}

static pm_status check_found(const char *text, const pm_struct *structure, const char *kernel,
                             const pm_structs *structs, pm_error *err)
{
    pm_layout layout;
    pm_error what;

    if (pm_layouts_find(text, structure, kernel, &layout, &what) == PM_OK) {
        pm_layout_free(&layout);
        return PM_OK;
    }
    if (structs->count == 1)
        return pm_fail(err, what.status, "%s", what.text);
    return pm_fail(err, what.status, "%.700s; a layout for one struct alone is STRUCT=LAYOUT",
                   what.text);
}

pm_status pm_layouts_check(const char *text, const pm_structs *structs, const char *const *kernels,
                           size_t kernel_count, pm_error *err)
{
    span rest = {text, strlen(text)};
    pm_status status = PM_OK;
    bool more = true;

    while (status == PM_OK && more) {
        entry e = next_entry(&rest, &more);

        if (e.layout.length == 0)
            return pm_fail(err, PM_BAD_INPUT,
                           "layout \"%.*s\": an empty one, before or behind a ';', '=' or '@'",
                           SHOWN, text);
        status = check_entry(&e, structs, kernels, kernel_count, err);
    }
    for (size_t s = 0; status == PM_OK && s < structs->count; s++)
        for (size_t k = 0; status == PM_OK && k < kernel_count; k++)
            status = check_found(text, &structs->items[s], kernels[k], structs, err);
    return status;
}
