/* Writes the new code for accesses to an array of structs that gets another memory layout: to
 * members, to nested structs, and to whole elements. See rewrite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/layout/clang/rewrite.h"

bool pm_is_plain_struct(CXType type)
{
    return type.kind == CXType_Record && !pm_type_is_cuda_vector(type);
}

/* ---- members ------------------------------------------------------------------------------- */

/* Returns the start of a call of the function that is generated for a member x of struct T, without
 * the closing parenthesis: "T_x_of(reference, subscripts". */
static const char *call_member(pm_rewrite *rw, const pm_accessed *p, const pm_need_member *wanted)
{
    pm_rewrite_struct *s = &rw->structs[p->chain.to.structure];
    const pm_need_member *member = NULL;
    const char *call;

    for (size_t i = 0; i < s->member_count && !member; i++)
        if (s->members[i].kind == wanted->kind && strcmp(s->members[i].path, wanted->path) == 0 &&
            s->members[i].constant == wanted->constant &&
            s->members[i].subscript_count == wanted->subscript_count)
            member = &s->members[i];
    if (!member) {
        pm_need_member *added = pm_add(&rw->memory, s->members, s->member_count);

        *added = *wanted;
        added->path = pm_copy(&rw->memory, wanted->path);
        member = added;
    }
    call = pm_generate_member_name(rw, &p->chain.to, member);
    call = pm_format(&rw->memory, "%s(%s", call, pm_value_ref(rw, &p->value));
    for (size_t d = 0; d < p->chain.subscript_count; d++)
        call = pm_format(&rw->memory, "%s, %s", call, p->subscripts[d]);
    return call;
}

/* Returns code that accesses a member x of struct T through the generated function that returns its
 * address: "(*T_x_of(reference, subscripts))". This form is needed if the element's index has side
 * effects and must be evaluated only once, or if the pointer is not a variable. */
static const char *member_of_ref(pm_rewrite *rw, const pm_node *node, const pm_accessed *p)
{
    const pm_chain *chain = &p->chain;
    const pm_field *field = &rw->unit->info.structs.items[chain->to.structure].fields[chain->field];
    size_t missing = field->extent_count - chain->subscript_count;
    const pm_need_member wanted = {.kind = PM_MEMBER_OF_REF,
                                   .path = chain->path,
                                   .subscript_count = chain->subscript_count,
                                   .constant = chain->to.constant};

    if (missing > 1)
        pm_ast_refuse(&rw->memory, node,
                      "an array of arrays in a struct is used as a pointer: use subscripts");
    return pm_format(&rw->memory, missing ? "(%s))" : "(*%s))", call_member(rw, p, &wanted));
}

/* Returns an array with the code of the pointers to the buffers of the new layout, one for each
 * buffer, and then the code of the number of elements. */
static const char **take_parts(pm_rewrite *rw, const pm_element_value *value)
{
    const pm_plan *plan = pm_rewrite_plan(rw, value->to.structure);
    const char **parts = pm_take(&rw->memory, plan->part_count + 1, sizeof *parts);

    for (size_t i = 0; i < plan->part_count; i++)
        parts[i] = pm_value_part(rw, value, i);
    parts[plan->part_count] = value->kind == PM_VALUE_INDEX && !plan->needs_count
                                  ? ""
                                  : pm_value_part(rw, value, plan->part_count);
    return parts;
}

const char *pm_accessed_member(pm_rewrite *rw, const pm_node *node, const pm_accessed *p)
{
    const pm_plan *plan = pm_rewrite_plan(rw, p->chain.to.structure);
    pm_text out = {.memory = &rw->memory};
    pm_plan_element element = {.index = p->value.index};

    if (p->value.kind == PM_VALUE_REF || (plan->tile > 1 && !p->value.pure))
        return member_of_ref(rw, node, p);
    element.parts = take_parts(rw, &p->value);
    element.count = element.parts[plan->part_count];
    pm_plan_text_member(&out, plan, &element, p->chain.field, p->subscripts,
                        p->chain.subscript_count);
    return pm_text_get(&out);
}

/* ---- structs ------------------------------------------------------------------------------- */

const char *pm_accessed_struct(pm_rewrite *rw, const pm_node *node, const pm_accessed *p,
                               bool store)
{
    if (p->chain.path[0]) {
        const pm_need_member wanted = {.kind = store ? PM_NESTED_STORE : PM_NESTED_LOAD,
                                       .path = p->chain.path,
                                       .type = pm_type_text(node->type, &rw->memory),
                                       .subscript_count = p->chain.subscript_count,
                                       .constant = p->chain.to.constant};

        if (strchr(wanted.type, '('))
            pm_ast_refuse(&rw->memory, node,
                          "a struct without a name is copied as a whole: give it a name, or copy "
                          "its members");
        return call_member(rw, p, &wanted);
    }
    if (p->value.kind == PM_VALUE_REF)
        return pm_format(
            &rw->memory, "%s(%s",
            pm_generate_name(rw, &p->chain.to, store ? PM_NEED_REF_STORE : PM_NEED_REF_LOAD),
            p->value.ref);
    return pm_format(&rw->memory, "%s(%s, %s",
                     pm_generate_name(rw, &p->chain.to, store ? PM_NEED_STORE : PM_NEED_LOAD),
                     pm_value_parts(rw, &p->value), p->value.index);
}

/* ---- addresses of members ------------------------------------------------------------------ */

/* Returns true if a cast of a pointer to `from` yields anything but a pointer to a type of the same
 * size and alignment. */
static bool changes_size(const pm_node *cast, CXType from)
{
    CXType to = pm_type_pointee(cast->type);

    return cast->type.kind != CXType_Pointer ||
           clang_Type_getSizeOf(to) != clang_Type_getSizeOf(from) ||
           clang_Type_getAlignOf(to) != clang_Type_getAlignOf(from);
}

void pm_accessed_check_address(pm_rewrite *rw, const pm_node *member, pm_node *address)
{
    pm_node *child, *user = pm_ast_user(address, &child);

    if (pm_is_plain_struct(member->type))
        pm_ast_refuse(&rw->memory, address,
                      "the address of a struct inside of another one: pass its members");
    for (; user && user->kind == CXCursor_CStyleCastExpr; user = pm_ast_user(user, &child))
        if (changes_size(user, member->type))
            pm_ast_refuse(&rw->memory, address,
                          "the address of a member is cast to another type: use the member");
    /* A pointer to an array member needs no check, because every layout keeps the elements of an
     * array adjacent if the source uses the array as a pointer (pm_field.whole). */
    if (member->kind == CXCursor_MemberRefExpr &&
        !(user && (pm_is_atomic_call(user) || pm_is_cuda_access(user) ||
                   user->unary == CXUnaryOperator_Deref)))
        pm_ast_refuse(&rw->memory, address,
                      "the address of a member is taken, and what lies beside it will be something "
                      "else: copy the member into a variable");
}

void pm_accessed_check_array(pm_rewrite *rw, const pm_chain *chain, pm_node *node)
{
    pm_node *child, *user = pm_ast_user(node, &child);
    CXType element = node->type;

    if (chain->field == rw->unit->info.structs.items[chain->to.structure].field_count)
        pm_ast_refuse(&rw->memory, node,
                      "an array of structs inside of a struct is used as a pointer: use "
                      "subscripts");
    while (element.kind == CXType_ConstantArray)
        element = pm_type_pointee(element);
    if (user && user->kind == CXCursor_CStyleCastExpr && changes_size(user, element))
        pm_ast_refuse(&rw->memory, node,
                      "an array in a struct is cast to another type: use its members");
}

/* ---- sizeof -------------------------------------------------------------------------------- */

static bool mentions(const pm_rewrite *rw, const pm_node *node)
{
    pm_pointee to;

    PM_EACH_NODE(&rw->unit->ast, node, part)
        if (pm_rewrite_points(rw, part, &to))
            return true;
    return false;
}

bool pm_rewrite_sizeof(pm_rewrite *rw, pm_edits *edits, pm_node *node)
{
    const char *text = NULL;
    size_t structure;
    long long value;

    if (node->kind != CXCursor_UnaryExpr || !node->first || !mentions(rw, node->first))
        return false;
    structure = pm_unit_struct_of(rw->unit, node->first->type);
    if (node->first->type.kind == CXType_Record && structure != PM_NO_STRUCT)
        text = pm_format(&rw->memory, "sizeof(%s)", rw->unit->structs[structure].spelling);
    else if (pm_ast_evaluate(node, &value))
        text = pm_format(&rw->memory, "%lluul", (unsigned long long)value);
    else
        pm_ast_refuse(&rw->memory, node, "sizeof of this is not understood: use the type's name");
    pm_rewrite_replace(rw, edits, node, text);
    return true;
}
