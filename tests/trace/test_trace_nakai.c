/* Method nakai on kernels that the trace engine runs: the numbers of figure 12, and the layout of
 * each kind of access.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the source's analysis would tell stands here by hand, with lines and columns of the source.
 */
#include "trace_counts_fixture.h"

#include "transform/layout/nakai/nakai.h"

enum { WARPS = 32, ITEMS = 32 * WARPS };

#define HEAD                                                                                       \
    "typedef struct { float x, y, z; } S;\n"                                                       \
    "__kernel void k(__global const int *a, __global const S *b, __global float *out)\n"           \
    "{\n"                                                                                          \
    "    const int i = get_global_id(0);\n"

/* An access as in the source: the last character of the text is the field x of b[i].x. */
typedef struct {
    const char *text;
    size_t field;
    unsigned loop;
} place;

static void find_place(const char *source, const place *p, pm_source_access *access)
{
    const char *at = strstr(source, p->text);
    unsigned line = 1, column = 1;

    assert_non_null(at);
    at += strlen(p->text) - 1;
    for (const char *c = source; c < at; c++) {
        column = *c == '\n' ? 1 : column + 1;
        line += *c == '\n';
    }
    *access = (pm_source_access){
        .field = p->field, .line = line, .column = column, .loop = p->loop, .read = true};
}

static pm_field fields[] = {
    {.path = "x", .name = "x", .type = "float", .bytes = 4, .align = 4, .offset = 0},
    {.path = "y", .name = "y", .type = "float", .bytes = 4, .align = 4, .offset = 4},
    {.path = "z", .name = "z", .type = "float", .bytes = 4, .align = 4, .offset = 8}};

OWNED(analysis, pm_nakai_struct, pm_nakai_struct_free)

static const pm_nakai_struct *analyse(trace_fixture *f, const launch_case *c, const place *places)
{
    pm_struct s = {.name = "S", .bytes = 12, .align = 4, .field_count = 3, .fields = fields};
    pm_source_access accesses[8];
    pm_source_param params[] = {{.name = "a", .structure = PM_NO_STRUCT},
                                {.name = "b", .structure = 0},
                                {.name = "out", .structure = PM_NO_STRUCT}};
    pm_source_kernel kernel = {
        .name = "k", .param_count = 3, .params = params, .accesses = accesses};
    const pm_source_info source = {
        .structs = {.count = 1, .items = &s}, .kernel_count = 1, .kernels = &kernel};
    pm_nakai_struct *analysis = room(1, sizeof *analysis);

    count_case(f, c);
    for (; places->text; places++)
        find_place(c->source, places, &accesses[kernel.access_count++]);
    assert_ok(pm_nakai_decide(&source, 0, f->tables.kernels, f->tables.count, 32, analysis,
                              told()) == PM_OK);
    return owned_analysis(analysis);
}

static void expect_row(const pm_nakai_row *row, const char *access_class, double executions,
                       double threads)
{
    assert_string_equal(row->access_class, access_class);
    assert_true(row->executions == executions);
    assert_true(row->coalesced_threads == threads);
}

static void expect_layout(const pm_nakai_struct *a, const char *want)
{
    assert_string_equal(a->layout_text, want);
}

/* The accesses of figure 7: st[tid].x of a 12-byte struct. Figure 12 gives Coalesc and 11 for
 * them. */
TEST(own_element)
{
    const launch_case c = {
        .source = HEAD "    out[i] = b[i].x;\n}\n", .global = {ITEMS}, .local = {64}};
    const place places[] = {{"b[i].x", 0, 0}, {0}};
    const pm_nakai_struct *a = analyse(*state, &c, places);
    pm_source_access access;

    assert_int_equal(a->row_count, 1);
    expect_row(&a->rows[0], "Coalesc", WARPS, 11);
    /* both front ends locate an access at its member's name */
    find_place(c.source, places, &access);
    assert_int_equal(a->rows[0].line, access.line);
    assert_int_equal(a->rows[0].column, access.column);
    assert_true(a->sum == -11.0 / 32 * WARPS);
    expect_layout(a, "soa");
}

/* Every work-item reads the same elements, one after the other. Figure 12 gives ShareCoalesc and
 * 32. */
static int five(size_t i)
{
    (void)i;
    return 5;
}

TEST(same_element)
{
    const launch_case c = {.source = HEAD "    const int n = a[0];\n"
                                          "    float sum = 0;\n"
                                          "    for (int j = 0; j < n; j++)\n"
                                          "        sum += b[j].x * b[j].y;\n"
                                          "    out[i] = sum;\n}\n",
                           .global = {ITEMS},
                           .local = {64},
                           .a = five};
    const place places[] = {{"b[j].x", 0, 7}, {"b[j].y", 1, 7}, {0}};
    const pm_nakai_struct *a = analyse(*state, &c, places);
    double sum = 0;

    for (size_t i = 0; i < a->row_count; i++) {
        assert_string_equal(a->rows[i].access_class, "ShareCoalesc");
        assert_true(a->rows[i].coalesced_threads == 32 || a->rows[i].executions == 0);
        assert_int_equal(a->rows[i].loop, 7);
        sum += a->rows[i].executions;
    }
    assert_true(sum == 2 * 5 * WARPS);
    assert_true(a->sum == sum);
    assert_int_equal(a->trees[PM_NAKAI_TREE].count, 1);
    assert_true(a->trees[PM_NAKAI_TREE].nodes[0].count == 5 * WARPS);
    expect_layout(a, "cluster-align:x+y/z");
}

/* A gather: work-items of a warp are 100 elements apart, except one in 512. */
static int scattered(size_t i)
{
    return (int)(i % 512 == 1 ? (i - 1) * 100 % 40000 + 1 : i * 100 % 40000);
}

TEST(gathered_element)
{
    const launch_case c = {.source = HEAD "    out[i] = b[a[i]].z + b[i].x;\n}\n",
                           .global = {ITEMS},
                           .local = {64},
                           .a = scattered};
    const place places[] = {{"b[a[i]].z", 2, 0}, {"b[i].x", 0, 0}, {0}};
    const pm_nakai_struct *a = analyse(*state, &c, places);

    assert_int_equal(a->row_count, 2);
    /* 2 of the 32 warps have a second work-item near the first */
    expect_row(&a->rows[0], "UnCoalesc", WARPS, 1 + 2.0 / WARPS);
    expect_row(&a->rows[1], "Coalesc", WARPS, 11);
    assert_true(a->sum == WARPS - 11);
    expect_layout(a, "cluster-align:x+z/y");
}

/* A loop with a constant number of iterations, which a GPU's compiler unrolls. */
TEST(unrolled_loop)
{
    const launch_case c = {.source = HEAD "    float sum = b[i].x;\n"
                                          "    for (int j = 0; j < 6; j++)\n"
                                          "        sum += b[j].y;\n"
                                          "    out[i] = sum;\n}\n",
                           .global = {ITEMS},
                           .local = {64}};
    const place places[] = {{"b[i].x", 0, 0}, {"b[j].y", 1, 6}, {0}};
    const pm_nakai_struct *a = analyse(*state, &c, places);
    const pm_nakai_tree *tree = &a->trees[PM_NAKAI_TREE];

    assert_int_equal(a->row_count, 2);
    assert_int_equal(tree->count, 2);
    assert_true(tree->nodes[0].count == WARPS);
    assert_int_equal(tree->nodes[1].places[0].loop, 6);
    assert_true(tree->nodes[1].count == 6 * WARPS);
    expect_layout(a, "cluster-align:y/x/z");
}

static int setup(void **state)
{
    return trace_setup_by(
        state, &(pm_trace_engine_options){.target = "h100", .sample = 1, .as_written = true});
}

TEST_MAIN(setup, trace_teardown)
