/* Finds which sections of the prelude a source may need. The prelude is a header with OpenCL
 * functions that is compiled in front of each source. See prelude_words.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/options/prelude_words.h"

#include <ctype.h>
#include <string.h>

#include "base/strings.h"

typedef struct {
    /* text that the names of all functions in this part of the prelude (perfmodel's OpenCL
     * declarations) contain */
    const char *word;
    const char *option; /* option of clang that leaves this part of the prelude out */
    const char *names;  /* the function names, separated by spaces */
} part;

static const part parts[] = {
    {"mad_hi", "-DPM_WITHOUT_MAD_HI", "mad_hi"},
    {"mul24", "-DPM_WITHOUT_MUL24", "mul24"},
    {"mad_sat", "-DPM_WITHOUT_MAD_SAT", "mad_sat"},
    {"sincos", "-DPM_WITHOUT_SINCOS", "sincos"},
    {"atom_", "-DPM_WITHOUT_ATOM",
     "atom_add atom_sub atom_xchg atom_inc atom_dec atom_min atom_max atom_and atom_or atom_xor "
     "atom_cmpxchg"}};

/* Returns true if a backslash joins two lines of the text within a word. The text then does not
 * contain the word as a whole. */
static bool splits_words(const char *text)
{
    for (const char *at = text; (at = strchr(at, '\\')); at++)
        if (at > text && pm_is_word(at[-1]) && isspace((unsigned char)at[1]))
            return true;
    return false;
}

/* Returns whether the source may use words that do not occur in its text: it includes files, or
 * splits words at the ends of lines. Also true for "??" and "%:", the starts of alternative
 * spellings of characters such as # and the backslash. */
static bool hides_words(const char *text)
{
    static const char *const signs[] = {"include", "import", "embed", "%:", "??"};

    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strstr(text, signs[i]))
            return true;
    return splits_words(text);
}

/* Texts that are searched for names: the source of a compilation, and its options, because
 * macros may contain names too. */
typedef struct {
    const char *source;
    const pm_arguments *options;
} texts;

static const char *text_of(const texts *t, size_t i)
{
    return i == 0 ? t->source : t->options->items[i - 1];
}

/* Returns whether a text contains the `length` characters at `word`. whole: true if they must be a
 * whole word of the text. */
static bool has(const char *text, const char *word, size_t length, bool whole)
{
    for (const char *at = text; (at = strchr(at, *word)); at++)
        if (strncmp(at, word, length) == 0 &&
            (!whole || ((at == text || !pm_is_word(at[-1])) && !pm_is_word(at[length]))))
            return true;
    return false;
}

static bool any_has(const texts *t, const char *word, size_t length, bool whole)
{
    for (size_t i = 0; i <= t->options->count; i++)
        if (has(text_of(t, i), word, length, whole))
            return true;
    return false;
}

/* Returns true if the `length` characters at `piece` may be an operand of the operator ##. They may
 * if they are a word of the source or of an option (also directly after -D). They may also if they
 * consist only of digits and underscores, because predefined macros can expand to these. */
static bool is_piece(const texts *t, const char *piece, size_t length)
{
    size_t plain = 0;

    while (plain < length && (isdigit((unsigned char)piece[plain]) || piece[plain] == '_'))
        plain++;
    if (plain == length || any_has(t, piece, length, true))
        return true;
    for (size_t i = 0; i < t->options->count; i++) {
        const char *option = t->options->items[i];

        if (strncmp(option, "-D", 2) == 0 && strncmp(option + 2, piece, length) == 0 &&
            !pm_is_word(option[2 + length]))
            return true;
    }
    return false;
}

/* Returns whether `##` may compose a name of `length` characters from pieces in the texts. */
static bool is_pasted(const texts *t, const char *name, size_t length)
{
    bool reached[32] = {true}; /* reached[n]: pieces compose the first n characters */

    for (size_t from = 0; from < length; from++)
        for (size_t to = from + 1; reached[from] && to <= length; to++)
            reached[to] = reached[to] || is_piece(t, name + from, to - from);
    return reached[length];
}

static bool pastes_tokens(const texts *t)
{
    return any_has(t, "##", 2, false);
}

/* Returns whether a source may call a function of this part of the prelude. pastes: true if the
 * source or an option has the operator ##, so that words of the source may be joined to the
 * function's name. */
static bool is_named(const part *p, const texts *t, bool pastes)
{
    if (any_has(t, p->word, strlen(p->word), false))
        return true;
    for (const char *name = p->names; pastes && *name;) {
        const size_t length = strcspn(name, " ");

        if (is_pasted(t, name, length))
            return true;
        name += length + strspn(name + length, " ");
    }
    return false;
}

bool pm_prelude_leave_out(const char *source, const pm_arguments *options, pm_arguments *arguments)
{
    const texts t = {source, options};
    const bool pastes = pastes_tokens(&t);
    bool hidden = false, all = true;

    for (size_t i = 0; i <= options->count && !hidden; i++)
        hidden = hides_words(text_of(&t, i));
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !hidden; i++)
        if (is_named(&parts[i], &t, pastes))
            all = false;
        else
            pm_arguments_add(arguments, parts[i].option);
    return all && !hidden && !pastes;
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
