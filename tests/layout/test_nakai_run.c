/* Tests the layout method of Nakai and Ohno (2017) from the source to the layout, on the programs
 * of the paper: it must choose the layouts that docs/layout.md states.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "answer/advise/parts.h"
#include "program/suite/suite.h"
#include "session_fixture.h"
#include "transform/layout/nakai/nakai.h"

/* Owns the analyses until the program ends. */
static pm_memory memory;

typedef struct {
    pm_session *session;
    const pm_plain_run *run;
    const char *target;
    pm_nakai *analysis;
} trial;

static void run_nakai(void *user)
{
    trial *t = user;

    t->analysis = pm_plain_run_nakai(&memory, t->session, t->run, t->target);
}

static pm_nakai *try_it(pm_session *session, const char *program, const char *size,
                        const char *target, pm_error *err)
{
    pm_plain_run run;
    trial t = {.session = session, .run = &run, .target = target};

    if (pm_plain_run_open(session, pm_suite_find(program), size, target, &run, err) == PM_OK)
        pm_attempt(&memory, run_nakai, &t, err);
    pm_plain_run_close(&run);
    return t.analysis;
}

/* The test is skipped if clang or libclc is missing. */
static pm_nakai *analyse(pm_session *session, const char *program, const char *size,
                         const char *target)
{
    pm_nakai *analysis = try_it(session, program, size, target, told());

    if (!analysis && strstr(last_error.text, "install"))
        skip();
    assert_ok(analysis);
    return analysis;
}

TEST(programs_of_the_paper)
{
    static const struct {
        const char *program, *size, *structure;
        double sum;
        const char *layout;
    } cases[] = {
        {"sph", "100000", "Particle", 5734784,
         "cluster-align:pos_x+pos_y+pos_z+vel_x+vel_y+vel_z+density+pressure/"
         "accel_x+accel_y+accel_z"},
        {"idw", "10240", "Point", 9830112, "cluster-align:x+y+z"},
        {"particlefilter", "4096", "Particle", 263525,
         "cluster-align:cdf/x+y+xj+yj+weight+likelihood+u+seed"},
        {"cfd", "98304", "Cell", 123840,
         "cluster-align:density+momentum_x+momentum_y+momentum_z+energy"},
    };

    pm_session *session = session_of(NULL);

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pm_nakai *analysis = analyse(session, cases[i].program, cases[i].size, "gtx980");
        const pm_nakai_struct *s = &analysis->structs[0];

        assert_int_equal(analysis->count, 1);
        assert_int_equal(analysis->warp_width, 32);
        assert_true(analysis->sampled == 1);
        assert_string_equal(s->structure->name, cases[i].structure);
        if (fabs(s->sum - cases[i].sum) > 0.5)
            fail_msg("%s: the sum is %.2f", cases[i].program, s->sum);
        assert_string_equal(s->layout_text, cases[i].layout);
    }
}

/* The phases of sph give the paper's figures 15 to 18, with counts of a real run. */
TEST(sph_has_the_trees_of_the_paper)
{
    pm_session *session = session_of(NULL);
    pm_nakai *analysis = analyse(session, "sph", "10000", "h100");
    const pm_nakai_tree *trees = analysis->structs[0].trees;
    const pm_nakai_node *hot = &trees[PM_NAKAI_ACROSS_KERNELS].nodes[0];

    assert_int_equal(trees[PM_NAKAI_TREE].count, 5);
    assert_int_equal(trees[PM_NAKAI_IN_KERNELS].count, 5);
    assert_int_equal(trees[PM_NAKAI_ACROSS_KERNELS].count, 2);
    assert_int_equal(hot->place_count, 2);
    assert_int_equal(hot->bytes, 32);
    assert_int_equal(hot[1].place_count, 3);
    assert_true(hot[1].count == 313); /* 10000 particles in warps of 32 */
    assert_int_equal(hot[1].bytes, 12);
}

TEST(wrong_names)
{
    pm_session *session = session_of(NULL);

    assert_null(try_it(session, "idw", "4096", "gtx9", told()));
    assert_error(PM_BAD_INPUT, "gtx980");
    assert_null(try_it(session, "nbody", "8192", "h100", told()));
    assert_error(PM_BAD_INPUT, "no kernel takes an array of structs");
}
