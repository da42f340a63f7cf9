/* Random index expressions, as affine loop nests have them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "nest.h"

const char *st_loop_or(rd_gen *g, const char *otherwise)
{
    const rd_var *v = rd_find_kind(g, ST_LOOP);

    return v ? v->name : otherwise;
}

static const char *loop(rd_gen *g)
{
    return st_loop_or(g, NULL);
}

static const char *count(rd_gen *g)
{
    return st_loop_or(g, rd_format(g, "$[0-4]"));
}

static const char *other(rd_gen *g)
{
    const rd_var *v = rd_find_kind(g, ST_OTHER);

    return v ? v->name : rd_format(g, "$[0-4]");
}

/* ---- coordinates ---------------------------------------------------------------------------- */

static unsigned any(rd_gen *g)
{
    return rd_below(g, g->nest->dimensions);
}

static const char *item_of(const rd_gen *g, unsigned d)
{
    return g->nest->item[d < g->nest->dimensions ? d : 0];
}

static const char *x(rd_gen *g)
{
    return item_of(g, 0);
}

static const char *item(rd_gen *g)
{
    return item_of(g, rd_below(g, 3));
}

static const char *dimension(rd_gen *g)
{
    return rd_format(g, "%u", any(g));
}

static const char *pitch(rd_gen *g)
{
    return g->nest->pitch[0];
}

static const char *plane_pitch(rd_gen *g)
{
    return g->nest->pitch[1];
}

/* Returns a coordinate near the work-item's own. It may be limited to the extent. */
static const char *near_in(rd_gen *g, unsigned d)
{
    static const char *const kept[] = {"clamp((int)(@1), 0, (int)@2 - 1)",
                                       "min((int)(@1), (int)@2 - 1)", "max((int)(@1), 0)",
                                       "min(max(0, (int)(@1)), (int)(@2 - 1))", NULL};
    const char *at = rd_format(g, "%s$distance", item_of(g, d)), *end = g->nest->extent[d];

    if (!rd_has(g, ST_CLAMP) || rd_chance(g, 40))
        return at;
    return rd_format_with(g, rd_pick(g, kept), (const char *const[]){at, end});
}

static const char *near_x(rd_gen *g)
{
    return near_in(g, 0);
}

static const char *near_y(rd_gen *g)
{
    return near_in(g, 1);
}

static const char *near_z(rd_gen *g)
{
    return near_in(g, 2);
}

static const char *near_any(rd_gen *g)
{
    return near_in(g, any(g));
}

/* ---- patterns ------------------------------------------------------------------------------- */

static const char *group_start(rd_gen *g)
{
    unsigned d = any(g);

    return rd_format(g, "get_group_id(%1$u) * $(get_local_size(%1$u)|%2$zu)", d, g->nest->local[d]);
}

static const char *local_piece(rd_gen *g)
{
    unsigned d = any(g);

    return rd_format(g, "get_local_id(%u) + $count * %zu", d, g->nest->local[d]);
}

static const char *sum(rd_gen *g)
{
    const char *text = rd_format(g, "$term");

    for (unsigned i = rd_below(g, 3); i > 0; i--)
        text = rd_format(g,
                         "$30(%1$s + $term|$50(%1$s + $term * $times|"
                         "$30((%1$s + $term) * $times|$times * $term + %1$s)))",
                         text);
    return text;
}

/* Makes an index from an array's contents or from bits of a number. */
static const char *table(rd_gen *g)
{
    struct st_shape *shape = g->nest->shape;

    for (size_t a = 0; a < shape->array_count && rd_chance(g, 50); a++)
        if (shape->arrays[a].type == ST_UCHAR && shape->arrays[a].pattern &&
            strcmp(shape->arrays[a].pattern, "$table") != 0)
            return st_access(g, a, st_index(g, a));
    return rd_format(g, "(($sum) & $70(15|7))");
}

static const char *layers(rd_gen *g)
{
    return rd_format(g, "%zu", g->nest->global[1] + 2);
}

static const char *choose_pattern(rd_gen *g)
{
    static const char *const stencils[] = {"$near", "$plane", "$cube"};
    static const char *const patterns[] = {"$uniform",
                                           "$item * $pitch + $count",
                                           "$count * $pitch + $x",
                                           "$near",
                                           "$plane",
                                           "$cube",
                                           "$item * $[2-4] + $count",
                                           "$group_start + $count",
                                           "$local_piece",
                                           "$sum",
                                           "$table",
                                           NULL};
    const char *pattern = rd_pick(g, patterns);

    if (rd_has(g, ST_STENCIL) && rd_chance(g, 70))
        return stencils[g->nest->dimensions - 1];
    if (strcmp(pattern, "$table") == 0 && !rd_has(g, ST_TABLE))
        return "$uniform";
    if ((strcmp(pattern, "$cube") == 0 && g->nest->dimensions < 3) ||
        (strcmp(pattern, "$plane") == 0 && g->nest->dimensions < 2))
        return "$near";
    return pattern;
}

const char *st_index(rd_gen *g, size_t array)
{
    const rd_var *march = rd_find_kind(g, ST_MARCHING);
    st_array *a = &g->nest->shape->arrays[array];

    if (!a->pattern)
        a->pattern = choose_pattern(g);
    if (march && rd_chance(g, 50))
        return rd_format(g, "%s$40($distance)", march->name);
    /* A table must be small, otherwise it is an ordinary array. */
    return rd_format(g, strcmp(a->pattern, "$table") != 0 && rd_chance(g, 10) ? "$sum" : "%s",
                     a->pattern);
}

/* ---- rules ---------------------------------------------------------------------------------- */

static const rd_form distances[] = {{1, ""},         {1, " + $[1-2]"},         {1, " - $[1-2]"},
                                    {1, " + $loop"}, {2, " + $loop - $[1-2]"}, {0}};
static const rd_form terms[] = {{2, "$loop"},
                                {1, "$x"},
                                {1, "$item"},
                                {1, "get_local_id($dimension)"},
                                {1, "get_group_id($dimension)"},
                                {1, "$other"},
                                {1, "$[0-4]"},
                                {0}};
static const rd_form factors[] = {{15, "$pitch"}, {85, "$[1-4]"}, {0}};
static const rd_form uniforms[] = {
    {2, "$count"}, {1, "$count * $pitch + $count"}, {1, "$count + $[0-4]"}, {0}};
static const rd_form planes[] = {
    {1, "($near_y) * $pitch + $near_x"}, {1, "$near_x + $pitch * ($near_y)"}, {0}};
static const rd_form cubes[] = {{1, "($near_z) * $plane_pitch + ($near_y) * $pitch + $near_x"},
                                {1, "(($near_z) * $layers + $near_y) * $pitch + $near_x"},
                                {0}};

const rd_rule st_index_rules[] = {{"loop", loop},
                                  {"count", count},
                                  {"other", other},
                                  {"x", x},
                                  {"item", item},
                                  {"dimension", dimension},
                                  {"pitch", pitch},
                                  {"plane_pitch", plane_pitch},
                                  {"layers", layers},
                                  {"distance", .forms = distances},
                                  {"near_x", near_x},
                                  {"near_y", near_y},
                                  {"near_z", near_z},
                                  {"near", near_any},
                                  {"group_start", group_start},
                                  {"local_piece", local_piece},
                                  {"term", .forms = terms},
                                  {"times", .forms = factors},
                                  {"sum", sum},
                                  {"uniform", .forms = uniforms},
                                  {"plane", .forms = planes},
                                  {"cube", .forms = cubes},
                                  {"table", table},
                                  {NULL}};
