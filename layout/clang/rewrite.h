/* Rewriting a source for plans: what its parts share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree is walked from above. A node that has to change becomes one edit of the text, put
 * together from the rewritten texts of nodes below it; every other node is left as it stands and
 * its children are walked. The first refusal stays in the state and ends the walk.
 */
#ifndef PM_LAYOUT_CLANG_REWRITE_H
#define PM_LAYOUT_CLANG_REWRITE_H

#include "edits.h"
#include "layout/plan_text.h"
#include "names.h"
#include "unit.h"

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
    char *path, *type; /* type: of the nested struct */
    size_t subscript_count;
    bool constant;
} pm_need_member;

typedef struct {
    pm_plan_names names; /* plan is NULL where the struct does not change */
    char *prefix;
    bool need[2][PM_NEED_COUNT]; /* [1]: in constant memory */
    pm_need_member *members;
    size_t member_count, member_room;
} pm_rewrite_struct;

typedef struct {
    pm_unit *unit;
    pm_rewrite_struct *structs;
    char ***part_names; /* by variable, by part; a last one for the number of elements */
    /* By node number; NULL: nothing. Accesses grouped into wide ones are put there: text in place
     * of a node, and before and behind it. Of an expression that is a statement its ';' is part. */
    char **replace, **before, **behind;
    pm_names source; /* words that the source has */
    pm_names types;  /* names of generated types */
    pm_names fresh;  /* names made for the function that is at hand */
    size_t edit_count;
    size_t wide_loads, wide_stores;
    bool hidden; /* something to edit is in a macro or another file */
    pm_status status;
    pm_error *err;
} pm_rewrite;

/* ---- rewrite.c */

/* Whether the struct gets another layout. */
bool pm_rewrite_active(const pm_rewrite *rw, size_t structure);
/* The active struct that an expression points to. */
bool pm_rewrite_points(const pm_rewrite *rw, const pm_node *node, pm_pointee *to);
bool pm_rewrite_chain(const pm_rewrite *rw, pm_node *node, pm_chain *chain);
/* The first refusal counts. */
void pm_rewrite_refuse(pm_rewrite *rw, const pm_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void pm_rewrite_no_memory(pm_rewrite *rw);
/* The node's text in the new source. */
void pm_rewrite_text(pm_rewrite *rw, pm_node *node, pm_text *out);
/* The same, but the node itself stays and only what is below it changes. */
void pm_rewrite_text_below(pm_rewrite *rw, pm_node *node, pm_text *out);
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
    pm_text ref, index;
    pm_width width; /* of index */
    bool pure;      /* index may be evaluated twice, or not at all */
} pm_value;

/* False: refused. value is to be freed either way. */
bool pm_value_of(pm_rewrite *rw, pm_node *pointer, pm_value *value);
/* Moves it by a number; minus: back. */
void pm_value_add(pm_rewrite *rw, pm_value *value, pm_node *number, bool minus);
void pm_value_free(pm_value *value);
/* As a reference. */
void pm_value_ref(pm_rewrite *rw, const pm_value *value, pm_text *out);
/* As arguments: the pointers to the parts, and the number of elements if the plan needs it. */
void pm_value_parts(pm_rewrite *rw, const pm_value *value, pm_text *out);
/* The index as an operand of signed 64-bit arithmetic with another one's. */
void pm_value_index(const pm_value *value, const pm_value *beside, pm_text *out);
/* Whether evaluating twice does what evaluating once does. */
bool pm_is_pure(const pm_unit *unit, const pm_node *node);
/* Two pointers compared, or their difference. */
void pm_rewrite_compare(pm_rewrite *rw, pm_edits *edits, pm_node *node);
/* An expression that is a pointer, where it is not dereferenced. */
void pm_rewrite_pointer(pm_rewrite *rw, pm_edits *edits, pm_node *node);

/* ---- rewrite_access.c */

/* A member, a nested struct or an element, read or written. False: node is none of these. */
bool pm_rewrite_access(pm_rewrite *rw, pm_edits *edits, pm_node *node);
/* Whether the parts of what a chain points into have names: it starts at a variable. */
bool pm_rewrite_has_item(const pm_rewrite *rw, const pm_chain *chain);
/* The item of a part that such an access is to, as an lvalue: p_0[i]. */
void pm_rewrite_item(pm_rewrite *rw, pm_node *node, size_t part, pm_text *out);
bool pm_rewrite_assignment(pm_rewrite *rw, pm_edits *edits, pm_node *node);
bool pm_rewrite_sizeof(pm_rewrite *rw, pm_edits *edits, pm_node *node);

/* ---- wide_emit.c */

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
void pm_generate(pm_rewrite *rw, size_t structure, pm_text *out);
/* The generated function's name: T_load, T_ref_at_constant. */
void pm_generate_name(pm_rewrite *rw, const pm_pointee *to, pm_need_kind kind, pm_text *out);
/* The name of one for a path: T_pos_load. */
void pm_generate_member_name(pm_rewrite *rw, const pm_pointee *to, const pm_need_member *member,
                             pm_text *out);

/* ---- result.c */

/* Puts generated text behind the struct's declaration. */
void pm_rewrite_insert(pm_rewrite *rw, pm_edits *edits, size_t structure, const char *generated);
/* Fills out with what text and the state say. */
void pm_rewrite_result(pm_rewrite *rw, const pm_text *text, pm_rewritten *out);

#endif
