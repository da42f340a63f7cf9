/* Recognizes loops of a kernel whose variable changes by a constant step, and finds the variable,
 * its first value, its end and the step. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/index/parts.h"

static const pm_symbol *named(const pm_reader *r, pm_node *expression)
{
    pm_node *bare = pm_ast_strip(expression);

    /* Skip a conversion of the variable to a wider type, as in a comparison with a size_t. */
    while (bare->kind == CXCursor_UnexposedExpr && bare->first && !bare->first->next &&
           pm_is_integer(bare->first))
        bare = pm_ast_strip(bare->first);
    return bare->kind == CXCursor_DeclRefExpr ? pm_index_symbol(r, bare) : NULL;
}

/* Returns the start value of the loop's variable, from `int v = start` or `v = start` in the loop's
 * head. Returns NULL if there is none. */
static pm_node *start_of(const pm_reader *r, pm_node *init, const pm_symbol *symbol)
{
    if (init->kind == CXCursor_DeclStmt)
        return symbol->node->parent == init ? symbol->initializer : NULL;
    if (init->binary == CXBinaryOperator_Assign && named(r, init->first) == symbol)
        return init->first->next;
    return NULL;
}

/* Recognizes steps of a loop with the forms v++, ++v, v += step, v = v + step and v = step + v,
 * also in a comma expression. Returns false for other forms. */
static bool step_of(const pm_reader *r, pm_node *node, const pm_symbol *symbol, pm_node **step,
                    pm_node **change)
{
    pm_node *value;

    node = pm_ast_bare(node);
    if (node->kind == CXCursor_BinaryOperator && node->first && node->first->next &&
        node->binary == CXBinaryOperator_Comma)
        return step_of(r, node->first, symbol, step, change) ||
               step_of(r, node->first->next, symbol, step, change);
    if (!node->first || named(r, node->first) != symbol)
        return false;
    *change = node;
    *step = NULL;
    if (node->kind == CXCursor_UnaryOperator)
        return node->unary == CXUnaryOperator_PostInc || node->unary == CXUnaryOperator_PreInc;
    if (!node->first->next)
        return false;
    if (node->kind == CXCursor_CompoundAssignOperator) {
        *step = node->first->next;
        return node->binary == CXBinaryOperator_AddAssign;
    }
    value = pm_ast_strip(node->first->next);
    if (node->kind != CXCursor_BinaryOperator || value->kind != CXCursor_BinaryOperator ||
        node->binary != CXBinaryOperator_Assign || value->binary != CXBinaryOperator_Add)
        return false;
    if (named(r, value->first) == symbol)
        *step = value->first->next;
    else if (named(r, value->first->next) == symbol)
        *step = value->first;
    return *step != NULL;
}

/* Returns true if the loop changes none of the variables in the expression. */
static bool is_fixed_in(const pm_reader *r, const pm_node *expression, const pm_node *loop)
{
    PM_EACH_NODE(r->ast, expression, node) {
        const pm_symbol *symbol =
            node->kind == CXCursor_DeclRefExpr ? pm_index_symbol(r, node) : NULL;

        if (symbol && symbol->address)
            return false;
        for (size_t c = symbol ? symbol->first_change : PM_NONE; c != PM_NONE;
             c = r->changes[c].next)
            if (pm_ast_is_within(r->changes[c].node, loop))
                return false;
    }
    return true;
}

/* Recognizes conditions of a loop with the forms v < end, v <= end and v != end, also with the
 * operands exchanged. Sets `end`, `symbol` and the flags of the loop's head. Returns false for
 * other forms. */
static bool read_condition(const pm_reader *r, pm_node *condition, pm_head *head)
{
    pm_node *left = pm_ast_child(condition, 0), *right = pm_ast_child(condition, 1);
    enum CXBinaryOperatorKind kind;
    const pm_symbol *symbol;

    if (condition->kind != CXCursor_BinaryOperator || !left || !right)
        return false;
    kind = condition->binary;
    symbol = named(r, left);
    head->end = right;
    if (kind == CXBinaryOperator_GT || kind == CXBinaryOperator_GE ||
        (kind == CXBinaryOperator_NE && (!symbol || symbol->first_change == PM_NONE))) {
        symbol = named(r, right);
        head->end = left;
    } else if (kind != CXBinaryOperator_LT && kind != CXBinaryOperator_LE &&
               kind != CXBinaryOperator_NE)
        return false;
    head->inclusive = kind == CXBinaryOperator_LE || kind == CXBinaryOperator_GE;
    head->unequal = kind == CXBinaryOperator_NE;
    head->symbol = symbol ? (size_t)(symbol - r->symbols) : PM_NONE;
    return symbol != NULL;
}

/* Returns true if the loop changes its variable only in its step, and not for example in its
 * body. */
static bool is_alone(const pm_reader *r, const pm_symbol *symbol, const pm_node *loop,
                     const pm_node *init, const pm_node *step)
{
    for (size_t c = symbol->first_change; c != PM_NONE; c = r->changes[c].next) {
        const pm_node *node = r->changes[c].node;

        if (node != step && node != init && pm_ast_is_within(node, loop))
            return false;
    }
    return !symbol->address;
}

/* Recognizes loops that count down: for (int v = start; v > end; v--), also with >=. Returns false
 * for other loops. */
static bool read_down(const pm_reader *r, pm_head *head)
{
    pm_node *condition, *step;
    enum CXBinaryOperatorKind kind;
    const pm_symbol *symbol;

    if (head->node->kind != CXCursor_ForStmt || pm_ast_children(head->node) != 4)
        return false;
    condition = pm_ast_bare(pm_ast_child(head->node, 1));
    step = pm_ast_bare(pm_ast_child(head->node, 2));
    if (condition->kind != CXCursor_BinaryOperator || !condition->first || !step->first)
        return false;
    kind = condition->binary;
    symbol = named(r, condition->first);
    if (!symbol || symbol->scope != head->node || named(r, step->first) != symbol ||
        (kind != CXBinaryOperator_GT && kind != CXBinaryOperator_GE))
        return false;
    if (step->unary != CXUnaryOperator_PostDec && step->unary != CXUnaryOperator_PreDec)
        return false;
    head->inclusive = kind == CXBinaryOperator_GE;
    head->start = symbol->initializer;
    head->end = condition->first->next;
    head->down = (size_t)(symbol - r->symbols);
    return head->start && is_alone(r, symbol, head->node, NULL, step);
}

static bool read_head(const pm_reader *r, pm_head *head)
{
    pm_node *init = pm_ast_child(head->node, 0), *step = NULL;
    const pm_symbol *symbol;

    if (head->node->kind != CXCursor_ForStmt || pm_ast_children(head->node) != 4)
        return false;
    init = pm_ast_bare(init);
    if (!read_condition(r, pm_ast_bare(pm_ast_child(head->node, 1)), head))
        return false;
    symbol = &r->symbols[head->symbol];
    head->start = start_of(r, init, symbol);
    return head->start && step_of(r, pm_ast_child(head->node, 2), symbol, &head->step, &step) &&
           is_alone(r, symbol, head->node, init, step) && is_fixed_in(r, head->end, head->node) &&
           (!head->step || is_fixed_in(r, head->step, head->node));
}

void pm_index_find_heads(pm_reader *r)
{
    PM_EACH_NODE(r->ast, r->ast->root, node) {
        pm_head head = {.node = node, .symbol = PM_NONE, .down = PM_NONE};

        if (!pm_is_loop(node))
            continue;
        head.function = pm_ast_ancestor(node, CXCursor_FunctionDecl);
        if (!read_head(r, &head))
            head.symbol = PM_NONE;
        if (head.symbol == PM_NONE && !read_down(r, &head))
            head.down = PM_NONE;
        *pm_add(r->memory, r->heads, r->head_count) = head;
    }
}

pm_head *pm_index_head_of(const pm_reader *r, const pm_node *loop)
{
    size_t low = 0, high = r->head_count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (r->heads[middle].node->number < loop->number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->head_count && r->heads[low].node == loop ? &r->heads[low] : NULL;
}

pm_head *pm_index_head(const pm_reader *r, const pm_symbol *symbol, const pm_node *use)
{
    for (const pm_node *node = use; node->parent; node = node->parent) {
        pm_head *head = pm_is_loop(node->parent) ? pm_index_head_of(r, node->parent) : NULL;

        /* Inside of the loop, the loop determines the value of its variable. This is not so in the
         * initialisation of the loop, which is executed before. */
        if (head && head->symbol != PM_NONE && &r->symbols[head->symbol] == symbol &&
            node != node->parent->first)
            return head;
    }
    return NULL;
}
