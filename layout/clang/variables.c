/* Variables that point into arrays of structs, and which array each points into. See unit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A pointer that always points into the array of one parameter needs no pointer any more: the
 * element's number says all. Modes start at the simplest and only get more general, until nothing
 * that flows from one variable to another asks for more.
 */
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "unit.h"

/* Not known yet: a local variable that nothing has flowed into so far. */
#define UNKNOWN ((size_t)-2)

static bool is_parameter(const pm_variable *variable)
{
    return variable->node->kind == CXCursor_ParmDecl;
}

pm_variable *pm_unit_variable(const pm_unit *unit, const pm_node *node)
{
    const pm_node *declaration = node;

    if (node->kind == CXCursor_DeclRefExpr || node->kind == CXCursor_MemberRefExpr ||
        node->kind == CXCursor_CallExpr)
        declaration = pm_ast_declaration(&unit->ast, node);
    if (!declaration || unit->variable_of[declaration->number] == PM_NO_VARIABLE)
        return NULL;
    return &unit->variables[unit->variable_of[declaration->number]];
}

pm_node *pm_unit_callee(const pm_unit *unit, const pm_node *call)
{
    pm_node *function = pm_ast_declaration(&unit->ast, call);
    pm_node *definition = function ? pm_ast_definition(&unit->ast, function) : NULL;

    return definition ? definition : function;
}

pm_node *pm_unit_parameter(pm_node *function, size_t index)
{
    for (pm_node *child = function->first; child; child = child->next)
        if (child->kind == CXCursor_ParmDecl && index-- == 0)
            return child;
    return NULL;
}

/* ---- which array --------------------------------------------------------------------------- */

static size_t base_of(const pm_unit *unit, pm_node *pointer);

static size_t base_of_variable(const pm_unit *unit, const pm_node *node)
{
    const pm_variable *variable = pm_unit_variable(unit, node);

    if (!variable || variable->mode == PM_VARIABLE_REF)
        return PM_NO_VARIABLE;
    if (is_parameter(variable))
        return (size_t)(variable - unit->variables);
    return variable->base == PM_NO_VARIABLE ? UNKNOWN : variable->base;
}

static size_t base_of_either(const pm_unit *unit, pm_node *a, pm_node *b)
{
    size_t first = base_of(unit, a), second = base_of(unit, b);

    if (first == UNKNOWN || second == UNKNOWN)
        return first == UNKNOWN ? second : first;
    return first == second ? first : PM_NO_VARIABLE;
}

static size_t base_of_operator(const pm_unit *unit, pm_node *node)
{
    pm_node *left = pm_ast_child(node, 0), *right = pm_ast_child(node, 1);
    pm_pointee to;

    if (!left || !right)
        return PM_NO_VARIABLE;
    switch (clang_getCursorBinaryOperatorKind(node->cursor)) {
    case CXBinaryOperator_Comma:
        return base_of(unit, right);
    case CXBinaryOperator_Assign: {
        /* An assignment's value points to where its left side does from then on. */
        size_t base = base_of(unit, left);

        return base == UNKNOWN ? base_of(unit, right) : base;
    }
    default:
        return base_of(unit, pm_unit_points(unit, left, &to) ? left : right);
    }
}

static size_t base_of_address(const pm_unit *unit, pm_node *node)
{
    pm_chain chain;
    pm_node *inner = node->first ? pm_ast_strip(node->first) : NULL;

    if (!inner || !pm_chain_of(unit, inner, &chain) || chain.path[0] || chain.subscript_count)
        return PM_NO_VARIABLE;
    return base_of(unit, chain.pointer);
}

static size_t base_of(const pm_unit *unit, pm_node *pointer)
{
    pm_node *node = pm_ast_strip(pointer);

    switch (node->kind) {
    case CXCursor_DeclRefExpr:
        return base_of_variable(unit, node);
    case CXCursor_BinaryOperator:
        return base_of_operator(unit, node);
    case CXCursor_CompoundAssignOperator:
        return node->first ? base_of(unit, node->first) : PM_NO_VARIABLE;
    case CXCursor_CStyleCastExpr:
        return node->last ? base_of(unit, node->last) : PM_NO_VARIABLE;
    case CXCursor_ConditionalOperator:
        if (pm_ast_children(node) != 3)
            return PM_NO_VARIABLE;
        return base_of_either(unit, pm_ast_child(node, 1), pm_ast_child(node, 2));
    case CXCursor_UnaryOperator:
        if (clang_getCursorUnaryOperatorKind(node->cursor) == CXUnaryOperator_AddrOf)
            return base_of_address(unit, node);
        return node->first ? base_of(unit, node->first) : PM_NO_VARIABLE;
    default:
        return PM_NO_VARIABLE;
    }
}

size_t pm_unit_base(const pm_unit *unit, pm_node *pointer)
{
    size_t base = base_of(unit, pointer);

    return base == UNKNOWN ? PM_NO_VARIABLE : base;
}

/* ---- finding them -------------------------------------------------------------------------- */

static pm_status add_variable(pm_unit *unit, pm_node *node, const pm_pointee *to, bool is_array,
                              pm_error *err)
{
    pm_variable *grown = unit->variables;
    bool local = node->kind == CXCursor_VarDecl && pm_ast_ancestor(node, CXCursor_FunctionDecl);
    pm_variable variable = {.node = node, .to = *to, .base = PM_NO_VARIABLE};

    if (unit->variable_count == unit->variable_room) {
        size_t room = unit->variable_room * 2 + 16;

        grown = realloc(unit->variables, room * sizeof *grown);
        if (!grown)
            return pm_fail(err, PM_FAILED, "out of memory for the source's variables");
        unit->variables = grown;
        unit->variable_room = room;
    }
    variable.function = pm_ast_ancestor(node->parent, CXCursor_FunctionDecl);
    if (node->kind == CXCursor_ParmDecl && variable.function == node->parent) {
        variable.of_kernel = pm_unit_is_kernel(node->parent);
        variable.mode = PM_VARIABLE_PARTS;
    } else
        variable.mode = local && !is_array ? PM_VARIABLE_INDEX : PM_VARIABLE_REF;
    unit->variable_of[node->number] = unit->variable_count;
    grown[unit->variable_count++] = variable;
    return PM_OK;
}

/* What a declaration declares; of a function what it returns. */
static CXType declared_type(const pm_node *node, bool *is_array)
{
    CXType type = node->kind == CXCursor_FunctionDecl
                      ? clang_getCanonicalType(clang_getCursorResultType(node->cursor))
                      : pm_ast_type(node);

    *is_array = type.kind == CXType_ConstantArray;
    while (type.kind == CXType_ConstantArray)
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    return type;
}

static pm_status add_all(pm_unit *unit, pm_error *err)
{
    pm_status status = PM_OK;

    unit->variable_of = calloc(unit->ast.count, sizeof *unit->variable_of);
    if (!unit->variable_of)
        return pm_fail(err, PM_FAILED, "out of memory for the source's variables");
    for (size_t i = 0; i < unit->ast.count; i++)
        unit->variable_of[i] = PM_NO_VARIABLE;
    for (size_t i = 0; status == PM_OK && i < unit->ast.count; i++) {
        pm_node *node = unit->ast.nodes[i];
        pm_pointee to;
        bool is_array = false;

        if (node->kind != CXCursor_ParmDecl && node->kind != CXCursor_VarDecl &&
            node->kind != CXCursor_FieldDecl && node->kind != CXCursor_FunctionDecl)
            continue;
        if (node->kind == CXCursor_ParmDecl
                ? pm_unit_parameter_pointee(unit, node, &to)
                : pm_unit_pointee(unit, declared_type(node, &is_array), &to))
            status = add_variable(unit, node, &to, is_array, err);
    }
    return status;
}

/* ---- what flows where ---------------------------------------------------------------------- */

static bool set_mode(pm_variable *variable, pm_variable_mode mode)
{
    if (variable->mode >= mode)
        return false;
    variable->mode = mode;
    return true;
}

/* Returns whether anything changes. */
static bool flow(const pm_unit *unit, pm_variable *to, pm_node *value)
{
    size_t base = base_of(unit, value);

    if (base == UNKNOWN || to->mode == PM_VARIABLE_REF)
        return false;
    if (base == PM_NO_VARIABLE)
        return set_mode(to, PM_VARIABLE_REF);
    if (is_parameter(to))
        return base != (size_t)(to - unit->variables) && set_mode(to, PM_VARIABLE_REF);
    if (to->base == PM_NO_VARIABLE) {
        to->base = base;
        return true;
    }
    return to->base != base && set_mode(to, PM_VARIABLE_REF);
}

/* Whether a pointer is a parameter as it was passed. */
static bool is_plain(const pm_unit *unit, pm_node *pointer)
{
    const pm_node *node = pm_ast_strip(pointer);
    const pm_variable *variable;

    while (node->kind == CXCursor_CStyleCastExpr && node->last)
        node = pm_ast_strip(node->last);
    variable = node->kind == CXCursor_DeclRefExpr ? pm_unit_variable(unit, node) : NULL;
    return variable && is_parameter(variable) && variable->mode == PM_VARIABLE_PARTS &&
           !variable->changes;
}

static bool flow_call(const pm_unit *unit, const pm_node *call)
{
    pm_node *function = pm_unit_callee(unit, call);
    bool changed = false;
    size_t index = 0;

    if (!function || !call->first)
        return false;
    for (pm_node *value = call->first->next; value; value = value->next, index++) {
        const pm_node *parameter = pm_unit_parameter(function, index);
        pm_variable *to = parameter ? pm_unit_variable(unit, parameter) : NULL;

        if (!to || base_of(unit, value) == UNKNOWN)
            continue;
        if (base_of(unit, value) == PM_NO_VARIABLE)
            changed |= set_mode(to, PM_VARIABLE_REF);
        else if (!is_plain(unit, value))
            changed |= set_mode(to, PM_VARIABLE_INDEX);
    }
    return changed;
}

/* A statement declares variables of one type. */
static bool flow_beside(const pm_unit *unit, const pm_node *statement)
{
    bool changed = false, ref = false;

    for (int pass = 0; pass < 2; pass++)
        for (const pm_node *child = statement->first; child; child = child->next) {
            pm_variable *variable =
                child->kind == CXCursor_VarDecl ? pm_unit_variable(unit, child) : NULL;

            if (variable && pass == 0)
                ref |= variable->mode == PM_VARIABLE_REF;
            else if (variable && ref)
                changed |= set_mode(variable, PM_VARIABLE_REF);
        }
    return changed;
}

pm_node *pm_unit_initializer(const pm_node *node)
{
    CXCursor cursor = clang_Cursor_getVarDeclInitializer(node->cursor);

    for (pm_node *child = node->first; child; child = child->next)
        if (clang_equalCursors(child->cursor, cursor))
            return child;
    return NULL;
}

static pm_variable *assigned(const pm_unit *unit, const pm_node *expression)
{
    const pm_node *left = expression->first ? pm_ast_strip(expression->first) : NULL;
    pm_pointee to;

    if (!left || left->kind != CXCursor_DeclRefExpr || !pm_unit_points(unit, left, &to))
        return NULL;
    return pm_unit_variable(unit, left);
}

static bool flow_node(const pm_unit *unit, pm_node *node)
{
    pm_variable *variable;
    pm_node *value;

    switch (node->kind) {
    case CXCursor_CallExpr:
        return flow_call(unit, node);
    case CXCursor_DeclStmt:
        return flow_beside(unit, node);
    case CXCursor_VarDecl:
        variable = pm_unit_variable(unit, node);
        value = variable ? pm_unit_initializer(node) : NULL;
        return value && variable->mode != PM_VARIABLE_REF && flow(unit, variable, value);
    case CXCursor_BinaryOperator:
        if (clang_getCursorBinaryOperatorKind(node->cursor) != CXBinaryOperator_Assign)
            return false;
        variable = assigned(unit, node);
        return variable && flow(unit, variable, node->first->next);
    default:
        return false;
    }
}

static void find_changes(const pm_unit *unit)
{
    for (size_t i = 0; i < unit->ast.count; i++) {
        pm_node *node = unit->ast.nodes[i];
        pm_variable *variable = NULL;

        if (pm_changes_operand(node))
            variable = assigned(unit, node);
        if (variable)
            variable->changes = true;
    }
}

/* The parameters of a declaration go as those of the definition. */
static void follow_definitions(const pm_unit *unit)
{
    for (size_t i = 0; i < unit->variable_count; i++) {
        pm_variable *variable = &unit->variables[i];
        pm_node *definition, *other;
        size_t index = 0;

        if (!is_parameter(variable) || !variable->function)
            continue;
        definition = pm_ast_definition(&unit->ast, variable->function);
        if (!definition || definition == variable->function)
            continue;
        for (pm_node *child = variable->function->first; child != variable->node;
             child = child->next)
            index += child->kind == CXCursor_ParmDecl;
        other = pm_unit_parameter(definition, index);
        if (other && pm_unit_variable(unit, other))
            variable->mode = pm_unit_variable(unit, other)->mode;
    }
}

pm_status pm_unit_find_variables(pm_unit *unit, pm_error *err)
{
    pm_status status = add_all(unit, err);
    bool changed = status == PM_OK;

    if (status != PM_OK)
        return status;
    find_changes(unit);
    while (changed) {
        changed = false;
        for (size_t i = 0; i < unit->ast.count; i++)
            changed |= flow_node(unit, unit->ast.nodes[i]);
        for (size_t i = 0; !changed && i < unit->variable_count; i++) {
            pm_variable *variable = &unit->variables[i];

            /* Nothing flows into it. */
            if (variable->mode == PM_VARIABLE_INDEX && !is_parameter(variable) &&
                variable->base == PM_NO_VARIABLE)
                changed = set_mode(variable, PM_VARIABLE_REF);
        }
    }
    follow_definitions(unit);
    return PM_OK;
}
