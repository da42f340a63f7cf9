/* Random statements of a kernel's body.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "gen.h"

enum { MOST_DEPTH = 3 };

void sr_add_up(sr_gen *g)
{
    sr_piece piece = sr_piece_begin(g);

    if (g->integers && sr_chance(g, 8))
        sr_emit(g, sr_chance(g, 50) ? "c++;" : "--c;");
    else if (g->integers && sr_chance(g, 30))
        sr_emit(g, sr_chance(g, 50) ? "c += %s;" : "c = c * 3 + %s;", sr_int_value(g));
    else if (sr_has(g, SR_F_ACCUMULATE) && sr_chance(g, 40))
        sr_emit(g, "out[%s + %s] += %s;", g->own, g->shift[g->out], sr_float_value(g));
    else if (sr_chance(g, 80))
        sr_emit(g, "s %s %s;", sr_chance(g, 80) ? "+=" : "-=", sr_float_value(g));
    else
        sr_emit(g, "s = s + %s;", sr_float_value(g));
    sr_piece_end(g, piece);
}

static void temporary(sr_gen *g)
{
    const char *name = sr_name(g, "v");
    sr_piece piece = sr_piece_begin(g);

    sr_emit(g, "%sfloat %s = %s;", sr_chance(g, 60) ? "const " : "", name, sr_read(g));
    sr_emit(g, "s += %s * %s;", name, sr_chance(g, 30) ? name : sr_read(g));
    sr_piece_end(g, piece);
}

static void condition(sr_gen *g)
{
    const sr_var *loop = sr_find(g, SR_VAR_LOOP);
    sr_piece piece = sr_piece_begin(g);
    const char *left = loop && sr_chance(g, 60) ? loop->name : g->item[0];
    bool braces = sr_chance(g, 60);

    if (sr_chance(g, 25))
        left = sr_format(g, "(int)(%s + %s)", left, g->item[0]);
    sr_emit(g, "if (%s %s %u)%s", left, sr_chance(g, 50) ? ">" : "<", 2 + sr_below(g, 9),
            braces ? " {" : "");
    g->indent++;
    sr_add_up(g);
    g->indent--;
    if (braces && sr_chance(g, 25)) {
        sr_emit(g, "} else {");
        g->indent++;
        sr_add_up(g);
        g->indent--;
    }
    if (braces)
        sr_emit(g, "}");
    sr_piece_end(g, piece);
}

/* A variable that points into an array. */
static void pointer(sr_gen *g)
{
    const sr_program *p = g->program;
    const char *name = sr_name(g, "p");
    size_t array = sr_below(g, (unsigned)p->array_count);
    const sr_array *a = &p->arrays[array];
    sr_piece piece = sr_piece_begin(g);
    sr_var *v;

    if (a->written || g->constant[array] || g->volatiles[array]) {
        sr_add_up(g);
        sr_piece_end(g, piece);
        return;
    }
    sr_emit(g,
            sr_chance(g, 80) ? "__global const %s *%s%s = %s + %s + %s;"
                             : "const __global %s *const %s%s = &%s[%s + %s];",
            sr_type_name(a->type), sr_gap(g), name, a->name, sr_index(g, array), g->shift[array]);
    v = sr_declare(g, name, SR_VAR_POINTER);
    v->array = array;
    sr_piece_end(g, piece);
}

static void number(sr_gen *g)
{
    const char *name = sr_name(g, "base");
    sr_piece piece = sr_piece_begin(g);

    sr_emit(g, "%s%s %s = %s;", sr_chance(g, 70) ? "const " : "", g->type, name, sr_plain_index(g));
    sr_declare(g, name, SR_VAR_OTHER);
    sr_piece_end(g, piece);
}

static void statement(sr_gen *g)
{
    unsigned which = sr_below(g, 100);
    bool uniform = g->guard == SR_GUARD_NONE || g->guard == SR_GUARD_STORE;

    if (g->odd && sr_chance(g, g->depth ? 60 : 25)) {
        sr_odd_statement(g);
        return;
    }
    if (g->depth < MOST_DEPTH && which < (g->depth == 0 ? 55 : 25)) {
        if (sr_has(g, SR_F_MARCH) && sr_chance(g, 40))
            sr_march_loop(g);
        else
            sr_loop(g);
    } else if (which < 60 && sr_has(g, SR_F_POINTERS)) {
        pointer(g);
    } else if (which < 65) {
        condition(g);
    } else if (which < 70) {
        number(g);
    } else if (which < 76) {
        temporary(g);
    } else if (which < 84 && sr_has(g, SR_F_SCRATCH) && uniform && g->depth < 2) {
        sr_scratch(g);
    } else if (which < 90 && sr_has(g, SR_F_INOUT)) {
        sr_inout_exchange(g);
    } else {
        sr_add_up(g);
    }
}

void sr_statements(sr_gen *g, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        statement(g);
    /* Each block has something that counts. */
    if (sr_chance(g, 70))
        sr_add_up(g);
}
