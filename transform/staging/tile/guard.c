/* Moves conditions that differ between work-items, so that barriers can be inserted before staged
 * statements. See emit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `if (x >= n) return;` and `if (x < n) { .. }` prevent some work-items from reaching the barriers.
 * Such a condition becomes `const bool active = x < n;`. Each statement that it controlled is then
 * executed under `if (active)`. Declarations that read no memory need no condition.
 */
#include <string.h>

#include "transform/staging/tile/emit.h"
#include "transform/staging/tile/parts.h"

/* ---- conditions ----------------------------------------------------------------------------- */

static bool is_number(const pm_node *node)
{
    return node->type.kind >= CXType_Bool && node->type.kind <= CXType_Int128;
}

/* Returns the code of a condition's negation. A comparison such as x < n becomes x >= n; other
 * conditions get a !. */
static const char *negate(pm_emit *e, pm_node *node)
{
    pm_node *inner = pm_ast_strip(node), *left = pm_ast_child(inner, 0),
            *right = pm_ast_child(inner, 1);

    if (inner->binary == CXBinaryOperator_LOr && left && right)
        return pm_format(e->memory, "%s && %s", negate(e, left), negate(e, right));
    if (pm_opposite(inner->binary) && left && right && is_number(left) && is_number(right))
        return pm_format(e->memory, "%s %s %s", pm_emit_source(e, left),
                         pm_operator_text(pm_opposite(inner->binary), e->memory),
                         pm_emit_source(e, right));
    return pm_format(e->memory, "!(%s)", pm_emit_source(e, node));
}

/* Makes a bool variable for a guard's condition, and returns its name. *text gets its declaration.
 * around: bool variable of the enclosing condition; NULL: there is none. */
static const char *declare_active(pm_emit *e, const pm_guard *guard, const char *around,
                                  const char **text)
{
    const char *name = pm_emit_fresh(e, "active");
    const char *condition =
        guard->negated ? negate(e, guard->condition) : pm_emit_source(e, guard->condition);

    *text = around ? pm_format(e->memory, "const bool %s = %s && (%s);", name, around, condition)
                   : pm_format(e->memory, "const bool %s = %s;", name, condition);
    return name;
}

/* ---- search for statements under a condition ------------------------------------------------ */

/* Returns true if a region (statements before which tiles are filled) starts after the statement,
 * in the same list of statements. */
static bool has_place_behind(const pm_emit *e, const pm_node *statement)
{
    for (size_t p = 0; p < e->place_count; p++)
        if (e->places[p].region.first->begin >= statement->end &&
            pm_ast_is_within(e->places[p].region.first, statement->parent))
            return true;
    return false;
}

/* Returns true if a region (statements before which tiles are filled) is inside of the statement,
 * but does not start with the statement itself. */
static bool has_place_inside(const pm_emit *e, const pm_node *statement)
{
    for (size_t p = 0; p < e->place_count; p++)
        if (e->places[p].region.first != statement &&
            pm_ast_is_within(e->places[p].region.first, statement))
            return true;
    return false;
}

static void note(pm_emit *e, pm_node *statement, const char *active)
{
    *pm_add(e->memory, e->wraps, e->wrap_count) = (pm_wrap){statement, active};
}

static void walk_list(pm_emit *e, pm_node *list, const char *active);

/* Rewrites an if statement that contains a region (statements before which tiles are filled): its
 * condition becomes a bool variable, and its body a plain block ({ }). */
static void open_if(pm_emit *e, pm_node *node, const pm_guard *guard, const char *active)
{
    pm_node *body = pm_ast_child(node, 1);
    const char *text, *name = declare_active(e, guard, active, &text);

    pm_emit_need(e, body && node->begins_clean && node->in_main && body->begins_clean);
    if (!body)
        return;
    pm_edits_add(e->edits, node->begin, body->begin,
                 pm_format(e->memory, "%s\n%s", text, pm_emit_indent(e, node->begin)));
    walk_list(e, body, name);
}

/* Rewrites the conditions in a statement that contains a region (statements before which tiles are
 * filled). active: bool variable of the enclosing condition; NULL: there is none. */
static void walk_into(pm_emit *e, pm_node *statement, const char *active)
{
    const pm_guard *guard =
        statement->kind == CXCursor_IfStmt ? pm_stage_guard(e->s, statement, false) : NULL;

    if (guard && !guard->uniform)
        open_if(e, statement, guard, active);
    else if (statement->kind == CXCursor_CompoundStmt)
        walk_list(e, statement, active);
    else if (statement->kind == CXCursor_IfStmt) {
        for (pm_node *branch = pm_ast_child(statement, 1); branch; branch = branch->next)
            walk_list(e, branch, active);
    } else if (statement->kind == CXCursor_DoStmt)
        walk_list(e, statement->first, active);
    else
        walk_list(e, statement->last, active);
}

static void walk_statement(pm_emit *e, pm_node *statement, const char *active)
{
    if (has_place_inside(e, statement))
        walk_into(e, statement, active);
    else if (active)
        note(e, statement, active);
}

/* Rewrites the conditions in the statements of a block ({ }), or in the single statement that is
 * the body of a loop or an if. */
static void walk_list(pm_emit *e, pm_node *list, const char *active)
{
    if (list->kind != CXCursor_CompoundStmt) {
        walk_statement(e, list, active);
        return;
    }
    for (pm_node *at = list->first; at; at = at->next) {
        const pm_guard *guard = at->kind == CXCursor_IfStmt ? pm_stage_guard(e->s, at, true) : NULL;

        if (guard && !guard->uniform && has_place_behind(e, at)) {
            const char *text;

            active = declare_active(e, guard, active, &text);
            pm_emit_need(e, pm_ast_is_own(at));
            pm_edits_add(e->edits, at->begin, pm_emit_end(e, at), text);
        } else
            walk_statement(e, at, active);
    }
}

void pm_emit_guards(pm_emit *e)
{
    walk_list(e, e->s->index.body, NULL);
}

/* ---- statements under a condition ----------------------------------------------------------- */

const char *pm_emit_wrap_of(const pm_emit *e, const pm_node *statement)
{
    for (size_t w = 0; w < e->wrap_count; w++)
        if (e->wraps[w].statement == statement)
            return e->wraps[w].active;
    return NULL;
}

/* Returns true for a call of a builtin function that has no side effect and no pointer argument.
 * Other calls, such as atomics, may change memory. */
static bool is_harmless_call(const pm_emit *e, const pm_node *call)
{
    const pm_node *argument = call->first ? call->first->next : NULL;

    for (; argument; argument = argument->next)
        if (argument->type.kind == CXType_Pointer)
            return false;
    return e->words->is_cuda ? pm_is_pure_call(e->s->index.ast, call) : !pm_ast_called(call);
}

/* Returns true if work-items that do not need an expression may evaluate it: it reads no memory,
 * has no side effect and cannot trap. */
static bool is_harmless(const pm_emit *e, const pm_node *node)
{
    enum CXBinaryOperatorKind kind =
        node->kind == CXCursor_BinaryOperator ? node->binary : CXBinaryOperator_Invalid;
    const pm_node *by = pm_ast_child(node, 1);

    if (node->kind == CXCursor_ArraySubscriptExpr || pm_changes_operand(node) ||
        (node->unary == CXUnaryOperator_Deref) ||
        (node->kind == CXCursor_MemberRefExpr && node->first &&
         node->first->type.kind == CXType_Pointer))
        return false;
    if (node->kind == CXCursor_CallExpr && !is_harmless_call(e, node))
        return false;
    for (size_t a = 0; a < e->s->index.access_count; a++)
        if (e->s->index.accesses[a].node == node)
            return false;
    if ((kind == CXBinaryOperator_Div || kind == CXBinaryOperator_Rem) && by && is_number(by) &&
        pm_ast_strip(by)->kind != CXCursor_IntegerLiteral)
        return false;
    for (const pm_node *child = node->first; child; child = child->next)
        if (!is_harmless(e, child))
            return false;
    return true;
}

/* Returns the offset of the end of an initializer. For (float4)(x), libclang's end leaves out the
 * closing parenthesis. */
static size_t end_of_value(const pm_emit *e, const pm_node *value)
{
    const char *text = e->s->unit->ast.text;
    size_t begin, end = value->begin, last = value->begin;
    int depth = 0;

    while (pm_token(text, end, e->s->unit->ast.length, &begin, &end)) {
        depth += strchr("([{", text[begin]) != NULL;
        depth -= strchr(")]}", text[begin]) != NULL;
        if (depth < 0 || (depth == 0 && strchr(",;", text[begin])))
            break;
        last = end;
    }
    return last;
}

/* Handles a declaration that depends on a condition. It stays unconditional, so that its variables
 * are visible below. An initializer that reads memory becomes `active ? value : 0`. */
static void wrap_declaration(pm_emit *e, pm_node *statement, const char *active)
{
    for (pm_node *variable = statement->first; variable; variable = variable->next) {
        pm_node *value = variable->kind == CXCursor_VarDecl ? variable->initializer : NULL;
        CXType type = variable->type;

        if (!value || is_harmless(e, value))
            continue;
        if (!is_number(variable) && type.kind != CXType_Float && type.kind != CXType_Double &&
            type.kind != CXType_Half && !pm_type_is_vector(type))
            pm_ast_refuse(e->memory, variable,
                          "only some work-items may run this declaration, which cannot be kept "
                          "where a barrier has to follow");
        pm_emit_need(e, pm_ast_is_own(value));
        pm_emit_insert(e, value->begin, pm_format(e->memory, "%s ? ", active));
        pm_emit_insert(
            e, end_of_value(e, value),
            pm_format(e->memory,
                      e->words->is_cuda && pm_type_is_vector(type) ? " : %s{}" : " : (%s)(0)",
                      pm_declared_type_text(variable, e->memory)));
    }
}

static bool is_cut(const pm_emit *e, const pm_node *statement)
{
    for (size_t p = 0; p < e->place_count; p++)
        if (e->places[p].region.tiled != PM_NONE && e->places[p].region.first == statement)
            return true;
    return false;
}

/* Returns true if a variable is private to a work-item. Statements such as x += w; that change only
 * private variables need no condition. They must have none if the position of a tile depends on
 * x. */
static bool is_private(const pm_emit *e, const pm_node *use)
{
    const pm_node *variable = use->declaration;

    return variable && !pm_is_local_variable(variable) &&
           pm_ast_is_within(variable, e->s->index.kernel);
}

static bool is_own_business(const pm_emit *e, const pm_node *statement)
{
    const pm_node *target = statement->first, *value = pm_ast_child(statement, 1);

    if (!pm_changes_operand(statement) || !target || target->kind != CXCursor_DeclRefExpr ||
        !is_private(e, target))
        return false;
    return pm_is_step(statement) ||
           (value && is_harmless(e, value) && target->type.kind != CXType_Pointer);
}

static bool is_placed_by(const pm_emit *e, const pm_node *variable)
{
    for (size_t a = 0; a < e->s->index.atom_count; a++) {
        const pm_atom *atom = &e->s->index.atoms[a];

        if (atom->kind == PM_ATOM_VALUE &&
            (atom->variable == variable || pm_has_token(atom->text, variable->name)))
            return true;
    }
    return false;
}

/* Raises an error if a statement that becomes conditional changes a variable on which a tile's
 * position depends. */
static void check_changes(pm_emit *e, pm_node *statement)
{
    for (size_t c = 0; c < e->s->index.change_count; c++) {
        const pm_change *change = &e->s->index.changes[c];

        if (pm_ast_is_within(change->node, statement) && is_placed_by(e, change->variable))
            pm_ast_refuse(e->memory, change->node,
                          "only some work-items run this, and what is staged lies where it says");
    }
}

void pm_emit_wraps(pm_emit *e)
{
    for (size_t w = 0; w < e->wrap_count; w++) {
        pm_node *statement = e->wraps[w].statement;
        size_t begin = pm_emit_begin(e, statement);
        bool alone;

        if (statement->kind == CXCursor_DeclStmt)
            wrap_declaration(e, statement, e->wraps[w].active);
        else if (is_cut(e, statement))
            check_changes(e, statement);
        else if (statement->kind != CXCursor_NullStmt && statement->kind != CXCursor_ReturnStmt &&
                 !is_own_business(e, statement)) {
            check_changes(e, statement);
            pm_emit_need(e, statement->begins_clean && statement->in_main);
            /* If the statement is the whole body of an if, braces are needed, because an else may
             * follow. */
            alone = statement->parent->kind != CXCursor_CompoundStmt;
            pm_emit_insert(e, begin,
                           pm_format(e->memory, "%sif (%s)" PM_DEEPER "\n%s", alone ? "{ " : "",
                                     e->wraps[w].active, pm_emit_indent(e, begin)));
            pm_emit_insert(e, pm_emit_end(e, statement), alone ? PM_HIGHER " }" : PM_HIGHER);
        }
    }
}
