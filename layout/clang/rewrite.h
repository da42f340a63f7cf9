/* Rewriting a source for plans: what its parts share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree is walked from above. A node that has to change becomes one edit of the text, put
 * together from the rewritten texts of nodes below it; every other node is left as it stands and
 * its children are walked. A refusal ends it all (memory.h).
 */
#ifndef PM_LAYOUT_CLANG_REWRITE_H
#define PM_LAYOUT_CLANG_REWRITE_H

#include "layout/plan.h"
#include "layout/plan_text.h"
#include "source/clang/edits.h"
#include "source/clang/names.h"
#include "source/clang/source_unit.h"

/* Functions that are generated when something is rewritten into a call of them. */
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

/* A member reached by reference, or a nested struct as a whole. */
typedef struct {
    enum { PM_MEMBER_OF_REF, PM_NESTED_LOAD, PM_NESTED_STORE } kind;
    const char *path, *type; /* type: of the nested struct */
    size_t subscript_count;
    bool constant;
} pm_need_member;

typedef struct {
    pm_plan_names names;         /* plan is NULL where the struct does not change */
    bool need[2][PM_NEED_COUNT]; /* [1]: in constant memory */
    bool *has_words;             /* by part: something is read or written by its words */
    pm_need_member *members;
    size_t member_count;
} pm_rewrite_struct;

typedef struct {
    const pm_source_unit *unit;
    const pm_kernel_words *words;
    pm_memory memory;
    pm_rewrite_struct *structs;
    bool *active;             /* by struct: it gets another layout */
    const char ***part_names; /* by variable, by part; a last one for the number of elements */
    /* By node number; NULL: nothing. Wide accesses are put there: text in place of a node, and
     * before it. Of an expression that is a statement its ';' is part. */
    const char **replace, **before;
    pm_names source; /* words that the source has */
    pm_names types;  /* names of generated types */
    pm_names fresh;  /* names made for the function that is at hand */
    size_t edit_count;
    size_t wide_loads, wide_stores;
    bool hidden; /* something to edit is in a macro or another file */
} pm_rewrite;

/* ---- rewrite.c */

/* The source with plans[s] for struct s of the description. *hidden: something to edit stands in a
 * macro or in another file; out is empty then. */
pm_status pm_unit_rewrite(const pm_source_unit *unit, const pm_plan *const *plans,
                          pm_rewritten *out, bool *hidden, pm_error *err);
const pm_plan *pm_rewrite_plan(const pm_rewrite *rw, size_t structure);
/* The active struct that an expression points to. */
bool pm_rewrite_points(const pm_rewrite *rw, const pm_node *node, pm_pointee *to);
bool pm_rewrite_chain(const pm_rewrite *rw, pm_node *node, pm_chain *chain);
/* Ends the rewriting unless what has to change is the source's own text. */
void pm_rewrite_need(pm_rewrite *rw, bool own);
/* The node's text in the new source. */
const char *pm_rewrite_text(pm_rewrite *rw, pm_node *node);
/* The same of what stands in brackets, as an argument: `i, 1` needs parentheses there. */
const char *pm_rewrite_argument_text(pm_rewrite *rw, pm_node *node);
/* The same, but the node itself stays and only what is below it changes. */
const char *pm_rewrite_text_below(pm_rewrite *rw, pm_node *node);
/* Everything below and at the node. */
void pm_rewrite_node(pm_rewrite *rw, pm_edits *edits, pm_node *node);
void pm_rewrite_children(pm_rewrite *rw, pm_edits *edits, pm_node *node);
/* Replaces the node, which must stand in the text itself. */
void pm_rewrite_replace(pm_rewrite *rw, pm_edits *edits, const pm_node *node, const char *text);

/* ---- rewrite_pointer.c */

typedef enum { PM_WIDTH_ZERO, PM_WIDTH_INT, PM_WIDTH_LONG, PM_WIDTH_ULONG } pm_width;

/* A pointer to an element, as new source has it. */
typedef struct {
    enum {
        PM_VALUE_INDEX,    /* `index` in the array of parameter `base` */
        PM_VALUE_VARIABLE, /* the pointers of the reference variable `ref`, and `index` */
        PM_VALUE_REF       /* an expression `ref` that is a reference */
    } kind;
    pm_pointee to;
    size_t base;
    const char *ref, *index; /* index: "0" as long as width is ZERO */
    pm_width width;          /* of index */
    bool pure;               /* index may be evaluated twice, or not at all */
} pm_element_value;

pm_element_value pm_value_of(pm_rewrite *rw, pm_node *pointer);
/* Moves it by a number; minus: back. */
void pm_value_add(pm_rewrite *rw, pm_element_value *value, pm_node *number, bool minus);
/* Of what a chain starts at. */
pm_element_value pm_value_of_chain(pm_rewrite *rw, const pm_chain *chain);
/* As a reference. */
const char *pm_value_ref(pm_rewrite *rw, const pm_element_value *value);
/* As arguments: the pointers to the parts, and the number of elements if the plan needs it. */
const char *pm_value_parts(pm_rewrite *rw, const pm_element_value *value);
/* Part i of them. */
const char *pm_value_part(pm_rewrite *rw, const pm_element_value *value, size_t i);
/* The index as an operand of signed 64-bit arithmetic with another one's. */
const char *pm_value_index(pm_rewrite *rw, const pm_element_value *value,
                           const pm_element_value *beside);
/* An operand of any operator. */
const char *pm_operand(pm_rewrite *rw, const char *expression);
/* Two pointers compared, or their difference. */
void pm_rewrite_compare(pm_rewrite *rw, pm_edits *edits, pm_node *node);
/* An expression that is a pointer, where it is not dereferenced. */
void pm_rewrite_pointer(pm_rewrite *rw, pm_edits *edits, pm_node *node);

/* ---- rewrite_access.c */

/* A member, a nested struct or an element, read or written. False: node is none of these. */
bool pm_rewrite_access(pm_rewrite *rw, pm_edits *edits, pm_node *node);
/* The item of a part that such an access is to, as an lvalue: p_0[i]. */
const char *pm_rewrite_item(pm_rewrite *rw, const pm_chain *chain, size_t part);
bool pm_rewrite_assignment(pm_rewrite *rw, pm_edits *edits, pm_node *node);
bool pm_rewrite_sizeof(pm_rewrite *rw, pm_edits *edits, pm_node *node);

/* ---- rewrite_cuda.c */

/* Refuses what only C++ has, and cannot be kept right: at a node, and where an element or a part of
 * one is used. */
void pm_rewrite_check_node(pm_rewrite *rw, const pm_node *node);
void pm_rewrite_check_access(pm_rewrite *rw, pm_node *node, const pm_chain *chain);
/* A call of one of CUDA's functions that load or store what a pointer points to: __ldg. */
bool pm_is_cuda_access(const pm_node *call);

/* ---- vectorize_emit.c */

/* Puts wide accesses in the place of several members' in all functions. */
void pm_rewrite_wide(pm_rewrite *rw);

/* ---- rewrite_declare.c */

void pm_rewrite_parameter(pm_rewrite *rw, pm_edits *edits, pm_node *node);
/* False: it declares nothing that changes. */
bool pm_rewrite_declaration(pm_rewrite *rw, pm_edits *edits, pm_node *statement);
void pm_rewrite_function(pm_rewrite *rw, pm_edits *edits, pm_node *function);
/* The arguments of a call that change; walks the others. */
void pm_rewrite_call(pm_rewrite *rw, pm_edits *edits, pm_node *call);

/* ---- generate.c */

/* What stands in front of the functions: types and functions of every active struct. */
char *pm_generate(pm_rewrite *rw, size_t structure);
/* The generated function's name: T_load, T_ref_at_constant. */
const char *pm_generate_name(pm_rewrite *rw, const pm_pointee *to, pm_need_kind kind);
/* The name of one for a path: T_pos_load. */
const char *pm_generate_member_name(pm_rewrite *rw, const pm_pointee *to,
                                    const pm_need_member *member);

/* ---- result.c */

/* Puts generated text behind the struct's declaration. */
void pm_rewrite_insert(pm_rewrite *rw, pm_edits *edits, size_t structure, char *generated);
/* Fills out with what text and the state say. */
void pm_rewrite_result(pm_rewrite *rw, const pm_text *text, pm_rewritten *out);

#endif
