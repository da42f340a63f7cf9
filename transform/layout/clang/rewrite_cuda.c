/* Raises errors for C++ code that uses elements of arrays of structs in a way that cannot be
 * rewritten. See rewrite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/layout/clang/rewrite.h"

/* ---- declarations --------------------------------------------------------------------------- */

/* Returns true if a declared variable or parameter is a pointer or C++ reference to a struct whose
 * layout changes. The struct may be in any memory space. */
static bool holds_active(const pm_rewrite *rw, const pm_node *node)
{
    CXType type = node->kind == CXCursor_ParmDecl ? pm_parameter_type(node) : node->type;
    size_t structure;

    if (node->kind == CXCursor_FunctionDecl)
        type = clang_getCanonicalType(clang_getCursorResultType(node->cursor));
    while (pm_type_is_array(type))
        type = pm_type_pointee(type);
    if (type.kind != CXType_Pointer && type.kind != CXType_LValueReference &&
        type.kind != CXType_RValueReference)
        return false;
    structure = pm_unit_struct_of(rw->unit, clang_getPointeeType(type));
    return structure != PM_NO_STRUCT && rw->active[structure];
}

/* Raises an error if the body of a template that is never instantiated calls the function of
 * `parameter`. The template's body is not rewritten, so this call would still pass the arguments
 * that the function had before the change of layout. */
static void check_templates(pm_rewrite *rw, const pm_node *parameter)
{
    const char *name = parameter->parent->name;
    const pm_node *template = pm_ast_template_naming(&rw->unit->ast, name);

    if (template && !parameter->parent->is_kernel)
        pm_ast_refuse(
            &rw->memory, template,
            "a template that is not used here names %s, which takes the parts of an array "
            "now: name an instance of it, or take it out",
            name);
}

static void check_declaration(pm_rewrite *rw, const pm_node *node)
{
    if (!holds_active(rw, node))
        return;
    if (rw->unit->places[node->number] == PM_PLACE_BOTH)
        pm_ast_refuse(&rw->memory, node,
                      "%s points to an element of a kernel's array here and to another struct "
                      "there: make it two",
                      *node->name ? node->name : "a pointer");
    if (node->kind == CXCursor_ParmDecl && node->parent->kind != CXCursor_FunctionDecl &&
        pm_unit_variable(rw->unit, node))
        pm_ast_refuse(&rw->memory, node,
                      "a pointer to an element is given to something else than a plain function: "
                      "make it one");
    if (node->kind == CXCursor_ParmDecl && pm_unit_variable(rw->unit, node))
        check_templates(rw, node);
}

/* ---- expressions ---------------------------------------------------------------------------- */

static void check_lambda(pm_rewrite *rw, const pm_node *lambda)
{
    PM_EACH_NODE(&rw->unit->ast, lambda, node) {
        pm_pointee to;

        if (pm_rewrite_points(rw, node, &to))
            pm_ast_refuse(&rw->memory, node,
                          "a pointer to an element in a lambda: make it a function that takes the "
                          "pointer");
    }
}

/* Raises an error for an initializer list such as `holder h = {p}` that contains a pointer to an
 * element. Its new form would depend on the members of the initialized struct. */
static void check_list(pm_rewrite *rw, const pm_node *list)
{
    pm_pointee to;

    for (const pm_node *child = list->first; list->type.kind == CXType_Record && child;
         child = child->next)
        if (pm_rewrite_points(rw, child, &to))
            pm_ast_refuse(&rw->memory, child,
                          "a pointer to an element is kept in a struct: keep its index instead");
}

void pm_rewrite_check_node(pm_rewrite *rw, const pm_node *node)
{
    switch (node->kind) {
    case CXCursor_FunctionDecl:
    case CXCursor_ParmDecl:
    case CXCursor_VarDecl:
    case CXCursor_FieldDecl:
        check_declaration(rw, node);
        break;
    case CXCursor_LambdaExpr:
        check_lambda(rw, node);
        break;
    case CXCursor_InitListExpr:
        check_list(rw, node);
        break;
    default:
        break;
    }
}

/* ---- reference parameters ------------------------------------------------------------------- */

/* Returns true if a called function may get a copy of an element in place of a reference: it only
 * reads its arguments, and does not contain a barrier. */
static bool takes_copy(const pm_rewrite *rw, const pm_node *call)
{
    const pm_node *function = pm_ast_callee(call), *argument;

    if (!function)
        return false;
    for (size_t i = 0; (argument = pm_ast_argument(call, i)) != NULL; i++)
        if (pm_ast_is_handed_out(argument) ||
            (argument->type.kind == CXType_Pointer &&
             !clang_isConstQualifiedType(clang_getPointeeType(argument->type))))
            return false;
    PM_EACH_NODE(&rw->unit->ast, function, node)
        if (node->kind == CXCursor_CallExpr &&
            (strncmp(node->name, "__sync", 6) == 0 || strncmp(node->name, "sync", 4) == 0))
            return false;
    return true;
}

static const pm_node *call_around(const pm_node *node)
{
    for (node = node->parent; node && clang_isExpression(node->kind); node = node->parent)
        if (node->kind == CXCursor_CallExpr)
            return node;
    return NULL;
}

bool pm_is_cuda_access(const pm_node *call)
{
    return call->kind == CXCursor_CallExpr && !call->declaration &&
           (strncmp(call->name, "__ld", 4) == 0 || strncmp(call->name, "__st", 4) == 0);
}

void pm_rewrite_check_access(pm_rewrite *rw, pm_node *node, const pm_chain *chain)
{
    const pm_node *part = pm_chain_part(node);
    const CXType type = pm_ast_reference(part);
    const pm_node *call = call_around(node);
    const bool scalar = pm_chain_is_scalar(rw->unit, chain);

    if (node->kind == CXCursor_MemberRefExpr && node->parent->kind == CXCursor_CallExpr &&
        node->parent->first == node)
        pm_ast_refuse(&rw->memory, node,
                      "a member function of an element is called: copy the element into a "
                      "variable first");
    if (type.kind == CXType_Invalid)
        return;
    if (part->parent->kind == CXCursor_VarDecl || !call)
        pm_ast_refuse(&rw->memory, node,
                      "a reference to an element, or to a part of one: use a pointer to the "
                      "element, or copy it");
    if (!scalar && (pm_ast_is_handed_out(part) || !takes_copy(rw, call)))
        pm_ast_refuse(&rw->memory, node,
                      "an element is given to a function by reference: give it a pointer to the "
                      "element");
}
