/* Plan: the position of every field of a struct in a layout. The source rewriter, the packing of
 * buffers, and the pack and unpack functions for the user all use it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A part is one buffer on the device: an array of structs, or of scalars (SOA). Element i of an
 * array of n structs is in item i / tile of each part. tile is 1 except for ASTA. Scalar (k0, k1,
 * ..) of a member in element i has this byte offset in its part:
 *
 *   item * part.bytes + member.offset
 *     + flat(k) * member.stride          flat(k): row-major index over the field's extents
 *     + (i % tile) * member.tile_stride
 *   and for part.by_element (arrays in SOA): flat(k) * n * bytes + i * bytes instead.
 */
#ifndef PM_TRANSFORM_LAYOUT_PLAN_H
#define PM_TRANSFORM_LAYOUT_PLAN_H

#include "base/memory.h"
#include "transform/layout/layout.h"
#include "transform/source/fields.h"

typedef struct {
    size_t field;  /* index of a field of the struct */
    size_t offset; /* byte offset in an item of the part */
    size_t stride; /* bytes between consecutive scalars of a field that is an array */
    /* bytes between consecutive elements in a tile; 0 if the plan's tile is 1 */
    size_t tile_stride;
} pm_member;

typedef struct {
    /* suffix of the names of type, parameter and buffer: 0, 1, .. or the field's name */
    char *name;
    /* true for SOA: the part is an array of the field's type instead of a struct, and member_count
     * is 1 */
    bool scalar;
    /* true for SOA if the field is an array and not `whole`: elements are stored as [flat(k)][i] */
    bool by_element;
    size_t bytes, align; /* size and alignment of one item; if by_element, of one scalar */
    /* number of members; 0 if the plan is an identity, whose members are those of the source's
     * struct */
    size_t member_count;
    pm_member *members;
} pm_part;

typedef struct {
    /* The plan does not own the struct, nor the data that `layout` points to. Both must outlive the
     * plan. */
    const pm_struct *structure;
    pm_layout layout;
    /* true: the layout is aos without alignment, and the only part is the source's struct itself */
    bool identity;
    bool needs_count; /* true: kernels need the number of elements, because a part is by_element */
    unsigned tile;
    size_t part_count;
    pm_part *parts;
} pm_plan;

/* Creates a plan. Raises PM_BAD_INPUT if the layout does not fit the struct. */
pm_plan *pm_plan_create(pm_memory *memory, const pm_struct *structure, const pm_layout *layout);

/* Returns the size of the part for n elements, in bytes; SIZE_MAX: it overflows a size_t. */
size_t pm_plan_part_bytes(const pm_plan *plan, size_t part, size_t n);

/* Convert n structs from the source's layout to the parts, and back. parts[i] has
 * pm_plan_part_bytes() bytes. Packing sets padding in the parts to 0. Unpacking does not change
 * padding in the structs. */
void pm_plan_pack(const pm_plan *plan, const void *structs, size_t n, void *const *parts);
void pm_plan_unpack(const pm_plan *plan, void *structs, size_t n, const void *const *parts);

/* Returns a C99 header for the user's host program: types of the struct and the parts, and the
 * functions T_pack, T_unpack and T_bytes_PART. Raises an error if C cannot declare the struct. */
char *pm_plan_c(pm_memory *memory, const pm_plan *plan);

/* ---- the rewritten source ------------------------------------------------------------------- */

/* Origin of a parameter of a rewritten kernel: an original parameter, a part of an array, or an
 * array's number of elements. */
typedef enum { PM_PARAM_SAME, PM_PARAM_PART, PM_PARAM_COUNT } pm_param_kind;
typedef struct {
    pm_param_kind kind;
    /* SAME: index of the original parameter. PART, COUNT: index of the original parameter that is
     * the array of structs. */
    size_t argument;
    size_t part; /* PART: index of the part */
} pm_param_map;
typedef struct {
    char *name;
    size_t count;
    /* one entry for each parameter of the new kernel, in order; a COUNT parameter is a ulong */
    pm_param_map *params;
} pm_kernel_map;

typedef struct {
    char *text;
    /* `text` in the form that clang parses, if this process made it; else NULL. */
    char *parsed;
    size_t kernel_count; /* kernels in the order of the source's description */
    pm_kernel_map *kernels;
    size_t edits; /* number of edits that were made to the source */
    /* number of vector accesses, each of which replaces several reads or writes of members */
    size_t wide_loads, wide_stores;
    pm_memory memory; /* owns the members above */
} pm_rewritten;

#endif
