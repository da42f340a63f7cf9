/* Members, nested structs and whole elements, read and written. See rewrite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "rewrite.h"

enum { MOST_SUBSCRIPTS = sizeof((pm_chain *)0)->subscripts / sizeof(pm_node *) };

/* The rewritten subscripts of a chain, one behind the other with a NUL between them. */
typedef struct {
    pm_text storage;
    const char *items[MOST_SUBSCRIPTS];
} subscripts;

static void take_subscripts(pm_rewrite *rw, const pm_chain *chain, subscripts *taken)
{
    size_t at = 0;

    for (size_t d = 0; d < chain->subscript_count; d++) {
        if (chain->subscripts[d])
            pm_rewrite_text(rw, chain->subscripts[d], &taken->storage);
        else
            pm_text_add(&taken->storage, "0");
        pm_text_put(&taken->storage, "", 1);
    }
    if (taken->storage.failed)
        pm_rewrite_no_memory(rw);
    for (size_t d = 0; d < chain->subscript_count; d++) {
        taken->items[d] = taken->storage.failed ? "" : taken->storage.data + at;
        at += strlen(taken->items[d]) + 1;
    }
}

/* ---- members ------------------------------------------------------------------------------- */

static pm_need_member *need_member(pm_rewrite *rw, size_t structure, const pm_need_member *wanted)
{
    pm_rewrite_struct *s = &rw->structs[structure];
    pm_need_member *member;

    for (size_t i = 0; i < s->member_count; i++) {
        member = &s->members[i];
        if (member->kind == wanted->kind && strcmp(member->path, wanted->path) == 0 &&
            member->constant == wanted->constant &&
            member->subscript_count == wanted->subscript_count)
            return member;
    }
    if (s->member_count == s->member_room) {
        size_t room = s->member_room * 2 + 8;
        pm_need_member *grown = realloc(s->members, room * sizeof *grown);

        if (!grown) {
            pm_rewrite_no_memory(rw);
            return NULL;
        }
        s->members = grown;
        s->member_room = room;
    }
    member = &s->members[s->member_count++];
    *member = *wanted;
    member->path = strdup(wanted->path);
    member->type = wanted->type ? strdup(wanted->type) : NULL;
    if (!member->path || (wanted->type && !member->type)) {
        pm_rewrite_no_memory(rw);
        return NULL;
    }
    return member;
}

/* (*T_x_of(reference, subscripts)): where a member's place is needed more than once, or the pointer
 * is no variable. */
static void add_member_of_ref(pm_rewrite *rw, pm_node *node, const pm_chain *chain,
                              const pm_value *value, const subscripts *taken, pm_text *out)
{
    const pm_field *field = &rw->unit->info.structs.items[chain->to.structure].fields[chain->field];
    bool scalar = chain->subscript_count == field->extent_count;
    const pm_need_member wanted = {.kind = PM_MEMBER_OF_REF,
                                   .path = (char *)(uintptr_t)chain->path,
                                   .subscript_count = chain->subscript_count,
                                   .constant = chain->to.constant};
    const pm_need_member *member = need_member(rw, chain->to.structure, &wanted);

    if (!scalar && field->extent_count - chain->subscript_count > 1)
        pm_rewrite_refuse(rw, node,
                          "an array of arrays in a struct is used as a pointer: use subscripts");
    if (!member)
        return;
    pm_text_add(out, scalar ? "(*" : "(");
    pm_generate_member_name(rw, &chain->to, member, out);
    pm_text_add(out, "(");
    pm_value_ref(rw, value, out);
    for (size_t d = 0; d < chain->subscript_count; d++)
        pm_text_add(out, ", %s", taken->items[d]);
    pm_text_add(out, "))");
}

/* The pointers to the parts as expressions; false: out of memory. */
static bool take_parts(pm_rewrite *rw, const pm_value *value, const char **parts, pm_text *storage)
{
    const pm_plan *plan = rw->structs[value->to.structure].names.plan;
    size_t at = 0;

    for (size_t i = 0; i < plan->part_count; i++) {
        if (value->kind == PM_VALUE_INDEX)
            pm_text_add(storage, "%s", rw->part_names[value->base][i]);
        else
            pm_text_add(storage, "%s.p%zu", pm_text_get(&value->ref), i);
        pm_text_put(storage, "", 1);
    }
    if (value->kind == PM_VALUE_INDEX)
        pm_text_add(storage, "%s",
                    plan->needs_count ? rw->part_names[value->base][plan->part_count] : "");
    else
        pm_text_add(storage, "%s.count", pm_text_get(&value->ref));
    if (storage->failed)
        return false;
    for (size_t i = 0; i <= plan->part_count; i++) {
        parts[i] = storage->data + at;
        at += strlen(parts[i]) + 1;
    }
    return true;
}

static void add_member(pm_rewrite *rw, pm_node *node, const pm_chain *chain, const pm_value *value,
                       const subscripts *taken, pm_text *out)
{
    const pm_plan *plan = rw->structs[chain->to.structure].names.plan;
    const char **parts = calloc(plan->part_count + 1, sizeof *parts);
    pm_text storage = {0};

    if (value->kind == PM_VALUE_REF || (plan->tile > 1 && !value->pure))
        add_member_of_ref(rw, node, chain, value, taken, out);
    else if (!parts || !take_parts(rw, value, parts, &storage))
        pm_rewrite_no_memory(rw);
    else {
        const pm_plan_element element = {
            .parts = parts,
            .index = value->width == PM_WIDTH_ZERO ? "0" : pm_text_get(&value->index),
            .count = parts[plan->part_count]};

        pm_plan_text_member(out, plan, &element, chain->field, taken->items,
                            chain->subscript_count);
    }
    pm_text_free(&storage);
    free(parts);
}

/* ---- structs ------------------------------------------------------------------------------- */

/* The function that reads or writes the element, or a nested struct in it, and its arguments but
 * the value that is written. */
static void add_struct_call(pm_rewrite *rw, pm_node *node, const pm_chain *chain,
                            const pm_value *value, const subscripts *taken, bool store,
                            pm_text *out)
{
    bool of_ref = value->kind == PM_VALUE_REF;

    if (chain->path[0]) {
        char *type = pm_ast_string(clang_getTypeSpelling(
            clang_getUnqualifiedType(clang_getCanonicalType(clang_getCursorType(node->cursor)))));
        const pm_need_member wanted = {.kind = store ? PM_NESTED_STORE : PM_NESTED_LOAD,
                                       .path = (char *)(uintptr_t)chain->path,
                                       .type = type,
                                       .subscript_count = chain->subscript_count,
                                       .constant = chain->to.constant};
        const pm_need_member *member;

        if (!type || strchr(type, '(')) {
            pm_rewrite_refuse(rw, node,
                              "a struct without a name is copied as a whole: give it a name, or "
                              "copy its members");
            free(type);
            return;
        }
        member = need_member(rw, chain->to.structure, &wanted);
        free(type);
        if (!member)
            return;
        pm_generate_member_name(rw, &chain->to, member, out);
        pm_text_add(out, "(");
        pm_value_ref(rw, value, out);
        for (size_t d = 0; d < chain->subscript_count; d++)
            pm_text_add(out, ", %s", taken->items[d]);
        return;
    }
    pm_generate_name(rw, &chain->to,
                     of_ref ? (store ? PM_NEED_REF_STORE : PM_NEED_REF_LOAD)
                            : (store ? PM_NEED_STORE : PM_NEED_LOAD),
                     out);
    pm_text_add(out, "(");
    if (of_ref) {
        pm_text_add(out, "%s", pm_text_get(&value->ref));
        return;
    }
    pm_value_parts(rw, value, out);
    pm_text_add(out, ", %s", value->width == PM_WIDTH_ZERO ? "0" : pm_text_get(&value->index));
}

/* ---- addresses ----------------------------------------------------------------------------- */

/* A cast to a pointer to something of another size. */
static bool changes_size(const pm_node *cast, CXType from)
{
    CXType to = clang_getCanonicalType(clang_getPointeeType(pm_ast_type(cast)));

    return pm_ast_type(cast).kind != CXType_Pointer ||
           clang_Type_getSizeOf(to) != clang_Type_getSizeOf(from) ||
           clang_Type_getAlignOf(to) != clang_Type_getAlignOf(from);
}

/* The address of a member may be used where nothing beside the member is reached through it. */
static void check_address(pm_rewrite *rw, const pm_node *member, pm_node *address)
{
    pm_node *child, *user = pm_ast_user(address, &child);
    CXType type = pm_ast_type(member);

    if (type.kind == CXType_Record) {
        pm_rewrite_refuse(rw, address,
                          "the address of a struct inside of another one: pass its members");
        return;
    }
    while (user && user->kind == CXCursor_CStyleCastExpr) {
        if (changes_size(user, type)) {
            pm_rewrite_refuse(rw, address,
                              "the address of a member is cast to another type: use the member");
            return;
        }
        user = pm_ast_user(user, &child);
    }
    /* Members of an array stay beside each other (pm_field.whole). */
    if (member->kind != CXCursor_MemberRefExpr)
        return;
    if (user && (pm_is_atomic_call(rw->unit, user) ||
                 (user->kind == CXCursor_UnaryOperator &&
                  clang_getCursorUnaryOperatorKind(user->cursor) == CXUnaryOperator_Deref)))
        return;
    pm_rewrite_refuse(rw, address,
                      "the address of a member is taken, and what lies beside it will be something "
                      "else: copy the member into a variable");
}

/* ---- accesses ------------------------------------------------------------------------------ */

static bool is_record(const pm_node *node)
{
    return pm_ast_type(node).kind == CXType_Record;
}

/* An array of scalars used as a pointer. */
static void check_array(pm_rewrite *rw, const pm_chain *chain, pm_node *node)
{
    const pm_struct *structure = &rw->unit->info.structs.items[chain->to.structure];
    pm_node *child, *user = pm_ast_user(node, &child);
    CXType element = pm_ast_type(node);

    if (chain->field == structure->field_count) {
        pm_rewrite_refuse(rw, node,
                          "an array of structs inside of a struct is used as a pointer: use "
                          "subscripts");
        return;
    }
    while (element.kind == CXType_ConstantArray)
        element = clang_getCanonicalType(clang_getArrayElementType(element));
    if (user && user->kind == CXCursor_CStyleCastExpr && changes_size(user, element))
        pm_rewrite_refuse(rw, node,
                          "an array in a struct is cast to another type: use its members");
}

static void add_access(pm_rewrite *rw, pm_node *node, const pm_chain *chain, const pm_value *value,
                       const subscripts *taken, pm_text *out)
{
    if (is_record(node)) {
        add_struct_call(rw, node, chain, value, taken, false, out);
        pm_text_add(out, ")");
        return;
    }
    if (!pm_chain_is_scalar(rw->unit, chain))
        check_array(rw, chain, node);
    if (rw->status == PM_OK)
        add_member(rw, node, chain, value, taken, out);
}

static bool value_of_chain(pm_rewrite *rw, const pm_chain *chain, pm_value *value)
{
    if (!pm_value_of(rw, chain->pointer, value))
        return false;
    if (chain->index)
        pm_value_add(rw, value, chain->index, false);
    return true;
}

bool pm_rewrite_has_item(const pm_rewrite *rw, const pm_chain *chain)
{
    const pm_node *node = pm_ast_strip(chain->pointer);
    const pm_variable *variable;

    if (pm_unit_base(rw->unit, chain->pointer) != PM_NO_VARIABLE)
        return true;
    variable = node->kind == CXCursor_DeclRefExpr ? pm_unit_variable(rw->unit, node) : NULL;
    return variable && variable->mode == PM_VARIABLE_REF;
}

void pm_rewrite_item(pm_rewrite *rw, pm_node *node, size_t part, pm_text *out)
{
    const pm_plan *plan;
    pm_chain chain;
    pm_value value = {.pure = true};
    const char **parts = NULL;
    pm_text storage = {0};

    if (!pm_rewrite_chain(rw, node, &chain) || !value_of_chain(rw, &chain, &value)) {
        pm_value_free(&value);
        return;
    }
    plan = rw->structs[chain.to.structure].names.plan;
    parts = calloc(plan->part_count + 1, sizeof *parts);
    if (!parts || !take_parts(rw, &value, parts, &storage))
        pm_rewrite_no_memory(rw);
    else
        pm_text_add(out, "%s[%s]", parts[part],
                    value.width == PM_WIDTH_ZERO ? "0" : pm_text_get(&value.index));
    pm_text_free(&storage);
    free(parts);
    pm_value_free(&value);
}

bool pm_rewrite_access(pm_rewrite *rw, pm_edits *edits, pm_node *node)
{
    pm_chain chain;
    pm_value value;
    subscripts taken = {.items = {NULL}};
    pm_text text = {0};
    pm_use use;

    if (!pm_rewrite_chain(rw, node, &chain))
        return false;
    use = pm_chain_use(node);
    if (use.address)
        check_address(rw, node, use.node);
    if (value_of_chain(rw, &chain, &value)) {
        take_subscripts(rw, &chain, &taken);
        add_access(rw, node, &chain, &value, &taken, &text);
        pm_rewrite_replace(rw, edits, node, pm_text_get(&text));
    }
    pm_value_free(&value);
    pm_text_free(&taken.storage);
    pm_text_free(&text);
    return true;
}

bool pm_rewrite_assignment(pm_rewrite *rw, pm_edits *edits, pm_node *node)
{
    pm_chain chain;
    pm_value value;
    subscripts taken = {.items = {NULL}};
    pm_text text = {0};

    if (node->kind != CXCursor_BinaryOperator ||
        clang_getCursorBinaryOperatorKind(node->cursor) != CXBinaryOperator_Assign ||
        !node->first || !is_record(node->first) ||
        !pm_rewrite_chain(rw, pm_ast_strip(node->first), &chain))
        return false;
    if (value_of_chain(rw, &chain, &value)) {
        take_subscripts(rw, &chain, &taken);
        add_struct_call(rw, pm_ast_strip(node->first), &chain, &value, &taken, true, &text);
        pm_text_add(&text, ", ");
        pm_rewrite_text(rw, node->last, &text);
        pm_text_add(&text, ")");
        pm_rewrite_replace(rw, edits, node, pm_text_get(&text));
    }
    pm_value_free(&value);
    pm_text_free(&taken.storage);
    pm_text_free(&text);
    return true;
}

/* ---- sizeof -------------------------------------------------------------------------------- */

static bool mentions(const pm_rewrite *rw, pm_node *node)
{
    pm_pointee to;

    if (pm_rewrite_points(rw, node, &to))
        return true;
    for (pm_node *child = node->first; child; child = child->next)
        if (mentions(rw, child))
            return true;
    return false;
}

bool pm_rewrite_sizeof(pm_rewrite *rw, pm_edits *edits, pm_node *node)
{
    CXEvalResult result;
    pm_text text = {0};
    size_t structure;

    if (node->kind != CXCursor_UnaryExpr || !node->first || !mentions(rw, node->first))
        return false;
    structure = pm_unit_struct_of(rw->unit, pm_ast_type(node->first));
    result = clang_Cursor_Evaluate(node->cursor);
    if (pm_ast_type(node->first).kind == CXType_Record && structure != PM_NO_STRUCT)
        pm_text_add(&text, "sizeof(%s)", rw->unit->structs[structure].spelling);
    else if (result && clang_EvalResult_getKind(result) == CXEval_Int)
        pm_text_add(&text, "%lluul", clang_EvalResult_getAsUnsigned(result));
    else
        pm_rewrite_refuse(rw, node, "sizeof of this is not understood: use the type's name");
    if (result)
        clang_EvalResult_dispose(result);
    pm_rewrite_replace(rw, edits, node, pm_text_get(&text));
    pm_text_free(&text);
    return true;
}
