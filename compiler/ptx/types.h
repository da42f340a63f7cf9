/* Types of PTX, such as .u32 and .f16x2.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_PTX_TYPES_H
#define PM_COMPILER_PTX_TYPES_H

#include <stdbool.h>

typedef enum {
    PM_PTX_BITS, /* untyped bits */
    PM_PTX_UNSIGNED,
    PM_PTX_SIGNED,
    PM_PTX_FLOAT, /* IEEE 754 binary16, binary32 or binary64 */
    PM_PTX_BFLOAT,
    PM_PTX_NARROW, /* floating-point numbers of less than 16 bits, and tf32 */
    PM_PTX_PREDICATE
} pm_ptx_number;

typedef struct {
    const char *name; /* without the dot, such as u32 */
    pm_ptx_number number;
    unsigned bits;  /* bits of an element; 1 for a predicate */
    unsigned lanes; /* number of elements: 2 for f16x2, 1 for scalars */
} pm_ptx_type;

/* Returns the type with a name such as u32; NULL: no type has the name. */
const pm_ptx_type *pm_ptx_type_find(const char *name);

/* Returns the number of bits of all elements of a type. */
unsigned pm_ptx_type_bits(const pm_ptx_type *type);

#endif
