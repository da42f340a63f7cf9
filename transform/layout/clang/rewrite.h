/* Internal declarations of the rewriter that changes a source to new memory layouts of its structs.
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

/* Functions that the rewriter generates for a struct if rewritten code calls them: load and store
 * an element, and operations on references (generated structs that replace pointers to
 * elements). */
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

/* A function that is generated for one member of a struct. MEMBER_OF_REF: the function returns the
 * address of the member for an element that a generated reference addresses. NESTED_LOAD,
 * NESTED_STORE: the function loads or stores the member, a nested struct, as a whole. */
typedef struct {
    enum { PM_MEMBER_OF_REF, PM_NESTED_LOAD, PM_NESTED_STORE } kind;
    const char *path, *type; /* type of the nested struct */
    size_t subscript_count;
    bool constant;
} pm_need_member;

typedef struct {
    /* names.plan: new layout of the struct, NULL if its layout does not change. The other members
     * of `names` are the names of the struct's type and of the generated types and functions. */
    pm_plan_names names;
    /* need[constant][kind]: true if rewritten code calls this generated function; constant 1: for
     * constant memory */
    bool need[2][PM_NEED_COUNT];
    /* has_words[part]: true if rewritten code accesses this part (buffer of the new layout) by
     * vectors */
    bool *has_words;
    pm_need_member *members;
    size_t member_count;
} pm_rewrite_struct;

typedef struct {
    const pm_source_unit *unit;
    const pm_kernel_words *words;
    pm_memory memory;
    pm_rewrite_struct *structs;
    bool *active; /* active[struct]: true if the struct's layout changes */
    /* part_names[variable][part]: name of the new variable that points to buffer number `part` of
     * the new layout and replaces this variable of the source. The last entry is the name of the
     * new variable with the array's number of elements. */
    const char ***part_names;
    /* Changes for vector accesses, indexed by node number. replace[node]: code that replaces the
     * node. before[node]: code to insert before the node. NULL: no change. If the node is an
     * expression statement, the code includes its ';'. */
    const char **replace, **before;
    pm_names source; /* identifiers of the source, which generated names must avoid */
    pm_names types;  /* names of generated types */
    pm_names fresh;  /* new names that were given to variables of the current function */
    size_t edit_count;
    size_t wide_loads, wide_stores;
    bool hidden; /* true: code that must change is in a macro or in another file */
} pm_rewrite;

/* ---- rewrite.c */

/* Rewrites a source for new layouts of its structs. plans[s]: new layout of struct s of the
 * source's description; NULL: the struct's layout does not change. *hidden is set to true if code
 * that must change is in a macro or in another file; *out is then empty. */
pm_status pm_unit_rewrite(const pm_source_unit *unit, const pm_plan *const *plans,
                          pm_rewritten *out, bool *hidden, pm_error *err);

/* ---- rewrite_state.c */

const pm_plan *pm_rewrite_plan(const pm_rewrite *rw, size_t structure);
/* pm_rewrite_points returns true and sets *to if an expression is a pointer to a struct whose
 * layout changes. pm_rewrite_chain returns true and sets *chain if the expression is an lvalue in
 * an array of structs whose layout changes, such as p[i].x. */
bool pm_rewrite_points(const pm_rewrite *rw, const pm_node *node, pm_pointee *to);
bool pm_rewrite_chain(const pm_rewrite *rw, pm_node *node, pm_chain *chain);
/* Returns the description of the variable or function that `node` declares or names, if the
 * variable is a pointer to a struct whose layout changes or the function returns such a pointer.
 * Returns NULL for any other node. */
const pm_variable *pm_rewrite_variable(const pm_rewrite *rw, const pm_node *node);
/* Raises an error and sets rw->hidden if `own` is false. own: true if the code to change is in the
 * text of the source itself; false if it is in a macro or in another file, which cannot be
 * changed. */
void pm_rewrite_need(pm_rewrite *rw, bool own);
/* Replaces the node's code by `text`. Raises an error if a macro or another file contains the
 * node's code. */
void pm_rewrite_replace(pm_rewrite *rw, pm_edits *edits, const pm_node *node, const char *text);

/* ---- rewrite_walk.c */

/* Adds to `edits` the edits that rewrite the code of a syntax node and its children for the new
 * layouts. */
void pm_rewrite_node(pm_rewrite *rw, pm_edits *edits, pm_node *node);
/* Returns the code that replaces the node's code in the rewritten source. */
const char *pm_rewrite_text(pm_rewrite *rw, pm_node *node);
/* Returns code for the item (struct or scalar) that stores the accessed element in buffer number
 * `part` of the new layout, as an lvalue such as p_0[i]. */
const char *pm_rewrite_item(pm_rewrite *rw, const pm_chain *chain, size_t part);

/* ---- rewrite_check.c */

/* Raises an error if a declaration contains pointers to array elements in a form that the rewriter
 * does not support. */
void pm_rewrite_check_declaration(pm_rewrite *rw, const pm_node *node);

/* ---- rewrite_value.c */

typedef enum { PM_WIDTH_ZERO, PM_WIDTH_INT, PM_WIDTH_LONG, PM_WIDTH_ULONG } pm_width;

/* Element of an array of structs to which a pointer expression points, as code of the rewritten
 * source. An index replaces the pointer in most cases. */
typedef struct {
    enum {
        PM_VALUE_INDEX, /* element `index` of the array of parameter `base` */
        /* element number `index` of an array; the variable `ref`, a generated struct, has the
         * pointers to the buffers of the new layout */
        PM_VALUE_VARIABLE,
        /* the element to which the expression `ref`, a generated struct, points */
        PM_VALUE_REF
    } kind;
    pm_pointee to;
    size_t base;
    /* ref: code of the reference, for VARIABLE and REF. index: code of the element's index; "0" if
     * `width` is PM_WIDTH_ZERO. */
    const char *ref, *index;
    pm_width width; /* integer type of the index's code */
    bool pure;      /* true: the index's code may be evaluated twice, or not at all */
} pm_element_value;

/* Returns true if the expression has no side effect, so that it can be evaluated twice. */
bool pm_is_pure(const pm_node *node);
/* Adds the expression `number` to the element's index, or subtracts it if `minus` is true. text:
 * code of `number` in the new source. */
void pm_value_add(pm_rewrite *rw, pm_element_value *value, const pm_node *number, const char *text,
                  bool minus);
/* Adds `before` and `behind` around the code of the element's index, or around the code of the
 * reference if the kind is PM_VALUE_REF. Then sets value->pure to false, because the added code may
 * have side effects. */
void pm_value_wrap(pm_rewrite *rw, pm_element_value *value, const char *before, const char *behind);
/* Returns the code of a reference to the element: a value of the generated struct that replaces a
 * pointer. */
const char *pm_value_ref(pm_rewrite *rw, const pm_element_value *value);
/* Returns the code of the call arguments that replace a pointer argument: pointers to all parts
 * (buffers of the new layout), and the number of elements if the layout needs it. */
const char *pm_value_parts(pm_rewrite *rw, const pm_element_value *value);
/* Returns the code of the call argument that is the pointer to part i (a buffer of the new
 * layout). */
const char *pm_value_part(pm_rewrite *rw, const pm_element_value *value, size_t i);
/* Returns the code of the element's index as an operand of a binary operator that computes with
 * signed 64-bit numbers. The other operand is `beside`. The code has a cast, unless the type of one
 * of the operands makes it unnecessary. */
const char *pm_value_index(pm_rewrite *rw, const pm_element_value *value,
                           const pm_element_value *beside);

/* ---- rewrite_pointer_use.c */

/* Returns the operator of a comparison or a difference of two pointers to elements. Raises an error
 * for any other operator. */
const char *pm_compare_sign(pm_rewrite *rw, const pm_node *node);
/* Returns the code of a comparison or a difference of the pointers to the elements a and b. sign:
 * the operator, from pm_compare_sign(). */
const char *pm_compare_text(pm_rewrite *rw, enum CXBinaryOperatorKind kind, const char *sign,
                            const pm_element_value *a, const pm_element_value *b);
/* Returns the node that contains a pointer expression whose value the code does not use, such as
 * `p++` in the statement `p++;`. Returns NULL if the pointer is returned by a function or stored by
 * an initializer list. Raises an error for any other use. */
const pm_node *pm_pointer_user(pm_rewrite *rw, pm_node *node);
/* Returns the code of a pointer expression that is not dereferenced. discarded_by: result of
 * pm_pointer_user(): the node that ignores the pointer's value, or NULL if the value is used. */
const char *pm_pointer_text(pm_rewrite *rw, const pm_node *discarded_by,
                            const pm_element_value *value);

/* ---- rewrite_access.c */

/* An access to a member of an array element, such as p[e].n[k].x, with the code of its element and
 * subscripts in the new source. */
typedef struct {
    pm_chain chain;
    pm_element_value value;
    const char *subscripts[sizeof((pm_chain *)0)->subscripts / sizeof(pm_node *)];
} pm_accessed;

/* Returns true for structs, except CUDA's vector types such as float4. */
bool pm_is_plain_struct(CXType type);
/* Returns code for the accessed member, a scalar, vector or array, as an lvalue in the new
 * layout. */
const char *pm_accessed_member(pm_rewrite *rw, const pm_node *node, const pm_accessed *p);
/* Returns the start of a call of a generated function that loads or stores the element, or a nested
 * struct in it. The caller appends the value to store, if any, and the closing parenthesis. */
const char *pm_accessed_struct(pm_rewrite *rw, const pm_node *node, const pm_accessed *p,
                               bool store);
/* Raises an error if code takes the address of a member and could use it to access neighbouring
 * members, which are elsewhere in the new layout. */
void pm_accessed_check_address(pm_rewrite *rw, const pm_node *member, pm_node *address);
/* Raises an error if an array member is used as a pointer and the new layout does not keep the
 * array's elements adjacent. */
void pm_accessed_check_array(pm_rewrite *rw, const pm_chain *chain, pm_node *node);
bool pm_rewrite_sizeof(pm_rewrite *rw, pm_edits *edits, pm_node *node);

/* ---- rewrite_cuda.c */

/* Both functions raise an error for C++ code that the rewriter cannot rewrite correctly.
 * pm_rewrite_check_node checks a node by itself. pm_rewrite_check_access checks how the code around
 * `node`, an access to an element or to a member of one, uses it. */
void pm_rewrite_check_node(pm_rewrite *rw, const pm_node *node);
void pm_rewrite_check_access(pm_rewrite *rw, pm_node *node, const pm_chain *chain);
/* Returns true for CUDA functions that load or store through a pointer, such as __ldg. */
bool pm_is_cuda_access(const pm_node *call);

/* ---- vectorize_emit.c */

/* Replaces accesses to several members of an element by vector accesses, in all functions of the
 * source. */
void pm_rewrite_wide(pm_rewrite *rw);

/* ---- rewrite_declare.c */

void pm_rewrite_parameter(pm_rewrite *rw, pm_edits *edits, pm_node *node);
/* Rewrites the type of a function's result if it is a pointer to a struct whose layout changes.
 * Also inserts, at the start of the function's body, declarations of new variables for its
 * parameters. */
void pm_rewrite_function(pm_rewrite *rw, pm_edits *edits, pm_node *function);
/* Returns the type, such as "const long ", with which the new source declares the variables of a
 * declaration. Returns NULL if none of the variables changes. */
const char *pm_declaration_type(pm_rewrite *rw, const pm_node *statement);
/* Returns the code that replaces an argument of a call, if the type of the function's parameter
 * changes. value: the element of an array of structs to which the argument points. */
const char *pm_argument_text(pm_rewrite *rw, const pm_node *argument, const pm_element_value *value,
                             const pm_variable *parameter);

/* ---- generate.c */

/* Returns the code of the types and functions that are generated for a struct. It must stand before
 * the functions of the source that use it. */
char *pm_generate(pm_rewrite *rw, size_t structure);
/* Returns the name of a generated function, such as T_load or T_ref_at_constant. */
const char *pm_generate_name(pm_rewrite *rw, const pm_pointee *to, pm_need_kind kind);
/* Returns the name of the function that is generated for a member, such as T_pos_load. */
const char *pm_generate_member_name(pm_rewrite *rw, const pm_pointee *to,
                                    const pm_need_member *member);

/* ---- result.c */

/* Inserts the code `generated` after the struct's declaration. */
void pm_rewrite_insert(pm_rewrite *rw, pm_edits *edits, size_t structure, char *generated);
/* Fills *out with the result of rewriting: `text`, the rewritten source; the new parameters of the
 * kernels; and the numbers of changes. */
void pm_rewrite_result(pm_rewrite *rw, const pm_text *text, pm_rewritten *out);

#endif
