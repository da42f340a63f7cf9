/* Values of calls, and of choices between two values. See index.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "staging/index/parts.h"

static const pm_poly unknown;

/* ---- min and max ---------------------------------------------------------------------------- */

/* Both operands are what they seem when they are compared as node's type. */
static bool compares(const pm_reader *r, bool is_unsigned, const pm_poly *a, const pm_poly *b)
{
    long long low;

    if (!a->known || !b->known)
        return false;
    return !is_unsigned || (pm_index_low(r->index, a, &low) && low >= 0 &&
                            pm_index_low(r->index, b, &low) && low >= 0);
}

/* min(a, b) or max(a, b). */
static pm_poly extreme(pm_reader *r, const pm_poly *a, const pm_poly *b, bool is_min)
{
    const pm_poly distance = pm_poly_subtract(a, b);
    bool a_uniform = pm_index_is_uniform(r->index, a), b_uniform = pm_index_is_uniform(r->index, b);
    long long low, high;

    if (pm_index_high(r->index, &distance, &high) && high <= 0)
        return is_min ? *a : *b;
    if (pm_index_low(r->index, &distance, &low) && low >= 0)
        return is_min ? *b : *a;
    if (a_uniform == b_uniform)
        return unknown;
    if (a_uniform)
        return pm_index_clamp(r, b, is_min ? NULL : a, is_min ? a : NULL, false);
    return pm_index_clamp(r, a, is_min ? NULL : b, is_min ? b : NULL, false);
}

static pm_poly value_of_extreme(pm_reader *r, pm_frame *frame, pm_node *call, bool is_min)
{
    pm_node *first = pm_ast_argument(call, 0), *second = pm_ast_argument(call, 1);
    pm_poly a, b;

    if (!first || !second)
        return unknown;
    a = pm_index_value(r, frame, first);
    b = pm_index_value(r, frame, second);
    return compares(r, pm_is_unsigned(call), &a, &b) ? extreme(r, &a, &b, is_min) : unknown;
}

/* a < b does not happen. */
static bool is_never(const pm_reader *r, const pm_poly *a, const pm_poly *b)
{
    const pm_poly distance = pm_poly_subtract(a, b);
    long long low;

    return pm_index_low(r->index, &distance, &low) && low >= 0;
}

static pm_poly value_of_clamp(pm_reader *r, pm_frame *frame, pm_node *call)
{
    pm_poly value, least, most;

    if (!pm_ast_argument(call, 2))
        return unknown;
    value = pm_index_value(r, frame, pm_ast_argument(call, 0));
    least = pm_index_value(r, frame, pm_ast_argument(call, 1));
    most = pm_index_value(r, frame, pm_ast_argument(call, 2));
    if (!compares(r, pm_is_unsigned(call), &value, &least) ||
        !compares(r, pm_is_unsigned(call), &value, &most))
        return unknown;
    if (pm_index_is_uniform(r->index, &least) && pm_index_is_uniform(r->index, &most) &&
        !pm_index_is_uniform(r->index, &value) && !is_never(r, &value, &least) &&
        !is_never(r, &most, &value))
        return pm_index_clamp(r, &value, &least, &most, true);
    value = extreme(r, &value, &least, false);
    return value.known ? extreme(r, &value, &most, true) : unknown;
}

static bool clamps(const pm_index *index, const pm_poly *value, const pm_poly *inner)
{
    const pm_atom *atom;

    if (value->count != 1 || value->terms[0].factor_count != 1 || value->terms[0].coefficient != 1)
        return false;
    atom = &index->atoms[value->terms[0].factors[0]];
    return atom->kind == PM_ATOM_CLAMP && pm_poly_equal(&atom->inner, inner);
}

/* a < b ? b : (a clamped above), and its like; less: it is a < b, else a > b. */
static pm_poly clamp_of_choice(pm_reader *r, const pm_poly *a, const pm_poly *b, const pm_poly *yes,
                               const pm_poly *no, bool less)
{
    /* The one that is compared with a bound is the one that is clamped. */
    bool a_inside = pm_index_is_uniform(r->index, b) && !pm_index_is_uniform(r->index, a);
    const pm_poly *inner = a_inside ? a : b, *bound = a_inside ? b : a;
    bool below = a_inside == less; /* inner < bound if the condition holds */

    if (!a->known || !b->known || !pm_index_is_uniform(r->index, bound))
        return unknown;
    if (pm_poly_equal(yes, bound) && clamps(r->index, no, inner))
        return pm_index_choose(r, no, bound, !below);
    if (pm_poly_equal(no, bound) && clamps(r->index, yes, inner))
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
    if (pm_poly_equal(&yes, &no))
        return yes;
    if (pm_index_uniform(r, conditional))
        return unknown; /* its text says it */
    kind = condition->binary;
    if (condition->kind == CXCursor_BinaryOperator && kind >= CXBinaryOperator_LT &&
        kind <= CXBinaryOperator_GE) {
        bool less = kind == CXBinaryOperator_LT || kind == CXBinaryOperator_LE;

        a = pm_index_value(r, frame, condition->first);
        b = pm_index_value(r, frame, condition->first->next);
        if (!compares(r, pm_is_unsigned(condition->first), &a, &b))
            a = unknown;
        if (pm_poly_equal(&a, &yes) && pm_poly_equal(&b, &no))
            return extreme(r, &a, &b, less);
        if (pm_poly_equal(&a, &no) && pm_poly_equal(&b, &yes))
            return extreme(r, &a, &b, !less);
        value = clamp_of_choice(r, &a, &b, &yes, &no, less);
        if (value.known)
            return value;
    }
    if (pm_index_low(r->index, &yes, &low) && pm_index_low(r->index, &no, &other_low) &&
        pm_index_high(r->index, &yes, &high) && pm_index_high(r->index, &no, &other_high))
        return pm_index_item(r, frame, conditional, true, low < other_low ? low : other_low, true,
                             high > other_high ? high : other_high);
    return unknown;
}

/* ---- functions ------------------------------------------------------------------------------ */

static pm_poly value_of_id(pm_reader *r, pm_frame *frame, pm_node *call, const char *name)
{
    pm_node *argument = pm_ast_argument(call, 0);
    pm_poly local, group, offset;
    long long dimension;

    if (!argument || !pm_index_constant(r, frame, argument, &dimension) || dimension < 0 ||
        dimension > 2)
        return unknown;
    if (strcmp(name, "local_id") == 0)
        return pm_index_local(r, (unsigned)dimension);
    if (strcmp(name, "group_id") == 0)
        return pm_index_dimension(r, PM_ATOM_GROUP, (unsigned)dimension);
    if (strcmp(name, "global_offset") == 0)
        return pm_index_dimension(r, PM_ATOM_OFFSET, (unsigned)dimension);
    if (!r->index->sized)
        return unknown;
    if (strcmp(name, "local_size") == 0)
        return pm_poly_constant((long long)r->index->work_group[dimension]);
    if (strcmp(name, "global_id") != 0)
        return unknown;
    local = pm_index_local(r, (unsigned)dimension);
    group = pm_index_dimension(r, PM_ATOM_GROUP, (unsigned)dimension);
    offset = pm_index_dimension(r, PM_ATOM_OFFSET, (unsigned)dimension);
    group = pm_poly_scale(&group, (long long)r->index->work_group[dimension]);
    group = pm_poly_add(&group, &local);
    return pm_poly_add(&group, &offset);
}

/* Of a function that is `{ ..; return value; }`. */
static pm_poly value_of_helper(pm_reader *r, pm_frame *frame, pm_node *call)
{
    pm_frame *inner = pm_index_frame(r, frame, call);
    pm_node *body = inner ? inner->function->last : NULL;
    size_t returns = 0, behind;

    if (!body || body->kind != CXCursor_CompoundStmt || !body->last ||
        body->last->kind != CXCursor_ReturnStmt || !body->last->first)
        return unknown;
    behind = body->behind;
    for (size_t i = body->number; i < behind; i++)
        returns += r->ast->nodes[i]->kind == CXCursor_ReturnStmt;
    return returns == 1 ? pm_index_value(r, inner, body->last->first) : unknown;
}

static pm_poly value_of_product(pm_reader *r, pm_frame *frame, pm_node *call, bool adds)
{
    pm_poly value, other;

    if (!pm_ast_argument(call, adds ? 2 : 1))
        return unknown;
    value = pm_index_value(r, frame, pm_ast_argument(call, 0));
    other = pm_index_value(r, frame, pm_ast_argument(call, 1));
    value = pm_poly_multiply(&value, &other);
    if (!adds)
        return value;
    other = pm_index_value(r, frame, pm_ast_argument(call, 2));
    return pm_poly_add(&value, &other);
}

pm_poly pm_index_call_value(pm_reader *r, pm_frame *frame, pm_node *call)
{
    const char *name = call->name;

    if (pm_ast_callee(call))
        return value_of_helper(r, frame, call);
    if (strncmp(name, "get_", 4) == 0)
        return value_of_id(r, frame, call, name + 4);
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
