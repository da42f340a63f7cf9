/* Describes each struct of a kernel source as a flat list of scalar, vector and array fields.
 * Memory layouts of the struct are made from this list.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nested structs are flattened to their scalars and vectors. An array is one field with extents.
 * For example, `struct { struct { float x, y; } n[4]; int id[3][2]; }` has the fields n.x (extent
 * 4, stride 8), n.y (the same), and id (extents 3 and 2, strides 8 and 4).
 */
#ifndef PM_TRANSFORM_SOURCE_FIELDS_H
#define PM_TRANSFORM_SOURCE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

typedef struct {
    /* A dimension of an array field: its number of elements, and the distance in bytes between
     * neighbouring elements in the struct as the source declares it. */
    size_t count, stride;
} pm_extent;

typedef struct {
    char *path; /* path of the field in the source, such as pos.x or n.x */
    /* path as an access spells it, with [] for each subscript: pos.x or n[].x; NULL: the path
     * contains no array */
    char *access;
    /* C identifier that no other field of the struct has, such as pos_x or n_x */
    char *name;
    /* OpenCL C type of one scalar or vector of the field, such as float or uint4 */
    char *type;
    size_t bytes, align; /* size and alignment in bytes of one scalar or vector of the field */
    size_t offset;       /* byte offset in the source's struct */
    size_t extent_count; /* number of dimensions in `extents`; 0: the field is no array */
    pm_extent extents[8];
    /* true: the source uses the array as a pointer, so that every layout must keep its elements
     * adjacent */
    bool whole;
} pm_field;

typedef struct {
    char *name; /* name of the struct: of its typedef or, if there is none, its tag */
    size_t bytes, align;
    size_t field_count;
    pm_field *fields;
} pm_struct;

typedef struct {
    size_t count;
    pm_struct *items;
} pm_structs;

/* Returns the number of scalars or vectors in the field, which is the product of its extents. */
size_t pm_field_elements(const pm_field *field);
/* Returns the index of the field whose path or name is `name`. Returns structure->field_count if
 * there is no such field. */
size_t pm_struct_field(const pm_struct *structure, const char *name);
pm_structs pm_structs_copy(pm_memory *memory, const pm_structs *structs);

#endif
