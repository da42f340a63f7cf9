/* Random statements whose form is hard to rewrite: assignments as values, several declarations in
 * one, members of values that are no variables, accesses in the head of a loop.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "gen.h"

/* A scalar that can be written; false: there is none in sight. */
static bool scalar_find(lr_gen *g, lr_leaf *leaf, unsigned depth)
{
    lr_place place;

    for (unsigned tries = 0; tries < 4; tries++)
        if (lr_place_find(g, NULL, true, depth, &place) && lr_leaf_find(g, &place, depth, leaf) &&
            leaf->member->width == 1)
            return true;
    return false;
}

static bool assignment_value(lr_gen *g, unsigned depth)
{
    lr_leaf to, assigned;

    if (!scalar_find(g, &to, depth))
        return false;
    assigned = (lr_leaf){lr_format(g, "(%s = %s)", to.text, lr_scalar_value(g, to.member, depth)),
                         to.member};
    lr_fold(g, lr_leaf_uint(g, &assigned));
    return true;
}

static bool chained(lr_gen *g, unsigned depth)
{
    lr_leaf to, second;

    if (!scalar_find(g, &to, depth) || to.member->role == LR_INDEX)
        return false;
    for (unsigned tries = 0; tries < 6; tries++) {
        if (!scalar_find(g, &second, depth) || second.member->scalar != to.member->scalar ||
            second.member->role == LR_INDEX)
            continue;
        lr_emit(g, "%s = %s = %s;", to.text, second.text, lr_scalar_value(g, to.member, depth));
        return true;
    }
    return false;
}

static bool comma(lr_gen *g, unsigned depth)
{
    lr_leaf a, b;

    if (!scalar_find(g, &a, depth) || !scalar_find(g, &b, depth))
        return false;
    lr_emit(g, "%s = %s, %s = %s;", a.text, lr_scalar_value(g, a.member, depth), b.text,
            lr_scalar_value(g, b.member, depth));
    return true;
}

static const lr_member *plain_uint(const lr_record *record)
{
    for (unsigned i = 0; i < record->count; i++) {
        const lr_member *m = &record->members[i];

        if (!m->record && m->dims == 0 && m->width == 1 && m->scalar == LR_UINT &&
            m->role == LR_PLAIN)
            return m;
    }
    return NULL;
}

static bool is_own_array(const lr_var *var, const void *with)
{
    (void)with;
    return var->kind == LR_VAR_ARRAY && var->mode == LR_OWN && var->writable &&
           plain_uint(var->record);
}

/* The member counts the turns: the body only reads. */
static bool loop_on_member(lr_gen *g)
{
    const lr_var *var = lr_find(g, is_own_array, NULL);
    const char *text;

    if (!var || g->loops > 1)
        return false;
    text = lr_format(g, "%s[%s].%s", var->name, lr_own(g), plain_uint(var->record)->name);
    lr_emit(g, "for (%s %%= 5u; %s > 0u; %s%s)", text, text, text,
            lr_chance(g, 50) ? "--" : " -= 1u");
    g->indent++;
    lr_fold(g, lr_uint(g, 1));
    g->indent--;
    return true;
}

/* Two structs of one type, as values. */
static bool two_values(lr_gen *g, unsigned depth, lr_place *a, lr_place *b)
{
    return lr_place_find(g, NULL, false, depth, a) && !a->counted && a->record->spelling &&
           lr_place_find(g, a->record, false, depth, b) && !b->counted;
}

static bool member_of_choice(lr_gen *g, unsigned depth)
{
    lr_place a, b, chosen = {.join = "."};
    lr_leaf leaf;

    if (!two_values(g, depth, &a, &b))
        return false;
    chosen.record = a.record;
    chosen.text = lr_format(g, "(%s & 1u ? %s : %s)", lr_uint(g, depth), lr_place_value(g, &a),
                            lr_place_value(g, &b));
    for (unsigned tries = 0; tries < 4; tries++) {
        const lr_member *m = &a.record->members[lr_below(g, a.record->count)];

        if (m->record || m->dims > 0 || m->raw)
            continue;
        leaf = (lr_leaf){lr_format(g, "%s.%s", chosen.text, m->name), m};
        lr_fold(g, lr_leaf_uint(g, &leaf));
        return true;
    }
    return false;
}

static bool several_declared(lr_gen *g, unsigned depth)
{
    const char *names[2] = {lr_format(g, "d_%u", g->names), lr_format(g, "e_%u", g->names + 1)};
    lr_place a, b;

    g->names += 2;
    if (!two_values(g, depth, &a, &b))
        return false;
    lr_emit(g, "%s %s = %s, %s = %s;", a.record->spelling, names[0], lr_place_value(g, &a),
            names[1], lr_chance(g, 30) ? names[0] : lr_place_value(g, &b));
    for (unsigned i = 0; i < 2; i++)
        *lr_declare(g) =
            (lr_var){.name = names[i], .kind = LR_VAR_VALUE, .record = a.record, .writable = true};
    return true;
}

static bool is_global_own(const lr_var *var, const void *with)
{
    (void)with;
    return var->kind == LR_VAR_ARRAY && var->mode == LR_OWN && var->writable;
}

static bool pointers_declared(lr_gen *g)
{
    const lr_var *var = lr_find(g, is_global_own, NULL);
    const char *names[2] = {lr_format(g, "d_%u", g->names), lr_format(g, "e_%u", g->names + 1)};
    lr_var of;

    g->names += 2;
    if (!var || !lr_has(g, LR_F_POINTERS))
        return false;
    of = *var;
    lr_emit(g, "__global %s *%s = &%s[%s], *%s = %s;", of.record->spelling, names[0], of.name,
            lr_own(g), names[1],
            lr_chance(g, 50) ? names[0] : lr_format(g, "%s + %s", of.name, lr_own(g)));
    for (unsigned i = 0; i < 2; i++)
        *lr_declare(g) = (lr_var){
            .name = names[i], .kind = LR_VAR_ELEMENT, .record = of.record, .writable = true};
    return true;
}

/* The members that are named are written, all others are zeros. */
static bool initializer(lr_gen *g, unsigned depth)
{
    const lr_program *p = g->program;
    const lr_record *record = p->records[lr_below(g, (unsigned)p->record_count)];
    const char *name = lr_format(g, "z_%u", g->names++), *list = "";

    if (!record->spelling || !lr_has(g, LR_F_WHOLE))
        return false;
    for (unsigned i = 0; i < record->count; i++) {
        const lr_member *m = &record->members[i];

        if (!m->record && m->dims == 0 && m->width == 1 && !m->raw && lr_chance(g, 60))
            list = lr_format(g, "%s%s.%s = %s", list, *list ? ", " : "", m->name,
                             lr_scalar_value(g, m, depth));
    }
    if (!*list)
        return false;
    lr_emit(g, "%s %s = {%s};", record->spelling, name, list);
    *lr_declare(g) =
        (lr_var){.name = name, .kind = LR_VAR_VALUE, .record = record, .writable = true};
    return true;
}

bool lr_form_statement(lr_gen *g, unsigned depth)
{
    switch (lr_below(g, 8)) {
    case 0:
        return assignment_value(g, depth);
    case 1:
        return chained(g, depth);
    case 2:
        return comma(g, depth);
    case 3:
        return loop_on_member(g);
    case 4:
        return lr_has(g, LR_F_WHOLE) && member_of_choice(g, depth);
    case 5:
        return lr_has(g, LR_F_WHOLE) && several_declared(g, depth);
    case 6:
        return pointers_declared(g);
    default:
        return initializer(g, depth);
    }
}
