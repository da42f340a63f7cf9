/* A random kernel: its launch, its parameters, its variables, its body.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"

/* Elements before and behind an array while it is not known which are accessed. */
enum { ROOM_BYTES = 1 << 19 };

static void choose_sizes(sr_program *p, const sr_sizes *sizes)
{
    if (sizes) {
        p->sizes = *sizes;
        return;
    }
    for (size_t a = 0; a < SR_ARRAYS; a++) {
        p->sizes.first[a] = ROOM_BYTES / 16;
        p->sizes.count[a] = ROOM_BYTES / 8;
    }
}

static void choose_features(sr_gen *g)
{
    static const char *const types[] = {"int", "int", "int", "uint", "size_t", "long", NULL};

    for (unsigned i = 0; i < SR_FEATURES; i++)
        if (sr_chance(g, 30))
            g->features |= 1u << i;
    g->type = sr_pick(g, types);
    g->no_restrict = sr_chance(g, 15);
    g->guard = (sr_guard)(sr_chance(g, 35) ? SR_GUARD_NONE : sr_below(g, 4));
    if (sr_chance(g, 25))
        sr_odd_choose(g);
}

/* How many elements there are, and how many the rows and planes of arrays have. */
static void choose_extents(sr_gen *g)
{
    static const char *const names[] = {"n", "m", "depth"};
    const sr_program *p = g->program;
    size_t extents[3], width, plane;

    for (unsigned d = 0; d < 3; d++) {
        extents[d] = p->global[d] + p->offset[d];
        if (g->guard != SR_GUARD_NONE && d < p->dimensions)
            extents[d] -= sr_below(g, (unsigned)p->local[d]);
        g->extent[d] = sr_format(g, "%zu", extents[d]);
        if (d < p->dimensions && sr_chance(g, 75))
            g->extent[d] = sr_add_int(g, names[d], (int64_t)extents[d], (int64_t)extents[d]);
    }
    width = p->global[0] + p->offset[0] + (sr_chance(g, 50) ? sr_below(g, 5) : 0);
    plane = width * (p->global[1] + p->offset[1]);
    g->pitch[0] = sr_chance(g, 60) ? sr_add_int(g, "width", (int64_t)width, (int64_t)width)
                                   : sr_format(g, "%zu", width);
    g->pitch[1] = sr_chance(g, 60) ? sr_add_int(g, "plane", (int64_t)plane, (int64_t)plane)
                                   : sr_format(g, "%zu", plane);
}

static void declare_items(sr_gen *g)
{
    static const char *const names[][3] = {{"x", "y", "z"},
                                           {"i", "j", "k"},
                                           {"col", "row", "sheet"},
                                           {"gx", "gy", "gz"},
                                           {"lid", "id", "lx"}};
    const sr_program *p = g->program;
    unsigned set = sr_below(g, 5);

    for (unsigned d = 0; d < p->dimensions; d++) {
        if (sr_chance(g, 15)) {
            g->item[d] = sr_format(g, "get_global_id(%u)", d);
            continue;
        }
        g->item[d] = names[set][d];
        if (p->offset[d] == 0 && sr_chance(g, 20))
            sr_emit(g, "%s %s = get_group_id(%u) * %zu + get_local_id(%u);", g->type, names[set][d],
                    d, p->local[d], d);
        else
            sr_emit(g, "%s%s %s = get_global_id(%u);", sr_chance(g, 60) ? "const " : "", g->type,
                    names[set][d], d);
        sr_declare(g, g->item[d], SR_VAR_ITEM);
    }
}

static void choose_own(sr_gen *g)
{
    const char *const *i = g->item;

    if (g->program->dimensions == 1)
        g->own = i[0];
    else if (g->program->dimensions == 2)
        g->own = sr_format(g, "%s * %s + %s", i[1], g->pitch[0], i[0]);
    else
        g->own = sr_format(g, "%s * %s + %s * %s + %s", i[2], g->pitch[1], i[1], g->pitch[0], i[0]);
    if (sr_chance(g, 50)) {
        sr_emit(g, "const %s own = %s;", g->type, g->own);
        g->own = "own";
    }
}

static const char *guard_text(sr_gen *g, const char *compare, const char *join)
{
    const char *text = "";

    for (unsigned d = 0; d < g->program->dimensions; d++)
        text = sr_format(g, "%s%s%s %s %s", text, d ? join : "", g->item[d], compare, g->extent[d]);
    return text;
}

static void store(sr_gen *g)
{
    const char *value = g->integers ? "s + (float)(c & 255)" : "s";
    const char *how = sr_has(g, SR_F_ACCUMULATE) ? "+=" : "=";

    sr_emit(g, "%s[%s + %s] %s %s;", "out", g->own, g->shift[g->out], how, value);
}

static void body(sr_gen *g)
{
    sr_emit(g, sr_chance(g, 50) ? "float s = 0.0f;" : "float s = 0;");
    g->integers = sr_chance(g, 40);
    if (g->integers)
        sr_emit(g, "int c = 1;");
    if (g->guard == SR_GUARD_RETURN)
        sr_emit(g, "if (%s)%s return;", guard_text(g, ">=", " || "),
                sr_chance(g, 30) ? "\n       " : "");
    if (g->guard == SR_GUARD_AROUND) {
        sr_emit(g, "if (%s) {", guard_text(g, "<", " && "));
        g->indent++;
    }
    sr_statements(g, 1 + sr_below(g, 4));
    if (g->guard == SR_GUARD_STORE)
        sr_emit(g, "if (%s)", guard_text(g, "<", " && "));
    store(g);
    if (g->guard == SR_GUARD_AROUND) {
        g->indent--;
        sr_emit(g, "}");
    }
}

/* The kernel around its body, which is in g->text. */
static void assemble(sr_gen *g)
{
    sr_program *p = g->program;
    char *inside = g->text, *signature = sr_signature(g);
    const char *attribute = "";

    if (sr_chance(g, 80))
        attribute = sr_format(g, "__attribute__((reqd_work_group_size(%zu, %zu, %zu)))%s",
                              p->local[0], p->local[1], p->local[2], sr_chance(g, 50) ? "\n" : " ");
    g->text = NULL;
    g->length = g->room = 0;
    g->indent = 0;
    sr_emit(g, "%s%s %svoid %s(%s)", g->heads, sr_chance(g, 80) ? "__kernel" : "kernel", attribute,
            p->kernel, signature);
    sr_emit(g, "{");
    sr_emit(g, "%s%s}", g->locals, inside ? inside : "");
    p->source = g->text;
    free(inside);
    free(signature);
}

sr_program *sr_program_create(uint64_t seed, const sr_sizes *sizes, const unsigned char *dropped)
{
    sr_program *p = sr_need(calloc(1, sizeof *p));
    sr_gen g = {.random = seed * 977, .program = p, .dropped = dropped, .heads = "", .locals = ""};

    p->seed = seed;
    p->kernel = sr_format(&g, "k_%llu", (unsigned long long)seed);
    choose_sizes(p, sizes);
    choose_features(&g);
    sr_shape_generate(&g);
    sr_arrays_generate(&g);
    choose_extents(&g);
    g.indent = 1;
    declare_items(&g);
    choose_own(&g);
    body(&g);
    assemble(&g);
    return p;
}

void sr_program_free(sr_program *program)
{
    if (!program)
        return;
    free(program->source);
    sr_chunks_free(program->chunks);
    free(program);
}
