/* Random statements on numbers and members: stores, updates, declarations, branches and loops.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "gen.h"

static bool is_sum(const lr_var *var, const void *with)
{
    (void)with;
    return var->kind == LR_VAR_UINT && var->writable;
}

void lr_fold(lr_gen *g, const char *value)
{
    const lr_var *var = lr_find(g, is_sum, NULL);

    switch (lr_below(g, 3)) {
    case 0:
        lr_emit(g, "%s = %s * 31u + %s;", var->name, var->name, value);
        break;
    case 1:
        lr_emit(g, "%s ^= %s;", var->name, value);
        break;
    default:
        lr_emit(g, "%s += %s;", var->name, value);
    }
}

/* ---- members ----------------------------------------------------------------------------------
 */

static const char *vector_literal(lr_gen *g, const lr_member *m, unsigned depth)
{
    const char *list = lr_scalar_value(g, m, depth);

    for (unsigned i = 1; i < m->width; i++)
        list = lr_format(g, "%s, %s", list, lr_scalar_value(g, m, depth));
    return lr_format(g, "(%s)(%s)", lr_type(g, m->scalar, m->width), list);
}

static bool is_real(const lr_member *m)
{
    return m->scalar == LR_FLOAT || m->scalar == LR_DOUBLE;
}

static void vector_statement(lr_gen *g, const lr_leaf *leaf, unsigned depth)
{
    const lr_member *m = leaf->member;
    const char *half = m->scalar == LR_FLOAT ? "0.5f" : "0.5";
    const char *value = vector_literal(g, m, depth);

    switch (lr_below(g, 6)) {
    case 0:
        lr_emit(g, "%s.xy = %s.yx;", leaf->text, leaf->text);
        break;
    case 1:
        lr_emit(g, "%s = %s;", lr_component(g, leaf), lr_scalar_value(g, m, depth));
        break;
    case 2:
        if (is_real(m))
            lr_emit(g, "%s = %s * %s + %s * %s;", leaf->text, leaf->text, half, value, half);
        else
            lr_emit(g, "%s %c= %s;", leaf->text, "^|&"[lr_below(g, 3)], value);
        break;
    case 3:
        if (is_real(m))
            lr_emit(g, "%s -= %s * %s;", leaf->text, leaf->text, half);
        else
            lr_emit(g, "%s = ~%s;", leaf->text, leaf->text);
        break;
    default:
        lr_emit(g, "%s = %s;", leaf->text, value);
    }
}

static void real_update(lr_gen *g, const lr_leaf *leaf, unsigned depth)
{
    bool is_float = leaf->member->scalar == LR_FLOAT;

    switch (lr_below(g, 4)) {
    case 0:
        lr_emit(g, "%s *= %s;", leaf->text, is_float ? "0.5f" : "0.5");
        break;
    case 1:
        lr_emit(g, "%s %c= (%s)(%s & 63u);", leaf->text, "+-"[lr_below(g, 2)],
                is_float ? "float" : "double", lr_uint(g, depth));
        break;
    case 2:
        lr_emit(g, "%s%s;", leaf->text, lr_chance(g, 50) ? "++" : "--");
        break;
    default:
        lr_emit(g, "%s = %s;", leaf->text, lr_scalar_value(g, leaf->member, depth));
    }
}

static void step(lr_gen *g, const char *text)
{
    const char *operator= lr_chance(g, 50) ? "++" : "--";

    switch (lr_below(g, 3)) {
    case 0:
        lr_emit(g, "%s%s;", text, operator);
        break;
    case 1:
        lr_emit(g, "%s%s;", operator, text);
        break;
    default:
        lr_fold(g, lr_format(g, lr_chance(g, 50) ? "(uint)%s%s" : "(uint)(%s%s)", text, operator));
    }
}

static void integer_update(lr_gen *g, const lr_leaf *leaf, unsigned depth)
{
    const lr_member *m = leaf->member;
    bool wraps = m->scalar == LR_UINT || m->scalar == LR_ULONG;
    bool promoted = m->scalar <= LR_USHORT;

    switch (lr_below(g, 6)) {
    case 0:
        if (wraps || promoted) {
            step(g, leaf->text);
            break;
        }
        /* fall through */
    case 1:
        lr_emit(g, "%s %s %c= %s;", leaf->text, lr_gap(g), "^|&"[lr_below(g, 3)],
                lr_scalar_value(g, m, depth));
        break;
    case 2:
        lr_emit(g, "%s %c= %s;", leaf->text, wraps ? "+-*"[lr_below(g, 3)] : '^',
                lr_scalar_value(g, m, depth));
        break;
    case 3:
        lr_emit(g, "%s %s %uu;", leaf->text,
                wraps && lr_chance(g, 50) ? "<<=" : "%=", 1 + lr_below(g, 7));
        break;
    default:
        lr_emit(g, "%s%s=%s%s;", leaf->text, lr_gap(g), lr_gap(g), lr_scalar_value(g, m, depth));
    }
}

static bool store_statement(lr_gen *g, unsigned depth)
{
    lr_place place;
    lr_leaf leaf;

    if (!lr_place_find(g, NULL, true, depth, &place) || !lr_leaf_find(g, &place, depth, &leaf))
        return false;
    if (leaf.member->role == LR_INDEX)
        lr_emit(g, "%s = %s;", leaf.text, lr_scalar_value(g, leaf.member, depth));
    else if (leaf.member->width > 1)
        vector_statement(g, &leaf, depth);
    else if (is_real(leaf.member))
        real_update(g, &leaf, depth);
    else
        integer_update(g, &leaf, depth);
    return true;
}

/* ---- variables --------------------------------------------------------------------------------
 */

static void declaration(lr_gen *g, unsigned depth)
{
    lr_var *var = lr_declare(g);

    if (lr_chance(g, 50)) {
        lr_emit(g, "uint %s = %s;", var->name, lr_uint(g, depth));
        var->kind = LR_VAR_UINT;
    } else {
        lr_emit(g, "float %s = %s;", var->name, lr_float(g, depth));
        var->kind = LR_VAR_FLOAT;
    }
    var->writable = true;
}

/* A vector member as a whole, in a variable. */
static bool vector_variable(lr_gen *g, unsigned depth)
{
    lr_place place;
    lr_leaf leaf;
    lr_leaf copy;

    for (unsigned tries = 0; tries < 6; tries++) {
        if (lr_place_find(g, NULL, false, depth, &place) && lr_leaf_find(g, &place, depth, &leaf) &&
            leaf.member->width > 1) {
            lr_var *var = lr_declare(g);

            /* Its initial value may not name what it hides. */
            if (lr_has(g, LR_F_SHADOW))
                var->name = lr_format(g, "v%u", g->names++);
            lr_emit(g, "%s %s = %s;", lr_type(g, leaf.member->scalar, leaf.member->width),
                    var->name, leaf.text);
            copy = (lr_leaf){var->name, leaf.member};
            lr_fold(g, lr_leaf_uint(g, &copy));
            return true;
        }
    }
    return false;
}

/* ---- flow -------------------------------------------------------------------------------------
 */

static const char *condition(lr_gen *g, unsigned depth)
{
    static const char *const relations[] = {"<", ">", "<=", ">=", "==", "!="};
    const char *relation = relations[lr_below(g, 6)];

    switch (lr_below(g, 4)) {
    case 0:
        return lr_format(g, "%s & %uu", lr_uint(g, depth), 1 + lr_below(g, 3));
    case 1:
        return lr_format(g, "%s %s %s", lr_float(g, depth), relation, lr_float(g, depth));
    case 2:
        return lr_format(g, "%s %s %s && %s", lr_uint(g, depth), relation, lr_uint(g, depth),
                         lr_uint(g, depth));
    default:
        return lr_format(g, "%s %s %s", lr_uint(g, depth), relation, lr_uint(g, depth));
    }
}

static void branch(lr_gen *g, unsigned depth)
{
    lr_mark mark;

    lr_emit(g, "if (%s) {", condition(g, depth));
    mark = lr_open(g);
    lr_statements(g, 1 + lr_below(g, 2), depth - 1);
    lr_close(g, mark);
    if (lr_chance(g, 40)) {
        lr_emit(g, "} else {");
        mark = lr_open(g);
        lr_statements(g, 1 + lr_below(g, 2), depth - 1);
        lr_close(g, mark);
    }
    lr_emit(g, "}");
}

/* A branch without braces, where the rewritten statement has to stay one. */
static void bare_branch(lr_gen *g, unsigned depth)
{
    size_t before;

    lr_emit(g, "if (%s)", condition(g, depth));
    g->indent++;
    before = g->length;
    store_statement(g, depth - 1);
    if (g->length == before)
        lr_emit(g, ";");
    g->indent--;
    if (lr_chance(g, 40)) {
        lr_emit(g, "else");
        g->indent++;
        lr_fold(g, lr_uint(g, depth - 1));
        g->indent--;
    }
}

static void loop_body(lr_gen *g, unsigned depth)
{
    g->loops++;
    lr_statements(g, 1 + lr_below(g, 3), depth - 1);
    if (lr_chance(g, 20))
        lr_emit(g, "if (%s) %s;", condition(g, 1), lr_chance(g, 50) ? "continue" : "break");
    lr_fold(g, lr_uint(g, depth - 1));
    g->loops--;
}

static void loop(lr_gen *g, unsigned depth)
{
    lr_mark outer = lr_open(g), mark;
    unsigned kind = lr_below(g, 3), turns = 1 + lr_below(g, 4);
    lr_var *k;

    lr_emit(g, "{");
    k = lr_declare(g);
    if (kind == 0)
        lr_emit(g, "for (uint %s = 0; %s < %uu; %s++) {", k->name, k->name, turns, k->name);
    else
        lr_emit(g, "uint %s = %uu;", k->name, turns);
    if (kind == 1)
        lr_emit(g, "do {");
    else if (kind == 2)
        lr_emit(g, "while (%s-- > 0u) {", k->name);
    k->kind = LR_VAR_UINT;
    mark = lr_open(g);
    loop_body(g, depth);
    lr_close(g, mark);
    lr_emit(g, kind == 1 ? "} while (--%s);" : "}", k->name);
    lr_close(g, outer);
    lr_emit(g, "}");
}

/* Over all elements. */
static void long_loop(lr_gen *g, unsigned depth)
{
    lr_mark mark;
    lr_var *j;

    lr_emit(g, "{");
    mark = lr_open(g);
    j = lr_declare(g);
    lr_emit(g, "for (uint %s = 0; %s < %uu; ++%s)", j->name, j->name, (unsigned)g->program->n,
            j->name);
    j->kind = LR_VAR_UINT;
    g->indent++;
    g->loops += 2;
    lr_fold(g, lr_uint(g, depth));
    g->loops -= 2;
    g->indent--;
    lr_close(g, mark);
    lr_emit(g, "}");
}

static void choice(lr_gen *g, unsigned depth)
{
    unsigned cases = 1 + lr_below(g, 3);

    lr_emit(g, "switch (%s %% 4u) {", lr_uint(g, depth));
    for (unsigned i = 0; i <= cases; i++) {
        lr_mark mark;

        lr_emit(g, i < cases ? "case %uu: {" : "default: {", i);
        mark = lr_open(g);
        lr_statements(g, 1, depth - 1);
        lr_close(g, mark);
        lr_emit(g, lr_chance(g, 70) ? "} break;" : "}");
    }
    lr_emit(g, "}");
}

static bool flow_statement(lr_gen *g, unsigned depth)
{
    if (depth == 0)
        return false;
    if (!lr_has(g, LR_F_FLOW) || lr_chance(g, 30))
        (lr_chance(g, 60) ? branch : bare_branch)(g, depth);
    else if (lr_chance(g, 30))
        choice(g, depth);
    else if (g->loops == 0 && lr_chance(g, 25))
        long_loop(g, depth);
    else if (g->loops < 2)
        loop(g, depth);
    else
        return false;
    return true;
}

static bool statement(lr_gen *g, unsigned depth)
{
    switch (lr_below(g, 14)) {
    case 0:
        declaration(g, depth);
        return true;
    case 1:
        lr_fold(g, lr_uint(g, depth + 1));
        return true;
    case 2:
    case 3:
        return flow_statement(g, depth);
    case 4:
        return lr_has(g, LR_F_WHOLE) && lr_whole_statement(g, depth);
    case 5:
        return lr_has(g, LR_F_NESTED) && lr_nested_statement(g, depth);
    case 6:
        return lr_has(g, LR_F_POINTERS) && lr_pointer_statement(g, depth);
    case 7:
        return lr_call_statement(g, depth);
    case 8:
        return vector_variable(g, depth);
    case 10:
    case 11:
        return lr_form_statement(g, depth);
    case 9:
        return lr_has(g, LR_F_WALKS) && g->loops < 2 && lr_walk_statement(g, depth);
    default:
        return store_statement(g, depth);
    }
}

void lr_statements(lr_gen *g, unsigned count, unsigned depth)
{
    for (unsigned i = 0; i < count; i++) {
        lr_unit unit = lr_unit_begin(g);

        if (!statement(g, depth) && !store_statement(g, depth))
            lr_fold(g, lr_uint(g, depth + 1));
        lr_unit_end(g, unit);
    }
}
