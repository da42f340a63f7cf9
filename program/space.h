/* What a program can be tuned by: parameters with the values that each may have. A version has a
 * value for each, and as a variant's name it is tune:NAME=VALUE,NAME=VALUE.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_SPACE_H
#define PM_PROGRAM_SPACE_H

#include <stdint.h>

#include "base/memory.h"

typedef struct {
    const char *name;
    size_t count;
    const int64_t *values; /* the first one is what it has where nobody says */
} pm_tuned;

typedef struct {
    size_t count;
    const pm_tuned *parameters;
} pm_tune_space;

bool pm_version_is_text(const char *text);
/* The text of a version that has values, one a parameter. */
char *pm_version_text(pm_memory *memory, const pm_tune_space *space, const int64_t *values);
/* The values of a text; a parameter that it does not name has its first one. Others than the space
 * lists are taken. PM_BAD_INPUT: it names what the space does not have, or is torn. */
pm_status pm_version_read(const pm_tune_space *space, const char *text, int64_t *values,
                          pm_error *err);

#endif
