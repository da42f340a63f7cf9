/* Interprets the statements of host code (if, switch, return, declarations and so on), to find the
 * kernel launches that it makes. See state.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <strings.h>

#include "transform/source/host/loops.h"
#include "transform/source/host/state.h"

enum { MOST_NESTING = 1000, MOST_DEPTH = 60 };
enum {
    QUIET_STEPS = 30000, /* limit on the interpreter's steps in a loop that launches no kernels */
    /* limit on the interpreter's steps in a loop that launches no kernels and has exceeded
     * QUIET_STEPS before */
    FEW_STEPS = 2000,
    MOST_ROUNDS = 4096 /* limit on the iterations of a loop with launches */
};

/* ---- branches that end the program --------------------------------------------------------- */

static const char *const ends[] = {"exit", "_exit", "_Exit", "abort", "quick_exit", "usage"};

static bool is_end(pm_host_tree *tree, pm_host_node *call)
{
    pm_host_open(tree, call);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strcasecmp(call->name, ends[i]) == 0)
            return true;
    return false;
}

/* Returns whether a branch of an if statement ends the program or leaves the function, as error
 * handling does. */
static bool gives_up(pm_host_tree *tree, pm_host_node *branch, unsigned depth)
{
    if (!branch || depth == 0)
        return false;
    pm_host_open(tree, branch);
    switch (branch->kind) {
    case CXCursor_ReturnStmt:
    case CXCursor_CXXThrowExpr:
    case CXCursor_GotoStmt:
        return true;
    case CXCursor_CallExpr:
        return is_end(tree, branch);
    case CXCursor_CompoundStmt:
        for (size_t i = 0; i < branch->count; i++)
            if (gives_up(tree, branch->children[i], depth - 1))
                return true;
        return false;
    case CXCursor_UnexposedExpr:
    case CXCursor_ParenExpr:
        return branch->count == 1 && gives_up(tree, branch->children[0], depth - 1);
    default:
        return false;
    }
}

/* ---- if ------------------------------------------------------------------------------------ */

typedef struct {
    pm_host_node *before, *condition, *then, *otherwise;
} if_parts;

static bool is_expression(const pm_host_node *node)
{
    return clang_isExpression(node->kind);
}

static if_parts parts_of_if(const pm_host_node *node)
{
    if_parts parts = {.before = NULL};
    size_t at = 0;

    if (node->count >= 3 && !is_expression(node->children[0]))
        parts.before = node->children[at++];
    if (at < node->count)
        parts.condition = node->children[at++];
    if (at < node->count)
        parts.then = node->children[at++];
    if (at < node->count)
        parts.otherwise = node->children[at];
    return parts;
}

/* Chooses the branch of an if statement whose condition is unknown. Returns true for the first
 * branch. A branch that does not end the program or the function is preferred, then a branch that
 * launches kernels, then the else branch. */
static bool choose(pm_host_state *state, const if_parts *parts)
{
    pm_host_tree *tree = state->tree;

    if (gives_up(tree, parts->then, MOST_DEPTH))
        return false;
    if (gives_up(tree, parts->otherwise, MOST_DEPTH))
        return true;
    return pm_host_matters(tree, parts->then);
}

/* Returns whether a branch is skipped although its condition is true. Only a branch that launches
 * no kernel and ends the program or leaves the function can be skipped. It is skipped if the
 * condition depends on an assumption, or on command-line arguments that are missing but that a user
 * would give. It is also skipped in the outermost function if no kernel was launched before. */
static bool is_refused(pm_host_state *state, pm_host_value condition, pm_host_node *branch)
{
    if (!gives_up(state->tree, branch, MOST_DEPTH) || pm_host_matters(state->tree, branch))
        return false;
    return condition.no_arguments || condition.assumed ||
           (state->depth == 1 && state->launch_count == 0);
}

static pm_host_flow run_if(pm_host_state *state, pm_host_node *node)
{
    const if_parts parts = parts_of_if(node);
    pm_host_value condition;
    bool truth;

    if (parts.before)
        pm_host_run(state, parts.before);
    condition = pm_host_evaluate(state, parts.condition);
    if (state->ended)
        return PM_HOST_END;
    if (!pm_host_truth(condition, &truth))
        truth = choose(state, &parts);
    else if (is_refused(state, condition, truth ? parts.then : parts.otherwise))
        truth = !truth;
    if (truth)
        return parts.then ? pm_host_run(state, parts.then) : PM_HOST_NEXT;
    return parts.otherwise ? pm_host_run(state, parts.otherwise) : PM_HOST_NEXT;
}

/* ---- switch -------------------------------------------------------------------------------- */

static pm_host_node *last_child(const pm_host_node *node)
{
    return node->count ? node->children[node->count - 1] : NULL;
}

/* Returns whether a case label matches the value of the switch statement. If the value is unknown,
 * all labels match. */
static bool is_case(pm_host_state *state, pm_host_node *label, pm_host_value value)
{
    pm_host_value of;

    pm_host_open(state->tree, label);
    if (label->kind != CXCursor_CaseStmt || label->count < 2)
        return false;
    if (value.kind != PM_HOST_INTEGER)
        return true;
    of = pm_host_evaluate(state, label->children[0]);
    return of.kind == PM_HOST_INTEGER && of.integer == value.integer;
}

/* Returns whether a label of a switch statement, or a label directly after it, matches the value.
 * any: true if the label `default` is searched instead. */
static bool is_wanted(pm_host_state *state, pm_host_node *label, pm_host_value value, bool any)
{
    for (unsigned depth = 0; label && depth < 64; depth++) {
        if (label->kind != CXCursor_CaseStmt && label->kind != CXCursor_DefaultStmt)
            return false;
        if (any ? label->kind == CXCursor_DefaultStmt : is_case(state, label, value))
            return true;
        label = last_child(pm_host_open(state->tree, label));
        if (label)
            pm_host_open(state->tree, label);
    }
    return false;
}

static pm_host_flow run_switch(pm_host_state *state, pm_host_node *node)
{
    pm_host_node *body = last_child(node);
    pm_host_value value;
    pm_host_flow flow = PM_HOST_NEXT;
    size_t from;

    if (node->count < 2 || body->kind != CXCursor_CompoundStmt)
        return PM_HOST_NEXT;
    value = pm_host_evaluate(state, node->children[node->count - 2]);
    pm_host_open(state->tree, body);
    for (from = 0; from < body->count; from++)
        if (is_wanted(state, body->children[from], value, false))
            break;
    if (from == body->count)
        for (from = 0; from < body->count; from++)
            if (is_wanted(state, body->children[from], value, true))
                break;
    for (; from < body->count && flow == PM_HOST_NEXT; from++)
        flow = pm_host_run(state, body->children[from]);
    return flow == PM_HOST_BREAK ? PM_HOST_NEXT : flow;
}

/* ---- other statements ---------------------------------------------------------------------- */

static pm_host_flow run_all(pm_host_state *state, pm_host_node *node)
{
    pm_host_flow flow = PM_HOST_NEXT;

    for (size_t i = 0; i < node->count && flow == PM_HOST_NEXT; i++)
        flow = pm_host_run(state, node->children[i]);
    return flow;
}

static pm_host_flow run_return(pm_host_state *state, pm_host_node *node)
{
    pm_host_node *value = last_child(node);

    if (state->returns_place && value)
        state->returned = pm_host_record(pm_host_locate(state, value));
    else
        state->returned = pm_host_evaluate(state, value);
    return PM_HOST_RETURN;
}

static pm_host_flow run_declarations(pm_host_state *state, pm_host_node *node)
{
    for (size_t i = 0; i < node->count; i++)
        if (node->children[i]->kind == CXCursor_VarDecl)
            pm_host_declare_variable(state, node->children[i]);
    return PM_HOST_NEXT;
}

static pm_host_flow run_rounds(pm_host_state *state, const pm_host_loop *parts, bool matters,
                               pm_host_rounds *of)
{
    bool known = true;

    for (size_t round = 0; !state->exhausted && !state->ended; round++) {
        const size_t first = state->launch_count;
        pm_host_flow flow;

        if (!(parts->at_end && round == 0) && !pm_host_goes_on(state, parts, matters, &known))
            break;
        if (round > 0 && (!known || !parts->condition))
            return PM_HOST_CONTINUE;
        flow = pm_host_run(state, parts->body);
        pm_host_note_round(state, of, first);
        if (flow == PM_HOST_RETURN || flow == PM_HOST_END)
            return flow;
        if (flow == PM_HOST_BREAK)
            break;
        if (parts->step)
            pm_host_evaluate(state, parts->step);
        if (matters && parts->step && parts->condition &&
            of->rounds >= of->new_at + PM_HOST_ALIKE_ROUNDS) {
            pm_host_count_rest(state, parts, of);
            break;
        }
        /* Stop the loop. The remaining iterations are not counted, because their number is
         * unknown. */
        if (round >= MOST_ROUNDS && matters) {
            for (size_t i = 0; i < of->count; i++)
                of->kept[i].times = 1;
            return PM_HOST_CONTINUE;
        }
    }
    return state->exhausted || state->ended ? PM_HOST_END : PM_HOST_NEXT;
}

/* Executes the body of a range-based for statement for each element. */
static pm_host_flow run_elements(pm_host_state *state, pm_host_node *loop,
                                 const pm_host_elements *elements, bool matters, pm_host_rounds *of)
{
    for (uint64_t i = 0; i < elements->count && !state->exhausted && !state->ended; i++) {
        const size_t first = state->launch_count;
        pm_host_flow flow;

        pm_host_bind_element(state, elements, i);
        flow = pm_host_run(state, loop->children[loop->count - 1]);
        pm_host_note_round(state, of, first);
        if (flow == PM_HOST_RETURN || flow == PM_HOST_END)
            return flow;
        if (flow == PM_HOST_BREAK)
            break;
        if (i >= MOST_ROUNDS && matters)
            return PM_HOST_CONTINUE;
    }
    return state->exhausted || state->ended ? PM_HOST_END : PM_HOST_NEXT;
}

/* Executes a for, while, do or range-based for statement. If several iterations make equal
 * launches, these become one launch with a count. */
static pm_host_flow run_loop(pm_host_state *state, pm_host_node *loop)
{
    const size_t limit = state->limit, most = loop->is_long ? FEW_STEPS : QUIET_STEPS;
    pm_host_loop parts;
    pm_host_rounds of = {.count = 0};
    pm_host_elements elements;
    pm_host_flow flow;
    bool matters;

    if (loop->count == 0 || (loop->kind == CXCursor_WhileStmt && loop->count < 2))
        return PM_HOST_NEXT;
    parts = pm_host_loop_of(state->tree, loop);
    matters = pm_host_matters(state->tree, loop);
    if (parts.before)
        pm_host_run(state, parts.before);
    if (!matters && state->steps + most < state->limit)
        state->limit = state->steps + most;
    if (loop->kind == CXCursor_CXXForRangeStmt && pm_host_find_elements(state, loop, &elements))
        flow = run_elements(state, loop, &elements, matters, &of);
    else
        flow = run_rounds(state, &parts, matters, &of);
    if (limit > state->limit && state->exhausted) {
        loop->is_long = true;
        state->exhausted = false;
        flow = PM_HOST_CONTINUE;
    }
    state->limit = limit;
    pm_host_multiply(state, &of);
    if (flow != PM_HOST_CONTINUE)
        return flow;
    pm_host_forget_assigned(state, loop);
    return PM_HOST_NEXT;
}

static pm_host_flow run(pm_host_state *state, pm_host_node *node)
{
    switch (node->kind) {
    case CXCursor_CompoundStmt:
        return run_all(state, node);
    case CXCursor_DeclStmt:
        return run_declarations(state, node);
    case CXCursor_IfStmt:
        return run_if(state, node);
    case CXCursor_SwitchStmt:
        return run_switch(state, node);
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_CXXForRangeStmt:
        return run_loop(state, node);
    case CXCursor_ReturnStmt:
        return run_return(state, node);
    case CXCursor_BreakStmt:
        return PM_HOST_BREAK;
    case CXCursor_ContinueStmt:
        return PM_HOST_CONTINUE;
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
    case CXCursor_LabelStmt:
        return node->count ? pm_host_run(state, last_child(node)) : PM_HOST_NEXT;
    case CXCursor_CXXTryStmt:
        return node->count ? pm_host_run(state, node->children[0]) : PM_HOST_NEXT;
    case CXCursor_CXXThrowExpr:
        state->ended = true;
        return PM_HOST_END;
    case CXCursor_CXXCatchStmt:
    case CXCursor_NullStmt:
    case CXCursor_GotoStmt:
        return PM_HOST_NEXT;
    case CXCursor_VarDecl:
        pm_host_declare_variable(state, node);
        return PM_HOST_NEXT;
    default:
        if (is_expression(node)) {
            pm_host_evaluate(state, node);
            return PM_HOST_NEXT;
        }
        /* other statements, such as statements with attributes and OpenMP statements: execute their
         * parts */
        return run_all(state, node);
    }
}

pm_host_flow pm_host_run(pm_host_state *state, pm_host_node *statement)
{
    pm_host_flow flow;

    if (!pm_host_step(state) || state->nesting >= MOST_NESTING)
        return PM_HOST_END;
    state->nesting++;
    flow = run(state, pm_host_open(state->tree, statement));
    state->nesting--;
    return state->ended || state->exhausted ? PM_HOST_END : flow;
}
