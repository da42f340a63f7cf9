/* Statements that a layout may be refused for: what they compute must be right, or the refusal
 * clean.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "gen.h"

static bool is_global_array(const lr_var *var, const void *with)
{
    (void)with;
    return var->kind == LR_VAR_ARRAY && !var->in_constant && var->mode != LR_COUNT_UP;
}

/* A member of the struct itself with so many extents; scalar LR_SCALARS: of any type. */
static const lr_member *find_member(const lr_record *record, unsigned dims, lr_scalar scalar)
{
    for (unsigned i = 0; i < record->count; i++) {
        const lr_member *m = &record->members[i];

        if (!m->record && m->role == LR_PLAIN && m->dims == dims && m->width == 1 &&
            (scalar == LR_SCALARS || m->scalar == scalar))
            return m;
    }
    return NULL;
}

static const char *fold_float(lr_gen *g, const char *text)
{
    return lr_format(g, "(uint)(int)%s", text);
}

typedef struct {
    lr_gen *g;
    const lr_var *array;
    const char *index, *is_const;
} odd_place;

static bool cast_to_float(const odd_place *o)
{
    const lr_member *m = find_member(o->array->record, 0, LR_FLOAT);
    const char *f = lr_format(o->g, "f_%u", o->g->names++);

    if (!m)
        return false;
    lr_emit(o->g, "__global const float *%s = (__global const float *)&%s[%s];", f, o->array->name,
            o->index);
    lr_fold(o->g, fold_float(o->g, lr_format(o->g, "%s[%zu]", f, m->offset / 4)));
    return true;
}

static bool cast_to_bytes(const odd_place *o)
{
    lr_emit(o->g, "{ __global const uchar *bytes = (__global const uchar *)%s;", o->array->name);
    lr_fold(o->g, lr_format(o->g, "(uint)bytes[%s * %zu]", o->index, o->array->record->bytes));
    lr_emit(o->g, "}");
    return true;
}

static bool address_of_member(const odd_place *o)
{
    const lr_member *m = find_member(o->array->record, 0, LR_SCALARS);
    const char *f = lr_format(o->g, "f_%u", o->g->names++);

    if (!m || m->scalar == LR_FLOAT || m->scalar == LR_DOUBLE)
        return false;
    lr_emit(o->g, "__global %s%s *%s = &%s[%s].%s;", o->is_const, lr_type(o->g, m->scalar, 1), f,
            o->array->name, o->index, m->name);
    if (!*o->is_const)
        lr_emit(o->g, "*%s ^= 5;", f);
    lr_fold(o->g, lr_format(o->g, "(uint)*%s", f));
    return true;
}

static bool address_in_array(const odd_place *o)
{
    const lr_member *m = find_member(o->array->record, 1, LR_SCALARS);
    const char *f = lr_format(o->g, "f_%u", o->g->names++);

    if (!m || m->scalar == LR_FLOAT || m->scalar == LR_DOUBLE)
        return false;
    lr_emit(o->g, "__global const %s *%s = &%s[%s].%s[%u];", lr_type(o->g, m->scalar, 1), f,
            o->array->name, o->index, m->name, m->dim[0] - 1);
    lr_fold(o->g, lr_format(o->g, "(uint)%s[-%u]", f, m->dim[0] - 1));
    return true;
}

static bool vload_of_array(const odd_place *o)
{
    const lr_member *m = find_member(o->array->record, 1, LR_FLOAT);

    if (!m || m->dim[0] < 2)
        return false;
    lr_fold(o->g, fold_float(o->g, lr_format(o->g, "vload2(0, %s[%s].%s).y", o->array->name,
                                             o->index, m->name)));
    return true;
}

static bool vload_of_two(const odd_place *o)
{
    const lr_record *record = o->array->record;

    for (unsigned i = 0; i + 1 < record->count; i++) {
        const lr_member *m = &record->members[i], *n = m + 1;

        if (m->record || n->record || m->dims || n->dims || m->width > 1 || n->width > 1 ||
            m->scalar != LR_FLOAT || n->scalar != LR_FLOAT)
            continue;
        lr_fold(o->g, fold_float(o->g, lr_format(o->g, "vload2(0, &%s[%s].%s).y", o->array->name,
                                                 o->index, m->name)));
        return true;
    }
    return false;
}

static bool size_of_element(const odd_place *o)
{
    lr_fold(o->g, lr_format(o->g, lr_chance(o->g, 50) ? "(uint)sizeof(%s[0])" : "(uint)sizeof *%s",
                            o->array->name));
    return true;
}

static bool address_of_nested(const odd_place *o)
{
    const lr_record *record = o->array->record;
    const char *f = lr_format(o->g, "f_%u", o->g->names++);

    for (unsigned i = 0; i < record->count; i++) {
        const lr_member *m = &record->members[i];
        lr_place place = {.text = f, .join = "->", .record = m->record};
        lr_leaf leaf;

        if (!m->record || !m->record->spelling || m->dims || !lr_leaf_find(o->g, &place, 0, &leaf))
            continue;
        lr_emit(o->g, "__global const %s *%s = &%s[%s].%s;", m->record->spelling, f, o->array->name,
                o->index, m->name);
        lr_fold(o->g, lr_leaf_uint(o->g, &leaf));
        return true;
    }
    return false;
}

static bool array_of_pointers(const odd_place *o)
{
    const char *f = lr_format(o->g, "f_%u", o->g->names++);
    lr_place place = {.text = lr_format(o->g, "%s[%s & 1u]", f, o->index),
                      .join = "->",
                      .record = o->array->record};
    lr_leaf leaf;

    if (!lr_leaf_find(o->g, &place, 0, &leaf))
        return false;
    lr_emit(o->g, "__global const %s *%s[2];", o->array->record->spelling, f);
    lr_emit(o->g, "%s[0] = &%s[%s];", f, o->array->name, o->index);
    lr_emit(o->g, "%s[1] = %s[0];", f, f);
    lr_fold(o->g, lr_leaf_uint(o->g, &leaf));
    return true;
}

static bool comparison(const odd_place *o)
{
    lr_fold(o->g,
            lr_format(o->g, "(uint)(&%s[%s] == %s)", o->array->name, o->index, o->array->name));
    return true;
}

static bool pointer_in_struct(const odd_place *o)
{
    const char *f = lr_format(o->g, "f_%u", o->g->names++);
    lr_place place = {
        .text = lr_format(o->g, "%s.it", f), .join = "->", .record = o->array->record};
    lr_leaf leaf;

    if (!lr_leaf_find(o->g, &place, 0, &leaf))
        return false;
    lr_emit(o->g, "struct { __global const %s *it; uint n; } %s = { &%s[%s], 1u };",
            o->array->record->spelling, f, o->array->name, o->index);
    lr_fold(o->g, lr_leaf_uint(o->g, &leaf));
    return true;
}

static bool address_as_number(const odd_place *o)
{
    lr_fold(o->g, lr_format(o->g, "(uint)((ulong)&%s[%s] - (ulong)%s)", o->array->name, o->index,
                            o->array->name));
    return true;
}

static bool compound_literal(const odd_place *o)
{
    const char *f = lr_format(o->g, "f_%u", o->g->names++);
    lr_place place = {.text = f, .join = ".", .record = o->array->record};
    lr_leaf leaf;

    if (!lr_leaf_find(o->g, &place, 0, &leaf))
        return false;
    lr_emit(o->g, "%s %s = %s[%s], *to_%s = &%s;", o->array->record->spelling, f, o->array->name,
            o->index, f, f);
    lr_emit(o->g, "*to_%s = *(__global const %s *)(%s + %s);", f, o->array->record->spelling,
            o->array->name, o->index);
    lr_fold(o->g, lr_leaf_uint(o->g, &leaf));
    return true;
}

bool lr_odd_statement(lr_gen *g)
{
    static const struct {
        bool (*add)(const odd_place *o);
        const char *what;
    } odds[] = {{cast_to_float, "cast of an element to float *"},
                {cast_to_bytes, "cast of the array to uchar *"},
                {address_of_member, "address of a member"},
                {address_in_array, "address in an array member"},
                {vload_of_array, "vload of an array member"},
                {vload_of_two, "vload of two members"},
                {size_of_element, "sizeof an element"},
                {address_of_nested, "address of a nested struct"},
                {array_of_pointers, "array of pointers"},
                {comparison, "comparison of pointers"},
                {pointer_in_struct, "pointer in a private struct"},
                {address_as_number, "pointer as a number"},
                {compound_literal, "cast to the same type"}};
    unsigned first = lr_below(g, sizeof odds / sizeof *odds);

    for (unsigned tries = 0; tries < 8; tries++) {
        const lr_var *array = lr_find(g, is_global_array, NULL);
        unsigned which = (first + tries) % (unsigned)(sizeof odds / sizeof *odds);
        odd_place o;

        if (!array)
            return false;
        o = (odd_place){g, array, array->mode == LR_OWN ? lr_own(g) : lr_any(g, 1),
                        array->writable ? "" : "const "};
        if (!odds[which].add(&o))
            continue;
        g->program->odd = odds[which].what;
        return true;
    }
    return false;
}
