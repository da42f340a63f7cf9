/* Method nakai from source to layout, on the paper's programs: what docs/layout.md says it chooses.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "layout/nakai.h"

static pm_workload *build(const char *program, const char *size)
{
    pm_error err = {0};
    pm_workload *workload;
    size_t p = 0;

    while (p < pm_program_count() && strcmp(pm_program_at(p)->name, program) != 0)
        p++;
    assert_true(p < pm_program_count());
    workload = pm_suite_program(p)->build(pm_program_at(p)->variants[0], size, 1, &err);
    if (!workload)
        fail_msg("%s", err.text);
    return workload;
}

/* Machines without clang or libclc skip. */
static pm_nakai *analyse(const pm_workload *workload, const char *structure, const char *target)
{
    const pm_nakai_options options = {.target = target, .seed = 1};
    pm_error err = {0};
    pm_nakai *analysis = pm_nakai_analyse(workload, structure, &options, &err);

    if (!analysis && strstr(err.text, "install"))
        skip();
    if (!analysis)
        fail_msg("%s", err.text);
    return analysis;
}

static void programs_of_the_paper(void **state)
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

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pm_workload *workload = build(cases[i].program, cases[i].size);
        pm_nakai *analysis = analyse(workload, NULL, "gtx980");
        const pm_nakai_struct *s = &analysis->structs[0];
        char *text = pm_layout_text(&s->layout, s->structure);

        assert_int_equal(analysis->count, 1);
        assert_int_equal(analysis->warp_width, 32);
        assert_true(analysis->sampled == 1);
        assert_string_equal(s->structure->name, cases[i].structure);
        if (fabs(s->sum - cases[i].sum) > 0.5)
            fail_msg("%s: the sum is %.2f", cases[i].program, s->sum);
        assert_non_null(text);
        assert_string_equal(text, cases[i].layout);
        free(text);
        pm_nakai_free(analysis);
        pm_workload_free(workload);
    }
}

/* The phases of sph are the paper's figures 15 to 18, with counts of a real run. */
static void sph_has_the_trees_of_the_paper(void **state)
{
    pm_workload *workload = build("sph", "10000");
    pm_nakai *analysis = analyse(workload, "Particle", NULL);
    const pm_nakai_tree *trees = analysis->structs[0].trees;
    const pm_nakai_node *hot = &trees[PM_NAKAI_ACROSS_KERNELS].nodes[0];

    (void)state;
    assert_int_equal(trees[PM_NAKAI_TREE].count, 5);
    assert_int_equal(trees[PM_NAKAI_IN_KERNELS].count, 5);
    assert_int_equal(trees[PM_NAKAI_ACROSS_KERNELS].count, 2);
    assert_int_equal(hot->place_count, 2);
    assert_int_equal(hot->bytes, 32);
    assert_int_equal(hot[1].place_count, 3);
    assert_true(hot[1].count == 313); /* 10000 particles in warps of 32 */
    assert_int_equal(hot[1].bytes, 12);
    pm_nakai_free(analysis);
    pm_workload_free(workload);
}

static void wrong_names(void **state)
{
    pm_workload *idw = build("idw", "4096"), *nbody = build("nbody", "1024");
    pm_error err = {0};
    const pm_nakai_options nowhere = {.target = "gtx9"};

    (void)state;
    assert_null(pm_nakai_analyse(idw, "Pint", NULL, &err));
    assert_int_equal(err.status, PM_BAD_INPUT);
    assert_non_null(strstr(err.text, "'Pint'; there is Point"));
    assert_null(pm_nakai_analyse(idw, NULL, &nowhere, &err));
    assert_int_equal(err.status, PM_BAD_INPUT);
    assert_non_null(strstr(err.text, "gtx980"));
    assert_null(pm_nakai_analyse(nbody, NULL, NULL, &err));
    assert_int_equal(err.status, PM_BAD_INPUT);
    assert_non_null(strstr(err.text, "no kernel takes an array of structs"));
    pm_workload_free(idw);
    pm_workload_free(nbody);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_of_the_paper),
        cmocka_unit_test(sph_has_the_trees_of_the_paper),
        cmocka_unit_test(wrong_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
