/* C for the user's host program: the types of a plan's parts, and packing and unpacking. See
 * plan.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All padding is written out, so that the types are the same with every compiler whose scalars have
 * the usual sizes; the header checks that they are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "layout/plan.h"
#include "transform/host_struct.h"

typedef struct {
    FILE *out;
    const pm_plan *plan;
    const char *name; /* of the struct */
    pm_host_struct host;
} writer;

static const pm_field *field_of(const writer *w, const pm_member *member)
{
    return &w->plan->structure->fields[member->field];
}

/* Subscripts [k0][k1] of all extents. */
static void write_subscripts(const writer *w, const pm_field *field)
{
    for (size_t d = 0; d < field->extent_count; d++)
        fprintf(w->out, "[k%zu]", d);
}

/* The scalar's number in its array: (k0 * 3 + k1) * 2 + k2. */
static void write_flat(const writer *w, const pm_field *field)
{
    for (size_t d = 2; d < field->extent_count; d++)
        fputc('(', w->out);
    for (size_t d = 0; d < field->extent_count; d++) {
        if (d > 0)
            fprintf(w->out, " * %zu + ", field->extents[d].count);
        fprintf(w->out, "k%zu%s", d, d > 0 && d + 1 < field->extent_count ? ")" : "");
    }
}

/* ---- types -------------------------------------------------------------------------------- */

/* Without subscripts a part is an array of these: Particle_0, float, Particle. */
static void write_item_type(const writer *w, const pm_part *part)
{
    char type[512];
    size_t align;

    if (w->plan->identity)
        fputs(w->name, w->out);
    else if (!part->scalar)
        fprintf(w->out, "%s_%s", w->name, part->name);
    else {
        pm_host_type(field_of(w, &part->members[0]), w->name, type, sizeof type, &align);
        fputs(type, w->out);
    }
}

/* Parts whose names are numbers need a word before them. */
static void write_part_name(const writer *w, const pm_part *part)
{
    fprintf(w->out, "%s%s", part->scalar ? "" : "part_", part->name);
}

static void write_member(const writer *w, const pm_member *member, size_t end, size_t *align)
{
    const pm_field *field = field_of(w, member);
    const bool tiled = w->plan->tile > 1;
    char type[512];

    pm_host_type(field, w->name, type, sizeof type, align);
    pm_host_pad(w->out, &w->host, 4, end, member->offset, *align);
    fprintf(w->out, "    %s %s", type, field->name);
    if (tiled && field->whole)
        fprintf(w->out, "[%u]", w->plan->tile);
    for (size_t d = 0; d < field->extent_count; d++)
        fprintf(w->out, "[%zu]", field->extents[d].count);
    if (tiled && !field->whole)
        fprintf(w->out, "[%u]", w->plan->tile);
    fputs(";\n", w->out);
}

static void write_struct(const writer *w, const pm_part *part)
{
    size_t end = 0, most = 1;

    fputs("typedef struct {\n", w->out);
    for (size_t m = 0; m < part->member_count; m++) {
        const pm_field *field = field_of(w, &part->members[m]);
        size_t align;

        write_member(w, &part->members[m], end, &align);
        end = part->members[m].offset + pm_field_elements(field) * field->bytes * w->plan->tile;
        if (align > most)
            most = align;
    }
    pm_host_pad(w->out, &w->host, 4, end, part->bytes, most);
    fprintf(w->out, "} %s_%s;\n\n", w->name, part->name);
}

static void write_pointer(const writer *w, const pm_part *part)
{
    const pm_field *field = part->scalar ? field_of(w, &part->members[0]) : NULL;

    fputs("    ", w->out);
    write_item_type(w, part);
    fputs(" *", w->out);
    write_part_name(w, part);
    fputc(';', w->out);
    if (field && field->extent_count > 0) {
        fprintf(w->out, " /* %s of struct i: [", field->path);
        if (part->by_element && field->extent_count > 1)
            fputc('(', w->out);
        if (!part->by_element)
            fprintf(w->out, "i * %zu + ", pm_field_elements(field));
        write_flat(w, field);
        if (part->by_element)
            fprintf(w->out, "%s * n + i", field->extent_count > 1 ? ")" : "");
        fputs("] */", w->out);
    }
    fputc('\n', w->out);
}

/* ---- functions ---------------------------------------------------------------------------- */

static void write_sizes(const writer *w)
{
    const pm_plan *plan = w->plan;

    fputs("/* Bytes of each part for n structs. */\n", w->out);
    for (size_t p = 0; p < plan->part_count; p++) {
        const pm_part *part = &plan->parts[p];

        fprintf(w->out, "static inline size_t %s_bytes_%s(size_t n)\n{\n    return ", w->name,
                part->name);
        if (plan->tile > 1)
            fprintf(w->out, "(n + %u) / %u", plan->tile - 1, plan->tile);
        else
            fputc('n', w->out);
        if (part->scalar && field_of(w, &part->members[0])->extent_count > 0)
            fprintf(w->out, " * %zu", pm_field_elements(field_of(w, &part->members[0])));
        fputs(" * sizeof(", w->out);
        write_item_type(w, part);
        fputs(");\n}\n\n", w->out);
    }
}

/* parts->part_0[i].x */
static void write_in_part(const writer *w, const pm_part *part, const pm_member *member)
{
    const pm_field *field = field_of(w, member);
    const unsigned tile = w->plan->tile;

    fputs("parts->", w->out);
    write_part_name(w, part);
    if (part->by_element) {
        fputs(field->extent_count > 1 ? "[(" : "[", w->out);
        write_flat(w, field);
        fputs(field->extent_count > 1 ? ") * n + i]" : " * n + i]", w->out);
    } else if (part->scalar && field->extent_count > 0) {
        fprintf(w->out, "[i * %zu + ", pm_field_elements(field));
        write_flat(w, field);
        fputc(']', w->out);
    } else if (part->scalar) {
        fputs("[i]", w->out);
    } else if (tile == 1) {
        fprintf(w->out, "[i].%s", field->name);
        write_subscripts(w, field);
    } else {
        fprintf(w->out, "[i / %u].%s", tile, field->name);
        if (field->whole)
            fprintf(w->out, "[i %% %u]", tile);
        write_subscripts(w, field);
        if (!field->whole)
            fprintf(w->out, "[i %% %u]", tile);
    }
}

static void write_side(const writer *w, const pm_part *part, const pm_member *member, bool of_part)
{
    if (of_part) {
        write_in_part(w, part, member);
        return;
    }
    fputs("structs[i].", w->out);
    pm_host_path(w->out, &w->host, member->field);
}

static void write_copy(const writer *w, const pm_part *part, const pm_member *member, bool pack)
{
    const pm_field *field = field_of(w, member);
    const bool is_vector = pm_host_is_vector(field); /* the program may have a type of its own */
    int indent = 8;

    for (size_t d = 0; d < field->extent_count; d++, indent += 4)
        fprintf(w->out, "%*sfor (size_t k%zu = 0; k%zu < %zu; k%zu++)\n", indent, "", d, d,
                field->extents[d].count, d);
    fprintf(w->out, is_vector ? "%*smemcpy(&" : "%*s", indent, "");
    write_side(w, part, member, pack);
    fputs(is_vector ? ", &" : " = ", w->out);
    write_side(w, part, member, !pack);
    if (is_vector)
        fprintf(w->out, ", %zu)", field->bytes);
    fputs(";\n", w->out);
}

static void write_body(const writer *w, bool pack)
{
    const pm_plan *plan = w->plan;

    if (plan->identity) {
        fprintf(w->out, "    memcpy(%s, %s, n * sizeof(%s));\n", pack ? "parts->part_0" : "structs",
                pack ? "structs" : "parts->part_0", w->name);
        return;
    }
    for (size_t p = 0; pack && p < plan->part_count; p++)
        if (!plan->parts[p].scalar)
            fprintf(w->out, "    memset(parts->part_%s, 0, %s_bytes_%s(n));\n", plan->parts[p].name,
                    w->name, plan->parts[p].name);
    fputs("    for (size_t i = 0; i < n; i++) {\n", w->out);
    for (size_t p = 0; p < plan->part_count; p++)
        for (size_t m = 0; m < plan->parts[p].member_count; m++)
            write_copy(w, &plan->parts[p], &plan->parts[p].members[m], pack);
    fputs("    }\n", w->out);
}

static void write_functions(const writer *w)
{
    fprintf(w->out,
            "/* The parts of n structs; padding in them becomes 0. */\n"
            "static inline void %s_pack(const %s *structs, size_t n, %s_parts *parts)\n{\n",
            w->name, w->name, w->name);
    write_body(w, true);
    fprintf(w->out,
            "}\n\n/* The structs again, but for their padding, which is left alone. */\n"
            "static inline void %s_unpack(%s *structs, size_t n, const %s_parts *parts)\n"
            "{\n",
            w->name, w->name, w->name);
    write_body(w, false);
    fputs("}\n", w->out);
}

/* ---- the header --------------------------------------------------------------------------- */

/* Types whose sizes are not what the device has do not compile. */
static void write_checks(const writer *w)
{
    const pm_plan *plan = w->plan;

    fputs("/* The same sizes as on the device, or this does not compile. */\n", w->out);
    fprintf(w->out, "typedef char %s_has_%zu_bytes[sizeof(%s) == %zu ? 1 : -1];\n", w->name,
            plan->structure->bytes, w->name, plan->structure->bytes);
    for (size_t p = 0; p < plan->part_count; p++)
        if (!plan->parts[p].scalar && !plan->identity)
            fprintf(w->out, "typedef char %s_%s_has_%zu_bytes[sizeof(%s_%s) == %zu ? 1 : -1];\n",
                    w->name, plan->parts[p].name, plan->parts[p].bytes, w->name,
                    plan->parts[p].name, plan->parts[p].bytes);
    fputc('\n', w->out);
}

static void write_head(const writer *w, const char *layout)
{
    fprintf(w->out,
            "/* Arrays of %s as %s: what the kernels take, made of an array of structs and back.\n"
            " * Written by perfmodel. */\n"
            "#ifndef %s_LAYOUT_H\n#define %s_LAYOUT_H\n\n"
            "#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n\n",
            w->name, layout, w->name, w->name);
}

static void write_header(const writer *w, const char *layout)
{
    const pm_plan *plan = w->plan;

    write_head(w, layout);
    pm_host_vectors(w->out, plan->structure);
    fprintf(w->out,
            "/* As the kernels had it. Where the program has this struct, define %s_IS_DECLARED\n"
            " * before it includes this file. */\n#ifndef %s_IS_DECLARED\n",
            w->name, w->name);
    pm_host_declare(w->out, &w->host);
    fputs("#endif\n\n", w->out);
    for (size_t p = 0; p < plan->part_count; p++)
        if (!plan->parts[p].scalar && !plan->identity)
            write_struct(w, &plan->parts[p]);
    write_checks(w);
    fputs("/* One buffer of the device each. */\ntypedef struct {\n", w->out);
    for (size_t p = 0; p < plan->part_count; p++)
        write_pointer(w, &plan->parts[p]);
    fprintf(w->out, "} %s_parts;\n\n", w->name);
    write_sizes(w);
    write_functions(w);
    fputs("\n#endif\n", w->out);
}

char *pm_plan_c(const pm_plan *plan, pm_error *err)
{
    writer w = {.plan = plan, .name = plan->structure->name};
    char *text = NULL, *layout;
    size_t size = 0;

    if (pm_host_struct_make(plan->structure, &w.host, err) != PM_OK)
        return NULL;
    layout = pm_layout_text(&plan->layout, plan->structure);
    w.out = layout ? open_memstream(&text, &size) : NULL;
    if (w.out) {
        write_header(&w, layout);
        if (fclose(w.out) != 0) {
            free(text);
            text = NULL;
        }
    }
    if (!text)
        pm_fail(err, PM_FAILED, "out of memory for struct %s in C", plan->structure->name);
    free(layout);
    pm_host_struct_free(&w.host);
    return text;
}
