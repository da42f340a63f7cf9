/* Extracts OpenCL C from the string literals of a host program. See embedded.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/embedded.h"

#include <ctype.h>
#include <string.h>

#include "base/strings.h"
#include "base/text.h"

enum { MOST_MACROS = 8, MOST_NAME = 64 };

typedef struct {
    const char *at;
    size_t line;
    /* text of string literals without code between them, which C joins to one */
    pm_text run;
    size_t first_line; /* line of the file in which the first of these literals starts */
    size_t run_lines;  /* number of newlines in `run` */
    pm_text out;
    size_t out_lines; /* number of lines in the output so far */
    size_t macro_count;
    /* names of macros that convert their arguments to a string, as TEXT in #define TEXT(...)
     * #__VA_ARGS__ */
    char macros[MOST_MACROS][MOST_NAME];
} scan;

bool pm_has_embedded(const char *path)
{
    static const char *const endings[] = {".c", ".cc", ".cpp", ".cxx", ".C"};

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (path && pm_ends_in(path, endings[i]))
            return true;
    return false;
}

/* ---- runs of neighbouring string literals -------------------------------------------------- */

/* Returns whether the text probably defines a kernel: it has the word kernel or __kernel, followed
 * later by a parenthesis. */
static bool has_kernel(const char *text)
{
    static const char *const words[] = {"kernel", "__kernel"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (const char *at = text; (at = pm_find_word(at, words[i])) != NULL;) {
            at += strlen(words[i]);
            if (isspace((unsigned char)*at) && strchr(at, '('))
                return true;
        }
    return false;
}

/* Ends a sequence of string literals that C joins. If their text defines a kernel, it is appended
 * to the output. */
static void end_run(scan *s)
{
    if (s->run.length > 0 && has_kernel(pm_text_get(&s->run))) {
        for (; s->out_lines + 1 < s->first_line; s->out_lines++)
            pm_text_add(&s->out, "\n");
        pm_text_add(&s->out, "%s\n", pm_text_get(&s->run));
        s->out_lines += s->run_lines + 1;
    }
    pm_text_free(&s->run);
    s->run = (pm_text){0};
    s->run_lines = 0;
}

static void begin_literal(scan *s)
{
    const size_t at = s->first_line + s->run_lines;

    if (s->run.length == 0) {
        s->first_line = s->line;
        return;
    }
    if (pm_text_get(&s->run)[s->run.length - 1] != '\n')
        return;
    for (size_t line = at; line < s->line; line++, s->run_lines++)
        pm_text_add(&s->run, "\n");
}

static void add(scan *s, char c)
{
    s->run_lines += c == '\n';
    pm_text_put(&s->run, &c, 1);
}

/* ---- literals ------------------------------------------------------------------------------ */

static char unescaped(char c)
{
    switch (c) {
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case 'r':
        return ' ';
    default:
        return c;
    }
}

static void skip_character(scan *s)
{
    s->line += *s->at == '\n';
    s->at++;
}

/* Reads a string literal "..." and appends its contents to the text of joined literals. */
static void read_literal(scan *s)
{
    begin_literal(s);
    for (s->at++; *s->at && *s->at != '"' && *s->at != '\n'; skip_character(s)) {
        if (*s->at != '\\') {
            add(s, *s->at);
            continue;
        }
        skip_character(s);
        if (!*s->at)
            return;
        if (*s->at == '\r' && s->at[1] == '\n')
            s->at++;
        if (*s->at != '\n')
            add(s, unescaped(*s->at));
    }
    if (*s->at == '"')
        s->at++;
}

/* Reads a raw string literal R"mark(...)mark" and appends its contents to the text of joined
 * literals. */
static void read_raw(scan *s)
{
    char end[24] = ")";
    size_t length = 1;

    begin_literal(s);
    for (s->at += 2; *s->at && *s->at != '(' && length < sizeof end - 2; s->at++)
        end[length++] = *s->at;
    end[length++] = '"';
    end[length] = '\0';
    if (*s->at)
        s->at++;
    for (; *s->at && strncmp(s->at, end, length) != 0; skip_character(s))
        add(s, *s->at);
    if (*s->at)
        s->at += length;
}

/* Reads NAME(...), where NAME is a macro that converts its arguments to a string. Appends the
 * arguments to the text of joined literals. */
static void read_argument(scan *s)
{
    int depth = 1;

    while (*s->at != '(')
        skip_character(s);
    begin_literal(s);
    for (s->at++; *s->at; skip_character(s)) {
        depth += (*s->at == '(') - (*s->at == ')');
        if (depth == 0)
            break;
        add(s, *s->at);
    }
    if (*s->at)
        s->at++;
}

/* ---- text outside of literals -------------------------------------------------------------- */

static void skip_comment(scan *s)
{
    const bool is_line = s->at[1] == '/';

    for (s->at += 2; *s->at; skip_character(s))
        if (is_line ? *s->at == '\n' : s->at[0] == '*' && s->at[1] == '/')
            break;
    if (!is_line && *s->at)
        s->at += 2;
}

static void skip_quoted(scan *s)
{
    for (s->at++; *s->at && *s->at != '\'' && *s->at != '\n'; skip_character(s))
        if (*s->at == '\\' && s->at[1])
            skip_character(s);
    if (*s->at == '\'')
        s->at++;
}

static size_t word_length(const char *at)
{
    size_t length = 0;

    while (pm_is_word(at[length]))
        length++;
    return length;
}

/* Reads a definition #define NAME(...) #__VA_ARGS__ and adds NAME to s->macros. */
static void note_macro(scan *s)
{
    const char *at = s->at + 1;
    size_t length;

    at += strspn(at, " \t");
    if (strncmp(at, "define", 6) != 0)
        return;
    at += 6;
    at += strspn(at, " \t");
    length = word_length(at);
    if (length == 0 || length >= MOST_NAME || at[length] != '(' || s->macro_count == MOST_MACROS)
        return;
    memcpy(s->macros[s->macro_count], at, length);
    s->macros[s->macro_count][length] = '\0';
    at += length + strcspn(at + length, ")\n");
    at += *at == ')';
    at += strspn(at, " \t\\\r\n");
    if (*at == '#' && at[1] != '#')
        s->macro_count++;
}

static void skip_directive(scan *s)
{
    for (; *s->at && *s->at != '\n'; skip_character(s))
        if (*s->at == '\\' && s->at[1])
            skip_character(s);
}

static bool is_macro(const scan *s, const char *at, size_t length)
{
    for (size_t i = 0; i < s->macro_count; i++)
        if (strlen(s->macros[i]) == length && strncmp(s->macros[i], at, length) == 0)
            return at[length + strspn(at + length, " \t\r\n")] == '(';
    return false;
}

static void read_word(scan *s)
{
    const size_t length = word_length(s->at);

    if (s->at[length] == '"' && length <= 3 && s->at[length - 1] == 'R') {
        s->at += length - 1;
        read_raw(s);
    } else if (is_macro(s, s->at, length)) {
        read_argument(s);
    } else {
        end_run(s);
        s->at += length;
    }
}

static void read_token(scan *s, bool *at_start)
{
    const bool starts = *at_start;

    *at_start = *s->at == '\n' || (starts && isspace((unsigned char)*s->at));
    if (*s->at == '/' && (s->at[1] == '/' || s->at[1] == '*')) {
        skip_comment(s);
    } else if (*s->at == '"') {
        read_literal(s);
    } else if (*s->at == '\'') {
        skip_quoted(s);
    } else if (*s->at == '#' && starts) {
        end_run(s);
        note_macro(s);
        skip_directive(s);
    } else if (pm_is_word(*s->at)) {
        read_word(s);
    } else {
        if (!isspace((unsigned char)*s->at) && *s->at != ',' && *s->at != '\\')
            end_run(s);
        skip_character(s);
    }
}

char *pm_embedded_opencl(const char *text)
{
    scan s = {.at = text, .line = 1};
    bool at_start = true;

    while (*s.at)
        read_token(&s, &at_start);
    end_run(&s);
    if (s.out.length == 0)
        pm_text_add(&s.out, "%s", "");
    return pm_text_take(&s.out);
}
