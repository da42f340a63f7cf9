/* Words and operators of Python's expressions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TUNE_PYTHON_WORDS_H
#define PM_TUNE_PYTHON_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* Moves *at past white space. */
void pm_python_skip(const char **at);
/* Length of the word (letters, digits and _) that begins at a position; 0: none does. */
size_t pm_python_word(const char *at);
bool pm_python_is_word(const char *at, const char *word);

/* These move *at past white space. If the wanted text follows, they also move past it and return
 * true. */
bool pm_python_take_word(const char **at, const char *word);
/* An operator, unless one of the characters not_before follows it: it is then part of a longer one.
 */
bool pm_python_take(const char **at, const char *sign, const char *not_before);
/* The operator `not in`. Without it, *at does not move. */
bool pm_python_take_not_in(const char **at);
/* An operator that compares numbers, such as "<="; NULL: none follows. */
const char *pm_python_take_comparison(const char **at);

#endif
