/* Splits build options into words. See build_words.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/build_words.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Copies the next word of *text to `word`, without its quotes, and advances *text past it. Returns
 * false if there is no further word. */
static bool take_word(const char **text, char *word)
{
    const char *at = *text + strspn(*text, " \t\r\n");
    char quote = '\0';

    if (!*at)
        return false;
    for (; *at && (quote || !strchr(" \t\r\n", *at)); at++) {
        if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? '\0' : *at;
        else
            *word++ = *at;
    }
    *word = '\0';
    *text = at;
    return true;
}

/* An entry of the table of known build options. text: the option's word. If it ends in "*", the
 * entry is for all words that begin with the text before the star. If it ends in " +", the option
 * has an operand: the text after "=", or else the next word. */
typedef struct {
    const char *text;
    pm_word_kind kind;
} row;

static const row rows[] = {{"-w", PM_WORD_PLAIN},
                           {"-Werror", PM_WORD_PLAIN},
                           {"-cl-single-precision-constant", PM_WORD_PLAIN},
                           {"-cl-denorms-are-zero", PM_WORD_PLAIN},
                           {"-cl-fp32-correctly-rounded-divide-sqrt", PM_WORD_PLAIN},
                           {"-cl-mad-enable", PM_WORD_PLAIN},
                           {"-cl-no-signed-zeros", PM_WORD_PLAIN},
                           {"-cl-unsafe-math-optimizations", PM_WORD_PLAIN},
                           {"-cl-finite-math-only", PM_WORD_PLAIN},
                           {"-cl-fast-relaxed-math", PM_WORD_PLAIN},
                           {"-cl-uniform-work-group-size", PM_WORD_PLAIN},
                           {"-cl-std=*", PM_WORD_STANDARD},
                           {"-cl-kernel-arg-info", PM_WORD_IDLE},
                           {"-cl-strict-aliasing", PM_WORD_IDLE},
                           {"-cl-no-subgroup-ifp", PM_WORD_IDLE},
                           {"-cl-opt-disable", PM_WORD_SLOW},
                           {"-O*", PM_WORD_SLOW},
                           {"-W*", PM_WORD_WARNING},
                           {"-g", PM_WORD_WARNING},
                           {"-save-temps*", PM_WORD_WARNING},
                           {"-cl-nv-verbose", PM_WORD_NVIDIA},
                           {"-cl-nv-maxrregcount* +", PM_WORD_REGISTERS},
                           {"-cl-nv-* +", PM_WORD_NVIDIA},
                           {"-restrict", PM_WORD_RESTRICT},
                           {"--restrict", PM_WORD_RESTRICT},
                           {"--leave-out-missing", PM_WORD_LENIENT},
                           {"-cl-intel-*", PM_WORD_VENDOR},
                           {"-cl-amd-*", PM_WORD_VENDOR},
                           {"-cl-arm-*", PM_WORD_VENDOR},
                           {"-fbin-*", PM_WORD_VENDOR},
                           {"-fno-bin-*", PM_WORD_VENDOR}};

/* Returns the entry of the table of known build options for a word. NULL: the option is unknown. */
static const row *find_row(const char *word)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t length = strcspn(rows[i].text, "*");

        if (strncmp(word, rows[i].text, length) == 0 && (rows[i].text[length] || !word[length]))
            return &rows[i];
    }
    return NULL;
}

static const char include[] = "-include";

const char *pm_build_word_file(const char *word)
{
    return word + strlen(include);
}

bool pm_build_word_next(const char **options, char *word, pm_build_word *found)
{
    const char *text = *options + strspn(*options, " \t\r\n");
    const row *known;

    *found = (pm_build_word){.start = text, .kind = PM_WORD_UNKNOWN};
    if (!take_word(&text, word))
        return false;
    if (word[0] == '-' && word[1] && strchr("DUI", word[1])) {
        found->kind = word[1] == 'I' ? PM_WORD_FOLDER : PM_WORD_DEFINE;
        if (!word[2] && (!take_word(&text, word + 2) || !word[2]))
            found->kind = PM_WORD_TORN;
    } else if (strcmp(word, include) == 0) {
        found->kind = take_word(&text, word + strlen(include)) && word[strlen(include)]
                          ? PM_WORD_FILE
                          : PM_WORD_TORN;
    } else if ((known = find_row(word))) {
        char *end = word + strlen(word);

        found->kind = known->kind;
        if (strchr(known->text, '+') && !strchr(word, '=') && !take_word(&text, end))
            found->kind = PM_WORD_TORN;
        *end = '\0';
    }
    found->length = (size_t)(text - found->start);
    *options = text;
    return true;
}

unsigned pm_register_option_of(const char *value)
{
    char *end;
    unsigned long number = strtoul(value, &end, 10);

    return *value >= '0' && *value <= '9' && (!*end || strchr(" \t\r\n\"'", *end)) &&
                   number <= UINT16_MAX
               ? (unsigned)number
               : 0;
}

/* If a word is an option that limits registers, such as -maxrregcount, returns the text after the
 * option's name. NULL: the word is another option. */
static const char *register_value(const char *word)
{
    static const char *const names[] = {"-cl-nv-maxrregcount", "--maxrregcount", "-maxrregcount"};

    word += strspn(word, "\"'");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(word, names[i], strlen(names[i])) == 0 &&
            strchr("= \t\r\n\"'", word[strlen(names[i])]))
            return word + strlen(names[i]);
    return NULL;
}

unsigned pm_register_option(const char *options)
{
    const char *text = options ? options : "", *value;
    char *word = malloc(strlen(text) + 1);
    pm_build_word found;
    unsigned limit = 0;

    while (word && pm_build_word_next(&text, word, &found))
        if ((value = register_value(found.start)))
            limit = pm_register_option_of(value + strspn(value, "= \t\r\n\"'"));
    free(word);
    return limit;
}

static bool has_kind(const char *options, pm_word_kind kind)
{
    const char *text = options ? options : "";
    char *word = malloc(strlen(text) + 1);
    pm_build_word found;
    bool is = false;

    while (word && pm_build_word_next(&text, word, &found))
        is = is || found.kind == kind;
    free(word);
    return is;
}

bool pm_restrict_option(const char *options)
{
    return has_kind(options, PM_WORD_RESTRICT);
}

bool pm_lenient_option(const char *options)
{
    return has_kind(options, PM_WORD_LENIENT);
}
