/* Internal declarations of the source rewriter.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The syntax tree is walked from the root. A node that must change becomes one edit, composed of
 * the rewritten code of its children. The code of any other node is left unchanged, and its
 * children are walked. If the source has code that the rewriter does not support, it raises an
 * error ("refuses the source").
 */
#ifndef PM_TRANSFORM_LAYOUT_CLANG_REWRITE_H
#define PM_TRANSFORM_LAYOUT_CLANG_REWRITE_H

#include "transform/layout/plan.h"
#include "transform/layout/plan_text.h"
#include "transform/source/clang/edits.h"
#include "transform/source/clang/names.h"
#include "transform/source/clang/source_unit.h"

/* Kinds of generated functions, which rewritten code may call. */
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

/* A generated function for one member of a struct. The member is reached through a reference (a
 * generated struct), or it is a nested struct that is loaded or stored as a whole. */
typedef struct {
    enum { PM_MEMBER_OF_REF, PM_NESTED_LOAD, PM_NESTED_STORE } kind;
    const char *path, *type; /* type of the nested struct */
    size_t subscript_count;
    bool constant;
} pm_need_member;

typedef struct {
    /* names of the struct's new layout; names.plan is NULL if its layout does not change */
    pm_plan_names names;
    bool need[2][PM_NEED_COUNT]; /* [1]: in constant memory */
    bool *has_words;             /* has_words[part]: true if the part is accessed by vectors */
    pm_need_member *members;
    size_t member_count;
} pm_rewrite_struct;

typedef struct {
    const pm_source_unit *unit;
    const pm_kernel_words *words;
    pm_memory memory;
    pm_rewrite_struct *structs;
    bool *active; /* active[struct]: true if the struct's layout changes */
    /* part_names[variable][part]: name of the new variable. The last entry of a variable is the
     * name of the variable with the number of elements. */
    const char ***part_names;
    /* Edits for vector accesses, indexed by node number. replace[node]: code that replaces the
     * node. before[node]: code to insert before the node. NULL: none. If an expression is a
     * statement, the code includes its ';'. */
    const char **replace, **before;
    pm_names source; /* identifiers of the source */
    pm_names types;  /* names of generated types */
    pm_names fresh;  /* names that were generated for the current function */
    size_t edit_count;
    size_t wide_loads, wide_stores;
    bool hidden; /* true: code to edit is in a macro or in another file */
} pm_rewrite;

/* ---- rewrite.c */

/* Rewrites the source. plans[s]: new layout of struct s of the source's description; NULL: its
 * layout does not change. *hidden is set to true if code to edit is in a macro or in another file;
 * *out is then empty. */
pm_status pm_unit_rewrite(const pm_source_unit *unit, const pm_plan *const *plans,
                          pm_rewritten *out, bool *hidden, pm_error *err);

/* ---- rewrite_state.c */

const pm_plan *pm_rewrite_plan(const pm_rewrite *rw, size_t structure);
/* Returns true and sets *to if the expression points to a struct whose layout changes. */
bool pm_rewrite_points(const pm_rewrite *rw, const pm_node *node, pm_pointee *to);
bool pm_rewrite_chain(const pm_rewrite *rw, pm_node *node, pm_chain *chain);
/* Returns the variable or function that `node` declares, if it is a pointer to a struct whose
 * layout changes. NULL: it is not. */
const pm_variable *pm_rewrite_variable(const pm_rewrite *rw, const pm_node *node);
/* Refuses the rewriting unless `own` is true. own: the source itself contains the code, not a macro
 * or another file. */
void pm_rewrite_need(pm_rewrite *rw, bool own);
/* Replaces the node's source code by `text`. Refuses a node in a macro or in another file. */
void pm_rewrite_replace(pm_rewrite *rw, pm_edits *edits, const pm_node *node, const char *text);

/* ---- rewrite_walk.c */

/* Rewrites the node and its children. */
void pm_rewrite_node(pm_rewrite *rw, pm_edits *edits, pm_node *node);
/* Returns the node's code in the new source. */
const char *pm_rewrite_text(pm_rewrite *rw, pm_node *node);
/* Returns the element of an access in one part of the layout, as an lvalue: p_0[i]. */
const char *pm_rewrite_item(pm_rewrite *rw, const pm_chain *chain, size_t part);

/* ---- rewrite_check.c */

/* Refuses declarations that contain pointers to elements in a form that the rewriter does not
 * support. */
void pm_rewrite_check_declaration(pm_rewrite *rw, const pm_node *node);

/* ---- rewrite_value.c */

typedef enum { PM_WIDTH_ZERO, PM_WIDTH_INT, PM_WIDTH_LONG, PM_WIDTH_ULONG } pm_width;

/* The value of a pointer to an array element, as code of the new source. */
typedef struct {
    enum {
        PM_VALUE_INDEX, /* element `index` of the array that parameter `base` points to */
        /* reference variable `ref`, which has pointers to the parts, and element `index` */
        PM_VALUE_VARIABLE,
        PM_VALUE_REF /* expression `ref` whose type is a reference (a generated struct) */
    } kind;
    pm_pointee to;
    size_t base;
    /* code of the reference, and of the index; index is "0" if width is ZERO */
    const char *ref, *index;
    pm_width width; /* type of index */
    bool pure;      /* true: the index may be evaluated twice, or not at all */
} pm_element_value;

/* Returns true if the expression has no side effect, so that it can be evaluated twice. */
bool pm_is_pure(const pm_node *node);
/* Adds the expression `number` to the element's index, or subtracts it if `minus`. text: code of
 * `number` in the new source. */
void pm_value_add(pm_rewrite *rw, pm_element_value *value, const pm_node *number, const char *text,
                  bool minus);
/* Puts the code `before` and `behind` around the code of the index or of the reference. Sets
 * value->pure to false. */
void pm_value_wrap(pm_rewrite *rw, pm_element_value *value, const char *before, const char *behind);
/* Returns the code of a reference (a generated struct) to the element. */
const char *pm_value_ref(pm_rewrite *rw, const pm_element_value *value);
/* Returns the code of the call arguments that replace a pointer: pointers to the parts, and the
 * number of elements if the plan needs it. */
const char *pm_value_parts(pm_rewrite *rw, const pm_element_value *value);
/* Returns the code of the call argument that is the pointer to part i. */
const char *pm_value_part(pm_rewrite *rw, const pm_element_value *value, size_t i);
/* Returns the code of the element's index as an operand of signed 64-bit arithmetic. beside: value
 * whose index is the other operand of the operator. */
const char *pm_value_index(pm_rewrite *rw, const pm_element_value *value,
                           const pm_element_value *beside);

/* ---- rewrite_pointer_use.c */

/* Returns the operator of a comparison or a difference of two pointers. Refuses all other
 * operators. */
const char *pm_compare_sign(pm_rewrite *rw, const pm_node *node);
/* Returns the code of a comparison or a difference of two pointers. sign: the operator, from
 * pm_compare_sign(). */
const char *pm_compare_text(pm_rewrite *rw, enum CXBinaryOperatorKind kind, const char *sign,
                            const pm_element_value *a, const pm_element_value *b);
/* Returns the node that discards the value of a pointer expression, for example a statement `p++;`.
 * NULL: the value is returned or stored. Refuses all other uses. */
const pm_node *pm_pointer_user(pm_rewrite *rw, pm_node *node);
/* Returns the code of a pointer expression that is not dereferenced. discarded_by: the node that
 * pm_pointer_user() returned. */
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
/* Returns the code of an accessed member that is not a struct, as an lvalue. */
const char *pm_accessed_member(pm_rewrite *rw, const pm_node *node, const pm_accessed *p);
/* Returns the start of a call that loads or stores the element, or a nested struct in it. The last
 * argument (the value to store) and the closing parenthesis are missing. */
const char *pm_accessed_struct(pm_rewrite *rw, const pm_node *node, const pm_accessed *p,
                               bool store);
/* Refuses the address of a member if the code could use it to access neighbouring members. */
void pm_accessed_check_address(pm_rewrite *rw, const pm_node *member, pm_node *address);
/* Refuses an array member that is used as a pointer, unless its elements stay adjacent. */
void pm_accessed_check_array(pm_rewrite *rw, const pm_chain *chain, pm_node *node);
bool pm_rewrite_sizeof(pm_rewrite *rw, pm_edits *edits, pm_node *node);

/* ---- rewrite_cuda.c */

/* Refuse C++ code that the rewriter cannot rewrite correctly: at a node (first function), or where
 * an element or a member of an element is accessed (second function). */
void pm_rewrite_check_node(pm_rewrite *rw, const pm_node *node);
void pm_rewrite_check_access(pm_rewrite *rw, pm_node *node, const pm_chain *chain);
/* Returns true for CUDA functions that load or store through a pointer, such as __ldg. */
bool pm_is_cuda_access(const pm_node *call);

/* ---- vectorize_emit.c */

/* Replaces accesses to several members of an element by vector accesses, in all functions. */
void pm_rewrite_wide(pm_rewrite *rw);

/* ---- rewrite_declare.c */

void pm_rewrite_parameter(pm_rewrite *rw, pm_edits *edits, pm_node *node);
/* Rewrites a function's return type, and declares new variables at the start of its body. */
void pm_rewrite_function(pm_rewrite *rw, pm_edits *edits, pm_node *function);
/* Returns the type, such as "const long ", with which a declaration's variables are declared in the
 * new source. NULL: no variable of the declaration changes. */
const char *pm_declaration_type(pm_rewrite *rw, const pm_node *statement);
/* Returns the code that replaces an argument of a call. value: value of the argument. parameter:
 * the function's parameter, whose type changes. */
const char *pm_argument_text(pm_rewrite *rw, const pm_node *argument, const pm_element_value *value,
                             const pm_variable *parameter);

/* ---- generate.c */

/* Returns the code of the types and functions that are generated for a struct. It must precede the
 * functions of the source. */
char *pm_generate(pm_rewrite *rw, size_t structure);
/* Returns the name of a generated function, such as T_load or T_ref_at_constant. */
const char *pm_generate_name(pm_rewrite *rw, const pm_pointee *to, pm_need_kind kind);
/* Returns the name of the function that is generated for a member, such as T_pos_load. */
const char *pm_generate_member_name(pm_rewrite *rw, const pm_pointee *to,
                                    const pm_need_member *member);

/* ---- result.c */

/* Inserts the code `generated` after the struct's declaration. */
void pm_rewrite_insert(pm_rewrite *rw, pm_edits *edits, size_t structure, char *generated);
/* Fills *out from the new source `text` and the rewriter's state. */
void pm_rewrite_result(pm_rewrite *rw, const pm_text *text, pm_rewritten *out);

#endif
