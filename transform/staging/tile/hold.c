/* Some tiles (copies of parts of arrays in local memory) are correct only under assumptions. Checks
 * for the known launches of the kernel whether the assumptions are true. See assume.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/tile/assume.h"
#include "transform/staging/tile/reason.h"

/* ---- ranges of values in one launch --------------------------------------------------------- */

typedef struct {
    const pm_index *index;
    const pm_stage_launch *launch;
} launched;

static pm_range_of_values range_of_atom(const void *user, size_t a);

static pm_range_of_values make_range(long long low, long long high)
{
    return (pm_range_of_values){true, true, low, high};
}

/* Computes the smallest and the largest value of a polynomial in one launch, by interval
 * arithmetic. Returns false if one of them is unknown. */
static bool compute_range(const launched *in, const pm_poly *poly, pm_range_of_values *range)
{
    *range = pm_poly_range(poly, range_of_atom, in);
    return range->low_known && range->high_known;
}

/* Returns the range of a loop's variable in one launch, from its first to its last value. */
static pm_range_of_values find_loop_range(const launched *in, size_t atom)
{
    pm_range_of_values start, end;

    for (size_t l = 0; l < in->index->loop_count; l++) {
        const pm_loop *loop = &in->index->loops[l];

        if (loop->atom == atom && compute_range(in, &loop->start, &start) &&
            compute_range(in, &loop->end, &end))
            return make_range(start.low, end.high > start.low ? end.high - 1 : start.low);
    }
    return (pm_range_of_values){.low_known = false};
}

/* Returns the range of an atom (a symbolic value such as an id or argument) in one launch: both
 * bounds are known, or none. */
static pm_range_of_values range_of_atom(const void *user, size_t a)
{
    const launched *in = user;
    const pm_stage_launch *launch = in->launch;
    const pm_atom *atom = &in->index->atoms[a];
    const unsigned d = atom->dimension;
    const long long offset = d < 3 ? (long long)launch->offset[d] : 0;

    switch (atom->kind) {
    case PM_ATOM_GROUP:
        return make_range(0, (long long)(launch->global[d] / launch->local[d]) - 1);
    case PM_ATOM_OFFSET:
        return make_range(offset, offset);
    case PM_ATOM_FIRST:
        return make_range(offset, offset + (long long)(launch->global[d] - launch->local[d]));
    case PM_ATOM_VALUE:
        for (size_t p = 0; p < launch->arg_count; p++)
            if (atom->variable && launch->args[p].is_integer &&
                pm_ast_parameter(in->index->kernel, p) == atom->variable)
                return make_range(launch->args[p].value, launch->args[p].value);
        return (pm_range_of_values){.low_known = false};
    default:
        return atom->low_known && atom->high_known ? make_range(atom->low, atom->high)
                                                   : find_loop_range(in, a);
    }
}

/* ---- one launch ----------------------------------------------------------------------------- */

/* assumption: two arrays do not overlap. Returns true if the launch passes the same buffer for
 * both. */
static bool share_buffer(const pm_index *index, const pm_stage_launch *launch,
                         const pm_assumption *assumption)
{
    size_t a = index->arrays[assumption->a].argument, b = index->arrays[assumption->b].argument;

    return a < launch->arg_count && b < launch->arg_count &&
           launch->args[a].buffer == launch->args[b].buffer;
}

/* Result of checking whether an assumption (a condition that copying an array to local memory
 * needs) is true for a launch. */
typedef enum { HOLDS, BREAKS, UNKNOWN } verdict;

/* Checks for one launch whether the array has an element with the index of the assumption. */
static verdict check_within(const pm_index *index, const pm_stage_launch *launch,
                            const pm_assumption *assumption)
{
    const pm_index_array *array = &index->arrays[assumption->a];
    pm_range_of_values range;

    if (!compute_range(&(launched){index, launch}, &assumption->value, &range) ||
        array->argument >= launch->arg_count || launch->args[array->argument].buffer_bytes == 0)
        return UNKNOWN;
    return range.high >= 0 && (size_t)range.high <
                                  launch->args[array->argument].buffer_bytes / array->element_bytes
               ? HOLDS
               : BREAKS;
}

static verdict check_in_launch(const pm_index *index, const pm_stage_launch *launch,
                               const pm_assumption *assumption)
{
    pm_range_of_values range;

    if (assumption->kind == PM_APART)
        return share_buffer(index, launch, assumption) ? BREAKS : HOLDS;
    if (assumption->kind == PM_WITHIN)
        return check_within(index, launch, assumption);
    if (!assumption->value.known ||
        !compute_range(&(launched){index, launch}, &assumption->value, &range))
        return UNKNOWN;
    return (assumption->kind == PM_SOMEWHERE ? range.high : range.low) >= 0 ? HOLDS : BREAKS;
}

/* ---- all launches --------------------------------------------------------------------------- */

/* Checks an assumption for all launches of the kernel. Returns the first result that is not HOLDS,
 * or HOLDS if there is no other. */
static verdict check_in_all(const pm_index *index, const pm_kernel_launches *launches,
                            const pm_assumption *assumption)
{
    long long high;

    if ((assumption->kind == PM_NOT_NEGATIVE || assumption->kind == PM_SOMEWHERE) &&
        assumption->value.known && pm_index_high(index, assumption->value, &high) && high < 0)
        return BREAKS; /* the assumption fails in every launch */
    /* Without known launches, the size of the array is unknown, so it is unknown whether the array
     * has an element with the index `value`. If the index is constant, the array is taken for a
     * table that has an element for each possible index. */
    if (assumption->kind == PM_WITHIN && !launches->any &&
        !pm_poly_is_constant(assumption->value, &high))
        return UNKNOWN;
    for (size_t l = 0; l < launches->count; l++) {
        verdict found = check_in_launch(index, launches->items[l], assumption);

        if (found != HOLDS)
            return found;
    }
    return HOLDS;
}

bool pm_assumptions_hold(const pm_index *index, const pm_kernel_launches *launches,
                         const pm_assumptions *assumptions, const pm_node *node, pm_text *why)
{
    bool holds = true;

    for (size_t i = 0; i < assumptions->count; i++) {
        verdict found = check_in_all(index, launches, &assumptions->items[i]);

        if (found != HOLDS)
            pm_stage_why(why, node,
                         found == BREAKS
                             ? "a launch breaks what staging needs: %s"
                             : "it is not known whether this holds, which staging needs: %s",
                         assumptions->items[i].text);
        holds &= found == HOLDS;
    }
    return holds;
}
