/* Replaces variables that are C++ references to array elements by the elements. See references.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/clang/references.h"

#include <string.h>

#include "transform/source/clang/builtins.h"
#include "transform/source/clang/names.h"

/* ---- expressions that do not change --------------------------------------------------------- */

/* A reference variable, and the block ({ }) in which it can be used. */
typedef struct {
    const pm_referring *r;
    const pm_node *variable, *scope;
} sight;

static bool is_in_sight(const sight *s, const pm_node *node)
{
    return node->number > s->variable->number && pm_ast_is_within(node, s->scope);
}

/* Returns whether a variable may change in the block ({ }) in which the reference can be used. Also
 * returns true if another variable with the same name hides it in this block. */
static bool may_change(const sight *s, const pm_node *variable)
{
    const pm_node *function = pm_ast_ancestor(variable->parent, CXCursor_FunctionDecl);

    if (variable->kind == CXCursor_EnumConstantDecl || clang_isConstQualifiedType(variable->type))
        return false;
    if (!function || pm_is_local_variable(variable) ||
        clang_isVolatileQualifiedType(variable->type) ||
        clang_Cursor_getStorageClass(variable->cursor) == CX_SC_Static ||
        variable->type.kind == CXType_LValueReference)
        return true;
    PM_EACH_NODE(s->r->ast, function, node) {
        if (node->first &&
            ((pm_changes_operand(node) && is_in_sight(s, node)) ||
             node->unary == CXUnaryOperator_AddrOf) &&
            pm_ast_owner(node->first) == variable)
            return true;
        if (node->kind == CXCursor_DeclRefExpr && node->declaration == variable &&
            pm_ast_is_handed_out(node))
            return true;
    }
    return false;
}

static bool is_hidden(const sight *s, const pm_node *variable)
{
    PM_EACH_NODE(s->r->ast, s->scope, node)
        if ((node->kind == CXCursor_VarDecl || node->kind == CXCursor_ParmDecl) &&
            is_in_sight(s, node) && strcmp(node->name, variable->name) == 0)
            return true;
    return false;
}

static bool is_plain_kind(const pm_node *node)
{
    switch (node->kind) {
    case CXCursor_ParenExpr:
    case CXCursor_UnexposedExpr:
    case CXCursor_CStyleCastExpr:
    case CXCursor_ConditionalOperator:
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_CXXBoolLiteralExpr:
    case CXCursor_TypeRef:
        return true;
    case CXCursor_BinaryOperator:
    case CXCursor_UnaryOperator:
        return !pm_changes_operand(node) && node->unary != CXUnaryOperator_Deref &&
               node->unary != CXUnaryOperator_AddrOf;
    default:
        return false;
    }
}

/* Returns whether an expression consists only of variables and constants that do not change in the
 * block ({ }) in which the reference can be used. */
static bool is_stable(const sight *s, const pm_node *expression)
{
    PM_EACH_NODE(s->r->ast, expression, node) {
        if (is_plain_kind(node))
            continue;
        if (node->kind == CXCursor_MemberRefExpr && node->first &&
            pm_is_cuda_index(pm_ast_strip(node->first)))
            continue;
        if (node->kind != CXCursor_DeclRefExpr ||
            (node->declaration ? may_change(s, node->declaration) || is_hidden(s, node->declaration)
                               : !pm_is_cuda_index(node)))
            return false;
    }
    return true;
}

/* A variable is a C++ reference to the lvalue. Returns whether the lvalue still refers to the same
 * array element wherever the reference is used, so that it can replace the reference. If only the
 * index may change, returns true and sets *index to the index expression, whose value must then be
 * saved in a new variable. */
static bool is_stable_element(const sight *s, const pm_node *lvalue, pm_node **index)
{
    const pm_node *node = pm_ast_strip(lvalue);
    pm_node *pointer, *at;

    if (node->kind == CXCursor_DeclRefExpr)
        return node->declaration && s->r->names[node->declaration->number] &&
               !is_hidden(s, node->declaration);
    if (pm_ast_dereference(node, &pointer, &at)) {
        if (node->kind == CXCursor_ArraySubscriptExpr &&
            pm_type_is_array(pm_ast_strip(pointer)->type) &&
            pm_ast_strip(pointer)->kind == CXCursor_MemberRefExpr)
            return is_stable(s, at) && is_stable_element(s, pointer, index);
        if (at && !is_stable(s, at))
            *index = at;
        return is_stable(s, pointer);
    }
    return node->kind == CXCursor_MemberRefExpr && node->first &&
           is_stable_element(s, node->first, index);
}

/* ---- text of expressions -------------------------------------------------------------------- */

/* Returns the text of an expression in which the elements replace the references to them. The text
 * of the descendant `part` is replaced by `instead`; part NULL: none. Returns NULL if replacements
 * overlap. */
static const char *text_of(const pm_referring *r, const pm_node *node, const pm_node *part,
                           const char *instead)
{
    pm_edits edits = {.memory = r->edits->memory};
    pm_text out = {.memory = r->edits->memory};

    if (part)
        pm_edits_add(&edits, part->begin, part->end, instead);
    PM_EACH_NODE(r->ast, node, use)
        if (use->kind == CXCursor_DeclRefExpr && use->declaration &&
            r->names[use->declaration->number] && (!part || !pm_ast_is_within(use, part)))
            pm_edits_add(&edits, use->begin, use->end, r->names[use->declaration->number]);
    return pm_edits_apply(&edits, r->ast->text, node->begin, node->end, &out) ? pm_text_get(&out)
                                                                              : NULL;
}

static const char *fresh_name(const pm_referring *r, const pm_node *variable)
{
    const char *name = pm_format(r->edits->memory, "%s_index", variable->name);

    for (unsigned i = 2; pm_has_token(r->ast->text, name); i++)
        name = pm_format(r->edits->memory, "%s_index_%u", variable->name, i);
    return name;
}

/* Adds the edit that removes a declaration. If its line has no other code, the line is marked with
 * PM_EDITS_NO_LINE, so that it is removed later. */
static void drop_statement(const pm_referring *r, const pm_node *statement)
{
    const char *text = r->ast->text;
    const size_t start = pm_line_start(text, statement->begin);
    size_t before = start;

    while (text[before] == ' ' || text[before] == '\t')
        before++;
    if (before == statement->begin && text[statement->end] == '\n')
        pm_edits_add(r->edits, start, statement->end, PM_EDITS_NO_LINE);
    else
        pm_edits_add(r->edits, statement->begin, statement->end, "");
}

/* ---- variables ------------------------------------------------------------------------------ */

static bool can_replace(const pm_referring *r, const pm_node *variable, const char *text)
{
    PM_EACH_NODE(r->ast, r->ast->root, node)
        if (node->kind == CXCursor_DeclRefExpr && node->declaration == variable &&
            (!pm_ast_is_replaceable(node, text) || pm_ast_ancestor(node, CXCursor_LambdaExpr)))
            return false;
    return true;
}

/* Returns the statement that declares only this variable. Returns NULL if the variable's statement
 * declares several variables. */
static const pm_node *statement_of(const pm_node *variable)
{
    const pm_node *statement = variable->parent;

    return statement && statement->kind == CXCursor_DeclStmt && pm_ast_children(statement) == 1 &&
                   statement->parent && statement->parent->kind == CXCursor_CompoundStmt &&
                   pm_ast_is_own(statement)
               ? statement
               : NULL;
}

static bool is_same_type(CXType reference, CXType type)
{
    return clang_equalTypes(
        clang_getUnqualifiedType(clang_getCanonicalType(clang_getPointeeType(reference))),
        clang_getUnqualifiedType(type));
}

static void replace_variable(pm_referring *r, const pm_node *variable)
{
    const pm_node *statement = statement_of(variable), *element;
    const char *text, *index_name = NULL;
    pm_node *index = NULL;
    sight s = {r, variable, NULL};

    if (!statement || !variable->initializer)
        return;
    s.scope = statement->parent;
    element = pm_ast_strip(variable->initializer);
    if (!pm_reference_is_element(r, element) || !pm_ast_is_own(element) ||
        pm_type_is_array(element->type) || !is_same_type(variable->type, element->type) ||
        !is_stable_element(&s, element, &index) || (index && !pm_ast_is_own(index)))
        return;
    index_name = index ? fresh_name(r, variable) : NULL;
    text = text_of(r, element, index, index_name);
    if (text && element->unary == CXUnaryOperator_Deref)
        text = pm_format(r->edits->memory, "(%s)", text);
    if (!text || !can_replace(r, variable, text))
        return;
    if (index)
        pm_edits_add(r->edits, statement->begin, statement->end,
                     pm_format(r->edits->memory, "const %s %s = %s;",
                               pm_type_text(index->type, r->edits->memory), index_name,
                               text_of(r, index, NULL, NULL)));
    else
        drop_statement(r, statement);
    r->names[variable->number] = text;
    r->done[statement->number] = true;
}

void pm_references_variables(pm_referring *r)
{
    PM_EACH_NODE(r->ast, r->ast->root, node)
        if (node->kind == CXCursor_VarDecl && node->type.kind == CXType_LValueReference)
            replace_variable(r, node);
}

/* ---- all references ------------------------------------------------------------------------- */

static bool is_done(const pm_referring *r, const pm_node *node)
{
    for (; node; node = node->parent)
        if (r->done[node->number])
            return true;
    return false;
}

void pm_references_edit(const pm_ast *ast, bool parameters, pm_edits *edits)
{
    pm_referring r = {.ast = ast, .edits = edits};

    r.names = pm_take(edits->memory, ast->count, sizeof *r.names);
    r.pointers = pm_take(edits->memory, ast->count, sizeof *r.pointers);
    r.done = pm_take(edits->memory, ast->count, sizeof *r.done);
    pm_references_variables(&r);
    if (parameters)
        pm_references_parameters(&r);
    PM_EACH_NODE(ast, ast->root, node)
        if (node->kind == CXCursor_DeclRefExpr && node->declaration &&
            r.names[node->declaration->number] && !is_done(&r, node))
            pm_edits_add(edits, node->begin, node->end, r.names[node->declaration->number]);
}
