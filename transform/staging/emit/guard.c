/* Moves conditions that only some work-items of a group fulfil, because a barrier that is added to
 * the kernel must be reached by all of them. See emit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `if (x >= n) return;` and `if (x < n) { .. }` prevent some work-items from reaching the barriers.
 * Such a condition becomes `const bool active = x < n;`. Each statement that it controlled is then
 * executed under `if (active)` (wrap.c).
 */
#include "transform/staging/emit/emit.h"

/* State while conditions in a kernel that only some work-items fulfil are moved. */
typedef struct {
    const pm_index *index;
    const pm_tile_places *places;
    pm_names *names;
    pm_writer *writer;
    pm_wraps wraps; /* statements found so far that depend on a moved condition */
} moving;

/* ---- conditions ----------------------------------------------------------------------------- */

bool pm_has_integer_type(const pm_node *node)
{
    return node->type.kind >= CXType_Bool && node->type.kind <= CXType_Int128;
}

/* Returns the code of a condition's negation. A comparison such as x < n becomes x >= n; other
 * conditions get a !. */
static const char *negate_condition(pm_writer *w, pm_node *node)
{
    pm_node *inner = pm_ast_strip(node), *left = pm_ast_child(inner, 0),
            *right = pm_ast_child(inner, 1);

    if (inner->binary == CXBinaryOperator_LOr && left && right)
        return pm_format(w->memory, "%s && %s", negate_condition(w, left),
                         negate_condition(w, right));
    if (pm_opposite(inner->binary) && left && right && pm_has_integer_type(left) &&
        pm_has_integer_type(right))
        return pm_format(w->memory, "%s %s %s", pm_writer_source(w, left),
                         pm_operator_text(pm_opposite(inner->binary), w->memory),
                         pm_writer_source(w, right));
    return pm_format(w->memory, "!(%s)", pm_writer_source(w, node));
}

/* Makes a bool variable for a guard's condition, and returns its name. *text gets its declaration.
 * around: bool variable of the enclosing condition; NULL: there is none. */
static const char *declare_active(pm_writer *w, pm_names *names, const pm_guard *guard,
                                  const char *around, const char **text)
{
    const char *name = pm_names_fresh(names, "active");
    const char *condition = guard->negated ? negate_condition(w, guard->condition)
                                           : pm_writer_source(w, guard->condition);

    *text = around ? pm_format(w->memory, "const bool %s = %s && (%s);", name, around, condition)
                   : pm_format(w->memory, "const bool %s = %s;", name, condition);
    return name;
}

/* ---- search for statements under a condition ------------------------------------------------ */

/* Returns true if a region (statements before which tiles are filled) starts after the statement,
 * in the same list of statements. */
static bool has_place_behind(const pm_tile_places *places, const pm_node *statement)
{
    for (size_t p = 0; p < places->count; p++)
        if (places->items[p].region.first->begin >= statement->end &&
            pm_ast_is_within(places->items[p].region.first, statement->parent))
            return true;
    return false;
}

/* Returns true if a region (statements before which tiles are filled) is inside of the statement,
 * but does not start with the statement itself. */
static bool has_place_inside(const pm_tile_places *places, const pm_node *statement)
{
    for (size_t p = 0; p < places->count; p++)
        if (places->items[p].region.first != statement &&
            pm_ast_is_within(places->items[p].region.first, statement))
            return true;
    return false;
}

/* Adds a statement that needs the condition `active`. */
static void add_wrap(moving *m, pm_node *statement, const char *active)
{
    *pm_add(m->writer->memory, m->wraps.items, m->wraps.count) = (pm_wrap){statement, active};
}

static void walk_list(moving *m, pm_node *list, const char *active);

/* Rewrites an if statement that contains a region (statements before which tiles are filled): its
 * condition becomes a bool variable, and its body a plain block ({ }). */
static void open_if(moving *m, pm_node *node, const pm_guard *guard, const char *active)
{
    pm_node *body = pm_ast_child(node, 1);
    const char *text, *name = declare_active(m->writer, m->names, guard, active, &text);

    pm_writer_need(m->writer, body && node->begins_clean && node->in_main && body->begins_clean);
    if (!body)
        return;
    pm_edits_add(
        m->writer->edits, node->begin, body->begin,
        pm_format(m->writer->memory, "%s\n%s", text, pm_writer_indent(m->writer, node->begin)));
    walk_list(m, body, name);
}

/* Rewrites the conditions in a statement that contains a region (statements before which tiles are
 * filled). active: bool variable of the enclosing condition; NULL: there is none. */
static void walk_into(moving *m, pm_node *statement, const char *active)
{
    const pm_guard *guard =
        statement->kind == CXCursor_IfStmt ? pm_statement_guard(m->index, statement, false) : NULL;

    if (guard && !guard->uniform)
        open_if(m, statement, guard, active);
    else if (statement->kind == CXCursor_CompoundStmt)
        walk_list(m, statement, active);
    else if (statement->kind == CXCursor_IfStmt) {
        for (pm_node *branch = pm_ast_child(statement, 1); branch; branch = branch->next)
            walk_list(m, branch, active);
    } else if (statement->kind == CXCursor_DoStmt)
        walk_list(m, statement->first, active);
    else
        walk_list(m, statement->last, active);
}

/* Rewrites the conditions in a statement if it contains statements before which tiles are filled.
 * Otherwise the statement as a whole needs the condition `active`; NULL: none. */
static void walk_statement(moving *m, pm_node *statement, const char *active)
{
    if (has_place_inside(m->places, statement))
        walk_into(m, statement, active);
    else if (active)
        add_wrap(m, statement, active);
}

/* Rewrites the conditions in the statements of a block ({ }), or in the single statement that is
 * the body of a loop or an if. */
static void walk_list(moving *m, pm_node *list, const char *active)
{
    if (list->kind != CXCursor_CompoundStmt) {
        walk_statement(m, list, active);
        return;
    }
    for (pm_node *at = list->first; at; at = at->next) {
        const pm_guard *guard =
            at->kind == CXCursor_IfStmt ? pm_statement_guard(m->index, at, true) : NULL;

        if (guard && !guard->uniform && has_place_behind(m->places, at)) {
            const char *text;

            active = declare_active(m->writer, m->names, guard, active, &text);
            pm_writer_need(m->writer, pm_ast_is_own(at));
            pm_edits_add(m->writer->edits, at->begin, pm_statement_end(m->index->ast, at), text);
        } else
            walk_statement(m, at, active);
    }
}

pm_wraps pm_guards_move(const pm_index *index, const pm_tile_places *places, pm_names *names,
                        pm_writer *w)
{
    moving m = {.index = index, .places = places, .names = names, .writer = w};

    walk_list(&m, index->body, NULL);
    return m.wraps;
}
