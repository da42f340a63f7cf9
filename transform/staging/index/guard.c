/* Finds the conditions (guards) that decide which work-items execute a statement of the kernel. See
 * index.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/index/parts.h"

/* ---- bounds that follow from a condition ---------------------------------------------------- */

static void add_bound(pm_guard *guard, pm_poly bound)
{
    if (guard->bound_count == sizeof guard->bounds / sizeof *guard->bounds || !bound.known)
        guard->exact = false;
    else
        guard->bounds[guard->bound_count++] = bound;
}

/* value: an operand of an unsigned comparison. Returns true if it is not negative, because the
 * comparison then acts like one of mathematical integers. If the sign is unknown, but `value` is
 * equal in all work-items of a group, adds the assumption "value >= 0" to the guard (the condition
 * of an access) and returns true, too. A guard can have only one assumption. */
static bool is_itself(const pm_reader *r, pm_poly value, pm_guard *guard)
{
    if (pm_index_is_not_negative(r->index, value))
        return true;
    if (!pm_index_is_uniform(r->index, value) ||
        (guard->assumed.known && !pm_poly_equal(guard->assumed, value)))
        return false;
    guard->assumed = value;
    return true;
}

static void add_comparison(pm_reader *r, pm_frame *frame, pm_node *node, bool negated,
                           pm_guard *guard)
{
    enum CXBinaryOperatorKind kind = node->binary;
    pm_poly a = pm_index_value(r, frame, node->first);
    pm_poly b = pm_index_value(r, frame, node->first->next), strict;

    /* An unsigned comparison treats a negative operand as a large number. Use the comparison only
     * if both operands are not negative, or are assumed not to be. */
    if (pm_is_unsigned(node->first) && (!is_itself(r, a, guard) || !is_itself(r, b, guard)))
        a.known = false;
    if (negated)
        kind = pm_opposite(kind);
    strict = pm_poly_constant(kind == CXBinaryOperator_LT || kind == CXBinaryOperator_GT);
    if (kind == CXBinaryOperator_NE)
        guard->exact = false;
    if (kind == CXBinaryOperator_LT || kind == CXBinaryOperator_LE || kind == CXBinaryOperator_EQ)
        add_bound(guard, pm_poly_subtract(pm_poly_subtract(b, a), strict));
    if (kind == CXBinaryOperator_GT || kind == CXBinaryOperator_GE || kind == CXBinaryOperator_EQ)
        add_bound(guard, pm_poly_subtract(pm_poly_subtract(a, b), strict));
}

static void add_condition(pm_reader *r, pm_frame *frame, pm_node *condition, bool negated,
                          pm_guard *guard, size_t depth)
{
    pm_node *node = pm_ast_strip(condition);
    enum CXBinaryOperatorKind kind;

    if (depth == 0) {
        guard->exact = false;
        return;
    }
    if (node->kind == CXCursor_UnaryOperator && node->first &&
        node->unary == CXUnaryOperator_LNot) {
        add_condition(r, frame, node->first, !negated, guard, depth - 1);
        return;
    }
    if (node->kind != CXCursor_BinaryOperator || !node->first || !node->first->next) {
        guard->exact = false;
        return;
    }
    kind = node->binary;
    if (kind == (negated ? CXBinaryOperator_LOr : CXBinaryOperator_LAnd)) {
        add_condition(r, frame, node->first, negated, guard, depth - 1);
        add_condition(r, frame, node->first->next, negated, guard, depth - 1);
    } else if (pm_is_comparison(kind) && pm_is_integer(node->first))
        add_comparison(r, frame, node, negated, guard);
    else
        guard->exact = false;
}

/* ---- guards of the kernel ------------------------------------------------------------------- */

static void add_guard(pm_reader *r, const pm_guard *guard)
{
    pm_index *index = r->index;

    if (index->guard_count >= PM_MOST_GUARD_COUNT)
        pm_ast_refuse(r->memory, guard->node, "the kernel has too many conditions");
    *pm_add(&index->memory, index->guards, index->guard_count) = *guard;
}

static void read_guard(pm_reader *r, pm_frame *frame, pm_node *node, bool negated, bool leaves)
{
    pm_guard guard = {.node = node,
                      .condition = node->first,
                      .negated = negated,
                      .leaves = leaves,
                      .exact = node->kind != CXCursor_SwitchStmt,
                      .uniform = pm_index_uniform(r, node->first)};

    if (guard.exact)
        add_condition(r, frame, node->first, negated, &guard, PM_MOST_EVALUATION / 4);
    add_guard(r, &guard);
}

static bool is_jump(const pm_node *node)
{
    return node->kind == CXCursor_ReturnStmt || node->kind == CXCursor_BreakStmt ||
           node->kind == CXCursor_ContinueStmt || node->kind == CXCursor_GotoStmt;
}

/* Returns true if a branch ends with a jump. The code after the if statement is then never reached
 * from this branch. */
static bool always_leaves(const pm_node *node)
{
    while (node && node->kind == CXCursor_CompoundStmt)
        node = node->last;
    return node && is_jump(node);
}

/* Returns true if a statement contains a jump out of itself. *uniform is set to false if some
 * work-items of a group may take the jump while others do not; otherwise to true. */
static bool may_leave(const pm_reader *r, const pm_node *statement, bool *uniform)
{
    bool found = false;

    *uniform = true;
    PM_EACH_NODE(r->ast, statement, node) {
        const pm_node *around = node;

        if (!is_jump(node))
            continue;
        while (node->kind != CXCursor_ReturnStmt && node->kind != CXCursor_GotoStmt &&
               around != statement->parent && !pm_is_loop(around) &&
               !(around->kind == CXCursor_SwitchStmt && node->kind == CXCursor_BreakStmt))
            around = around->parent;
        if (around != node && around != statement->parent)
            continue;
        found = true;
        *uniform &= pm_index_controlled(r, node, statement->parent);
    }
    return found;
}

static void read_leaving(pm_reader *r, pm_frame *frame, pm_node *node)
{
    pm_guard guard = {.node = node, .condition = node->first, .negated = true, .leaves = true};

    if (!may_leave(r, node, &guard.uniform))
        return;
    if (node->kind == CXCursor_IfStmt && pm_ast_children(node) == 2 &&
        always_leaves(pm_ast_child(node, 1)))
        read_guard(r, frame, node, true, true);
    else
        add_guard(r, &guard);
}

void pm_index_read_guards(pm_reader *r, pm_frame *frame)
{
    PM_EACH_NODE(r->ast, r->index->body, node) {
        if (!node->first)
            continue;
        if (node->kind == CXCursor_IfStmt || node->kind == CXCursor_ConditionalOperator) {
            read_guard(r, frame, node, false, false);
            if (pm_ast_children(node) > 2)
                read_guard(r, frame, node, true, false);
        } else if (node->kind == CXCursor_SwitchStmt)
            read_guard(r, frame, node, false, false);
        else if (pm_is_lazy(node))
            read_guard(r, frame, node, node->binary == CXBinaryOperator_LOr, false);
        if (node->parent->kind == CXCursor_CompoundStmt && node->next)
            read_leaving(r, frame, node);
    }
}

size_t pm_index_helper_guard(pm_reader *r, pm_node *node)
{
    const pm_guard guard = {.node = node, .condition = node->first};

    add_guard(r, &guard);
    return r->index->guard_count - 1;
}

/* ---- guards of a node ----------------------------------------------------------------------- */

static void prepend(size_t guard, size_t *count, size_t *guards)
{
    if (*count < PM_MOST_GUARDS) {
        for (size_t i = *count; i > 0; i--)
            guards[i] = guards[i - 1];
        guards[0] = guard;
    }
    ++*count;
}

/* guard: a condition that decides which work-items execute some code. Returns true if the guard
 * decides whether a work-item that executes the parent of `child` also executes `child`. */
static bool decides(const pm_guard *guard, const pm_node *child)
{
    const pm_node *parent = child->parent;

    if (guard->leaves)
        return guard->node->parent == parent && guard->node->number < child->number;
    if (guard->node != parent || child == parent->first)
        return false;
    return (parent->kind != CXCursor_IfStmt && parent->kind != CXCursor_ConditionalOperator) ||
           guard->negated == (child != parent->first->next);
}

size_t pm_index_guards_of(const pm_index *index, const pm_node *node, size_t guards[PM_MOST_GUARDS])
{
    size_t count = 0;

    for (const pm_node *child = node; child != index->body && child->parent; child = child->parent)
        for (size_t g = index->guard_count; g-- > 0;)
            if (decides(&index->guards[g], child))
                prepend(g, &count, guards);
    return count;
}
