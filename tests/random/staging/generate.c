/* A random kernel: its launch, its parameters, its variables, its body.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "generate.h"
#include "../cplusplus.h"

#include <string.h>

/* Spare elements before and after an array while its accessed range is unknown. */
enum { ROOM = 1 << 14 };

static const rd_rule *const rules[] = {st_index_rules, st_value_rules, st_statement_rules,
                                       st_loop_rules,  st_odd_rules,   NULL};

static void choose_features(rd_gen *g)
{
    struct st_state *s = g->nest;

    g->features = rd_features(g, ST_FEATURES, 30);
    if (rd_is_cuda(g))
        g->features &= ~(unsigned)ST_VLOAD;
    s->type = rd_format(g, "$(int|int|int|uint|size_t|long)");
    s->no_restrict = rd_chance(g, 15);
    s->guard = rd_chance(g, 35) ? ST_NO_GUARD : (st_guard)rd_below(g, ST_GUARDS);
    s->odd = -1;
    if (rd_chance(g, 25))
        st_odd_choose(g);
}

/* Chooses the numbers of elements, and the sizes of rows and planes. */
static void choose_extents(rd_gen *g)
{
    static const char *const names[] = {"n", "m", "depth"}, *const pitches[] = {"width", "plane"};
    struct st_state *s = g->nest;
    size_t pitch[2], extent;

    for (unsigned d = 0; d < 3; d++) {
        extent = s->global[d] + s->offset[d];
        if (s->guard != ST_NO_GUARD && d < s->dimensions)
            extent -= rd_below(g, (unsigned)s->local[d]);
        s->extent[d] = d < s->dimensions && rd_chance(g, 75)
                           ? st_int(g, names[d], (int64_t)extent, (int64_t)extent)
                           : rd_format(g, "%zu", extent);
    }
    pitch[0] = s->global[0] + s->offset[0] + (rd_chance(g, 50) ? rd_below(g, 5) : 0);
    pitch[1] = pitch[0] * (s->global[1] + s->offset[1]);
    for (unsigned i = 0; i < 2; i++)
        s->pitch[i] = rd_chance(g, 60) ? st_int(g, pitches[i], (int64_t)pitch[i], (int64_t)pitch[i])
                                       : rd_format(g, "%zu", pitch[i]);
}

static void declare_items(rd_gen *g)
{
    static const char *const names[][3] = {{"x", "y", "z"},
                                           {"i", "j", "k"},
                                           {"col", "row", "sheet"},
                                           {"gx", "gy", "gz"},
                                           {"lid", "id", "lx"}};
    struct st_state *s = g->nest;
    unsigned set = rd_below(g, 5);

    for (unsigned d = 0; d < s->dimensions; d++) {
        if (rd_chance(g, 15)) {
            s->item[d] = rd_format(g, "get_global_id(%u)", d);
            continue;
        }
        s->item[d] = names[set][d];
        if (s->offset[d] == 0 && rd_chance(g, 20))
            rd_emit(g, "%1$s %2$s = get_group_id(%3$u) * %4$zu + get_local_id(%3$u);", s->type,
                    s->item[d], d, s->local[d]);
        else
            rd_emit(g, "$60(const )%s %s = get_global_id(%u);", s->type, s->item[d], d);
    }
}

static void choose_own(rd_gen *g)
{
    static const char *const own[] = {"@1", "@2 * $pitch + @1",
                                      "@3 * $plane_pitch + @2 * $pitch + @1"};
    struct st_state *s = g->nest;

    s->own = rd_format_with(g, own[s->dimensions - 1], s->item);
    if (rd_chance(g, 50)) {
        rd_emit(g, "const %s own = %s;", s->type, s->own);
        s->own = "own";
    }
}

static const char *guard_text(rd_gen *g, const char *compare, const char *join)
{
    const struct st_state *s = g->nest;
    const char *text = "";

    for (unsigned d = 0; d < s->dimensions; d++)
        text = rd_format(g, "%s%s%s %s %s", text, d ? join : "", s->item[d], compare, s->extent[d]);
    return text;
}

static void body(rd_gen *g)
{
    struct st_state *s = g->nest;

    rd_emit(g, "float s = $(0.0f|0);");
    if (rd_chance(g, 40)) {
        g->features |= ST_INTEGERS;
        rd_emit(g, "int c = 1;");
    }
    if (s->guard == ST_RETURN)
        rd_emit(g, "if (%s)$30(\n      ) return;", guard_text(g, ">=", " || "));
    if (s->guard == ST_AROUND) {
        rd_emit(g, "if (%s) {", guard_text(g, "<", " && "));
        g->indent++;
    }
    st_statements(g, 1 + rd_below(g, 4));
    if (s->guard == ST_AT_STORE)
        rd_emit(g, "if (%s)", guard_text(g, "<", " && "));
    rd_emit(g, "$result %s s%s;", rd_has(g, ST_ACCUMULATE) ? "+=" : "=",
            rd_has(g, ST_INTEGERS) ? " + (float)(c & 255)" : "");
    if (s->guard == ST_AROUND) {
        g->indent--;
        rd_emit(g, "}");
    }
}

/* Adds the kernel around its body, which is in g->text. */
static void assemble(rd_gen *g)
{
    const size_t *l = g->nest->local;
    pm_text inside = g->text;

    g->text = g->nest->heads;
    g->indent = 0;
    pm_text_add(&g->text, "%s",
                rd_format(g,
                          "$80(__kernel|kernel) $80(__attribute__((reqd_work_group_size(%zu, %zu, "
                          "%zu)))$(\n| ))void k_%llu(",
                          l[0], l[1], l[2], (unsigned long long)g->program->seed));
    st_signature(g, &g->text);
    pm_text_add(&g->text, ")\n{\n%s%s}\n", pm_text_get(&g->nest->locals), pm_text_get(&inside));
    pm_text_free(&g->nest->locals);
    pm_text_free(&inside);
    rd_finish(g);
}

static rd_program *generate(uint64_t seed, rd_language language, const st_sizes *sizes)
{
    struct st_state state = {.trips = 1};
    rd_gen g = {.random = seed * 977,
                .program = rd_program_create(seed, language),
                .rules = rules,
                .latest = 65,
                .nest = &state};

    state.shape = rd_program_memory(g.program, sizeof *state.shape);
    g.program->nest = state.shape;
    for (size_t a = 0; a < ST_ARRAYS; a++) {
        state.shape->sizes.first[a] = sizes ? sizes->first[a] : ROOM;
        state.shape->sizes.count[a] = sizes ? sizes->count[a] : 2 * ROOM;
    }
    choose_features(&g);
    st_launch_shape(&g);
    st_arrays(&g);
    choose_extents(&g);
    g.indent = 1;
    declare_items(&g);
    choose_own(&g);
    body(&g);
    assemble(&g);
    st_finish(&g);
    rd_cplusplus(g.program);
    return g.program;
}

rd_program *st_create(uint64_t seed, rd_language language)
{
    return generate(seed, language, NULL);
}

rd_program *st_fit(const rd_program *p, const rd_range *ranges)
{
    st_sizes sizes = {{0}};

    for (size_t a = 0; a < p->nest->array_count; a++) {
        const st_array *array = &p->nest->arrays[a];
        const rd_range *range = &ranges[array->buffer];
        size_t bytes = p->buffers[array->buffer].element;
        int64_t first = p->nest->sizes.first[a], low = (int64_t)(range->low / bytes),
                high = (int64_t)((range->high + bytes - 1) / bytes);

        sizes.count[a] = 1;
        if (range->high == 0)
            continue;
        sizes.first[a] = first > low ? first - low : 0;
        sizes.count[a] = (size_t)(high - first + sizes.first[a]);
        if (sizes.count[a] * bytes > p->buffers[array->buffer].bytes)
            return NULL;
    }
    return generate(p->seed, p->language, &sizes);
}
