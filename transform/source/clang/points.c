/* Tests of expressions in a kernel source: whether an expression is a pointer to a struct in global
 * or constant memory, and whether it is an array. See source_unit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/clang/builtins.h"
#include "transform/source/clang/source_unit.h"

/* Returns whether an expression with an array type is really an array. libclang also reports an
 * array type for a parameter that is written as an array, and for values computed from such a
 * parameter. */
static bool can_be_array(const pm_node *expression)
{
    const pm_node *declaration;

    while ((expression->kind == CXCursor_ParenExpr || expression->kind == CXCursor_UnexposedExpr) &&
           expression->first && !expression->first->next)
        expression = expression->first;
    switch (expression->kind) {
    case CXCursor_DeclRefExpr:
        declaration = expression->declaration;
        return !declaration || declaration->kind != CXCursor_ParmDecl;
    case CXCursor_UnaryOperator:
        return expression->unary == CXUnaryOperator_Deref;
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
    case CXCursor_ConditionalOperator:
    case CXCursor_CallExpr:
    case CXCursor_CStyleCastExpr:
        return false;
    default:
        return true;
    }
}

bool pm_unit_points(const pm_source_unit *unit, const pm_node *expression, pm_pointee *to)
{
    CXType type, element;

    if (!clang_isExpression(expression->kind))
        return false;
    if (expression->kind == CXCursor_DeclRefExpr && pm_unit_is_reference(unit, expression))
        return unit->places[expression->declaration->number] & PM_PLACE_ARRAY &&
               pm_unit_referred_pointee(unit, expression->declaration, to);
    type = expression->type;
    if (unit->ast.is_cuda && (type.kind == CXType_Pointer || pm_type_is_array(type)) &&
        !(pm_unit_place_of(unit, expression) & PM_PLACE_ARRAY))
        return false;
    if (!pm_type_is_array(type) || can_be_array(expression))
        return pm_unit_pointee(unit, type, to);
    /* clang gives an array type the address space of its elements. */
    element = pm_type_pointee(type);
    *to = (pm_pointee){.structure = pm_unit_struct_of(unit, element),
                       .constant = clang_getAddressSpace(type) == PM_SPACE_CONSTANT,
                       .is_const = clang_isConstQualifiedType(element),
                       .is_volatile = clang_isVolatileQualifiedType(element)};
    return element.kind == CXType_Record && to->structure != PM_NO_STRUCT &&
           (unit->ast.is_cuda || to->constant || clang_getAddressSpace(type) == PM_SPACE_GLOBAL);
}

bool pm_unit_is_array(const pm_node *expression)
{
    return pm_type_is_array(expression->type) && can_be_array(expression);
}
