/* Finds the #include directives of a source. See includes.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/includes.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST_COMMENT = 4096 };

static const char HASH[] = "\?\?=", BACKSLASH[] = "\?\?/"; /* trigraphs */

/* Returns whether a character counts as a blank for some compiler. Some accept non-ASCII characters
 * as blanks. */
static bool is_blank(char c)
{
    return (unsigned char)c >= 0x80 || (c && strchr(" \t\v\f", c));
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

void pm_includes_join(char *text)
{
    char *to = text;

    while (*text) {
        /* a backslash joins lines even if blanks follow it; compilers ignore them */
        const char *end = *text == '\\' ? text + 1 + strspn(text + 1, " \t\v\f") : text;

        if (end != text && is_line_end(*end)) {
            text += end - text + 1 + (end[0] == '\r' && end[1] == '\n');
            continue;
        }
        *to++ = *text++;
    }
    *to = '\0';
}

/* Returns the position after blanks and comments at `at`. A very long comment is not skipped. */
static const char *skip(const char *at)
{
    for (;;) {
        const size_t most = strncmp(at, "/*", 2) == 0 ? strnlen(at, LONGEST_COMMENT) : 0;
        const char *end = most > 2 ? memmem(at + 2, most - 2, "*/", 2) : NULL;

        if (end)
            at = end + 2;
        else if (is_blank(*at))
            at++;
        else
            return at;
    }
}

static const char *skip_back(const char *text, const char *at)
{
    while (at > text && is_blank(at[-1]))
        at--;
    return at;
}

/* Returns whether `at` follows the end of a comment. */
static bool ends_comment(const char *text, const char *at)
{
    return at > text + 1 && memcmp(at - 2, "*/", 2) == 0;
}

/* Returns whether a word may be the name of a preprocessor directive. There must be a # before it
 * that is the first character of its line. If a comment is before the word or the #, returns true
 * as well, because some compiler may see a directive there. */
static bool is_directive(const char *text, const char *word)
{
    const char *at = skip_back(text, word);

    if (ends_comment(text, at))
        return true;
    if (at > text && at[-1] == '#')
        at = skip_back(text, at - 1);
    else if (at > text + 1 && memcmp(at - 2, "%:", 2) == 0)
        at = skip_back(text, at - 2);
    else if (at > text + 2 && memcmp(at - 3, HASH, 3) == 0)
        at = skip_back(text, at - 3);
    else
        return false;
    return at == text || is_line_end(at[-1]) || ends_comment(text, at);
}

/* Returns the length of the name of an include directive at `at`, such as "include_next", and sets
 * found->next and found->text. 0: there is none. */
static size_t word_of(const char *at, pm_include *found)
{
    static const char *const words[] = {"include_next", "include", "import", "embed"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i]);

        if (strncmp(at, words[i], length) == 0 && !isalnum((unsigned char)at[length]) &&
            at[length] != '_') {
            *found = (pm_include){.next = i == 0, .text = i < 3};
            return length;
        }
    }
    return 0;
}

bool pm_includes_next(const char *text, const char **at, pm_include *found)
{
    while (**at) {
        const char *word = *at, *name;
        const size_t length = strchr("ie", *word) ? word_of(word, found) : 0;
        const char *end;

        ++*at;
        if (!length || !is_directive(text, word))
            continue;
        name = skip(word + length);
        if (*name != '"' && *name != '<') {
            /* An include directive without a file name is an error in every compiler. Skip it. */
            if (!*name || is_line_end(*name))
                continue;
            return true;
        }
        found->quoted = *name == '"';
        end = strpbrk(name + 1, found->quoted ? "\"\n\r" : ">\n\r");
        if (!end || is_line_end(*end))
            continue;
        found->name = name + 1;
        found->length = (size_t)(end - name) - 1;
        *at = end;
        return true;
    }
    return false;
}

bool pm_includes_trigraph(const char *text)
{
    return strstr(text, HASH) || strstr(text, BACKSLASH);
}
