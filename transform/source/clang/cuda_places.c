/* Finds which pointers to structs point into arrays that a kernel gets, in a CUDA source. The types
 * of pointers in CUDA do not contain the memory space, so the assignments must be followed. See
 * source_unit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A pointer that is a parameter of a kernel points into an array that has the new layout. So do all
 * variables, parameters and results of functions to which such a pointer is assigned. All other
 * structs keep the source's layout: private variables, shared memory, variables at file scope, and
 * memory that is reached by a cast from another type.
 */
#include "transform/source/clang/source_unit.h"

static pm_unit_place place_of(const pm_source_unit *unit, const pm_node *pointer);

/* ---- expressions ---------------------------------------------------------------------------- */

static pm_unit_place place_of_declaration(const pm_source_unit *unit, const pm_node *declaration)
{
    return declaration ? unit->places[declaration->number] : PM_PLACE_OTHER;
}

/* Returns where the struct is stored to which an lvalue refers: in the array of a kernel's
 * parameter, elsewhere, or sometimes one and sometimes the other. */
static pm_unit_place place_of_lvalue(const pm_source_unit *unit, const pm_node *lvalue)
{
    const pm_node *node = pm_ast_strip(lvalue);
    pm_node *pointer, *index;

    if (pm_ast_dereference(node, &pointer, &index))
        return place_of(unit, pointer);
    if (node->kind == CXCursor_MemberRefExpr && node->first)
        return place_of_lvalue(unit, node->first);
    if (node->kind == CXCursor_DeclRefExpr && pm_unit_is_reference(unit, node))
        return place_of_declaration(unit, node->declaration);
    return PM_PLACE_OTHER;
}

/* Returns the declaration of the variable or member in which an assignment to an lvalue stores a
 * pointer. Returns NULL if there is none. */
static const pm_node *holder(const pm_node *lvalue)
{
    const pm_node *node = pm_ast_strip(lvalue);

    while (node->kind == CXCursor_ArraySubscriptExpr && node->first)
        node = pm_ast_strip(node->first);
    return node->kind == CXCursor_DeclRefExpr || node->kind == CXCursor_MemberRefExpr
               ? node->declaration
               : NULL;
}

static pm_unit_place place_of_cast(const pm_source_unit *unit, const pm_node *cast)
{
    const pm_node *from = cast->last ? pm_ast_strip(cast->last) : NULL;
    CXType pointee;

    if (!from || !clang_isExpression(from->kind))
        return PM_PLACE_OTHER;
    if (!pm_type_points_to(from->type, &pointee))
        return pm_type_is_array(from->type) ? place_of(unit, from) : PM_PLACE_UNKNOWN;
    return pm_unit_struct_of(unit, pointee) == PM_NO_STRUCT ? PM_PLACE_OTHER : place_of(unit, from);
}

static pm_unit_place place_of_binary(const pm_source_unit *unit, const pm_node *node)
{
    const pm_origin origin = pm_ast_origin(node);

    if (origin.kind == PM_ORIGIN_UNKNOWN)
        return PM_PLACE_OTHER;
    return place_of(unit, origin.pointer) | (origin.other ? place_of(unit, origin.other) : 0);
}

/* Returns where the structs are stored to which a pointer may point. A null pointer points to
 * nothing, so it does not affect the result. */
static pm_unit_place place_of(const pm_source_unit *unit, const pm_node *pointer)
{
    const pm_node *node = pm_ast_strip(pointer);

    switch (node->kind) {
    case CXCursor_DeclRefExpr:
        return place_of_declaration(unit, node->declaration);
    case CXCursor_MemberRefExpr:
        if (pm_type_is_array(node->type) && pm_type_pointee(node->type).kind == CXType_Record)
            return place_of_lvalue(unit, node);
        return place_of_declaration(unit, node->declaration);
    case CXCursor_ArraySubscriptExpr:
        if (pm_type_is_array(node->type))
            return place_of_lvalue(unit, node);
        return place_of_declaration(unit, holder(node));
    case CXCursor_CallExpr:
        return place_of_declaration(unit, pm_ast_called(node));
    case CXCursor_UnaryOperator:
        if (node->unary == CXUnaryOperator_AddrOf && node->first)
            return place_of_lvalue(unit, node->first);
        return pm_is_step(node) && node->first ? place_of(unit, node->first) : PM_PLACE_OTHER;
    case CXCursor_CStyleCastExpr:
        return place_of_cast(unit, node);
    case CXCursor_UnexposedExpr:
        return node->first && !node->first->next ? place_of_cast(unit, node) : PM_PLACE_OTHER;
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
    case CXCursor_ConditionalOperator:
        return place_of_binary(unit, node);
    case CXCursor_CXXNullPtrLiteralExpr:
    case CXCursor_GNUNullExpr:
    case CXCursor_IntegerLiteral:
        return PM_PLACE_UNKNOWN;
    default:
        return PM_PLACE_OTHER;
    }
}

pm_unit_place pm_unit_place_of(const pm_source_unit *unit, const pm_node *pointer)
{
    return place_of(unit, pointer);
}

/* ---- propagation of targets between variables ----------------------------------------------- */

/* Returns whether a declared variable holds pointers to one of the structs, or a declared function
 * returns such a pointer. */
static bool holds_pointer(const pm_source_unit *unit, const pm_node *declaration)
{
    CXType type = declaration->type, pointee;

    if (declaration->kind == CXCursor_FunctionDecl)
        type = clang_getCanonicalType(clang_getCursorResultType(declaration->cursor));
    else if (declaration->kind == CXCursor_ParmDecl)
        type = pm_parameter_type(declaration);
    while (pm_type_is_array(type))
        type = pm_type_pointee(type);
    return pm_type_points_to(type, &pointee) && pm_unit_struct_of(unit, pointee) != PM_NO_STRUCT;
}

/* Adds the possible targets of the pointer `value` to those of a declared variable. Returns whether
 * the variable got a new target. */
static bool flow(const pm_source_unit *unit, const pm_node *declaration, const pm_node *value)
{
    pm_unit_place *place, was;

    if (!declaration || !holds_pointer(unit, declaration))
        return false;
    place = &unit->places[declaration->number];
    was = *place;
    if (value->kind == CXCursor_InitListExpr) {
        bool changed = false;

        for (const pm_node *child = value->first; child; child = child->next)
            changed |= flow(unit, declaration, child);
        return changed;
    }
    *place |= place_of(unit, value);
    return *place != was;
}

static bool flow_call(const pm_source_unit *unit, const pm_node *call)
{
    const pm_node *function = pm_ast_called(call), *value, *parameter;
    bool changed = false;

    for (size_t i = 0; function && (value = pm_ast_argument(call, i)) != NULL; i++)
        if ((parameter = pm_ast_parameter(function, i)) != NULL)
            changed |= flow(unit, parameter, value);
    return changed;
}

static bool flow_reference(const pm_source_unit *unit, const pm_node *node)
{
    pm_unit_place *place = &unit->places[node->number], was = *place;

    if (node->initializer)
        *place |= place_of_lvalue(unit, node->initializer);
    return *place != was;
}

static bool flow_assignment(const pm_source_unit *unit, const pm_node *node)
{
    return node->binary == CXBinaryOperator_Assign && node->first && node->first->next &&
           node->first->type.kind == CXType_Pointer &&
           flow(unit, holder(node->first), node->first->next);
}

static bool flow_node(const pm_source_unit *unit, const pm_node *node)
{
    const pm_node *function;

    switch (node->kind) {
    case CXCursor_CallExpr:
        return flow_call(unit, node);
    case CXCursor_VarDecl:
        if (pm_unit_is_reference(unit, node))
            return flow_reference(unit, node);
        return node->initializer && flow(unit, node, node->initializer);
    case CXCursor_BinaryOperator:
        return flow_assignment(unit, node);
    case CXCursor_ReturnStmt:
        function = pm_ast_ancestor(node->parent, CXCursor_FunctionDecl);
        return node->first && function && flow(unit, function, node->first);
    default:
        return false;
    }
}

/* Copies the possible targets of a function's result and parameters from its definition to its
 * other declarations. */
static void follow_definitions(const pm_source_unit *unit)
{
    PM_EACH_NODE(&unit->ast, unit->ast.root, node) {
        const pm_node *function = node->kind == CXCursor_ParmDecl ? node->parent : node, *other;

        if ((node->kind != CXCursor_ParmDecl && node->kind != CXCursor_FunctionDecl) ||
            !function->definition || function->definition == function)
            continue;
        other = node == function
                    ? function->definition
                    : pm_ast_parameter(function->definition, pm_ast_parameter_index(node));
        if (other)
            unit->places[node->number] = unit->places[other->number];
    }
}

void pm_unit_find_places(pm_source_unit *unit)
{
    bool changed = true;

    unit->places = pm_take(&unit->ast.memory, unit->ast.count, sizeof *unit->places);
    PM_EACH_NODE(&unit->ast, unit->ast.root, node)
        if (node->kind == CXCursor_ParmDecl && node->parent->is_kernel && holds_pointer(unit, node))
            unit->places[node->number] = PM_PLACE_ARRAY;
    while (changed) {
        changed = false;
        PM_EACH_NODE(&unit->ast, unit->ast.root, node)
            changed |= flow_node(unit, node);
    }
    follow_definitions(unit);
}
