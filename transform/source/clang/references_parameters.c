/* Turns parameters that receive array elements by reference into pointers. See references.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/source/clang/names.h"
#include "transform/source/clang/references.h"

/* ---- parameters that become pointers -------------------------------------------------------- */

/* Returns whether a parameter is a reference to a struct. References to scalars need no change,
 * because all layouts store a scalar in the same way. */
static bool is_reference(const pm_node *parameter)
{
    CXType to;

    if (parameter->kind != CXCursor_ParmDecl || !*parameter->name ||
        parameter->type.kind != CXType_LValueReference)
        return false;
    to = clang_getCanonicalType(clang_getPointeeType(parameter->type));
    return to.kind == CXType_Record && !clang_isConstQualifiedType(to) &&
           !pm_type_is_cuda_vector(to);
}

/* Finds the & in the declaration of a parameter, and sets *sign to its offset. Returns false if the
 * & is not in the text itself, but for example in a macro. */
static bool find_sign(const pm_referring *r, const pm_node *parameter, size_t *sign)
{
    size_t begin, end = parameter->begin;
    bool found = false;

    if (!pm_ast_is_own(parameter))
        return false;
    while (pm_token(r->ast->text, end, parameter->end, &begin, &end)) {
        if (strchr("(=", r->ast->text[begin]))
            return false;
        if (r->ast->text[begin] == '&') {
            *sign = begin;
            found = true;
        }
    }
    return found;
}

/* Returns true if a reference parameter can become a pointer. The source may name the function only
 * in calls. No macro or template may contain a call of it, or the & in the parameter's declaration.
 * All arguments must be lvalues that have an address. */
static bool can_be_pointer(const pm_referring *r, const pm_node *function, size_t index)
{
    const pm_node *parameter = pm_ast_parameter(function, index), *argument;
    size_t calls = 0, names = 0, sign;

    if (pm_ast_template_naming(r->ast, function->name))
        return false;
    PM_EACH_NODE(r->ast, r->ast->root, node) {
        const pm_node *declared = node->kind == CXCursor_ParmDecl ? node->parent : NULL;

        if (declared && declared->kind == CXCursor_FunctionDecl &&
            declared->definition == function && pm_ast_parameter_index(node) == index &&
            !find_sign(r, node, &sign))
            return false;
        names += node->kind == CXCursor_DeclRefExpr && node->declaration &&
                 node->declaration->definition == function;
        if (node->kind == CXCursor_DeclRefExpr && node->declaration == parameter &&
            !pm_ast_is_own(node))
            return false;
        if (node->kind != CXCursor_CallExpr || pm_ast_called(node) != function)
            continue;
        calls++;
        argument = pm_ast_argument(node, index);
        if (!argument || !pm_ast_is_own(pm_ast_strip(argument)))
            return false;
    }
    return calls > 0 && calls == names;
}

static bool takes_element(const pm_referring *r, const pm_node *function, size_t index)
{
    const pm_node *argument;

    PM_EACH_NODE(r->ast, r->ast->root, node)
        if (node->kind == CXCursor_CallExpr && pm_ast_called(node) == function &&
            (argument = pm_ast_argument(node, index)) != NULL &&
            pm_reference_is_element(r, argument))
            return true;
    return false;
}

/* Marks parameters that can become pointers (r->pointers). Returns whether a further parameter was
 * marked. */
static bool choose(pm_referring *r)
{
    bool changed = false;

    PM_EACH_NODE(r->ast, r->ast->root, node) {
        const pm_node *function = node->parent;
        size_t index;

        if (!is_reference(node) || r->pointers[node->number] ||
            function->kind != CXCursor_FunctionDecl || function->definition != function ||
            function->is_kernel || strncmp(function->name, "operator", 8) == 0)
            continue;
        index = pm_ast_parameter_index(node);
        if (takes_element(r, function, index) && can_be_pointer(r, function, index))
            changed = r->pointers[node->number] = true;
    }
    return changed;
}

/* ---- text of parameters and arguments ------------------------------------------------------- */

static bool is_pointer(const pm_referring *r, const pm_node *function, size_t index)
{
    const pm_node *parameter = pm_ast_parameter(function, index);

    return parameter && r->pointers[parameter->number];
}

/* Adds the edit that replaces an argument by its address: inserts &, or removes *. An argument that
 * is a parameter which itself becomes a pointer is not changed. */
static void edit_argument(pm_referring *r, const pm_node *argument)
{
    const pm_node *node = pm_ast_strip(argument);

    if (node->kind == CXCursor_DeclRefExpr && node->declaration &&
        r->pointers[node->declaration->number]) {
        r->done[node->number] = true;
    } else if (node->unary == CXUnaryOperator_Deref && node->first) {
        pm_edits_add(r->edits, node->begin, node->first->begin, "");
    } else if (node->kind == CXCursor_DeclRefExpr || node->kind == CXCursor_MemberRefExpr ||
               node->kind == CXCursor_ArraySubscriptExpr) {
        pm_edits_add(r->edits, node->begin, node->begin, "&");
    } else {
        pm_edits_add(r->edits, node->begin, node->begin, "&(");
        pm_edits_add(r->edits, node->end, node->end, ")");
    }
}

/* Adds the edit for a use of a parameter that becomes a pointer: p.x becomes p->x, and p becomes
 * *p. */
static void edit_use(pm_referring *r, pm_node *use)
{
    pm_node *child, *user = pm_ast_user(use, &child);
    size_t begin, end;

    if (r->done[use->number])
        return;
    if (user && user->unary == CXUnaryOperator_AddrOf && user->first == child) {
        pm_edits_add(r->edits, user->begin, child->begin, "");
    } else if (user && user->kind == CXCursor_MemberRefExpr && child == use &&
               pm_token(r->ast->text, use->end, user->end, &begin, &end) &&
               r->ast->text[begin] == '.') {
        pm_edits_add(r->edits, begin, end, "->");
    } else if (user && child == use && user->first == use &&
               (user->binary == CXBinaryOperator_Assign ||
                user->kind == CXCursor_CompoundAssignOperator)) {
        pm_edits_add(r->edits, use->begin, use->begin, "*");
    } else {
        pm_edits_add(r->edits, use->begin, use->end,
                     pm_format(r->edits->memory, "(*%s)", use->name));
    }
}

static void edit_declaration(const pm_referring *r, const pm_node *parameter)
{
    size_t sign;

    if (find_sign(r, parameter, &sign))
        pm_edits_add(r->edits, sign, sign + 1, "*");
}

static void edit_call(pm_referring *r, const pm_node *call)
{
    const pm_node *function = pm_ast_callee(call), *argument;

    for (size_t i = 0; function && (argument = pm_ast_argument(call, i)) != NULL; i++)
        if (is_pointer(r, function, i))
            edit_argument(r, argument);
}

void pm_references_parameters(pm_referring *r)
{
    while (choose(r)) {
    }
    PM_EACH_NODE(r->ast, r->ast->root, node) {
        if (node->kind == CXCursor_CallExpr)
            edit_call(r, node);
        else if (node->kind == CXCursor_ParmDecl && node->parent->definition &&
                 is_pointer(r, node->parent->definition, pm_ast_parameter_index(node)))
            edit_declaration(r, node);
    }
    PM_EACH_NODE(r->ast, r->ast->root, node)
        if (node->kind == CXCursor_DeclRefExpr && node->declaration &&
            r->pointers[node->declaration->number])
            edit_use(r, node);
}
