/* Computes the plan of a memory layout: in which buffer and at which offset each field of a struct
 * is stored. See plan.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/layout/plan.h"

#include <stdint.h>

/* ---- sizes, with detection of overflow ---------------------------------------------------- */

static size_t add(size_t a, size_t b, bool *overflow)
{
    size_t sum;

    *overflow |= __builtin_add_overflow(a, b, &sum);
    return sum;
}

static size_t multiply(size_t a, size_t b, bool *overflow)
{
    size_t product;

    *overflow |= __builtin_mul_overflow(a, b, &product);
    return product;
}

static size_t round_up(size_t bytes, size_t align, bool *overflow)
{
    return add(bytes, align - 1, overflow) / align * align;
}

/* ---- checks of struct and layout ---------------------------------------------------------- */

static bool is_power_of_two(size_t x)
{
    return x != 0 && (x & (x - 1)) == 0;
}

/* Returns true if all bytes of the field are inside of the struct, without overflow. */
static bool field_is_sound(const pm_struct *structure, const pm_field *field)
{
    bool overflow = false;
    size_t end = add(field->offset, field->bytes, &overflow), elements = 1;

    if (field->bytes == 0 || !is_power_of_two(field->align) || field->bytes % field->align != 0 ||
        field->extent_count > sizeof field->extents / sizeof *field->extents)
        return false;
    for (size_t d = 0; d < field->extent_count; d++) {
        const pm_extent *extent = &field->extents[d];

        if (extent->count == 0)
            return false;
        end = add(end, multiply(extent->count - 1, extent->stride, &overflow), &overflow);
        elements = multiply(elements, extent->count, &overflow);
    }
    (void)multiply(elements, field->bytes, &overflow);
    return !overflow && end <= structure->bytes;
}

static void check_clusters(pm_memory *memory, const pm_struct *structure, const pm_layout *layout)
{
    bool *seen = pm_take(memory, structure->field_count, sizeof *seen), sound = true;
    size_t count = 0;

    for (size_t c = 0; sound && c < layout->cluster_count; c++) {
        sound = layout->clusters[c].count > 0;
        for (size_t f = 0; sound && f < layout->clusters[c].count; f++) {
            size_t field = layout->clusters[c].fields[f];

            sound = field < structure->field_count && !seen[field];
            if (sound)
                seen[field] = true;
            count++;
        }
    }
    if (!sound || count != structure->field_count)
        pm_leave(memory, PM_BAD_INPUT,
                 "layout: each of the %zu fields of struct %s must be in exactly one cluster",
                 structure->field_count, structure->name);
}

static void check_layout(pm_memory *memory, const pm_struct *structure, const pm_layout *layout)
{
    if (structure->field_count == 0 || structure->bytes == 0)
        pm_leave(memory, PM_BAD_INPUT, "struct %s has no fields to lay out", structure->name);
    for (size_t f = 0; f < structure->field_count; f++)
        if (!field_is_sound(structure, &structure->fields[f]))
            pm_leave(memory, PM_BAD_INPUT,
                     "struct %s: field %s has no elements or does not lie in the struct's %zu "
                     "bytes",
                     structure->name, structure->fields[f].path, structure->bytes);
    if (layout->align != 0 && layout->align != 8 && layout->align != 16)
        pm_leave(memory, PM_BAD_INPUT, "layout: alignment to %u bytes; there are 8 and 16",
                 layout->align);
    if (layout->kind == PM_LAYOUT_ASTA &&
        (!is_power_of_two(layout->tile) || layout->tile > PM_LAYOUT_MOST_TILE))
        pm_leave(memory, PM_BAD_INPUT, "layout: a tile of %u structs; it must be a power of two",
                 layout->tile);
    if (layout->kind == PM_LAYOUT_CLUSTER)
        check_clusters(memory, structure, layout);
}

/* ---- parts -------------------------------------------------------------------------------- */

/* Returns the alignment in bytes of a struct of `bytes` bytes in an aligned layout. It is 4, 8 or
 * 16: the smallest of these that is not below the struct's size, or 16 for a larger struct, but at
 * most `align`. A GPU loads 4, 8 or 16 aligned bytes with one instruction. Takada and Ohno 2016,
 * section 3.2, align structs of 12 bytes to 16, and of 8 bytes to 8. */
static size_t wanted_align(size_t bytes, size_t align)
{
    size_t enough = bytes <= 4 ? 4 : bytes <= 8 ? 8 : 16;

    return enough < align ? enough : align;
}

/* Appends a field to the members of a part (the struct or array that one buffer of the new layout
 * stores per element or tile). If the layout has tiles of structs (ASTA), each scalar of the field
 * becomes an array of `tile` scalars, one for each struct of the tile. */
static void place(const pm_field *field, size_t index, unsigned tile, pm_part *part, bool *overflow)
{
    pm_member *member = &part->members[part->member_count++];
    size_t elements = pm_field_elements(field);

    *member = (pm_member){.field = index, .stride = field->bytes};
    if (tile > 1 && field->whole)
        member->tile_stride = elements * field->bytes;
    else if (tile > 1)
        member->tile_stride = field->bytes;
    if (!field->whole)
        member->stride = multiply(field->bytes, tile, overflow);
    member->offset = round_up(part->bytes, field->align, overflow);
    part->bytes = add(member->offset, multiply(elements * field->bytes, tile, overflow), overflow);
    if (field->align > part->align)
        part->align = field->align;
}

/* Sets *part to a buffer of the new layout that is an array of structs, each with `count` fields.
 * fields: indices of the fields in the source's struct; NULL: its first `count` fields. */
static void make_struct(const pm_plan *plan, const size_t *fields, size_t count, pm_part *part,
                        bool *overflow)
{
    const pm_struct *structure = plan->structure;
    size_t align;

    part->align = 1;
    for (size_t i = 0; i < count; i++) {
        size_t field = fields ? fields[i] : i;

        place(&structure->fields[field], field, plan->tile, part, overflow);
    }
    if (plan->layout.align) {
        align = wanted_align(round_up(part->bytes, part->align, overflow), plan->layout.align);
        if (align > part->align)
            part->align = align;
    }
    part->bytes = round_up(part->bytes, part->align, overflow);
}

/* Sets *part to a buffer of the new layout that is an array of one field, as in SOA (structure of
 * arrays). */
static void make_array(const pm_field *field, size_t index, pm_part *part, bool *overflow)
{
    part->align = 1;
    place(field, index, 1, part, overflow);
    part->scalar = true;
    part->by_element = field->extent_count > 0 && !field->whole;
    if (part->by_element)
        part->bytes = field->bytes;
}

static size_t count_parts(const pm_struct *structure, const pm_layout *layout)
{
    switch (layout->kind) {
    case PM_LAYOUT_SOA:
        return structure->field_count;
    case PM_LAYOUT_CLUSTER:
        return layout->cluster_count;
    default:
        return 1;
    }
}

static void make_part(pm_memory *memory, pm_plan *plan, size_t i, bool *overflow)
{
    const pm_struct *structure = plan->structure;
    const pm_layout *layout = &plan->layout;
    const bool soa = layout->kind == PM_LAYOUT_SOA;
    pm_part *part = &plan->parts[i];

    part->name = soa ? structure->fields[i].name : pm_format(memory, "%zu", i);
    part->members = pm_take(memory, soa ? 1 : structure->field_count, sizeof *part->members);
    if (soa)
        make_array(&structure->fields[i], i, part, overflow);
    else if (plan->identity) {
        part->bytes = structure->bytes;
        part->align = structure->align;
    } else if (layout->kind == PM_LAYOUT_CLUSTER)
        make_struct(plan, layout->clusters[i].fields, layout->clusters[i].count, part, overflow);
    else
        make_struct(plan, NULL, structure->field_count, part, overflow);
}

pm_plan *pm_plan_create(pm_memory *memory, const pm_struct *structure, const pm_layout *layout)
{
    pm_plan *plan = pm_take(memory, 1, sizeof *plan);
    bool overflow = false;

    check_layout(memory, structure, layout);
    *plan = (pm_plan){.structure = structure,
                      .layout = *layout,
                      .tile = layout->kind == PM_LAYOUT_ASTA ? layout->tile : 1,
                      .identity = layout->kind == PM_LAYOUT_AOS && layout->align == 0,
                      .part_count = count_parts(structure, layout)};
    plan->parts = pm_take(memory, plan->part_count, sizeof *plan->parts);
    for (size_t i = 0; i < plan->part_count; i++) {
        make_part(memory, plan, i, &overflow);
        plan->needs_count |= plan->parts[i].by_element;
    }
    if (overflow)
        pm_leave(memory, PM_BAD_INPUT, "layout: struct %s is too large for it", structure->name);
    return plan;
}

size_t pm_plan_part_bytes(const pm_plan *plan, size_t part, size_t n)
{
    const pm_part *p = &plan->parts[part];
    size_t items = n / plan->tile + (n % plan->tile != 0);
    bool overflow = false;
    size_t bytes = multiply(items, p->bytes, &overflow);

    if (p->by_element)
        bytes = multiply(bytes, pm_field_elements(&plan->structure->fields[p->members[0].field]),
                         &overflow);
    return overflow ? SIZE_MAX : bytes;
}
