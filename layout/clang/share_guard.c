/* Conditions around staged statements. See share_emit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `if (x >= n) return;` and `if (x < n) { .. }` keep work-items from the barriers that staging
 * needs. They become `const bool active = x < n;`, and the statements that they kept work-items
 * from run under `if (active)`. Declarations that read no memory need none.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "share_emit.h"
#include "share_parts.h"

/* ---- conditions ----------------------------------------------------------------------------- */

static const char *opposite(enum CXBinaryOperatorKind kind)
{
    switch (kind) {
    case CXBinaryOperator_LT:
        return ">=";
    case CXBinaryOperator_LE:
        return ">";
    case CXBinaryOperator_GT:
        return "<=";
    case CXBinaryOperator_GE:
        return "<";
    case CXBinaryOperator_EQ:
        return "!=";
    case CXBinaryOperator_NE:
        return "==";
    default:
        return NULL;
    }
}

static bool is_integer(const pm_node *node)
{
    CXType type = pm_ast_type(node);

    return type.kind >= CXType_Bool && type.kind <= CXType_Int128;
}

/* !condition, as a person would write it. */
static void negate(pm_emit *e, pm_node *node, pm_text *out)
{
    pm_node *inner = pm_ast_strip(node), *left = pm_ast_child(inner, 0),
            *right = pm_ast_child(inner, 1);
    enum CXBinaryOperatorKind kind = inner->kind == CXCursor_BinaryOperator
                                         ? clang_getCursorBinaryOperatorKind(inner->cursor)
                                         : CXBinaryOperator_Invalid;

    if (kind == CXBinaryOperator_LOr && left && right) {
        negate(e, left, out);
        pm_text_add(out, " && ");
        negate(e, right, out);
    } else if (opposite(kind) && left && right && is_integer(left) && is_integer(right)) {
        pm_emit_source(e, left, out);
        pm_text_add(out, " %s ", opposite(kind));
        pm_emit_source(e, right, out);
    } else {
        pm_text_add(out, "!(");
        pm_emit_source(e, node, out);
        pm_text_add(out, ")");
    }
}

/* A variable for the condition that holds behind or within a guard. */
static char *declare_active(pm_emit *e, const pm_guard *guard, const char *around, pm_text *out)
{
    char *name = pm_emit_fresh(e, "active");
    pm_text condition = {0};

    if (guard->negated)
        negate(e, guard->condition, &condition);
    else
        pm_emit_source(e, guard->condition, &condition);
    if (condition.failed)
        pm_share_no_memory(e->s);
    if (around)
        pm_text_add(out, "const bool %s = %s && (%s);", name, around, pm_text_get(&condition));
    else
        pm_text_add(out, "const bool %s = %s;", name, pm_text_get(&condition));
    pm_text_free(&condition);
    return name;
}

/* ---- which statements ----------------------------------------------------------------------- */

/* A place begins in the text behind a statement of a list, and in that list. */
static bool has_place_behind(const pm_emit *e, const pm_node *statement)
{
    for (size_t p = 0; p < e->place_count; p++)
        if (e->places[p].region.first->begin >= statement->end &&
            pm_node_is_within(e->places[p].region.first, statement->parent))
            return true;
    return false;
}

/* A place is within a statement, and is not the statement with others beside it. */
static bool has_place_inside(const pm_emit *e, const pm_node *statement)
{
    for (size_t p = 0; p < e->place_count; p++)
        if (e->places[p].region.first != statement &&
            pm_node_is_within(e->places[p].region.first, statement))
            return true;
    return false;
}

static void note(pm_emit *e, pm_node *statement, const char *active)
{
    pm_wrap *grown = realloc(e->wraps, (e->wrap_count + 1) * sizeof *grown);

    if (grown)
        e->wraps = grown;
    if (!grown || !(grown[e->wrap_count].active = strdup(active))) {
        pm_share_no_memory(e->s);
        return;
    }
    grown[e->wrap_count++].statement = statement;
}

static void walk_list(pm_emit *e, pm_node *list, const char *active);

/* An if around a place: its condition becomes a variable, its body a block. */
static void open_if(pm_emit *e, pm_node *node, const pm_guard *guard, const char *active)
{
    pm_node *body = pm_ast_child(node, 1);
    pm_text text = {0}, indent = pm_emit_indent(e, node->begin);
    char *name = declare_active(e, guard, active, &text);

    pm_text_add(&text, "\n%s", pm_text_get(&indent));
    if (!body || !node->begins_clean || !node->in_main || !body->begins_clean)
        e->hidden = true;
    else
        pm_edits_add(e->edits, node->begin, body->begin, pm_text_get(&text));
    if (name && body)
        walk_list(e, body, name);
    free(name);
    pm_text_free(&text);
    pm_text_free(&indent);
}

/* A statement with a place inside of it. */
static void walk_into(pm_emit *e, pm_node *statement, const char *active)
{
    const pm_guard *guard =
        statement->kind == CXCursor_IfStmt ? pm_share_guard(e->s, statement, false) : NULL;

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

/* Statements of a block, or the one statement that a loop or an if has instead. */
static void walk_list(pm_emit *e, pm_node *list, const char *active)
{
    char *own = NULL;

    if (list->kind != CXCursor_CompoundStmt) {
        walk_statement(e, list, active);
        return;
    }
    for (pm_node *at = list->first; at; at = at->next) {
        const pm_guard *guard = at->kind == CXCursor_IfStmt ? pm_share_guard(e->s, at, true) : NULL;

        if (guard && !guard->uniform && has_place_behind(e, at)) {
            pm_text text = {0};
            char *name = declare_active(e, guard, active, &text);

            if (!at->begins_clean || !at->ends_clean || !at->in_main)
                e->hidden = true;
            pm_edits_add(e->edits, at->begin, pm_emit_end(e, at), pm_text_get(&text));
            pm_text_free(&text);
            free(own);
            own = name;
            active = own;
        } else
            walk_statement(e, at, active);
    }
    free(own);
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

/* A builtin of numbers alone: others may change what pointers point to, as atomic functions do. */
static bool is_harmless_call(const pm_emit *e, const pm_node *call)
{
    const pm_node *argument = call->first ? call->first->next : NULL;

    for (; argument; argument = argument->next)
        if (pm_ast_type(argument).kind == CXType_Pointer)
            return false;
    return !pm_unit_callee(e->s->unit, call);
}

/* An expression that work-items may evaluate for nothing: it reads no memory and cannot trap. */
static bool is_harmless(const pm_emit *e, const pm_node *node)
{
    enum CXBinaryOperatorKind kind = node->kind == CXCursor_BinaryOperator
                                         ? clang_getCursorBinaryOperatorKind(node->cursor)
                                         : CXBinaryOperator_Invalid;
    const pm_node *by = pm_ast_child(node, 1);

    if (node->kind == CXCursor_ArraySubscriptExpr || pm_changes_operand(node) ||
        (node->kind == CXCursor_UnaryOperator &&
         clang_getCursorUnaryOperatorKind(node->cursor) == CXUnaryOperator_Deref) ||
        (node->kind == CXCursor_MemberRefExpr && node->first &&
         pm_ast_type(node->first).kind == CXType_Pointer))
        return false;
    if (node->kind == CXCursor_CallExpr && !is_harmless_call(e, node))
        return false;
    for (size_t a = 0; a < e->s->index.access_count; a++)
        if (e->s->index.accesses[a].node == node)
            return false;
    if ((kind == CXBinaryOperator_Div || kind == CXBinaryOperator_Rem) && by && is_integer(by) &&
        pm_ast_strip((pm_node *)(uintptr_t)by)->kind != CXCursor_IntegerLiteral)
        return false;
    for (const pm_node *child = node->first; child; child = child->next)
        if (!is_harmless(e, child))
            return false;
    return true;
}

/* Where an initializer ends: libclang leaves the parenthesis of (float4)(x) out. */
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

/* Declarations stay; what reads memory to begin with does so under the condition. */
static void wrap_declaration(pm_emit *e, pm_node *statement, const char *active)
{
    for (pm_node *variable = statement->first; variable; variable = variable->next) {
        pm_node *value = variable->kind == CXCursor_VarDecl ? pm_unit_initializer(variable) : NULL;
        CXType type = pm_ast_type(variable);
        pm_text before = {0}, behind = {0};
        CXString spelling;

        if (!value || is_harmless(e, value))
            continue;
        if (!is_integer(variable) && type.kind != CXType_Float && type.kind != CXType_Double &&
            type.kind != CXType_Half && type.kind != CXType_ExtVector &&
            type.kind != CXType_Vector) {
            e->s->status = pm_ast_refuse(variable, e->s->err,
                                         "only some work-items may run this declaration, which "
                                         "cannot be kept where a barrier has to follow");
            return;
        }
        if (!value->begins_clean || !value->ends_clean || !value->in_main)
            e->hidden = true;
        spelling =
            clang_getTypeSpelling(clang_getUnqualifiedType(clang_getCursorType(variable->cursor)));
        pm_text_add(&before, "%s ? ", active);
        pm_text_add(&behind, " : (%s)(0)", clang_getCString(spelling));
        clang_disposeString(spelling);
        pm_emit_insert(e, value->begin, pm_text_get(&before));
        pm_emit_insert(e, end_of_value(e, value), pm_text_get(&behind));
        pm_text_free(&before);
        pm_text_free(&behind);
    }
}

static bool is_cut(const pm_emit *e, const pm_node *statement)
{
    for (size_t p = 0; p < e->place_count; p++)
        if (e->places[p].region.tiled != PM_NONE && e->places[p].region.first == statement)
            return true;
    return false;
}

/* x += w; of a variable: all work-items may do it, and must if tiles are placed by x. */
static bool is_private(const pm_emit *e, const pm_node *use)
{
    const pm_node *variable = pm_ast_declaration(e->s->index.ast, use);
    const pm_node *whole =
        variable && variable->parent->kind == CXCursor_DeclStmt ? variable->parent : variable;
    size_t begin, end = whole ? whole->begin : 0;

    while (whole && pm_token(e->s->unit->ast.text, end, whole->end, &begin, &end))
        if (pm_token_is(e->s->unit->ast.text, begin, end, "__local") ||
            pm_token_is(e->s->unit->ast.text, begin, end, "local"))
            return false;
    return whole != NULL && pm_node_is_within(whole, e->s->index.kernel);
}

static bool is_own_business(const pm_emit *e, const pm_node *statement)
{
    const pm_node *target = statement->first, *value = pm_ast_child(statement, 1);
    enum CXUnaryOperatorKind unary = statement->kind == CXCursor_UnaryOperator
                                         ? clang_getCursorUnaryOperatorKind(statement->cursor)
                                         : CXUnaryOperator_Invalid;

    if (statement->kind == CXCursor_UnaryOperator)
        return target && unary <= CXUnaryOperator_PreDec && unary >= CXUnaryOperator_PostInc &&
               target->kind == CXCursor_DeclRefExpr && is_private(e, target);
    if (statement->kind == CXCursor_BinaryOperator &&
        clang_getCursorBinaryOperatorKind(statement->cursor) != CXBinaryOperator_Assign)
        return false;
    return (statement->kind == CXCursor_BinaryOperator ||
            statement->kind == CXCursor_CompoundAssignOperator) &&
           target && value && target->kind == CXCursor_DeclRefExpr && is_private(e, target) &&
           is_harmless(e, value) && pm_ast_type(target).kind != CXType_Pointer;
}

static bool is_placed_by(const pm_emit *e, const pm_node *variable)
{
    for (size_t a = 0; a < e->s->index.atom_count; a++) {
        const pm_atom *atom = &e->s->index.atoms[a];
        char *name = atom->kind == PM_ATOM_VALUE ? pm_ast_name(variable) : NULL;
        size_t begin, end = 0, length = name ? strlen(atom->text) : 0;
        bool found = atom->variable == variable && atom->kind == PM_ATOM_VALUE;

        while (name && !found && pm_token(atom->text, end, length, &begin, &end))
            found = pm_token_is(atom->text, begin, end, name);
        free(name);
        if (found)
            return true;
    }
    return false;
}

/* Work-items that do not run a statement must not miss what tiles are placed by. */
static void check_changes(pm_emit *e, pm_node *statement)
{
    for (size_t c = 0; c < e->s->index.change_count; c++) {
        const pm_change *change = &e->s->index.changes[c];

        if (pm_node_is_within(change->node, statement) && e->s->status == PM_OK &&
            is_placed_by(e, change->variable))
            e->s->status = pm_ast_refuse(change->node, e->s->err,
                                         "only some work-items run this, and what is staged lies "
                                         "where it says");
    }
}

void pm_emit_wraps(pm_emit *e)
{
    for (size_t w = 0; w < e->wrap_count && e->s->status == PM_OK; w++) {
        pm_node *statement = e->wraps[w].statement;
        size_t begin = pm_emit_begin(e, statement);
        pm_text text = {0}, indent = pm_emit_indent(e, begin);
        bool alone;

        if (statement->kind == CXCursor_DeclStmt)
            wrap_declaration(e, statement, e->wraps[w].active);
        else if (is_cut(e, statement))
            check_changes(e, statement);
        else if (statement->kind != CXCursor_NullStmt && statement->kind != CXCursor_ReturnStmt &&
                 !is_own_business(e, statement)) {
            check_changes(e, statement);
            if (!statement->begins_clean || !statement->in_main)
                e->hidden = true;
            /* Braces where it is all that a loop or an if has, of which an else may follow. */
            alone = statement->parent->kind != CXCursor_CompoundStmt;
            pm_text_add(&text, "%sif (%s)" PM_DEEPER "\n%s", alone ? "{ " : "", e->wraps[w].active,
                        pm_text_get(&indent));
            pm_emit_insert(e, begin, pm_text_get(&text));
            pm_emit_insert(e, pm_emit_end(e, statement), alone ? PM_HIGHER " }" : PM_HIGHER);
        }
        pm_text_free(&text);
        pm_text_free(&indent);
    }
}
