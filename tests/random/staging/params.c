/* Parameters of a random kernel, the size of its launch, and the buffers for them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "nest.h"

static const char *const type_names[ST_TYPES] = {"float", "int",    "uint", "uchar",
                                                 "short", "float4", "int2"};
static const size_t type_bytes[ST_TYPES] = {4, 4, 4, 1, 2, 16, 8};

const char *st_type_name(st_type type)
{
    return type_names[type];
}

/* ---- parameters ----------------------------------------------------------------------------- */

size_t st_array_of(rd_gen *g, const char *name, st_type type, bool written, int low, int high)
{
    struct st_state *s = g->nest;
    st_array *arrays = s->shape->arrays;
    size_t a = 0;
    int64_t first;

    while (a < s->shape->array_count && strcmp(arrays[a].name, name) != 0)
        a++;
    if (a < s->shape->array_count)
        return a;
    first = s->shape->sizes.first[a];
    s->shape->array_count++;
    s->params[s->param_count++] = (st_param){.name = name, .array = a, .kind = RD_ARG_BUFFER};
    arrays[a] = (st_array){
        .name = name, .type = type, .written = written, .low = low, .high = high, .alias = a};
    arrays[a].shift = rd_chance(g, 15) ? st_int(g, rd_format(g, "%s_first", name), first, first)
                                       : rd_format(g, "%lld", (long long)first);
    return a;
}

const char *st_int(rd_gen *g, const char *name, int64_t first, int64_t second)
{
    const char *type = rd_format(g, rd_has(g, ST_MIXED) ? "$(int|uint|ulong|long|const uint)"
                                                        : "$(int|const int|int|uint)");
    bool wide = strstr(type, "long");

    g->nest->params[g->nest->param_count++] = (st_param){.name = name,
                                                         .type = type,
                                                         .kind = wide ? RD_ARG_ULONG : RD_ARG_INT,
                                                         .value = {first, second}};
    return name;
}

static const char *array_type(rd_gen *g, const st_array *a)
{
    const char *type = type_names[a->type];
    bool is_const = !a->written && !a->is_constant && rd_chance(g, 85);

    if (a->is_volatile)
        return rd_format(g, "__global volatile %s *", type);
    return rd_format(g, "%s %s%s$20(*| *)%s", a->is_constant ? "__constant" : "__global",
                     is_const ? "const " : "", type,
                     g->nest->no_restrict || a->is_constant ? "" : "$8(| restrict )");
}

void st_signature(rd_gen *g, pm_text *to)
{
    for (size_t i = 0; i < g->nest->param_count; i++) {
        const st_param *p = &g->nest->params[i];
        const char *type = p->type ? p->type : array_type(g, &g->nest->shape->arrays[p->array]);

        pm_text_add(to, "%s",
                    rd_format(g, "%s%s$gap %s", i ? "$50(,\n    |, )" : "", type, p->name));
    }
}

/* Adds arrays that are only read, and an output. */
void st_arrays(rd_gen *g)
{
    static const char *const names[] = {"a", "b",    "src",    "in",   "A", "pos",
                                        "u", "grid", "a_tile", "tile", NULL};
    static const st_type types[] = {ST_FLOAT, ST_FLOAT, ST_FLOAT, ST_INT,    ST_FLOAT, ST_UINT,
                                    ST_UCHAR, ST_SHORT, ST_FLOAT, ST_FLOAT4, ST_INT2,  ST_FLOAT};
    struct st_shape *shape = g->nest->shape;
    unsigned count = 1 + rd_below(g, 3);
    bool out_first = rd_chance(g, 20);

    if (out_first)
        st_array_of(g, "out", ST_FLOAT, true, 0, 0);
    for (unsigned i = 0; i < count; i++) {
        const char *name = rd_pick(g, names);
        st_type type = types[rd_below(g, 12)];
        bool is_unsigned = type == ST_UINT || type == ST_UCHAR;

        for (size_t j = 0; j < shape->array_count; j++)
            if (strcmp(shape->arrays[j].name, name) == 0)
                name = rd_format(g, "%s_%u", name, i);
        st_array_of(g, name, type, false, is_unsigned ? 0 : -8, is_unsigned ? 15 : 8);
    }
    g->nest->out = st_array_of(g, "out", ST_FLOAT, true, 0, 0);
    if (rd_chance(g, 20))
        st_int(g, "unused", 7, 7);
}

void st_launch_shape(rd_gen *g)
{
    static const unsigned char groups[3][6][3] = {
        {{4, 1, 1}, {8, 1, 1}, {16, 1, 1}, {5, 1, 1}, {32, 1, 1}, {7, 1, 1}},
        {{5, 3, 1}, {8, 4, 1}, {4, 4, 1}, {8, 2, 1}, {3, 3, 1}, {16, 1, 1}},
        {{4, 2, 2}, {2, 2, 2}, {3, 2, 2}, {4, 3, 1}, {2, 1, 4}, {4, 4, 2}}};
    struct st_state *s = g->nest;
    unsigned which = rd_below(g, 100), form = rd_below(g, 6);
    bool offset = rd_chance(g, 8) && !rd_is_cuda(g); /* an argument that this kernel lacks */

    s->dimensions = which < 45 ? 1 : which < 85 ? 2 : 3;
    for (unsigned d = 0; d < 3; d++) {
        unsigned count = 1 + rd_below(g, 5 - s->dimensions);

        s->local[d] = groups[s->dimensions - 1][form][d];
        s->global[d] = s->local[d] * (d < s->dimensions ? count : 1);
        s->offset[d] = offset && d < s->dimensions ? rd_below(g, 6) : 0;
    }
    s->launches = rd_chance(g, 15) ? 2 : 1;
}

/* ---- buffers and launches ------------------------------------------------------------------- */

/* Element i of an array has the same value whatever offset is added to its indices. */
static void *contents(rd_program *p, const st_array *a, int64_t first, size_t count)
{
    size_t bytes = type_bytes[a->type], scalars = bytes > 4 ? bytes / 4 : 1;
    size_t scalar = bytes / scalars;
    unsigned char *contents = rd_program_memory(p, count * bytes);

    for (size_t i = 0; i < count * scalars; i++) {
        int64_t index = (int64_t)i - first * (int64_t)scalars;
        uint64_t random = rd_hash(p->seed * 31 + a->alias + (uint64_t)index * 0x9e3779b97f4a7c15u);
        int number = a->low + (int)(random >> 33) % (a->high - a->low + 1);
        float real = (float)number;

        memcpy(contents + i * scalar,
               a->type == ST_FLOAT || a->type == ST_FLOAT4 ? (void *)&real : &number, scalar);
    }
    return contents;
}

static void add_buffers(rd_program *p, struct st_shape *shape)
{
    for (size_t i = 0; i < shape->array_count; i++) {
        st_array *a = &shape->arrays[i];
        size_t count = shape->sizes.count[i];

        if (a->alias != i) {
            a->buffer = shape->arrays[a->alias].buffer;
            continue;
        }
        a->buffer = p->buffer_count++;
        p->buffers[a->buffer] =
            (rd_buffer){.name = a->name,
                        .bytes = count * type_bytes[a->type],
                        .contents = contents(p, a, shape->sizes.first[i], count),
                        .written = a->written,
                        .element = type_bytes[a->type]};
    }
}

void st_finish(rd_gen *g)
{
    const struct st_state *s = g->nest;
    rd_program *p = g->program;

    add_buffers(p, s->shape);
    for (unsigned l = 0; l < s->launches; l++) {
        rd_launch *launch = &p->launches[p->launch_count++];

        *launch = (rd_launch){.kernel = rd_format(g, "k_%llu", (unsigned long long)p->seed),
                              .dimensions = s->dimensions,
                              .arg_count = s->param_count};
        memcpy(launch->global, s->global, sizeof s->global);
        memcpy(launch->local, s->local, sizeof s->local);
        memcpy(launch->offset, s->offset, sizeof s->offset);
        for (size_t i = 0; i < s->param_count; i++)
            launch->args[i] =
                (rd_arg){.kind = s->params[i].kind,
                         .value = s->params[i].kind == RD_ARG_BUFFER
                                      ? (int64_t)s->shape->arrays[s->params[i].array].buffer
                                      : s->params[i].value[l]};
    }
}
