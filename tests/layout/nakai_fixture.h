/* Sources and access tables, written by hand, for tests of method nakai (the layout method of Nakai
 * and Ohno 2017).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_NAKAI_FIXTURE_H
#define PM_TESTS_NAKAI_FIXTURE_H

#include <math.h>

#include "transform/layout/nakai/nakai.h"
#include "unit.h"

enum { MOST_KERNELS = 4, MOST_ACCESSES = 64 };

/* Accesses of a kernel's loop: names of fields, their number, and their class. */
typedef struct {
    const char *kernel;
    unsigned loop;
    const char *fields[12];
    double executions;
    const char *access_class; /* NULL: ShareCoalesc */
} loop_case;

/* Everything that pm_nakai_decide reads. */
typedef struct {
    pm_source_info source;
    pm_source_kernel source_kernels[MOST_KERNELS];
    pm_source_access accesses[MOST_KERNELS][MOST_ACCESSES];
    pm_source_param param;
    pm_trace_kernel kernels[MOST_KERNELS];
    pm_access rows[MOST_KERNELS][MOST_ACCESSES];
    size_t kernel_count;
} nakai_case;

OWNED(analysis, pm_nakai_struct, pm_nakai_struct_free)

static inline size_t kernel_of(nakai_case *c, const char *name)
{
    size_t k = 0;

    while (k < c->kernel_count && strcmp(c->source_kernels[k].name, name) != 0)
        k++;
    assert_true(k < MOST_KERNELS);
    if (k < c->kernel_count)
        return k;
    c->source_kernels[k] = (pm_source_kernel){
        .name = (char *)name, .param_count = 1, .params = &c->param, .accesses = c->accesses[k]};
    c->kernels[k] =
        (pm_trace_kernel){.kernel = name, .launches = 1, .sampled = 1, .accesses = c->rows[k]};
    return c->kernel_count++;
}

/* Adds an access of a loop to a field. Each access has a line of its own, which both source and
 * trace name. */
static inline void add_access(nakai_case *c, const pm_struct *structure, const loop_case *loop,
                              const char *field)
{
    size_t k = kernel_of(c, loop->kernel), i = c->source_kernels[k].access_count++;
    unsigned line = (unsigned)(100 * (k + 1) + i);
    size_t f = pm_struct_field(structure, field);

    assert_true(i < MOST_ACCESSES);
    assert_true(f < structure->field_count);
    c->accesses[k][i] = (pm_source_access){
        .structure = 0, .field = f, .line = line, .column = 7, .loop = loop->loop, .read = true};
    c->rows[k][i] =
        (pm_access){.kind = "load",
                    .space = "global",
                    .bytes = 4,
                    .line = line,
                    .column = 7,
                    .buffer = "a",
                    .structure = structure->name,
                    .field = structure->fields[f].path,
                    .loop = loop->loop,
                    .executions = loop->executions,
                    .work_items = 32 * loop->executions,
                    .coalesced_threads = 32,
                    .access_class = loop->access_class ? loop->access_class : "ShareCoalesc"};
    c->kernels[k].access_count = i + 1;
}

/* Makes a case from loops, which end with a NULL kernel. Its kernels are in the order of the
 * loops. */
static inline nakai_case *make_case(pm_structs *structs, const loop_case *loops)
{
    nakai_case *c = room(1, sizeof *c);

    c->param = (pm_source_param){.name = "a", .structure = 0, .read = true};
    c->source.structs = *structs;
    c->source.kernels = c->source_kernels;
    for (; loops->kernel; loops++)
        for (size_t f = 0; f < 12 && loops->fields[f]; f++)
            add_access(c, &structs->items[0], loops, loops->fields[f]);
    c->source.kernel_count = c->kernel_count;
    return c;
}

/* Returns the analysis of the source's struct with that index. */
static inline const pm_nakai_struct *decide_struct(const nakai_case *c, size_t structure)
{
    pm_nakai_struct *analysis = room(1, sizeof *analysis);

    assert_ok(pm_nakai_decide(&c->source, structure, c->kernels, c->kernel_count, 32, analysis,
                              told()) == PM_OK);
    return owned_analysis(analysis);
}

static inline const pm_nakai_struct *decide_case(const nakai_case *c)
{
    return decide_struct(c, 0);
}

/* Writes a node as text: kernel:loop for each place where it occurs, its count, its fields. */
static inline void node_text(const pm_nakai_struct *a, const pm_nakai_node *node, char *text,
                             size_t size)
{
    size_t used = 0;

    for (size_t i = 0; i < node->place_count; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s:%u", i ? "," : "",
                                 a->kernels[node->places[i].kernel], node->places[i].loop);
    used += (size_t)snprintf(text + used, size - used, " %g ", node->count);
    for (size_t i = 0; i < node->field_count; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? "+" : "",
                                 a->structure->fields[node->fields[i]].path);
    snprintf(text + used, size - used, " %zu", node->bytes);
}

/* Checks a tree. want: nodes as node_text writes them, NULL-terminated. */
static inline void expect_tree(const pm_nakai_struct *a, size_t tree, const char *const *want)
{
    for (size_t n = 0; n < a->trees[tree].count; n++) {
        char text[512];

        node_text(a, &a->trees[tree].nodes[n], text, sizeof text);
        assert_non_null(want[n]);
        assert_string_equal(text, want[n]);
    }
    assert_null(want[a->trees[tree].count]);
}

#define EXPECT_TREE(a, tree, ...) expect_tree(a, tree, (const char *const[]){__VA_ARGS__, NULL})

static inline void expect_layout(const pm_nakai_struct *a, const char *want)
{
    assert_string_equal(a->layout_text, want);
}

/* Figure 14 of Nakai and Ohno: eleven floats, in the paper's order. */
static pm_field st_fields[] = {
#define ST(n, at)                                                                                  \
    {                                                                                              \
        .path = n, .name = n, .type = "float", .bytes = 4, .align = 4, .offset = 4 * (at)          \
    }
    ST("vx", 0), ST("vy", 1), ST("vz", 2), ST("px", 3),  ST("py", 4),  ST("pz", 5),
    ST("ax", 6), ST("ay", 7), ST("az", 8), ST("prs", 9), ST("dns", 10)
#undef ST
};
static pm_struct st = {
    .name = "St", .bytes = 44, .align = 4, .field_count = 11, .fields = st_fields};
static pm_structs st_only = {.count = 1, .items = &st};

#endif
