/* The tuning parameters of a program with their possible values. A version has one value for each
 * parameter, and the variant name tune:NAME=VALUE,NAME=VALUE.
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
/* Returns the name of the variant with these values of the tuning parameters, such as
 * "tune:NAME=VALUE,...". values: the value of each parameter. */
char *pm_version_text(pm_memory *memory, const pm_tune_space *space, const int64_t *values);
/* Parses the name of a variant such as "tune:NAME=VALUE,..." into values[], one for each tuning
 * parameter. A parameter that the text does not name gets its default. Values that the parameter's
 * list does not have are accepted. PM_BAD_INPUT if the text names an unknown parameter or is
 * malformed. */
pm_status pm_version_read(const pm_tune_space *space, const char *text, int64_t *values,
                          pm_error *err);

#endif
