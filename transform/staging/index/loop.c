/* Describes the variable of a counting loop as an atom (an integer that array indices are computed
 * from), with its smallest and largest value. See index.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <limits.h>

#include "transform/staging/index/parts.h"

/* Sets the known bounds of a loop's variable, whose values are start, start + step, ... below
 * end. */
static void bound(const pm_index *index, const pm_loop *loop, pm_atom *atom)
{
    long long high, count;

    atom->low_known = pm_index_low(index, loop->start, &atom->low);
    if (pm_poly_is_constant(pm_poly_subtract(loop->end, loop->start), &count) && count > 0) {
        pm_poly rest = pm_poly_constant((count - 1) / loop->step * loop->step);

        atom->high_known = pm_index_high(index, pm_poly_add(loop->start, rest), &atom->high);
    } else if (pm_index_high(index, loop->end, &high) && high > LLONG_MIN) {
        atom->high_known = true;
        atom->high = high - 1;
    }
}

void pm_index_count_loop(pm_reader *r, const pm_frame *frame, const pm_head *head, pm_loop *loop)
{
    pm_poly distance;
    pm_atom atom = {.kind = PM_ATOM_LOOP};

    if (head->inclusive)
        loop->end = pm_poly_add(loop->end, pm_poly_constant(1));
    distance = pm_poly_subtract(loop->end, loop->start);
    atom.variable = r->symbols[head->symbol].node;
    atom.uniform = loop->start.known ? pm_index_is_uniform(r->index, loop->start)
                                     : pm_index_uniform(r, head->start);
    loop->uniform = distance.known ? pm_index_is_uniform(r->index, distance)
                                   : atom.uniform && pm_index_uniform(r, head->end);
    loop->uniform &= !head->leaves;
    bound(r->index, loop, &atom);
    loop->atom = pm_index_atom(r, &atom, frame, head->node);
}

size_t pm_index_loop_of(const pm_index *index, const pm_node *node)
{
    for (const pm_node *at = node->parent; at; at = at->parent)
        for (size_t l = 0; pm_is_loop(at) && l < index->loop_count; l++)
            if (index->loops[l].node == at)
                return l;
    return PM_NONE;
}
