/* Collects the assumptions of tiles, which are conditions that staging needs and the source does
 * not prove, and checks them for the known launches. See stage.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "transform/staging/tile/parts.h"
#include "transform/staging/tile/stage.h"

/* ---- collecting assumptions ----------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static void
assume(pm_sharing *s, const pm_assumption *assumption, const char *format, ...)
{
    pm_assumption added = *assumption;
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (size_t i = 0; i < s->assumption_count; i++)
        if (strcmp(s->assumptions[i].text, text) == 0)
            return;
    added.text = pm_copy(s->memory, text);
    *pm_add(s->memory, s->assumptions, s->assumption_count) = added;
}

/* Returns the code of a polynomial for messages, with the names of ids, variables and arguments. */
static const char *say(const pm_sharing *s, const pm_poly *poly)
{
    pm_text text = {.memory = s->memory};

    pm_poly_text(poly, pm_index_names(&s->index, s->memory, ""), &text);
    return pm_text_get(&text);
}

static void assume_not_negative(pm_sharing *s, pm_poly value, bool somewhere, const pm_node *node)
{
    pm_assumption assumption = {.kind = somewhere ? PM_SOMEWHERE : PM_NOT_NEGATIVE, .value = value};

    if (pm_index_is_not_negative(&s->index, value))
        return;
    assume(s, &assumption, "kernel %s, line %u: %s >= 0 %s", s->index.name, pm_ast_line(node, NULL),
           say(s, &value), somewhere ? "for some work-item" : "for all work-items");
}

/* Adds the assumptions for indices that clamp() or min() limits. If the tile's positions along an
 * axis are limited, the position of each access must be within these limits. This is assumed for
 * each side on which the access itself does not clamp its index. */
static void assume_clamps(pm_sharing *s, const pm_tile *tile, const pm_tile_member *member)
{
    const pm_node *node = s->index.accesses[member->access].node;

    for (size_t a = 0; a < s->index.atom_count; a++)
        if (s->index.atoms[a].kind == PM_ATOM_CLAMP && s->index.atoms[a].assumed.known &&
            pm_poly_has(&s->index.accesses[member->access].index, a))
            assume_not_negative(s, s->index.atoms[a].assumed, false, node);
    for (size_t k = 0; k < tile->axis_count; k++) {
        const pm_axis *axis = &tile->axes[k];
        pm_poly value = pm_poly_add(axis->origin, member->forms[k]);

        if (axis->least.known && !(member->clamped_low & 1u << k))
            assume_not_negative(s, pm_poly_subtract(value, axis->least), false, node);
        if (axis->most.known && !(member->clamped_high & 1u << k))
            assume_not_negative(s, pm_poly_subtract(axis->most, value), false, node);
    }
}

/* Adds the assumption that all elements that an access may access are inside of the array. */
static void assume_within(pm_sharing *s, const pm_tile *tile, const pm_tile_member *member)
{
    const pm_index_access *access = &s->index.accesses[member->access];
    pm_poly first = tile->base;
    pm_poly last = pm_poly_add(tile->base, pm_poly_constant(access->width - 1));
    pm_assumption within = {.kind = PM_WITHIN, .a = tile->array};

    for (size_t k = 0; k < tile->axis_count; k++) {
        long long low = 0, high = 0;

        /* pm_form_range() cannot fail here, because the tile was made with the range of this
         * position. */
        pm_form_range(s, member->forms[k], &low, &high);
        first = pm_poly_add(first, pm_poly_scale(tile->axes[k].key, low));
        last = pm_poly_add(last, pm_poly_scale(tile->axes[k].key, high));
    }
    assume_not_negative(s, first, false, access->node);
    within.value = last;
    assume(s, &within, "kernel %s, line %u: %s has an element %s", s->index.name,
           pm_ast_line(access->node, NULL), s->index.arrays[tile->array].name, say(s, &last));
}

bool pm_member_in_unknown_loop(const pm_sharing *s, const pm_tile *tile,
                               const pm_tile_member *member)
{
    size_t l = s->index.accesses[member->access].loop;

    for (; l != PM_NONE; l = s->index.loops[l].parent) {
        const pm_loop *loop = &s->index.loops[l];

        if (l != tile->region.tiled && pm_region_has(&tile->region, loop->node) &&
            tile->region.counts[l] == PM_NO_ATOM && (!loop->start.known || !loop->end.known))
            return true;
    }
    return false;
}

/* Adds the assumptions that an access to a tile is executed: in every work-group, each loop around
 * the access runs at least once, and each condition on ids that does not limit the accessed
 * elements is true for some work-item. */
static void assume_executed(pm_sharing *s, const pm_tile *tile, const pm_tile_member *member)
{
    const pm_index_access *access = &s->index.accesses[member->access];

    for (size_t l = access->loop; l != PM_NONE; l = s->index.loops[l].parent) {
        const pm_loop *loop = &s->index.loops[l];
        pm_poly runs = pm_poly_subtract(loop->end, loop->start);

        if (l == tile->region.tiled || !pm_region_has(&tile->region, loop->node) ||
            tile->region.counts[l] != PM_NO_ATOM)
            continue;
        if (runs.known)
            assume_not_negative(s, pm_poly_subtract(runs, pm_poly_constant(1)), false, loop->node);
        else
            assume(s, &(pm_assumption){.kind = PM_SOMEWHERE},
                   "kernel %s: the loop in line %u runs at least once", s->index.name,
                   pm_ast_line(loop->node, NULL));
    }
    for (size_t g = 0; g < access->guard_count; g++) {
        const pm_guard *guard = &s->index.guards[access->guards[g]];

        if (guard->assumed.known)
            assume_not_negative(s, guard->assumed, false, guard->node);
        for (size_t b = 0; b < guard->bound_count && !guard->uniform; b++)
            assume_not_negative(s, guard->bounds[b], true, guard->node);
    }
}

static void assume_apart(pm_sharing *s, const pm_tile *tile)
{
    const pm_index_array *own = &s->index.arrays[tile->array];

    if (own->is_constant || own->is_restrict)
        return;
    for (size_t a = 0; a < s->index.array_count; a++) {
        const pm_index_array *other = &s->index.arrays[a];
        bool may_write = other->written || (other->escape && !other->is_const);

        if (a == tile->array || other->is_restrict || !(may_write || tile->written))
            continue;
        assume(s, &(pm_assumption){.kind = PM_APART, .a = tile->array, .b = a},
               "kernel %s: %s and %s do not overlap (neither is restrict)", s->index.name,
               own->name, other->name);
    }
}

/* Adds the assumption that the tile has no element of the array twice, because different positions
 * in the tile never belong to the same element. It is needed if the tile is written. */
static void assume_distinct(pm_sharing *s, const pm_tile *tile)
{
    for (size_t k = 0; tile->written && k + 1 < tile->axis_count; k++) {
        const pm_axis *axis = &tile->axes[k], *next = &tile->axes[k + 1];
        pm_poly need = pm_poly_scale(next->stride, (long long)next->extent);

        assume_not_negative(s, pm_poly_subtract(axis->stride, need), false,
                            s->index.accesses[tile->members[0].access].node);
    }
}

void pm_tile_assume(pm_sharing *s, const pm_tile *tile)
{
    bool copies = tile->box_count + tile->out_count > 0;

    assume_apart(s, tile);
    if (tile->whole)
        return;
    if (copies)
        assume_distinct(s, tile);
    for (size_t m = 0; m < tile->member_count; m++) {
        assume_clamps(s, tile, &tile->members[m]);
        if (tile->members[m].whole)
            assume_within(s, tile, &tile->members[m]);
        else if (copies && !tile->members[m].covered)
            assume_executed(s, tile, &tile->members[m]);
    }
}

/* ---- checking assumptions for launches ------------------------------------------------------ */

typedef struct {
    const pm_sharing *s;
    const pm_stage_launch *launch;
} launched;

static pm_range_of_values range_of_atom(const void *user, size_t a);

static pm_range_of_values between(long long low, long long high)
{
    return (pm_range_of_values){true, true, low, high};
}

/* Computes the smallest and the largest value of a polynomial in one launch, by interval
 * arithmetic. Returns false if one of them is unknown. */
static bool range_in(const launched *in, const pm_poly *poly, pm_range_of_values *range)
{
    *range = pm_poly_range(poly, range_of_atom, in);
    return range->low_known && range->high_known;
}

/* Returns the range of a loop's variable in one launch, from its first to its last value. */
static pm_range_of_values range_of_loop(const launched *in, size_t atom)
{
    pm_range_of_values start, end;

    for (size_t l = 0; l < in->s->index.loop_count; l++) {
        const pm_loop *loop = &in->s->index.loops[l];

        if (loop->atom == atom && range_in(in, &loop->start, &start) &&
            range_in(in, &loop->end, &end))
            return between(start.low, end.high > start.low ? end.high - 1 : start.low);
    }
    return (pm_range_of_values){.low_known = false};
}

/* Returns the range of an atom (a symbolic value such as an id or argument) in one launch: both
 * bounds are known, or none. */
static pm_range_of_values range_of_atom(const void *user, size_t a)
{
    const launched *in = user;
    const pm_stage_launch *launch = in->launch;
    const pm_atom *atom = &in->s->index.atoms[a];
    const unsigned d = atom->dimension;
    const long long offset = d < 3 ? (long long)launch->offset[d] : 0;

    switch (atom->kind) {
    case PM_ATOM_GROUP:
        return between(0, (long long)(launch->global[d] / launch->local[d]) - 1);
    case PM_ATOM_OFFSET:
        return between(offset, offset);
    case PM_ATOM_VALUE:
        if (d < 3 && a == in->s->first_id[d])
            return between(offset, offset + (long long)(launch->global[d] - launch->local[d]));
        for (size_t p = 0; p < launch->arg_count; p++)
            if (atom->variable && launch->args[p].is_integer &&
                pm_ast_parameter(in->s->index.kernel, p) == atom->variable)
                return between(launch->args[p].value, launch->args[p].value);
        return (pm_range_of_values){.low_known = false};
    default:
        return atom->low_known && atom->high_known ? between(atom->low, atom->high)
                                                   : range_of_loop(in, a);
    }
}

static bool are_one_buffer(const pm_sharing *s, const pm_stage_launch *launch,
                           const pm_assumption *assumption)
{
    size_t a = s->index.arrays[assumption->a].argument, b = s->index.arrays[assumption->b].argument;

    return a < launch->arg_count && b < launch->arg_count &&
           launch->args[a].buffer == launch->args[b].buffer;
}

/* Result of checking whether an assumption holds for a launch. */
typedef enum { HOLDS, BREAKS, UNKNOWN } verdict;

static verdict judge_within(const pm_sharing *s, const pm_stage_launch *launch,
                            const pm_assumption *assumption)
{
    const pm_index_array *array = &s->index.arrays[assumption->a];
    pm_range_of_values range;

    if (!range_in(&(launched){s, launch}, &assumption->value, &range) ||
        array->argument >= launch->arg_count || launch->args[array->argument].buffer_bytes == 0)
        return UNKNOWN;
    return range.high >= 0 && (size_t)range.high <
                                  launch->args[array->argument].buffer_bytes / array->element_bytes
               ? HOLDS
               : BREAKS;
}

static verdict judge(const pm_sharing *s, const pm_stage_launch *launch,
                     const pm_assumption *assumption)
{
    pm_range_of_values range;

    if (assumption->kind == PM_APART)
        return are_one_buffer(s, launch, assumption) ? BREAKS : HOLDS;
    if (assumption->kind == PM_WITHIN)
        return judge_within(s, launch, assumption);
    if (!assumption->value.known || !range_in(&(launched){s, launch}, &assumption->value, &range))
        return UNKNOWN;
    return (assumption->kind == PM_SOMEWHERE ? range.high : range.low) >= 0 ? HOLDS : BREAKS;
}

/* Checks an assumption for all launches of the kernel. Returns the first result that is not HOLDS,
 * or HOLDS if there is no other. */
static verdict judge_all(const pm_sharing *s, const pm_assumption *assumption)
{
    long long high;

    if ((assumption->kind == PM_NOT_NEGATIVE || assumption->kind == PM_SOMEWHERE) &&
        assumption->value.known && pm_index_high(&s->index, assumption->value, &high) && high < 0)
        return BREAKS; /* the assumption fails in every launch */
    /* Without known launches, the size of the array is unknown, so it is unknown whether the array
     * has an element with the index `value`. If the index is constant, the array is taken for a
     * table that has an element for each possible index. */
    if (assumption->kind == PM_WITHIN && s->request->launch_count == 0 &&
        !pm_poly_is_constant(assumption->value, &high))
        return UNKNOWN;
    for (size_t l = 0; l < s->launch_count; l++) {
        verdict found = judge(s, s->launches[l], assumption);

        if (found != HOLDS)
            return found;
    }
    return HOLDS;
}

bool pm_tile_holds(pm_sharing *s, const pm_tile *tile, pm_text *why)
{
    pm_assumption *others = s->assumptions;
    size_t other_count = s->assumption_count;
    bool holds = true;

    s->assumptions = NULL;
    s->assumption_count = 0;
    pm_tile_assume(s, tile);
    for (size_t i = 0; i < s->assumption_count; i++) {
        verdict found = judge_all(s, &s->assumptions[i]);

        if (found != HOLDS)
            pm_stage_why(why, tile->region.first,
                         found == BREAKS
                             ? "a launch breaks what staging needs: %s"
                             : "it is not known whether this holds, which staging needs: %s",
                         s->assumptions[i].text);
        holds &= found == HOLDS;
    }
    s->assumptions = others;
    s->assumption_count = other_count;
    return holds;
}
