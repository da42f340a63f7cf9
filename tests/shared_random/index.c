/* Random index expressions, as affine loop nests have them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "gen.h"

static const char *const patterns[] = {"uniform", "row",   "column", "near",   "plane", "cube",
                                       "stride",  "group", "local",  "random", "table", NULL};

static const char *loop_or(sr_gen *g, const char *otherwise)
{
    const sr_var *v = sr_find(g, SR_VAR_LOOP);

    return v ? v->name : otherwise;
}

static const char *item(sr_gen *g, unsigned d)
{
    return g->item[d < g->program->dimensions ? d : 0];
}

static const char *small(sr_gen *g)
{
    return sr_format(g, "%u", sr_below(g, 5));
}

/* A distance to a neighbour: " + 1", " - 2", " + k - 1", or nothing. */
static const char *distance(sr_gen *g)
{
    const char *loop = loop_or(g, NULL);

    switch (sr_below(g, loop ? 6 : 3)) {
    case 0:
        return "";
    case 1:
        return sr_format(g, " + %u", 1 + sr_below(g, 2));
    case 2:
        return sr_format(g, " - %u", 1 + sr_below(g, 2));
    case 3:
        return sr_format(g, " + %s", loop);
    default:
        return sr_format(g, " + %s - %u", loop, 1 + sr_below(g, 2));
    }
}

static bool may_clamp(sr_gen *g)
{
    return sr_has(g, SR_F_CLAMP) && sr_chance(g, 60);
}

/* A coordinate near the work-item's own, kept within the extent or not. */
static const char *near(sr_gen *g, unsigned d)
{
    const char *at = sr_format(g, "%s%s", item(g, d), distance(g)), *end = g->extent[d];

    if (!may_clamp(g))
        return at;
    switch (sr_below(g, 4)) {
    case 0:
        return sr_format(g, "clamp((int)(%s), 0, (int)%s - 1)", at, end);
    case 1:
        return sr_format(g, "min((int)(%s), (int)%s - 1)", at, end);
    case 2:
        return sr_format(g, "max((int)(%s), 0)", at);
    default:
        return sr_format(g, "min(max(0, (int)(%s)), (int)(%s - 1))", at, end);
    }
}

static const char *group_start(sr_gen *g, unsigned d)
{
    if (sr_chance(g, 50))
        return sr_format(g, "get_group_id(%u) * get_local_size(%u)", d, d);
    return sr_format(g, "get_group_id(%u) * %zu", d, g->program->local[d]);
}

static const char *term(sr_gen *g)
{
    const sr_var *v;

    switch (sr_below(g, 7)) {
    case 0:
    case 1:
        return loop_or(g, item(g, 0));
    case 2:
        return item(g, sr_below(g, 3));
    case 3:
        return sr_format(g, "get_local_id(%u)", sr_below(g, g->program->dimensions));
    case 4:
        return sr_format(g, "get_group_id(%u)", sr_below(g, g->program->dimensions));
    case 5:
        v = sr_find(g, SR_VAR_OTHER);
        return v ? v->name : small(g);
    default:
        return small(g);
    }
}

static const char *random_sum(sr_gen *g)
{
    const char *sum = term(g);

    for (unsigned i = sr_below(g, 3); i > 0; i--) {
        const char *next = term(g), *times = sr_format(g, "%u", 1 + sr_below(g, 4));

        if (sr_chance(g, 15))
            times = g->pitch[0];
        if (sr_chance(g, 30))
            sum = sr_format(g, "%s + %s", sum, next);
        else if (sr_chance(g, 50))
            sum = sr_format(g, "%s + %s * %s", sum, next, times);
        else if (sr_chance(g, 30))
            sum = sr_format(g, "(%s + %s) * %s", sum, next, times);
        else
            sum = sr_format(g, "%s * %s + %s", times, next, sum);
    }
    return sum;
}

static const char *plane(sr_gen *g)
{
    const char *x = near(g, 0), *y = near(g, 1);

    return sr_chance(g, 50) ? sr_format(g, "(%s) * %s + %s", y, g->pitch[0], x)
                            : sr_format(g, "%s + %s * (%s)", x, g->pitch[0], y);
}

static const char *cube(sr_gen *g)
{
    const char *x = near(g, 0), *y = near(g, 1), *z = near(g, 2);

    return sr_chance(g, 50)
               ? sr_format(g, "(%s) * %s + (%s) * %s + %s", z, g->pitch[1], y, g->pitch[0], x)
               : sr_format(g, "((%s) * %zu + %s) * %s + %s", z, g->program->global[1] + 2, y,
                           g->pitch[0], x);
}

static const char *table(sr_gen *g)
{
    const char *of = random_sum(g);

    for (size_t a = 0; a < g->program->array_count && sr_chance(g, 50); a++)
        if (g->program->arrays[a].type == SR_UCHAR && g->preferred[a] &&
            strcmp(g->preferred[a], "table") != 0)
            return sr_access(g, a, sr_index(g, a));
    return sr_format(g, "((%s) & %u)", of, sr_chance(g, 70) ? 15 : 7);
}

static const char *of_pattern(sr_gen *g, const char *pattern)
{
    const char *loop = loop_or(g, small(g));
    unsigned d = sr_below(g, g->program->dimensions);

    switch (pattern[0]) {
    case 'u':
        return sr_chance(g, 50)   ? loop
               : sr_chance(g, 50) ? sr_format(g, "%s * %s + %s", loop, g->pitch[0], loop_or(g, "2"))
                                  : sr_format(g, "%s + %s", loop, small(g));
    case 'n':
        return near(g, d);
    case 'p':
        return plane(g);
    case 'g':
        return sr_format(g, "%s + %s", group_start(g, d), loop);
    case 'l':
        return sr_format(g, "get_local_id(%u) + %s * %zu", d, loop, g->program->local[d]);
    case 't':
        return table(g);
    case 's':
        return sr_format(g, "%s * %u + %s", item(g, d), 2 + sr_below(g, 3), loop);
    case 'c':
        return pattern[1] == 'u' ? cube(g)
                                 : sr_format(g, "%s * %s + %s", loop, g->pitch[0], item(g, 0));
    case 'r':
        return pattern[1] == 'o' ? sr_format(g, "%s * %s + %s", item(g, d), g->pitch[0], loop)
                                 : random_sum(g);
    default:
        return random_sum(g);
    }
}

const char *sr_plain_index(sr_gen *g)
{
    return random_sum(g);
}

static const char *choose_pattern(sr_gen *g)
{
    static const char *const stencils[] = {"near", "plane", "cube"};
    const char *pattern = sr_pick(g, patterns);

    if (sr_has(g, SR_F_STENCIL) && sr_chance(g, 70))
        return stencils[g->program->dimensions - 1];
    if (strcmp(pattern, "table") == 0 && !sr_has(g, SR_F_TABLE))
        return "uniform";
    if (strcmp(pattern, "cube") == 0 && g->program->dimensions < 3)
        return "near";
    if (strcmp(pattern, "plane") == 0 && g->program->dimensions < 2)
        return "near";
    return pattern;
}

const char *sr_index(sr_gen *g, size_t array)
{
    const sr_var *march = sr_find(g, SR_VAR_MARCH);

    if (!g->preferred[array])
        g->preferred[array] = choose_pattern(g);
    if (march && sr_chance(g, 50))
        return sr_format(g, "%s%s", march->name, sr_chance(g, 40) ? distance(g) : "");
    /* A table is small, or it would not be one. */
    if (strcmp(g->preferred[array], "table") != 0 && sr_chance(g, 10))
        return random_sum(g);
    return of_pattern(g, g->preferred[array]);
}
