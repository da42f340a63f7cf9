/* Writes OpenCL C or CUDA code for a new memory layout of a struct (plan.h): types of the parts
 * (buffers of the layout), expressions for members, and functions that read and write an element.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The source rewriter (transform/layout/clang/) and the conversion kernels use it. It does not
 * depend on the source's syntax tree.
 */
#ifndef PM_TRANSFORM_LAYOUT_PLAN_TEXT_H
#define PM_TRANSFORM_LAYOUT_PLAN_TEXT_H

#include "base/text.h"
#include "transform/layout/plan.h"
#include "transform/source/kernel_words.h"

/* Names of the types and functions that are generated for a new memory layout of a struct. The
 * prefix Particle gives, for example, the names Particle_0, Particle_0_load and Particle_load. */
typedef struct {
    const pm_plan *plan;
    const char *prefix;
    /* name of the struct's type in the source: Particle, or struct Particle */
    const char *structure;
    const pm_kernel_words *words;
} pm_plan_names;

/* Code that addresses an element of the array in its new layout. parts[part]: the pointer to each
 * part (buffer of the new layout), a postfix expression. index: the element's index, any
 * expression; it is evaluated more than once if the layout has tiles. count: the number of
 * elements, any expression; NULL unless plan->needs_count. */
typedef struct {
    const char *const *parts;
    const char *index, *count;
} pm_plan_element;

/* Appends a typedef for the elements of each part (buffer of the new layout) if they are structs.
 * In the layout SOA, the elements of a part can also be arrays, because the elements of some array
 * fields must stay adjacent (pm_field.whole). Appends a typedef for these arrays, too. */
void pm_plan_text_types(pm_text *out, const pm_plan_names *names);
/* Appends the name of the type of a part's elements, such as Particle_0 or float. A part is an
 * array: a buffer of the new layout. */
void pm_plan_text_part_type(pm_text *out, const pm_plan_names *names, size_t part);
/* Finds the part (buffer) of the new layout that contains a field, and the member of the part. */
void pm_plan_find(const pm_plan *plan, size_t field, size_t *part, size_t *member);
/* Appends code for a scalar or vector of a field in the new layout, as an lvalue to which a postfix
 * operator can be applied. subscript_count must be the field's number of dimensions (extent_count).
 * It may be smaller only if every layout keeps the array's elements adjacent (pm_field.whole); the
 * code is then an array. */
void pm_plan_text_member(pm_text *out, const pm_plan *plan, const pm_plan_element *element,
                         size_t field, const char *const *subscripts, size_t subscript_count);
/* Appends the row-major index of a scalar in an array field, as code with the subscripts k0, k1,
 * ..., such as (k0 * 3 + k1) * 2 + k2. */
void pm_plan_text_flat(pm_text *out, const pm_field *field);
/* Appends an expression as an operand of a binary operator, in parentheses if it needs them. */
void pm_plan_text_operand(pm_text *out, const char *expression);

/* Returns true if the types of the fields in buffer number `part` of the new layout have names that
 * start with `start`, such as "half". all: true if all of these fields must have such a type; false
 * if one is enough. */
bool pm_plan_has_type(const pm_plan *plan, size_t part, const char *start, bool all);
/* Returns true if a part (buffer of the new layout) is read and written with vector accesses of 8
 * or 16 bytes. The part must be an aligned struct without half members, of at most 256 bytes. */
bool pm_plan_part_is_wide(const pm_plan *plan, size_t part);
/* Vector type in which a part (buffer) of an aligned layout is read and written: 2 or 4 elements of
 * type `base`, which is "float" or "uint". */
typedef struct {
    const char *base;
    size_t bytes; /* size of the word in bytes: 16 or 8 */
} pm_plan_word;
pm_plan_word pm_plan_word_of(const pm_plan *plan, size_t part);
/* Appends the name of the vector type by which a part (buffer of the new layout) is accessed:
 * float4, or T_0_word in CUDA. */
void pm_plan_text_word(pm_text *out, const pm_plan_names *names, size_t part);
/* Appends the CUDA declaration of the vector type by which a part (buffer of the new layout) is
 * accessed. C++ forbids reading a float4 from memory in which other types are stored, so a compiler
 * could reorder a store to a member with the load of a word. The declared type is a struct with the
 * attribute may_alias, which permits such accesses. It is still read with one instruction. */
void pm_plan_text_word_type(pm_text *out, const pm_plan_names *names, size_t part);
/* The two functions append the functions T_0_load and T_0_store, which read and write one struct of
 * part (buffer) 0 of the new layout with vector accesses; other parts have other numbers. If the
 * part is in constant memory, the function is T_0_load_constant, and there is no store. */
void pm_plan_text_part_load(pm_text *out, const pm_plan_names *names, size_t part, bool constant);
void pm_plan_text_part_store(pm_text *out, const pm_plan_names *names, size_t part);

/* The two functions append the functions T_load and T_store, which read and write a whole struct of
 * the source in the new layout, from all its parts (buffers). Their parameters are the pointers to
 * the parts, the number of elements if the layout needs it, and the index (long). T_store also has
 * the value as a parameter and returns it. Parts with vector accesses are read and written by the
 * functions T_0_load and T_0_store. */
void pm_plan_text_load(pm_text *out, const pm_plan_names *names, bool constant);
void pm_plan_text_store(pm_text *out, const pm_plan_names *names);

#endif
