/* Random kernels and launches, and with structs and helpers the whole program.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "gen.h"

/* Which element is a work-item's own. */
typedef enum { PLAIN, ORDER, REVERSE, STRIDE, TILE, COUNTING, KERNEL_KINDS } kernel_kind;

/* ---- parameters -------------------------------------------------------------------------------
 */

static const char *parameter_type(lr_gen *g, const lr_param *p)
{
    const char *restricted = p->restricted ? "restrict " : "";

    switch (p->kind) {
    case LR_PARAM_RECORDS:
        if (p->in_constant)
            return lr_format(g, "__constant %s *", p->record->spelling);
        if (!p->read_only)
            return lr_format(g, "__global %s *%s", p->record->spelling, restricted);
        return lr_format(g, lr_chance(g, 50) ? "__global const %s *%s" : "const __global %s *%s",
                         p->record->spelling, restricted);
    case LR_PARAM_OUT:
        return "__global uint *";
    case LR_PARAM_WORDS:
        return "__global const uint *";
    case LR_PARAM_LOCAL:
        return lr_format(g, "__local %s *", p->record->spelling);
    case LR_PARAM_N:
        return lr_chance(g, 50) ? "uint " : "const uint ";
    default:
        return "__global const int *";
    }
}

static const lr_record *top_record(lr_gen *g)
{
    const lr_program *p = g->program;
    const lr_record *record;

    do
        record = p->records[lr_below(g, (unsigned)p->record_count)];
    while (!record->top);
    return record;
}

static void add_records(lr_gen *g, lr_kernel *k, kernel_kind kind, const lr_record *first)
{
    unsigned count = 1 + lr_below(g, 3);

    for (unsigned i = 0; i < count; i++) {
        lr_param *p = &k->params[k->count++];

        *p = (lr_param){.record = i == 0 ? first : top_record(g)};
        p->mode = i > 0 && lr_chance(g, 50) ? LR_READ : LR_OWN;
        if (kind == COUNTING && i == 0)
            p->mode = LR_COUNT_UP;
        p->read_only =
            p->mode == LR_READ ? lr_chance(g, 80) : p->mode == LR_OWN && lr_chance(g, 10);
        p->in_constant = p->mode == LR_READ && lr_has(g, LR_F_CONSTANT) && lr_chance(g, 40);
        p->restricted = lr_has(g, LR_F_RESTRICT) && lr_chance(g, 60);
    }
}

static void shuffle(lr_gen *g, lr_kernel *k)
{
    for (size_t i = k->count - 1; i > 0; i--) {
        size_t j = lr_below(g, (unsigned)i + 1);
        lr_param swap = k->params[i];

        k->params[i] = k->params[j];
        k->params[j] = swap;
    }
}

static void declare_parameters(lr_gen *g, lr_kernel *k)
{
    const char *list = "", *attribute;

    g->var_count = g->block = 0;
    g->own = g->words = g->index = NULL;
    g->loops = 0;
    for (size_t i = 0; i < k->count; i++) {
        lr_param *p = &k->params[i];
        lr_var *var = lr_declare(g);

        p->name = var->name;
        *var =
            (lr_var){.name = p->name,
                     .record = p->record,
                     .mode = p->mode,
                     .writable = p->kind == LR_PARAM_RECORDS && p->mode == LR_OWN && !p->read_only,
                     .pinned = p->kind != LR_PARAM_RECORDS,
                     .in_constant = p->in_constant};
        if (p->kind == LR_PARAM_RECORDS)
            var->kind = LR_VAR_ARRAY;
        else if (p->kind == LR_PARAM_N)
            var->kind = LR_VAR_UINT;
        else if (p->kind == LR_PARAM_WORDS)
            g->words = p->name;
        else if (p->kind == LR_PARAM_INDEX)
            g->index = p->name;
        list = lr_format(g, "%s%s%s%s%s", list, i ? ", " : "", lr_gap(g), parameter_type(g, p),
                         p->name);
    }
    attribute = lr_chance(g, 15)
                    ? lr_format(g, " __attribute__((reqd_work_group_size(%zu, 1, 1)))", k->group)
                    : "";
    lr_emit(g, "%s%s void %s(%s)", lr_chance(g, 70) ? "__kernel" : "kernel", attribute, k->name,
            list);
}

static const char *parameter_name(const lr_kernel *k, lr_param_kind kind)
{
    for (size_t i = 0; i < k->count; i++)
        if (k->params[i].kind == kind)
            return k->params[i].name;
    return NULL;
}

/* ---- bodies -----------------------------------------------------------------------------------
 */

static lr_var *pinned(lr_gen *g, lr_var_kind kind)
{
    lr_var *var = lr_declare(g);

    var->kind = kind;
    var->pinned = true;
    return var;
}

static const char *new_sum(lr_gen *g)
{
    lr_var *sum = pinned(g, LR_VAR_UINT);

    sum->writable = true;
    lr_emit(g, "uint %s = 17u;", sum->name);
    return sum->name;
}

static bool is_counted(const lr_var *var, const void *with)
{
    (void)with;
    return var->mode == LR_COUNT_UP && var->kind >= LR_VAR_ELEMENT &&
           lr_record_has_role(var->record, LR_ATOMIC);
}

/* All atomics of a kernel are of one kind: they commute. */
static void count(lr_gen *g, unsigned operation)
{
    static const char *const operations[] = {"add", "sub", "xor", "or", "and", "min", "max"};
    const lr_var *var = lr_find(g, is_counted, NULL);
    const lr_member *m = var ? var->record->members : NULL;
    const char *text;

    if (!var)
        return;
    while (m->role != LR_ATOMIC)
        m++;
    if (var->kind == LR_VAR_ELEMENT)
        text = lr_format(g, "&%s->%s", var->name, m->name);
    else
        text = lr_format(g, "&%s[%s].%s", var->name, lr_any(g, 2), m->name);
    if (operation == 7)
        lr_emit(g, "atomic_inc(%s);", text);
    else
        lr_emit(g, "atomic_%s(%s, (%s)(%s & 255u));", operations[operation], text,
                lr_type(g, m->scalar, 1), lr_uint(g, 1));
}

static void finish_sum(lr_gen *g, const lr_kernel *k, const char *sum, const char *own)
{
    lr_fold(g, lr_uint(g, 2));
    lr_emit(g, "%s[%s] ^= %s;", parameter_name(k, LR_PARAM_OUT), own, sum);
}

static void declare_own(lr_gen *g, kernel_kind kind, const lr_kernel *k, const lr_var *id)
{
    lr_var *own;
    const char *order = parameter_name(k, LR_PARAM_ORDER);

    if (kind == ORDER)
        g->own = lr_format(g, "%s[%s]", order, id->name);
    else if (kind == REVERSE)
        g->own = lr_format(g, "(%s - 1u - %s)", parameter_name(k, LR_PARAM_N), id->name);
    else
        g->own = "get_global_id(0)";
    if (kind == PLAIN || kind == COUNTING || lr_chance(g, 40))
        return;
    own = pinned(g, LR_VAR_UINT);
    own->own = true;
    lr_emit(g, "uint %s = %s;", own->name, g->own);
}

static void plain_body(lr_gen *g, kernel_kind kind, const lr_kernel *k)
{
    static const char *const types[] = {"uint", "size_t", "int", "const uint"};
    unsigned type = lr_below(g, 4), operation = lr_below(g, 8);
    lr_var *id = pinned(g, type == 2 ? LR_VAR_NONE : LR_VAR_UINT);
    const char *n = parameter_name(k, LR_PARAM_N), *sum;

    lr_emit(g, "%s %s = get_global_id(0);", types[type], id->name);
    lr_emit(g, "if (%s >= %s)%s return;", id->name, n, lr_gap(g));
    id->own = kind == PLAIN || kind == COUNTING;
    declare_own(g, kind, k, id);
    sum = new_sum(g);
    for (unsigned i = 1 + lr_below(g, 3); i > 0; i--) {
        lr_statements(g, 1 + lr_below(g, 4), 2);
        if (kind == COUNTING)
            count(g, operation);
    }
    if (!g->program->odd && lr_below(g, 100) < 4)
        lr_odd_statement(g);
    finish_sum(g, k, sum, lr_own(g));
}

static void stride_body(lr_gen *g, const lr_kernel *k)
{
    const char *sum = new_sum(g);
    lr_mark mark;
    lr_var *j = pinned(g, LR_VAR_UINT);

    lr_emit(g, "for (size_t %s = get_global_id(0); %s < %s; %s += get_global_size(0)) {", j->name,
            j->name, parameter_name(k, LR_PARAM_N), j->name);
    j->own = true;
    mark = lr_open(g);
    g->loops = 1;
    lr_statements(g, 2 + lr_below(g, 4), 2);
    finish_sum(g, k, sum, j->name);
    lr_close(g, mark);
    lr_emit(g, "}");
}

static void allow_writing(lr_gen *g, const lr_kernel *k, bool allow)
{
    for (size_t i = 0; i < k->count; i++)
        if (g->vars[i].kind == LR_VAR_ARRAY)
            g->vars[i].writable = allow && k->params[i].mode == LR_OWN && !k->params[i].read_only;
}

/* Elements in local memory: each work-item writes its own, then all read any, then each writes its
 * own elements in global memory. Past the end, work-items read the last element in the first step.
 */
static void tile_body(lr_gen *g, const lr_kernel *k, const lr_record *record)
{
    const char *n = parameter_name(k, LR_PARAM_N), *sum = new_sum(g), *array = NULL;
    lr_var *id = pinned(g, LR_VAR_UINT), *clamped = pinned(g, LR_VAR_UINT);
    lr_var *tile = pinned(g, LR_VAR_TILE);
    const char *given = parameter_name(k, LR_PARAM_LOCAL);
    lr_mark mark;

    for (size_t i = 0; i < k->count; i++)
        if (k->params[i].kind == LR_PARAM_RECORDS && k->params[i].record == record)
            array = k->params[i].name;
    if (given)
        tile->name = given;
    else
        lr_emit(g, "__local %s %s[%zu];", record->spelling, tile->name, k->group);
    lr_emit(g, "uint %s = get_global_id(0);", id->name);
    lr_emit(g, "uint %s = %s < %s ? %s : %s - 1u;", clamped->name, id->name, n, id->name, n);
    lr_emit(g, "%s[get_local_id(0)] = %s[%s];", tile->name, array, clamped->name);
    tile->record = record;
    tile->writable = clamped->own = true;
    allow_writing(g, k, false);
    mark = lr_open(g);
    lr_emit(g, "{");
    lr_statements(g, 2, 2);
    lr_emit(g, "}");
    lr_close(g, mark);
    lr_emit(g, "barrier(CLK_LOCAL_MEM_FENCE);");
    tile->mode = LR_READ;
    tile->writable = false;
    lr_fold(g, lr_uint(g, 2));
    mark = lr_open(g);
    lr_emit(g, "{");
    lr_statements(g, 1, 2);
    lr_emit(g, "}");
    lr_close(g, mark);
    lr_emit(g, "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
    allow_writing(g, k, true);
    tile->mode = LR_OWN;
    id->own = true;
    clamped->own = false;
    lr_emit(g, "if (%s < %s) {", id->name, n);
    mark = lr_open(g);
    lr_statements(g, 1 + lr_below(g, 3), 2);
    finish_sum(g, k, sum, id->name);
    lr_close(g, mark);
    lr_emit(g, "}");
}

static kernel_kind choose_kind(lr_gen *g)
{
    kernel_kind kind = (kernel_kind)lr_below(g, KERNEL_KINDS);

    if ((kind == TILE && !lr_has(g, LR_F_TILES)) || (kind == COUNTING && !lr_has(g, LR_F_ATOMICS)))
        kind = PLAIN;
    return kind;
}

static void generate_kernel(lr_gen *g, const lr_record *first)
{
    static const char *const names[] = {"advance", "drift", "force", "blend",
                                        "sweep",   "spin",  "grow",  "last"};
    lr_program *p = g->program;
    lr_kernel *k = &p->kernels[p->kernel_count];
    kernel_kind kind = choose_kind(g);
    lr_unit unit = lr_unit_begin(g);

    k->name = names[p->kernel_count++];
    k->group = 8u << lr_below(g, 3);
    k->items = kind == STRIDE ? 32 : (p->n + k->group - 1) / k->group * k->group;
    add_records(g, k, kind, first);
    k->params[k->count++] = (lr_param){.kind = LR_PARAM_OUT};
    k->params[k->count++] = (lr_param){.kind = LR_PARAM_N};
    if (lr_chance(g, 60))
        k->params[k->count++] = (lr_param){.kind = LR_PARAM_WORDS};
    if (lr_chance(g, 60))
        k->params[k->count++] = (lr_param){.kind = LR_PARAM_INDEX};
    if (kind == ORDER)
        k->params[k->count++] = (lr_param){.kind = LR_PARAM_ORDER};
    if (kind == TILE && lr_chance(g, 40))
        k->params[k->count++] = (lr_param){.kind = LR_PARAM_LOCAL, .record = k->params[0].record};
    shuffle(g, k);
    declare_parameters(g, k);
    lr_emit(g, "{");
    g->indent++;
    if (kind == STRIDE)
        stride_body(g, k);
    else if (kind == TILE)
        tile_body(g, k, first);
    else
        plain_body(g, kind, k);
    g->indent--;
    lr_emit(g, "}");
    lr_emit(g, "%s", "");
    k->dropped = lr_unit_end(g, unit);
}

/* ---- launches ---------------------------------------------------------------------------------
 */

static bool is_bound(const lr_launch *launch, const lr_kernel *k, size_t before, size_t buffer,
                     const lr_param *to, bool alias)
{
    for (size_t i = 0; i < before; i++) {
        const lr_param *p = &k->params[i];

        if (p->kind != LR_PARAM_RECORDS || launch->buffers[i] != buffer)
            continue;
        if (p->mode != to->mode || p->mode == LR_COUNT_UP || p->restricted || to->restricted ||
            !alias)
            return true;
    }
    return false;
}

static bool bind(lr_gen *g, lr_launch *launch)
{
    const lr_program *p = g->program;
    const lr_kernel *k = &p->kernels[launch->kernel];

    for (size_t i = 0; i < k->count; i++) {
        unsigned choices = 0;
        bool alias = lr_has(g, LR_F_ALIAS) && lr_chance(g, 50);

        if (k->params[i].kind != LR_PARAM_RECORDS)
            continue;
        for (size_t b = 0; b < p->buffer_count; b++)
            if (p->buffers[b].record == k->params[i].record &&
                !is_bound(launch, k, i, b, &k->params[i], alias) && lr_below(g, ++choices) == 0)
                launch->buffers[i] = b;
        if (choices == 0)
            return false;
    }
    return true;
}

static void generate_launches(lr_gen *g)
{
    lr_program *p = g->program;

    for (size_t k = 0; k < p->kernel_count; k++)
        for (unsigned i = 1 + lr_chance(g, 25); i > 0; i--) {
            lr_launch *launch = &p->launches[p->launch_count];

            launch->kernel = k;
            if (bind(g, launch) && !p->kernels[k].dropped)
                p->launch_count++;
        }
}

/* ---- the program ------------------------------------------------------------------------------
 */

static void add_buffers(lr_gen *g)
{
    lr_program *p = g->program;

    for (size_t r = 0; r < p->record_count; r++)
        for (unsigned i = 0; p->records[r]->top && i < 3; i++)
            p->buffers[p->buffer_count++] =
                (lr_buffer){lr_format(g, "%s%u", p->records[r]->name, i), p->records[r]};
}

static void emit_head(lr_gen *g)
{
    lr_emit(g, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable");
    if (lr_has(g, LR_F_MACROS)) {
        lr_emit(g, "#define AT(a, i) a[i]");
        lr_emit(g, "#define GET(s, f) ((s).f)");
        lr_emit(g, "#define PGET(s, f) ((s)->f)");
    }
    if (lr_has(g, LR_F_COMMENTS)) {
        lr_emit(g, "/* \"p[i].x\" // */");
        lr_emit(g, "#if STEPS > 100");
        lr_emit(g, "typedef struct { float x; } Particle; // not this one \\");
        lr_emit(g, "   nor this }");
        lr_emit(g, "#endif");
    }
}

lr_program *lr_program_create(uint64_t seed, const unsigned char *dropped)
{
    lr_program *p = lr_need(calloc(1, sizeof *p));
    lr_gen g = {.random = seed * 0x2545f4914f6cdd1du + 11, .program = p, .dropped = dropped};
    unsigned kernels;

    p->seed = seed;
    p->n = 17 + lr_below(&g, 80);
    g.features = (unsigned)(lr_random(&g) >> 20) & ((1u << LR_FEATURES) - 1);
    if (!lr_chance(&g, 20))
        g.features &= ~(unsigned)LR_F_AS;
    if (!lr_chance(&g, 30))
        g.features &= ~(unsigned)LR_F_MACROS;
    p->features = g.features;
    emit_head(&g);
    lr_records_generate(&g);
    lr_helpers_generate(&g);
    add_buffers(&g);
    for (size_t r = 0; r < p->record_count; r++)
        if (p->records[r]->top)
            generate_kernel(&g, p->records[r]);
    kernels = 1 + lr_below(&g, 4);
    for (unsigned i = 0; i < kernels && p->kernel_count < LR_KERNELS; i++)
        generate_kernel(&g, top_record(&g));
    generate_launches(&g);
    p->source = lr_format(&g, "%s", g.text);
    free(g.text);
    return p;
}

void lr_program_free(lr_program *program)
{
    if (!program)
        return;
    for (size_t i = 0; i < program->record_count; i++)
        free(program->records[i]);
    lr_chunks_free(program->chunks);
    free(program);
}
