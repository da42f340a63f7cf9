/* Splits C and CUDA C++ into tokens. See code_text.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/cuda_source/code_text.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

bool pm_word_is(pm_code_word w, const char *text)
{
    return strlen(text) == w.length && memcmp(w.begin, text, w.length) == 0;
}

bool pm_word_is_one_of(pm_code_word w, const char *const *list)
{
    for (; *list; list++)
        if (pm_word_is(w, *list))
            return true;
    return false;
}

char *pm_end_of_line(char *at)
{
    while (*at && *at != '\n')
        at += at[0] == '\\' && at[1] ? 2 : 1;
    return at;
}

char *pm_end_of_comment(char *at)
{
    char *end = strstr(at + 2, "*/");

    return end ? end + 2 : at + strlen(at);
}

/* Returns the position after the string or character constant that starts at `at`. */
static char *end_of_quoted(char *at)
{
    const char quote = *at++;

    while (*at && *at != quote && *at != '\n')
        at += at[0] == '\\' && at[1] ? 2 : 1;
    return *at == quote ? at + 1 : at;
}

pm_code_word pm_word_at(const char *at)
{
    pm_code_word w = {at, 0};

    while (isalnum((unsigned char)at[w.length]) || at[w.length] == '_')
        w.length++;
    return w;
}

/* Returns the name of the directive that follows a '#'. */
pm_code_word pm_directive_at(const char *hash)
{
    hash++;
    return pm_word_at(hash + strspn(hash, " \t"));
}

bool pm_starts_line(const char *text, const char *at)
{
    while (at > text && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at == text || at[-1] == '\n';
}

char *pm_end_of_token(char *at)
{
    if (*at == '"' || *at == '\'')
        return end_of_quoted(at);
    if (isalnum((unsigned char)*at) || *at == '_') {
        pm_code_word w = pm_word_at(at);

        at += w.length;
        while (isdigit((unsigned char)*w.begin) && *at == '\'' && isalnum((unsigned char)at[1]))
            at += 1 + pm_word_at(at + 1).length; /* skips digit separators, as in 1'000'000 */
        return at;
    }
    return at + 1;
}

char *pm_end_of_braces(const char *text, char *at)
{
    long depth = 0;

    while (pm_find_token(text, &at)) {
        depth += (*at == '{') - (*at == '}');
        at = pm_end_of_token(at);
        if (depth == 0)
            break;
    }
    return at;
}

/* Returns whether a preprocessor directive stays in the text when pm_code_blank replaces code by
 * blanks: a condition, a definition, or #line. */
static bool is_kept(pm_code_word directive)
{
    static const char *const kept[] = {"if",    "ifdef",  "ifndef", "elif", "else",
                                       "endif", "define", "undef",  "line", NULL};

    return pm_word_is_one_of(directive, kept);
}

void pm_code_blank(const char *text, char *begin, const char *end)
{
    for (char *at = begin; at < end;) {
        if (*at == '#' && pm_starts_line(text, at) && is_kept(pm_directive_at(at))) {
            at = pm_end_of_line(at);
            continue;
        }
        if (*at != '\n')
            *at = ' ';
        at++;
    }
}

bool pm_find_token(const char *text, char **at)
{
    for (;;) {
        *at += strspn(*at, " \t\r\n\v\f\\");
        if (((*at)[0] == '/' && (*at)[1] == '/') || (**at == '#' && pm_starts_line(text, *at)))
            *at = pm_end_of_line(*at);
        else if ((*at)[0] == '/' && (*at)[1] == '*')
            *at = pm_end_of_comment(*at);
        else
            return **at != '\0';
    }
}

bool pm_code_calls(const char *text, const char *word)
{
    /* the cast removes const, because pm_find_token takes char *; it only reads the text */
    char *at = (char *)(uintptr_t)text;

    while (pm_find_token(text, &at)) {
        const pm_code_word w = pm_word_at(at);

        at = pm_end_of_token(at);
        if (w.length > 0 && pm_word_is(w, word) && at[strspn(at, " \t")] == '(')
            return true;
    }
    return false;
}
