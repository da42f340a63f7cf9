/* Accesses to arrays in many spellings, and values made of them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "gen.h"

static const char *component(sr_gen *g, sr_type type)
{
    static const char *const of_four[] = {".x", ".y", ".z", ".w", ".s0", ".s3", NULL};
    static const char *const of_two[] = {".x", ".y", ".s1", NULL};

    return type == SR_FLOAT4 ? sr_pick(g, of_four) : type == SR_INT2 ? sr_pick(g, of_two) : "";
}

static const char *shifted(sr_gen *g, size_t array, const char *index)
{
    const char *shift = g->shift[array];
    bool after = sr_chance(g, 80);

    if (strcmp(shift, "0") == 0)
        return index;
    return after ? sr_format(g, "%s + %s", index, shift) : sr_format(g, "%s + (%s)", shift, index);
}

static const char *by_macro(sr_gen *g, const char *name, const char *index)
{
    const char *macro = sr_format(g, "AT_%llu_%u", (unsigned long long)g->program->seed, g->made++);

    if (sr_chance(g, 50)) {
        g->heads = sr_format(g, "%s#define %s(i) %s[i]\n", g->heads, macro, name);
        return sr_format(g, "%s(%s)", macro, index);
    }
    g->heads = sr_format(g, "%s#define %s(p, i) (p)[(i)]\n", g->heads, macro);
    return sr_format(g, "%s(%s, %s)", macro, name, index);
}

static const char *by_helper(sr_gen *g, size_t array, const char *index)
{
    const char *type = sr_type_name(g->program->arrays[array].type);
    const char *name = sr_format(g, "get_%llu_%u", (unsigned long long)g->program->seed, g->made++);

    g->heads = sr_format(g, "%s%s%s %s(__global const %s *p, %s i)\n{\n    return p[i];\n}\n",
                         g->heads, sr_chance(g, 60) ? "static " : "static inline ", type, name,
                         type, sr_chance(g, 50) ? "int" : "size_t");
    return sr_format(g, "%s(%s, %s)", name, g->program->arrays[array].name, index);
}

/* The sum of a few elements from there on. */
static const char *by_sum(sr_gen *g, size_t array, const char *index)
{
    const char *name = sr_format(g, "sum_%llu_%u", (unsigned long long)g->program->seed, g->made++);
    const char *low = sr_chance(g, 50) ? "0" : "-1";

    g->heads = sr_format(g,
                         "%sstatic float %s(__global const %s *p, int count)\n{\n"
                         "    float t = 0;\n    for (int i = %s; i < count; i++)\n"
                         "        t += p[i];\n    return t;\n}\n",
                         g->heads, name, sr_type_name(g->program->arrays[array].type), low);
    return sr_format(g, "%s(%s + %s, %u)", name, g->program->arrays[array].name, index,
                     1 + sr_below(g, 6));
}

static const char *by_vload(sr_gen *g, size_t array, const char *index)
{
    const sr_array *a = &g->program->arrays[array];
    const char *shift = g->shift[array];

    if (strcmp(shift, "0") == 0)
        return sr_format(g, "vload4(%s, %s)", index, a->name);
    return sr_format(g, "vload4(%s, %s + %s)", index, a->name, shift);
}

static const char *spelled(sr_gen *g, const char *name, const char *index)
{
    switch (sr_has(g, SR_F_SPELLING) ? sr_below(g, 6) : 5) {
    case 0:
        return sr_format(g, "(*(%s + %s))", name, index);
    case 1:
        return sr_format(g, "(%s)[%s]", name, index);
    case 2:
        return sr_format(g, "%s[(int)(%s)]", name, index);
    case 3:
        return sr_format(g, "(&%s[%s])[0]", name, index);
    default:
        return sr_format(g, "%s%s[%s%s]", name, sr_gap(g), sr_gap(g), index);
    }
}

const char *sr_access(sr_gen *g, size_t array, const char *index)
{
    const sr_array *a = &g->program->arrays[array];
    const char *at;

    if (sr_has(g, SR_F_VLOAD) && (a->type == SR_FLOAT || a->type == SR_INT) && sr_chance(g, 30) &&
        !g->constant[array] && !g->volatiles[array])
        return sr_format(g, "%s%s", by_vload(g, array, index), component(g, SR_FLOAT4));
    index = shifted(g, array, index);
    if (sr_has(g, SR_F_MACROS) && sr_chance(g, 25))
        at = by_macro(g, a->name, index);
    else if (sr_has(g, SR_F_HELPERS) && sr_chance(g, 25) && !g->constant[array] &&
             !g->volatiles[array])
        at = by_helper(g, array, index);
    else if (sr_has(g, SR_F_HELPERS) && sr_chance(g, 15) && !g->constant[array] &&
             !g->volatiles[array] && a->type <= SR_SHORT)
        return by_sum(g, array, index);
    else
        at = spelled(g, a->name, index);
    return sr_format(g, "%s%s", at, component(g, a->type));
}

const char *sr_read(sr_gen *g)
{
    const sr_var *pointer = sr_find(g, SR_VAR_POINTER);
    const sr_program *p = g->program;
    size_t array;

    if (pointer && sr_chance(g, 50)) {
        const sr_var *loop = sr_find(g, SR_VAR_LOOP);
        const char *index = !loop || sr_chance(g, 30) ? sr_plain_index(g) : loop->name;

        return sr_format(g, "%s%s", spelled(g, pointer->name, index),
                         component(g, p->arrays[pointer->array].type));
    }
    do
        array = sr_below(g, (unsigned)p->array_count);
    while (p->arrays[array].written);
    return sr_access(g, array, sr_index(g, array));
}

const char *sr_float_value(sr_gen *g)
{
    const char *one = sr_read(g);
    const sr_var *loop;

    switch (sr_below(g, 8)) {
    case 0:
    case 1:
        return one;
    case 2:
        return sr_format(g, "%s * %u", one, 1 + sr_below(g, 3));
    case 3:
        return sr_format(g, "%s - %s", one, sr_read(g));
    case 4:
        return sr_format(g, "(%s + %s) * %s", one, sr_read(g), sr_read(g));
    case 5:
        loop = sr_find(g, SR_VAR_LOOP);
        return sr_format(g, "%s * (float)(%s)", one, loop ? loop->name : "2");
    default:
        return sr_format(g, "%s * %s", one, sr_read(g));
    }
}

const char *sr_int_value(sr_gen *g)
{
    const char *one = sr_read(g);

    switch (sr_below(g, 4)) {
    case 0:
        return sr_format(g, "(int)%s", one);
    case 1:
        return sr_format(g, "((int)%s ^ %u)", one, 1 + sr_below(g, 7));
    case 2:
        return sr_format(g, "(%s > %s ? 3 : 1)", one, sr_read(g));
    default:
        return sr_format(g, "((int)%s & 7)", one);
    }
}
