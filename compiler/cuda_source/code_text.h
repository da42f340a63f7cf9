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

/* Returns the word of letters, digits and _ at a position. Its length is 0 if there is none. */
pm_code_word pm_word_at(const char *at);
bool pm_word_is(pm_code_word w, const char *text);
/* list ends with NULL. */
bool pm_word_is_one_of(pm_code_word w, const char *const *list);

/* Returns the end of the logical line: lines that end in a backslash are joined with the next. */
char *pm_end_of_line(char *at);
char *pm_end_of_comment(char *at);
/* True if only blanks precede the position `at` in its line. */
bool pm_starts_line(const char *text, const char *at);
/* Moves *at, a position in text, to the next token outside of comments and directives. Returns
 * false at the end of the text. */
bool pm_find_token(const char *text, char **at);
/* Returns the position after the token that starts at `at`: a word, a string or a character. */
char *pm_end_of_token(char *at);
/* Returns the name of a preprocessor directive. hash points to its '#'. */
pm_code_word pm_directive_at(const char *hash);
/* Returns whether the text calls a function of this name. It must have the word, followed by "(",
 * outside of comments, literals and directives. */
bool pm_code_calls(const char *text, const char *word);
/* Replaces the text from begin to end by blanks. Line breaks, and directives for conditions and
 * definitions, are kept. */
void pm_code_blank(const char *text, char *begin, const char *end);

#endif
