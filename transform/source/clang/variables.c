/* Finds the variables that point into arrays of structs, and decides what replaces each of them if
 * the arrays get another memory layout: pointers to the new buffers, an index, or both in a struct.
 * See source_unit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A pointer that always points into the array of one parameter can be replaced by the index of the
 * element. Modes start at the simplest. They become more general until no assignment between
 * variables requires another change (fixed point).
 */
#include "transform/source/clang/source_unit.h"

/* Base of a local pointer variable to which no pointer has been assigned yet. The base is the
 * parameter into whose array the variable points. */
#define UNKNOWN ((size_t)-2)

static bool is_parameter(const pm_variable *variable)
{
    return variable->node->kind == CXCursor_ParmDecl;
}

pm_variable *pm_unit_variable(const pm_source_unit *unit, const pm_node *node)
{
    const pm_node *declaration = clang_isExpression(node->kind) ? node->declaration : node;

    if (!declaration || unit->variable_of[declaration->number] == PM_NO_VARIABLE)
        return NULL;
    return &unit->variables[unit->variable_of[declaration->number]];
}

/* ---- the array that a pointer points into -------------------------------------------------- */

static size_t base_of(const pm_source_unit *unit, pm_node *pointer);

static size_t base_of_variable(const pm_source_unit *unit, const pm_node *node)
{
    const pm_variable *variable = pm_unit_variable(unit, node);

    if (!variable || variable->mode == PM_VARIABLE_REF)
        return PM_NO_VARIABLE;
    if (is_parameter(variable))
        return (size_t)(variable - unit->variables);
    return variable->base == PM_NO_VARIABLE ? UNKNOWN : variable->base;
}

static size_t base_of_either(const pm_source_unit *unit, pm_node *a, pm_node *b)
{
    size_t first = base_of(unit, a), second = base_of(unit, b);

    if (first == UNKNOWN || second == UNKNOWN)
        return first == UNKNOWN ? second : first;
    return first == second ? first : PM_NO_VARIABLE;
}

static size_t base_of(const pm_source_unit *unit, pm_node *pointer)
{
    const pm_origin origin = pm_ast_origin(pointer);
    size_t base;

    switch (origin.kind) {
    case PM_ORIGIN_VARIABLE:
        return base_of_variable(unit, origin.pointer);
    case PM_ORIGIN_CHOICE:
        return base_of_either(unit, origin.pointer, origin.other);
    case PM_ORIGIN_POINTER:
        /* The expression may be an assignment `pointer = other`, whose value is `other`. The base
         * is the parameter into whose array a pointer points. Take the base of `other`. If it is
         * unknown, take the base of `pointer`. */
        base = origin.other ? base_of(unit, origin.other) : UNKNOWN;
        return base == UNKNOWN ? base_of(unit, origin.pointer) : base;
    default:
        return PM_NO_VARIABLE;
    }
}

size_t pm_unit_base(const pm_source_unit *unit, pm_node *pointer)
{
    size_t base = base_of(unit, pointer);

    return base == UNKNOWN ? PM_NO_VARIABLE : base;
}

/* ---- finding variables --------------------------------------------------------------------- */

static void add_variable(pm_source_unit *unit, pm_node *node, const pm_pointee *to, bool is_array)
{
    bool local = node->kind == CXCursor_VarDecl && pm_ast_ancestor(node, CXCursor_FunctionDecl);
    pm_variable variable = {.node = node, .to = *to, .base = PM_NO_VARIABLE};

    variable.function = pm_ast_ancestor(node->parent, CXCursor_FunctionDecl);
    if (node->kind == CXCursor_ParmDecl && variable.function == node->parent) {
        variable.of_kernel = node->parent->is_kernel;
        variable.mode = PM_VARIABLE_PARTS;
    } else
        variable.mode = local && !is_array ? PM_VARIABLE_INDEX : PM_VARIABLE_REF;
    unit->variable_of[node->number] = unit->variable_count;
    *pm_add(&unit->ast.memory, unit->variables, unit->variable_count) = variable;
}

static void add_all(pm_source_unit *unit)
{
    unit->variable_of = pm_take(&unit->ast.memory, unit->ast.count, sizeof *unit->variable_of);
    for (size_t i = 0; i < unit->ast.count; i++)
        unit->variable_of[i] = PM_NO_VARIABLE;
    PM_EACH_NODE(&unit->ast, unit->ast.root, node) {
        pm_pointee to;
        bool is_array;

        if (node->kind != CXCursor_ParmDecl && node->kind != CXCursor_VarDecl &&
            node->kind != CXCursor_FieldDecl && node->kind != CXCursor_FunctionDecl)
            continue;
        if (unit->places && !(unit->places[node->number] & PM_PLACE_ARRAY))
            continue;
        if (pm_unit_declared_pointee(unit, node, &to, &is_array))
            add_variable(unit, node, &to, is_array);
    }
}

/* ---- propagation between variables --------------------------------------------------------- */

static bool set_mode(pm_variable *variable, pm_variable_mode mode)
{
    if (variable->mode >= mode)
        return false;
    variable->mode = mode;
    return true;
}

/* lvalue: the array element to which a reference is bound. Returns the index of the parameter whose
 * array contains this element. */
static size_t base_of_lvalue(const pm_source_unit *unit, const pm_node *lvalue)
{
    const pm_node *node = pm_ast_strip(lvalue);
    pm_node *pointer, *index;

    if (pm_ast_dereference(node, &pointer, &index))
        return base_of(unit, pointer);
    return node->kind == CXCursor_DeclRefExpr ? base_of_variable(unit, node) : PM_NO_VARIABLE;
}

/* Propagates an assignment of the pointer `value` to a variable: the variable must then be able to
 * point to the same array and be rewritten in a mode that can represent it. Returns whether the
 * variable's array (base) or mode changed. */
static bool flow(const pm_source_unit *unit, pm_variable *to, pm_node *value)
{
    size_t base =
        pm_unit_is_reference(unit, to->node) ? base_of_lvalue(unit, value) : base_of(unit, value);

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

/* Returns whether a pointer expression is a parameter that was not changed, so that it points to
 * element 0 of the array that the caller passes. */
static bool is_plain(const pm_source_unit *unit, pm_node *pointer)
{
    const pm_node *node = pm_ast_strip(pointer);
    const pm_variable *variable;

    while (node->kind == CXCursor_CStyleCastExpr && node->last)
        node = pm_ast_strip(node->last);
    variable = node->kind == CXCursor_DeclRefExpr ? pm_unit_variable(unit, node) : NULL;
    return variable && is_parameter(variable) && variable->mode == PM_VARIABLE_PARTS &&
           !variable->changes;
}

static bool flow_call(const pm_source_unit *unit, const pm_node *call)
{
    pm_node *function = pm_ast_called(call);
    bool changed = false;
    size_t index = 0;

    if (!function || !call->first)
        return false;
    for (pm_node *value = call->first->next; value; value = value->next, index++) {
        const pm_node *parameter = pm_ast_parameter(function, index);
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

/* Several variables that one statement declares have one type in the rewritten source, so they must
 * be rewritten in the same way. If one of them becomes a reference (mode REF, a generated struct),
 * all become references. Returns whether a mode changed. */
static bool flow_beside(const pm_source_unit *unit, const pm_node *statement)
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

static pm_variable *assigned(const pm_source_unit *unit, const pm_node *expression)
{
    const pm_node *left = expression->first ? pm_ast_strip(expression->first) : NULL;
    pm_pointee to;

    if (!left || left->kind != CXCursor_DeclRefExpr || left->type.kind == CXType_Record ||
        !pm_unit_points(unit, left, &to))
        return NULL;
    return pm_unit_variable(unit, left);
}

static bool flow_node(const pm_source_unit *unit, pm_node *node)
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
        value = variable ? node->initializer : NULL;
        return value && variable->mode != PM_VARIABLE_REF && flow(unit, variable, value);
    case CXCursor_BinaryOperator:
        if (node->binary != CXBinaryOperator_Assign)
            return false;
        variable = assigned(unit, node);
        return variable && flow(unit, variable, node->first->next);
    default:
        return false;
    }
}

static void find_changes(const pm_source_unit *unit)
{
    PM_EACH_NODE(&unit->ast, unit->ast.root, node) {
        pm_variable *variable = pm_changes_operand(node) ? assigned(unit, node) : NULL;

        if (variable)
            variable->changes = true;
    }
}

/* A function may have several declarations. The modes (how a variable is replaced) of its
 * parameters were chosen for its definition. Copies these modes to the other declarations. */
static void follow_definitions(const pm_source_unit *unit)
{
    for (size_t i = 0; i < unit->variable_count; i++) {
        pm_variable *variable = &unit->variables[i];
        pm_node *definition, *other;

        if (!is_parameter(variable) || !variable->function)
            continue;
        definition = variable->function->definition;
        if (!definition || definition == variable->function)
            continue;
        other = pm_ast_parameter(definition, pm_ast_parameter_index(variable->node));
        if (other && pm_unit_variable(unit, other))
            variable->mode = pm_unit_variable(unit, other)->mode;
    }
}

void pm_unit_find_variables(pm_source_unit *unit)
{
    bool changed = true;

    add_all(unit);
    find_changes(unit);
    while (changed) {
        changed = false;
        PM_EACH_NODE(&unit->ast, unit->ast.root, node)
            changed |= flow_node(unit, node);
        for (size_t i = 0; !changed && i < unit->variable_count; i++) {
            pm_variable *variable = &unit->variables[i];

            /* The variable does not always point into the array of the same parameter. An index
             * therefore cannot replace it, and it becomes a reference (mode REF): a generated
             * struct with pointers to the buffers and the index. */
            if (variable->mode == PM_VARIABLE_INDEX && !is_parameter(variable) &&
                variable->base == PM_NO_VARIABLE)
                changed = set_mode(variable, PM_VARIABLE_REF);
        }
    }
    follow_definitions(unit);
}
