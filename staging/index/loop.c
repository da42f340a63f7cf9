/* Finds loops that count, and the bounds of their variables. See index.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <limits.h>

#include "staging/index/parts.h"

/* ---- heads ---------------------------------------------------------------------------------- */

static const pm_symbol *named(const pm_reader *r, pm_node *expression)
{
    pm_node *bare = pm_ast_strip(expression);

    /* skips a conversion to a wider type, as in a comparison with size_t */
    while (bare->kind == CXCursor_UnexposedExpr && bare->first && !bare->first->next &&
           pm_is_integer(bare->first))
        bare = pm_ast_strip(bare->first);
    return bare->kind == CXCursor_DeclRefExpr ? pm_index_symbol(r, bare) : NULL;
}

/* Returns the start value of the loop's variable: `int v = start` or `v = start`; NULL: none. */
static pm_node *start_of(const pm_reader *r, pm_node *init, const pm_symbol *symbol)
{
    if (init->kind == CXCursor_DeclStmt)
        return symbol->node->parent == init ? symbol->initializer : NULL;
    if (init->binary == CXBinaryOperator_Assign && named(r, init->first) == symbol)
        return init->first->next;
    return NULL;
}

/* Recognises v++, ++v, v += step, v = v + step and v = step + v, also within a comma expression. */
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

/* Returns true if no variable of the expression changes in the loop. */
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

/* Recognises v < end, v <= end, v != end, and the mirrored forms. Sets the head's end, symbol and
 * flags. */
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

/* Returns true if only the loop's own step changes v in the loop. */
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

/* Recognises for (int v = start; v > end; v--), also with >=. */
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

void pm_index_bound_down(pm_reader *r, pm_frame *frame, const pm_symbol *symbol,
                         const pm_poly *value)
{
    const pm_head *head = pm_index_head_of(r, symbol->scope);
    pm_poly start, end;
    pm_atom *atom;
    long long low, high;

    if (!head || head->down == PM_NONE || &r->symbols[head->down] != symbol || !value->known)
        return;
    start = pm_index_value(r, frame, head->start);
    end = pm_index_value(r, frame, head->end);
    atom = &r->index->atoms[value->terms[0].factors[0]];
    if (pm_index_low(r->index, end, &low) && low < LLONG_MAX) {
        atom->low_known = true;
        atom->low = low + !head->inclusive;
    }
    if (pm_index_high(r->index, start, &high)) {
        atom->high_known = true;
        atom->high = high;
    }
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

pm_head *pm_index_head(const pm_reader *r, const pm_symbol *symbol, const pm_node *use)
{
    for (const pm_node *node = use; node->parent; node = node->parent) {
        pm_head *head = pm_is_loop(node->parent) ? pm_index_head_of(r, node->parent) : NULL;

        /* in the initialisation, v still has the value from before the loop */
        if (head && head->symbol != PM_NONE && &r->symbols[head->symbol] == symbol &&
            node != node->parent->first)
            return head;
    }
    return NULL;
}

/* ---- bounds --------------------------------------------------------------------------------- */

/* Sets the atom's bounds: its values are start, start + step, ... below end. */
static void bound(const pm_index *index, const pm_loop *loop, pm_atom *atom)
{
    long long high, count;

    atom->low_known = pm_index_low(index, loop->start, &atom->low);
    if (pm_poly_is_constant(pm_poly_subtract(loop->end, loop->start), &count) && count > 0) {
        pm_poly rest = pm_poly_constant((count - 1) / loop->step * loop->step);

        atom->high_known = pm_index_high(index, pm_poly_add(loop->start, rest), &atom->high);
    } else if (pm_index_high(index, loop->end, &high) && high > LLONG_MIN) {
        atom->high_known = true;
        atom->high = high - 1;
    }
}

/* Fills *loop except parent and jumps, and creates the loop's atom. */
static void read_loop(pm_reader *r, pm_frame *frame, pm_head *head, pm_loop *loop)
{
    pm_poly distance;
    pm_atom atom = {.kind = PM_ATOM_LOOP};

    *loop = (pm_loop){.node = head->node, .parent = PM_NONE, .atom = PM_NO_ATOM, .step = 1};
    if (head->symbol != PM_NONE &&
        ((head->step &&
          (!pm_index_constant(r, frame, head->step, &loop->step) || loop->step <= 0)) ||
         (head->unequal && loop->step != 1)))
        /* the step is unknown, not positive, or not 1 with `!=`, so the loop does not count */
        head->symbol = PM_NONE;
    if (head->symbol == PM_NONE)
        return;
    loop->start = pm_index_value(r, frame, head->start);
    loop->end = pm_index_value(r, frame, head->end);
    if (head->inclusive)
        loop->end = pm_poly_add(loop->end, pm_poly_constant(1));
    distance = pm_poly_subtract(loop->end, loop->start);
    atom.variable = r->symbols[head->symbol].node;
    atom.uniform = loop->start.known ? pm_index_is_uniform(r->index, loop->start)
                                     : pm_index_uniform(r, head->start);
    loop->uniform = distance.known ? pm_index_is_uniform(r->index, distance)
                                   : atom.uniform && pm_index_uniform(r, head->end);
    loop->uniform &= !head->leaves;
    bound(r->index, loop, &atom);
    loop->atom = pm_index_atom(r, &atom, frame, head->node);
}

size_t pm_index_loop_atom(pm_reader *r, pm_frame *frame, pm_head *head)
{
    pm_loop loop;

    for (size_t a = 0; a < r->index->atom_count; a++)
        if (r->index->atoms[a].kind == PM_ATOM_LOOP && r->atom_key[a] == head->node &&
            r->atom_frame[a] == frame->number)
            return a;
    read_loop(r, frame, head, &loop);
    return loop.atom;
}

/* ---- the kernel's --------------------------------------------------------------------------- */

static bool jumps(const pm_reader *r, const pm_node *loop)
{
    PM_EACH_NODE(r->ast, loop, node) {
        const pm_node *around = node->parent;

        if (node->kind == CXCursor_ReturnStmt || node->kind == CXCursor_GotoStmt ||
            node->kind == CXCursor_IndirectGotoStmt)
            return true;
        if (node->kind != CXCursor_BreakStmt && node->kind != CXCursor_ContinueStmt)
            continue;
        while (around != loop && !pm_is_loop(around) &&
               !(around->kind == CXCursor_SwitchStmt && node->kind == CXCursor_BreakStmt))
            around = around->parent;
        if (around == loop)
            return true;
    }
    return false;
}

size_t pm_index_loop_of(const pm_index *index, const pm_node *node)
{
    for (const pm_node *at = node->parent; at; at = at->parent)
        for (size_t l = 0; pm_is_loop(at) && l < index->loop_count; l++)
            if (index->loops[l].node == at)
                return l;
    return PM_NONE;
}

static pm_node *condition_of(const pm_node *loop)
{
    if (loop->kind == CXCursor_DoStmt)
        return loop->last;
    return loop->kind == CXCursor_WhileStmt ? loop->first
           : pm_ast_children(loop) == 4     ? pm_ast_child(loop, 1)
                                            : NULL;
}

void pm_index_read_loops(pm_reader *r, pm_frame *frame)
{
    pm_index *index = r->index;

    for (size_t h = 0; h < r->head_count; h++) {
        pm_head *head = &r->heads[h];
        pm_node *condition = condition_of(head->node);
        pm_loop loop;

        if (head->function != index->kernel)
            continue;
        read_loop(r, frame, head, &loop);
        if (loop.atom == PM_NO_ATOM)
            loop.uniform = condition && pm_index_uniform(r, condition) && !head->leaves;
        loop.parent = pm_index_loop_of(index, head->node);
        loop.jumps = jumps(r, head->node);
        *pm_add(&index->memory, index->loops, index->loop_count) = loop;
    }
}
