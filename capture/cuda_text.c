/* Finds kernels in a CUDA source. See cuda_text.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "capture/cuda_text.h"

#include <ctype.h>
#include <string.h>

#include "base/strings.h"
#include "capture/cuda_names.h"
#include "compiler/cuda_source/code_text.h"

static void blank(char *begin, const char *end)
{
    for (; begin < end && *begin; begin++)
        if (*begin != '\n')
            *begin = ' ';
}

char *pm_cuda_text_bare(pm_memory *memory, const char *text)
{
    char *bare = pm_copy(memory, text);

    for (char *at = bare, *end; *at; at = end) {
        const bool comment = at[0] == '/' && (at[1] == '/' || at[1] == '*');

        if (comment)
            end = at[1] == '*' ? pm_end_of_comment(at) : pm_end_of_line(at);
        else
            end = pm_end_of_token(at);
        if (comment || *at == '"')
            blank(at, end);
    }
    return bare;
}

static const char *skip_blanks(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

/* Returns the position after the bracket that closes the bracket at `open`. NULL if it is not
 * closed. */
static const char *behind_bracket(const char *open)
{
    int depth = 0;

    for (const char *at = open; *at; at++) {
        depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        if (depth == 0)
            return at + 1;
    }
    return NULL;
}

/* Returns the next occurrence of `word` in the text as a whole word. */
static const char *find_word(const char *text, const char *word)
{
    const size_t length = strlen(word);

    for (const char *at = text; (at = strstr(at, word)) != NULL; at += length)
        if ((at == text || !pm_is_word(at[-1])) && !pm_is_word(at[length]))
            return at;
    return NULL;
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* Returns the opening bracket of the parameter list of the kernel that starts at `at`. Sets the
 * kernel's name. NULL if the text is not a kernel. */
static const char *parameters_at(const char *at, pm_code_word *name)
{
    while (*at && *at != ';' && *at != '{') {
        const pm_code_word word = pm_word_at(at);
        const char *next;

        if (word.length == 0) {
            at++;
            continue;
        }
        next = skip_blanks(at + word.length);
        if (*next == '(') {
            const bool attribute = strncmp(word.begin, "__", 2) == 0;

            *name = word;
            if (!attribute)
                return next;
            next = behind_bracket(next);
            if (!next)
                return NULL;
        }
        at = next;
    }
    return NULL;
}

/* Splits a parameter into type and name. Example: "const float *__restrict__ in[] = 0" has the name
 * "in". "int" has no name. */
static void read_param(pm_memory *memory, const char *part, const char **type, const char **name)
{
    size_t end = strcspn(part, "=["), begin;

    while (end > 0 && isspace((unsigned char)part[end - 1]))
        end--;
    for (begin = end; begin > 0 && pm_is_word(part[begin - 1]);)
        begin--;
    if (begin == 0 || begin == end || isdigit((unsigned char)part[begin]))
        begin = end;
    *name = pm_format(memory, "%.*s", (int)(end - begin), part + begin);
    *type = pm_format(memory, "%.*s%s", (int)begin, part, part[end] == '[' ? "*" : "");
}

static void read_params(pm_memory *memory, const char *open, const char *close,
                        pm_cuda_params *params)
{
    const char **parts;

    *params = (pm_cuda_params){0};
    if (skip_blanks(open + 1) == close)
        return;
    parts = pm_cuda_split(memory, open + 1, (size_t)(close - open - 1), &params->count);
    params->types = pm_take(memory, params->count + 1, sizeof *params->types);
    params->names = pm_take(memory, params->count + 1, sizeof *params->names);
    for (size_t i = 0; i < params->count; i++)
        read_param(memory, parts[i], &params->types[i], &params->names[i]);
}

bool pm_cuda_text_kernel(pm_memory *memory, const char *bare, const char *name, size_t count,
                         pm_cuda_params *params)
{
    static const char mark[] = "__global__";

    for (const char *at = bare; (at = find_word(at, mark)) != NULL; at += strlen(mark)) {
        pm_code_word word;
        const char *open = parameters_at(at + strlen(mark), &word), *close;

        if (!open || !pm_word_is(word, name))
            continue;
        close = behind_bracket(open);
        if (!close || *skip_blanks(close) != '{')
            continue;
        read_params(memory, open, close - 1, params);
        if (params->count == count)
            return true;
    }
    return false;
}

/* ---- variables ------------------------------------------------------------------------------- */

bool pm_cuda_text_constant(const char *bare, const char *name)
{
    static const char mark[] = "__constant__";

    for (const char *at = bare; (at = find_word(at, mark)) != NULL; at += strlen(mark)) {
        const char *found = find_word(at, name);

        if (found && found < at + strcspn(at, ";{"))
            return true;
    }
    return false;
}
