/* Finds the parts of the OpenCL prelude whose functions a source may use. See prelude_words.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/options/prelude_words.h"

#include <ctype.h>
#include <string.h>

#include "base/strings.h"

typedef struct {
    /* text that the names of all functions in this part of the prelude contain */
    const char *word;
    const char *option; /* option of clang that leaves this part of the prelude out */
} part;

static const part parts[] = {{"mad_hi", "-DPM_WITHOUT_MAD_HI"},
                             {"mul24", "-DPM_WITHOUT_MUL24"},
                             {"mad_sat", "-DPM_WITHOUT_MAD_SAT"},
                             {"sincos", "-DPM_WITHOUT_SINCOS"},
                             {"atom_", "-DPM_WITHOUT_ATOM"}};

/* Returns true if a backslash joins two lines of the text within a word. The text then does not
 * contain the word as a whole. */
static bool splits_words(const char *text)
{
    for (const char *at = text; (at = strchr(at, '\\')); at++)
        if (at > text && pm_is_word(at[-1]) && isspace((unsigned char)at[1]))
            return true;
    return false;
}

/* Returns true if the source may use words that its text does not contain as a whole. "??" and "%:"
 * start alternative spellings of characters such as # and the backslash. */
static bool hides_words(const char *text)
{
    static const char *const signs[] = {"include", "import", "embed", "##", "%:", "??"};

    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strstr(text, signs[i]))
            return true;
    return splits_words(text);
}

static bool is_named(const char *word, const char *source, const pm_arguments *options)
{
    bool named = strstr(source, word) != NULL;

    for (size_t i = 0; i < options->count && !named; i++)
        named = strstr(options->items[i], word) != NULL;
    return named;
}

bool pm_prelude_leave_out(const char *source, const pm_arguments *options, pm_arguments *arguments)
{
    bool hidden = hides_words(source), all = true;

    for (size_t i = 0; i < options->count && !hidden; i++)
        hidden = hides_words(options->items[i]);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !hidden; i++)
        if (is_named(parts[i].word, source, options))
            all = false;
        else
            pm_arguments_add(arguments, parts[i].option);
    return all && !hidden;
}

bool pm_prelude_defines(const char *name, size_t length)
{
    static const char *const names[] = {"get_local_id",    "get_local_size",    "get_group_id",
                                        "get_num_groups",  "get_global_offset", "get_global_id",
                                        "get_global_size", "get_work_dim",      "barrier"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
            return true;
    return false;
}
