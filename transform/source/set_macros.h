/* Removes definitions of macros from a source, so that values from the user's command line replace
 * them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_SET_MACROS_H
#define PM_TRANSFORM_SOURCE_SET_MACROS_H

#include <stdbool.h>

#include "base/memory.h"

/* set: "NAME=VALUE". Returns whether the source `text` defines NAME as a macro without
 * parameters. */
bool pm_set_is_macro(const char *text, const char *set);
/* Returns a copy of the source `text` without its definitions of the macros in `sets`, so that the
 * compiler option -DNAME=VALUE takes effect. Line numbers do not change. sets: "NAME=VALUE" each,
 * NULL-terminated. */
char *pm_text_without_macros(const char *text, const char *const *sets, pm_memory *memory);

#endif
