/* Several layouts in one text: which one holds for a struct in a kernel. See layout.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

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

static pm_layout parse_span(pm_memory *memory, span text, const pm_struct *structure)
{
    return pm_layout_parse(memory, pm_format(memory, "%.*s", (int)text.length, text.text),
                           structure);
}

pm_layout pm_layouts_find(pm_memory *memory, const char *text, const pm_struct *structure,
                          const char *kernel)
{
    span rest = {text, strlen(text)}, found = {"aos", 3};
    bool more = true;

    while (more) {
        entry e = next_entry(&rest, &more);

        if (entry_fits(&e, structure, kernel))
            found = e.layout;
    }
    return parse_span(memory, found, structure);
}

/* ---- is the text right? ------------------------------------------------------------------- */

static void check_struct(const pm_memory *memory, span name, const pm_structs *structs)
{
    char list[512] = "";

    for (size_t s = 0; s < structs->count; s++) {
        if (is_word(name, structs->items[s].name))
            return;
        pm_list_add(list, sizeof list, "%s", structs->items[s].name);
    }
    pm_leave(memory, PM_BAD_INPUT,
             "layout: the kernels take no array of a struct \"%.*s\"; they do of: %s", shown(name),
             name.text, list);
}

static void check_kernels(const pm_memory *memory, span rest, const char *const *kernels,
                          size_t count)
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
        pm_leave(memory, PM_BAD_INPUT, "layout: no kernel \"%.*s\"; there are: %s", shown(name),
                 name.text, list);
    }
}

/* A layout that may be wrong: of an entry, or of what holds for a kernel. */
typedef struct {
    pm_memory memory;
    const char *text, *kernel;
    const span *layout; /* NULL: the one that text has for the kernel */
    const pm_struct *structure;
} trying;

static void try_layout(void *user)
{
    trying *t = user;

    if (t->layout)
        parse_span(&t->memory, *t->layout, t->structure);
    else
        pm_layouts_find(&t->memory, t->text, t->structure, t->kernel);
}

static pm_status try(trying t, pm_error *what)
{
    pm_status status = pm_attempt(&t.memory, try_layout, &t, what);

    pm_memory_free(&t.memory);
    return status;
}

/* An entry that others hide must be right too: for one struct at least. */
static void check_entry(const pm_memory *memory, const entry *e, const pm_structs *structs,
                        const char *const *kernels, size_t kernel_count)
{
    pm_error first = {0}, what;

    if (e->structure.text)
        check_struct(memory, e->structure, structs);
    if (e->kernels.text)
        check_kernels(memory, e->kernels, kernels, kernel_count);
    for (size_t s = 0; s < structs->count; s++) {
        if (e->structure.text && !is_word(e->structure, structs->items[s].name))
            continue;
        if (try((trying){.layout = &e->layout, .structure = &structs->items[s]}, &what) == PM_OK)
            return;
        first = first.status == PM_OK ? what : first;
    }
    if (first.status != PM_OK)
        pm_leave(memory, first.status, "%s", first.text);
}

void pm_layouts_check(pm_memory *memory, const char *text, const pm_structs *structs,
                      const char *const *kernels, size_t kernel_count)
{
    span rest = {text, strlen(text)};
    bool more = true;
    pm_error what;

    while (more) {
        entry e = next_entry(&rest, &more);

        if (e.layout.length == 0)
            pm_leave(memory, PM_BAD_INPUT,
                     "layout \"%.*s\": an empty one, before or behind a ';', '=' or '@'", SHOWN,
                     text);
        check_entry(memory, &e, structs, kernels, kernel_count);
    }
    for (size_t s = 0; s < structs->count; s++)
        for (size_t k = 0; k < kernel_count; k++) {
            const trying t = {.text = text, .kernel = kernels[k], .structure = &structs->items[s]};

            if (try(t, &what) != PM_OK)
                pm_leave(memory, what.status, "%.700s%s", what.text,
                         structs->count == 1 ? ""
                                             : "; a layout for one struct alone is STRUCT=LAYOUT");
        }
}
