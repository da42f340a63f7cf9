/* Finds the command-line arguments with which the makefile of a CUDA program runs it. Host code
 * often computes the sizes of its launches from them. See bare.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The commands are those of the rule `run`, or else `test`, that start a program of the folder
 * (./NAME). The first of these commands is used, unless no launch can be traced with its arguments.
 * In a command, variables that the makefile sets are replaced by their values, and other variables
 * by nothing.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strings.h"
#include "base/text.h"
#include "program/bare/bare.h"

enum {
    MOST_BYTES = 1 << 20,
    MOST_DEPTH = 8,
    MOST_ARGUMENTS = 32,
    MOST_COMMANDS = 4,
    MOST_TEXT = 4096
};

typedef struct {
    pm_memory *memory;
    const char *text; /* text of the makefile, with continuation lines joined */
} makefile;

/* ---- variables ------------------------------------------------------------------------------ */

/* Returns the value that a line NAME = VALUE of a makefile sets. name: NAME, `length` characters.
 * NULL: the line does not set this variable. */
static const char *value_in(const char *line, const char *name, size_t length)
{
    if (strncmp(line, name, length) != 0)
        return NULL;
    line += length;
    line += strspn(line, " \t");
    line += strspn(line, ":?");
    return *line == '=' ? line + 1 + strspn(line + 1, " \t") : NULL;
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return *line ? line + 1 : NULL;
}

static void expand(const makefile *m, pm_text *out, const char *text, size_t length,
                   unsigned depth);

static void add_variable(const makefile *m, pm_text *out, const char *name, size_t length,
                         unsigned depth)
{
    for (const char *line = m->text; line && depth > 0; line = next_line(line)) {
        const char *value = value_in(line, name, length);

        if (!value)
            continue;
        expand(m, out, value, strcspn(value, "#\r\n"), depth - 1);
        return;
    }
}

/* Appends `length` characters of a makefile's text to out. Variables $(NAME) that the makefile sets
 * are replaced by their values, up to `depth` levels. */
static void expand(const makefile *m, pm_text *out, const char *text, size_t length, unsigned depth)
{
    for (size_t i = 0; i < length && out->length < MOST_TEXT; i++) {
        const bool opens = text[i] == '$' && i + 1 < length && strchr("({", text[i + 1]);
        const size_t name = opens ? strcspn(text + i + 2, ")}\n") : 0;

        if (opens && i + 2 + name < length) {
            add_variable(m, out, text + i + 2, name, depth);
            i += 2 + name;
        } else {
            pm_text_put(out, text + i, 1);
        }
    }
}

/* ---- the command ---------------------------------------------------------------------------- */

/* Splits a command of a makefile into words and returns the arguments of the program: the words
 * after ./NAME. NULL: the command does not run a program of the makefile's folder, or only a shell
 * could evaluate it. */
static const char *const *arguments_of(pm_memory *memory, char *command)
{
    const char **words = pm_take(memory, MOST_ARGUMENTS + 1, sizeof *words);
    size_t count = 0;
    bool is_behind = false;
    char *rest = NULL;

    for (char *word = strtok_r(command, " \t\r", &rest); word;
         word = strtok_r(NULL, " \t\r", &rest)) {
        const size_t length = strlen(word);

        if (!is_behind) {
            is_behind = strncmp(word, "./", 2) == 0 || strncmp(word, "@./", 3) == 0;
            continue;
        }
        if (strpbrk(word, "<>|;&#"))
            break;
        if (strpbrk(word, "$`*?\\") || count == MOST_ARGUMENTS)
            return NULL;
        if (length >= 2 && strchr("\"'", word[0]) && word[length - 1] == word[0]) {
            word[length - 1] = '\0';
            word++;
        }
        words[count++] = word;
    }
    words[count] = NULL;
    return is_behind ? words : NULL;
}

/* Finds the commands of a makefile rule, such as `run`, that run a program. Returns a list with the
 * arguments of each. Both the list and each of its members are NULL-terminated. */
static const char *const **find_in_rule(const makefile *m, const char *rule)
{
    const char *const **found = pm_take(m->memory, MOST_COMMANDS + 1, sizeof *found);
    size_t count = 0;
    const size_t length = strlen(rule);
    bool is_inside = false;

    for (const char *line = m->text; line; line = next_line(line)) {
        pm_text command = {.memory = m->memory};
        const char *const *words;

        if (*line != '\t') {
            if (*line != '\n' && *line != '#')
                is_inside = strncmp(line, rule, length) == 0 &&
                            line[length + strspn(line + length, " \t")] == ':';
            continue;
        }
        if (!is_inside)
            continue;
        expand(m, &command, line, strcspn(line, "\n"), MOST_DEPTH);
        words = arguments_of(m->memory, pm_copy(m->memory, pm_text_get(&command)));
        if (words && count < MOST_COMMANDS)
            found[count++] = words;
    }
    found[count] = NULL;
    return found;
}

static bool has_word(const char *text, const char *word)
{
    for (const char *at = text; (at = pm_find_word(at, word)) != NULL; at += strlen(word))
        if (at == text || at[-1] != '-')
            return true;
    return false;
}

void pm_bare_find_arguments(pm_bare *b)
{
    static const char *const names[] = {"GNUmakefile", "makefile", "Makefile"};
    static const char *const rules[] = {"run", "test"};
    const char *slash = strrchr(b->path, '/');
    const int folder = slash ? (int)(slash - b->path) : 1;

    for (size_t i = 0; i < sizeof names / sizeof *names && !b->program_arguments; i++) {
        const char *path =
            pm_format(&b->memory, "%.*s/%s", folder, slash ? b->path : ".", names[i]);
        makefile m = {.memory = &b->memory};
        char *text = NULL;

        if (access(path, R_OK) != 0 ||
            pm_file_read(path, MOST_BYTES, "a makefile", &text, NULL) != PM_OK)
            continue;
        for (char *at = text; (at = strstr(at, "\\\n")) != NULL;)
            at[0] = at[1] = ' ';
        m.text = pm_copy(&b->memory, text);
        free(text);
        if (!has_word(m.text, slash ? slash + 1 : b->path))
            continue;
        for (size_t r = 0; r < sizeof rules / sizeof *rules && !b->program_arguments; r++) {
            const char *const **found = find_in_rule(&m, rules[r]);

            b->program_arguments = *found;
            b->more_arguments = found + (*found != NULL);
        }
        b->arguments_from = names[i];
    }
}
