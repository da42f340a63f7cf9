/* Whether two expressions name the same element of an array, wherever they stand between two
 * statements.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_LAYOUT_CLANG_ELEMENT_KEY_H
#define PM_LAYOUT_CLANG_ELEMENT_KEY_H

#include "effects.h"

enum { PM_KEY_VARIABLES = 16, PM_KEY_LENGTH = 256 };

/* Equal texts name the same element as long as none of the variables is modified, and, with
 * reads_memory, nothing is written to memory. */
typedef struct {
    char text[PM_KEY_LENGTH];
    size_t variable_count;
    CXCursor variables[PM_KEY_VARIABLES];
    bool reads_memory;
} pm_element_key;

/* False: the expression has side effects, or is too much to follow. */
bool pm_element_key_of(const pm_element_access *access, pm_element_key *key);

/* Where a cursor's text starts, in bytes from the start of its file. */
unsigned pm_offset(CXCursor cursor);
unsigned pm_offset_end(CXCursor cursor);

#endif
