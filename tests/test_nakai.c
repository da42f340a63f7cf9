/* Method nakai: the paper's figures 12 and 15 to 18, and what the paper leaves open.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "nakai_fixture.h"

#include "report/table_nakai.h"

/* ---- section 5 ------------------------------------------------------------------------------ */

/* Figure 12 as printed. Section 5.2 says that instID 0's weight is -0.34, 5.3 that it then is -272:
 * the rounded weight times 800. */
static void figure_12(void **state)
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

    (void)state;
    assert_true(fabs(rows[0].weight - -0.34) < 0.005);
    assert_true(fabs(rows[0].corrected - -272) < 0.005 * 800);
    assert_true(rows[0].corrected == -275); /* -11/32 * 800 */
    assert_true(rows[1].weight == 1 && rows[1].corrected == 800);
    assert_true(rows[5].corrected == -11);
    assert_true(sum == -275 + 800 - 275 + 832 + 832 - 11);
}

static void weights_by_class(void **state)
{
    (void)state;
    assert_true(pm_nakai_weight("UnCoalesc", 1, 32) == 1);
    assert_true(pm_nakai_weight("Coalesc", 32, 32) == -1);
    /* n / 32 is the share of the warp: in warps of 64 half of it coalesces with 32 */
    assert_true(pm_nakai_weight("Coalesc", 32, 64) == -0.5);
    assert_true(pm_nakai_weight("", 32, 32) == 0);
}

static void sum_decides(void **state)
{
    const struct {
        double coalesced, uncoalesced; /* executions */
        pm_nakai_choice choice;
        const char *layout;
    } cases[] = {{100, 101, PM_NAKAI_AOS, "cluster-align:vy/vx/vz+px+py+pz+ax+ay+az+prs+dns"},
                 {101, 100, PM_NAKAI_SOA, "soa"},
                 {100, 100, PM_NAKAI_NONE, "aos"}};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const loop_case loops[] = {{"k", 0, {"vx"}, cases[i].coalesced, "Coalesc"},
                                   {"k", 9, {"vy"}, cases[i].uncoalesced, "UnCoalesc"},
                                   {0}};
        nakai_case *c = make_case(&st_only, loops);
        pm_nakai_struct a = decide_case(c);

        assert_int_equal(a.choice, cases[i].choice);
        assert_true(a.sum == cases[i].uncoalesced - cases[i].coalesced);
        /* the trees are for AoS alone */
        assert_int_equal(a.trees[0].count > 0, a.choice == PM_NAKAI_AOS);
        assert_int_equal(a.definitions != NULL, a.choice == PM_NAKAI_AOS);
        expect_layout(&a, cases[i].layout);
        pm_nakai_struct_free(&a);
        free(c);
    }
}

/* ---- figures 15 to 18 ----------------------------------------------------------------------- */

/* The paper's figures are pictures whose trees its text does not tell. This tree is a
 * reconstruction: the paper's struct (figure 14) is that of the SPH program of Takada and Ohno
 * (2016), whose table 1 tells what each phase reads and writes, of its own particle (outside of
 * loops) and of its neighbours (in a loop). Given are the paper's struct before and after.
 * WARPS: of its 800,000 particles; the 60 neighbours of each are made up. */
enum { WARPS = 25000, NEIGHBOURS = 60 * WARPS };
static const loop_case sph[] = {
    {"density", 0, {"px", "py", "pz", "prs", "dns"}, WARPS, NULL},
    {"density", 20, {"px", "py", "pz"}, NEIGHBOURS, NULL},
    {"force", 0, {"px", "py", "pz", "vx", "vy", "vz", "prs", "dns", "ax", "ay", "az"}, WARPS, NULL},
    {"force", 40, {"px", "py", "pz", "vx", "vy", "vz", "prs", "dns"}, NEIGHBOURS, NULL},
    {"position", 0, {"px", "py", "pz", "vx", "vy", "vz", "ax", "ay", "az"}, WARPS, NULL},
    {0}};

static void figures_15_to_18(void **state)
{
    nakai_case *c = make_case(&st_only, sph);
    pm_nakai_struct a = decide_case(c);

    (void)state;
    EXPECT_TREE(&a, PM_NAKAI_TREE, "density:0 25000 px+py+pz+prs+dns 20",
                "density:20 1.5e+06 px+py+pz 12",
                "force:0 25000 vx+vy+vz+px+py+pz+ax+ay+az+prs+dns 44",
                "force:40 1.5e+06 vx+vy+vz+px+py+pz+prs+dns 32",
                "position:0 25000 vx+vy+vz+px+py+pz+ax+ay+az 36");
    assert_int_equal(a.trees[PM_NAKAI_IN_KERNELS].count, 5);
    EXPECT_TREE(&a, PM_NAKAI_ACROSS_KERNELS,
                "density:20,force:40 1.5e+06 vx+vy+vz+px+py+pz+prs+dns 32",
                "density:0,force:0,position:0 25000 ax+ay+az 12");
    expect_layout(&a, "cluster-align:vx+vy+vz+px+py+pz+prs+dns/ax+ay+az");
    assert_string_equal(a.definitions, "typedef struct __attribute__((aligned(16))) {\n"
                                       "    float vx, vy, vz, px, py, pz, prs, dns;\n"
                                       "} St1; /* 32 bytes */\n"
                                       "typedef struct __attribute__((aligned(16))) {\n"
                                       "    float ax, ay, az;\n"
                                       "} St2; /* 16 bytes */\n");
    pm_nakai_struct_free(&a);
    free(c);
}

/* A phase of several loops: step (2) makes one node of them where they run as often. */
static void loops_of_a_kernel(void **state)
{
    const loop_case loops[] = {{"k", 10, {"vx", "vy"}, 640, NULL},
                               {"k", 20, {"px"}, 641, NULL},
                               {"k", 30, {"ax"}, 640, NULL},
                               {"other", 50, {"prs"}, 640, NULL},
                               {0}};
    nakai_case *c = make_case(&st_only, loops);
    pm_nakai_struct a = decide_case(c);

    (void)state;
    /* other's loop has no field in common with k's, so it stays alone. */
    EXPECT_TREE(&a, PM_NAKAI_IN_KERNELS, "k:10,k:30 640 vx+vy+ax 12", "k:20 641 px 4",
                "other:50 640 prs 4");
    EXPECT_TREE(&a, PM_NAKAI_ACROSS_KERNELS, "k:20 641 px 4", "k:10,k:30 640 vx+vy+ax 12",
                "other:50 640 prs 4", " 0 vz+py+pz+ay+az+dns 24");
    pm_nakai_struct_free(&a);
    free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_12),         cmocka_unit_test(weights_by_class),
        cmocka_unit_test(sum_decides),       cmocka_unit_test(figures_15_to_18),
        cmocka_unit_test(loops_of_a_kernel),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
