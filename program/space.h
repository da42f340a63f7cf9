/* The tuning space of a program: parameters with their possible values. A version has a value for
 * each parameter. Its variant name is tune:NAME=VALUE,NAME=VALUE.
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
    const int64_t *values; /* values of the parameter; the first is the default */
} pm_tuned;

typedef struct {
    size_t count;
    const pm_tuned *parameters;
} pm_tune_space;

bool pm_version_is_text(const char *text);
/* Returns the variant name of a combination of parameter values, such as "tune:NAME=VALUE,...".
 * `values` has one value per parameter. */
char *pm_version_text(pm_memory *memory, const pm_tune_space *space, const int64_t *values);
/* Reads the parameters' values from the text of a version. A parameter that the text does not name
 * gets its default. Values that the space does not list are accepted. PM_BAD_INPUT if the text
 * names an unknown parameter or is malformed. */
pm_status pm_version_read(const pm_tune_space *space, const char *text, int64_t *values,
                          pm_error *err);

#endif
