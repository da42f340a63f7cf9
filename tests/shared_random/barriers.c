/* Local memory of the program's own, and arrays that work-items read and write.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "gen.h"

/* The number of a work-item in its group. */
static const char *in_group(sr_gen *g)
{
    const size_t *l = g->program->local;

    switch (g->program->dimensions) {
    case 1:
        return "get_local_id(0)";
    case 2:
        return sr_format(g, "get_local_id(1) * %zu + get_local_id(0)", l[0]);
    default:
        return sr_format(g, "(get_local_id(2) * %zu + get_local_id(1)) * %zu + get_local_id(0)",
                         l[1], l[0]);
    }
}

static size_t group_size(const sr_program *p)
{
    return p->local[0] * p->local[1] * p->local[2];
}

/* Declarations of local memory stand at the start of a kernel: this one is in its heads. */
void sr_scratch(sr_gen *g)
{
    sr_program *p = g->program;
    size_t size = group_size(p);
    const char *name = sr_name(g, sr_chance(g, 50) ? "tile" : "scratch"), *loop = sr_name(g, "q");
    sr_piece piece = sr_piece_begin(g);

    if (p->param_count >= SR_PARAMS - 6)
        return;
    p->params[p->param_count] =
        (sr_param){.kind = SR_PARAM_LOCAL,
                   .value = {(int64_t)(size * sizeof(float)), (int64_t)(size * sizeof(float))}};
    if (sr_chance(g, 25) && !g->local_argument) {
        g->types[p->param_count] = "__local float *";
        g->names[p->param_count++] = name;
        g->local_argument = true;
    } else {
        g->locals = sr_format(g, "%s    __local float %s[%zu];\n", g->locals, name, size);
    }
    sr_emit(g, "%s[%s] = %s;", name, in_group(g), sr_read(g));
    sr_emit(g, "barrier(CLK_LOCAL_MEM_FENCE);");
    if (sr_chance(g, 50))
        sr_emit(g, "for (int %s = 0; %s < %zu; %s++) s += %s[%s];", loop, loop, size, loop, name,
                loop);
    else
        sr_emit(g, "s += %s[(%s + %u) %% %zu];", name, in_group(g), 1 + sr_below(g, 3), size);
    sr_emit(g, "barrier(CLK_LOCAL_MEM_FENCE%s);",
            sr_chance(g, 30) ? " | CLK_GLOBAL_MEM_FENCE" : "");
    sr_piece_end(g, piece);
}

static size_t inout_array(sr_gen *g)
{
    for (size_t a = 0; a < g->program->array_count; a++)
        if (g->program->arrays[a].written && g->program->arrays[a].high > 0)
            return a;
    return sr_add_array(g, "state", sr_chance(g, 70) ? SR_FLOAT : SR_INT, true, -8, 8);
}

/* Each work-item has a column of its own, or reads what others of its group wrote. */
void sr_inout_exchange(sr_gen *g)
{
    sr_program *p = g->program;
    bool uniform = g->guard == SR_GUARD_NONE;
    sr_piece piece = sr_piece_begin(g);
    const sr_var *loop = sr_find(g, SR_VAR_LOOP);
    size_t a = inout_array(g);
    const char *name = p->arrays[a].name, *shift = g->shift[a];

    if (loop && (g->state_use == 0 || g->state_use == 1)) {
        const char *at = sr_format(g, "%s * %zu + %s + %s", loop->name,
                                   p->global[0] * p->global[1] * p->global[2] * 4, g->own, shift);

        g->state_use = 1;
        sr_emit(g, "s += %s[%s];", name, at);
        if (sr_chance(g, 60))
            sr_emit(g, "%s[%s] %s %s;", name, at, sr_chance(g, 50) ? "+=" : "=", sr_read(g));
    } else if (uniform && p->dimensions == 1 && g->depth < 2 && g->state_use != 1) {
        const char *counter = sr_name(g, "q");

        g->state_use = 2;
        sr_emit(g, "%s[%s + %s] = %s;", name, g->own, shift, sr_read(g));
        sr_emit(g, "barrier(CLK_GLOBAL_MEM_FENCE);");
        sr_emit(g, "for (int %s = 0; %s < %zu; %s++)", counter, counter, p->local[0], counter);
        sr_emit(g, "    s += %s[get_group_id(0) * %zu + %s + %zu + %s];", name, p->local[0],
                counter, p->offset[0], shift);
        sr_emit(g, "barrier(CLK_GLOBAL_MEM_FENCE);");
    } else {
        sr_add_up(g);
    }
    sr_piece_end(g, piece);
}
