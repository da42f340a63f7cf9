/* Random structs: members of all types, arrays, nested structs, holes; and where their members lie.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "structs.h"

static const char *const scalar_names[] = {"char", "uchar", "short", "ushort", "int",
                                           "uint", "long",  "ulong", "float",  "double"};
static const size_t scalar_bytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};

/* Some names equal names of variables, of types, or suffixes of generated names. */
static const char *const member_names[] = {
    "x",   "y",    "z",   "pos",  "vel", "m",   "id",    "next",  "n",   "i",
    "p",   "q",    "_0",  "a_0",  "v",   "w",   "flags", "_1",    "out", "s0",
    "x_y", "Cell", "len", "data", "_n",  "x_x", "t",     "pos_x", NULL};

size_t lr_scalar_bytes(lr_scalar scalar)
{
    return scalar_bytes[scalar];
}

const char *lr_scalar_type(lr_scalar scalar)
{
    return scalar_names[scalar];
}

const char *lr_type(rd_gen *g, const lr_member *m)
{
    return m->width > 1 ? rd_format(g, "%s%u", scalar_names[m->scalar], m->width)
                        : scalar_names[m->scalar];
}

const char *lr_global(rd_gen *g, const char *name)
{
    return rd_format(g, "%s_%llu", name, (unsigned long long)g->program->seed);
}

const lr_record *lr_any_record(rd_gen *g)
{
    return &g->layout->shape->records[rd_below(g, (unsigned)g->layout->shape->record_count)];
}

/* ---- offsets of members ---------------------------------------------------------------------- */

/* CUDA's vectors of three elements are three consecutive scalars. No type is aligned to more than
 * 16 bytes. */
static void measure_member(lr_member *m, bool is_cuda)
{
    size_t scalar = scalar_bytes[m->scalar], vector = scalar * m->width;

    m->bytes = m->record ? m->record->bytes : vector;
    m->align = m->record ? m->record->align : vector;
    if (m->record || m->width != 3) {
        m->align = is_cuda && m->align > 16 ? 16 : m->align;
        return;
    }
    m->bytes = is_cuda ? vector : 4 * scalar;
    m->align = is_cuda ? scalar : m->bytes;
}

static size_t up_to(size_t bytes, size_t align)
{
    return (bytes + align - 1) / align * align;
}

static void lay_out(const rd_gen *g, lr_record *record, bool packed)
{
    size_t at = 0;

    record->align = 1;
    for (unsigned i = 0; i < record->count; i++) {
        lr_member *m = &record->members[i];
        size_t align, bytes;

        measure_member(m, rd_is_cuda(g));
        align = packed ? 1 : m->align;
        bytes = m->bytes;
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
            size_t at = base + m->offset + k * m->bytes;

            if (m->record)
                lr_record_visit(m->record, at, visit, context);
            else
                visit(context, at, m);
        }
    }
}

bool lr_has_role(const lr_record *record, lr_role role)
{
    for (unsigned i = 0; i < record->count; i++) {
        const lr_member *m = &record->members[i];

        if (m->record ? lr_has_role(m->record, role) : m->role == role)
            return true;
    }
    return false;
}

/* ---- choice of members ----------------------------------------------------------------------- */

/* Adds a member to the struct. It is an array with a probability of `arrays` percent. */
static void add_member(rd_gen *g, lr_record *record, lr_member member, unsigned arrays)
{
    if (record->count == LR_MEMBERS)
        return;
    if (!member.name)
        member.name = rd_pick(g, member_names);
    if (strcmp(member.name, "Cell") == 0)
        member.name = lr_global(g, member.name);
    for (unsigned i = 0; i < record->count; i++)
        if (strcmp(record->members[i].name, member.name) == 0)
            member.name = rd_name(g, "f");
    if (rd_chance(g, arrays)) {
        member.dims = rd_chance(g, 25) ? 2 : 1;
        for (unsigned d = 0; d < member.dims; d++)
            member.dim[d] = 1 + rd_below(g, member.dims == 2 ? 3 : 5);
    }
    member.width += member.width == 0;
    record->members[record->count++] = member;
}

static void add_plain(rd_gen *g, lr_record *record)
{
    static const lr_scalar usual[] = {LR_FLOAT, LR_FLOAT, LR_UINT, LR_INT, LR_DOUBLE};
    lr_member member = {.width = rd_chance(g, 25) ? 2 + rd_below(g, 3) : 1};

    member.scalar = rd_chance(g, 50) ? usual[rd_below(g, 5)] : (lr_scalar)rd_below(g, LR_SCALARS);
    add_member(g, record, member, 25);
}

/* Adds unions and pointers, for which no layout exists. */
static void add_raw(rd_gen *g, lr_record *record)
{
    bool is_union = rd_chance(g, 50);

    add_member(
        g, record,
        (lr_member){.name = "raw",
                    .scalar = is_union ? LR_UINT : LR_ULONG,
                    .role = LR_RAW,
                    .raw = is_union ? "union { float f; uint u; } raw;" : "__global float *raw;"},
        0);
    g->program->odd = is_union ? "union in the struct" : "pointer in the struct";
}

/* ---- declarations ---------------------------------------------------------------------------- */

/* Returns whether the next member can be in the same declaration. */
static bool goes_on(const lr_record *record, unsigned i)
{
    const lr_member *m = &record->members[i], *next = m + 1;

    return i + 1 < record->count && !m->record && !next->record && !m->dims && !next->dims &&
           !next->raw && m->scalar == next->scalar && m->width == next->width;
}

static void emit_members(rd_gen *g, const lr_record *record)
{
    g->indent++;
    for (unsigned i = 0; i < record->count; i++) {
        const lr_member *m = &record->members[i];
        const char *extents = "";

        for (unsigned d = 0; d < m->dims; d++)
            extents = rd_format(g, "%s[%u]", extents, m->dim[d]);
        if (m->raw) {
            rd_emit(g, "%s", m->raw);
        } else if (m->record && !m->record->spelling) {
            rd_emit(g, "struct {");
            emit_members(g, m->record);
            rd_emit(g, "} %s%s;", m->name, extents);
        } else if (goes_on(record, i)) {
            rd_emit(g, "%s %s, %s;", lr_type(g, m), m->name, record->members[++i].name);
        } else {
            rd_emit(g, "%s %s%s;%s", m->record ? m->record->spelling : lr_type(g, m), m->name,
                    extents, rd_has(g, LR_COMMENTS) ? "$20( /* ; p[i].x */)" : "");
        }
    }
    g->indent--;
}

static void emit_record(rd_gen *g, lr_record *record)
{
    static const char *const heads[] = {"typedef struct @1{", "typedef struct @1_@2 {",
                                        "struct @1@2 {"};
    unsigned form = rd_below(g, 3);

    record->spelling = form < 2 ? record->name : rd_format(g, "struct %s", record->name);
    rd_emit_with(g, heads[form], (const char *const[]){record->attribute, record->name});
    emit_members(g, record);
    rd_emit(g, form < 2 ? "} %s;" : "};", record->name);
}

/* Chooses a statement that changes a member. In the texts, @1 is a vector or scalar, @2 a value of
 * its type, @3 a scalar of @1, @4 half of @1, @5 a value of the scalar's type, and @6 the scalar's
 * type. */

static lr_record *new_record(rd_gen *g, const char *name)
{
    lr_record *record = &g->layout->shape->records[g->layout->shape->record_count++];

    record->name = lr_global(g, name);
    record->attribute = "";
    return record;
}

static lr_record *choose_nested(rd_gen *g, const lr_record *inner, const char *name)
{
    lr_record *record = new_record(g, name);

    for (unsigned i = 1 + rd_below(g, 3); i > 0; i--)
        add_plain(g, record);
    if (inner)
        add_member(g, record, (lr_member){.record = inner}, 40);
    lay_out(g, record, false);
    if (rd_chance(g, 70))
        emit_record(g, record);
    record->top = record->spelling && rd_chance(g, 20);
    return record;
}

static void choose_top(rd_gen *g, lr_record *record, bool odd)
{
    unsigned count = rd_chance(g, 10) ? 1 : 1 + rd_below(g, 5);

    record->top = true;
    if (odd && rd_chance(g, 30)) {
        record->attribute = "__attribute__((packed)) ";
        g->program->odd = "packed struct";
    }
    for (unsigned i = 0; i < count; i++)
        add_plain(g, record);
    if (rd_chance(g, 50) && count > 1)
        add_member(g, record, (lr_member){.role = LR_INDEX, .scalar = LR_INT}, 0);
    if (rd_has(g, LR_ATOMICS))
        add_member(g, record,
                   (lr_member){.role = LR_ATOMIC, .scalar = rd_chance(g, 50) ? LR_UINT : LR_INT},
                   0);
}

void lr_records(rd_gen *g)
{
    static const char *const tops[] = {"Particle", "P", "Cell", "_S", "T0"};
    unsigned first = rd_below(g, 5), count = 1 + rd_chance(g, 40);
    const lr_record *nested = NULL;
    bool odd = rd_chance(g, 5);

    if (rd_chance(g, 60))
        nested = choose_nested(g, NULL, "Inner");
    if (nested && rd_chance(g, 40))
        nested = choose_nested(g, nested, "Outer");
    for (unsigned i = 0; i < count; i++) {
        lr_record *record = new_record(g, tops[(first + i) % 5]);

        choose_top(g, record, odd && i == 0);
        if (nested && (i == 0 || rd_chance(g, 50)))
            add_member(g, record, (lr_member){.record = nested}, 40);
        if (odd && i == 0 && !g->program->odd)
            add_raw(g, record);
        lay_out(g, record, *record->attribute);
        emit_record(g, record);
    }
}
