/* Parameters of a random kernel, the variables in scope, and the size of its launch.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"

const char *sr_type_name(sr_type type)
{
    static const char *const names[SR_TYPES] = {"float", "int",    "uint", "uchar",
                                                "short", "float4", "int2"};

    return names[type];
}

size_t sr_add_array(sr_gen *g, const char *name, sr_type type, bool written, int low, int high)
{
    sr_program *p = g->program;
    size_t a = p->array_count++;
    int64_t first = p->sizes.first[a];

    p->arrays[a] = (sr_array){name, type, written, low, high, a};
    p->params[p->param_count] = (sr_param){.kind = SR_PARAM_ARRAY, .array = a};
    g->names[p->param_count++] = name;
    if (sr_chance(g, 15))
        g->shift[a] = sr_add_int(g, sr_format(g, "%s_first", name), first, first);
    else
        g->shift[a] = sr_format(g, "%lld", (long long)first);
    return a;
}

const char *sr_add_int(sr_gen *g, const char *name, int64_t first, int64_t second)
{
    static const char *const types[] = {"int", "const int", "int", "uint", NULL};
    static const char *const mixed[] = {"int", "uint", "size_t", "long", "const uint", NULL};
    sr_program *p = g->program;
    const char *type = sr_pick(g, sr_has(g, SR_F_MIXED) ? mixed : types);
    /* size_t is no type for parameters. */
    bool wide = strcmp(type, "size_t") == 0 || strcmp(type, "long") == 0;

    if (strcmp(type, "size_t") == 0)
        type = "ulong";
    p->params[p->param_count] =
        (sr_param){.kind = wide ? SR_PARAM_ULONG : SR_PARAM_INT, .value = {first, second}};
    g->types[p->param_count] = type;
    g->names[p->param_count++] = name;
    return name;
}

static const char *array_type(sr_gen *g, size_t array)
{
    const sr_array *a = &g->program->arrays[array];
    const char *space = g->constant[array] ? "__constant" : "__global";
    bool is_const = !a->written && !g->constant[array] && sr_chance(g, 85);

    if (g->volatiles[array])
        return sr_format(g, "__global volatile %s *", sr_type_name(a->type));
    return sr_format(g, "%s %s%s%s%s", space, is_const ? "const " : "", sr_type_name(a->type),
                     sr_chance(g, 20) ? "*" : " *",
                     g->no_restrict || g->constant[array] || sr_chance(g, 8) ? "" : " restrict ");
}

char *sr_signature(sr_gen *g)
{
    sr_program *p = g->program;
    char *text = NULL;
    size_t bytes;
    FILE *to = sr_need(open_memstream(&text, &bytes));

    for (size_t i = 0; i < p->param_count; i++) {
        sr_param *param = &p->params[i];
        const char *type = g->types[i];

        if (param->kind == SR_PARAM_ARRAY) {
            type = array_type(g, param->array);
            if (g->constant[param->array])
                param->kind = SR_PARAM_CONSTANT;
        }
        fprintf(to, "%s%s%s%s %s", i ? "," : "",
                i && sr_chance(g, 50) ? "\n    "
                : i                   ? " "
                                      : "",
                type, sr_gap(g), g->names[i]);
    }
    fclose(to);
    return text;
}

sr_var *sr_declare(sr_gen *g, const char *name, sr_var_kind kind)
{
    sr_var *v = &g->vars[g->var_count];

    if (g->var_count + 1 >= SR_VARS) {
        fputs("too many variables in a random kernel\n", stderr);
        abort();
    }
    g->var_count++;
    *v = (sr_var){.name = name, .kind = kind};
    return v;
}

const sr_var *sr_find(sr_gen *g, sr_var_kind kind)
{
    const sr_var *found = NULL;

    for (size_t i = 0; i < g->var_count; i++)
        if (g->vars[i].kind == kind && (!found || sr_chance(g, 65)))
            found = &g->vars[i];
    return found;
}

/* Arrays that are only read, and an output. */
void sr_arrays_generate(sr_gen *g)
{
    static const char *const names[] = {"a", "b",    "src",    "in",   "A", "pos",
                                        "u", "grid", "a_tile", "tile", NULL};
    static const sr_type types[] = {SR_FLOAT, SR_FLOAT, SR_FLOAT, SR_INT,    SR_FLOAT, SR_UINT,
                                    SR_UCHAR, SR_SHORT, SR_FLOAT, SR_FLOAT4, SR_INT2,  SR_FLOAT};
    unsigned count = 1 + sr_below(g, 3);

    if (sr_chance(g, 20))
        g->out = sr_add_array(g, "out", SR_FLOAT, true, 0, 0);
    for (unsigned i = 0; i < count; i++) {
        const char *name = sr_pick(g, names);
        sr_type type = types[sr_below(g, 12)];
        bool is_unsigned = type == SR_UINT || type == SR_UCHAR;

        for (size_t j = 0; j < g->program->array_count; j++)
            if (strcmp(g->program->arrays[j].name, name) == 0)
                name = sr_format(g, "%s_%u", name, i);
        sr_add_array(g, name, type, false, is_unsigned ? 0 : -8, is_unsigned ? 15 : 8);
    }
    if (!g->program->arrays[0].written)
        g->out = sr_add_array(g, "out", SR_FLOAT, true, 0, 0);
    if (sr_chance(g, 20))
        sr_add_int(g, "unused", 7, 7);
}

void sr_shape_generate(sr_gen *g)
{
    static const unsigned char one[][3] = {{4, 1, 1}, {8, 1, 1},  {16, 1, 1},
                                           {5, 1, 1}, {32, 1, 1}, {7, 1, 1}};
    static const unsigned char two[][3] = {{5, 3, 1}, {8, 4, 1}, {4, 4, 1},
                                           {8, 2, 1}, {3, 3, 1}, {16, 1, 1}};
    static const unsigned char three[][3] = {{4, 2, 2}, {2, 2, 2}, {3, 2, 2},
                                             {4, 3, 1}, {2, 1, 4}, {4, 4, 2}};
    sr_program *p = g->program;
    unsigned which = sr_below(g, 100), form = sr_below(g, 6);

    p->dimensions = which < 45 ? 1 : which < 85 ? 2 : 3;
    for (unsigned d = 0; d < 3; d++) {
        unsigned groups = 1 + sr_below(g, p->dimensions == 1 ? 4 : p->dimensions == 2 ? 3 : 2);

        p->local[d] = p->dimensions == 1   ? one[form][d]
                      : p->dimensions == 2 ? two[form][d]
                                           : three[form][d];
        p->global[d] = p->local[d] * (d < p->dimensions ? groups : 1);
        p->offset[d] = 0;
    }
    if (sr_chance(g, 8))
        for (unsigned d = 0; d < p->dimensions; d++)
            p->offset[d] = sr_below(g, 6);
    p->launches = sr_chance(g, 15) ? 2 : 1;
}
