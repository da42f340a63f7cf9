/* Writes the new code for pointers to elements of arrays of structs that get another memory layout,
 * where the pointers are not dereferenced but compared, subtracted, returned or stored. See
 * rewrite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/layout/clang/rewrite.h"

/* ---- comparisons --------------------------------------------------------------------------- */

/* Returns a call of the generated function that compares two references (generated structs) or
 * computes their difference. */
static const char *call_with_refs(pm_rewrite *rw, pm_need_kind kind, const pm_element_value *a,
                                  const pm_element_value *b)
{
    const char *name = pm_generate_name(rw, &a->to, kind), *left = pm_value_ref(rw, a);

    return pm_format(&rw->memory, "%s(%s, %s)", name, left, pm_value_ref(rw, b));
}

const char *pm_compare_text(pm_rewrite *rw, enum CXBinaryOperatorKind kind, const char *sign,
                            const pm_element_value *a, const pm_element_value *b)
{
    bool minus = kind == CXBinaryOperator_Sub;

    if (a->kind == PM_VALUE_INDEX && b->kind == PM_VALUE_INDEX && a->base == b->base)
        return pm_format(&rw->memory, minus ? "(%s %s %s)" : "%s %s %s", pm_value_index(rw, a, b),
                         sign, pm_value_index(rw, b, a));
    if (kind == CXBinaryOperator_EQ || kind == CXBinaryOperator_NE)
        return pm_format(&rw->memory, "%s%s", kind == CXBinaryOperator_NE ? "!" : "",
                         call_with_refs(rw, PM_NEED_REF_SAME, a, b));
    return pm_format(&rw->memory, minus ? "%s" : "%s %s 0",
                     call_with_refs(rw, PM_NEED_REF_MINUS, a, b), sign);
}

const char *pm_compare_sign(pm_rewrite *rw, const pm_node *node)
{
    const char *sign = pm_operator_text(node->binary, &rw->memory);

    if (node->binary != CXBinaryOperator_Sub &&
        (node->binary < CXBinaryOperator_LT || node->binary > CXBinaryOperator_NE))
        pm_ast_refuse(&rw->memory, node,
                      "a pointer to an element is not understood as an operand of %s: use an "
                      "index",
                      sign);
    return sign;
}

/* ---- other uses of pointers ---------------------------------------------------------------- */

/* Returns which part of `for (a; b; c)` the child is: 0 for a, 1 for b, 2 for c, 3 for the body. */
static int part_of_for(const pm_rewrite *rw, const pm_node *loop, const pm_node *child)
{
    const char *text = rw->unit->ast.text;
    size_t begin, end, depth = 0;
    int part = 0;

    for (size_t at = loop->begin; pm_token(text, at, child->begin, &begin, &end); at = end) {
        if (strchr("([{", text[begin]))
            depth++;
        else if (strchr(")]}", text[begin]) && depth > 0)
            depth--;
        else if (text[begin] == ';' && depth == 1)
            part++;
        if (text[begin] == ')' && depth == 0)
            return 3;
    }
    return part;
}

/* Returns true if the code does not use the value of the child expression. */
static bool is_discarded(const pm_rewrite *rw, const pm_node *user, const pm_node *child)
{
    switch (user->kind) {
    case CXCursor_CompoundStmt:
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
    case CXCursor_LabelStmt:
        return true;
    case CXCursor_IfStmt:
    case CXCursor_WhileStmt:
        return user->first != child;
    case CXCursor_DoStmt:
        return user->last != child;
    case CXCursor_ForStmt:
        return part_of_for(rw, user, child) != 1;
    case CXCursor_BinaryOperator:
        return user->binary == CXBinaryOperator_Comma && user->first == child;
    case CXCursor_CStyleCastExpr:
        return user->type.kind == CXType_Void;
    default:
        return false;
    }
}

static const char *why_not(const pm_node *user)
{
    if (user->kind == CXCursor_CStyleCastExpr)
        return "a pointer to a struct is cast to another type, and the bytes there will be others: "
               "use the struct's members";
    if (user->kind == CXCursor_CallExpr)
        return "a pointer to a struct is given to a function that is not in this source: use the "
               "struct's members";
    if (user->kind == CXCursor_IfStmt || pm_is_loop(user) ||
        user->kind == CXCursor_ConditionalOperator || user->kind == CXCursor_UnaryOperator ||
        user->kind == CXCursor_BinaryOperator)
        return "a pointer to an element is tested or its address is taken: use an index and test "
               "that";
    return "a pointer to an element is used in a way that is not understood: use the array's name "
           "with an index";
}

const pm_node *pm_pointer_user(pm_rewrite *rw, pm_node *node)
{
    pm_node *child, *user = pm_ast_user(node, &child);
    const bool discarded = user && is_discarded(rw, user, child);

    if (!user ||
        (!discarded && user->kind != CXCursor_ReturnStmt && user->kind != CXCursor_InitListExpr))
        pm_ast_refuse(&rw->memory, node, "%s", why_not(user ? user : node));
    return discarded ? user : NULL;
}

const char *pm_pointer_text(pm_rewrite *rw, const pm_node *discarded_by,
                            const pm_element_value *value)
{
    const char *text = !discarded_by                 ? pm_value_ref(rw, value)
                       : value->kind == PM_VALUE_REF ? value->ref
                                                     : value->index;
    const size_t length = strlen(text);

    /* Remove the parentheses around the code, because a statement does not need them. */
    if (discarded_by && length > 2 && text[0] == '(' && text[length - 1] == ')' &&
        discarded_by->kind != CXCursor_CStyleCastExpr)
        text = pm_format(&rw->memory, "%.*s", (int)length - 2, text + 1);
    return text;
}
