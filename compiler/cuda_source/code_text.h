/* Reads the text of C and CUDA C++ as a sequence of tokens, without parsing it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CUDA_SOURCE_CODE_TEXT_H
#define PM_COMPILER_CUDA_SOURCE_CODE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *begin;
    size_t length;
} pm_code_word;

/* Returns the word of letters, digits and _ that starts at a position. Its length is 0 if no word
 * starts there. */
pm_code_word pm_word_at(const char *at);
bool pm_word_is(pm_code_word w, const char *text);
/* Returns whether the word is one of `list`, which ends with NULL. */
bool pm_word_is_one_of(pm_code_word w, const char *const *list);

/* Returns the end of the line at a position. A line that ends in a backslash continues on the next
 * line. */
char *pm_end_of_line(char *at);
char *pm_end_of_comment(char *at);
/* Returns whether only blanks precede the position `at` in its line. */
bool pm_starts_line(const char *text, const char *at);
/* Moves *at, a position in text, to the next token outside of comments and directives. Returns
 * false at the end of the text. */
bool pm_find_token(const char *text, char **at);
/* Returns the position after the token that starts at `at`: a word, a string or a character. */
char *pm_end_of_token(char *at);
/* Returns the position after the } that closes the { at `at`, a position in text. */
char *pm_end_of_braces(const char *text, char *at);
/* Returns the name of the preprocessor directive whose '#' is at `hash`, such as "define". */
pm_code_word pm_directive_at(const char *hash);
/* Returns whether the text calls a function with the name `word`: it has the word, followed by "(",
 * outside of comments, literals and directives. */
bool pm_code_calls(const char *text, const char *word);
/* Overwrites the characters from begin to end with blanks. Line breaks, and directives such as #if
 * and #define, are not overwritten, so that line numbers do not change. */
void pm_code_blank(const char *text, char *begin, const char *end);

#endif
