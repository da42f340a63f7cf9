/* Finds scalar and vector types of OpenCL C and CUDA (such as float4) by their names in workload
 * files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_CONTENTS_SCALAR_H
#define PM_PROGRAM_CONTENTS_SCALAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "program/contents/narrow.h"

typedef enum {
    PM_SCALAR_SIGNED,
    PM_SCALAR_UNSIGNED,
    PM_SCALAR_REAL /* IEEE 754 binary32 or binary64, or a 2-byte format that narrow.h describes */
} pm_scalar_kind;
typedef struct {
    const char *name;
    size_t bytes;
    pm_scalar_kind kind;
    const pm_narrow *narrow; /* format of a 2-byte real type; NULL: the scalar has another type */
} pm_scalar;
/* A scalar or vector type of OpenCL C. width: number of components, 1 for a scalar. bytes: its
 * size; a vector of 3 has the size of a vector of 4. */
typedef struct {
    const pm_scalar *scalar;
    size_t width, bytes;
} pm_file_type;

/* Finds a scalar or vector type by its name, such as "float4". Returns false if no type has the
 * name. */
bool pm_file_type_find(const char *name, pm_file_type *type);
/* Stores a value at `to` in the format of a scalar type: `integer` if the type is an integer type,
 * else `real`. The caller has checked that the value fits the type. */
void pm_scalar_store(const pm_scalar *scalar, void *to, int64_t integer, double real);
double pm_scalar_real(const pm_scalar *scalar, const void *at);
/* Returns whether a number is in the range of a floating-point type. */
bool pm_scalar_fits(const pm_scalar *scalar, double value);
/* Returns whether an integer type can hold the value. */
bool pm_scalar_holds(const pm_scalar *scalar, int64_t value);

#endif
