/* Random statements of a kernel's body.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "nest.h"

enum { MOST_DEPTH = 3 };

/* All work-items reach the end of the kernel. */
static bool is_uniform(const rd_gen *g)
{
    return g->nest->guard == ST_NO_GUARD || g->nest->guard == ST_AT_STORE;
}

/* ---- values --------------------------------------------------------------------------------- */

/* Adds a value to an accumulator. */
static const char *add_up(rd_gen *g)
{
    return rd_emit(g, "$addition");
}

static const char *indented(rd_gen *g)
{
    g->indent++;
    add_up(g);
    g->indent--;
    return "";
}

static const char *own_result(rd_gen *g)
{
    return rd_format(g, "out[%s + %s]", g->nest->own, g->nest->shape->arrays[g->nest->out].shift);
}

static const rd_form additions[] = {{8, "$(c++|--c);", ST_INTEGERS},
                                    {28, "$(c += |c = c * 3 + )$integer;", ST_INTEGERS},
                                    {40, "$result += $float;", ST_ACCUMULATE},
                                    {39, "s += $float;"},
                                    {9, "s -= $float;"},
                                    {12, "s = s + $float;"},
                                    {0}};

static const char *temporary(rd_gen *g)
{
    const char *name = rd_name(g, "v");

    return rd_emit(g, "$60(const )float %1$s = $read;\ns += %1$s * $30(%1$s|$read);", name);
}

static const char *condition(rd_gen *g)
{
    const char *left = rd_chance(g, 60) ? st_loop_or(g, NULL) : NULL;

    left = rd_format(g, "%s", left ? left : "$x");
    return rd_emit(g,
                   "if ($25((int)(%1$s + $x)|%1$s) $(>|<) $[2-10])"
                   "$60( {\n$indented}$25( else {\n$indented})|\n$indented)",
                   left);
}

/* ---- variables ------------------------------------------------------------------------------ */

/* A pointer into an array. It is read at once, because C does not define a pointer beyond the end
 * of an array. Only elements that are read are known to be inside. */
static const char *pointer(rd_gen *g)
{
    const struct st_shape *shape = g->nest->shape;
    const char *name = rd_name(g, "p");
    size_t array = rd_below(g, (unsigned)shape->array_count);
    const st_array *a = &shape->arrays[array];
    const char *index = st_index(g, array);

    if (!rd_has(g, ST_POINTERS))
        return condition(g);
    if (a->written || a->is_constant || a->is_volatile)
        return add_up(g);
    rd_emit(g,
            rd_chance(g, 80)
                ? "__global const %1$s *$gap %2$s = %3$s + %4$s + %5$s;\ns += %2$s[0]%6$s;"
                : "const __global %1$s *const $gap %2$s = &%3$s[%4$s + %5$s];\n"
                  "s += %2$s[0]%6$s;",
            st_type_name(a->type), name, a->name, index, a->shift,
            a->type == ST_FLOAT4 || a->type == ST_INT2 ? ".x" : "");
    rd_declare(g, name)->kind = ST_POINTER;
    g->vars[g->var_count - 1].array = array;
    return "";
}

static const char *number(rd_gen *g)
{
    const char *name = rd_name(g, "base");

    rd_emit(g, "$70(const )%s %s = $sum;", g->nest->type, name);
    rd_declare(g, name)->kind = ST_OTHER;
    return "";
}

/* ---- barriers ------------------------------------------------------------------------------- */

/* The index of a work-item in its group. */
static const char *in_group(rd_gen *g)
{
    const size_t *l = g->nest->local;

    switch (g->nest->dimensions) {
    case 1:
        return "get_local_id(0)";
    case 2:
        return rd_format(g, "get_local_id(1) * %zu + get_local_id(0)", l[0]);
    default:
        return rd_format(g, "(get_local_id(2) * %zu + get_local_id(1)) * %zu + get_local_id(0)",
                         l[1], l[0]);
    }
}

static size_t inout_array(rd_gen *g)
{
    const struct st_shape *shape = g->nest->shape;

    for (size_t a = 0; a < shape->array_count; a++)
        if (shape->arrays[a].written && shape->arrays[a].high > 0)
            return a;
    return st_array_of(g, "state", rd_chance(g, 70) ? ST_FLOAT : ST_INT, true, -8, 8);
}

/* Emits an exchange through global memory. Each work-item writes a column of its own, or reads data
 * that other work-items of its group wrote. */
static const char *exchange(rd_gen *g)
{
    struct st_state *s = g->nest;
    const char *loop = st_loop_or(g, NULL);
    const st_array *a;

    if (!rd_has(g, ST_INOUT))
        return add_up(g);
    a = &s->shape->arrays[inout_array(g)];
    if (loop && s->state_use <= 1) {
        s->state_use = 1;
        return rd_emit(g,
                       "s += %1$s[%2$s * %3$zu + %4$s + %5$s];\n"
                       "$60(%1$s[%2$s * %3$zu + %4$s + %5$s] $(+=|=) $read;)",
                       a->name, loop, s->global[0] * s->global[1] * s->global[2] * 4, s->own,
                       a->shift);
    }
    if (s->guard != ST_NO_GUARD || s->dimensions > 1 || s->depth >= 2 || s->state_use == 1)
        return add_up(g);
    s->state_use = 2;
    return rd_emit(g,
                   "%1$s[%2$s + %3$s] = $read;\nbarrier(CLK_GLOBAL_MEM_FENCE);\n"
                   "for (int %6$s = 0; %6$s < %4$zu; %6$s++)\n"
                   "    s += %1$s[get_group_id(0) * %4$zu + %6$s + %5$zu + %3$s];\n"
                   "barrier(CLK_GLOBAL_MEM_FENCE);",
                   a->name, s->own, a->shift, s->local[0], s->offset[0], rd_name(g, "q"));
}

/* Local memory. Its declarations must be at the start of a kernel. */
static const char *scratch(rd_gen *g)
{
    struct st_state *s = g->nest;
    size_t size = s->local[0] * s->local[1] * s->local[2];
    int64_t bytes = (int64_t)(size * sizeof(float));
    const char *name = rd_name(g, rd_chance(g, 50) ? "tile" : "scratch");

    if (!rd_has(g, ST_SCRATCH) || !is_uniform(g) || s->depth >= 2 ||
        s->param_count >= RD_PARAMS - 6)
        return exchange(g);
    if (rd_chance(g, 25) && !s->local_argument && !rd_is_cuda(g)) {
        s->params[s->param_count++] = (st_param){
            .name = name, .type = "__local float *", .kind = RD_ARG_LOCAL, .value = {bytes, bytes}};
        s->local_argument = true;
    } else
        pm_text_add(&s->locals, "    __local float %s[%zu];\n", name, size);
    return rd_emit(g,
                   "%1$s[%2$s] = $read;\nbarrier(CLK_LOCAL_MEM_FENCE);\n"
                   "$50(for (int q%1$s = 0; q%1$s < %3$zu; q%1$s++) s += %1$s[q%1$s];|"
                   "s += %1$s[(%2$s + $[1-3]) %% %3$zu];)\n"
                   "barrier(CLK_LOCAL_MEM_FENCE%4$s);",
                   name, in_group(g), size, rd_chance(g, 30) ? " | CLK_GLOBAL_MEM_FENCE" : "");
}

/* ---- all statements ------------------------------------------------------------------------- */

static const rd_form outer[] = {{55, "$loops"},   {5, "$pointer"},   {5, "$condition"},
                                {5, "$base"},     {6, "$temporary"}, {8, "$scratch"},
                                {6, "$exchange"}, {10, "$addup"},    {0}};
static const rd_form inner[] = {{25, "$loops"},   {35, "$pointer"},  {5, "$condition"},
                                {5, "$base"},     {6, "$temporary"}, {8, "$scratch"},
                                {6, "$exchange"}, {10, "$addup"},    {0}};
static const rd_form loops[] = {{40, "$march", ST_MARCH}, {60, "$counted"}, {0}};

static const char *nest(rd_gen *g)
{
    return g->nest->depth < MOST_DEPTH && rd_emit(g, "$loop_form") ? "" : NULL;
}

void st_statements(rd_gen *g, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (g->nest->odd >= 0 && rd_chance(g, g->nest->depth ? 60 : 25))
            rd_emit(g, "$odd");
        else
            rd_emit(g, g->nest->depth == 0 ? "$outer" : "$inner");
    /* Each block has a statement that affects the outputs. */
    if (rd_chance(g, 70))
        add_up(g);
}

const rd_rule st_statement_rules[] = {{"addition", .forms = additions},
                                      {"addup", add_up},
                                      {"indented", indented},
                                      {"result", own_result},
                                      {"outer", .forms = outer},
                                      {"inner", .forms = inner},
                                      {"loops", nest},
                                      {"loop_form", .forms = loops},
                                      {"pointer", pointer},
                                      {"condition", condition},
                                      {"base", number},
                                      {"temporary", temporary},
                                      {"scratch", scratch},
                                      {"exchange", exchange},
                                      {NULL}};
