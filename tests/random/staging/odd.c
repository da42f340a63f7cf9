/* Generates constructs that a transform must handle correctly or refuse with a message.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A kernel has one of them or none. Where the place is not right for it, there is a plain
 * statement. Their texts have a new name as @1.
 */
#include <string.h>

#include "nest.h"

typedef struct {
    const char *name;
    enum { ANYWHERE, IN_LOOP, OUTSIDE, UNIFORM } place;
    const char *text;
} odd_thing;

#define FOR(count) "for (int k_@1 = 0; k_@1 < " #count "; k_@1++) "

static const odd_thing things[] = {
    /* Flow. */
    {"break", IN_LOOP, "if ($($loop > $[0-5]|$read > $[0-7])) break;\n$addup"},
    {"continue", IN_LOOP, "if ($read == $read) continue;\n$addup"},
    {"return", IN_LOOP, "if ($read > 6) return;\n$addup"},
    {"goto", ANYWHERE, "if ($read > 3) goto @1;\n$addup\n@1:;"},
    {"while", ANYWHERE,
     "int @1 = 0;\n$counter$60(while (@1 < $[2-19]) {\n$indented\n@1++;\n}|"
     "do {\n$indented\n} while (++@1 < $[2-19]);)"},
    {"endless for", ANYWHERE,
     "for (int @1 = 0;; @1++) {\n$counter$indented\nif (@1 == 8) break;\n}"},
    {"switch", ANYWHERE,
     "switch ((int)($sum) & 3) {\ncase 0:\n$addup\ncase 2:\n$addup\nbreak;\ndefault:\n$addup\n}"},
    /* Loops. */
    {"bound by work-item", ANYWHERE,
     "for (int @1 = 0; @1 < (int)($x & 7) + 1; @1++) {\n$counter$indented\n}"},
    /* The loop runs at least once, because the transform assumes that. Otherwise its tile would
     * have elements that are never read. */
    {"bound by data", ANYWHERE,
     "for (int @1 = 0; @1 < ((int)$read & 7) + 1; @1++) {\n$counter$indented\n}"},
    {"moved counter", ANYWHERE,
     "for (int @1 = 0; @1 < 12; @1++) {\n$counter$indented\n"
     "$(@1++;|if (s > 4) @1 += 2;)\n$indented\n}"},
    /* Indices. */
    {"index by data", ANYWHERE, "s += $by_data;"},
    {"index not affine", ANYWHERE, "s += $not_affine;"},
    {"index not affine", IN_LOOP, "s += $not_affine;"},
    {"index with a side effect", ANYWHERE,
     "int @1 = $[0-2];\nfor (int n_@1 = 0; n_@1 < 5; n_@1++)\n    s += $side_effect;"},
    /* Pointers. */
    {"chosen pointer", ANYWHERE,
     "__global const float *@1 = $x > 2 ? $floats : $others;\n" FOR(6) "s += @1[k_@1];"},
    {"array of pointers", ANYWHERE,
     "__global const float *@1[2] = {$floats, $others};\n" FOR(6) "s += @1[k_@1 & 1][k_@1];"},
    {"recast pointer", ANYWHERE,
     "__global const int *@1 = (__global const int *)$floats;\n" FOR(
         6) "s += (float)(@1[k_@1 + $x] & 7);"},
    {"returned pointer", ANYWHERE, "$returning\n" FOR(6) "s += *f_@1($floats, k_@1);"},
    {"moved pointer", ANYWHERE,
     "__global const float *@1 = $floats;\n" FOR(7) "{\n$(s += *@1++;|s += @1[$x];\n"
                                                    "@1 += 2;)\n}"},
    {"moved parameter", OUTSIDE, "$float_array += $[1-4];\ns += $float_at_x;\n$float_array++;"},
    /* Writes. */
    {"atomics", ANYWHERE, "$(atomic_add|atomic_max|atomic_min)(&$counts, 1 + ((int)$read & 3));"},
    {"alias", ANYWHERE,
     "$there = $here + $read;\ns += $here;\n$there = $here + $read;\ns += $here;"},
    {"written too", ANYWHERE, "s += $cell;\n$cell = $read;\ns += $cell;\n$cell = $read;"},
    {"volatile", ANYWHERE, "s += $volatile;\ns += $volatile;"},
    {"constant", ANYWHERE, "s += $constant;\ns += $constant;"},
    /* Barriers and names. */
    {"barrier in a branch", UNIFORM,
     "if (get_group_id(0) > 0) {\n$indented\nbarrier(CLK_LOCAL_MEM_FENCE);\n$indented\n}"},
    {"hidden name", ANYWHERE,
     "{\nfloat $float_array[3] = {1, 2, s};\n" FOR(3) "s += $float_array[k_@1];\n}"},
    {"moved number", OUTSIDE,
     "s += $float_at_moved;\n$moved = $moved * 2 + 1;\ns += $float_at_moved;"},
    {"#if", ANYWHERE, "#if $[0-1]\n$addup\n#else\n$addup\n#endif"},
};

enum { THINGS = sizeof things / sizeof *things };

const char *st_odd_choose(rd_gen *g)
{
    g->nest->odd = (int)rd_below(g, THINGS);
    return things[g->nest->odd].name;
}

static const char *odd(rd_gen *g)
{
    struct st_state *s = g->nest;
    const odd_thing *t = &things[s->odd];
    bool uniform = s->guard == ST_NO_GUARD || s->guard == ST_AT_STORE;
    size_t vars = g->var_count;

    if ((t->place == IN_LOOP && s->depth == 0) || (t->place == UNIFORM && !uniform) ||
        (t->place == OUTSIDE && s->depth > 0) || s->shape->array_count + 3 > ST_ARRAYS ||
        s->param_count + 6 > RD_PARAMS)
        return rd_emit(g, "$addup");
    s->fresh = rd_format(g, "o_%llu_%u", (unsigned long long)g->program->seed, g->names++);
    g->program->odd = t->name;
    s->odd = -1;
    rd_emit_with(g, t->text, &s->fresh);
    g->var_count = vars;
    return "";
}

/* ---- texts of odd constructs ---------------------------------------------------------------- */

/* The new name is in scope from here on. */
static const char *counter(rd_gen *g)
{
    rd_var *v = rd_declare(g, g->nest->fresh);

    v->kind = ST_LOOP;
    v->trips = 20;
    return "";
}

static st_array *array_of(rd_gen *g, const char *name, st_type type, bool written, int low,
                          int high)
{
    return &g->nest->shape->arrays[st_array_of(g, name, type, written, low, high)];
}

static const char *access_of(rd_gen *g, const st_array *a, const char *index)
{
    return st_access(g, (size_t)(a - g->nest->shape->arrays), index);
}

static const st_array *read_only(const rd_gen *g)
{
    const st_array *a = g->nest->shape->arrays;

    while (a->written)
        a++;
    return a;
}

static const char *by_data(rd_gen *g)
{
    st_array *idx = array_of(g, "idx", rd_chance(g, 50) ? ST_INT : ST_UINT, false, 0, 12);
    const st_array *arrays = g->nest->shape->arrays, *of = idx;
    const char *index;

    idx->pattern = "$near";
    for (size_t a = 0; a < g->nest->shape->array_count && of == idx; a++)
        if (!arrays[a].written && rd_chance(g, 70))
            of = &arrays[a];
    index = st_index(g, (size_t)(idx - arrays));
    return access_of(g, of, access_of(g, idx, index));
}

static const char *not_affine(rd_gen *g)
{
    static const char *const forms[] = {
        "(@1) * (@2)",        "(@1) % 3 + (@2)",    "(@1) / 2 + (@2)",
        "((@1) >> 1) + (@2)", "((@1) ^ 1) + (@2)",  "((@1) & 1 ? 3 : (@2))",
        "((@1) | 4) + (@2)",  "((@1) << 1) + (@2)", NULL};
    const char *form = rd_pick(g, forms);
    const char *of = rd_format(g, "$60($loop_or_x|$x)"), *by = rd_format(g, "$(%s|$x)", of);

    return access_of(g, read_only(g), rd_format_with(g, form, (const char *const[]){of, by}));
}

static const char *loop_or_x(rd_gen *g)
{
    return st_loop_or(g, g->nest->item[0]);
}

static const char *side_effect(rd_gen *g)
{
    return access_of(g, read_only(g), rd_format(g, "$(%1$s++|(%1$s += 2))", g->nest->fresh));
}

static const st_array *float_array(rd_gen *g)
{
    const struct st_shape *shape = g->nest->shape;

    for (size_t a = 0; a < shape->array_count; a++)
        if (!shape->arrays[a].written && shape->arrays[a].type == ST_FLOAT)
            return &shape->arrays[a];
    return array_of(g, "more", ST_FLOAT, false, -8, 8);
}

static const char *float_name(rd_gen *g)
{
    return float_array(g)->name;
}

static const char *float_at_x(rd_gen *g)
{
    return access_of(g, float_array(g), g->nest->item[0]);
}

static const char *whole(rd_gen *g, const st_array *a)
{
    return rd_format(g, "(%s + %s)", a->name, a->shift);
}

static const char *floats(rd_gen *g)
{
    return whole(g, float_array(g));
}

static const char *others(rd_gen *g)
{
    return whole(g, array_of(g, "other", ST_FLOAT, false, -8, 8));
}

/* A function with the new name that returns a pointer. */
static const char *returning(rd_gen *g)
{
    pm_text_add(&g->nest->heads,
                "static __function __global const float *f_%s(__global const float *p, int i)\n"
                "{\n    return p + i;\n}\n",
                g->nest->fresh);
    return "";
}

static const char *counts(rd_gen *g)
{
    return rd_format(g, "counts[((int)$read & 3) + %s]",
                     array_of(g, "counts", ST_INT, true, 0, 0)->shift);
}

/* The work-item's own element. */
static const char *own_of(rd_gen *g, const char *name)
{
    return rd_format(g, "%s[%s + %s]", name, g->nest->own,
                     array_of(g, name, ST_FLOAT, true, -8, 8)->shift);
}

static const char *cell(rd_gen *g)
{
    return own_of(g, "cells");
}

static const char *here(rd_gen *g)
{
    return own_of(g, "here");
}

/* Passes the same buffer to another parameter, too. */
static const char *there(rd_gen *g)
{
    size_t from = st_array_of(g, "here", ST_FLOAT, true, -8, 8);

    array_of(g, "there", ST_FLOAT, true, -8, 8)->alias = from;
    g->nest->no_restrict = true;
    return own_of(g, "there");
}

static const char *volatile_element(rd_gen *g)
{
    st_array *a = array_of(g, "port", ST_FLOAT, false, -8, 8);

    a->is_volatile = true;
    return access_of(g, a, st_index(g, (size_t)(a - g->nest->shape->arrays)));
}

static const char *constant_element(rd_gen *g)
{
    st_array *a = array_of(g, "weights", ST_FLOAT, false, -8, 8);

    a->is_constant = true;
    return access_of(g, a, st_index(g, (size_t)(a - g->nest->shape->arrays)));
}

/* A number that the kernel changes. */
static const char *moved(rd_gen *g)
{
    struct st_state *s = g->nest;

    for (size_t i = 0; i < s->param_count; i++)
        if (strcmp(s->params[i].name, s->fresh) == 0)
            return s->fresh;
    st_int(g, s->fresh, 2, 3);
    s->params[s->param_count - 1].type = "int";
    s->params[s->param_count - 1].kind = RD_ARG_INT;
    return s->fresh;
}

static const char *float_at_moved(rd_gen *g)
{
    return access_of(g, float_array(g), moved(g));
}

const rd_rule st_odd_rules[] = {{"odd", odd},
                                {"counter", counter},
                                {"by_data", by_data},
                                {"not_affine", not_affine},
                                {"loop_or_x", loop_or_x},
                                {"side_effect", side_effect},
                                {"float_array", float_name},
                                {"float_at_x", float_at_x},
                                {"floats", floats},
                                {"others", others},
                                {"returning", returning},
                                {"counts", counts},
                                {"cell", cell},
                                {"here", here},
                                {"there", there},
                                {"volatile", volatile_element},
                                {"constant", constant_element},
                                {"moved", moved},
                                {"float_at_moved", float_at_moved},
                                {NULL}};
