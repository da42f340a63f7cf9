/* Lists the functions and variables of a CUDA text that another file may define, or may define
 * under the same name. See linked_names.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/cuda_source/linked_names.h"

#include <stdint.h>
#include <string.h>

#include "compiler/cuda_source/code_text.h"

/* State of reading one declaration at file scope. is_...: true if the words read so far show that
 * the declaration is of this kind. */
typedef struct {
    bool is_device, is_extern, is_static, is_template, is_class, is_scope, is_function;
    bool is_constant, is_operator, is_initialised;
    pm_code_word name, last;
    /* last characters of the last token and of the one before */
    char last_character, before;
    long round; /* number of open ( and [ */
} declaration;

/* Skips the parameters of a template, from the < at `at`. */
static char *end_of_angles(const char *text, char *at)
{
    long depth = 0;

    while (pm_find_token(text, &at) && *at != ';' && *at != '{') {
        depth += (*at == '<') - (*at == '>');
        at = pm_end_of_token(at);
        if (depth == 0)
            break;
    }
    return at;
}

/* Returns whether other files cannot refer to the name. */
static bool is_internal(const declaration *d)
{
    return d->is_static || d->is_template || (d->is_constant && !d->is_function && !d->is_extern);
}

static void add_name(const declaration *d, bool defined, pm_memory *memory, pm_linked_names *names)
{
    const bool internal = is_internal(d);
    char *name;

    if (d->is_class || d->is_operator || d->name.length == 0 ||
        (internal ? !defined : !d->is_device && !d->is_function))
        return;
    name = pm_format(memory, "%.*s", (int)d->name.length, d->name.begin);
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->items[i].name, name) == 0) {
            names->items[i].defined |= defined;
            names->items[i].is_internal |= internal;
            names->items[i].is_host &= !d->is_device;
            names->items[i].count++;
            return;
        }
    *pm_add(memory, names->items, names->count) = (pm_linked_name){.name = name,
                                                                   .defined = defined,
                                                                   .is_internal = internal,
                                                                   .is_host = !d->is_device,
                                                                   .count = 1};
}

static void see_word(declaration *d, pm_code_word w)
{
    static const char *const device[] = {"__device__", "__global__", "__constant__", "__managed__",
                                         NULL};
    static const char *const classes[] = {"struct",  "class", "union",  "enum",
                                          "typedef", "using", "friend", NULL};

    d->is_device = d->is_device || pm_word_is_one_of(w, device);
    d->is_extern = d->is_extern || pm_word_is(w, "extern");
    d->is_static = d->is_static || pm_word_is(w, "static");
    d->is_operator = d->is_operator || pm_word_is(w, "operator");
    d->is_constant = d->is_constant ||
                     (!d->is_function && (pm_word_is(w, "const") || pm_word_is(w, "constexpr")));
    d->is_template = d->is_template || pm_word_is(w, "template");
    d->is_class = d->is_class || (!d->is_device && pm_word_is_one_of(w, classes));
    d->is_scope = d->is_scope || pm_word_is(w, "namespace");
}

/* Returns whether parentheses after this word belong to an attribute. */
static bool is_attribute(pm_code_word w)
{
    static const char *const attributes[] = {"__launch_bounds__", "__align__", "__attribute__",
                                             "alignas",           "decltype",  NULL};

    return w.length == 0 || pm_word_is_one_of(w, attributes);
}

static void see_character(declaration *d, char c)
{
    if (d->round == 0 && c == '(' && d->name.length == 0 && !is_attribute(d->last)) {
        d->name = d->last;
        d->is_function = true;
        /* The name is a member of a class, X::f(...), or a macro, because no type precedes it.
         * Neither is listed. */
        d->is_class = d->is_class || d->before == ':' || !d->before;
    } else if (d->round == 0 && (c == '[' || c == '=' || c == ';') && d->name.length == 0) {
        d->name = d->last;
    }
    d->is_initialised = d->is_initialised || (d->round == 0 && c == '=');
    d->round += (c == '(' || c == '[') - (c == ')' || c == ']');
}

/* Handles a { that is outside of parentheses. Skips the body of a function, class or initialiser,
 * but not the body of a namespace or extern "C". Adds a function's name to the list. Returns the
 * position at which reading continues. */
static char *see_braces(const char *text, char *at, declaration *d, pm_memory *memory,
                        pm_linked_names *names)
{
    char *end;

    if (d->is_scope || (d->is_extern && d->last_character == '"')) {
        *d = (declaration){.round = 0};
        return at + 1;
    }
    end = pm_end_of_braces(text, at);
    if (d->is_function && !d->is_initialised) {
        add_name(d, true, memory, names);
        *d = (declaration){.round = 0};
    } else {
        d->is_initialised = d->is_initialised || d->is_device;
        d->last_character = '}';
    }
    return end;
}

void pm_linked_names_list(const char *text, pm_memory *memory, pm_linked_names *names)
{
    char *at = (char *)(uintptr_t)text;
    declaration d = {.round = 0};

    while (pm_find_token(text, &at)) {
        const char c = *at;
        const pm_code_word w = pm_word_at(at);

        if (d.round <= 0 && c == '{') {
            at = see_braces(text, at, &d, memory, names);
            continue;
        }
        see_word(&d, w);
        if (w.length == 0)
            see_character(&d, c);
        at = pm_end_of_token(at);
        if (d.round <= 0 && (c == ';' || c == '}')) {
            add_name(&d, !d.is_function && (!d.is_extern || d.is_initialised), memory, names);
            d = (declaration){.round = 0};
            continue;
        }
        d.last = w;
        d.before = d.last_character;
        d.last_character = at[-1];
        if (pm_word_is(w, "template") && pm_find_token(text, &at) && *at == '<')
            at = end_of_angles(text, at);
    }
}

const pm_linked_name *pm_linked_names_find(const pm_linked_names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->items[i].name, name) == 0)
            return &names->items[i];
    return NULL;
}

size_t pm_count_word(const char *text, const char *word)
{
    char *at = (char *)(uintptr_t)text;
    size_t count = 0;

    while (pm_find_token(text, &at)) {
        count += pm_word_is(pm_word_at(at), word);
        at = pm_end_of_token(at);
    }
    return count;
}
