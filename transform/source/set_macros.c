/* If the user gives a macro's value on the command line, removes the definition of this macro from
 * the source. See set_macros.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/set_macros.h"

#include <string.h>

#include "base/strings.h"

/* Returns the offset of the end of the line that contains offset `at`. A line that ends in a
 * backslash continues on the next line. */
static size_t end_of_line(const char *text, size_t at)
{
    while (text[at] && (text[at] != '\n' || (at > 0 && text[at - 1] == '\\')))
        at++;
    return at;
}

/* Returns whether a line defines the macro NAME of `set`, which is "NAME=VALUE". */
static bool defines(const char *line, const char *set)
{
    const size_t length = strcspn(set, "=");
    const char *at = line + strspn(line, " \t");

    if (*at != '#')
        return false;
    at += 1 + strspn(at + 1, " \t");
    if (strncmp(at, "define", 6) != 0 || (at[6] != ' ' && at[6] != '\t'))
        return false;
    at += 6 + strspn(at + 6, " \t");
    return length > 0 && strncmp(at, set, length) == 0 && !pm_is_word(at[length]) &&
           at[length] != '(';
}

bool pm_set_is_macro(const char *text, const char *set)
{
    for (size_t at = 0; text[at]; at++) {
        if (defines(text + at, set))
            return true;
        at = end_of_line(text, at);
        if (!text[at])
            break;
    }
    return false;
}

char *pm_text_without_macros(const char *text, const char *const *sets, pm_memory *memory)
{
    char *made = pm_copy(memory, text);

    for (size_t at = 0; made[at]; at++) {
        const size_t begin = at;
        bool set = false;

        for (size_t i = 0; sets && sets[i] && !set; i++)
            set = defines(text + begin, sets[i]);
        at = end_of_line(text, begin);
        for (size_t i = begin; set && i < at; i++)
            if (made[i] != '\n')
                made[i] = ' ';
        if (!made[at])
            break;
    }
    return made;
}
