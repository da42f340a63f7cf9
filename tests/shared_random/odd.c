/* Things in a kernel that a transform may refuse, or has to get right.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A kernel has one of them or none. Where the place is not right for it, there is a plain
 * statement.
 */
#include "gen.h"

typedef void (*emit_fn)(sr_gen *g);

/* ---- flow ------------------------------------------------------------------------------------ */

static void break_out(sr_gen *g)
{
    const sr_var *loop = sr_find(g, SR_VAR_LOOP);

    if (sr_chance(g, 50))
        sr_emit(g, "if (%s > %u) break;", loop->name, sr_below(g, 6));
    else
        sr_emit(g, "if (%s > %u) break;", sr_read(g), sr_below(g, 8));
    sr_add_up(g);
}

static void go_on(sr_gen *g)
{
    sr_emit(g, "if (%s == %s) continue;", sr_read(g), sr_read(g));
    sr_add_up(g);
}

static void leave(sr_gen *g)
{
    sr_emit(g, "if (%s > 6) return;", sr_read(g));
    sr_add_up(g);
}

static void jump(sr_gen *g)
{
    const char *label = sr_name(g, "skip");

    sr_emit(g, "if (%s > 3) goto %s;", sr_read(g), label);
    sr_add_up(g);
    sr_emit(g, "%s:;", label);
}

static void while_loop(sr_gen *g)
{
    const char *k = sr_name(g, "w");
    const unsigned trips = 2 + sr_below(g, 18);

    sr_emit(g, "int %s = 0;", k);
    sr_declare(g, k, SR_VAR_LOOP)->trips = trips;
    if (sr_chance(g, 60)) {
        sr_emit(g, "while (%s < %u) {", k, trips);
        g->indent++;
        sr_add_up(g);
        sr_emit(g, "%s++;", k);
        g->indent--;
        sr_emit(g, "}");
        return;
    }
    sr_emit(g, "do {");
    g->indent++;
    sr_add_up(g);
    g->indent--;
    sr_emit(g, "} while (++%s < %u);", k, trips);
}

static void endless_loop(sr_gen *g)
{
    const char *k = sr_name(g, "e");

    sr_emit(g, "for (int %s = 0;; %s++) {", k, k);
    g->indent++;
    sr_declare(g, k, SR_VAR_LOOP)->trips = 9;
    sr_add_up(g);
    sr_emit(g, "if (%s == 8) break;", k);
    g->indent--;
    sr_emit(g, "}");
}

static void switch_over(sr_gen *g)
{
    sr_emit(g, "switch ((int)(%s) & 3) {", sr_plain_index(g));
    sr_emit(g, "case 0:");
    sr_add_up(g);
    sr_emit(g, "case 2:");
    sr_add_up(g);
    sr_emit(g, "break;");
    sr_emit(g, "default:");
    sr_add_up(g);
    sr_emit(g, "}");
}

/* ---- loops ------------------------------------------------------------------------------------
 */

static void item_loop(sr_gen *g, const char *format)
{
    const char *k = sr_name(g, "d"), *high = sr_format(g, format, g->item[0]);

    sr_emit(g, "for (int %s = 0; %s < %s; %s++) {", k, k, high, k);
    sr_declare(g, k, SR_VAR_LOOP)->trips = 8;
    g->indent++;
    sr_add_up(g);
    g->indent--;
    sr_emit(g, "}");
}

static void item_bound(sr_gen *g)
{
    item_loop(g, "(int)(%s & 7) + 1");
}

static void data_bound(sr_gen *g)
{
    const char *k = sr_name(g, "d");

    sr_emit(g, "for (int %s = 0; %s < ((int)%s & 7); %s++) {", k, k, sr_read(g), k);
    sr_declare(g, k, SR_VAR_LOOP)->trips = 8;
    g->indent++;
    sr_add_up(g);
    g->indent--;
    sr_emit(g, "}");
}

static void moved_counter(sr_gen *g)
{
    const char *k = sr_name(g, "d");

    sr_emit(g, "for (int %s = 0; %s < 12; %s++) {", k, k, k);
    sr_declare(g, k, SR_VAR_LOOP)->trips = 12;
    g->indent++;
    sr_add_up(g);
    sr_emit(g, sr_chance(g, 50) ? "%s++;" : "if (s > 4) %s += 2;", k);
    sr_add_up(g);
    g->indent--;
    sr_emit(g, "}");
}

/* ---- indices ----------------------------------------------------------------------------------
 */

static void by_data(sr_gen *g)
{
    size_t idx = sr_add_array(g, "idx", sr_chance(g, 50) ? SR_INT : SR_UINT, false, 0, 12);

    g->preferred[idx] = "near";
    for (size_t a = 0; a < g->program->array_count; a++)
        if (!g->program->arrays[a].written && a != idx && sr_chance(g, 70)) {
            sr_emit(g, "s += %s;", sr_access(g, a, sr_access(g, idx, sr_index(g, idx))));
            return;
        }
    sr_emit(g, "s += %s;", sr_access(g, idx, sr_access(g, idx, sr_index(g, idx))));
}

static void not_affine(sr_gen *g)
{
    static const char *const forms[] = {
        "(%s) * (%s)",        "(%s) %% 3 + (%s)",   "(%s) / 2 + (%s)",
        "((%s) >> 1) + (%s)", "((%s) ^ 1) + (%s)",  "((%s) & 1 ? 3 : (%s))",
        "((%s) | 4) + (%s)",  "((%s) << 1) + (%s)", NULL};
    const sr_var *loop = sr_find(g, SR_VAR_LOOP);
    const char *of = loop && sr_chance(g, 60) ? loop->name : g->item[0];
    const char *index = sr_pick(g, forms);
    size_t a = 0;

    while (g->program->arrays[a].written)
        a++;
    index = sr_format(g, index, of, sr_chance(g, 50) ? of : g->item[0]);
    sr_emit(g, "s += %s;", sr_access(g, a, index));
}

static void side_effect(sr_gen *g)
{
    const char *k = sr_name(g, "e");
    size_t a = 0;

    while (g->program->arrays[a].written)
        a++;
    sr_emit(g, "int %s = %u;", k, sr_below(g, 3));
    sr_emit(g, "for (int n_%s = 0; n_%s < 5; n_%s++)", k, k, k);
    sr_emit(g, "    s += %s;",
            sr_access(g, a, sr_format(g, sr_chance(g, 50) ? "%s++" : "(%s += 2)", k)));
}

/* ---- pointers ---------------------------------------------------------------------------------
 */

static const char *whole(sr_gen *g, size_t a)
{
    return sr_format(g, "(%s + %s)", g->program->arrays[a].name, g->shift[a]);
}

static size_t a_float(sr_gen *g)
{
    const sr_program *p = g->program;

    for (size_t a = 0; a < p->array_count; a++)
        if (!p->arrays[a].written && p->arrays[a].type == SR_FLOAT)
            return a;
    return sr_add_array(g, "more", SR_FLOAT, false, -8, 8);
}

static void chosen_pointer(sr_gen *g)
{
    size_t a = a_float(g), b = sr_add_array(g, "other", SR_FLOAT, false, -8, 8);
    const char *name = sr_name(g, "either");

    sr_emit(g, "__global const float *%s = %s > 2 ? %s : %s;", name, g->item[0], whole(g, a),
            whole(g, b));
    sr_emit(g, "for (int k_%s = 0; k_%s < 6; k_%s++) s += %s[k_%s];", name, name, name, name, name);
}

static void pointer_array(sr_gen *g)
{
    size_t a = a_float(g), b = sr_add_array(g, "other", SR_FLOAT, false, -8, 8);
    const char *name = sr_name(g, "both");

    sr_emit(g, "__global const float *%s[2] = {%s, %s};", name, whole(g, a), whole(g, b));
    sr_emit(g, "for (int k_%s = 0; k_%s < 6; k_%s++) s += %s[k_%s & 1][k_%s];", name, name, name,
            name, name, name);
}

static void recast_pointer(sr_gen *g)
{
    size_t a = a_float(g);
    const char *name = sr_name(g, "bits");

    sr_emit(g, "__global const int *%s = (__global const int *)%s;", name, whole(g, a));
    sr_emit(g, "for (int k_%s = 0; k_%s < 6; k_%s++) s += (float)(%s[k_%s + %s] & 7);", name, name,
            name, name, name, g->item[0]);
}

static void returned_pointer(sr_gen *g)
{
    size_t a = a_float(g);
    const char *f = sr_format(g, "at_%llu_%u", (unsigned long long)g->program->seed, g->made++);

    g->heads = sr_format(g,
                         "%sstatic __global const float *%s(__global const float *p, int i)\n"
                         "{\n    return p + i;\n}\n",
                         g->heads, f);
    sr_emit(g, "for (int k_%s = 0; k_%s < 6; k_%s++) s += *%s(%s, k_%s);", f, f, f, f, whole(g, a),
            f);
}

static void moved_pointer(sr_gen *g)
{
    size_t a = a_float(g);
    const char *p = sr_name(g, "walk");

    sr_emit(g, "__global const float *%s = %s;", p, whole(g, a));
    sr_emit(g, "for (int k_%s = 0; k_%s < 7; k_%s++) {", p, p, p);
    sr_emit(g, sr_chance(g, 50) ? "    s += *%s++;" : "    s += %1$s[%2$s]; %1$s += 2;", p,
            g->item[0]);
    sr_emit(g, "}");
}

static void moved_parameter(sr_gen *g)
{
    size_t a = a_float(g);

    sr_emit(g, "%s += %u;", g->program->arrays[a].name, 1 + sr_below(g, 4));
    sr_emit(g, "s += %s;", sr_access(g, a, g->item[0]));
    sr_emit(g, "%s++;", g->program->arrays[a].name);
}

/* ---- writes -----------------------------------------------------------------------------------
 */

static void atomic(sr_gen *g)
{
    size_t a = sr_add_array(g, "counts", SR_INT, true, 0, 0);
    static const char *const functions[] = {"atomic_add", "atomic_max", "atomic_min", NULL};

    sr_emit(g, "%s(&%s[((int)%s & 3) + %s], 1 + ((int)%s & 3));", sr_pick(g, functions),
            g->program->arrays[a].name, sr_read(g), g->shift[a], sr_read(g));
}

/* Its own element of an array that it reads, too, by another parameter. */
static void alias(sr_gen *g)
{
    sr_program *p = g->program;
    size_t from = sr_add_array(g, "here", SR_FLOAT, true, -8, 8), to;

    to = sr_add_array(g, "there", SR_FLOAT, true, -8, 8);
    p->arrays[to].buffer = from;
    p->sizes.first[to] = p->sizes.first[from];
    g->no_restrict = true;
    for (unsigned i = 0; i < 2; i++) {
        sr_emit(g, "there[%s + %s] = here[%s + %s] + %s;", g->own, g->shift[to], g->own,
                g->shift[from], sr_read(g));
        sr_emit(g, "s += here[%s + %s];", g->own, g->shift[from]);
    }
}

static void written_too(sr_gen *g)
{
    size_t a = sr_add_array(g, "cells", SR_FLOAT, true, -8, 8);

    for (unsigned i = 0; i < 2; i++) {
        sr_emit(g, "s += cells[%s + %s];", g->own, g->shift[a]);
        sr_emit(g, "cells[%s + %s] = %s;", g->own, g->shift[a], sr_read(g));
    }
}

static void volatile_array(sr_gen *g)
{
    size_t a = sr_add_array(g, "port", SR_FLOAT, false, -8, 8);

    g->volatiles[a] = true;
    for (unsigned i = 0; i < 2; i++)
        sr_emit(g, "s += %s;", sr_access(g, a, sr_index(g, a)));
}

static void constant_array(sr_gen *g)
{
    size_t a = sr_add_array(g, "weights", SR_FLOAT, false, -8, 8);

    g->constant[a] = true;
    for (unsigned i = 0; i < 2; i++)
        sr_emit(g, "s += %s;", sr_access(g, a, sr_index(g, a)));
}

/* ---- barriers and names -----------------------------------------------------------------------
 */

static void guarded_barrier(sr_gen *g)
{
    sr_emit(g, "if (get_group_id(0) > 0) {");
    g->indent++;
    sr_add_up(g);
    sr_emit(g, "barrier(CLK_LOCAL_MEM_FENCE);");
    sr_add_up(g);
    g->indent--;
    sr_emit(g, "}");
}

static void hidden_name(sr_gen *g)
{
    const char *name = g->program->arrays[a_float(g)].name;

    sr_emit(g, "{");
    sr_emit(g, "    float %s[3] = {1, 2, s};", name);
    sr_emit(g, "    for (int n_%s = 0; n_%s < 3; n_%s++) s += %s[n_%s];", name, name, name, name,
            name);
    sr_emit(g, "}");
}

static void moved_number(sr_gen *g)
{
    const char *n = sr_add_int(g, sr_name(g, "moved"), 2, 3);
    size_t a = a_float(g);

    for (size_t i = 0; i < g->program->param_count; i++)
        if (g->names[i] == n)
            g->types[i] = "int";
    for (size_t i = 0; i < g->program->param_count; i++)
        if (g->names[i] == n)
            g->program->params[i].kind = SR_PARAM_INT;
    sr_emit(g, "s += %s;", sr_access(g, a, n));
    sr_emit(g, "%s = %s * 2 + 1;", n, n);
    sr_emit(g, "s += %s;", sr_access(g, a, n));
}

static void chosen_text(sr_gen *g)
{
    sr_emit(g, "#if %u", sr_below(g, 2));
    sr_add_up(g);
    sr_emit(g, "#else");
    sr_add_up(g);
    sr_emit(g, "#endif");
}

typedef struct {
    const char *name;
    emit_fn emit;
    enum { ANYWHERE, IN_LOOP, OUTSIDE, UNIFORM } place;
} odd_thing;

static const odd_thing things[] = {
    {"break", break_out, IN_LOOP},
    {"continue", go_on, IN_LOOP},
    {"return", leave, IN_LOOP},
    {"goto", jump, ANYWHERE},
    {"while", while_loop, ANYWHERE},
    {"endless for", endless_loop, ANYWHERE},
    {"switch", switch_over, ANYWHERE},
    {"bound by work-item", item_bound, ANYWHERE},
    {"bound by data", data_bound, ANYWHERE},
    {"moved counter", moved_counter, ANYWHERE},
    {"index by data", by_data, ANYWHERE},
    {"index not affine", not_affine, ANYWHERE},
    {"index not affine", not_affine, IN_LOOP},
    {"index with a side effect", side_effect, ANYWHERE},
    {"chosen pointer", chosen_pointer, ANYWHERE},
    {"array of pointers", pointer_array, ANYWHERE},
    {"recast pointer", recast_pointer, ANYWHERE},
    {"returned pointer", returned_pointer, ANYWHERE},
    {"moved pointer", moved_pointer, ANYWHERE},
    {"moved parameter", moved_parameter, OUTSIDE},
    {"atomics", atomic, ANYWHERE},
    {"alias", alias, ANYWHERE},
    {"written too", written_too, ANYWHERE},
    {"volatile", volatile_array, ANYWHERE},
    {"constant", constant_array, ANYWHERE},
    {"barrier in a branch", guarded_barrier, UNIFORM},
    {"hidden name", hidden_name, ANYWHERE},
    {"moved number", moved_number, OUTSIDE},
    {"#if", chosen_text, ANYWHERE},
};

enum { THINGS = sizeof things / sizeof *things };

void sr_odd_choose(sr_gen *g)
{
    g->odd_thing = sr_below(g, THINGS);
    g->odd = things[g->odd_thing].name;
}

void sr_odd_statement(sr_gen *g)
{
    const odd_thing *t = &things[g->odd_thing];
    size_t vars = g->var_count;
    bool uniform = g->guard == SR_GUARD_NONE || g->guard == SR_GUARD_STORE;
    sr_piece piece = sr_piece_begin(g);

    if ((t->place == IN_LOOP && g->depth == 0) || (t->place == UNIFORM && !uniform) ||
        (t->place == OUTSIDE && g->depth > 0) || g->program->array_count + 3 > SR_ARRAYS ||
        g->program->param_count + 6 > SR_PARAMS) {
        sr_add_up(g);
    } else {
        t->emit(g);
        g->program->odd = t->name;
        g->odd = NULL;
    }
    g->var_count = vars;
    sr_piece_end(g, piece);
}
