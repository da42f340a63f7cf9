/* Macros of a source that the user gives values for.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SOURCE_SET_MACROS_H
#define PM_SOURCE_SET_MACROS_H

#include <stdbool.h>

#include "base/memory.h"

/* Whether "NAME=VALUE" is meant for a macro without parameters that the text defines. */
bool pm_set_is_macro(const char *text, const char *set);
/* The text without its definitions of macros that one of the sets (the last is NULL) gives a value
 * for, so that -DNAME=VALUE counts. Lines keep their numbers. */
char *pm_text_without_macros(const char *text, const char *const *sets, pm_memory *memory);

#endif
