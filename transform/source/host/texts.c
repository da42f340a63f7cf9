/* Executes functions that make strings in host code, because names of kernels and compiler options
 * are made from strings. See state.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "transform/source/host/state.h"

enum { MOST_LENGTH = 1 << 16 };

const char *pm_host_text(pm_host_state *state, pm_host_value value)
{
    if (value.kind == PM_HOST_POINTER)
        value = pm_host_load(&state->heap, (pm_host_place){value.object, value.offset},
                             (CXType){.kind = CXType_Pointer});
    if (value.kind != PM_HOST_TEXT)
        return NULL;
    return value.text ? value.text : pm_host_literal(state->tree, value.function);
}

static pm_host_value text_value(pm_host_state *state, const char *text)
{
    if (!text || strlen(text) > MOST_LENGTH)
        return pm_host_unknown(NULL, 0);
    return (pm_host_value){.kind = PM_HOST_TEXT, .text = pm_copy(state->memory, text)};
}

static pm_host_value argument(pm_host_state *state, pm_host_node *call, size_t index)
{
    return pm_host_evaluate(state, pm_host_argument(state->tree, call, index));
}

/* ---- formats ------------------------------------------------------------------------------- */

/* Appends a value in the format of a printf conversion such as %d or %s. Returns false if the value
 * is unknown or the conversion is not supported. */
static bool add_conversion(pm_host_state *state, pm_text *text, char conversion,
                           pm_host_value value)
{
    const char *of;

    switch (conversion) {
    case 's':
        of = pm_host_text(state, value);
        if (of)
            pm_text_add(text, "%s", of);
        return of != NULL;
    case 'd':
    case 'i':
    case 'u':
        if (value.kind == PM_HOST_INTEGER)
            pm_text_add(text, "%lld", value.integer);
        return value.kind == PM_HOST_INTEGER;
    case 'f':
    case 'g':
    case 'e':
        if (pm_host_is_known(value))
            pm_text_add(text, conversion == 'f' ? "%f" : "%g",
                        value.kind == PM_HOST_REAL ? value.real : (double)value.integer);
        return pm_host_is_known(value);
    default:
        return false;
    }
}

/* Returns the text that printf would make from a format string and a call's arguments from number
 * `next` on. Returns NULL if a part of the text is unknown. */
static const char *format(pm_host_state *state, pm_host_node *call, const char *of, size_t next)
{
    pm_text text = {.memory = state->memory};

    for (; *of; of++) {
        if (*of != '%') {
            pm_text_add(&text, "%c", *of);
            continue;
        }
        of++;
        if (*of == '%') {
            pm_text_add(&text, "%%");
            continue;
        }
        of += strspn(of, "0123456789.-+ #lhz");
        if (!*of || text.length > MOST_LENGTH ||
            !add_conversion(state, &text, *of, argument(state, call, next++)))
            return NULL;
    }
    return pm_text_get(&text);
}

/* Stores a string at the address that is the call's first argument, as sprintf does. */
static pm_host_value put(pm_host_state *state, pm_host_node *call, const char *text)
{
    const pm_host_value to = argument(state, call, 0);

    if (to.kind != PM_HOST_POINTER)
        return pm_host_unknown(NULL, 0);
    pm_host_store(&state->heap, (pm_host_place){to.object, to.offset},
                  (CXType){.kind = CXType_Pointer}, text_value(state, text));
    return text ? pm_host_integer((long long)strlen(text)) : pm_host_unknown(NULL, 0);
}

static const char *joined(pm_host_state *state, pm_host_value first, pm_host_value second)
{
    const char *a = pm_host_text(state, first), *b = pm_host_text(state, second);

    return a && b && strlen(a) + strlen(b) < MOST_LENGTH ? pm_format(state->memory, "%s%s", a, b)
                                                         : NULL;
}

static const char *number_text(pm_host_state *state, pm_host_value value)
{
    if (value.kind == PM_HOST_INTEGER)
        return pm_format(state->memory, "%lld", value.integer);
    return value.kind == PM_HOST_REAL ? pm_format(state->memory, "%f", value.real) : NULL;
}

bool pm_host_call_text(pm_host_state *state, pm_host_node *call, const char *name,
                       pm_host_value *result)
{
    const bool sized = strcmp(name, "snprintf") == 0;

    if (sized || strcmp(name, "sprintf") == 0) {
        const char *of = pm_host_text(state, argument(state, call, sized ? 2 : 1));

        *result = put(state, call, of ? format(state, call, of, sized ? 3 : 2) : NULL);
    } else if (strcmp(name, "strcpy") == 0) {
        put(state, call, pm_host_text(state, argument(state, call, 1)));
        *result = argument(state, call, 0);
    } else if (strcmp(name, "strcat") == 0) {
        put(state, call, joined(state, argument(state, call, 0), argument(state, call, 1)));
        *result = argument(state, call, 0);
    } else if (strcmp(name, "pm_joined") == 0) {
        *result =
            text_value(state, joined(state, argument(state, call, 0), argument(state, call, 1)));
    } else if (strcmp(name, "pm_number_text") == 0) {
        *result = text_value(state, number_text(state, argument(state, call, 0)));
    } else {
        return false;
    }
    return true;
}
