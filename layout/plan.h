/* Plan: where a layout puts every field of a struct. Rewriting the source, packing the buffers and
 * writing pack and unpack for the user all follow it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A part is one buffer on the device: an array of structs, or of scalars (SOA). Element i of an
 * array of n structs lies in item i / tile of each part (tile is 1 but for ASTA). The address of
 * scalar (k0, k1, ..) of a member in element i, from the start of its part:
 *
 *   item * part.bytes + member.offset
 *     + flat(k) * member.stride          flat(k) is row-major over the field's extents
 *     + (i % tile) * member.tile_stride
 *   and for part.by_element (arrays in SOA): flat(k) * n * bytes + i * bytes instead.
 */
#ifndef PM_LAYOUT_PLAN_H
#define PM_LAYOUT_PLAN_H

#include "base/memory.h"
#include "layout/layout.h"
#include "source/fields.h"

typedef struct {
    size_t field;       /* of the struct */
    size_t offset;      /* in an item of the part */
    size_t stride;      /* between scalars of an array */
    size_t tile_stride; /* between elements of a tile; 0 if the tile is 1 */
} pm_member;

typedef struct {
    char *name;  /* what the names of type, parameter and buffer end in: 0, 1, .. or the field's */
    bool scalar; /* SOA: no struct, an array of the field's type; member_count is 1 */
    bool by_element;     /* SOA, field is an array and not `whole`: [flat(k)][i] */
    size_t bytes, align; /* of one item; by_element: of one scalar */
    size_t member_count; /* 0 in an identity's part: its members are the source's */
    pm_member *members;
} pm_part;

typedef struct {
    const pm_struct *structure; /* must outlive the plan, as must what the layout points to */
    pm_layout layout;
    bool identity;    /* aos without alignment: the source's struct itself is the only part */
    bool needs_count; /* kernels need the number of elements (part.by_element) */
    unsigned tile;
    size_t part_count;
    pm_part *parts;
} pm_plan;

/* A layout that does not fit the struct ends the attempt with PM_BAD_INPUT. */
pm_plan *pm_plan_create(pm_memory *memory, const pm_struct *structure, const pm_layout *layout);

/* Bytes of the part for n elements; SIZE_MAX: more than a size_t can say. */
size_t pm_plan_part_bytes(const pm_plan *plan, size_t part, size_t n);

/* n structs as the source has them, to and from the parts; parts[i] has pm_plan_part_bytes bytes.
 * Padding in the parts becomes 0, in the source's structs it is left alone. */
void pm_plan_pack(const pm_plan *plan, const void *structs, size_t n, void *const *parts);
void pm_plan_unpack(const pm_plan *plan, void *structs, size_t n, const void *const *parts);

/* C99 for the user's host program: a header with the types of struct and parts, and the functions
 * T_pack, T_unpack and T_bytes_PART. A struct that C on the host cannot declare ends the attempt.
 */
char *pm_plan_c(pm_memory *memory, const pm_plan *plan);

/* ---- a source rewritten for plans ----------------------------------------------------------- */

/* What becomes of a kernel's parameters. */
typedef enum { PM_PARAM_SAME, PM_PARAM_PART, PM_PARAM_COUNT } pm_param_kind;
typedef struct {
    pm_param_kind kind;
    size_t argument; /* SAME: which of the old ones; PART, COUNT: the array of structs */
    size_t part;     /* PART */
} pm_param_map;
typedef struct {
    char *name;
    size_t count;
    pm_param_map *params; /* in the order of the new kernel's parameters; COUNT is a ulong */
} pm_kernel_map;

typedef struct {
    char *text;
    char *parsed;        /* of it what clang is to see, where it was written; else NULL */
    size_t kernel_count; /* as in the description, in the same order */
    pm_kernel_map *kernels;
    size_t edits; /* places of the source that changed */
    /* The wide accesses that were made of several: reads and writes of parts as a whole. */
    size_t wide_loads, wide_stores;
    pm_memory memory; /* of what is here */
} pm_rewritten;

#endif
