/* Generates random statements on whole structs and on pointers to structs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "structs.h"

rd_var *lr_struct_variable(rd_gen *g, const char *name, int kind, const lr_record *record)
{
    rd_var *var = rd_declare(g, name);

    if (name)
        var->name = name;
    var->kind = kind;
    var->record = record;
    var->writable = true;
    return var;
}

/* ---- pointers to elements ------------------------------------------------------------------- */

static bool is_array(const rd_var *var, const void *mode)
{
    return var->kind == LR_ARRAY && (!mode || var->mode == *(const int *)mode);
}

static bool is_alike(const rd_var *var, const void *with)
{
    const rd_var *other = with;

    return var->kind == LR_ARRAY && var->record == other->record && var->mode == other->mode &&
           var->in_constant == other->in_constant;
}

static bool is_private(const rd_var *var, const void *with)
{
    (void)with;
    return var->kind == LR_VALUE && var->writable;
}

static const char *pointer_type(rd_gen *g, const rd_var *of, bool writable)
{
    if (writable || of->in_constant)
        return rd_format(g, "%s %s *", of->in_constant ? "__constant" : "__global",
                         of->record->spelling);
    return rd_format(g, "$(const __global %1$s|__global %1$s const|__global const %1$s) *",
                     of->record->spelling);
}

static const char *address(rd_gen *g, const rd_var *var)
{
    return rd_format(g, "$(%1$s + %2$s|&(%1$s[%2$s])|&%1$s[%2$s]|&%1$s[%2$s])", var->name,
                     lr_index(g, var));
}

static const char *private_pointer(rd_gen *g)
{
    const rd_var *value = rd_find(g, is_private, NULL);
    const char *name = rd_name(g, "v");

    if (!value)
        return NULL;
    rd_emit(g, "%s *%s = &%s;", value->record->spelling, name, value->name);
    lr_struct_variable(g, name, LR_PRIVATE, value->record);
    return "";
}

/* The arrays are chosen before the pointer's name can hide them. A hidden array is not used. */
static const char *pointer(rd_gen *g)
{
    const rd_var *found = rd_find(g, is_array, NULL), *second;
    const char *name = rd_name(g, "to_"), *a, *b;
    bool whole = rd_chance(g, 25);
    rd_var of;

    if (!found || rd_chance(g, 20))
        return private_pointer(g);
    of = *found;
    second = rd_find(g, is_alike, &of);
    of.writable = of.writable && second->writable && rd_chance(g, 80);
    a = whole ? of.name : address(g, &of);
    b = whole ? second->name : address(g, second);
    if (rd_has(g, LR_TERNARY) && rd_chance(g, 40))
        a = rd_format(g, "$uint & 1u ? %s : %s", a, b);
    rd_emit(g, "%s%s = %s;", pointer_type(g, &of, of.writable || of.mode == LR_COUNT_UP), name, a);
    if (rd_has(g, LR_TERNARY) && rd_chance(g, 25))
        rd_emit(g, "if ($uint & 2u) %s = %s;", name, b);
    of.name = name;
    of.kind = whole ? LR_ARRAY : LR_ELEMENT;
    of.pinned = false;
    *rd_declare(g, name) = of;
    return "";
}

/* ---- pointers that are incremented ---------------------------------------------------------- */

/* Returns a member of the struct that `text` points to. */
static const char *member_of(rd_gen *g, const char *text, const char *join, const lr_record *record)
{
    lr_place place = {.text = text, .join = join, .record = record};
    lr_leaf leaf;

    return lr_leaf_find(g, &place, &leaf) ? lr_leaf_uint(g, &leaf) : "1u";
}

/* Emits a loop in which a pointer walks over all elements of an array. In the templates, @1 is the
 * pointer's name, @2 its type and @3 the array's name. */
static void walk_all(rd_gen *g, const rd_var *of)
{
    static const char *const walks[][2] = {
        {"for (@2@1 = @3, *end_@1 = @3 + $n; @1 $(<|!=) end_@1; $(@1++|++@1))", ""},
        {"for (@2@1 = @3 + $n; @1-- > @3;) {", "}"},
        {"{\n@2@1 = @3;\ndo {", "} while (++@1 != @3 + $n);\n}"}};
    const char *q = rd_name(g, "q_"), *const arguments[] = {q, pointer_type(g, of, false),
                                                            of->name};
    unsigned which = rd_below(g, 3);

    rd_emit_with(g, walks[which][0], arguments);
    lr_fold(g, member_of(g, q, "->", of->record));
    rd_emit_with(g, walks[which][1], arguments);
}

static void walk_some(rd_gen *g, const rd_var *of)
{
    const char *q = rd_name(g, "q_"), *type = pointer_type(g, of, false);

    rd_emit(g, "{\n%s%s = %s + $uint %% %zuu;", type, q, of->name, g->layout->shape->n - 4);
    lr_fold(g, member_of(g, rd_format(g, "($(%1$s++|++%1$s))", q), "->", of->record));
    rd_emit(g, "%s += $[1-2];", q);
    lr_fold(g, member_of(g, rd_format(g, "%s[-1]", q), ".", of->record));
    rd_emit(g, "--%s;", q);
    lr_fold(g, member_of(g, rd_format(g, "%s[1]", q), ".", of->record));
    lr_fold(g, rd_format(g, "(uint)(%s - %s)", q, of->name));
    rd_emit(g, "}");
}

static void move_to_own(rd_gen *g, const rd_var *of)
{
    const char *q = rd_name(g, "q_"), *own = rd_format(g, "$own");

    rd_emit(g, "{\n%s%s = %s;", pointer_type(g, of, of->writable), q, of->name);
    rd_emit(g, "%1$s $(+=|= %1$s +) %2$s;", q, own);
    lr_fold(g, member_of(g, q, "->", of->record));
    rd_emit(g, "%s -= %s;", q, own);
    lr_fold(g, rd_format(g, "(uint)(%s - %s)", q, of->name));
    rd_emit(g, "}");
}

static const char *walk(rd_gen *g)
{
    static const int own = LR_OWN, read = LR_READ;
    const rd_var *of = rd_find(g, is_array, &read);

    if (g->layout->loops >= 2)
        return NULL;
    if (!of || rd_chance(g, 30)) {
        of = rd_find(g, is_array, &own);
        if (of)
            move_to_own(g, of);
    } else
        (rd_chance(g, 50) ? walk_some : walk_all)(g, of);
    return of ? "" : NULL;
}

/* ---- whole structs -------------------------------------------------------------------------- */

/* Returns a struct's value of this type (NULL: of any type). */
static const char *value_of(rd_gen *g, const lr_record **record)
{
    lr_place place;

    for (unsigned tries = 0; tries < 3; tries++)
        if (lr_place_find(g, *record, false, &place) && !place.counted && place.record->spelling) {
            *record = place.record;
            return lr_place_value(g, &place);
        }
    return NULL;
}

static const char *new_value(rd_gen *g, const lr_record *record, const char *value)
{
    const char *name = rd_name(g, "s_");
    bool array = rd_chance(g, 15);

    rd_emit(g, array ? "%1$s %2$s[2];\n%2$s[1] = %3$s;" : "%1$s %2$s$20(;\n%2$s|) = %3$s;",
            record->spelling, name, value);
    lr_struct_variable(g, array ? rd_format(g, "%s[1]", name) : name, LR_VALUE, record);
    return "";
}

static const char *whole(rd_gen *g)
{
    const lr_record *record = NULL;
    const char *left, *value, *other;
    lr_place to;

    if (rd_chance(g, 40) || !lr_place_find(g, NULL, true, &to)) {
        value = value_of(g, &record);
        return value ? new_value(g, record, value) : NULL;
    }
    record = to.record;
    left = lr_place_value(g, &to);
    value = value_of(g, &record);
    other = value_of(g, &record);
    if (!value || !other)
        return NULL;
    rd_emit(g, rd_chance(g, 20) ? "%s = $uint & 1u ? %s : %s;" : "$25(if ($uint & 1u) )%s = %s;",
            left, value, other);
    return "";
}

/* Returns a nested struct with a name, in a struct in scope. */
static bool nested_find(rd_gen *g, const lr_record *wanted, bool write, lr_place *place)
{
    for (unsigned tries = 0; tries < 8; tries++) {
        const lr_member *found = NULL;
        unsigned count = 0;

        if (!lr_place_find(g, NULL, write, place))
            return false;
        for (unsigned i = 0; i < place->record->count; i++) {
            const lr_member *m = &place->record->members[i];

            if (m->record && m->record->spelling && (!wanted || m->record == wanted) &&
                rd_below(g, ++count) == 0)
                found = m;
        }
        if (!found)
            continue;
        place->text = rd_format(g, "%s%s%s%s", place->text, place->join, found->name,
                                lr_subscripts(g, found));
        place->join = ".";
        place->record = found->record;
        return true;
    }
    return false;
}

static const char *nested(rd_gen *g)
{
    lr_place to, from;

    if (rd_chance(g, 60) && nested_find(g, NULL, true, &to)) {
        if (rd_chance(g, 50) ? !nested_find(g, to.record, false, &from)
                             : !lr_place_find(g, to.record, false, &from))
            return NULL;
        if (from.counted && lr_has_role(from.record, LR_ATOMIC))
            return NULL;
        rd_emit(g, "%s = %s;", to.text, lr_place_value(g, &from));
        return "";
    }
    return nested_find(g, NULL, false, &from) ? new_value(g, from.record, from.text) : NULL;
}

const rd_rule lr_pointer_rules[] = {
    {"pointer", pointer}, {"walk", walk}, {"whole", whole}, {"nested", nested}, {NULL}};
