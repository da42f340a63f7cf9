/* Writes the code by which a work-group copies elements of an array from global memory to a tile (a
 * copy of a part of the array in local memory), or back. See emit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Neighbouring work-items copy neighbouring elements. Work-items use their ids per dimension if the
 * copy then needs no more iterations than with their linear index; otherwise they use the linear
 * index.
 */
#include "transform/staging/emit/emit.h"
#include "transform/staging/tile/box.h"

/* State while the code is written that copies a box, which is a range of the elements of a tile
 * (copy of a part of an array in local memory). */
typedef struct {
    pm_operands *operands;
    const pm_tile *tile;
    const pm_box *box;
    const char *name;         /* of the tile's variable */
    bool wide;                /* true: indices of the array may need 64 bits */
    pm_poly at[PM_MOST_AXES]; /* at[k]: position of the copied element in the tile along axis k */
    pm_text conditions;
} copying;

/* Adds a symbolic value for the variable `name` of the loop that copies elements. Returns a
 * polynomial that consists of this value. */
static pm_poly add_variable(pm_index *index, const char *name)
{
    /* the kind PM_ATOM_CLAMP is used because operands of this kind are written without a cast */
    pm_atom atom = {.kind = PM_ATOM_CLAMP, .text = name};

    return pm_poly_atom(pm_index_add_atom(index, &atom));
}

static void add_condition(copying *c, const char *condition)
{
    pm_text_add(&c->conditions, "%s%s", c->conditions.length ? " && " : "", condition);
}

/* Appends the code of a polynomial. operand: true if it is written as an operand of * or of a cast,
 * in parentheses if it has several terms. */
static void write_poly(copying *c, const pm_poly *poly, bool operand, pm_text *out)
{
    (operand ? pm_poly_operand : pm_poly_text)(poly, pm_operands_code(c->operands, c->wide), out);
}

/* ---- index in the array --------------------------------------------------------------------- */

/* *rest: terms of an array index. Removes from it the terms that are multiples of the stride of
 * this axis of the tile. Returns the sum of the removed terms divided by the stride. */
static pm_poly take_multiples(const pm_axis *axis, pm_poly *rest)
{
    const pm_term *by = axis->stride.count ? &axis->stride.terms[0] : NULL;
    pm_poly quotient = pm_poly_constant(0);

    for (size_t t = 0; by && t < rest->count;) {
        pm_term left;

        if (!pm_term_divide(&rest->terms[t], by, &left)) {
            t++;
            continue;
        }
        quotient = pm_poly_add(quotient, pm_poly_of_term(&left));
        *rest = pm_poly_subtract(*rest, pm_poly_of_term(&rest->terms[t]));
        t = 0;
    }
    return quotient;
}

/* Returns the code of a cast to the type of array indices; "" if indices have 32 bits. Operands of
 * min() and max() need the cast, because both must have the same type. */
static const char *write_cast(const copying *c)
{
    return c->wide ? pm_format(c->operands->memory, "(%s)", c->operands->words->index) : "";
}

static void write_clamped(copying *c, const pm_axis *axis, const pm_poly *value, pm_text *out)
{
    const bool both = axis->least.known && axis->most.known;
    const char *type = write_cast(c);

    if (both)
        pm_text_add(out, c->operands->words->is_cuda ? "min(max(" : "clamp(");
    else
        pm_text_add(out, axis->least.known ? "max(" : "min(");
    pm_text_add(out, "%s", type);
    write_poly(c, value, c->wide, out);
    for (int i = 0; i < 2; i++) {
        const pm_poly *bound = i == 0 ? &axis->least : &axis->most;

        if (!bound->known)
            continue;
        pm_text_add(out, ", %s", type);
        write_poly(c, bound, c->wide, out);
        if (i == 0 && both && c->operands->words->is_cuda)
            pm_text_add(out, ")");
    }
    pm_text_add(out, ")");
}

/* Appends the code of one axis's contribution to the array index: value * stride. */
static void write_dimension(copying *c, const pm_axis *axis, const pm_poly *value, pm_text *out)
{
    long long stride;
    bool one = pm_poly_is_constant(axis->stride, &stride) && stride == 1;
    bool first = out->length == 0;

    if (value->count == 0 && !axis->clamped)
        return;
    pm_text_add(out, "%s", first ? "" : " + ");
    if (axis->clamped)
        write_clamped(c, axis, value, out);
    else
        write_poly(c, value, !one, out);
    if (!one) {
        pm_text_add(out, " * ");
        write_poly(c, &axis->stride, true, out);
    }
}

/* Splits the array index at which the tile starts into multiples of the strides of the tile's axes.
 * values[k] is the multiple for axis k. Returns the remaining terms. */
static pm_poly take_values(const copying *c, pm_poly *values)
{
    const pm_tile *tile = c->tile;
    pm_poly rest = tile->base;

    for (size_t k = 0; k < tile->axis_count; k++)
        if (!tile->axes[k].clamped)
            rest = pm_poly_add(rest, pm_poly_scale(tile->axes[k].key, tile->axes[k].low));
    for (size_t k = 0; k < tile->axis_count; k++) {
        const pm_axis *axis = &tile->axes[k];

        /* axis->low is the lowest position along this axis. For a clamped axis it is added here.
         * For other axes, the start of the tile already includes it. */
        values[k] = pm_poly_add(axis->origin, axis->clamped ? pm_poly_constant(axis->low)
                                                            : take_multiples(axis, &rest));
    }
    return rest;
}

/* Appends the code of the index in the array of the copied element. */
static void write_index(copying *c, pm_text *out)
{
    pm_poly values[PM_MOST_AXES], rest = take_values(c, values);
    pm_text index = {.memory = c->operands->memory};

    for (size_t k = 0; k < c->tile->axis_count; k++) {
        pm_poly value = pm_poly_add(values[k], c->at[k]);

        write_dimension(c, &c->tile->axes[k], &value, &index);
    }
    if (rest.count > 0 || index.length == 0) {
        write_poly(c, &rest, false, out);
        pm_text_add(out, "%s", index.length ? " + " : "");
    }
    pm_text_add(out, "%s", pm_text_get(&index));
}

/* ---- conditions for limits ------------------------------------------------------------------ */

/* Adds the condition left < right to the copy's code if `upper` is true; otherwise left >=
 * right. */
static void add_comparison(copying *c, bool upper, const pm_poly *left, const pm_poly *right)
{
    pm_text text = {.memory = c->operands->memory};

    write_poly(c, left, false, &text);
    pm_text_add(&text, upper ? " < " : " >= ");
    write_poly(c, right, false, &text);
    add_condition(c, pm_text_get(&text));
}

/* Adds a condition to the copy's code, so that it copies only elements within a limit along axis k.
 * The limit is `bound` plus a constant. The condition compares positions in the tile or in the
 * array, whichever gives the shorter code. */
static void write_bound(copying *c, size_t k, const pm_limit *limit, const pm_poly *bound)
{
    const pm_axis *axis = &c->tile->axes[k];
    pm_poly constant = pm_poly_constant(limit->constant - axis->low + limit->upper);
    pm_poly left = pm_poly_scale(c->at[k], axis->unit), right = pm_poly_add(*bound, constant);
    pm_poly values[PM_MOST_AXES], from_array[2];

    take_values(c, values);
    from_array[0] = pm_poly_add(left, values[k]);
    from_array[1] = pm_poly_add(right, values[k]);
    if (axis->unit == 1 && from_array[0].known && from_array[1].known &&
        from_array[0].count + from_array[1].count <= left.count + right.count)
        add_comparison(c, limit->upper, &from_array[0], &from_array[1]);
    else
        add_comparison(c, limit->upper, &left, &right);
}

/* Adds a condition to the copy's code, so that it copies only elements within a limit along axis k.
 * The limit is a sum with one summand for each entry of limit->parts. An upper limit has the
 * minimum of the entry's bounds as summand, and a lower limit their maximum. */
static void write_sum(copying *c, size_t k, const pm_limit *limit)
{
    const pm_axis *axis = &c->tile->axes[k];
    const char *pick = limit->upper ? "min" : "max", *type = write_cast(c);
    pm_poly left = pm_poly_scale(c->at[k], axis->unit);
    long long constant = limit->constant - axis->low;
    pm_text text = {.memory = c->operands->memory};

    write_poly(c, &left, false, &text);
    pm_text_add(&text, limit->upper ? " <= " : " >= ");
    for (size_t p = 0; p < limit->part_count; p++) {
        pm_text_add(&text, "%s", p ? " + " : "");
        for (size_t b = 0; b < limit->parts[p].bound_count; b++)
            pm_text_add(&text, "%s(%s", pick, type);
        pm_text_add(&text, limit->parts[p].hull < 0 ? "(%lld)" : "%lld", limit->parts[p].hull);
        for (size_t b = 0; b < limit->parts[p].bound_count; b++) {
            pm_text_add(&text, ", %s", type);
            write_poly(c, &limit->parts[p].bounds[b], c->wide, &text);
            pm_text_add(&text, ")");
        }
    }
    if (constant != 0)
        pm_text_add(&text, constant < 0 ? " - %lld" : " + %lld",
                    constant < 0 ? -constant : constant);
    add_condition(c, pm_text_get(&text));
}

/* Adds conditions to the copy's code, so that it leaves out elements beyond the limits of the
 * box. */
static void write_limits(copying *c)
{
    for (size_t l = 0; l < c->box->limit_count; l++) {
        const pm_limit *limit = &c->box->limits[l];
        size_t k = c->box->limit_axis[l];

        for (size_t b = 0; limit->part_count == 1 && b < limit->parts[0].bound_count; b++)
            write_bound(c, k, limit, &limit->parts[0].bounds[b]);
        if (limit->part_count > 1)
            write_sum(c, k, limit);
    }
}

/* ---- loops ---------------------------------------------------------------------------------- */

/* Returns the dimension of the work-group whose local ids a copy uses along axis k of the tile.
 * Dimension 0 is used for the last axis, so that neighbouring work-items copy neighbouring
 * elements. */
static size_t find_dimension(const pm_tile *tile, size_t k)
{
    return tile->axis_count - 1 - k;
}

static size_t count_rounds(size_t extent, size_t items)
{
    return extent / items + (extent % items != 0);
}

static size_t count_elements(const pm_tile *tile, const pm_box *box)
{
    size_t elements = 1;

    for (size_t k = 0; k < tile->axis_count; k++)
        elements *= box->extent[k];
    return elements;
}

/* A copy can use the local id of each dimension for one axis of the tile, or the linear index of
 * the work-item for all axes. Returns true if the former is possible and takes at most as many
 * iterations as the latter. */
static bool is_natural(const pm_index *index, const pm_tile *tile, const pm_box *box)
{
    const size_t *group = index->work_group;
    size_t natural = 1, items = pm_index_group_items(index);

    if (tile->axis_count == 0 || (group[2] > 1 && tile->axis_count < 3) ||
        (group[1] > 1 && tile->axis_count < 2))
        return false;
    for (size_t k = 0; k < tile->axis_count; k++)
        natural *= count_rounds(box->extent[k], group[find_dimension(tile, k)]);
    return natural <= count_rounds(count_elements(tile, box), items);
}

/* Sets the position of the copied element along axis k: the start of the box plus
 * `variable_part`. */
static void set_position(copying *c, size_t k, pm_poly variable_part)
{
    c->at[k] = pm_poly_add(pm_poly_constant((long long)c->box->first[k]), variable_part);
}

/* Returns a name for the variable of a position along axis k of the tile: p (plane), r (row) or c
 * (column), with a number if the source has the name. */
static const char *coordinate_name(const copying *c, size_t k)
{
    static const char *const wishes[] = {"p", "r", "c"};

    return pm_names_unused(c->operands->names, wishes[k + 3 - c->tile->axis_count]);
}

/* Appends the head of a for loop for each axis of the box that is longer than the work-group in its
 * dimension. Returns the number of loops. */
static size_t open_natural(copying *c, const char *indent, pm_text *text)
{
    size_t depth = 0;

    for (size_t k = 0; k < c->tile->axis_count; k++) {
        size_t d = find_dimension(c->tile, k), items = c->operands->index->work_group[d];
        size_t extent = c->box->extent[k];
        const char *local = items > 1 ? pm_operands_local(c->operands, (unsigned)d) : "0";
        pm_poly at = items > 1 ? add_variable(c->operands->index, local) : pm_poly_constant(0);

        if (extent > items) {
            const char *name = c->tile->axis_count == 1 ? pm_names_unused(c->operands->names, "i")
                                                        : coordinate_name(c, k);

            pm_text_add(text, "%s%*sfor (int %s = %s; %s < %zu; %s += %zu)\n", indent,
                        (int)depth * 4, "", name, local, name, extent, name, items);
            at = add_variable(c->operands->index, name);
            depth++;
        } else if (extent < items)
            add_condition(c, pm_format(c->operands->memory, "%s < %zu", local, extent));
        set_position(c, k, at);
    }
    return depth;
}

/* Appends the declaration of a variable for the position along an axis that is copied, such as
 * const int r = i / 34; and returns the variable as a polynomial. */
static pm_poly declare_coordinate(copying *c, size_t k, const char *number, const char *indent,
                                  pm_text *text)
{
    const char *own = coordinate_name(c, k);
    size_t below = 1;

    for (size_t i = k + 1; i < c->tile->axis_count; i++)
        below *= c->box->extent[i];
    pm_text_add(text, "%s    const int %s = %s", indent, own, number);
    if (below > 1)
        pm_text_add(text, " / %zu", below);
    if (k > 0)
        pm_text_add(text, " %% %zu", c->box->extent[k]);
    pm_text_add(text, ";\n");
    return add_variable(c->operands->index, own);
}

/* Appends the head of a copy that uses the linear index of work-items. *block is set to true if the
 * copy is in braces. Returns the depth of indentation. */
static size_t open_flat(copying *c, const char *indent, bool *block, pm_text *text)
{
    size_t items = pm_index_group_items(c->operands->index);
    size_t elements = count_elements(c->tile, c->box), depth = 0;
    const char *item = pm_operands_item(c->operands);
    const char *name = elements > items ? pm_names_unused(c->operands->names, "i") : item;

    *block = c->tile->axis_count > 1 && elements > 1;
    if (elements > items) {
        pm_text_add(text, "%sfor (int %s = %s; %s < %zu; %s += %zu)%s\n", indent, name, item, name,
                    elements, name, items, *block ? " {" : "");
        depth = 1;
    } else if (elements < items && *block)
        pm_text_add(text, "%sif (%s < %zu) {\n", indent, item, elements);
    else if (elements < items)
        add_condition(c, elements == 1
                             ? pm_format(c->operands->memory, "%s == 0", item)
                             : pm_format(c->operands->memory, "%s < %zu", item, elements));
    else if (*block)
        pm_text_add(text, "%s{\n", indent);
    for (size_t k = 0; k < c->tile->axis_count; k++)
        set_position(c, k,
                     *block         ? declare_coordinate(c, k, name, indent, text)
                     : elements > 1 ? add_variable(c->operands->index, name)
                                    : pm_poly_constant(0));
    return *block ? 1 : depth;
}

/* ---- copy of one box ------------------------------------------------------------------------ */

/* Appends the code of the copied element in the tile. */
static void write_item(copying *c, pm_text *out)
{
    pm_text_add(out, "%s", c->name);
    for (size_t k = 0; k < c->tile->axis_count; k++)
        pm_write_subscript(&c->at[k], pm_operands_code(c->operands, c->wide), out);
    if (c->tile->axis_count == 0)
        pm_text_add(out, "[0]");
}

/* Appends the code that copies the elements of one box. out: true if they are copied from the tile
 * to the array. */
static void write_box(copying *c, bool out, const char *indent, pm_text *text)
{
    const char *array = c->operands->index->arrays[c->tile->array].name;
    pm_text item = {.memory = c->operands->memory}, index = {.memory = c->operands->memory};
    bool block = false;
    size_t depth = is_natural(c->operands->index, c->tile, c->box)
                       ? open_natural(c, indent, text)
                       : open_flat(c, indent, &block, text);

    write_limits(c);
    write_item(c, &item);
    write_index(c, &index);
    if (c->conditions.length > 0) {
        pm_text_add(text, "%s%*sif (%s)\n", indent, (int)depth * 4, "",
                    pm_text_get(&c->conditions));
        depth++;
    }
    if (out)
        pm_text_add(text, "%s%*s%s[%s] = %s;\n", indent, (int)depth * 4, "", array,
                    pm_text_get(&index), pm_text_get(&item));
    else
        pm_text_add(text, "%s%*s%s = %s[%s];\n", indent, (int)depth * 4, "", pm_text_get(&item),
                    array, pm_text_get(&index));
    if (block)
        pm_text_add(text, "%s}\n", indent);
}

void pm_copies_write(const pm_named_tile *named, pm_operands *o, bool out, const char *indent,
                     pm_text *text)
{
    const pm_tile *tile = named->tile;
    const pm_boxes *boxes = out ? &tile->copies.out : &tile->copies.in;

    for (size_t b = 0; b < boxes->count; b++) {
        copying c = {.operands = o,
                     .tile = tile,
                     .box = &boxes->items[b],
                     .name = named->name,
                     .wide = named->wide,
                     .conditions = {.memory = o->memory}};

        if (b > 0 && pm_boxes_overlap(tile, boxes->items, b))
            pm_text_add(text, "%s%s\n", indent, o->words->barrier_all);
        write_box(&c, out, indent, text);
    }
}
