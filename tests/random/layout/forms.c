/* Random statements whose form is hard to rewrite: assignments as values, several declarations in
 * one, members of values that are no variables, accesses in the head of a loop.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "structs.h"

/* Chooses a scalar that can be written; false: none is in scope. */
static bool scalar_find(rd_gen *g, lr_leaf *leaf)
{
    lr_place place;

    for (unsigned tries = 0; tries < 4; tries++)
        if (lr_place_find(g, NULL, true, &place) && lr_leaf_find(g, &place, leaf) &&
            leaf->member->width == 1)
            return true;
    return false;
}

static const char *assignment_value(rd_gen *g)
{
    lr_leaf to;

    if (!scalar_find(g, &to))
        return NULL;
    to.text = rd_format(g, "(%s = %s)", to.text, lr_scalar_value(g, to.member));
    return lr_fold(g, lr_leaf_uint(g, &to));
}

static const char *chained(rd_gen *g)
{
    lr_leaf to, second;

    if (!scalar_find(g, &to) || to.member->role == LR_INDEX)
        return NULL;
    for (unsigned tries = 0; tries < 6; tries++)
        if (scalar_find(g, &second) && second.member->scalar == to.member->scalar &&
            second.member->role != LR_INDEX) {
            rd_emit(g, "%s = %s = %s;", to.text, second.text, lr_scalar_value(g, to.member));
            return "";
        }
    return NULL;
}

static const char *comma(rd_gen *g)
{
    const char *first;
    lr_leaf a, b;

    if (!scalar_find(g, &a) || !scalar_find(g, &b))
        return NULL;
    first = lr_scalar_value(g, a.member);
    rd_emit(g, "%s = %s, %s = %s;", a.text, first, b.text, lr_scalar_value(g, b.member));
    return "";
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

static bool is_own_array(const rd_var *var, const void *with)
{
    (void)with;
    return var->kind == LR_ARRAY && var->mode == LR_OWN && var->writable;
}

/* The member is a loop counter, so the body only reads it. */
static const char *loop_on_member(rd_gen *g)
{
    const rd_var *var = rd_find(g, is_own_array, NULL);
    const lr_member *m = var ? plain_uint(var->record) : NULL;

    if (!m || g->layout->loops > 1)
        return NULL;
    rd_emit(g, "for (%1$s %%= 5u; %1$s > 0u; %1$s$(--| -= 1u))\n$bare_fold",
            rd_format(g, "%s[$own].%s", var->name, m->name));
    return "";
}

/* Chooses two structs of one type as values. */
static bool two_values(rd_gen *g, lr_place *a, lr_place *b)
{
    return lr_place_find(g, NULL, false, a) && !a->counted && a->record->spelling &&
           lr_place_find(g, a->record, false, b) && !b->counted;
}

static const char *member_of_choice(rd_gen *g)
{
    lr_place a, b;

    if (!two_values(g, &a, &b))
        return NULL;
    for (unsigned tries = 0; tries < 4; tries++) {
        const lr_member *m = &a.record->members[rd_below(g, a.record->count)];
        lr_leaf leaf = {.member = m};

        if (m->record || m->dims > 0 || m->raw)
            continue;
        leaf.text = rd_format(g, "($uint & 1u ? %s : %s).%s", lr_place_value(g, &a),
                              lr_place_value(g, &b), m->name);
        return lr_fold(g, lr_leaf_uint(g, &leaf));
    }
    return NULL;
}

static const char *several_declared(rd_gen *g)
{
    const char *d = rd_name(g, "d_"), *e = rd_name(g, "e_"), *second;
    lr_place a, b;

    if (!two_values(g, &a, &b))
        return NULL;
    second = rd_chance(g, 30) ? d : lr_place_value(g, &b);
    rd_emit(g, "%s %s = %s, %s = %s;", a.record->spelling, d, lr_place_value(g, &a), e, second);
    lr_struct_variable(g, d, LR_VALUE, a.record);
    lr_struct_variable(g, e, LR_VALUE, a.record);
    return "";
}

static const char *pointers_declared(rd_gen *g)
{
    const rd_var *var = rd_find(g, is_own_array, NULL);
    const char *d = rd_name(g, "d_"), *e = rd_name(g, "e_");
    const lr_record *record = var ? var->record : NULL;

    if (!var)
        return NULL;
    rd_emit(g, "__global %1$s *%2$s = &%3$s[$own], *%4$s = $(%2$s|%3$s + $own);", record->spelling,
            d, var->name, e);
    lr_struct_variable(g, d, LR_ELEMENT, record);
    lr_struct_variable(g, e, LR_ELEMENT, record);
    return "";
}

/* C++ does not allow narrowing conversions in an initializer list. */
static const char *narrowed(rd_gen *g, const lr_member *m)
{
    return rd_is_cuda(g) ? rd_format(g, "(%s)", lr_scalar_type(m->scalar)) : "";
}

/* The named members are written, and all others are zero. */
static const char *initializer(rd_gen *g)
{
    const lr_record *record = lr_any_record(g);
    const char *name = rd_name(g, "z_"), *list = "";

    for (unsigned i = 0; i < record->count; i++) {
        const lr_member *m = &record->members[i];

        if (!m->record && m->dims == 0 && m->width == 1 && !m->raw && rd_chance(g, 60))
            list = rd_format(g, "%s%s.%s = %s%s", list, *list ? ", " : "", m->name, narrowed(g, m),
                             lr_scalar_value(g, m));
    }
    if (!record->spelling || !*list)
        return NULL;
    rd_emit(g, "%s %s = {%s};", record->spelling, name, list);
    lr_struct_variable(g, name, LR_VALUE, record);
    return "";
}

static const rd_form forms[] = {{1, "$assignment_value"},
                                {1, "$chained"},
                                {1, "$comma"},
                                {1, "$loop_on_member"},
                                {1, "$member_of_choice", LR_WHOLE},
                                {1, "$several_declared", LR_WHOLE},
                                {1, "$pointers_declared", LR_POINTERS},
                                {1, "$initializer", LR_WHOLE},
                                {0}};

const rd_rule lr_form_rules[] = {{"form", .forms = forms, .once = true},
                                 {"assignment_value", assignment_value},
                                 {"chained", chained},
                                 {"comma", comma},
                                 {"loop_on_member", loop_on_member},
                                 {"member_of_choice", member_of_choice},
                                 {"several_declared", several_declared},
                                 {"pointers_declared", pointers_declared},
                                 {"initializer", initializer},
                                 {NULL}};
