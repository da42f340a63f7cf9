/* Generates statements for which a layout may be refused. If it is not refused, the results must be
 * right.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "structs.h"

/* Returns a condition on a member of an array's struct. */
typedef enum {
    ANY_STRUCT, /* no member: any member is read */
    FLOAT,
    INTEGER,
    ARRAY_OF_INTEGERS,
    ARRAY_OF_FLOATS,
    TWO_FLOATS,
    STRUCT
} wants;

/* @1: new name; @2: array; @3: index; @4: member's name; @5: its type (else the struct's type); @6:
 * its first extent minus one; @7: const if the array is not written; @8: offset of a float in
 * floats, else the struct's size. */
typedef struct {
    const char *what;
    wants member;
    const char *text, *value; /* statements; the value that is folded, or a member of it */
    const char *join;         /* to the member */
} odd_thing;

static const odd_thing things[] = {
    {"cast of an element to float *", FLOAT,
     "__global const float *@1 = (__global const float *)&@2[@3];", "(uint)(int)@1[@8]"},
    {"cast of the array to uchar *", ANY_STRUCT,
     "__global const uchar *@1 = (__global const uchar *)@2;", "(uint)@1[@3 * @8]"},
    {"address of a member", INTEGER, "__global @7@5 *@1 = &@2[@3].@4;", "(uint)*@1"},
    {"address in an array member", ARRAY_OF_INTEGERS, "__global const @5 *@1 = &@2[@3].@4[@6];",
     "(uint)@1[-@6]"},
    {"vload of an array member", ARRAY_OF_FLOATS, "", "(uint)(int)vload2(0, @2[@3].@4).y"},
    {"vload of two members", TWO_FLOATS, "", "(uint)(int)vload2(0, &@2[@3].@4).y"},
    {"sizeof an element", ANY_STRUCT, "", "(uint)sizeof$((@2[0])| *@2)"},
    {"address of a nested struct", STRUCT, "__global const @5 *@1 = &@2[@3].@4;", "@1", "->"},
    {"array of pointers", ANY_STRUCT, "__global const @5 *@1[2];\n@1[0] = &@2[@3];\n@1[1] = @1[0];",
     "@1[@3 & 1u]", "->"},
    {"comparison of pointers", ANY_STRUCT, "", "(uint)(&@2[@3] == @2)"},
    {"pointer in a private struct", ANY_STRUCT,
     "struct { __global const @5 *it; uint n; } @1 = { &@2[@3], 1u };", "@1.it", "->"},
    {"pointer as a number", ANY_STRUCT, "", "(uint)((ulong)&@2[@3] - (ulong)@2)"},
    {"cast to the same type", ANY_STRUCT,
     "@5 @1 = @2[@3], *to_@1 = &@1;\n"
     "*to_@1 = *(__global const @5 *)(@2 + @3);",
     "@1", "."},
};

enum { THINGS = sizeof things / sizeof *things };

static bool is_global_array(const rd_var *var, const void *with)
{
    (void)with;
    return var->kind == LR_ARRAY && !var->in_constant && var->mode != LR_COUNT_UP;
}

static bool is_wanted(const lr_record *record, unsigned i, wants wanted)
{
    const lr_member *m = &record->members[i], *next = m + 1;
    bool scalar = !m->record && m->role == LR_PLAIN && m->width == 1;
    bool integer = scalar && m->scalar != LR_FLOAT && m->scalar != LR_DOUBLE;

    switch (wanted) {
    case FLOAT:
        return scalar && !m->dims && m->scalar == LR_FLOAT;
    case INTEGER:
        return integer && !m->dims;
    case ARRAY_OF_INTEGERS:
        return integer && m->dims == 1;
    case ARRAY_OF_FLOATS:
        return scalar && m->dims == 1 && m->scalar == LR_FLOAT && m->dim[0] > 1;
    case TWO_FLOATS:
        return scalar && !m->dims && m->scalar == LR_FLOAT && i + 1 < record->count &&
               !next->record && !next->dims && next->width == 1 && next->scalar == LR_FLOAT;
    case STRUCT:
        return m->record && m->record->spelling && !m->dims;
    default:
        return true;
    }
}

static const lr_member *find_member(const lr_record *record, wants wanted)
{
    for (unsigned i = 0; i < record->count; i++)
        if (is_wanted(record, i, wanted))
            return &record->members[i];
    return NULL;
}

static bool add(rd_gen *g, const odd_thing *thing, const rd_var *array)
{
    const lr_member *m = find_member(array->record, thing->member);
    const lr_record *of = thing->member == STRUCT && m ? m->record : array->record;
    bool whole = thing->member == STRUCT || thing->member == ANY_STRUCT;
    const char *arguments[8] = {rd_name(g, "f_"), array->name, lr_index(g, array)}, *value;
    lr_leaf leaf;

    if (!m || (rd_is_cuda(g) && strstr(thing->value, "vload")))
        return false;
    arguments[3] = m->name;
    arguments[4] = whole ? of->spelling : lr_scalar_type(m->scalar);
    arguments[5] = rd_format(g, "%u", m->dims ? m->dim[0] - 1 : 0);
    arguments[6] = array->writable ? "" : "const ";
    arguments[7] =
        rd_format(g, "%zu", thing->member == FLOAT ? m->offset / 4 : array->record->bytes);
    value = rd_format_with(g, thing->value, arguments);
    if (thing->join) {
        const lr_place place = {.text = value, .join = thing->join, .record = of};

        if (!lr_leaf_find(g, &place, &leaf))
            return false;
        value = lr_leaf_uint(g, &leaf);
    }
    rd_emit_with(g, thing->text, arguments);
    if (thing->member == INTEGER && array->writable)
        rd_emit(g, "*%s ^= 5;", arguments[0]);
    lr_fold(g, value);
    g->program->odd = thing->what;
    return true;
}

bool lr_odd(rd_gen *g)
{
    unsigned first = rd_below(g, THINGS);

    for (unsigned tries = 0; tries < 8; tries++) {
        const rd_var *array = rd_find(g, is_global_array, NULL);

        if (!array)
            return false;
        if (add(g, &things[(first + tries) % THINGS], array))
            return true;
    }
    return false;
}
