/* Accesses to arrays in many spellings, and values made of them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "nest.h"

static const char *const components[ST_TYPES] = {[ST_FLOAT] = "",
                                                 [ST_INT] = "",
                                                 [ST_UINT] = "",
                                                 [ST_UCHAR] = "",
                                                 [ST_SHORT] = "",
                                                 [ST_FLOAT4] = "$(.x|.y|.z|.w|$first|$last)",
                                                 [ST_INT2] = "$(.x|.y|$second)"};

static const char *const spellings[] = {
    "@1$gap[@2$gap]", "@1$gap[@2$gap]", "(*(@1 + @2))", "(@1)[@2]",
    "(@2)[@1]",       "@1[(int)(@2)]",  "(&@1[@2])[0]", NULL};

static const char *spelled(rd_gen *g, const char *name, const char *index)
{
    return rd_format_with(g, rd_has(g, ST_SPELLING) ? rd_pick(g, spellings) : spellings[0],
                          (const char *const[]){name, index});
}

/* A name at file scope, which no other program has. */
static const char *global_name(rd_gen *g, const char *like)
{
    return rd_format(g, "%s_%llu_%u", like, (unsigned long long)g->program->seed, g->names++);
}

static void add_head(rd_gen *g, const char *text)
{
    pm_text_add(&g->nest->heads, "%s", text);
}

static const char *by_macro(rd_gen *g, const char *name, const char *index)
{
    const char *macro = global_name(g, "AT");
    bool one = rd_chance(g, 50);

    add_head(g, rd_format(g, one ? "#define %s(i) %s[i]\n" : "#define %s(p, i) (p)[(i)]\n", macro,
                          name));
    return one ? rd_format(g, "%s(%s)", macro, index)
               : rd_format(g, "%s(%s, %s)", macro, name, index);
}

static const char *by_helper(rd_gen *g, const st_array *a, const char *index)
{
    const char *type = st_type_name(a->type), *name = global_name(g, "get");

    add_head(
        g, rd_format(
               g,
               "static $60(|inline )__function %1$s %2$s(__global const %1$s *p, $(int|size_t) i)\n"
               "{\n    return p[i];\n}\n",
               type, name));
    return rd_format(g, "%s(%s, %s)", name, a->name, index);
}

/* Returns the sum of a few elements from this index on. */
static const char *by_sum(rd_gen *g, const st_array *a, const char *index)
{
    const char *name = global_name(g, "sum");

    add_head(g, rd_format(g,
                          "static __function float %s(__global const %s *p, int count)\n{\n"
                          "    float t = 0;\n    for (int i = $(0|-1); i < count; i++)\n"
                          "        t += p[i];\n    return t;\n}\n",
                          name, st_type_name(a->type)));
    return rd_format(g, "%s(%s + %s, $[1-6])", name, a->name, index);
}

const char *st_access(rd_gen *g, size_t array, const char *index)
{
    const st_array *a = &g->nest->shape->arrays[array];
    bool plain = a->is_constant || a->is_volatile, zero = strcmp(a->shift, "0") == 0;
    const char *at, *component = components[a->type];
    const char *form;

    if (rd_has(g, ST_VLOAD) && (a->type == ST_FLOAT || a->type == ST_INT) && rd_chance(g, 30) &&
        !plain)
        return rd_format(g, "vload4(%s, %s%s%s)%s", index, a->name, zero ? "" : " + ",
                         zero ? "" : a->shift, components[ST_FLOAT4]);
    form = rd_chance(g, 80) ? "@1 + @2" : "@2 + (@1)";
    if (!zero)
        index = rd_format_with(g, form, (const char *const[]){index, a->shift});
    if (rd_has(g, ST_MACROS) && rd_chance(g, 25))
        at = by_macro(g, a->name, index);
    else if (rd_has(g, ST_HELPERS) && !plain && rd_chance(g, 25))
        at = by_helper(g, a, index);
    else if (rd_has(g, ST_HELPERS) && !plain && a->type <= ST_SHORT && rd_chance(g, 15))
        return by_sum(g, a, index);
    else
        at = spelled(g, a->name, index);
    return rd_format(g, "%s%s", at, component);
}

/* Reads an element of any read-only array. */
static const char *read_any(rd_gen *g)
{
    const rd_var *pointer = rd_find_kind(g, ST_POINTER);
    const struct st_shape *shape = g->nest->shape;
    size_t array;

    if (pointer && rd_chance(g, 50))
        return rd_format(g, "%s%s",
                         spelled(g, pointer->name, rd_format(g, "$30($sum|$loop_or_sum)")),
                         components[shape->arrays[pointer->array].type]);
    do
        array = rd_below(g, (unsigned)shape->array_count);
    while (shape->arrays[array].written);
    return st_access(g, array, st_index(g, array));
}

/* Components by number, which CUDA lacks. */
static const char *first(rd_gen *g)
{
    return rd_is_cuda(g) ? ".x" : ".s0";
}

static const char *second(rd_gen *g)
{
    return rd_is_cuda(g) ? ".y" : ".s1";
}

static const char *last(rd_gen *g)
{
    return rd_is_cuda(g) ? ".w" : ".s3";
}

static const char *loop_or_sum(rd_gen *g)
{
    const char *loop = st_loop_or(g, NULL);

    return loop ? loop : rd_format(g, "$sum");
}

static const char *loop_or_two(rd_gen *g)
{
    return st_loop_or(g, "2");
}

static const char *gap(rd_gen *g)
{
    static const char *const gaps[] = {"/* a[0] */", "/**/", " /* ) { */ ", "// ]\n        ",
                                       "\\\n",       "  ",   NULL};

    return rd_has(g, ST_COMMENTS) && rd_chance(g, 10) ? rd_pick(g, gaps) : "";
}

static const rd_form floats[] = {{2, "$read"},
                                 {1, "$read * $[1-3]"},
                                 {1, "$read - $read"},
                                 {1, "($read + $read) * $read"},
                                 {1, "$read * (float)($loop_or_two)"},
                                 {2, "$read * $read"},
                                 {0}};
static const rd_form integers[] = {{1, "(int)$read"},
                                   {1, "((int)$read ^ $[1-7])"},
                                   {1, "($read > $read ? 3 : 1)"},
                                   {1, "((int)$read & 7)"},
                                   {0}};

const rd_rule st_value_rules[] = {{"read", read_any},
                                  {"first", first},
                                  {"second", second},
                                  {"last", last},
                                  {"loop_or_sum", loop_or_sum},
                                  {"loop_or_two", loop_or_two},
                                  {"gap", gap},
                                  {"float", .forms = floats},
                                  {"integer", .forms = integers},
                                  {NULL}};
