/* Random statements on structs as a whole and on pointers to them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "gen.h"

/* ---- pointers to elements ---------------------------------------------------------------------
 */

static bool is_array(const lr_var *var, const void *with)
{
    (void)with;
    return var->kind == LR_VAR_ARRAY;
}

static bool is_alike(const lr_var *var, const void *with)
{
    const lr_var *other = with;

    return var->kind == LR_VAR_ARRAY && var->record == other->record && var->mode == other->mode &&
           var->in_constant == other->in_constant;
}

static bool is_private(const lr_var *var, const void *with)
{
    (void)with;
    return var->kind == LR_VAR_VALUE && var->writable;
}

static const char *pointer_type(lr_gen *g, const lr_record *record, bool in_constant, bool writable)
{
    const char *space = in_constant ? "__constant" : "__global";

    if (writable || in_constant)
        return lr_format(g, "%s %s *", space, record->spelling);
    switch (lr_below(g, 3)) {
    case 0:
        return lr_format(g, "const %s %s *", space, record->spelling);
    case 1:
        return lr_format(g, "%s %s const *", space, record->spelling);
    default:
        return lr_format(g, "%s const %s *", space, record->spelling);
    }
}

static const char *address(lr_gen *g, const lr_var *var, unsigned depth)
{
    const char *index = var->mode == LR_OWN ? lr_own(g) : lr_any(g, depth);

    switch (lr_below(g, 4)) {
    case 0:
        return lr_format(g, "%s + %s", var->name, index);
    case 1:
        return lr_format(g, "&(%s[%s])", var->name, index);
    default:
        return lr_format(g, "&%s[%s]", var->name, index);
    }
}

static bool private_pointer(lr_gen *g)
{
    const lr_var *value = lr_find(g, is_private, NULL);
    lr_var *pointer;
    lr_var of;

    if (!value)
        return false;
    of = *value;
    pointer = lr_declare(g);
    pointer->name = lr_format(g, "v%u", g->names++);
    lr_emit(g, "%s *%s = &%s;", of.record->spelling, pointer->name, of.name);
    pointer->kind = LR_VAR_PRIVATE;
    pointer->record = of.record;
    pointer->writable = true;
    return true;
}

/* The arrays are found before the pointer's name may hide them; a hidden one is not used. */
bool lr_pointer_statement(lr_gen *g, unsigned depth)
{
    const lr_var *found = lr_find(g, is_array, NULL), *second;
    bool whole = lr_chance(g, 25), writable, again;
    const char *a, *b;
    lr_var of, *pointer;

    if (!found || lr_chance(g, 20))
        return private_pointer(g);
    of = *found;
    second = lr_find(g, is_alike, &of);
    writable = of.writable && second->writable && lr_chance(g, 80);
    a = whole ? of.name : address(g, &of, depth);
    b = whole ? second->name : address(g, second, depth);
    again = lr_chance(g, 25) && lr_has(g, LR_F_TERNARY);
    pointer = lr_declare(g);
    pointer->name = lr_format(g, "%s_%u", pointer->name, g->names++);
    if (lr_has(g, LR_F_TERNARY) && lr_chance(g, 40))
        a = lr_format(g, "%s & 1u ? %s : %s", lr_uint(g, depth), a, b);
    lr_emit(g, "%s%s = %s;",
            pointer_type(g, of.record, of.in_constant, writable || of.mode == LR_COUNT_UP),
            pointer->name, a);
    if (again)
        lr_emit(g, "if (%s & 2u) %s = %s;", lr_uint(g, depth), pointer->name, b);
    pointer->kind = whole ? LR_VAR_ARRAY : LR_VAR_ELEMENT;
    pointer->record = of.record;
    pointer->mode = of.mode;
    pointer->writable = writable;
    pointer->in_constant = of.in_constant;
    return true;
}

/* ---- pointers that move ------------------------------------------------------------------------
 */

static bool is_readable_array(const lr_var *var, const void *with)
{
    (void)with;
    return var->kind == LR_VAR_ARRAY && var->mode == LR_READ;
}

static bool is_own_array(const lr_var *var, const void *with)
{
    (void)with;
    return var->kind == LR_VAR_ARRAY && var->mode == LR_OWN;
}

/* A member of what `text` points to. */
static const char *member_of(lr_gen *g, const char *text, const char *join, const lr_record *record)
{
    lr_place place = {.text = text, .join = join, .record = record};
    lr_leaf leaf;

    return lr_leaf_find(g, &place, 1, &leaf) ? lr_leaf_uint(g, &leaf) : "1u";
}

static void walk_all(lr_gen *g, const lr_var *of, const char *type)
{
    const char *q = lr_format(g, "q_%u", g->names++), *end = lr_format(g, "e_%u", g->names++);
    unsigned n = (unsigned)g->program->n;
    size_t before;

    switch (lr_below(g, 3)) {
    case 0:
        lr_emit(g, "for (%s%s = %s, *%s = %s + %u; %s %s %s; %s)", type, q, of->name, end, of->name,
                n, q, lr_chance(g, 50) ? "<" : "!=", end,
                lr_chance(g, 50) ? lr_format(g, "%s++", q) : lr_format(g, "++%s", q));
        g->indent++;
        before = g->length;
        lr_fold(g, member_of(g, q, "->", of->record));
        (void)before;
        g->indent--;
        break;
    case 1:
        lr_emit(g, "for (%s%s = %s + %u; %s-- > %s;) {", type, q, of->name, n, q, of->name);
        lr_fold(g, member_of(g, q, "->", of->record));
        lr_emit(g, "}");
        break;
    default:
        lr_emit(g, "{ %s%s = %s;", type, q, of->name);
        lr_emit(g, "do { ");
        lr_fold(g, member_of(g, q, "->", of->record));
        lr_emit(g, "} while (++%s != %s + %u); }", q, of->name, n);
    }
}

static void walk_some(lr_gen *g, const lr_var *of, const char *type, unsigned depth)
{
    const char *q = lr_format(g, "q_%u", g->names++);
    unsigned n = (unsigned)g->program->n;

    lr_emit(g, "{ %s%s = %s + %s %% %uu;", type, q, of->name, lr_uint(g, depth), n - 4);
    lr_fold(g, member_of(
                   g,
                   lr_format(g, "(%s)",
                             lr_chance(g, 50) ? lr_format(g, "%s++", q) : lr_format(g, "++%s", q)),
                   "->", of->record));
    lr_emit(g, "%s += %u;", q, 1 + lr_below(g, 2));
    lr_fold(g, member_of(g, lr_format(g, "%s[-1]", q), ".", of->record));
    lr_emit(g, "--%s;", q);
    lr_fold(g, member_of(g, lr_format(g, "%s[1]", q), ".", of->record));
    lr_fold(g, lr_format(g, "(uint)(%s - %s)", q, of->name));
    lr_emit(g, "}");
}

static void move_to_own(lr_gen *g, const lr_var *of, const char *type)
{
    const char *q = lr_format(g, "q_%u", g->names++), *own = lr_own(g);

    lr_emit(g, "{ %s%s = %s;", type, q, of->name);
    if (lr_chance(g, 50))
        lr_emit(g, "%s += %s;", q, own);
    else
        lr_emit(g, "%s = %s + %s;", q, q, own);
    lr_fold(g, member_of(g, q, "->", of->record));
    lr_emit(g, "%s -= %s;", q, own);
    lr_fold(g, lr_format(g, "(uint)(%s - %s)", q, of->name));
    lr_emit(g, "}");
}

bool lr_walk_statement(lr_gen *g, unsigned depth)
{
    const lr_var *of = lr_find(g, is_readable_array, NULL);

    if (!of || lr_chance(g, 30)) {
        of = lr_find(g, is_own_array, NULL);
        if (of)
            move_to_own(g, of, pointer_type(g, of->record, of->in_constant, of->writable));
    } else if (lr_chance(g, 50)) {
        walk_some(g, of, pointer_type(g, of->record, of->in_constant, false), depth);
    } else {
        walk_all(g, of, pointer_type(g, of->record, of->in_constant, false));
    }
    return of;
}

/* ---- structs as a whole -----------------------------------------------------------------------
 */

/* A struct's value, of that type (NULL: of any). */
static const char *value_of(lr_gen *g, const lr_record **record, unsigned depth)
{
    lr_place place;

    for (unsigned tries = 0; tries < 3; tries++) {
        if (lr_place_find(g, *record, false, depth, &place) && !place.counted &&
            place.record->spelling) {
            *record = place.record;
            return lr_place_value(g, &place);
        }
    }
    return NULL;
}

static void new_value(lr_gen *g, const lr_record *record, const char *value)
{
    lr_var *var = lr_declare(g);
    bool separate = lr_chance(g, 20), array = lr_chance(g, 15);

    var->name = lr_format(g, "%s_%u", var->name, g->names++);
    if (array) {
        lr_emit(g, "%s %s[2];", record->spelling, var->name);
        lr_emit(g, "%s[1] = %s;", var->name, value);
        var->name = lr_format(g, "%s[1]", var->name);
    } else if (separate) {
        lr_emit(g, "%s %s;", record->spelling, var->name);
        lr_emit(g, "%s = %s;", var->name, value);
    } else {
        lr_emit(g, "%s %s = %s;", record->spelling, var->name, value);
    }
    var->kind = LR_VAR_VALUE;
    var->record = record;
    var->writable = true;
}

bool lr_whole_statement(lr_gen *g, unsigned depth)
{
    const lr_record *record = NULL;
    lr_place to;
    const char *left, *value, *other;

    if (lr_chance(g, 40) || !lr_place_find(g, NULL, true, depth, &to)) {
        value = value_of(g, &record, depth);
        if (value)
            new_value(g, record, value);
        return value;
    }
    record = to.record;
    left = lr_place_value(g, &to);
    value = value_of(g, &record, depth);
    other = value_of(g, &record, depth);
    if (!value || !other)
        return false;
    switch (lr_below(g, 5)) {
    case 0:
        lr_emit(g, "if (%s & 1u) %s = %s;", lr_uint(g, depth), left, value);
        break;
    case 1:
        lr_emit(g, "%s = %s & 1u ? %s : %s;", left, lr_uint(g, depth), value, other);
        break;
    default:
        lr_emit(g, "%s = %s;", left, value);
    }
    return true;
}

/* A nested struct with a name, somewhere in a struct in scope. */
static bool nested_find(lr_gen *g, const lr_record *wanted, bool write, unsigned depth,
                        lr_place *place)
{
    for (unsigned tries = 0; tries < 8; tries++) {
        const lr_member *found = NULL;
        unsigned count = 0;

        if (!lr_place_find(g, NULL, write, depth, place))
            return false;
        for (unsigned i = 0; i < place->record->count; i++) {
            const lr_member *m = &place->record->members[i];

            if (m->record && m->record->spelling && (!wanted || m->record == wanted) &&
                lr_below(g, ++count) == 0)
                found = m;
        }
        if (!found)
            continue;
        place->text = lr_format(g, "%s%s%s%s", place->text, place->join, found->name,
                                lr_subscripts(g, found, depth));
        place->join = ".";
        place->record = found->record;
        return true;
    }
    return false;
}

bool lr_nested_statement(lr_gen *g, unsigned depth)
{
    lr_place to, from;

    if (lr_chance(g, 60) && nested_find(g, NULL, true, depth, &to)) {
        if (lr_chance(g, 50) ? !nested_find(g, to.record, false, depth, &from)
                             : !lr_place_find(g, to.record, false, depth, &from))
            return false;
        if (from.counted && lr_record_has_role(from.record, LR_ATOMIC))
            return false;
        lr_emit(g, "%s = %s;", to.text, lr_place_value(g, &from));
        return true;
    }
    if (!nested_find(g, NULL, false, depth, &from))
        return false;
    new_value(g, from.record, from.text);
    return true;
}
