/* Writes C code for the user's host program: types of the parts (buffers) of a new layout, and
 * functions that convert arrays to the new layout and back. See plan.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Padding is declared explicitly, so that all compilers with the usual scalar sizes produce the
 * same types. The header checks these sizes.
 */
#include <string.h>

#include "transform/layout/plan_text.h"
#include "transform/rewrite/host_struct.h"

typedef struct {
    pm_text *out;
    const pm_plan *plan;
    const char *name; /* name of the struct */
    pm_host_struct host;
} writer;

static const pm_field *field_of(const writer *w, const pm_member *member)
{
    return &w->plan->structure->fields[member->field];
}

/* Appends loop variables as subscripts for all dimensions of a field: [k0][k1]. */
static void write_subscripts(const writer *w, const pm_field *field)
{
    for (size_t d = 0; d < field->extent_count; d++)
        pm_text_add(w->out, "[k%zu]", d);
}

/* ---- types -------------------------------------------------------------------------------- */

/* Appends, in C for the host, the type of one item of a buffer of the new layout. It is Particle_0
 * for a struct of the new layout, float for an array of one field, or Particle for the unchanged
 * struct. If the item is an array, it is the type of the array's elements. */
static void write_item_type(const writer *w, const pm_part *part)
{
    char type[512];
    size_t align;

    if (w->plan->identity)
        pm_text_add(w->out, "%s", w->name);
    else if (!part->scalar)
        pm_text_add(w->out, "%s_%s", w->name, part->name);
    else {
        pm_host_type(field_of(w, &part->members[0]), w->name, type, sizeof type, &align);
        pm_text_add(w->out, "%s", type);
    }
}

/* Appends the name of the pointer to one buffer of the new layout. The generated C struct has such
 * a pointer for each buffer. The name is the field's or, for buffers with structs, part_0, part_1,
 * .... */
static void write_part_name(const writer *w, const pm_part *part)
{
    pm_text_add(w->out, "%s%s", part->scalar ? "" : "part_", part->name);
}

static void write_member(const writer *w, const pm_member *member, size_t end, size_t *align)
{
    const pm_field *field = field_of(w, member);
    const bool tiled = w->plan->tile > 1;
    char type[512];

    pm_host_type(field, w->name, type, sizeof type, align);
    pm_host_pad(w->out, &w->host, 4, end, member->offset, *align);
    pm_text_add(w->out, "    %s %s", type, field->name);
    if (tiled && field->whole)
        pm_text_add(w->out, "[%u]", w->plan->tile);
    for (size_t d = 0; d < field->extent_count; d++)
        pm_text_add(w->out, "[%zu]", field->extents[d].count);
    if (tiled && !field->whole)
        pm_text_add(w->out, "[%u]", w->plan->tile);
    pm_text_add(w->out, ";\n");
}

static void write_struct(const writer *w, const pm_part *part)
{
    size_t end = 0, most = 1;

    pm_text_add(w->out, "typedef struct {\n");
    for (size_t m = 0; m < part->member_count; m++) {
        const pm_field *field = field_of(w, &part->members[m]);
        size_t align;

        write_member(w, &part->members[m], end, &align);
        end = part->members[m].offset + pm_field_elements(field) * field->bytes * w->plan->tile;
        if (align > most)
            most = align;
    }
    pm_host_pad(w->out, &w->host, 4, end, part->bytes, most);
    pm_text_add(w->out, "} %s_%s;\n\n", w->name, part->name);
}

static void write_pointer(const writer *w, const pm_part *part)
{
    const pm_field *field = part->scalar ? field_of(w, &part->members[0]) : NULL;

    pm_text_add(w->out, "    ");
    write_item_type(w, part);
    pm_text_add(w->out, " *");
    write_part_name(w, part);
    pm_text_add(w->out, ";");
    if (field && field->extent_count > 0) {
        pm_text_add(w->out, " /* %s of struct i: [", field->path);
        if (part->by_element && field->extent_count > 1)
            pm_text_add(w->out, "(");
        if (!part->by_element)
            pm_text_add(w->out, "i * %zu + ", pm_field_elements(field));
        pm_plan_text_flat(w->out, field);
        if (part->by_element)
            pm_text_add(w->out, "%s * n + i", field->extent_count > 1 ? ")" : "");
        pm_text_add(w->out, "] */");
    }
    pm_text_add(w->out, "\n");
}

/* ---- functions ---------------------------------------------------------------------------- */

static void write_sizes(const writer *w)
{
    const pm_plan *plan = w->plan;

    pm_text_add(w->out, "/* Bytes of each part for n structs. */\n");
    for (size_t p = 0; p < plan->part_count; p++) {
        const pm_part *part = &plan->parts[p];

        pm_text_add(w->out, "static inline size_t %s_bytes_%s(size_t n)\n{\n    return ", w->name,
                    part->name);
        if (plan->tile > 1)
            pm_text_add(w->out, "(n + %u) / %u", plan->tile - 1, plan->tile);
        else
            pm_text_add(w->out, "n");
        if (part->scalar && field_of(w, &part->members[0])->extent_count > 0)
            pm_text_add(w->out, " * %zu", pm_field_elements(field_of(w, &part->members[0])));
        pm_text_add(w->out, " * sizeof(");
        write_item_type(w, part);
        pm_text_add(w->out, ");\n}\n\n");
    }
}

/* Appends code for a member in a part (buffer of the new layout), as an lvalue such as
 * parts->part_0[i].x. */
static void write_in_part(const writer *w, const pm_part *part, const pm_member *member)
{
    const pm_field *field = field_of(w, member);
    const unsigned tile = w->plan->tile;

    pm_text_add(w->out, "parts->");
    write_part_name(w, part);
    if (part->by_element) {
        pm_text_add(w->out, field->extent_count > 1 ? "[(" : "[");
        pm_plan_text_flat(w->out, field);
        pm_text_add(w->out, field->extent_count > 1 ? ") * n + i]" : " * n + i]");
    } else if (part->scalar && field->extent_count > 0) {
        pm_text_add(w->out, "[i * %zu + ", pm_field_elements(field));
        pm_plan_text_flat(w->out, field);
        pm_text_add(w->out, "]");
    } else if (part->scalar) {
        pm_text_add(w->out, "[i]");
    } else if (tile == 1) {
        pm_text_add(w->out, "[i].%s", field->name);
        write_subscripts(w, field);
    } else {
        pm_text_add(w->out, "[i / %u].%s", tile, field->name);
        if (field->whole)
            pm_text_add(w->out, "[i %% %u]", tile);
        write_subscripts(w, field);
        if (!field->whole)
            pm_text_add(w->out, "[i %% %u]", tile);
    }
}

static void write_side(const writer *w, const pm_part *part, const pm_member *member, bool of_part)
{
    if (of_part) {
        write_in_part(w, part, member);
        return;
    }
    pm_text_add(w->out, "structs[i].");
    pm_host_path(w->out, &w->host, member->field);
}

static void write_copy(const writer *w, const pm_part *part, const pm_member *member, bool pack)
{
    const pm_field *field = field_of(w, member);
    /* A vector is copied scalar by scalar, because the user's program may declare its vector types
     * differently. */
    const bool is_vector = pm_host_is_vector(field);
    int indent = 8;

    for (size_t d = 0; d < field->extent_count; d++, indent += 4)
        pm_text_add(w->out, "%*sfor (size_t k%zu = 0; k%zu < %zu; k%zu++)\n", indent, "", d, d,
                    field->extents[d].count, d);
    pm_text_add(w->out, is_vector ? "%*smemcpy(&" : "%*s", indent, "");
    write_side(w, part, member, pack);
    pm_text_add(w->out, is_vector ? ", &" : " = ");
    write_side(w, part, member, !pack);
    if (is_vector)
        pm_text_add(w->out, ", %zu)", field->bytes);
    pm_text_add(w->out, ";\n");
}

static void write_body(const writer *w, bool pack)
{
    const pm_plan *plan = w->plan;

    if (plan->identity) {
        pm_text_add(w->out, "    memcpy(%s, %s, n * sizeof(%s));\n",
                    pack ? "parts->part_0" : "structs", pack ? "structs" : "parts->part_0",
                    w->name);
        return;
    }
    for (size_t p = 0; pack && p < plan->part_count; p++)
        if (!plan->parts[p].scalar)
            pm_text_add(w->out, "    memset(parts->part_%s, 0, %s_bytes_%s(n));\n",
                        plan->parts[p].name, w->name, plan->parts[p].name);
    pm_text_add(w->out, "    for (size_t i = 0; i < n; i++) {\n");
    for (size_t p = 0; p < plan->part_count; p++)
        for (size_t m = 0; m < plan->parts[p].member_count; m++)
            write_copy(w, &plan->parts[p], &plan->parts[p].members[m], pack);
    pm_text_add(w->out, "    }\n");
}

static void write_functions(const writer *w)
{
    pm_text_add(w->out,
                "/* The parts of n structs; padding in them becomes 0. */\n"
                "static inline void %s_pack(const %s *structs, size_t n, %s_parts *parts)\n{\n",
                w->name, w->name, w->name);
    write_body(w, true);
    pm_text_add(w->out,
                "}\n\n/* The structs again, but for their padding, which is left alone. */\n"
                "static inline void %s_unpack(%s *structs, size_t n, const %s_parts *parts)\n"
                "{\n",
                w->name, w->name, w->name);
    write_body(w, false);
    pm_text_add(w->out, "}\n");
}

/* ---- the header --------------------------------------------------------------------------- */

/* Appends compile-time checks that types have the same sizes in the user's program as on the
 * device. */
static void write_checks(const writer *w)
{
    const pm_plan *plan = w->plan;

    pm_text_add(w->out, "/* The same sizes as on the device, or this does not compile. */\n");
    pm_text_add(w->out, "typedef char %s_has_%zu_bytes[sizeof(%s) == %zu ? 1 : -1];\n", w->name,
                plan->structure->bytes, w->name, plan->structure->bytes);
    for (size_t p = 0; p < plan->part_count; p++)
        if (!plan->parts[p].scalar && !plan->identity)
            pm_text_add(w->out,
                        "typedef char %s_%s_has_%zu_bytes[sizeof(%s_%s) == %zu ? 1 : -1];\n",
                        w->name, plan->parts[p].name, plan->parts[p].bytes, w->name,
                        plan->parts[p].name, plan->parts[p].bytes);
    pm_text_add(w->out, "\n");
}

static void write_head(const writer *w)
{
    pm_text_add(w->out, "/* Arrays of %s as ", w->name);
    pm_layout_text(w->out, &w->plan->layout, w->plan->structure);
    pm_text_add(w->out,
                ": what the kernels take, made of an array of structs and back.\n"
                " * Written by perfmodel. */\n"
                "#ifndef %s_LAYOUT_H\n#define %s_LAYOUT_H\n\n"
                "#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n\n",
                w->name, w->name);
}

static void write_structs(const writer *w)
{
    const pm_plan *plan = w->plan;
    bool any = false;

    for (size_t p = 0; p < plan->part_count; p++) {
        if (plan->parts[p].scalar || plan->identity)
            continue;
        if (!any)
            pm_text_add(w->out,
                        "/* The parts. A CUDA source that has them, and includes this file behind "
                        "them, defines\n * %s_PARTS_ARE_DECLARED too. */\n"
                        "#ifndef %s_PARTS_ARE_DECLARED\n",
                        w->name, w->name);
        write_struct(w, &plan->parts[p]);
        any = true;
    }
    pm_text_add(w->out, any ? "#endif\n\n" : "");
}

static void write_header(const writer *w)
{
    const pm_plan *plan = w->plan;

    write_head(w);
    pm_host_vectors(w->out, plan->structure);
    pm_text_add(
        w->out,
        "/* As the kernels had it. Where the program has this struct, define %s_IS_DECLARED\n"
        " * before it includes this file. */\n#ifndef %s_IS_DECLARED\n",
        w->name, w->name);
    pm_host_declare(w->out, &w->host);
    pm_text_add(w->out, "#endif\n\n");
    write_structs(w);
    write_checks(w);
    pm_text_add(w->out, "/* One buffer of the device each. */\ntypedef struct {\n");
    for (size_t p = 0; p < plan->part_count; p++)
        write_pointer(w, &plan->parts[p]);
    pm_text_add(w->out, "} %s_parts;\n\n", w->name);
    write_sizes(w);
    write_functions(w);
    pm_text_add(w->out, "\n#endif\n");
}

char *pm_plan_c(pm_memory *memory, const pm_plan *plan)
{
    pm_text out = {.memory = memory};
    const writer w = {.out = &out,
                      .plan = plan,
                      .name = plan->structure->name,
                      .host = pm_host_struct_make(memory, plan->structure)};

    write_header(&w);
    return pm_text_take(&out);
}
