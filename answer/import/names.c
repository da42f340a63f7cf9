/* Shortens the names of kernels in a profiler's output, and compares them with the names in a
 * workload. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "answer/import/parts.h"

/* Returns the length of the name without a suffix in brackets, such as " [clone .kd]". */
static size_t without_suffix(const char *full)
{
    static const char *const suffixes[] = {" (.kd)", ".kd"};
    const char *bracket = strstr(full, " [");
    size_t length = bracket ? (size_t)(bracket - full) : strlen(full);

    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        const size_t tail = strlen(suffixes[i]);

        if (length > tail && strncmp(full + length - tail, suffixes[i], tail) == 0)
            length -= tail;
    }
    return length;
}

/* Returns the length of a text in parentheses at `at` that belongs to a name: "(anonymous
 * namespace)", or the "()" of operator(). 0: parameters begin there. */
static size_t skip_in_name(const char *full, const char *at)
{
    static const char unnamed[] = "(anonymous namespace)", call[] = "operator";
    const size_t before = strlen(call);

    if (strncmp(at, unnamed, strlen(unnamed)) == 0)
        return strlen(unnamed);
    return (size_t)(at - full) >= before && strncmp(at - before, call, before) == 0 &&
                   strncmp(at, "()", 2) == 0
               ? 2
               : 0;
}

/* Finds the kernel's name in a text with return type and parameters. It begins at full[*begin] and
 * ends before full[*end]. */
static void find_name(const char *full, size_t length, size_t *begin, size_t *end)
{
    int depth = 0;

    *begin = 0;
    *end = length;
    for (size_t i = 0; i < length; i++) {
        const char c = full[i];

        depth += (c == '<') - (c == '>' && depth > 0);
        if (depth > 0 || (c != '(' && c != ' '))
            continue;
        if (c == ' ' && i + 1 < length && full[i + 1] != '<') {
            *begin = i + 1;
        } else if (c == '(') {
            const size_t skipped = skip_in_name(full, full + i);

            if (skipped == 0) {
                *end = i;
                return;
            }
            i += skipped - 1;
        }
    }
}

/* Returns the name in a mangled name of the Itanium C++ ABI, such as "scale" for "_ZN3app5scaleEPf"
 * and "_Z5scalePf". NULL: the text is no mangled name. */
static char *unmangle(pm_memory *memory, const char *full)
{
    const char *at = full + 2, *name = NULL;
    size_t length = 0;

    if (strncmp(full, "_Z", 2) != 0)
        return NULL;
    at += *at == 'N';
    while (isdigit((unsigned char)*at)) {
        char *end;
        const unsigned long count = strtoul(at, &end, 10);

        if (count == 0 || count > strlen(end))
            return NULL;
        name = end;
        length = count;
        at = end + count;
        if (full[2] != 'N')
            break;
    }
    return name ? pm_format(memory, "%.*s", (int)length, name) : NULL;
}

/* Returns the length of a cast such as "(int)" or "(unsigned int)" of a constant; 0: none. */
static size_t skip_cast(const char *at)
{
    const size_t words = *at == '(' ? strspn(at + 1, "abcdefghijklmnopqrstuvwxyz ") : 0;
    const char after = words > 0 && at[words + 1] == ')' ? at[words + 2] : '\0';

    return after == '-' || isdigit((unsigned char)after) ? words + 2 : 0;
}

/* Returns a copy of the first `length` characters of a text without casts of constants. */
static char *without_casts(pm_memory *memory, const char *text, size_t length)
{
    char *copy = pm_take(memory, length + 1, 1);
    size_t used = 0;

    for (size_t i = 0; i < length; i++) {
        const size_t cast = skip_cast(text + i);

        if (cast > 0 && i + cast < length)
            i += cast;
        copy[used++] = text[i];
    }
    return copy;
}

char *pm_import_kernel_name(pm_memory *memory, const char *full)
{
    char *name = unmangle(memory, full);
    size_t begin, end;

    if (name)
        return name;
    find_name(full, without_suffix(full), &begin, &end);
    if (begin >= end)
        return pm_copy(memory, full);
    return without_casts(memory, full + begin, end - begin);
}

char *pm_import_base_name(pm_memory *memory, const char *name)
{
    const char *overloaded = strstr(name, "operator");
    const size_t length = overloaded ? strlen(name) : strcspn(name, "<");

    return pm_format(memory, "%.*s", (int)(length > 0 ? length : strlen(name)), name);
}

/* Returns a name of a kernel in a form that can be compared. Spaces are removed, and so are
 * suffixes of numbers such as u and ul. true and false become 1 and 0. */
static char *normalized(pm_memory *memory, const char *name)
{
    char *out = pm_take(memory, strlen(name) + 1, 1), *end = out;

    for (const char *at = name; *at; at++) {
        const bool starts = at == name || !pm_is_word(at[-1]);

        if (*at == ' ')
            continue;
        if (starts && (strncmp(at, "true", 4) == 0 || strncmp(at, "false", 5) == 0)) {
            *end++ = *at == 't' ? '1' : '0';
            at += *at == 't' ? 3 : 4;
        } else if (starts && isdigit((unsigned char)*at)) {
            const size_t digits = strspn(at, "0123456789");

            memcpy(end, at, digits);
            end += digits;
            at += digits + strspn(at + digits, "uUlL") - 1;
        } else {
            *end++ = *at;
        }
    }
    return out;
}

bool pm_import_same_name(pm_memory *memory, const char *a, const char *b)
{
    return strcmp(normalized(memory, a), normalized(memory, b)) == 0;
}
