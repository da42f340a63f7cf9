/* Scans words and operators of Python expressions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_ANSWER_TUNE_PYTHON_WORDS_H
#define PM_ANSWER_TUNE_PYTHON_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* Moves *at past white space. */
void pm_python_skip(const char **at);
/* Returns the length of the word (letters, digits and _) that begins at `at`; 0: no word begins
 * there. */
size_t pm_python_word(const char *at);
bool pm_python_is_word(const char *at, const char *word);

/* The functions below move *at past white space. If the wanted word or operator follows, they also
 * move *at past it and return true. */
bool pm_python_take_word(const char **at, const char *word);
/* Takes the operator `sign`. It must not be followed by a character of `not_before`, because it
 * would then be part of a longer operator. */
bool pm_python_take(const char **at, const char *sign, const char *not_before);
/* Takes the operator `not in`. If another text follows, *at stays as it is. */
bool pm_python_take_not_in(const char **at);
/* Takes an operator that compares numbers, and returns it, such as "<="; NULL: none follows. */
const char *pm_python_take_comparison(const char **at);

#endif
