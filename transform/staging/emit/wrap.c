/* Puts statements of a kernel into `if (active)`, if only some work-items may execute them and the
 * condition around them was moved. See emit.h and guard.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Declarations stay unconditional. Those that read no memory, and statements that change only
 * private variables, need no condition.
 */
#include <string.h>

#include "transform/source/clang/builtins.h"
#include "transform/staging/emit/emit.h"

const char *pm_wraps_condition(const pm_wraps *wraps, const pm_node *statement)
{
    for (size_t i = 0; i < wraps->count; i++)
        if (wraps->items[i].statement == statement)
            return wraps->items[i].active;
    return NULL;
}

/* Returns true for a call of a builtin function that has no side effect and no pointer argument.
 * Other calls, such as atomics, may change memory. */
static bool is_harmless_call(const pm_index *index, const pm_node *call)
{
    const pm_node *argument = call->first ? call->first->next : NULL;

    for (; argument; argument = argument->next)
        if (argument->type.kind == CXType_Pointer)
            return false;
    return index->ast->is_cuda ? pm_is_pure_call(index->ast, call) : !pm_ast_called(call);
}

/* Returns true if an expression reads no memory, has no side effect and cannot trap. Work-items
 * that do not need its value may then evaluate it, too. */
static bool is_harmless(const pm_index *index, const pm_node *node)
{
    enum CXBinaryOperatorKind kind =
        node->kind == CXCursor_BinaryOperator ? node->binary : CXBinaryOperator_Invalid;
    const pm_node *by = pm_ast_child(node, 1);

    if (node->kind == CXCursor_ArraySubscriptExpr || pm_changes_operand(node) ||
        (node->unary == CXUnaryOperator_Deref) ||
        (node->kind == CXCursor_MemberRefExpr && node->first &&
         node->first->type.kind == CXType_Pointer))
        return false;
    if (node->kind == CXCursor_CallExpr && !is_harmless_call(index, node))
        return false;
    for (size_t a = 0; a < index->access_count; a++)
        if (index->accesses[a].node == node)
            return false;
    if ((kind == CXBinaryOperator_Div || kind == CXBinaryOperator_Rem) && by &&
        pm_has_integer_type(by) && pm_ast_strip(by)->kind != CXCursor_IntegerLiteral)
        return false;
    for (const pm_node *child = node->first; child; child = child->next)
        if (!is_harmless(index, child))
            return false;
    return true;
}

/* Returns the offset of the end of an initializer. For (float4)(x), libclang's end leaves out the
 * closing parenthesis. */
static size_t end_of_value(const pm_ast *ast, const pm_node *value)
{
    const char *text = ast->text;
    size_t begin, end = value->begin, last = value->begin;
    int depth = 0;

    while (pm_token(text, end, ast->length, &begin, &end)) {
        depth += strchr("([{", text[begin]) != NULL;
        depth -= strchr(")]}", text[begin]) != NULL;
        if (depth < 0 || (depth == 0 && strchr(",;", text[begin])))
            break;
        last = end;
    }
    return last;
}

/* Handles a declaration that depends on a condition. The declaration itself stays unconditional, so
 * that the code below sees its variables. An initializer that reads memory becomes `active ? value
 * : 0`. */
static void wrap_declaration(const pm_index *index, const pm_wrap *wrap, pm_writer *w)
{
    for (pm_node *variable = wrap->statement->first; variable; variable = variable->next) {
        pm_node *value = variable->kind == CXCursor_VarDecl ? variable->initializer : NULL;
        CXType type = variable->type;

        if (!value || is_harmless(index, value))
            continue;
        if (!pm_has_integer_type(variable) && type.kind != CXType_Float &&
            type.kind != CXType_Double && type.kind != CXType_Half && !pm_type_is_vector(type))
            pm_ast_refuse(w->memory, variable,
                          "only some work-items may run this declaration, which cannot be kept "
                          "where a barrier has to follow");
        pm_writer_need(w, pm_ast_is_own(value));
        pm_writer_insert(w, value->begin, pm_format(w->memory, "%s ? ", wrap->active));
        pm_writer_insert(
            w, end_of_value(w->ast, value),
            pm_format(w->memory,
                      index->ast->is_cuda && pm_type_is_vector(type) ? " : %s{}" : " : (%s)(0)",
                      pm_declared_type_text(variable, w->memory)));
    }
}

/* Returns true if the statement is a tiled loop. */
static bool is_cut(const pm_tile_places *places, const pm_node *statement)
{
    for (size_t p = 0; p < places->count; p++)
        if (places->items[p].region.tiled != PM_NONE && places->items[p].region.first == statement)
            return true;
    return false;
}

/* Returns true if the variable that an expression names is private to a work-item. */
static bool is_private(const pm_index *index, const pm_node *use)
{
    const pm_node *variable = use->declaration;

    return variable && !pm_is_local_variable(variable) && pm_ast_is_within(variable, index->kernel);
}

/* Returns true for a statement such as x += w; that changes only private variables and reads no
 * memory, so that all work-items may execute it. All work-items must execute it if the position of
 * a tile depends on x, because they fill the tile together. */
static bool needs_no_condition(const pm_index *index, const pm_node *statement)
{
    const pm_node *target = statement->first, *value = pm_ast_child(statement, 1);

    if (!pm_changes_operand(statement) || !target || target->kind != CXCursor_DeclRefExpr ||
        !is_private(index, target))
        return false;
    return pm_is_step(statement) ||
           (value && is_harmless(index, value) && target->type.kind != CXType_Pointer);
}

/* Returns true if the value of a variable is, or is part of, a symbolic value of the kernel's
 * indices, so that the position of a tile may depend on it. */
static bool is_placed_by(const pm_index *index, const pm_node *variable)
{
    for (size_t a = 0; a < index->atom_count; a++) {
        const pm_atom *atom = &index->atoms[a];

        if (atom->kind == PM_ATOM_VALUE &&
            (atom->variable == variable || pm_has_token(atom->text, variable->name)))
            return true;
    }
    return false;
}

/* Raises an error if a statement that becomes conditional changes a variable on which a tile's
 * position depends. */
static void check_changes(const pm_index *index, const pm_node *statement, pm_memory *memory)
{
    for (size_t c = 0; c < index->change_count; c++) {
        const pm_change *change = &index->changes[c];

        if (pm_ast_is_within(change->node, statement) && is_placed_by(index, change->variable))
            pm_ast_refuse(memory, change->node,
                          "only some work-items run this, and what is staged lies where it says");
    }
}

/* Puts a statement under its condition, in braces if needed. */
static void wrap_statement(const pm_wrap *wrap, pm_writer *w)
{
    const pm_node *statement = wrap->statement;
    const size_t begin = pm_statement_begin(w->ast, statement);
    /* If the statement is the whole body of an if, braces are needed, because an else may
     * follow. */
    const bool alone = statement->parent->kind != CXCursor_CompoundStmt;

    pm_writer_need(w, statement->begins_clean && statement->in_main);
    pm_writer_insert(w, begin,
                     pm_format(w->memory, "%sif (%s)" PM_DEEPER "\n%s", alone ? "{ " : "",
                               wrap->active, pm_writer_indent(w, begin)));
    pm_writer_insert(w, pm_statement_end(w->ast, statement), alone ? PM_HIGHER " }" : PM_HIGHER);
}

void pm_wraps_write(const pm_index *index, const pm_tile_places *places, const pm_wraps *wraps,
                    pm_writer *w)
{
    for (size_t i = 0; i < wraps->count; i++) {
        const pm_node *statement = wraps->items[i].statement;

        if (statement->kind == CXCursor_DeclStmt)
            wrap_declaration(index, &wraps->items[i], w);
        else if (is_cut(places, statement))
            check_changes(index, statement, w->memory);
        else if (statement->kind != CXCursor_NullStmt && statement->kind != CXCursor_ReturnStmt &&
                 !needs_no_condition(index, statement)) {
            check_changes(index, statement, w->memory);
            wrap_statement(&wraps->items[i], w);
        }
    }
}
