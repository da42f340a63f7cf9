/* Scans words and operators of Python's expressions. See python_words.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "answer/tune/python_words.h"

#include <ctype.h>
#include <string.h>

void pm_python_skip(const char **at)
{
    *at += strspn(*at, " \t\r\n");
}

size_t pm_python_word(const char *at)
{
    size_t n = 0;

    while (isalnum((unsigned char)at[n]) || at[n] == '_')
        n++;
    return n;
}

bool pm_python_is_word(const char *at, const char *word)
{
    const size_t n = strlen(word);

    return pm_python_word(at) == n && strncmp(at, word, n) == 0;
}

bool pm_python_take_word(const char **at, const char *word)
{
    pm_python_skip(at);
    if (!pm_python_is_word(*at, word))
        return false;
    *at += strlen(word);
    return true;
}

bool pm_python_take(const char **at, const char *sign, const char *not_before)
{
    const size_t n = strlen(sign);

    pm_python_skip(at);
    if (strncmp(*at, sign, n) != 0 || ((*at)[n] && strchr(not_before, (*at)[n])))
        return false;
    *at += n;
    return true;
}

bool pm_python_take_not_in(const char **at)
{
    const char *begin = *at;

    if (pm_python_take_word(at, "not") && pm_python_take_word(at, "in"))
        return true;
    *at = begin;
    return false;
}

const char *pm_python_take_comparison(const char **at)
{
    static const char *const signs[] = {"<=", ">=", "==", "!=", "<", ">"};

    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (pm_python_take(at, signs[i], "<>"))
            return signs[i];
    return NULL;
}
