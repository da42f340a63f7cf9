/* Converts integer expressions of a kernel (operators, variables, loop variables and calls) to
 * polynomials of work-item ids, loop variables and kernel arguments. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions of this file call each other: the value of an expression needs those of its
 * variables, and the value of a variable needs the expressions that define it. Evaluation that
 * needs no further expressions is in conversion.c, operator.c, clamp.c, loop.c and atom.c.
 *
 * A variable has the value of its definition as long as no operand of that value changes during the
 * variable's lifetime. Otherwise the variable itself becomes an atom.
 */
#include <limits.h>
#include <string.h>

#include "transform/staging/index/parts.h"

static const pm_poly unknown;

static pm_poly literal(const pm_node *node)
{
    long long value;

    return pm_ast_evaluate(node, &value) ? pm_poly_constant(value) : unknown;
}

bool pm_index_constant(pm_reader *r, pm_frame *frame, pm_node *expression, long long *value)
{
    return pm_poly_is_constant(pm_index_value(r, frame, expression), value);
}

/* ---- loops --------------------------------------------------------------------------------------
 */

/* Sets the known bounds of *value, which is the variable of a loop that counts down. */
static void bound_down(pm_reader *r, pm_frame *frame, const pm_symbol *symbol, const pm_poly *value)
{
    const pm_head *head = pm_index_head_of(r, symbol->scope);
    pm_poly start, end;
    pm_atom *atom;
    long long low, high;

    if (!head || head->down == PM_NONE || &r->symbols[head->down] != symbol || !value->known)
        return;
    start = pm_index_value(r, frame, head->start);
    end = pm_index_value(r, frame, head->end);
    atom = &r->index->atoms[value->terms[0].factors[0]];
    if (pm_index_low(r->index, end, &low) && low < LLONG_MAX) {
        atom->low_known = true;
        atom->low = low + !head->inclusive;
    }
    if (pm_index_high(r->index, start, &high)) {
        atom->high_known = true;
        atom->high = high;
    }
}

void pm_index_read_loop(pm_reader *r, pm_frame *frame, pm_head *head, pm_loop *loop)
{
    *loop = (pm_loop){.node = head->node, .parent = PM_NONE, .atom = PM_NO_ATOM, .step = 1};
    if (head->symbol != PM_NONE &&
        ((head->step &&
          (!pm_index_constant(r, frame, head->step, &loop->step) || loop->step <= 0)) ||
         (head->unequal && loop->step != 1)))
        /* If the step is unknown or not positive, or is not 1 in a loop with `!=`, the loop's head
         * does not determine the values of its variable. */
        head->symbol = PM_NONE;
    if (head->symbol == PM_NONE)
        return;
    loop->start = pm_index_value(r, frame, head->start);
    loop->end = pm_index_value(r, frame, head->end);
    pm_index_count_loop(r, frame, head, loop);
}

static size_t loop_atom(pm_reader *r, pm_frame *frame, pm_head *head)
{
    pm_loop loop;

    for (size_t a = 0; a < r->index->atom_count; a++)
        if (r->index->atoms[a].kind == PM_ATOM_LOOP && r->atom_key[a] == head->node &&
            r->atom_frame[a] == frame->number)
            return a;
    pm_index_read_loop(r, frame, head, &loop);
    return loop.atom;
}

/* ---- variables ----------------------------------------------------------------------------------
 */

static pm_poly value_at(pm_reader *r, pm_frame *frame, const pm_symbol *symbol, const pm_node *use);

static pm_poly value_of_change(pm_reader *r, pm_frame *frame, const pm_symbol *symbol,
                               size_t change)
{
    const pm_node *node = r->changes[change].node;
    pm_poly before, operand;

    if (node->kind == CXCursor_BinaryOperator)
        return pm_index_value(r, frame, node->first->next);
    before = value_at(r, frame, symbol, node->first);
    if (node->kind == CXCursor_UnaryOperator)
        return pm_poly_add(before, pm_poly_constant(node->unary == CXUnaryOperator_PostInc ||
                                                            node->unary == CXUnaryOperator_PreInc
                                                        ? 1
                                                        : -1));
    operand = pm_index_value(r, frame, node->first->next);
    if (!pm_is_integer(node->first->next))
        return unknown;
    switch (node->binary) {
    case CXBinaryOperator_AddAssign:
        return pm_poly_add(before, operand);
    case CXBinaryOperator_SubAssign:
        return pm_poly_subtract(before, operand);
    case CXBinaryOperator_MulAssign:
        return pm_poly_multiply(before, operand);
    default:
        return unknown;
    }
}

static pm_poly parameter_value(pm_reader *r, pm_frame *frame, const pm_symbol *symbol)
{
    pm_node *argument;

    if (!frame->caller)
        return pm_index_symbol_value(r, symbol, NULL, NULL);
    argument = pm_ast_argument(frame->call, symbol->argument);
    return argument ? pm_index_value(r, frame->caller, argument) : unknown;
}

/* Returns the value of a variable whose value at the use cannot be computed from its definition,
 * for example because the variable changes later. If the variable is equal in all work-items of a
 * group, the result is one symbolic value (atom) for the variable. Otherwise the result has two
 * parts: the part of `value`, the polynomial at the definition, that differs between work-items,
 * and a symbolic value for the rest. Returns an unknown polynomial if neither is possible. */
static pm_poly named_value(pm_reader *r, pm_frame *frame, const pm_symbol *symbol,
                           const pm_poly *value, const pm_node *definition)
{
    pm_poly varying, fixed;

    if (frame->caller)
        return unknown;
    if (symbol->uniform) {
        varying = pm_index_symbol_value(r, symbol, NULL, NULL);
        bound_down(r, frame, symbol, &varying);
        return varying;
    }
    if (!value->known)
        return unknown;
    pm_poly_split(value, pm_index_varies, r->index, &varying, &fixed);
    if (varying.count == 0 || !pm_index_is_stable(r, varying, symbol, definition))
        return unknown;
    return pm_index_symbol_value(r, symbol, &varying, NULL);
}

static pm_poly first_value(pm_reader *r, pm_frame *frame, const pm_symbol *symbol)
{
    if (symbol->node->kind == CXCursor_ParmDecl)
        return parameter_value(r, frame, symbol);
    return symbol->initializer ? pm_index_value(r, frame, symbol->initializer) : unknown;
}

static pm_poly definition_value(pm_reader *r, pm_frame *frame, const pm_symbol *symbol,
                                size_t change)
{
    pm_memo *memo = pm_index_memo(frame, (size_t)(symbol - r->symbols), change);
    const pm_node *node = change == PM_NONE ? symbol->node : r->changes[change].node;
    pm_poly value;

    if (memo->state != PM_NOT_YET)
        return memo->state == PM_DONE ? memo->value : unknown;
    memo->state = PM_AT_WORK;
    value = change == PM_NONE ? first_value(r, frame, symbol)
                              : value_of_change(r, frame, symbol, change);
    value = pm_index_converted(r, symbol->node, value);
    if (!value.known || ((change != PM_NONE || symbol->node->kind != CXCursor_ParmDecl) &&
                         !pm_index_is_stable(r, value, symbol, node)))
        value = named_value(r, frame, symbol, &value, node);
    memo->value = value;
    memo->state = PM_DONE;
    return value;
}

static pm_poly value_at(pm_reader *r, pm_frame *frame, const pm_symbol *symbol, const pm_node *use)
{
    bool alone;
    size_t change = pm_index_definition(r, symbol, use, &alone);
    size_t number = (size_t)(symbol - r->symbols);
    pm_poly value = unknown;

    if (symbol->address)
        return unknown;
    if (alone) {
        /* Evaluate the definitions of a variable in source order. This avoids a deep recursion
         * through all of them. */
        for (size_t c = symbol->first_change; change != PM_NONE && c != change;
             c = r->changes[c].next)
            if (r->changes[c].straight && pm_index_memo(frame, number, change)->state == PM_NOT_YET)
                definition_value(r, frame, symbol, c);
        return definition_value(r, frame, symbol, change);
    }
    if (!frame->caller && !symbol->uniform && pm_index_only_adds(r, symbol, change, use))
        value = definition_value(r, frame, symbol, change);
    return named_value(r, frame, symbol, &value,
                       change == PM_NONE ? symbol->node : r->changes[change].node);
}

static pm_poly variable_value(pm_reader *r, pm_frame *frame, pm_node *use)
{
    const pm_symbol *symbol = pm_index_symbol(r, use);
    size_t number = (size_t)(symbol - r->symbols), atom;
    pm_head *head;

    if (symbol->function != frame->function || number < frame->first_symbol ||
        number >= frame->first_symbol + frame->symbols || !pm_is_integer(symbol->node))
        return unknown;
    head = pm_index_head(r, symbol, use);
    if (head) {
        atom = loop_atom(r, frame, head);
        if (atom != PM_NO_ATOM)
            return pm_poly_atom(atom);
    }
    return value_at(r, frame, symbol, use);
}

/* ---- ids and calls ------------------------------------------------------------------------------
 */

static pm_poly id_value(pm_reader *r, pm_frame *frame, const pm_id *id)
{
    long long dimension = id->dimension;

    if (id->argument && !pm_index_constant(r, frame, id->argument, &dimension))
        return unknown;
    return pm_index_id_value(r, id, dimension);
}

static pm_poly value_of_extreme(pm_reader *r, pm_frame *frame, pm_node *call, bool is_min)
{
    pm_node *first = pm_ast_argument(call, 0), *second = pm_ast_argument(call, 1);
    pm_poly a, b;

    if (!first || !second)
        return unknown;
    a = pm_index_value(r, frame, first);
    b = pm_index_value(r, frame, second);
    return pm_index_compares(r, pm_is_unsigned(call), a, b) ? pm_index_extreme(r, a, b, is_min)
                                                            : unknown;
}

static pm_poly value_of_clamp(pm_reader *r, pm_frame *frame, pm_node *call)
{
    pm_poly value, least, most;

    if (!pm_ast_argument(call, 2))
        return unknown;
    value = pm_index_value(r, frame, pm_ast_argument(call, 0));
    least = pm_index_value(r, frame, pm_ast_argument(call, 1));
    most = pm_index_value(r, frame, pm_ast_argument(call, 2));
    if (!pm_index_compares(r, pm_is_unsigned(call), value, least) ||
        !pm_index_compares(r, pm_is_unsigned(call), value, most))
        return unknown;
    return pm_index_limited(r, value, least, most);
}

static pm_poly choice_value(pm_reader *r, pm_frame *frame, pm_node *conditional)
{
    pm_node *condition = pm_ast_child(conditional, 0);
    pm_node *then = pm_ast_child(conditional, 1), *otherwise = pm_ast_child(conditional, 2);
    enum CXBinaryOperatorKind kind;
    pm_poly yes, no, a, b, value;
    long long low, high, other_low, other_high;

    if (!otherwise)
        return unknown;
    condition = pm_ast_bare(condition);
    yes = pm_index_value(r, frame, then);
    no = pm_index_value(r, frame, otherwise);
    if (pm_poly_equal(yes, no))
        return yes;
    if (pm_index_uniform(r, conditional))
        /* The value is unknown here. If the condition is equal in all work-items of a group, the
         * caller uses pm_index_text_value(), which makes a symbolic value for the whole
         * expression. */
        return unknown;
    kind = condition->binary;
    if (condition->kind == CXCursor_BinaryOperator && kind >= CXBinaryOperator_LT &&
        kind <= CXBinaryOperator_GE) {
        bool less = kind == CXBinaryOperator_LT || kind == CXBinaryOperator_LE;

        a = pm_index_value(r, frame, condition->first);
        b = pm_index_value(r, frame, condition->first->next);
        if (!pm_index_compares(r, pm_is_unsigned(condition->first), a, b))
            a = unknown;
        if (pm_poly_equal(a, yes) && pm_poly_equal(b, no))
            return pm_index_extreme(r, a, b, less);
        if (pm_poly_equal(a, no) && pm_poly_equal(b, yes))
            return pm_index_extreme(r, a, b, !less);
        value = pm_index_clamp_of_choice(r, &a, &b, &yes, &no, less);
        if (value.known)
            return value;
    }
    if (pm_index_low(r->index, yes, &low) && pm_index_low(r->index, no, &other_low) &&
        pm_index_high(r->index, yes, &high) && pm_index_high(r->index, no, &other_high))
        return pm_index_item(r, frame, conditional, low < other_low ? low : other_low,
                             high > other_high ? high : other_high);
    return unknown;
}

/* Returns the value of a call of a helper function whose only return statement is at its end.
 * Otherwise the value is unknown. */
static pm_poly value_of_helper(pm_reader *r, pm_frame *frame, pm_node *call)
{
    pm_frame *inner = pm_index_frame(r, frame, call);
    pm_node *body = inner ? inner->function->last : NULL;
    size_t returns = 0;

    if (!body || body->kind != CXCursor_CompoundStmt || !body->last ||
        body->last->kind != CXCursor_ReturnStmt || !body->last->first)
        return unknown;
    PM_EACH_NODE(r->ast, body, node)
        returns += node->kind == CXCursor_ReturnStmt;
    return returns == 1 ? pm_index_value(r, inner, body->last->first) : unknown;
}

static pm_poly value_of_product(pm_reader *r, pm_frame *frame, pm_node *call, bool adds)
{
    pm_poly value;

    if (!pm_ast_argument(call, adds ? 2 : 1))
        return unknown;
    value = pm_index_value(r, frame, pm_ast_argument(call, 0));
    value = pm_poly_multiply(value, pm_index_value(r, frame, pm_ast_argument(call, 1)));
    return adds ? pm_poly_add(value, pm_index_value(r, frame, pm_ast_argument(call, 2))) : value;
}

static pm_poly call_value(pm_reader *r, pm_frame *frame, pm_node *call)
{
    const char *name = call->name;

    if (pm_ast_callee(call))
        return value_of_helper(r, frame, call);
    if (strcmp(name, "min") == 0 || strcmp(name, "max") == 0)
        return value_of_extreme(r, frame, call, name[1] == 'i');
    if (strcmp(name, "clamp") == 0)
        return value_of_clamp(r, frame, call);
    if (strcmp(name, "mul24") == 0 || strcmp(name, "mad24") == 0)
        return value_of_product(r, frame, call, name[1] == 'a');
    if (strncmp(name, "convert_", 8) == 0 && pm_ast_argument(call, 0) &&
        clang_Type_getSizeOf(call->type) >= 4)
        return pm_index_value(r, frame, pm_ast_argument(call, 0));
    return unknown;
}

/* ---- conversions and operators ------------------------------------------------------------------
 */

/* Returns the value of a vector's component such as v.x. It is known only if the vector is
 * initialised from scalars, as in (int2)(get_global_id(0), 1), and never changes. */
static pm_poly component_value(pm_reader *r, pm_frame *frame, pm_node *component)
{
    pm_node *vector = component->first, *use = vector ? pm_ast_strip(vector) : NULL, *part;
    const pm_symbol *symbol = NULL;
    size_t which = pm_ast_component(r->ast, component);
    pm_poly value;

    if (use && use->kind == CXCursor_DeclRefExpr)
        symbol = pm_index_symbol(r, use);
    if (!symbol || which == PM_NO_COMPONENT || symbol->function != frame->function ||
        symbol->first_change != PM_NONE || !symbol->initializer)
        return unknown;
    part = pm_index_vector_part(symbol->initializer, which);
    value = part ? pm_index_value(r, frame, part) : unknown;
    return value.known && pm_index_is_stable(r, value, symbol, symbol->node) ? value : unknown;
}

static pm_poly value_of_conversion(pm_reader *r, pm_frame *frame, pm_node *node)
{
    pm_node *inner = pm_index_last_expression(node);
    pm_poly value;

    if (inner && pm_type_is_vector(inner->type))
        return component_value(r, frame, node);
    if (!inner || !pm_is_integer(inner))
        return unknown;
    value = pm_index_value(r, frame, inner);
    return value.known ? pm_index_converted(r, node, value) : unknown;
}

static pm_poly value_of_operator(pm_reader *r, pm_frame *frame, pm_node *node)
{
    enum CXBinaryOperatorKind kind = node->binary;
    pm_node *a = pm_ast_child(node, 0), *b = pm_ast_child(node, 1);
    pm_poly left, right;

    if (!a || !b)
        return unknown;
    if (kind == CXBinaryOperator_Comma)
        return pm_index_value(r, frame, b);
    if (pm_is_comparison(kind) || pm_is_lazy(node))
        return pm_index_bounded(r, frame, node, 0, 1);
    if (kind == CXBinaryOperator_Assign || !pm_is_integer(a) || !pm_is_integer(b))
        return unknown;
    left = pm_index_value(r, frame, a);
    right = pm_index_value(r, frame, b);
    return pm_index_operator_value(r, frame, node, left, right);
}

static pm_poly value_of_unary(pm_reader *r, pm_frame *frame, pm_node *node)
{
    if (!node->first)
        return unknown;
    switch (node->unary) {
    case CXUnaryOperator_Plus:
        return pm_index_value(r, frame, node->first);
    case CXUnaryOperator_Minus:
        return pm_poly_scale(pm_index_value(r, frame, node->first), -1);
    case CXUnaryOperator_Not: /* because ~x == -1 - x */
        return pm_is_unsigned(node)
                   ? unknown
                   : pm_poly_subtract(pm_poly_constant(-1), pm_index_value(r, frame, node->first));
    case CXUnaryOperator_LNot:
        return pm_index_bounded(r, frame, node, 0, 1);
    default:
        return unknown;
    }
}

/* ---- all expressions ------------------------------------------------------------------------ */

static pm_poly value_by_kind(pm_reader *r, pm_frame *frame, pm_node *node)
{
    const pm_id id = pm_id_of(node);

    if (id.kind != PM_ID_NONE)
        return id_value(r, frame, &id);
    switch (node->kind) {
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_UnaryExpr:
        return literal(node);
    case CXCursor_DeclRefExpr:
        return pm_index_symbol(r, node) ? variable_value(r, frame, node) : literal(node);
    case CXCursor_UnexposedExpr:
    case CXCursor_CStyleCastExpr:
        return value_of_conversion(r, frame, node);
    case CXCursor_BinaryOperator:
        return value_of_operator(r, frame, node);
    case CXCursor_UnaryOperator:
        return value_of_unary(r, frame, node);
    case CXCursor_ConditionalOperator:
        return choice_value(r, frame, node);
    case CXCursor_CallExpr:
        return call_value(r, frame, node);
    default:
        return unknown;
    }
}

pm_poly pm_index_value(pm_reader *r, pm_frame *frame, pm_node *expression)
{
    pm_node *node = pm_ast_bare(expression);
    pm_poly value = unknown;
    long long low, high;

    if (!pm_is_integer(node) || r->depth >= PM_MOST_EVALUATION)
        return unknown;
    r->depth++;
    value = value_by_kind(r, frame, node);
    if (!value.known)
        value = literal(node);
    if (!value.known && pm_index_uniform(r, node))
        value = pm_index_text_value(r, frame, node);
    if (!value.known && pm_index_is_narrow(node, &low, &high))
        value = pm_index_item(r, frame, node, low, high);
    r->depth--;
    return value;
}
