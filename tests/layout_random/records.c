/* Random structs: members of all types, arrays, nested structs, holes; and where their members lie.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "gen.h"

static const char *const scalar_names[] = {"char", "uchar", "short", "ushort", "int",
                                           "uint", "long",  "ulong", "float",  "double"};
static const size_t scalar_bytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};

/* Some are names of variables, of types, and what generated names may end in. */
static const char *const member_names[] = {"x",    "y",   "z",     "pos", "vel", "m",  "id",
                                           "next", "n",   "i",     "p",   "q",   "_0", "a_0",
                                           "v",    "w",   "flags", "_1",  "out", "s0", "x_y",
                                           "Cell", "len", "data",  "_n",  "x_x", "t",  "pos_x"};

size_t lr_scalar_bytes(lr_scalar scalar)
{
    return scalar_bytes[scalar];
}

const char *lr_type(lr_gen *g, lr_scalar scalar, unsigned width)
{
    return width > 1 ? lr_format(g, "%s%u", scalar_names[scalar], width) : scalar_names[scalar];
}

/* ---- where members lie ------------------------------------------------------------------------
 */

static size_t vector_bytes(const lr_member *m)
{
    return scalar_bytes[m->scalar] * (m->width == 3 ? 4 : m->width);
}

static size_t member_bytes(const lr_member *m)
{
    return m->record ? m->record->bytes : vector_bytes(m);
}

static size_t member_align(const lr_member *m)
{
    return m->record ? m->record->align : vector_bytes(m);
}

static size_t up_to(size_t bytes, size_t align)
{
    return (bytes + align - 1) / align * align;
}

static void lay_out(lr_record *record, bool packed)
{
    size_t at = 0;

    record->align = 1;
    for (unsigned i = 0; i < record->count; i++) {
        lr_member *m = &record->members[i];
        size_t align = packed ? 1 : member_align(m);
        size_t bytes = member_bytes(m);

        for (unsigned d = 0; d < m->dims; d++)
            bytes *= m->dim[d];
        m->offset = up_to(at, align);
        at = m->offset + bytes;
        if (align > record->align)
            record->align = align;
    }
    record->bytes = up_to(at, record->align);
}

void lr_record_visit(const lr_record *record, size_t base, lr_visit visit, void *context)
{
    for (unsigned i = 0; i < record->count; i++) {
        const lr_member *m = &record->members[i];
        size_t count = 1;

        for (unsigned d = 0; d < m->dims; d++)
            count *= m->dim[d];
        for (size_t k = 0; k < count; k++) {
            size_t at = base + m->offset + k * member_bytes(m);

            if (m->record)
                lr_record_visit(m->record, at, visit, context);
            else
                visit(context, at, m);
        }
    }
}

bool lr_record_has_role(const lr_record *record, lr_role role)
{
    for (unsigned i = 0; i < record->count; i++) {
        const lr_member *m = &record->members[i];

        if (m->record ? lr_record_has_role(m->record, role) : m->role == role)
            return true;
    }
    return false;
}

/* ---- choosing ---------------------------------------------------------------------------------
 */

static const char *member_name(lr_gen *g, const lr_record *record)
{
    const char *name = member_names[lr_below(g, sizeof member_names / sizeof *member_names)];

    for (unsigned i = 0; i < record->count; i++)
        if (strcmp(record->members[i].name, name) == 0)
            return lr_format(g, "f%u", g->names++);
    return name;
}

static void choose_extents(lr_gen *g, lr_member *m, unsigned percent)
{
    if (!lr_chance(g, percent))
        return;
    m->dims = lr_chance(g, 25) ? 2 : 1;
    for (unsigned d = 0; d < m->dims; d++)
        m->dim[d] = 1 + lr_below(g, m->dims == 2 ? 3 : 5);
}

static void choose_member(lr_gen *g, lr_record *record)
{
    static const lr_scalar usual[] = {LR_FLOAT, LR_FLOAT, LR_UINT, LR_INT, LR_DOUBLE};
    lr_member *m = &record->members[record->count];

    *m = (lr_member){.name = member_name(g, record), .width = 1};
    m->scalar = lr_chance(g, 50) ? usual[lr_below(g, 5)] : (lr_scalar)lr_below(g, LR_SCALARS);
    if (lr_chance(g, 25))
        m->width = 2 + lr_below(g, 3);
    choose_extents(g, m, 25);
    record->count++;
}

static void choose_role(lr_gen *g, lr_record *record, lr_role role)
{
    lr_member *m = &record->members[record->count];

    if (record->count == LR_MEMBERS)
        return;
    *m = (lr_member){.name = member_name(g, record), .width = 1, .role = role};
    m->scalar = role == LR_ATOMIC && lr_chance(g, 50) ? LR_UINT : LR_INT;
    record->count++;
}

static lr_record *new_record(lr_gen *g)
{
    lr_record *record = lr_need(calloc(1, sizeof *record));

    g->program->records[g->program->record_count++] = record;
    return record;
}

/* Unions and pointers: what no layout is made for. */
static void choose_raw(lr_gen *g, lr_record *record)
{
    static const struct {
        const char *declaration, *odd;
        lr_scalar like;
    } raws[] = {{"union { float f; uint u; } raw;", "union in the struct", LR_UINT},
                {"__global float *raw;", "pointer in the struct", LR_ULONG}};
    unsigned which = lr_below(g, 2);

    if (record->count == LR_MEMBERS)
        return;
    record->members[record->count++] = (lr_member){.name = "raw",
                                                   .scalar = raws[which].like,
                                                   .width = 1,
                                                   .role = LR_RAW,
                                                   .raw = raws[which].declaration};
    g->program->odd = raws[which].odd;
}

/* ---- declarations -----------------------------------------------------------------------------
 */

static void emit_members(lr_gen *g, const lr_record *record)
{
    g->indent++;
    for (unsigned i = 0; i < record->count; i++) {
        const lr_member *m = &record->members[i];
        const char *extents = "";

        for (unsigned d = 0; d < m->dims; d++)
            extents = lr_format(g, "%s[%u]", extents, m->dim[d]);
        if (m->raw) {
            lr_emit(g, "%s", m->raw);
        } else if (m->record && !m->record->spelling) {
            lr_emit(g, "struct {");
            emit_members(g, m->record);
            lr_emit(g, "} %s%s;", m->name, extents);
        } else if (i + 1 < record->count && !m->record && !m->dims &&
                   !record->members[i + 1].dims && !record->members[i + 1].record &&
                   !record->members[i + 1].raw && m->scalar == record->members[i + 1].scalar &&
                   m->width == record->members[i + 1].width) {
            lr_emit(g, "%s %s, %s;", lr_type(g, m->scalar, m->width), m->name,
                    record->members[i + 1].name);
            i++;
        } else {
            lr_emit(g, "%s %s%s;%s",
                    m->record ? m->record->spelling : lr_type(g, m->scalar, m->width), m->name,
                    extents, lr_has(g, LR_F_COMMENTS) && lr_chance(g, 20) ? " /* ; p[i].x */" : "");
        }
    }
    g->indent--;
}

static void emit_record(lr_gen *g, lr_record *record)
{
    switch (lr_below(g, 3)) {
    case 0:
        record->spelling = record->name;
        lr_emit(g, "typedef struct %s{", record->attribute);
        emit_members(g, record);
        lr_emit(g, "} %s;", record->name);
        break;
    case 1:
        record->spelling = record->name;
        lr_emit(g, "typedef struct %stag_%s {", record->attribute, record->name);
        emit_members(g, record);
        lr_emit(g, "} %s;", record->name);
        break;
    default:
        record->spelling = lr_format(g, "struct %s", record->name);
        lr_emit(g, "struct %s%s {", record->attribute, record->name);
        emit_members(g, record);
        lr_emit(g, "};");
    }
    lr_emit(g, "%s", "");
}

/* Gives the struct one or two members of a nested one. */
static void nest(lr_gen *g, lr_record *record, const lr_record *inner)
{
    lr_member *m = &record->members[record->count];

    if (record->count == LR_MEMBERS)
        return;
    *m = (lr_member){.name = member_name(g, record), .width = 1, .record = inner};
    choose_extents(g, m, 40);
    record->count++;
}

static lr_record *choose_nested(lr_gen *g, const lr_record *inner, const char *name)
{
    lr_record *record = new_record(g);

    record->name = name;
    record->attribute = "";
    for (unsigned i = 1 + lr_below(g, 3); i > 0; i--)
        choose_member(g, record);
    if (inner)
        nest(g, record, inner);
    lay_out(record, false);
    if (lr_chance(g, 70))
        emit_record(g, record);
    record->top = record->spelling && lr_chance(g, 20);
    return record;
}

static void choose_top(lr_gen *g, lr_record *record, bool odd)
{
    unsigned count = lr_chance(g, 10) ? 1 : 1 + lr_below(g, 5);
    bool packed = odd && lr_chance(g, 30);

    record->attribute = packed ? "__attribute__((packed)) " : "";
    record->top = true;
    if (packed)
        g->program->odd = "packed struct";
    for (unsigned i = 0; i < count; i++)
        choose_member(g, record);
    if (lr_chance(g, 50) && count > 1)
        choose_role(g, record, LR_INDEX);
    if (lr_has(g, LR_F_ATOMICS))
        choose_role(g, record, LR_ATOMIC);
}

void lr_records_generate(lr_gen *g)
{
    static const char *const tops[] = {"Particle", "P", "Cell", "_S", "T0"};
    unsigned first = lr_below(g, 5);
    const lr_record *nested = NULL;
    bool odd = lr_chance(g, 5);

    if (lr_chance(g, 60))
        nested = choose_nested(g, NULL, "Inner");
    if (nested && lr_chance(g, 40))
        nested = choose_nested(g, nested, "Outer");
    for (unsigned i = 0, count = 1 + lr_chance(g, 40); i < count; i++) {
        lr_record *record = new_record(g);

        record->name = tops[(first + i) % 5];
        choose_top(g, record, odd && i == 0);
        if (nested && (i == 0 || lr_chance(g, 50)))
            nest(g, record, nested);
        if (odd && i == 0 && !g->program->odd)
            choose_raw(g, record);
        lay_out(record, *record->attribute);
        emit_record(g, record);
    }
}
