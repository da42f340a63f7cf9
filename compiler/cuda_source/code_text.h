/* Text of C and CUDA C++ as a sequence of tokens, without parsing it.
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

/* The letters, digits and _ at a place; of length 0 where there are none. */
pm_code_word pm_word_at(const char *at);
bool pm_word_is(pm_code_word w, const char *text);
/* list ends in NULL. */
bool pm_word_is_one_of(pm_code_word w, const char *const *list);

/* The end of the line, and of those that continue it. */
char *pm_end_of_line(char *at);
char *pm_end_of_comment(char *at);
/* Whether nothing but blanks is before a place in its line. */
bool pm_starts_line(const char *text, const char *at);
/* Behind one: a word, a text, a character. */
char *pm_end_of_token(char *at);
/* Of a directive, which one: its word behind the #. */
pm_code_word pm_directive_at(const char *hash);
/* Whether the word stands in the text with a ( behind it, outside of comments, literals and
 * directives. */
bool pm_code_calls(const char *text, const char *word);
/* Blanks from begin to end of text; lines, conditions and definitions stay. */
void pm_code_blank(const char *text, char *begin, const char *end);

#endif
