/* Runs the suite's programs whose kernels take arrays of structs with other memory layouts, for all
 * kernels at once and for one at a time. The programs' own checks of the results must pass. They
 * run on OpenCL's CPU device, or in the trace engine if there is none.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/suite/suite.h"
#include "trace_fixture.h"
#include "transform/rewrite/transform.h"
#include "unit.h"
#include "worker_fixture.h"

static pm_workload *smallest(const pm_program *program)
{
    pm_workload *w = pm_suite_make(program, program->info.variants[0], program->info.sizes[0], 3,
                                   test_session(), told());

    if (!w)
        fail_msg("%s: %s", program->info.name, last_error.text);
    return w;
}

/* Runs two passes in a layout. Returns false if the program has no structs. */
static bool check_layout(const pm_program *program, const char *layouts)
{
    pm_workload *w = pm_layout_transform(smallest(program), layouts, test_session(), told());
    pm_status status;

    if (!w && strstr(last_error.text, "no kernel takes an array of structs"))
        return false;
    if (!w)
        fail_msg("%s in %s: %s", program->info.name, layouts, last_error.text);
    status = run_checked(cpu ? cpu : traced, w, 2, told());
    pm_workload_free(w);
    if (status != PM_OK)
        fail_msg("%s in %s: %s", program->info.name, layouts, last_error.text);
    return true;
}

/* Each test gives one kernel another layout than the others. */
static void check_kernels(const pm_program *program)
{
    pm_workload *w = smallest(program);

    for (size_t l = 0; l < w->launch_count; l++) {
        const char *kernel = w->launches[l].kernel;
        bool seen = false;
        char text[256];

        for (size_t before = 0; before < l; before++)
            seen |= strcmp(w->launches[before].kernel, kernel) == 0;
        if (seen)
            continue;
        snprintf(text, sizeof text, "aos-align;soa@%s", kernel);
        check_layout(program, text);
    }
    pm_workload_free(w);
}

TEST(programs_with_structs)
{
    static const char *const layouts[] = {"aos-align", "aos-align8", "soa", "asta:4", "asta:64"};
    size_t with_structs = 0;

    for (size_t i = 0; i < pm_program_count(); i++) {
        const pm_program *program = pm_suite_program(i);
        bool has_structs = check_layout(program, layouts[0]);

        with_structs += has_structs;
        for (size_t l = 1; has_structs && l < sizeof layouts / sizeof *layouts; l++)
            check_layout(program, layouts[l]);
        if (has_structs)
            check_kernels(program);
    }
    assert_true(with_structs >= 4);
}

/* Takada and Ohno 2016, figures 5 to 7, with and without alignment. */
TEST(the_papers_particles)
{
    static const char *const fields[] = {
        "3-3-3-2", "pos_x+pos_y+pos_z+vel_x+vel_y+vel_z+density+pressure/accel_x+accel_y+accel_z",
        "pos_x+pos_y+pos_z+density/vel_x+vel_y+vel_z+pressure/accel_x+accel_y+accel_z"};
    const pm_program *sph = pm_suite_find("sph");

    for (size_t i = 0; i < 6; i++) {
        char text[256];

        snprintf(text, sizeof text, "Particle=cluster%s:%s", i % 2 ? "-align" : "", fields[i / 2]);
        assert_true(check_layout(sph, text));
    }
}

int main(void)
{
    return run_all_tests_on_executors();
}
