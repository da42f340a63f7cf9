/* Tests the layout method of Nakai and Ohno (2017): figures 12 and 15 to 18 of the paper, and the
 * decisions that the paper leaves open.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "nakai_fixture.h"

#include "report/results/tables.h"

/* ---- section 5 ------------------------------------------------------------------------------ */

/* Figure 12 as printed. The weight of instID 0 is -0.34 by section 5.2, and its product is -272 by
 * section 5.3: the rounded weight times 800. */
TEST(figure_12)
{
    pm_nakai_row rows[] = {
        {.access_class = "Coalesc", .executions = 800, .coalesced_threads = 11},
        {.access_class = "ShareCoalesc", .executions = 800, .coalesced_threads = 32},
        {.access_class = "Coalesc", .executions = 800, .coalesced_threads = 11},
        {.access_class = "ShareCoalesc", .executions = 832, .coalesced_threads = 32},
        {.access_class = "ShareCoalesc", .executions = 832, .coalesced_threads = 32},
        {.access_class = "Coalesc", .executions = 32, .coalesced_threads = 11},
    };
    double sum = pm_nakai_weigh(rows, 6, 32);

    assert_true(fabs(rows[0].weight - -0.34) < 0.005);
    assert_true(fabs(rows[0].corrected - -272) < 0.005 * 800);
    assert_true(rows[0].corrected == -275); /* -11/32 * 800 */
    assert_true(rows[1].weight == 1 && rows[1].corrected == 800);
    assert_true(rows[5].corrected == -11);
    assert_true(sum == -275 + 800 - 275 + 832 + 832 - 11);
}

TEST(weights_by_class)
{
    assert_true(pm_nakai_weight("UnCoalesc", 1, 32) == 1);
    assert_true(pm_nakai_weight("Coalesc", 32, 32) == -1);
    /* n / 32 is the fraction of a warp that coalesces, so in warps of 64 it is half */
    assert_true(pm_nakai_weight("Coalesc", 32, 64) == -0.5);
    assert_true(pm_nakai_weight("", 32, 32) == 0);
}

TEST(sum_decides)
{
    const struct {
        double coalesced, uncoalesced; /* executions */
        pm_nakai_choice choice;
        const char *layout;
    } cases[] = {{100, 101, PM_NAKAI_AOS, "cluster-align:vy/vx/vz+px+py+pz+ax+ay+az+prs+dns"},
                 {101, 100, PM_NAKAI_SOA, "soa"},
                 {100, 100, PM_NAKAI_NONE, "aos"}};

    for (size_t i = 0; i < 3; i++) {
        const loop_case loops[] = {{"k", 0, {"vx"}, cases[i].coalesced, "Coalesc"},
                                   {"k", 9, {"vy"}, cases[i].uncoalesced, "UnCoalesc"},
                                   {0}};
        const pm_nakai_struct *a = decide_case(make_case(&st_only, loops));

        assert_int_equal(a->choice, cases[i].choice);
        assert_true(a->sum == cases[i].uncoalesced - cases[i].coalesced);
        /* only AoS has trees */
        assert_int_equal(a->trees[0].count > 0, a->choice == PM_NAKAI_AOS);
        assert_int_equal(a->definitions != NULL, a->choice == PM_NAKAI_AOS);
        expect_layout(a, cases[i].layout);
    }
}

/* ---- figures 15 to 18 ----------------------------------------------------------------------- */

/* The paper shows the trees only as pictures, so this tree is a reconstruction. The paper's struct
 * (figure 14) is the struct of the SPH program of Takada and Ohno (2016). Their table 1 lists the
 * accesses of each phase to its own particle (outside of loops) and to its neighbours (in a loop).
 * The paper gives the struct before and after. WARPS: warps of its 800,000 particles. The 60
 * neighbours of each particle are assumed. */
enum { WARPS = 25000, NEIGHBOURS = 60 * WARPS };
static const loop_case sph[] = {
    {"density", 0, {"px", "py", "pz", "prs", "dns"}, WARPS, NULL},
    {"density", 20, {"px", "py", "pz"}, NEIGHBOURS, NULL},
    {"force", 0, {"px", "py", "pz", "vx", "vy", "vz", "prs", "dns", "ax", "ay", "az"}, WARPS, NULL},
    {"force", 40, {"px", "py", "pz", "vx", "vy", "vz", "prs", "dns"}, NEIGHBOURS, NULL},
    {"position", 0, {"px", "py", "pz", "vx", "vy", "vz", "ax", "ay", "az"}, WARPS, NULL},
    {0}};

TEST(figures_15_to_18)
{
    const pm_nakai_struct *a = decide_case(make_case(&st_only, sph));

    EXPECT_TREE(a, PM_NAKAI_TREE, "density:0 25000 px+py+pz+prs+dns 20",
                "density:20 1.5e+06 px+py+pz 12",
                "force:0 25000 vx+vy+vz+px+py+pz+ax+ay+az+prs+dns 44",
                "force:40 1.5e+06 vx+vy+vz+px+py+pz+prs+dns 32",
                "position:0 25000 vx+vy+vz+px+py+pz+ax+ay+az 36");
    assert_int_equal(a->trees[PM_NAKAI_IN_KERNELS].count, 5);
    EXPECT_TREE(a, PM_NAKAI_ACROSS_KERNELS,
                "density:20,force:40 1.5e+06 vx+vy+vz+px+py+pz+prs+dns 32",
                "density:0,force:0,position:0 25000 ax+ay+az 12");
    expect_layout(a, "cluster-align:vx+vy+vz+px+py+pz+prs+dns/ax+ay+az");
    assert_string_equal(a->definitions, "typedef struct __attribute__((aligned(16))) {\n"
                                        "    float vx, vy, vz, px, py, pz, prs, dns;\n"
                                        "} St1; /* 32 bytes */\n"
                                        "typedef struct __attribute__((aligned(16))) {\n"
                                        "    float ax, ay, az;\n"
                                        "} St2; /* 16 bytes */\n");
}

/* A phase with several loops: step (2) joins loops that run equally often to one node. */
TEST(loops_of_a_kernel)
{
    const loop_case loops[] = {{"k", 10, {"vx", "vy"}, 640, NULL},
                               {"k", 20, {"px"}, 641, NULL},
                               {"k", 30, {"ax"}, 640, NULL},
                               {"other", 50, {"prs"}, 640, NULL},
                               {0}};
    const pm_nakai_struct *a = decide_case(make_case(&st_only, loops));

    /* The other struct's loop has no field in common with k's loop, so it stays alone. */
    EXPECT_TREE(a, PM_NAKAI_IN_KERNELS, "k:10,k:30 640 vx+vy+ax 12", "k:20 641 px 4",
                "other:50 640 prs 4");
    EXPECT_TREE(a, PM_NAKAI_ACROSS_KERNELS, "k:20 641 px 4", "k:10,k:30 640 vx+vy+ax 12",
                "other:50 640 prs 4", " 0 vz+py+pz+ay+az+dns 24");
}

/* Step (3) with chains: first and last node have no field in common, but each has one in common
 * with the node between them. */
TEST(chain_of_kernels)
{
    const loop_case loops[] = {{"a", 1, {"vx", "vy"}, 50, NULL},
                               {"b", 2, {"vy", "px"}, 50, NULL},
                               {"c", 3, {"px", "ax"}, 50, NULL},
                               {"d", 4, {"ax", "prs"}, 51, NULL},
                               {0}};
    const pm_nakai_struct *a = decide_case(make_case(&st_only, loops));

    /* d runs more often, so ax gets a node of its own */
    EXPECT_TREE(a, PM_NAKAI_ACROSS_KERNELS, "d:4 51 ax+prs 8", "a:1,b:2,c:3 50 vx+vy+px 12",
                " 0 vz+py+pz+ay+az+dns 24");
}

/* The adjustment. If the density phase runs its loop more often than the force phase, positions are
 * a struct of 12 bytes. A field that fills it reduces the force phase's struct from 20 to 16 bytes.
 * The result is the 4-4-3 layout of Takada and Ohno (2016), section 3.1. */
TEST(adjusted_to_16_bytes)
{
    loop_case loops[sizeof sph / sizeof *sph];
    nakai_case *c;
    const pm_nakai_struct *a;

    memcpy(loops, sph, sizeof loops);
    loops[1].executions = 2 * NEIGHBOURS;
    c = make_case(&st_only, loops);
    a = decide_case(c);
    EXPECT_TREE(a, PM_NAKAI_ACROSS_KERNELS, "density:20 3e+06 px+py+pz+dns 16",
                "force:40 1.5e+06 vx+vy+vz+prs 16",
                "density:0,force:0,position:0 25000 ax+ay+az 12");
}

/* A struct of 12 bytes is filled only by fields of a node that has a field in common with it. They
 * must fill it exactly and make the other struct smaller. */
TEST(not_adjusted)
{
    const struct {
        loop_case loops[3];
        const char *layout;
    } cases[] = {
        /* no common fields; fields without accesses fill the struct (20 bytes become 16) */
        {{{"a", 1, {"vx", "vy", "vz"}, 60, NULL}, {"b", 2, {"px", "py", "pz"}, 50, NULL}},
         "cluster-align:vx+vy+vz+dns/px+py+pz/ax+ay+az+prs"},
        /* common fields, but 12 bytes take as much memory as 16 */
        {{{"a", 1, {"vx", "vy", "vz"}, 60, NULL},
          {"b", 2, {"vx", "px", "py", "pz", "prs"}, 50, NULL}},
         "cluster-align:vx+vy+vz/px+py+pz+prs/ax+ay+az+dns"},
        /* 8 bytes are aligned to 8: there is no padding */
        {{{"a", 1, {"vx", "vy"}, 60, NULL}, {"b", 2, {"vx", "px", "py", "pz", "ax"}, 50, NULL}},
         "cluster-align:vx+vy/px+py+pz+ax/vz+ay+az+prs+dns"},
    };

    for (size_t i = 0; i < 3; i++) {
        const loop_case loops[] = {cases[i].loops[0], cases[i].loops[1], {0}};
        const pm_nakai_struct *a = decide_case(make_case(&st_only, loops));

        expect_layout(a, cases[i].layout);
    }
}

/* Fields of other sizes, and one that is an array: n is too large for the padding of key and x. */
TEST(fields_of_all_sizes)
{
    pm_field fields[] = {
        {.path = "key", .name = "key", .type = "ulong", .bytes = 8, .align = 8, .offset = 0},
        {.path = "x", .name = "x", .type = "float", .bytes = 4, .align = 4, .offset = 8},
        {.path = "n.x",
         .name = "n_x",
         .type = "short",
         .bytes = 2,
         .align = 2,
         .offset = 12,
         .extent_count = 2,
         .extents = {{3, 4}, {1, 2}}},
        {.path = "n.y",
         .name = "n_y",
         .type = "short",
         .bytes = 2,
         .align = 2,
         .offset = 14,
         .extent_count = 1,
         .extents = {{2, 4}}},
        {.path = "c", .name = "c", .type = "char", .bytes = 1, .align = 1, .offset = 24},
    };
    pm_struct mixed = {
        .name = "Mixed", .bytes = 32, .align = 8, .field_count = 5, .fields = fields};
    pm_structs structs = {.count = 1, .items = &mixed};
    const loop_case loops[] = {
        {"k", 3, {"x", "key"}, 9, NULL}, {"k", 0, {"key", "n.x", "n.y"}, 1, NULL}, {0}};
    const pm_nakai_struct *a = decide_case(make_case(&structs, loops));

    EXPECT_TREE(a, PM_NAKAI_ACROSS_KERNELS, "k:3 9 key+x+n.y 16", "k:0 1 n.x 6", " 0 c 1");
    assert_string_equal(a->definitions, "typedef struct __attribute__((aligned(16))) {\n"
                                        "    ulong key;\n"
                                        "    float x;\n"
                                        "    short n_y[2];\n"
                                        "} Mixed1; /* 16 bytes */\n"
                                        "typedef struct __attribute__((aligned(8))) {\n"
                                        "    short n_x[3][1];\n"
                                        "} Mixed2; /* 8 bytes */\n"
                                        "typedef struct __attribute__((aligned(4))) {\n"
                                        "    char c;\n"
                                        "} Mixed3; /* 4 bytes */\n");
}

/* Four bytes of padding: px fills them, but the short after it would fill only half. */
TEST(larger_fields_fill_first)
{
    pm_field fields[5];
    pm_struct mixed = {
        .name = "Mixed", .bytes = 20, .align = 4, .field_count = 5, .fields = fields};
    pm_structs structs = {.count = 1, .items = &mixed};
    const loop_case loops[] = {
        {"a", 1, {"vx", "vy", "vz"}, 60, NULL}, {"b", 2, {"vx", "px", "py"}, 50, NULL}, {0}};
    nakai_case *c;
    const pm_nakai_struct *a;

    memcpy(fields, st_fields, sizeof fields);
    fields[4].type = "short";
    fields[4].bytes = fields[4].align = 2;
    c = make_case(&structs, loops);
    a = decide_case(c);
    expect_layout(a, "cluster-align:vx+vy+vz+px/py");
}

/* ---- missing data --------------------------------------------------------------------------- */

TEST(nothing_accessed)
{
    const loop_case none[] = {{0}};
    const loop_case never[] = {{"k", 5, {"vx", "vy"}, 0, ""}, {0}};
    nakai_case *c = make_case(&st_only, none);
    const pm_nakai_struct *a = decide_case(c);

    assert_int_equal(a->choice, PM_NAKAI_NONE);
    assert_int_equal(a->row_count, 0);
    assert_true(a->sum == 0);
    expect_layout(a, "aos");
    /* instructions that never ran have no class */
    c = make_case(&st_only, never);
    a = decide_case(c);
    assert_int_equal(a->row_count, 2);
    assert_int_equal(a->choice, PM_NAKAI_NONE);
}

/* Two structs of one source. Each has rows of its own, by the parameter through which it is
 * accessed. Accesses to shared memory or through no parameter belong to neither struct. */
TEST(struct_without_accesses)
{
    const loop_case loops[] = {{"k", 0, {"vx", "vy", "px"}, 10, NULL}, {0}};
    pm_struct both[2] = {st, st};
    pm_structs structs = {.count = 2, .items = both};
    nakai_case *c = make_case(&structs, loops);
    const pm_nakai_struct *a;

    both[1].name = "Other";
    c->rows[0][0].space = "shared";
    c->rows[0][1].buffer = "";
    c->rows[0][1].line = 0;
    a = decide_case(c);
    assert_int_equal(a->row_count, 1);
    assert_string_equal(a->rows[0].field, "px");
    a = decide_struct(c, 1);
    assert_int_equal(a->row_count, 0);
    assert_int_equal(a->choice, PM_NAKAI_NONE);
    assert_string_equal(a->structure->name, "Other");
}

/* Kernels of the source that did not run have nodes with count 0. Kernels of the trace that the
 * source lacks are left out. */
TEST(kernels_that_did_not_run)
{
    const loop_case loops[] = {
        {"ran", 1, {"vx"}, 10, NULL}, {"idle", 2, {"vx", "vy"}, 10, NULL}, {0}};
    nakai_case *c = make_case(&st_only, loops);
    const pm_nakai_struct *a;

    c->kernels[1].kernel = "stranger";
    a = decide_case(c);
    assert_int_equal(a->row_count, 1);
    EXPECT_TREE(a, PM_NAKAI_TREE, "ran:1 10 vx 4", "idle:2 0 vx+vy 8");
}

/* ---- matching of instructions and source accesses ------------------------------------------- */

/* The trace has instructions after optimisation: three copies of an unrolled loop, outside of any
 * loop; an access that was moved out of its loop and has no line; and an access through a pointer
 * to one of two arrays. */
TEST(compiled_loops)
{
    const loop_case loops[] = {{"k", 8, {"vx", "vx", "vx", "vy", "vz"}, 10, NULL}, {0}};
    nakai_case *c = make_case(&st_only, loops);
    const pm_nakai_struct *a;

    for (size_t i = 0; i < 3; i++) {
        c->rows[0][i].line = c->rows[0][0].line;
        c->rows[0][i].loop = 0;
    }
    c->rows[0][3].line = c->rows[0][3].column = c->rows[0][3].loop = 0;
    c->rows[0][3].executions = 40;
    c->rows[0][4].buffer = "";
    a = decide_case(c);
    assert_int_equal(a->row_count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(a->rows[i].loop, 8);
    /* 3 times 10 of the copies; 40 of the access without a line */
    EXPECT_TREE(a, PM_NAKAI_TREE, "k:8 40 vx+vy+vz 12");
    c->rows[0][3].executions = 1;
    a = decide_case(c);
    EXPECT_TREE(a, PM_NAKAI_TREE, "k:8 30 vx+vy+vz 12");
}

/* Several accesses in one source location: the load and the store of x += 1, and the members of a
 * copied struct. They are not copies of one access. */
TEST(several_accesses_in_one_place)
{
    const loop_case loops[] = {{"k", 8, {"vx", "vx", "vy", "vz"}, 10, NULL}, {0}};
    nakai_case *c = make_case(&st_only, loops);
    const pm_nakai_struct *a;

    for (size_t i = 0; i < 4; i++)
        c->accesses[0][i].line = c->rows[0][i].line = 100;
    c->rows[0][1].kind = "store";
    a = decide_case(c);
    EXPECT_TREE(a, PM_NAKAI_TREE, "k:8 10 vx+vy+vz 12");
}

/* The two front ends may report different columns for an access. Then line and loop must match. */
TEST(another_column)
{
    const loop_case loops[] = {{"k", 8, {"vx"}, 10, NULL}, {0}};
    nakai_case *c = make_case(&st_only, loops);
    const pm_nakai_struct *a;

    c->rows[0][0].column = 3;
    c->rows[0][0].loop = 0;
    a = decide_case(c);
    assert_int_equal(a->rows[0].loop, 8);
    EXPECT_TREE(a, PM_NAKAI_TREE, "k:8 10 vx 4");
}

/* A helper function called in two loops is one source location. The loop in the trace tells its two
 * copies apart. */
TEST(helper_in_two_loops)
{
    const loop_case loops[] = {{"k", 8, {"vx"}, 10, NULL}, {"k", 20, {"vx"}, 70, NULL}, {0}};
    nakai_case *c = make_case(&st_only, loops);
    const pm_nakai_struct *a;

    c->accesses[0][1].line = c->accesses[0][0].line;
    c->rows[0][1].line = c->rows[0][0].line;
    a = decide_case(c);
    EXPECT_TREE(a, PM_NAKAI_TREE, "k:8 10 vx 4", "k:20 70 vx 4");
}

/* ---- printing ------------------------------------------------------------------------------- */

static char *printed(const pm_nakai_struct *a)
{
    char *text = NULL;
    size_t size;
    FILE *out = need(open_memstream(&text, &size));
    const pm_screen screen = {.file = out, .width = 100};

    pm_table_nakai_struct(&screen, a);
    assert_int_equal(fclose(out), 0);
    return owned_memory(text);
}

TEST(prints_the_steps)
{
    const pm_nakai_struct *a = decide_case(make_case(&st_only, sph));
    char *text = printed(a);
    const char *trees;

    if (!strstr(text, "  density  101:7    load   py       - ShareCoalesc   25000"))
        fail_msg("%s", text);
    assert_non_null(strstr(text, "sum of corrected weights 17125000: AoS\n"));
    trees = strstr(text, "  After merges across kernels\n");
    assert_non_null(trees);
    assert_string_equal(trees,
                        "  After merges across kernels\n"
                        "    density loop 20, force loop 40, count 1500000\n"
                        "        vx vy vz px py pz prs dns (32 bytes)\n"
                        "    density outside of loops, force outside of loops, position outside of "
                        "loops, count 25000\n"
                        "        ax ay az (12 bytes)\n"
                        "\n"
                        "typedef struct __attribute__((aligned(16))) {\n"
                        "    float vx, vy, vz, px, py, pz, prs, dns;\n"
                        "} St1; /* 32 bytes */\n"
                        "typedef struct __attribute__((aligned(16))) {\n"
                        "    float ax, ay, az;\n"
                        "} St2; /* 16 bytes */\n"
                        "\n"
                        "  layout cluster-align:vx+vy+vz+px+py+pz+prs+dns/ax+ay+az\n");
    for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
        assert_true(end - line <= 100);
}
