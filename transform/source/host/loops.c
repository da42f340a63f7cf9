/* For loops in interpreted host code: finds the condition, step and body of a loop, and counts
 * iterations that make the same kernel launches. See loops.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/host/loops.h"

enum { MOST_COUNTED = 1 << 17 };

static bool changes(pm_host_tree *tree, pm_host_node *node)
{
    node = pm_host_bare(tree, node);
    return node->kind == CXCursor_CompoundAssignOperator ||
           (node->kind == CXCursor_BinaryOperator &&
            (node->binary == CXBinaryOperator_Assign || node->binary == CXBinaryOperator_Comma)) ||
           (node->kind == CXCursor_UnaryOperator && node->unary >= CXUnaryOperator_PostInc &&
            node->unary <= CXUnaryOperator_PreDec) ||
           node->kind == CXCursor_CallExpr;
}

/* Finds initialization, condition and step of a for statement among its children. libclang omits
 * parts that the statement does not have. */
static pm_host_loop parts_of_for(pm_host_tree *tree, const pm_host_node *loop)
{
    pm_host_loop parts = {.body = loop->children[loop->count - 1]};
    const size_t end = loop->count - 1;
    size_t at = 0;

    if (at < end &&
        (end == 3 || !clang_isExpression(loop->children[at]->kind) ||
         (end == 2 && changes(tree, loop->children[0]) && !changes(tree, loop->children[1]))))
        parts.before = loop->children[at++];
    if (at < end && (end - at == 2 || !changes(tree, loop->children[at])))
        parts.condition = loop->children[at++];
    if (at < end)
        parts.step = loop->children[at];
    return parts;
}

pm_host_loop pm_host_loop_of(pm_host_tree *tree, const pm_host_node *loop)
{
    pm_host_node *const last = loop->children[loop->count - 1];

    switch (loop->kind) {
    case CXCursor_ForStmt:
        return parts_of_for(tree, loop);
    case CXCursor_DoStmt:
        return (pm_host_loop){.condition = last, .body = loop->children[0], .at_end = true};
    case CXCursor_WhileStmt:
        return (pm_host_loop){.condition = loop->children[loop->count - 2], .body = last};
    default:
        return (pm_host_loop){.body = last};
    }
}

/* ---- iterations with equal launches -------------------------------------------------------- */

static bool is_same_round(const pm_host_state *state, const pm_host_round *a, size_t first,
                          size_t count)
{
    if (a->count != count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (state->launches[a->first + i].times != state->launches[first + i].times ||
            !pm_host_same_launch(state, &state->launches[a->first + i],
                                 &state->launches[first + i]))
            return false;
    return true;
}

void pm_host_note_round(pm_host_state *state, pm_host_rounds *of, size_t first)
{
    const size_t count = state->launch_count - first;

    of->rounds++;
    for (size_t i = 0; i < of->count; i++)
        if (is_same_round(state, &of->kept[i], first, count)) {
            of->kept[i].times++;
            of->kept[i].latest = of->rounds;
            state->launch_count = first;
            return;
        }
    of->new_at = of->rounds;
    if (of->count < PM_HOST_MOST_KEPT)
        of->kept[of->count++] =
            (pm_host_round){.first = first, .count = count, .times = 1, .latest = of->rounds};
}

/* counted: number of further iterations of a loop, which were counted without executing their
 * bodies. An entry of of->kept stands for the iterations that make equal launches. Distributes the
 * counted iterations evenly over those entries that occurred in the last executed iterations. */
static void add_rounds(pm_host_rounds *of, uint64_t counted)
{
    size_t turns = 0, done = 0;

    for (size_t i = 0; i < of->count; i++)
        turns += of->kept[i].latest + PM_HOST_ALIKE_ROUNDS > of->rounds;
    for (size_t i = 0; i < of->count; i++)
        if (of->kept[i].latest + PM_HOST_ALIKE_ROUNDS > of->rounds) {
            of->kept[i].times += counted / turns + (done < counted % turns);
            done++;
        }
}

void pm_host_multiply(pm_host_state *state, const pm_host_rounds *of)
{
    for (size_t r = 0; r < of->count; r++)
        for (size_t i = 0; i < of->kept[r].count; i++)
            state->launches[of->kept[r].first + i].times *= of->kept[r].times;
}

bool pm_host_goes_on(pm_host_state *state, const pm_host_loop *parts, bool matters, bool *known)
{
    pm_host_value value;
    bool truth = true;

    *known = true;
    if (!parts->condition)
        return true;
    value = pm_host_evaluate(state, parts->condition);
    *known = pm_host_truth(value, &truth);
    if (!*known && matters)
        pm_host_want(state, value, PM_HOST_FOR_COUNT);
    return truth;
}

void pm_host_count_rest(pm_host_state *state, const pm_host_loop *parts, pm_host_rounds *of)
{
    const size_t limit = state->limit, steps = state->steps;
    uint64_t counted = 0;
    bool known = true;

    state->limit = (size_t)-1;
    while (counted < MOST_COUNTED && pm_host_goes_on(state, parts, true, &known) && known) {
        pm_host_evaluate(state, parts->step);
        counted++;
    }
    state->limit = limit;
    if (known && counted < MOST_COUNTED)
        add_rounds(of, counted);
    /* a counted iteration costs half a step of the interpreter's limit, because it is cheap but
     * there may be many */
    state->steps = steps + counted / 2;
}
