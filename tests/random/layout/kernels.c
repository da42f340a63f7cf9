/* Generates random kernels and their launches, and the whole program with its structs and helper
 * functions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "../cplusplus.h"
#include "structs.h"

/* The element that a work-item owns. */
typedef enum { PLAIN, ORDER, REVERSE, STRIDE, TILE, COUNTING, KERNEL_KINDS } kernel_kind;

/* RECORDS: an array of structs. OUT: uint per element. WORDS: uint, LR_WORDS of any value. INDEX:
 * int, an element's number per element. ORDER: int, a permutation of the elements' numbers. LOCAL:
 * a struct per work-item of a group. Buffers follow the structs in that order, from OUT to ORDER
 * (buffers.c). */
typedef enum {
    OF_RECORDS,
    OF_OUT,
    OF_WORDS,
    OF_INDEX,
    OF_ORDER,
    OF_N,
    OF_LOCAL,
    PARAM_KINDS
} param_kind;

typedef struct {
    param_kind kind;
    const char *name;
    const lr_record *record;
    int mode;
    /* read_only: the parameter is const; with OWN it need not be */
    bool restricted, in_constant, read_only;
} param;

typedef struct {
    const char *name;
    kernel_kind kind;
    size_t count, items, group;
    param params[RD_PARAMS];
    const char *named[PARAM_KINDS]; /* name of a parameter of that kind, except RECORDS */
} kernel;

/* ---- parameters ----------------------------------------------------------------------------- */

static const char *parameter_type(rd_gen *g, const param *p)
{
    static const char *const types[] = {
        [OF_OUT] = "__global uint *",        [OF_WORDS] = "__global const uint *",
        [OF_INDEX] = "__global const int *", [OF_ORDER] = "__global const int *",
        [OF_N] = "$(uint |const uint )",     [OF_LOCAL] = "__local %s *"};
    const char *form = types[p->kind];

    if (p->kind == OF_RECORDS)
        form = p->in_constant ? "__constant %s *"
               : p->read_only ? "$(__global const|const __global) %s *"
                              : "__global %s *";
    return rd_format(
        g, rd_format(g, "%s%s", form, p->restricted && !p->in_constant ? "restrict " : ""),
        p->record ? p->record->spelling : "");
}

static const lr_record *top_record(rd_gen *g)
{
    const lr_record *record;

    do
        record = lr_any_record(g);
    while (!record->top);
    return record;
}

static void choose_parameters(rd_gen *g, kernel *k, const lr_record *first)
{
    unsigned count = 1 + rd_below(g, 3);

    for (unsigned i = 0; i < count; i++) {
        param *p = &k->params[k->count++];

        *p = (param){.record = i == 0 ? first : top_record(g)};
        p->mode = i > 0 && rd_chance(g, 50) ? LR_READ : LR_OWN;
        if (k->kind == COUNTING && i == 0)
            p->mode = LR_COUNT_UP;
        p->read_only =
            p->mode == LR_READ ? rd_chance(g, 80) : p->mode == LR_OWN && rd_chance(g, 10);
        p->in_constant = p->mode == LR_READ && rd_has(g, LR_CONSTANT) && rd_chance(g, 40);
        p->restricted = rd_has(g, LR_RESTRICT) && rd_chance(g, 60);
    }
    k->params[k->count++].kind = OF_OUT;
    k->params[k->count++].kind = OF_N;
    if (rd_chance(g, 60))
        k->params[k->count++].kind = OF_WORDS;
    if (rd_chance(g, 60))
        k->params[k->count++].kind = OF_INDEX;
    if (k->kind == ORDER)
        k->params[k->count++].kind = OF_ORDER;
    if (k->kind == TILE && rd_chance(g, 40) && !rd_is_cuda(g))
        k->params[k->count++] = (param){.kind = OF_LOCAL, .record = first};
    for (size_t i = k->count - 1; i > 0; i--) {
        size_t j = rd_below(g, (unsigned)i + 1);
        param swap = k->params[i];

        k->params[i] = k->params[j];
        k->params[j] = swap;
    }
}

static void declare_parameters(rd_gen *g, kernel *k)
{
    static const int kinds[PARAM_KINDS] = {[OF_RECORDS] = LR_ARRAY, [OF_N] = LR_NUMBER};
    const char *list = "";

    g->var_count = g->block = 0;
    for (size_t i = 0; i < k->count; i++) {
        param *p = &k->params[i];
        rd_var *var = rd_declare(g, NULL);

        p->name = var->name;
        var->kind = kinds[p->kind];
        var->record = p->record;
        var->mode = p->mode;
        var->writable = p->kind == OF_RECORDS && p->mode == LR_OWN && !p->read_only;
        var->pinned = p->kind != OF_RECORDS;
        var->in_constant = p->in_constant;
        k->named[p->kind] = p->name;
        list = rd_format(g, "%s%s$gap %s%s", list, i ? ", " : "", parameter_type(g, p), p->name);
    }
    g->layout->own = NULL;
    g->layout->words = k->named[OF_WORDS];
    g->layout->index = k->named[OF_INDEX];
    g->layout->loops = 0;
    rd_emit(
        g, "$70(__kernel|kernel)$15( __attribute__((reqd_work_group_size(%zu, 1, 1)))) void %s(%s)",
        k->group, k->name, list);
}

/* ---- bodies --------------------------------------------------------------------------------- */

static rd_var *pinned(rd_gen *g, int kind)
{
    rd_var *var = rd_declare(g, NULL);

    var->kind = kind;
    var->pinned = true;
    return var;
}

/* Members of a packed struct may start at any byte, and an atomic on a misaligned address faults on
 * a GPU. */
static bool is_counted(const rd_var *var, const void *with)
{
    (void)with;
    return var->mode == LR_COUNT_UP && var->kind >= LR_ELEMENT &&
           lr_has_role(var->record, LR_ATOMIC) && !*var->record->attribute;
}

/* All atomics of a kernel are of one kind, so that they commute. */
static void count(rd_gen *g, const char *operation)
{
    const rd_var *var = rd_find(g, is_counted, NULL);
    const lr_member *m = var ? var->record->members : NULL;
    const char *text;

    if (!var)
        return;
    while (m->role != LR_ATOMIC)
        m++;
    text = rd_format(g, var->kind == LR_ELEMENT ? "%s->%s" : "%s[$any].%s", var->name, m->name);
    if (strcmp(operation, "inc") == 0)
        rd_emit(g, "atomic_inc(&%s);", text);
    else
        rd_emit(g, "atomic_%s(&%s, (%s)($uint & 255u));", operation, text,
                lr_scalar_type(m->scalar));
}

static void finish_sum(rd_gen *g, const kernel *k, const char *sum, const char *own)
{
    rd_emit(g, "$fold\n%s[%s] ^= %s;", k->named[OF_OUT], own, sum);
}

static void declare_own(rd_gen *g, const kernel *k, const char *id)
{
    rd_var *own;

    if (k->kind == ORDER)
        g->layout->own = rd_format(g, "%s[%s]", k->named[OF_ORDER], id);
    else if (k->kind == REVERSE)
        g->layout->own = rd_format(g, "(%s - 1u - %s)", k->named[OF_N], id);
    else
        g->layout->own = "get_global_id(0)";
    if (k->kind == PLAIN || k->kind == COUNTING || rd_chance(g, 40))
        return;
    own = pinned(g, LR_NUMBER);
    own->own = true;
    rd_emit(g, "uint %s = %s;", own->name, g->layout->own);
}

static void plain_body(rd_gen *g, const kernel *k)
{
    static const char *const types[] = {"uint", "size_t", "int", "const uint", NULL};
    static const char *const operations[] = {"add", "sub", "xor", "or", "and",
                                             "min", "max", "inc", NULL};
    const char *type = rd_pick(g, types), *operation = rd_pick(g, operations), *sum;
    rd_var *id = pinned(g, strcmp(type, "int") == 0 ? 0 : LR_NUMBER);

    rd_emit(g, "%s %s = get_global_id(0);\nif (%s >= %s)$gap return;", type, id->name, id->name,
            k->named[OF_N]);
    id->own = k->kind == PLAIN || k->kind == COUNTING;
    declare_own(g, k, id->name);
    sum = lr_sum(g, "17u");
    for (unsigned i = 1 + rd_below(g, 3); i > 0; i--) {
        lr_statements(g, 1 + rd_below(g, 4));
        if (k->kind == COUNTING)
            count(g, operation);
    }
    if (!g->program->odd && rd_chance(g, 4))
        lr_odd(g);
    finish_sum(g, k, sum, rd_format(g, "$own"));
}

static void stride_body(rd_gen *g, const kernel *k)
{
    const char *sum = lr_sum(g, "17u");
    rd_var *j = pinned(g, LR_NUMBER);
    rd_mark mark;

    rd_emit(g, "for (size_t %1$s = get_global_id(0); %1$s < %2$s; %1$s += get_global_size(0)) {",
            j->name, k->named[OF_N]);
    j->own = true;
    mark = rd_open(g);
    g->layout->loops = 1;
    lr_statements(g, 2 + rd_below(g, 4));
    finish_sum(g, k, sum, j->name);
    rd_close(g, mark);
    rd_emit(g, "}");
}

static void allow_writing(rd_gen *g, const kernel *k, bool allow)
{
    for (size_t i = 0; i < k->count; i++)
        if (g->vars[i].kind == LR_ARRAY)
            g->vars[i].writable = allow && k->params[i].mode == LR_OWN && !k->params[i].read_only;
}

static void braced(rd_gen *g, unsigned count)
{
    rd_mark mark;

    rd_emit(g, "{");
    mark = rd_open(g);
    lr_statements(g, count);
    rd_close(g, mark);
    rd_emit(g, "}");
}

/* Emits a kernel with elements in local memory. Each work-item writes its own element there, then
 * reads elements of any work-item, then writes its own elements in global memory. Work-items past
 * the end of the data read the last element in the first step. */
static void tile_body(rd_gen *g, const kernel *k, const lr_record *record)
{
    const char *sum = lr_sum(g, "17u"), *array = NULL;
    rd_var *id = pinned(g, LR_NUMBER), *clamped = pinned(g, LR_NUMBER), *tile = pinned(g, LR_TILE);
    rd_mark mark;

    for (size_t i = 0; i < k->count; i++)
        if (k->params[i].kind == OF_RECORDS && k->params[i].record == record)
            array = k->params[i].name;
    if (k->named[OF_LOCAL])
        tile->name = k->named[OF_LOCAL];
    else
        rd_emit(g, "__local %s %s[%zu];", record->spelling, tile->name, k->group);
    rd_emit(g,
            "uint %1$s = get_global_id(0);\nuint %2$s = %1$s < %3$s ? %1$s : %3$s - 1u;\n"
            "%4$s[get_local_id(0)] = %5$s[%2$s];",
            id->name, clamped->name, k->named[OF_N], tile->name, array);
    tile->record = record;
    tile->writable = clamped->own = true;
    allow_writing(g, k, false);
    braced(g, 2);
    rd_emit(g, "barrier(CLK_LOCAL_MEM_FENCE);");
    tile->mode = LR_READ;
    tile->writable = false;
    rd_emit(g, "$fold");
    braced(g, 1);
    rd_emit(g, "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
    allow_writing(g, k, true);
    tile->mode = LR_OWN;
    id->own = true;
    clamped->own = false;
    rd_emit(g, "if (%s < %s) {", id->name, k->named[OF_N]);
    mark = rd_open(g);
    lr_statements(g, 1 + rd_below(g, 3));
    finish_sum(g, k, sum, id->name);
    rd_close(g, mark);
    rd_emit(g, "}");
}

static kernel_kind choose_kind(rd_gen *g)
{
    kernel_kind kind = (kernel_kind)rd_below(g, KERNEL_KINDS);

    if ((kind == TILE && !rd_has(g, LR_TILES)) || (kind == COUNTING && !rd_has(g, LR_ATOMICS)))
        kind = PLAIN;
    return kind;
}

static void generate_kernel(rd_gen *g, kernel *k, const lr_record *first)
{
    static const char *const names[] = {"advance", "drift", "force", "blend",
                                        "sweep",   "spin",  "grow",  "last"};
    struct lr_shape *shape = g->layout->shape;

    k->kind = choose_kind(g);
    k->name = lr_global(g, names[shape->kernel_count]);
    k->group = 8u << rd_below(g, 3);
    k->items = k->kind == STRIDE ? 32 : (shape->n + k->group - 1) / k->group * k->group;
    shape->kernels[shape->kernel_count++] = k->name;
    choose_parameters(g, k, first);
    declare_parameters(g, k);
    rd_emit(g, "{");
    g->indent++;
    g->depth = 2;
    if (k->kind == STRIDE)
        stride_body(g, k);
    else if (k->kind == TILE)
        tile_body(g, k, first);
    else
        plain_body(g, k);
    g->indent--;
    rd_emit(g, "}");
}

/* ---- launches ------------------------------------------------------------------------------- */

static bool is_bound(const rd_launch *launch, const kernel *k, size_t before, size_t buffer,
                     bool alias)
{
    const param *to = &k->params[before];

    for (size_t i = 0; i < before; i++) {
        const param *p = &k->params[i];

        if (p->kind == OF_RECORDS && launch->args[i].value == (int64_t)buffer &&
            (p->mode != to->mode || p->mode == LR_COUNT_UP || p->restricted || to->restricted ||
             !alias))
            return true;
    }
    return false;
}

/* Chooses arguments for all parameters; false: there are too few buffers. */
static bool bind(rd_gen *g, const kernel *k, const lr_record *const *records, size_t count,
                 rd_launch *launch)
{
    for (size_t i = 0; i < k->count; i++) {
        const param *p = &k->params[i];
        bool alias = rd_has(g, LR_ALIAS) && rd_chance(g, 50);
        rd_arg *arg = &launch->args[launch->arg_count++];
        unsigned choices = 0;

        *arg = (rd_arg){.kind = RD_ARG_BUFFER, .value = (int64_t)(count + p->kind - OF_OUT)};
        if (p->kind == OF_N)
            *arg = (rd_arg){.kind = RD_ARG_INT, .value = (int64_t)g->layout->shape->n};
        if (p->kind == OF_LOCAL)
            *arg = (rd_arg){.kind = RD_ARG_LOCAL, .value = (int64_t)(k->group * p->record->bytes)};
        if (p->kind != OF_RECORDS)
            continue;
        for (size_t b = 0; b < count; b++)
            if (records[b] == p->record && !is_bound(launch, k, i, b, alias) &&
                rd_below(g, ++choices) == 0)
                arg->value = (int64_t)b;
        if (choices == 0)
            return false;
    }
    return true;
}

static void add_launches(rd_gen *g, const kernel *kernels, size_t count)
{
    const lr_record *records[RD_BUFFERS];
    size_t record_count = lr_buffers(g, records);
    rd_program *p = g->program;

    for (const kernel *k = kernels; k < kernels + count; k++)
        for (unsigned i = 1 + rd_chance(g, 25); i > 0; i--) {
            rd_launch *launch = &p->launches[p->launch_count];

            *launch = (rd_launch){.kernel = k->name,
                                  .dimensions = 1,
                                  .global = {k->items, 1, 1},
                                  .local = {k->group, 1, 1}};
            if (bind(g, k, records, record_count, launch))
                p->launch_count++;
        }
}

/* ---- the program ---------------------------------------------------------------------------- */

static void emit_head(rd_gen *g)
{
    if (!rd_is_cuda(g))
        rd_emit(g, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable");
    if (rd_has(g, LR_MACROS))
        rd_emit(g, "#define AT(a, i) a[i]\n#define GET(s, f) ((s).f)\n#define PGET(s, f) ((s)->f)");
    if (rd_has(g, LR_COMMENTS))
        rd_emit(g,
                "/* \"p[i].x\" // */\n#if STEPS > 100\n"
                "typedef struct { float x; } %s; // not this one \\\n   nor this }\n#endif",
                lr_global(g, "Particle"));
}

rd_program *lr_create(uint64_t seed, rd_language language)
{
    static const rd_rule *const rules[] = {lr_expression_rules, lr_statement_rules, lr_form_rules,
                                           lr_pointer_rules,    lr_call_rules,      NULL};
    struct lr_state state = {.loops = 1};
    rd_gen g = {.random = seed * 0x2545f4914f6cdd1du + 11,
                .program = rd_program_create(seed, language),
                .rules = rules,
                .layout = &state};
    kernel kernels[LR_KERNELS] = {0};
    struct lr_shape *shape = rd_program_memory(g.program, sizeof *shape);
    unsigned more;

    state.shape = shape;
    g.program->shape = shape;
    g.program->options = language == RD_CUDA ? "-DSTEPS=3" : "-cl-std=CL1.2 -w -DSTEPS=3";
    shape->n = 17 + rd_below(&g, 80);
    g.features = rd_features(&g, LR_FEATURES, 50);
    if (!rd_chance(&g, 20))
        g.features &= ~(unsigned)LR_AS;
    if (!rd_chance(&g, 30))
        g.features &= ~(unsigned)LR_MACROS;
    g.hides = rd_has(&g, LR_SHADOW);
    emit_head(&g);
    lr_records(&g);
    lr_helpers(&g);
    for (size_t r = 0; r < shape->record_count; r++)
        if (shape->records[r].top)
            generate_kernel(&g, &kernels[shape->kernel_count], &shape->records[r]);
    more = 1 + rd_below(&g, 4);
    for (unsigned i = 0; i < more && shape->kernel_count < LR_KERNELS; i++)
        generate_kernel(&g, &kernels[shape->kernel_count], top_record(&g));
    add_launches(&g, kernels, shape->kernel_count);
    rd_finish(&g);
    rd_cplusplus(g.program);
    return g.program;
}
