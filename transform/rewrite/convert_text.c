/* Writes the source of kernels that copy an array of structs from one layout to another. See
 * parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan has the position of every field in memory. The kernels treat the buffers of both layouts
 * as bytes and compute addresses from the two plans. So they need no types of the source, and they
 * support all pairs of layouts, including the source's own struct. Each work-item copies one
 * element, scalar by scalar.
 */
#include "transform/layout/plan_text.h"
#include "transform/rewrite/parts.h"

/* types[k]: integer type of 2^k bytes. Any scalar or vector of this size is copied bit by bit with
 * it. */
static const char *const types[] = {"uchar", "ushort", "uint",   "ulong",
                                    "uint4", "uint8",  "uint16", "ulong16"};

static void write_parameters(pm_text *out, const pm_kernel_words *words, const pm_plan *plan,
                             bool read)
{
    for (size_t p = 0; p < plan->part_count; p++)
        pm_text_add(out, "%s%s%s *%s_%s, ", words->global, read ? "const " : "",
                    pm_kernel_type(words, "uchar"), read ? "from" : "to", plan->parts[p].name);
}

/* Appends code for the address of a field in an element of the array, in the layout that the source
 * itself declares. */
static void write_source_address(pm_text *out, const pm_plan *plan, const pm_field *field,
                                 const char *prefix)
{
    pm_text_add(out, "%s_%s + element * %zu + %zu", prefix, plan->parts[0].name,
                plan->parts[0].bytes, field->offset);
    for (size_t d = 0; d < field->extent_count; d++)
        pm_text_add(out, " + k%zu * %zu", d, field->extents[d].stride);
}

static void write_part_address(pm_text *out, const pm_plan *plan, const pm_part *part,
                               const pm_member *member, const char *prefix)
{
    const pm_field *field = &plan->structure->fields[member->field];

    pm_text_add(out, "%s_%s + ", prefix, part->name);
    if (part->by_element) {
        pm_text_add(out, "((");
        pm_plan_text_flat(out, field);
        pm_text_add(out, ") * elements + element) * %zu", part->bytes);
        return;
    }
    if (plan->tile > 1)
        pm_text_add(out, "element / %u * %zu + element %% %u * %zu", plan->tile, part->bytes,
                    plan->tile, member->tile_stride);
    else
        pm_text_add(out, "element * %zu", part->bytes);
    pm_text_add(out, " + %zu", member->offset);
    if (field->extent_count > 0) {
        pm_text_add(out, " + (");
        pm_plan_text_flat(out, field);
        pm_text_add(out, ") * %zu", member->stride);
    }
}

static void write_address(pm_text *out, const pm_plan *plan, size_t field, const char *prefix)
{
    if (plan->identity)
        write_source_address(out, plan, &plan->structure->fields[field], prefix);
    for (size_t p = 0; p < plan->part_count; p++)
        for (size_t m = 0; m < plan->parts[p].member_count; m++)
            if (plan->parts[p].members[m].field == field)
                write_part_address(out, plan, &plan->parts[p], &plan->parts[p].members[m], prefix);
}

/* Returns the number of bytes that one assignment of a conversion kernel copies. An OpenCL C
 * assignment copies the whole field, whose size is a power of two. A CUDA vector may have three
 * scalars. A CUDA assignment therefore copies as many bytes as the field's alignment, at most 8
 * (the largest scalar). */
static size_t unit_of(const pm_kernel_words *words, const pm_field *field)
{
    const size_t most = field->align < 8 ? field->align : 8;

    return words->is_cuda ? most : field->bytes;
}

static void write_copy(pm_text *out, const pm_kernel_words *words, const pm_plan *from,
                       const pm_plan *to, size_t f)
{
    const pm_field *field = &from->structure->fields[f];
    const size_t unit = unit_of(words, field);
    const char *type = pm_kernel_type(words, types[__builtin_ctzll(unit)]);
    int indent = 4;

    for (size_t d = 0; d < field->extent_count; d++, indent += 4)
        pm_text_add(out, "%*sfor (%s k%zu = 0; k%zu < %zu; k%zu++)\n", indent, "", words->count, d,
                    d, field->extents[d].count, d);
    for (size_t at = 0; at < field->bytes; at += unit) {
        const size_t number = at / unit;

        if (field->bytes > unit && at == 0)
            pm_text_add(out, "%*s{\n", indent, "");
        pm_text_add(out, "%*s((%s%s *)(", indent, "", words->global, type);
        write_address(out, to, f, "to");
        pm_text_add(out, "))[%zu] =\n%*s    ((%sconst %s *)(", number, indent, "", words->global,
                    type);
        write_address(out, from, f, "from");
        pm_text_add(out, "))[%zu];\n", number);
    }
    if (field->bytes > unit)
        pm_text_add(out, "%*s}\n", indent, "");
}

void pm_convert_text(pm_text *out, const pm_kernel_words *words, const char *name,
                     const pm_plan *from, const pm_plan *to)
{
    pm_text_add(out, "%s%s(", words->kernel, name);
    write_parameters(out, words, from, true);
    write_parameters(out, words, to, false);
    pm_text_add(out,
                "%s elements)\n{\n"
                "    const %s element = %s;\n\n"
                "    if (element >= elements)\n        return;\n",
                words->count, words->count, words->global_id[0]);
    for (size_t f = 0; f < from->structure->field_count; f++)
        write_copy(out, words, from, to, f);
    pm_text_add(out, "}\n\n");
}
