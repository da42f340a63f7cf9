/* Collects the identifiers of a source, and splits text into tokens. See names.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/clang/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/strings.h"

/* ---- tokens -------------------------------------------------------------------------------- */

static size_t skip_comment(const char *text, size_t at, size_t end)
{
    if (text[at + 1] == '/') {
        while (at < end && text[at] != '\n')
            at += text[at] == '\\' && at + 1 < end ? 2 : 1;
        return at < end ? at : end;
    }
    for (at += 2; at < end; at++)
        if (text[at - 1] == '*' && text[at] == '/')
            return at + 1;
    return end;
}

static size_t skip_blanks(const char *text, size_t at, size_t end)
{
    while (at < end) {
        if (isspace((unsigned char)text[at]))
            at++;
        else if (text[at] == '\\' && at + 1 < end && strchr("\r\n", text[at + 1]))
            at += 2;
        else if (text[at] == '/' && at + 1 < end && (text[at + 1] == '/' || text[at + 1] == '*'))
            at = skip_comment(text, at, end);
        else
            break;
    }
    return at;
}

static bool starts_word(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static size_t skip_string(const char *text, size_t at, size_t end)
{
    char quote = text[at++];

    while (at < end && text[at] != quote && text[at] != '\n')
        at += text[at] == '\\' && at + 1 < end ? 2 : 1;
    return at < end ? at + 1 : end;
}

bool pm_token(const char *text, size_t at, size_t end, size_t *token_begin, size_t *token_end)
{
    at = skip_blanks(text, at, end);
    *token_begin = at;
    if (at >= end)
        return false;
    if (starts_word(text[at]))
        while (at < end && pm_is_word(text[at]))
            at++;
    else if (isdigit((unsigned char)text[at]))
        while (at < end && (pm_is_word(text[at]) || text[at] == '.'))
            at++;
    else if (text[at] == '"' || text[at] == '\'')
        at = skip_string(text, at, end);
    else
        at++;
    *token_end = at;
    return true;
}

size_t pm_line_start(const char *text, size_t at)
{
    while (at > 0 && text[at - 1] != '\n')
        at--;
    return at;
}

bool pm_token_is(const char *text, size_t begin, size_t end, const char *word)
{
    return strlen(word) == end - begin && memcmp(text + begin, word, end - begin) == 0;
}

bool pm_has_token(const char *text, const char *word)
{
    size_t begin, end = 0, length = strlen(text);

    while (pm_token(text, end, length, &begin, &end))
        if (pm_token_is(text, begin, end, word))
            return true;
    return false;
}

/* ---- names --------------------------------------------------------------------------------- */

static int compare(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Sorts the names and removes duplicates, so that they can be searched by bisection. */
static void sort(pm_names *names)
{
    size_t kept = 0;

    if (names->count == names->sorted)
        return;
    qsort(names->items, names->count, sizeof *names->items, compare);
    for (size_t i = 0; i < names->count; i++)
        if (kept == 0 || strcmp(names->items[kept - 1], names->items[i]) != 0)
            names->items[kept++] = names->items[i];
    names->count = names->sorted = kept;
}

void pm_names_add(pm_names *names, const char *name)
{
    if (names->count == names->room) {
        names->room = 2 * names->room + 256;
        names->items =
            memcpy(pm_take(names->memory, names->room, sizeof *names->items),
                   names->items ? names->items : &name, names->count * sizeof *names->items);
    }
    names->items[names->count++] = name;
}

void pm_names_read(pm_names *names, const char *text)
{
    size_t length = strlen(text), begin, end;

    for (size_t at = 0; pm_token(text, at, length, &begin, &end); at = end)
        if (starts_word(text[begin]))
            pm_names_add(names, pm_format(names->memory, "%.*s", (int)(end - begin), text + begin));
}

bool pm_names_has(pm_names *names, const char *name)
{
    sort(names);
    return names->count > 0 &&
           bsearch(&name, names->items, names->count, sizeof *names->items, compare) != NULL;
}

const char *pm_names_unused(pm_names *names, const char *wish)
{
    const char *name = wish;

    for (unsigned n = 2; pm_names_has(names, name); n++)
        name = pm_format(names->memory, "%s%u", wish, n);
    return name;
}

const char *pm_names_fresh(pm_names *names, const char *wish)
{
    const char *name = pm_names_unused(names, wish);

    pm_names_add(names, name);
    return name;
}

bool pm_names_is_type(const char *name)
{
    static const char *const types[] = {"size_t",    "ptrdiff_t", "intptr_t",
                                        "uintptr_t", "sampler_t", "event_t",
                                        "image2d_t", "image3d_t", NULL};

    return pm_listed(types, name);
}
