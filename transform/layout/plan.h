/* Plan: the position of each field of a struct in a new memory layout. The rewriting of the source,
 * the conversion of buffers, and the pack and unpack functions for the user's program use it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A part is one buffer on the device: an array of structs, or of scalars (SOA). In the new layout,
 * element i of an array of n structs is in item i / tile of each part. tile is 1 except for ASTA.
 * Scalar (k0, k1, ..) of a member in element i has this byte offset in its part:
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
    size_t field; /* index of the member's field in pm_struct.fields */
    /* byte offset of the field in one item of the part (a buffer of the new layout, which is an
     * array of items) */
    size_t offset;
    size_t stride; /* bytes between consecutive scalars of a field that is an array */
    /* Distance in bytes, within this member, between the data of consecutive structs of a tile. 0:
     * the layout has no tiles of structs (ASTA). */
    size_t tile_stride;
} pm_member;

typedef struct {
    /* suffix of the names of the part's type, parameter and buffer: 0, 1, ... if the part is an
     * array of structs, the field's name for SOA */
    char *name;
    /* true for SOA: the part (buffer) is an array of the field's type instead of a struct, and
     * member_count is 1 */
    bool scalar;
    /* True for SOA if the field is an array whose elements may be separated (not `whole`). The part
     * (buffer) then has the first array element of all structs, then the second one of all structs,
     * and so on. */
    bool by_element;
    size_t bytes, align; /* size and alignment of one item in bytes; if by_element, of one scalar */
    /* number of members; 0 if the layout keeps the source's struct, whose members are then used */
    size_t member_count;
    pm_member *members;
} pm_part;

typedef struct {
    /* Description of the struct of which this is the new layout. It and the data that `layout`
     * points to belong to others, and must outlive this plan. */
    const pm_struct *structure;
    pm_layout layout;
    /* true: the layout is the source's own (aos without alignment), so the only part (buffer) is an
     * array of the source's struct */
    bool identity;
    /* true: rewritten kernels get the number of elements as a parameter, because a part (buffer of
     * the new layout) is by_element */
    bool needs_count;
    unsigned tile;
    size_t part_count;
    pm_part *parts;
} pm_plan;

/* Computes the positions of a struct's fields in a layout. Raises PM_BAD_INPUT if the layout does
 * not fit the struct. */
pm_plan *pm_plan_create(pm_memory *memory, const pm_struct *structure, const pm_layout *layout);

/* Returns the size in bytes of buffer number `part` of the new layout for n elements. Returns
 * SIZE_MAX if the size does not fit a size_t. */
size_t pm_plan_part_bytes(const pm_plan *plan, size_t part, size_t n);

/* Converts n structs from the source's layout to the new layout. parts[i]: memory of buffer i of
 * the new layout, with pm_plan_part_bytes() bytes. Padding in these buffers is set to 0.
 * pm_plan_unpack() converts back, and does not change padding in the structs. */
void pm_plan_pack(const pm_plan *plan, const void *structs, size_t n, void *const *parts);
void pm_plan_unpack(const pm_plan *plan, void *structs, size_t n, const void *const *parts);

/* Returns a C99 header for the user's host program. It declares the struct T and the types of its
 * parts (buffers of the new layout), and defines the functions T_pack, T_unpack and T_bytes_PART.
 * Raises an error if C cannot declare the struct. */
char *pm_plan_c(pm_memory *memory, const pm_plan *plan);

/* ---- the rewritten source ------------------------------------------------------------------- */

/* Origin of a parameter of a rewritten kernel: an unchanged original parameter, a part (buffer of
 * the new layout) of an array of structs, or that array's number of elements. */
typedef enum { PM_PARAM_SAME, PM_PARAM_PART, PM_PARAM_COUNT } pm_param_kind;
typedef struct {
    pm_param_kind kind;
    /* index of a parameter of the original kernel. SAME: the unchanged parameter. PART and COUNT:
     * the parameter that is the array of structs. */
    size_t argument;
    /* index of the part (buffer of the new layout) in the plan of the array's struct, if the kind
     * is PART */
    size_t part;
} pm_param_map;
typedef struct {
    char *name;
    size_t count;
    /* parameters of the new kernel, in order; a COUNT parameter is a ulong */
    pm_param_map *params;
} pm_kernel_map;

typedef struct {
    char *text;
    /* The text that clang parsed, of the same length as `text`. Code that clang does not understand
     * is replaced by blanks in it. NULL: this result came from the worker process, which does not
     * send this text. */
    char *parsed;
    size_t kernel_count; /* kernels in the order of the source's description */
    pm_kernel_map *kernels;
    size_t edits; /* number of changes that were made to the source */
    /* number of vector loads and stores that replace reads or writes of several members */
    size_t wide_loads, wide_stores;
    pm_memory memory; /* owns the members above */
} pm_rewritten;

#endif
