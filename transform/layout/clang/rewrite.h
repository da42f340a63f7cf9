/* Internal declarations of the source rewriter.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The syntax tree is walked from the root. A node that must change becomes one edit, composed of
 * the rewritten code of its children. The code of any other node stays, and its children are
 * walked. If the rewriter does not support some code, it refuses the source: the attempt (memory.h)
 * ends.
 */
#ifndef PM_TRANSFORM_LAYOUT_CLANG_REWRITE_H
#define PM_TRANSFORM_LAYOUT_CLANG_REWRITE_H

#include "transform/layout/plan.h"
#include "transform/layout/plan_text.h"
#include "transform/source/clang/edits.h"
#include "transform/source/clang/names.h"
#include "transform/source/clang/source_unit.h"

/* Generated functions that rewritten code may call. */
typedef enum {
    PM_NEED_LOAD,
    PM_NEED_STORE,
    PM_NEED_REF,
    PM_NEED_REF_AT,
    PM_NEED_REF_ADD,
    PM_NEED_REF_MINUS,
    PM_NEED_REF_SAME,
    PM_NEED_REF_LOAD,
    PM_NEED_REF_STORE,
    PM_NEED_COUNT
} pm_need_kind;

/* A generated function for a member reached through a reference, or for a nested struct as a whole.
 */
typedef struct {
    enum { PM_MEMBER_OF_REF, PM_NESTED_LOAD, PM_NESTED_STORE } kind;
    const char *path, *type; /* type of the nested struct */
    size_t subscript_count;
    bool constant;
} pm_need_member;

typedef struct {
    pm_plan_names names;         /* names.plan is NULL if the struct does not change */
    bool need[2][PM_NEED_COUNT]; /* [1]: in constant memory */
    bool *has_words;             /* has_words[part]: the part is accessed by words */
    pm_need_member *members;
    size_t member_count;
} pm_rewrite_struct;

typedef struct {
    const pm_source_unit *unit;
    const pm_kernel_words *words;
    pm_memory memory;
    pm_rewrite_struct *structs;
    bool *active; /* active[struct]: its layout changes */
    /* By variable, by part: names of the new variables. The last entry of a variable is for the
     * number of elements. */
    const char ***part_names;
    /* Edits for wide accesses, by node number: replace[node] is the code that replaces the node,
     * and before[node] is code to insert before it. NULL: no such edit. If an expression is a
     * statement, the code includes its ';'. */
    const char **replace, **before;
    pm_names source; /* identifiers of the source */
    pm_names types;  /* names of generated types */
    pm_names fresh;  /* names generated for the current function */
    size_t edit_count;
    size_t wide_loads, wide_stores;
    bool hidden; /* code to edit is in a macro or in another file */
} pm_rewrite;

/* ---- rewrite.c */

/* Rewrites the source. plans[s]: new layout of struct s of the description; NULL: it does not
 * change. *hidden is set if code to edit
 * is in a macro or in another file; *out is then empty. */
pm_status pm_unit_rewrite(const pm_source_unit *unit, const pm_plan *const *plans,
                          pm_rewritten *out, bool *hidden, pm_error *err);

/* ---- rewrite_state.c */

const pm_plan *pm_rewrite_plan(const pm_rewrite *rw, size_t structure);
/* Returns true and sets *to if the expression points to a struct whose layout changes. */
bool pm_rewrite_points(const pm_rewrite *rw, const pm_node *node, pm_pointee *to);
bool pm_rewrite_chain(const pm_rewrite *rw, pm_node *node, pm_chain *chain);
/* Returns the variable or function that is declared here if it points to a struct whose layout
 * changes; NULL: it does not. */
const pm_variable *pm_rewrite_variable(const pm_rewrite *rw, const pm_node *node);
/* Refuses the rewriting unless `own` is true, which means that the source itself contains the code.
 */
void pm_rewrite_need(pm_rewrite *rw, bool own);
/* Replaces the node's source code by `text`. Refuses a node in a macro or in another file. */
void pm_rewrite_replace(pm_rewrite *rw, pm_edits *edits, const pm_node *node, const char *text);

/* ---- rewrite_walk.c */

/* Rewrites the node and its children. */
void pm_rewrite_node(pm_rewrite *rw, pm_edits *edits, pm_node *node);
/* Returns the node's code in the new source. */
const char *pm_rewrite_text(pm_rewrite *rw, pm_node *node);
/* Returns the accessed item of a part as an lvalue: p_0[i]. */
const char *pm_rewrite_item(pm_rewrite *rw, const pm_chain *chain, size_t part);

/* ---- rewrite_check.c */

/* Refuses declarations of pointers to elements that the rewriter does not support. */
void pm_rewrite_check_declaration(pm_rewrite *rw, const pm_node *node);

/* ---- rewrite_value.c */

typedef enum { PM_WIDTH_ZERO, PM_WIDTH_INT, PM_WIDTH_LONG, PM_WIDTH_ULONG } pm_width;

/* A pointer to an element, in terms of the new source. */
typedef struct {
    enum {
        PM_VALUE_INDEX, /* element `index` of the array of parameter `base` */
        /* reference variable `ref`, with its own pointers, and element `index` */
        PM_VALUE_VARIABLE,
        PM_VALUE_REF /* expression `ref` of a reference type */
    } kind;
    pm_pointee to;
    size_t base;
    const char *ref, *index; /* index is "0" if width is ZERO */
    pm_width width;          /* type of index */
    bool pure;               /* index may be evaluated twice, or not at all */
} pm_element_value;

/* Returns true if evaluating the expression twice has the same effect as once. */
bool pm_is_pure(const pm_node *node);
/* Adds the expression `number` to the element's index, or subtracts it if `minus`. text: code of
 * `number` in the new source. */
void pm_value_add(pm_rewrite *rw, pm_element_value *value, const pm_node *number, const char *text,
                  bool minus);
/* Encloses the code of the index, or of the reference, in `before` and `behind`. Sets value->pure
 * to false. */
void pm_value_wrap(pm_rewrite *rw, pm_element_value *value, const char *before, const char *behind);
/* Returns the code of a reference (a generated struct) to the element. */
const char *pm_value_ref(pm_rewrite *rw, const pm_element_value *value);
/* Returns the code of call arguments: pointers to the parts, and the number of elements if the plan
 * needs it. */
const char *pm_value_parts(pm_rewrite *rw, const pm_element_value *value);
/* Returns the code of one call argument: the pointer to part i. */
const char *pm_value_part(pm_rewrite *rw, const pm_element_value *value, size_t i);
/* Returns the code of the index as an operand of signed 64-bit arithmetic. beside: the value whose
 * index is the other operand. */
const char *pm_value_index(pm_rewrite *rw, const pm_element_value *value,
                           const pm_element_value *beside);

/* ---- rewrite_pointer_use.c */

/* Returns the sign of a comparison or a difference of two pointers. Refuses other operators. */
const char *pm_compare_sign(pm_rewrite *rw, const pm_node *node);
/* Returns the code of a comparison or a difference of two values. sign: the operator, from
 * pm_compare_sign(). */
const char *pm_compare_text(pm_rewrite *rw, enum CXBinaryOperatorKind kind, const char *sign,
                            const pm_element_value *a, const pm_element_value *b);
/* Returns the node that discards the value of a pointer expression, for example a statement p++;.
 * NULL: the value is returned or stored. Refuses other uses. */
const pm_node *pm_pointer_user(pm_rewrite *rw, pm_node *node);
/* Returns the code of a pointer expression that is not dereferenced. discarded_by: from
 * pm_pointer_user(). */
const char *pm_pointer_text(pm_rewrite *rw, const pm_node *discarded_by,
                            const pm_element_value *value);

/* ---- rewrite_access.c */

/* An access such as p[e].n[k].x (pm_chain), with the code of its element and subscripts in the new
 * source. */
typedef struct {
    pm_chain chain;
    pm_element_value value;
    const char *subscripts[sizeof((pm_chain *)0)->subscripts / sizeof(pm_node *)];
} pm_accessed;

/* Returns true for structs, except CUDA's vector types such as float4. */
bool pm_is_plain_struct(CXType type);
/* Returns the code of an accessed member that is no struct, as an lvalue. */
const char *pm_accessed_member(pm_rewrite *rw, const pm_node *node, const pm_accessed *p);
/* Returns a call that reads or writes the element or a nested struct in it, without the last
 * argument (the value to store) and the closing parenthesis. */
const char *pm_accessed_struct(pm_rewrite *rw, const pm_node *node, const pm_accessed *p,
                               bool store);
/* Refuses the address of a member if code could access its neighbours through it. */
void pm_accessed_check_address(pm_rewrite *rw, const pm_node *member, pm_node *address);
/* Checks an array of scalars that is used as a pointer. */
void pm_accessed_check_array(pm_rewrite *rw, const pm_chain *chain, pm_node *node);
bool pm_rewrite_sizeof(pm_rewrite *rw, pm_edits *edits, pm_node *node);

/* ---- rewrite_cuda.c */

/* Refuse C++ code that the rewriter cannot keep correct: at a node, or where an element or a part
 * of one is used. */
void pm_rewrite_check_node(pm_rewrite *rw, const pm_node *node);
void pm_rewrite_check_access(pm_rewrite *rw, pm_node *node, const pm_chain *chain);
/* Returns true for CUDA functions that load or store through a pointer, such as __ldg. */
bool pm_is_cuda_access(const pm_node *call);

/* ---- vectorize_emit.c */

/* Replaces accesses to several members by wide accesses, in all functions. */
void pm_rewrite_wide(pm_rewrite *rw);

/* ---- rewrite_declare.c */

void pm_rewrite_parameter(pm_rewrite *rw, pm_edits *edits, pm_node *node);
/* Rewrites a function's return type, and declares variables at the start of its body. */
void pm_rewrite_function(pm_rewrite *rw, pm_edits *edits, pm_node *function);
/* Returns the type with which the variables of a declaration are declared: "const long ". NULL: it
 * declares nothing that changes. */
const char *pm_declaration_type(pm_rewrite *rw, const pm_node *statement);
/* Returns the code that replaces an argument of a call. value: the argument's value. parameter: the
 * parameter that takes it and whose type changes. */
const char *pm_argument_text(pm_rewrite *rw, const pm_node *argument, const pm_element_value *value,
                             const pm_variable *parameter);

/* ---- generate.c */

/* Returns the code of a struct's generated types and functions. It must precede the functions of
 * the source. */
char *pm_generate(pm_rewrite *rw, size_t structure);
/* Returns the name of a generated function: T_load, T_ref_at_constant. */
const char *pm_generate_name(pm_rewrite *rw, const pm_pointee *to, pm_need_kind kind);
/* Returns the name of a generated function for a member: T_pos_load. */
const char *pm_generate_member_name(pm_rewrite *rw, const pm_pointee *to,
                                    const pm_need_member *member);

/* ---- result.c */

/* Inserts the code `generated` after the struct's declaration. */
void pm_rewrite_insert(pm_rewrite *rw, pm_edits *edits, size_t structure, char *generated);
/* Fills *out from the new source `text` and the rewriter's state. */
void pm_rewrite_result(pm_rewrite *rw, const pm_text *text, pm_rewritten *out);

#endif
