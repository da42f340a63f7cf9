/* OpenCL C, or CUDA, from a plan: the types of its parts, how a member of an element is written,
 * and functions that read and write an element's parts as a whole.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rewriting of kernels (layout/clang/) and the kernels that convert between layouts both use
 * this. It knows nothing of the source.
 */
#ifndef PM_LAYOUT_PLAN_TEXT_H
#define PM_LAYOUT_PLAN_TEXT_H

#include "base/text.h"
#include "layout/plan.h"
#include "source/kernel_words.h"

/* What generated names begin with: Particle for Particle_0, Particle_0_load, Particle_load. */
typedef struct {
    const pm_plan *plan;
    const char *prefix;
    const char *structure; /* the source's struct as a type: Particle, struct Particle */
    const pm_kernel_words *words;
} pm_plan_names;

/* An element of the array: what stands for the pointers to its parts, its index, and the number of
 * elements (NULL where plan->needs_count is false). `parts` are postfix expressions; index and
 * count may be any expression. index is used more than once where the plan has tiles. */
typedef struct {
    const char *const *parts;
    const char *index, *count;
} pm_plan_element;

/* Typedefs of those parts that are structs, or arrays of a field (SOA, `whole`). */
void pm_plan_text_types(pm_text *out, const pm_plan_names *names);
/* The type that a pointer to the part points to: Particle_0, float. */
void pm_plan_text_part_type(pm_text *out, const pm_plan_names *names, size_t part);
/* Which part a field is in, and which member of it. */
void pm_plan_find(const pm_plan *plan, size_t field, size_t *part, size_t *member);
/* The scalar or vector of a field, as an lvalue that is a postfix expression. subscript_count is
 * the field's extent_count, or less if the field is `whole`: that is an array then. */
void pm_plan_text_member(pm_text *out, const pm_plan *plan, const pm_plan_element *element,
                         size_t field, const char *const *subscripts, size_t subscript_count);
/* The number of a scalar in its array by k0, k1, ..: (k0 * 3 + k1) * 2 + k2. */
void pm_plan_text_flat(pm_text *out, const pm_field *field);
/* An operand of any operator: the expression, in parentheses unless it needs none. */
void pm_plan_text_operand(pm_text *out, const char *expression);

/* Whether all members of a part, or one of them, are of a type that starts so. */
bool pm_plan_has_type(const pm_plan *plan, size_t part, const char *start, bool all);
/* Whether a part is read and written with 8- and 16-byte accesses: it is an aligned struct of
 * such sizes, and short enough. */
bool pm_plan_part_is_wide(const pm_plan *plan, size_t part);
/* What a word of 16 (8) bytes of an aligned part is: "float" or "uint", by 4 (2). */
typedef struct {
    const char *base;
    size_t bytes; /* of the word */
} pm_plan_word;
pm_plan_word pm_plan_word_of(const pm_plan *plan, size_t part);
/* The type of such a word: float4, or in CUDA T_0_word. */
void pm_plan_text_word(pm_text *out, const pm_plan_names *names, size_t part);
/* In CUDA its declaration. C++ lets no float4 be read where other members are, so that a compiler
 * may take a store to one of them and such a load for accesses to different memory. A struct that
 * says may_alias is read and written in one access too, and in the place of any members. */
void pm_plan_text_word_type(pm_text *out, const pm_plan_names *names, size_t part);
/* Functions T_0_load and T_0_store of a wide part; in constant memory, which is only loaded from,
 * with its own name (T_0_load_constant). */
void pm_plan_text_part_load(pm_text *out, const pm_plan_names *names, size_t part, bool constant);
void pm_plan_text_part_store(pm_text *out, const pm_plan_names *names, size_t part);

/* Functions T_load and T_store of the source's struct, from and to all its parts: parameters are
 * the parts, the number of elements if the plan needs it, the index (long), and for store the
 * value, which it returns. They use those of the wide parts. */
void pm_plan_text_load(pm_text *out, const pm_plan_names *names, bool constant);
void pm_plan_text_store(pm_text *out, const pm_plan_names *names);

#endif
