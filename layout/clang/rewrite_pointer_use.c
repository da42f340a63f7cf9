/* Pointers to elements where they are not dereferenced: compared, subtracted, returned, stored. See
 * rewrite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "rewrite.h"

/* ---- comparisons --------------------------------------------------------------------------- */

static bool same_array(const pm_value *a, const pm_value *b)
{
    return a->kind == PM_VALUE_INDEX && b->kind == PM_VALUE_INDEX && a->base == b->base;
}

/* same(a, b) or minus(a, b) of two references. */
static void call_with_refs(pm_rewrite *rw, pm_need_kind kind, const pm_value *a, const pm_value *b,
                           pm_text *out)
{
    pm_generate_name(rw, &a->to, kind, out);
    pm_text_add(out, "(");
    pm_value_ref(rw, a, out);
    pm_text_add(out, ", ");
    pm_value_ref(rw, b, out);
    pm_text_add(out, ")");
}

static void compare_values(pm_rewrite *rw, enum CXBinaryOperatorKind kind, const char *sign,
                           const pm_value *a, const pm_value *b, pm_text *out)
{
    bool equality = kind == CXBinaryOperator_EQ || kind == CXBinaryOperator_NE;

    if (same_array(a, b)) {
        pm_text_add(out, kind == CXBinaryOperator_Sub ? "(" : "");
        pm_value_index(a, b, out);
        pm_text_add(out, " %s ", sign);
        pm_value_index(b, a, out);
        pm_text_add(out, kind == CXBinaryOperator_Sub ? ")" : "");
    } else if (equality) {
        pm_text_add(out, kind == CXBinaryOperator_NE ? "!" : "");
        call_with_refs(rw, PM_NEED_REF_SAME, a, b, out);
    } else {
        call_with_refs(rw, PM_NEED_REF_MINUS, a, b, out);
        if (kind != CXBinaryOperator_Sub)
            pm_text_add(out, " %s 0", sign);
    }
}

void pm_rewrite_compare(pm_rewrite *rw, pm_edits *edits, pm_node *node)
{
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(node->cursor);
    char *sign = pm_ast_string(clang_getBinaryOperatorKindSpelling(kind));
    pm_value a = {.kind = PM_VALUE_REF}, b = {.kind = PM_VALUE_REF};
    pm_text text = {0};

    if (kind != CXBinaryOperator_Sub && (kind < CXBinaryOperator_LT || kind > CXBinaryOperator_NE))
        pm_rewrite_refuse(
            rw, node, "a pointer to an element is not understood as an operand of %s: use an index",
            sign ? sign : "this");
    else if (pm_value_of(rw, node->first, &a) && pm_value_of(rw, node->last, &b)) {
        compare_values(rw, kind, sign ? sign : "", &a, &b, &text);
        pm_rewrite_replace(rw, edits, node, pm_text_get(&text));
    }
    pm_value_free(&a);
    pm_value_free(&b);
    pm_text_free(&text);
    free(sign);
}

/* ---- other places -------------------------------------------------------------------------- */

/* Which of `for (a; b; c)`'s parts a child is in: 0, 1, 2; 3 is the statement. */
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

/* Whether the value of an expression in a statement is not used. */
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
        return clang_getCursorBinaryOperatorKind(user->cursor) == CXBinaryOperator_Comma &&
               user->first == child;
    case CXCursor_CStyleCastExpr:
        return pm_ast_type(user).kind == CXType_Void;
    default:
        return false;
    }
}

static void refuse_use(pm_rewrite *rw, const pm_node *node, const pm_node *user)
{
    if (user->kind == CXCursor_CStyleCastExpr)
        pm_rewrite_refuse(rw, node,
                          "a pointer to a struct is cast to another type, and the bytes there will "
                          "be others: use the struct's members");
    else if (user->kind == CXCursor_CallExpr)
        pm_rewrite_refuse(rw, node,
                          "a pointer to a struct is given to a function that is not in this "
                          "source: use the struct's members");
    else if (user->kind == CXCursor_IfStmt || user->kind == CXCursor_WhileStmt ||
             user->kind == CXCursor_DoStmt || user->kind == CXCursor_ForStmt ||
             user->kind == CXCursor_ConditionalOperator || user->kind == CXCursor_UnaryOperator ||
             user->kind == CXCursor_BinaryOperator)
        pm_rewrite_refuse(rw, node,
                          "a pointer to an element is tested or its address is taken: use an index "
                          "and test that");
    else
        pm_rewrite_refuse(rw, node,
                          "a pointer to an element is used in a way that is not understood: use "
                          "the array's name with an index");
}

void pm_rewrite_pointer(pm_rewrite *rw, pm_edits *edits, pm_node *node)
{
    pm_node *child, *user = pm_ast_user(node, &child);
    bool discarded = user && is_discarded(rw, user, child);
    pm_value value;
    pm_text text = {0};

    if (!user ||
        (!discarded && user->kind != CXCursor_ReturnStmt && user->kind != CXCursor_InitListExpr)) {
        refuse_use(rw, node, user ? user : node);
        return;
    }
    if (pm_value_of(rw, node, &value)) {
        if (!discarded)
            pm_value_ref(rw, &value, &text);
        else if (value.kind == PM_VALUE_REF)
            pm_text_add(&text, "%s", pm_text_get(&value.ref));
        else
            pm_text_add(&text, "%s",
                        value.width == PM_WIDTH_ZERO ? "0" : pm_text_get(&value.index));
        /* A statement needs no parentheses. */
        if (discarded && text.length > 2 && text.data[0] == '(' &&
            text.data[text.length - 1] == ')' && user->kind != CXCursor_CStyleCastExpr) {
            text.data[text.length - 1] = '\0';
            pm_rewrite_replace(rw, edits, node, text.data + 1);
        } else
            pm_rewrite_replace(rw, edits, node, pm_text_get(&text));
    }
    pm_value_free(&value);
    pm_text_free(&text);
}
