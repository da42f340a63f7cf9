/* Values of function calls and of conditional expressions. See index.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "staging/index/parts.h"

static const pm_poly unknown;

/* ---- min and max ---------------------------------------------------------------------------- */

/* Returns true if comparing a and b gives the mathematical result. Operands of an unsigned
 * comparison must not be negative. */
static bool compares(const pm_reader *r, bool is_unsigned, pm_poly a, pm_poly b)
{
    return a.known && b.known &&
           (!is_unsigned ||
            (pm_index_is_not_negative(r->index, a) && pm_index_is_not_negative(r->index, b)));
}

/* Returns true if a < b is impossible. */
static bool is_never(const pm_reader *r, pm_poly a, pm_poly b)
{
    return pm_index_is_not_negative(r->index, pm_poly_subtract(a, b));
}

/* Value of min(a, b) or max(a, b). */
static pm_poly extreme(pm_reader *r, pm_poly a, pm_poly b, bool is_min)
{
    bool a_uniform = pm_index_is_uniform(r->index, a);
    const pm_poly *bound = a_uniform ? &a : &b, *inner = a_uniform ? &b : &a;
    long long high;

    if (pm_index_high(r->index, pm_poly_subtract(a, b), &high) && high <= 0)
        return is_min ? a : b;
    if (is_never(r, a, b))
        return is_min ? b : a;
    if (a_uniform == pm_index_is_uniform(r->index, b))
        return unknown;
    return pm_index_clamp(r, inner, is_min ? NULL : bound, is_min ? bound : NULL, false);
}

static pm_poly value_of_extreme(pm_reader *r, pm_frame *frame, pm_node *call, bool is_min)
{
    pm_node *first = pm_ast_argument(call, 0), *second = pm_ast_argument(call, 1);
    pm_poly a, b;

    if (!first || !second)
        return unknown;
    a = pm_index_value(r, frame, first);
    b = pm_index_value(r, frame, second);
    return compares(r, pm_is_unsigned(call), a, b) ? extreme(r, a, b, is_min) : unknown;
}

static pm_poly value_of_clamp(pm_reader *r, pm_frame *frame, pm_node *call)
{
    pm_poly value, least, most;

    if (!pm_ast_argument(call, 2))
        return unknown;
    value = pm_index_value(r, frame, pm_ast_argument(call, 0));
    least = pm_index_value(r, frame, pm_ast_argument(call, 1));
    most = pm_index_value(r, frame, pm_ast_argument(call, 2));
    if (!compares(r, pm_is_unsigned(call), value, least) ||
        !compares(r, pm_is_unsigned(call), value, most))
        return unknown;
    if (pm_index_is_uniform(r->index, least) && pm_index_is_uniform(r->index, most) &&
        !pm_index_is_uniform(r->index, value) && !is_never(r, value, least) &&
        !is_never(r, most, value))
        return pm_index_clamp(r, &value, &least, &most, true);
    value = extreme(r, value, least, false);
    return value.known ? extreme(r, value, most, true) : unknown;
}

static bool clamps(const pm_index *index, const pm_poly *value, const pm_poly *inner)
{
    const pm_atom *clamp = pm_index_clamp_of(index, value);

    return clamp && pm_poly_equal(clamp->inner, *inner);
}

/* Value of a conditional expression such as `a < b ? b : (a clamped above)`. less: the condition is
 * a < b, otherwise a > b. */
static pm_poly clamp_of_choice(pm_reader *r, const pm_poly *a, const pm_poly *b, const pm_poly *yes,
                               const pm_poly *no, bool less)
{
    /* the operand that is compared with a uniform bound is the clamped value */
    bool a_inside = pm_index_is_uniform(r->index, *b) && !pm_index_is_uniform(r->index, *a);
    const pm_poly *inner = a_inside ? a : b, *bound = a_inside ? b : a;
    bool below = a_inside == less; /* if the condition holds, then inner < bound */

    if (!a->known || !b->known || !pm_index_is_uniform(r->index, *bound))
        return unknown;
    if (pm_poly_equal(*yes, *bound) && clamps(r->index, no, inner))
        return pm_index_choose(r, no, bound, !below);
    if (pm_poly_equal(*no, *bound) && clamps(r->index, yes, inner))
        return pm_index_choose(r, yes, bound, below);
    return unknown;
}

pm_poly pm_index_choice_value(pm_reader *r, pm_frame *frame, pm_node *conditional)
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
        return unknown; /* pm_index_text_value() handles uniform expressions */
    kind = condition->binary;
    if (condition->kind == CXCursor_BinaryOperator && kind >= CXBinaryOperator_LT &&
        kind <= CXBinaryOperator_GE) {
        bool less = kind == CXBinaryOperator_LT || kind == CXBinaryOperator_LE;

        a = pm_index_value(r, frame, condition->first);
        b = pm_index_value(r, frame, condition->first->next);
        if (!compares(r, pm_is_unsigned(condition->first), a, b))
            a = unknown;
        if (pm_poly_equal(a, yes) && pm_poly_equal(b, no))
            return extreme(r, a, b, less);
        if (pm_poly_equal(a, no) && pm_poly_equal(b, yes))
            return extreme(r, a, b, !less);
        value = clamp_of_choice(r, &a, &b, &yes, &no, less);
        if (value.known)
            return value;
    }
    if (pm_index_low(r->index, yes, &low) && pm_index_low(r->index, no, &other_low) &&
        pm_index_high(r->index, yes, &high) && pm_index_high(r->index, no, &other_high))
        return pm_index_item(r, frame, conditional, low < other_low ? low : other_low,
                             high > other_high ? high : other_high);
    return unknown;
}

/* ---- functions ------------------------------------------------------------------------------ */

pm_poly pm_index_id_value(pm_reader *r, pm_frame *frame, const pm_id *id)
{
    long long dimension = id->dimension;
    pm_poly local, group;

    if ((id->argument && !pm_index_constant(r, frame, id->argument, &dimension)) || dimension < 0 ||
        dimension > 2)
        return unknown;
    if (id->kind == PM_ID_LOCAL)
        return pm_index_local(r, (unsigned)dimension);
    if (id->kind == PM_ID_GROUP)
        return pm_index_dimension(r, PM_ATOM_GROUP, (unsigned)dimension);
    if (id->kind == PM_ID_OFFSET)
        return pm_index_dimension(r, PM_ATOM_OFFSET, (unsigned)dimension);
    if (!r->index->sized)
        return unknown;
    if (id->kind == PM_ID_LOCAL_SIZE)
        return pm_poly_constant((long long)r->index->work_group[dimension]);
    if (id->kind != PM_ID_GLOBAL)
        return unknown;
    /* in the order in which their atoms are numbered */
    local = pm_index_local(r, (unsigned)dimension);
    group = pm_index_dimension(r, PM_ATOM_GROUP, (unsigned)dimension);
    group = pm_poly_scale(group, (long long)r->index->work_group[dimension]);
    return pm_poly_add(pm_poly_add(group, local),
                       pm_index_dimension(r, PM_ATOM_OFFSET, (unsigned)dimension));
}

/* Value of a call of a function with one return statement, at its end. */
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

pm_poly pm_index_call_value(pm_reader *r, pm_frame *frame, pm_node *call)
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
