/* Finds the words of 8 or 16 bytes in which the buffers of a new memory layout can be read and
 * written by vector accesses, and tells whether two accesses address the same element. See
 * vectorize.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/layout/clang/vectorize.h"

bool pm_vector_word(const pm_plan *plan, size_t field, pm_word *word)
{
    const pm_field *f = &plan->structure->fields[field];
    size_t p, m, bytes, at;

    /* A field of a type such as float3 is in no vector word: it has the size of float4, but only
     * three components. */
    if (!plan->layout.align || plan->tile > 1 || f->extent_count > 0 ||
        f->type[strlen(f->type) - 1] == '3')
        return false;
    pm_plan_find(plan, field, &p, &m);
    bytes = plan->parts[p].align < 16 ? plan->parts[p].align : 16;
    at = plan->parts[p].members[m].offset;
    *word = (pm_word){p, at / bytes, bytes};
    return bytes >= 8 && plan->parts[p].bytes % bytes == 0 &&
           at / bytes == (at + f->bytes - 1) / bytes && (f->bytes & (f->bytes - 1)) == 0 &&
           f->bytes % 4 == 0;
}

bool pm_vector_same_word(const pm_word *a, const pm_word *b)
{
    return a->part == b->part && a->word == b->word;
}

bool pm_vector_key(const pm_vector *wide, const pm_element_access *access, pm_element_key *key)
{
    if (!pm_element_key_of(&wide->rw->unit->ast, access, key))
        return false;
    for (size_t i = 0; i < key->variable_count; i++)
        if (pm_is_one_of(wide->addressed, wide->addressed_count, key->variables[i]))
            return false;
    return true;
}
