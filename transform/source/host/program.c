/* Gives interpreted host code the program's command-line arguments, and executes functions that
 * parse strings, such as atoi and getopt. See state.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An argument is an object of the interpreter's memory that stores one character per cell. Values
 * that are read from the program's arguments are marked as assumed, because the program may be run
 * with others.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/strings.h"
#include "transform/source/host/state.h"

enum { MOST_LENGTH = 256 };

static const CXType char_type = {.kind = CXType_Char_S};
static const CXType pointer_type = {.kind = CXType_Pointer};

/* ---- the program's arguments --------------------------------------------------------------- */

static pm_host_value make_text(pm_host_state *state, const char *text)
{
    const size_t object = pm_host_add_object(&state->heap, PM_HOST_VARIABLE, "", char_type, 0);

    for (size_t i = 0; i <= strlen(text) && i < MOST_LENGTH; i++) {
        pm_host_value letter = pm_host_integer(text[i]);

        letter.assumed = true;
        pm_host_store(&state->heap, (pm_host_place){object, i}, char_type, letter);
    }
    return pm_host_pointer((pm_host_place){object, 0});
}

pm_host_value pm_host_argument_count(const pm_host_state *state)
{
    pm_host_value count = pm_host_integer(1);

    count.no_arguments = !state->has_arguments;
    count.assumed = state->has_arguments;
    count.integer += (long long)state->program_argument_count;
    return count;
}

pm_host_value pm_host_argument_list(pm_host_state *state)
{
    size_t list;

    if (!state->has_arguments)
        return pm_host_unknown(NULL, 0);
    list = pm_host_add_object(&state->heap, PM_HOST_VARIABLE, "argv", pointer_type, 0);
    pm_host_store(&state->heap, (pm_host_place){list, 0}, pointer_type,
                  make_text(state, "program"));
    for (size_t i = 0; i < state->program_argument_count; i++) {
        const pm_host_value text = make_text(state, state->program_arguments[i]);

        pm_host_store(&state->heap, (pm_host_place){list, 8 * (i + 1)}, pointer_type, text);
    }
    return pm_host_pointer((pm_host_place){list, 0});
}

/* ---- reading texts ------------------------------------------------------------------------- */

/* Copies the string to which a pointer value points to `text`. Returns false if a character of the
 * string is unknown. */
static bool read_text(pm_host_state *state, pm_host_value value, char text[MOST_LENGTH])
{
    const char *whole = pm_host_text(state, value);

    if (whole && strlen(whole) < MOST_LENGTH) {
        strcpy(text, whole);
        return true;
    }
    if (value.kind != PM_HOST_POINTER)
        return false;
    for (size_t i = 0; i < MOST_LENGTH; i++) {
        const pm_host_value letter =
            pm_host_load(&state->heap, (pm_host_place){value.object, value.offset + i}, char_type);

        if (letter.kind != PM_HOST_INTEGER)
            return false;
        text[i] = (char)letter.integer;
        if (!text[i])
            return true;
    }
    return false;
}

/* Returns a call's argument that is a string. If the argument is a std::string, returns the C
 * string from which it was constructed. */
static pm_host_value text_argument(pm_host_state *state, pm_host_node *call, size_t index)
{
    pm_host_node *node = pm_host_bare(state->tree, pm_host_argument(state->tree, call, index));

    for (int depth = 0;
         depth < 8 && node && !pm_host_is_pointer(node->type) && !pm_host_is_array(node->type);
         depth++) {
        size_t at = 0;

        while (at < node->count && !clang_isExpression(node->children[at]->kind))
            at++;
        if (at == node->count)
            break;
        node = pm_host_bare(state->tree, node->children[at]);
    }
    return pm_host_evaluate(state, node);
}

/* ---- numbers ------------------------------------------------------------------------------- */

static pm_host_value number_of(pm_host_state *state, pm_host_node *call, bool is_real)
{
    const pm_host_value from = text_argument(state, call, 0);
    const pm_host_value base = pm_host_arguments(call) > 2
                                   ? pm_host_evaluate(state, pm_host_argument(state->tree, call, 2))
                                   : pm_host_integer(10);
    char text[MOST_LENGTH];
    pm_host_value result;

    if (!read_text(state, from, text) || base.kind != PM_HOST_INTEGER || base.integer < 0 ||
        base.integer > 36)
        return pm_host_unknown(NULL, 0);
    if (is_real) {
        result = pm_host_real(strtod(text, NULL));
    } else {
        result = pm_host_integer(strtoll(text, NULL, (int)base.integer));
        if (state->most_argument > 0 && result.integer > state->most_argument)
            result.integer = state->most_argument;
        if (result.integer > state->largest_argument)
            state->largest_argument = result.integer;
    }
    result.assumed = true;
    return result;
}

/* ---- comparisons --------------------------------------------------------------------------- */

/* Executes strcmp and similar functions. If a string is unknown, the result is 1 (not equal). */
static pm_host_value compare(pm_host_state *state, pm_host_node *call, const char *name)
{
    const bool ignores_case = strstr(name, "case") != NULL;
    char a[MOST_LENGTH], b[MOST_LENGTH];
    pm_host_value result = pm_host_integer(1), most = pm_host_integer(MOST_LENGTH);
    const pm_host_value first = text_argument(state, call, 0);
    const pm_host_value second = text_argument(state, call, 1);

    if (pm_host_arguments(call) > 2)
        most = pm_host_evaluate(state, pm_host_argument(state->tree, call, 2));
    if (most.kind == PM_HOST_INTEGER && most.integer >= 0 && read_text(state, first, a) &&
        read_text(state, second, b)) {
        const size_t length = (size_t)most.integer;

        result.integer = ignores_case ? strncasecmp(a, b, length) : strncmp(a, b, length);
        result.assumed = true;
    } else {
        result.no_arguments = true;
    }
    return result;
}

static pm_host_value length_of(pm_host_state *state, pm_host_node *call)
{
    const pm_host_value from = text_argument(state, call, 0);
    char text[MOST_LENGTH];
    pm_host_value result;

    if (!read_text(state, from, text))
        return pm_host_unknown(NULL, 0);
    result = pm_host_integer((long long)strlen(text));
    result.assumed = true;
    return result;
}

/* ---- getopt -------------------------------------------------------------------------------- */

/* Sets optarg to the value of a command-line option. list: argv. behind: the text after the option
 * in its word, as in -n5; first: the first character of this text. If first is '\0', the value is
 * the next word, as in -n 5. */
static void take_value(pm_host_state *state, pm_host_value list, pm_host_value behind, char first)
{
    if (first) {
        state->option_value = behind;
        return;
    }
    state->option_value = pm_host_load(
        &state->heap, (pm_host_place){list.object, list.offset + 8 * state->option_index},
        pointer_type);
    state->option_index++;
}

/* Handles a command-line option --NAME or --NAME=VALUE for getopt_long. table: array of struct
 * option with name, has_arg, flag and val. */
static pm_host_value long_option(pm_host_state *state, pm_host_value list, pm_host_value table,
                                 pm_host_value argument, const char *text)
{
    const size_t length = strcspn(text, "=");
    const CXType int_type = {.kind = CXType_Int};
    char name[MOST_LENGTH];

    for (uint64_t at = table.offset; table.kind == PM_HOST_POINTER; at += 32) {
        const pm_host_value takes =
            pm_host_load(&state->heap, (pm_host_place){table.object, at + 8}, int_type);

        if (!read_text(state,
                       pm_host_load(&state->heap, (pm_host_place){table.object, at}, pointer_type),
                       name))
            break;
        if (strlen(name) != length || strncmp(name, text, length) != 0)
            continue;
        argument.offset += 2 + length + (text[length] == '=');
        if (takes.kind == PM_HOST_INTEGER && takes.integer == 1)
            take_value(state, list, argument, text[length] ? '=' : '\0');
        return pm_host_load(&state->heap, (pm_host_place){table.object, at + 24}, int_type);
    }
    return pm_host_integer('?');
}

/* Returns the next command-line option, as getopt(argc, argv, letters) or getopt_long(argc, argv,
 * letters, table, index) does. Unlike the C library, it leaves the order of the arguments
 * unchanged. */
static pm_host_value next_option(pm_host_state *state, pm_host_node *call)
{
    const pm_host_value list = pm_host_evaluate(state, pm_host_argument(state->tree, call, 1));
    const pm_host_value letters = text_argument(state, call, 2);
    pm_host_value result = pm_host_integer(-1), argument;
    char text[MOST_LENGTH], known[MOST_LENGTH];
    const char *letter;

    result.assumed = true;
    do { /* skips command-line arguments that are not options */
        if (list.kind != PM_HOST_POINTER || state->option_index > state->program_argument_count)
            return result;
        argument = pm_host_load(&state->heap,
                                (pm_host_place){list.object, list.offset + 8 * state->option_index},
                                pointer_type);
        if (!read_text(state, argument, text) || !read_text(state, letters, known))
            return result;
        state->option_index++;
    } while (text[0] != '-' || !text[1]);
    if (text[1] == '-') {
        const pm_host_value table =
            pm_host_arguments(call) > 3
                ? pm_host_evaluate(state, pm_host_argument(state->tree, call, 3))
                : pm_host_unknown(NULL, 0);

        return long_option(state, list, table, argument, text + 2);
    }
    letter = strchr(known, text[1]);
    argument.offset += 2;
    if (letter && letter[1] == ':')
        take_value(state, list, argument, text[2]);
    result.integer = letter ? text[1] : '?';
    return result;
}

/* ---- dispatch by name ---------------------------------------------------------------------- */

bool pm_host_call_reader(pm_host_state *state, pm_host_node *call, const char *name,
                         pm_host_value *result)
{
    static const char *const integers[] = {"atoi",    "atol",     "atoll", "strtol", "strtoul",
                                           "strtoll", "strtoull", "stoi",  "stol",   "stoul",
                                           "stoll",   "stoull",   NULL};
    static const char *const reals[] = {"atof", "strtod", "strtof", "stof", "stod", NULL};
    static const char *const comparisons[] = {"strcmp", "strncmp", "strcasecmp", "strncasecmp",
                                              NULL};

    if (pm_listed(integers, name) || pm_listed(reals, name))
        *result = number_of(state, call, pm_listed(reals, name));
    else if (pm_listed(comparisons, name))
        *result = compare(state, call, name);
    else if (strcmp(name, "strlen") == 0)
        *result = length_of(state, call);
    else if (state->has_arguments &&
             (strcmp(name, "getopt") == 0 || strcmp(name, "getopt_long") == 0))
        *result = next_option(state, call);
    else
        return false;
    return true;
}
