/* Interprets the expressions of host code (operators, variables, casts), to find sizes and
 * arguments of kernel launches. See state.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/host/places.h"
#include "transform/source/host/state.h"

enum { MOST_NESTING = 1200 };

/* ---- operands ------------------------------------------------------------------------------ */

/* Evaluates the operands of an expression of a kind that the interpreter does not support, because
 * they may have effects. Returns an unknown value. */
static pm_host_value evaluate_parts(pm_host_state *state, pm_host_node *node)
{
    for (size_t i = 0; i < node->count; i++)
        if (clang_isExpression(node->children[i]->kind)) {
            pm_host_evaluate(state, node->children[i]);
            pm_host_forget_argument(state, node->children[i]);
        }
    return pm_host_unknown(NULL, 0);
}

static pm_host_value folded(pm_host_node *node)
{
    switch (pm_host_fold(node)) {
    case PM_HOST_CONSTANT_INTEGER:
        return pm_host_integer(node->integer);
    case PM_HOST_CONSTANT_REAL:
        return pm_host_real(node->real);
    default:
        return pm_host_unknown(NULL, 0);
    }
}

/* Converts the array `array`, whose type is `type`, to a std::initializer_list: a struct with a
 * pointer to the array's elements and their number. */
static pm_host_value make_list(pm_host_state *state, const pm_host_node *node, pm_host_value array,
                               CXType type)
{
    const CXType size = {.kind = CXType_ULong};
    pm_host_place place;

    if (type.kind != CXType_ConstantArray)
        return pm_host_convert(array, node->type);
    place = (pm_host_place){
        .object = pm_host_add_object(&state->heap, PM_HOST_VARIABLE, "", node->type, node->line)};
    pm_host_store(&state->heap, place, (CXType){.kind = CXType_Pointer}, array);
    pm_host_store(&state->heap, (pm_host_place){place.object, 8}, size,
                  pm_host_integer(clang_getArraySize(type)));
    return pm_host_record(place);
}

static pm_host_value evaluate_conversion(pm_host_state *state, pm_host_node *node)
{
    const size_t only = pm_host_only_expression(node);
    pm_host_value value;

    if (node->count == 0)
        return folded(node);
    if (only == node->count)
        return evaluate_parts(state, node);
    value = pm_host_evaluate(state, node->children[only]);
    if (value.kind == PM_HOST_POINTER && pm_host_is_record(clang_getCanonicalType(node->type)))
        return make_list(state, node, value, clang_getCanonicalType(node->children[only]->type));
    return pm_host_convert(value, node->type);
}

/* ---- names --------------------------------------------------------------------------------- */

static pm_host_value evaluate_constant(pm_host_state *state, pm_host_node *constant)
{
    pm_host_setting *setting = pm_host_find_setting(state, constant->name);

    if (!setting || setting->assumed)
        return pm_host_integer(clang_getEnumConstantDeclValue(constant->cursor));
    setting->used = true;
    return setting->value;
}

static pm_host_value load(pm_host_state *state, pm_host_node *node, pm_host_place place)
{
    const pm_host_value value = pm_host_load(&state->heap, place, node->type);
    const pm_host_node *variable = node->named;

    if (value.kind != PM_HOST_UNKNOWN || !variable)
        return value;
    return pm_host_settle(state, variable, node->type, value);
}

static pm_host_value evaluate_name(pm_host_state *state, pm_host_node *node)
{
    const pm_host_node *named = node->named;
    pm_host_place place;
    pm_host_value value;

    if (!named) {
        value = pm_host_named_template(state, node);
        if (value.kind == PM_HOST_FUNCTION)
            return value;
        /* The name is a template's parameter. Its value is a constant, or the argument that
         * libclang gives as the only child of the expression. */
        value = folded(node);
        return value.kind == PM_HOST_UNKNOWN && pm_host_only_expression(node) < node->count
                   ? pm_host_evaluate(state, node->children[pm_host_only_expression(node)])
                   : value;
    }
    switch (named->kind) {
    case CXCursor_EnumConstantDecl:
        return evaluate_constant(state, node->named);
    case CXCursor_FunctionDecl:
    case CXCursor_CXXMethod:
    case CXCursor_FunctionTemplate:
        return (pm_host_value){.kind = PM_HOST_FUNCTION, .function = node->named};
    case CXCursor_VarDecl:
    case CXCursor_ParmDecl:
    case CXCursor_FieldDecl:
        if (pm_host_option_variable(state, named, &value))
            return value;
        place = pm_host_locate(state, node);
        if (place.object == 0 && pm_host_fold(node) != PM_HOST_CONSTANT_NONE)
            return folded(node);
        return load(state, node, place);
    default:
        return folded(node);
    }
}

/* ---- operators ----------------------------------------------------------------------------- */

static uint64_t bytes_behind(CXType pointer)
{
    return pm_host_is_pointer(pointer) ? pm_host_bytes(clang_getPointeeType(pointer)) : 0;
}

static pm_host_value evaluate_step(pm_host_state *state, pm_host_node *node, pm_host_node *operand)
{
    const bool adds =
        node->unary == CXUnaryOperator_PreInc || node->unary == CXUnaryOperator_PostInc;
    const bool before =
        node->unary == CXUnaryOperator_PreInc || node->unary == CXUnaryOperator_PreDec;
    const pm_host_place place = pm_host_locate(state, operand);
    const pm_host_value old = pm_host_evaluate(state, operand);
    const pm_host_value next =
        pm_host_calculate(adds ? CXBinaryOperator_Add : CXBinaryOperator_Sub, old,
                          pm_host_integer(1), operand->type, bytes_behind(operand->type));

    pm_host_assign(state, operand, place, next);
    return before ? next : old;
}

static pm_host_value evaluate_unary(pm_host_state *state, pm_host_node *node)
{
    pm_host_node *operand = node->count ? node->children[node->count - 1] : NULL;
    pm_host_value value;
    bool truth;

    switch (node->unary) {
    case CXUnaryOperator_Deref:
        return load(state, node, pm_host_locate(state, node));
    case CXUnaryOperator_AddrOf:
        value = pm_host_evaluate(state, operand);
        return value.kind == PM_HOST_FUNCTION ? value
                                              : pm_host_pointer(pm_host_locate(state, operand));
    case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PostInc:
    case CXUnaryOperator_PreDec:
    case CXUnaryOperator_PostDec:
        return operand ? evaluate_step(state, node, operand) : pm_host_evaluate(state, operand);
    case CXUnaryOperator_Plus:
        return pm_host_evaluate(state, operand);
    case CXUnaryOperator_Minus:
        return pm_host_calculate(CXBinaryOperator_Sub, pm_host_integer(0),
                                 pm_host_evaluate(state, operand), node->type, 0);
    case CXUnaryOperator_Not:
        return pm_host_calculate(CXBinaryOperator_Xor, pm_host_integer(-1),
                                 pm_host_evaluate(state, operand), node->type, 0);
    case CXUnaryOperator_LNot:
        value = pm_host_evaluate(state, operand);
        if (pm_host_truth(value, &truth)) {
            value.kind = PM_HOST_INTEGER;
            value.integer = !truth;
            return value;
        }
        return pm_host_unknown(value.origin, value.line);
    default:
        return evaluate_parts(state, node);
    }
}

static pm_host_value evaluate_logical(pm_host_state *state, pm_host_node *node)
{
    const bool is_and = node->binary == CXBinaryOperator_LAnd;
    pm_host_value left = pm_host_evaluate(state, node->children[0]), right;
    bool first, second;
    const bool known = pm_host_truth(left, &first);

    if (known && first != is_and) {
        pm_host_value result = pm_host_integer(first);

        result.no_arguments = left.no_arguments;
        return result;
    }
    right = pm_host_evaluate(state, node->children[1]);
    if (pm_host_truth(right, &second) && (known || second != is_and)) {
        pm_host_value result = pm_host_integer(second);

        result.no_arguments = right.no_arguments || left.no_arguments;
        return result;
    }
    return known ? pm_host_unknown(right.origin, right.line)
                 : pm_host_unknown(left.origin, left.line);
}

static bool mentions(pm_host_tree *tree, pm_host_node *node, const pm_host_node *variable,
                     unsigned depth)
{
    pm_host_open(tree, node);
    if (node->named == variable)
        return true;
    for (size_t i = 0; i < node->count && depth > 0; i++)
        if (mentions(tree, node->children[i], variable, depth - 1))
            return true;
    return false;
}

static pm_host_value evaluate_assignment(pm_host_state *state, pm_host_node *node)
{
    pm_host_node *left = node->children[0], *right = node->children[1];
    const pm_host_node *variable = pm_host_variable(state->tree, left);
    pm_host_value value = pm_host_evaluate(state, right);
    const pm_host_place place = pm_host_locate(state, left);

    if (variable && !mentions(state->tree, right, variable, 8))
        value = pm_host_settle_first(state, variable, left->type, value);
    pm_host_assign(state, left, place, value);
    return value;
}

static pm_host_value evaluate_binary(pm_host_state *state, pm_host_node *node)
{
    pm_host_value left, right;
    CXType pointer;

    if (node->count != 2)
        return evaluate_parts(state, node);
    if (node->binary == CXBinaryOperator_Assign)
        return evaluate_assignment(state, node);
    if (node->binary == CXBinaryOperator_LAnd || node->binary == CXBinaryOperator_LOr)
        return evaluate_logical(state, node);
    left = pm_host_evaluate(state, node->children[0]);
    right = pm_host_evaluate(state, node->children[1]);
    if (node->binary == CXBinaryOperator_Comma)
        return right;
    pointer = pm_host_is_pointer(node->children[0]->type) ? node->children[0]->type
                                                          : node->children[1]->type;
    if (node->kind != CXCursor_CompoundAssignOperator)
        return pm_host_calculate(node->binary, left, right, node->type, bytes_behind(pointer));
    /* Compute a compound assignment such as += in the wider of the two types, then convert the
     * result to the type of the left side. */
    if (right.kind == PM_HOST_REAL && left.kind == PM_HOST_INTEGER)
        left = pm_host_convert(left, node->children[1]->type);
    left = pm_host_calculate(node->binary, left, right,
                             right.kind == PM_HOST_REAL ? node->children[1]->type : node->type,
                             bytes_behind(pointer));
    pm_host_assign(state, node->children[0], pm_host_locate(state, node->children[0]), left);
    return pm_host_convert(left, node->type);
}

static pm_host_value evaluate_choice(pm_host_state *state, pm_host_node *node)
{
    pm_host_value condition, result;
    bool truth;

    if (node->count != 3)
        return evaluate_parts(state, node);
    condition = pm_host_evaluate(state, node->children[0]);
    if (!pm_host_truth(condition, &truth)) {
        const pm_host_value first = pm_host_evaluate(state, node->children[1]);

        result = pm_host_evaluate(state, node->children[2]);
        if (first.kind == PM_HOST_INTEGER && result.kind == PM_HOST_INTEGER &&
            first.integer == result.integer)
            return result;
        return pm_host_unknown(condition.origin ? condition.origin : result.origin, condition.line);
    }
    result = pm_host_evaluate(state, node->children[truth ? 1 : 2]);
    result.no_arguments |= condition.no_arguments;
    return result;
}

/* ---- memory -------------------------------------------------------------------------------- */

static pm_host_value evaluate_new(pm_host_state *state, pm_host_node *node)
{
    const CXType type = clang_getCanonicalType(
        pm_host_is_pointer(node->type) ? clang_getPointeeType(node->type) : node->type);
    pm_host_value count = pm_host_integer(1), made;

    for (size_t i = 0; i < node->count; i++) {
        pm_host_node *child = node->children[i];

        if (clang_isExpression(child->kind) && pm_host_is_integer(child->type))
            count = pm_host_evaluate(state, child);
    }
    made = pm_host_allocate(state, node, PM_HOST_ALLOCATED,
                            pm_host_calculate(CXBinaryOperator_Mul, count,
                                              pm_host_integer((long long)pm_host_bytes(type)),
                                              (CXType){.kind = CXType_ULong}, 0));
    if (pm_host_is_record(type) && node->count > 0 &&
        node->children[node->count - 1]->kind == CXCursor_CallExpr)
        pm_host_store(&state->heap, (pm_host_place){made.object, 0}, type,
                      pm_host_evaluate(state, node->children[node->count - 1]));
    return made;
}

static pm_host_value evaluate_list(pm_host_state *state, pm_host_node *node)
{
    pm_host_place place;

    if (!pm_host_is_record(node->type) && !pm_host_is_array(node->type))
        return node->count == 1
                   ? pm_host_convert(pm_host_evaluate(state, node->children[0]), node->type)
                   : evaluate_parts(state, node);
    place = (pm_host_place){
        .object = pm_host_add_object(&state->heap, PM_HOST_VARIABLE, "", node->type, node->line)};
    pm_host_initialize(state, place, node->type, node);
    return pm_host_load(&state->heap, place, node->type);
}

/* Returns the value of a call. If the called function returns a reference, returns the value to
 * which the reference refers. */
static pm_host_value evaluate_call(pm_host_state *state, pm_host_node *node)
{
    const pm_host_value value = state->follow_call(state, node);

    if (value.kind != PM_HOST_RECORD || pm_host_is_record(node->type))
        return pm_host_convert(value, node->type);
    return pm_host_load(&state->heap, (pm_host_place){value.object, value.offset}, node->type);
}

/* ---- all expressions ----------------------------------------------------------------------- */

static pm_host_value evaluate(pm_host_state *state, pm_host_node *node)
{
    switch (node->kind) {
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_CXXBoolLiteralExpr:
    case CXCursor_UnaryExpr: /* sizeof and similar operators, which clang evaluates */
        return folded(node);
    case CXCursor_CXXNullPtrLiteralExpr:
    case CXCursor_GNUNullExpr:
        return pm_host_integer(0);
    case CXCursor_StringLiteral:
        return (pm_host_value){.kind = PM_HOST_TEXT, .function = node};
    case CXCursor_ParenExpr:
    case CXCursor_UnexposedExpr:
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXConstCastExpr:
    case CXCursor_CXXReinterpretCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
    case CXCursor_CompoundLiteralExpr:
        return evaluate_conversion(state, node);
    case CXCursor_DeclRefExpr:
    case CXCursor_MemberRefExpr:
        return evaluate_name(state, node);
    case CXCursor_ArraySubscriptExpr:
        return load(state, node, pm_host_locate(state, node));
    case CXCursor_UnaryOperator:
        return evaluate_unary(state, node);
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
        return evaluate_binary(state, node);
    case CXCursor_ConditionalOperator:
        return evaluate_choice(state, node);
    case CXCursor_CallExpr:
        return evaluate_call(state, node);
    case CXCursor_CXXNewExpr:
        return evaluate_new(state, node);
    case CXCursor_InitListExpr:
        return evaluate_list(state, node);
    case CXCursor_LambdaExpr:
        return (pm_host_value){.kind = PM_HOST_FUNCTION, .function = node};
    case CXCursor_CXXThisExpr:
        return pm_host_pointer(state->self);
    default:
        return evaluate_parts(state, node);
    }
}

pm_host_value pm_host_evaluate(pm_host_state *state, pm_host_node *node)
{
    pm_host_value value;

    if (!node || !pm_host_step(state) || state->nesting >= MOST_NESTING)
        return pm_host_unknown(NULL, 0);
    state->nesting++;
    value = evaluate(state, pm_host_open(state->tree, node));
    state->nesting--;
    return value;
}
