/* A struct of the source with its fields taken apart, as layouts are made of them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nested structs are taken apart to their scalars and vectors; an array is one field with extents:
 * in `struct { struct { float x, y; } n[4]; int id[3][2]; }` the fields are n.x of extent 4 and
 * stride 8, n.y, and id of extents 3, 2 and strides 8, 4.
 */
#ifndef PM_SOURCE_FIELDS_H
#define PM_SOURCE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

typedef struct {
    size_t count, stride; /* stride in bytes in the source's struct */
} pm_extent;

typedef struct {
    char *path;          /* as the source says it: pos.x, n.x */
    char *access;        /* the same with [] for each subscript: pos.x, n[].x; NULL: no array */
    char *name;          /* a C identifier that is unique in the struct: pos_x, n_x */
    char *type;          /* of one scalar or vector, as OpenCL C spells it: float, uint4 */
    size_t bytes, align; /* of one scalar or vector */
    size_t offset;       /* in the source's struct */
    size_t extent_count; /* 0: no array */
    pm_extent extents[8];
    /* An array that the source uses as a pointer: its members stay beside each other. */
    bool whole;
} pm_field;

typedef struct {
    char *name; /* the typedef's, else the tag */
    size_t bytes, align;
    size_t field_count;
    pm_field *fields;
} pm_struct;

typedef struct {
    size_t count;
    pm_struct *items;
} pm_structs;

/* Scalars or vectors in the field: the product of its extents. */
size_t pm_field_elements(const pm_field *field);
/* By path or by name; field_count if there is none. */
size_t pm_struct_field(const pm_struct *structure, const char *name);
pm_structs pm_structs_copy(pm_memory *memory, const pm_structs *structs);

#endif
