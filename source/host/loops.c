/* Executes loops of host code. See loops.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "source/host/loops.h"

enum {
    QUIET_STEPS = 30000, /* most steps of a loop without launches */
    FEW_STEPS = 2000,    /* most steps of such a loop after it has once exceeded that limit */
    MOST_ROUNDS = 4096,  /* most rounds of a loop with launches */
    ALIKE_ROUNDS = 24,   /* rounds without a new launch; then the rest is only counted */
    MOST_COUNTED = 1 << 17
};

typedef struct {
    pm_host_node *before, *condition, *step, *body;
    bool at_end; /* a do loop: the condition is evaluated after the body */
} loop_parts;

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

/* Assigns the children of a for statement to its parts, because libclang omits empty parts. */
static loop_parts parts_of_for(pm_host_tree *tree, const pm_host_node *loop)
{
    loop_parts parts = {.body = loop->children[loop->count - 1]};
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

static loop_parts parts_of(pm_host_tree *tree, const pm_host_node *loop)
{
    pm_host_node *const last = loop->children[loop->count - 1];

    switch (loop->kind) {
    case CXCursor_ForStmt:
        return parts_of_for(tree, loop);
    case CXCursor_DoStmt:
        return (loop_parts){.condition = last, .body = loop->children[0], .at_end = true};
    case CXCursor_WhileStmt:
        return (loop_parts){.condition = loop->children[loop->count - 2], .body = last};
    default:
        return (loop_parts){.body = last};
    }
}

/* ---- rounds that launch the same ----------------------------------------------------------- */

enum { MOST_KEPT = 64 };

/* Launches of a round: `count` of them from index `first`. */
typedef struct {
    size_t first, count;
    uint64_t times;  /* number of rounds that made them */
    uint64_t latest; /* number of the last of these rounds */
} round_launches;

typedef struct {
    round_launches kept[MOST_KEPT];
    size_t count;
    uint64_t rounds, new_at; /* new_at: number of the last round with a new launch */
} rounds;

static bool is_same_round(const pm_host_state *state, const round_launches *a, size_t first,
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

/* Records the launches of a round. If an earlier round made the same launches, they are removed and
 * counted there. */
static void note_round(pm_host_state *state, rounds *of, size_t first)
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
    if (of->count < MOST_KEPT)
        of->kept[of->count++] =
            (round_launches){.first = first, .count = count, .times = 1, .latest = of->rounds};
}

/* Distributes counted rounds evenly over the kinds of rounds that alternated last. */
static void add_rounds(rounds *of, uint64_t counted)
{
    size_t turns = 0, done = 0;

    for (size_t i = 0; i < of->count; i++)
        turns += of->kept[i].latest + ALIKE_ROUNDS > of->rounds;
    for (size_t i = 0; i < of->count; i++)
        if (of->kept[i].latest + ALIKE_ROUNDS > of->rounds) {
            of->kept[i].times += counted / turns + (done < counted % turns);
            done++;
        }
}

static void multiply(pm_host_state *state, const rounds *of)
{
    for (size_t r = 0; r < of->count; r++)
        for (size_t i = 0; i < of->kept[r].count; i++)
            state->launches[of->kept[r].first + i].times *= of->kept[r].times;
}

/* ---- running ------------------------------------------------------------------------------- */

/* Returns whether there is another round. *known is false if the condition is unknown. */
static bool goes_on(pm_host_state *state, const loop_parts *parts, bool matters, bool *known)
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

/* Counts the remaining rounds of a loop whose rounds repeat. Only its condition and step are
 * executed. */
static void count_rest(pm_host_state *state, const loop_parts *parts, rounds *of)
{
    const size_t limit = state->limit, steps = state->steps;
    uint64_t counted = 0;
    bool known = true;

    state->limit = (size_t)-1;
    while (counted < MOST_COUNTED && goes_on(state, parts, true, &known) && known) {
        pm_host_evaluate(state, parts->step);
        counted++;
    }
    state->limit = limit;
    if (known && counted < MOST_COUNTED)
        add_rounds(of, counted);
    state->steps = steps + counted / 2; /* these steps are cheap, but there may be many loops of
                                         * this kind */
}

static pm_host_flow run_rounds(pm_host_state *state, const loop_parts *parts, bool matters,
                               rounds *of)
{
    bool known = true;

    for (size_t round = 0; !state->exhausted && !state->ended; round++) {
        const size_t first = state->launch_count;
        pm_host_flow flow;

        if (!(parts->at_end && round == 0) && !goes_on(state, parts, matters, &known))
            break;
        if (round > 0 && (!known || !parts->condition))
            return PM_HOST_CONTINUE;
        flow = pm_host_run(state, parts->body);
        note_round(state, of, first);
        if (flow == PM_HOST_RETURN || flow == PM_HOST_END)
            return flow;
        if (flow == PM_HOST_BREAK)
            break;
        if (parts->step)
            pm_host_evaluate(state, parts->step);
        if (matters && parts->step && parts->condition && of->rounds >= of->new_at + ALIKE_ROUNDS) {
            count_rest(state, parts, of);
            break;
        }
        if (round >= MOST_ROUNDS && matters) { /* the number of rounds is unknown */
            for (size_t i = 0; i < of->count; i++)
                of->kept[i].times = 1;
            return PM_HOST_CONTINUE;
        }
    }
    return state->exhausted || state->ended ? PM_HOST_END : PM_HOST_NEXT;
}

pm_host_flow pm_host_run_loop(pm_host_state *state, pm_host_node *loop)
{
    const size_t limit = state->limit, most = loop->is_long ? FEW_STEPS : QUIET_STEPS;
    loop_parts parts;
    rounds of = {.count = 0};
    pm_host_flow flow;
    bool matters;

    if (loop->count == 0 || (loop->kind == CXCursor_WhileStmt && loop->count < 2))
        return PM_HOST_NEXT;
    parts = parts_of(state->tree, loop);
    matters = pm_host_matters(state->tree, loop);
    if (parts.before)
        pm_host_run(state, parts.before);
    if (!matters && state->steps + most < state->limit)
        state->limit = state->steps + most;
    flow = run_rounds(state, &parts, matters, &of);
    if (limit > state->limit && state->exhausted) {
        loop->is_long = true;
        state->exhausted = false;
        flow = PM_HOST_CONTINUE;
    }
    state->limit = limit;
    multiply(state, &of);
    if (flow != PM_HOST_CONTINUE)
        return flow;
    pm_host_forget_assigned(state, loop);
    return PM_HOST_NEXT;
}
