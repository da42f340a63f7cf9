/* Tests workloads whose arrays get other memory layouts. Their results pass the check of the
 * original workload, in the trace engine and on OpenCL's CPU device if there is one. Workloads that
 * are made wrong on purpose fail the check.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "layout_workloads.h"
#include "owned.h"
#include "transform/rewrite/transform.h"
#include "worker_fixture.h"

static pm_workload *transform_of(pm_workload *w, const char *layouts)
{
    w = pm_layout_transform(need(w), layouts, test_session(), told());
    if (!w)
        fail_msg("%s: %s", layouts, last_error.text);
    return owned_workload(w);
}

static pm_workload *transformed(const char *layouts)
{
    pm_workload *w = transform_of(particle_workload(), layouts);

    assert_string_equal(w->variant, layouts);
    return w;
}

/* Runs three times, because a run must not depend on the buffers of the one before. */
static void expect_right(const pm_workload *w)
{
    pm_executor *const executors[] = {traced, cpu};

    for (size_t i = 0; i < 2; i++) {
        if (executors[i] && run_checked(executors[i], w, 3, told()) != PM_OK)
            fail_msg("%s: %s\n%s", w->variant, last_error.text, w->source);
    }
}

static void expect_wrong(const pm_workload *w, const char *says)
{
    assert_int_equal(run_checked(traced, w, 1, told()), PM_FAILED);
    if (!strstr(last_error.text, says))
        fail_msg("%s: \"%s\" says nothing of \"%s\"", w->variant, last_error.text, says);
}

/* ---- results ------------------------------------------------------------------------------ */

static const char *const layouts[] = {
    "base", /* the original workload, not transformed */
    "aos",
    "aos-align",
    "aos-align8",
    "soa",
    "asta:2",
    "asta:32",
    "asta:1024",
    "Particle=cluster:3-1-2",
    "Particle=cluster-align:3-1-2",
    "Particle=cluster-align8:id/density+pos.y+vel/pos_x+pos.z",
    "Particle=soa",
    "Cell=soa",
    "soa;Particle=aos-align",
    "Particle=cluster-align:3-1-2;Cell=asta:4",
    "aos;soa@density",
    "aos;soa@sum",
    "soa;aos@move",
    "soa;aos@move+tally",
    "asta:16;soa@sum;aos@tally",
    "Particle=cluster:3-3;Particle=cluster:1-5@move;Particle=cluster-align:5-1@sum",
    "Particle=asta:32;Cell=soa@tally;Particle=asta:4@density",
    "Cell=soa;aos@unused",
    "soa@unused",
};

static void same_results(void **state)
{
    const char *text = *state;

    expect_right(strcmp(text, "base") == 0 ? owned_workload(particle_workload())
                                           : transformed(text));
}

/* Two kernels change the sign, in different layouts. The buffer need not be restored between
 * passes, because a pass leaves it unchanged. */
static pm_status check_signs(const pm_workload *workload, const void *const *outputs, pm_error *err)
{
    return compare_output("pairs", outputs[0], workload->buffers[0].initial,
                          workload->buffers[0].bytes, err);
}

static pm_workload *sign_workload(unsigned flags, const char *kernels)
{
    static const char source[] =
        "typedef struct {\n    float a;\n    char tag;\n    double b;\n} Pair;\n"
        "__kernel void one(__global Pair *pairs)\n{\n"
        "    int i = get_global_id(0);\n"
        "    pairs[i].a = -pairs[i].a;\n    pairs[i].b = -pairs[i].b;\n}\n"
        "__kernel void two(__global Pair *pairs)\n{\n"
        "    int i = get_global_id(0);\n"
        "    pairs[i].a = -pairs[i].a;\n    pairs[i].b = -pairs[i].b;\n}\n"
        "__kernel void look(__global const Pair *pairs, __global float *seen)\n{\n"
        "    int i = get_global_id(0);\n"
        "    seen[i] = pairs[i].a;\n}\n";
    const size_t global = 64, local = 32;
    pm_workload *w = pm_workload_create("signs", "base", "64");
    float *pairs = pm_workload_contents(w, global * 16);

    assert_non_null(pairs);
    memset(pairs, 0x41, global * 16); /* padding is not zero */
    give_source(w, "signs.cl", source);
    pm_workload_buffer(w, "pairs", global * 16, pairs, PM_BUFFER_OUTPUT | flags);
    pm_workload_buffer(w, "seen", global * 4, NULL, PM_BUFFER_IN);
    for (; *kernels; kernels++) {
        pm_workload_launch(w,
                           *kernels == '1'   ? "one"
                           : *kernels == '2' ? "two"
                                             : "look",
                           1, &global, &local);
        pm_workload_arg_buffer(w, 0);
        if (*kernels == 'l')
            pm_workload_arg_buffer(w, 1);
    }
    pm_workload_check(w, check_signs, NULL, NULL);
    return pm_workload_finish(w, NULL);
}

TEST(passes_without_restore)
{
    expect_right(transform_of(sign_workload(0, "12"), "aos;soa@two"));
}

/* ---- contents of the new workload --------------------------------------------------------- */

static size_t find_buffer(const pm_workload *w, const char *name)
{
    for (size_t b = 0; b < w->buffer_count; b++)
        if (strcmp(w->buffers[b].name, name) == 0)
            return b;
    fail_msg("no buffer %s", name);
    return 0;
}

TEST(buffers_and_launches)
{
    pm_workload *w = transformed("Particle=soa");
    const test_particle *p;
    size_t x = find_buffer(w, "particles.pos_x"), vel = find_buffer(w, "particles.vel");
    const float *packed = w->buffers[x].initial, *velocities = w->buffers[vel].initial;
    pm_workload *original = owned_workload(particle_workload());

    p = original->buffers[B_PARTICLES].initial;
    assert_string_equal(w->program, "particles");
    assert_string_equal(w->size, "small");
    assert_string_equal(w->build_options, original->build_options);
    assert_true(w->work == 42);
    assert_int_equal(w->launch_count, 6);
    assert_int_equal(w->buffer_count, 6 + 3);
    assert_int_equal(w->buffers[x].bytes, PARTICLES * 4);
    assert_int_equal(w->buffers[vel].bytes, PARTICLES * 12);
    assert_int_equal(w->buffers[x].flags, PM_BUFFER_OUTPUT | PM_BUFFER_RESTORE);
    for (size_t i = 0; i < PARTICLES; i++) {
        assert_true(packed[i] == p[i].pos.x);
        for (size_t k = 0; k < 3; k++)
            assert_true(velocities[k * PARTICLES + i] == p[i].vel[k]);
    }
    assert_null(w->buffers[find_buffer(w, "cells")].initial);
    assert_int_equal(w->buffers[find_buffer(w, "sums")].flags, PM_BUFFER_OUTPUT | PM_BUFFER_POISON);
    for (size_t l = 0; l < w->launch_count; l++) {
        assert_string_equal(w->launches[l].kernel, original->launches[l].kernel);
        assert_int_equal(w->launches[l].global[0], ITEMS);
        assert_int_equal(w->launches[l].local[0], GROUP);
    }
}

/* Unchanged buffers are shared, not copied. */
TEST(shared_buffers)
{
    const size_t bytes = 4 << 20;
    pm_workload *w = particle_workload(), *t;
    float *large = pm_workload_contents(w, bytes);
    size_t b;

    assert_non_null(large);
    large[1] = 5;
    pm_workload_buffer(w, "large", bytes, large, PM_BUFFER_IN);
    t = transform_of(w, "soa");
    b = find_buffer(t, "large");
    assert_ptr_equal(t->buffers[b].initial, large);
    assert_true(pm_workload_contents_file(t, large) >= 0);
    assert_int_equal(pm_workload_contents_file(t, large), pm_workload_contents_file(w, large));
    expect_right(t);
    assert_true(large[1] == 5);
}

TEST(nothing_to_change)
{
    static const char *const texts[] = {"aos", "Particle=aos;Cell=aos@tally", "soa;aos"};

    for (size_t i = 0; i < 3; i++) {
        pm_workload *w = particle_workload();

        assert_ptr_equal(pm_layout_transform(w, texts[i], test_session(), told()), w);
        assert_string_equal(w->variant, texts[i]);
        owned_workload(w);
    }
}

static size_t conversions(const pm_workload *w)
{
    size_t count = 0;

    for (size_t l = 0; l < w->launch_count; l++)
        count += strstr(w->launches[l].kernel, "_to_") != NULL;
    return count;
}

/* A conversion is launched only if a kernel needs data that a kernel with another layout wrote. */
TEST(conversions_where_needed)
{
    static const struct {
        const char *layouts, *kernels;
        size_t conversions;
        bool restored;
    } rows[] = {
        {"soa@look", "l", 0, false},
        {"soa@look", "lll", 0, false},
        {"aos;soa@two", "12", 1, true},
        {"aos;soa@two", "1212", 3, true},
        {"aos;soa@look", "l1", 0, true},
        {"aos;soa@look", "1l", 1, true},
        {"aos;soa@look", "1llll2", 1, true},
        {"aos;soa@look", "1l2l", 2, true},
        {"aos;soa@look;asta:4@two", "1l2l1", 4, true},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pm_workload *w = transform_of(sign_workload(0, rows[i].kernels), rows[i].layouts);

        if (conversions(w) != rows[i].conversions)
            fail_msg("%s of %s: %zu conversions", rows[i].layouts, rows[i].kernels, conversions(w));
        assert_int_equal((w->buffers[0].flags & PM_BUFFER_RESTORE) != 0, rows[i].restored);
    }
}

/* ---- deliberate faults -------------------------------------------------------------------- */

TEST(a_wrong_part)
{
    pm_workload *w = transformed("soa");
    pm_launch *launch = &w->launches[1];
    size_t first = launch->args[0].buffer;

    assert_string_equal(launch->kernel, "move");
    launch->args[0].buffer = launch->args[1].buffer;
    launch->args[1].buffer = first;
    expect_wrong(w, "particles");
}

TEST(wrong_contents)
{
    pm_workload *w = transformed("asta:32");
    float *tiles = w->buffers[find_buffer(w, "particles.0")].initial;

    tiles[32 * 8 + 3] += 1; /* pos.x in the second tile */
    expect_wrong(w, "particles");
}

TEST(without_a_conversion)
{
    pm_workload *w = transformed("soa;aos@move");
    size_t taken = 0;

    for (size_t l = 0; l < w->launch_count && taken == 0; l++)
        if (strstr(w->launches[l].kernel, "_to_")) {
            pm_arg *count = &w->launches[l].args[w->launches[l].arg_count - 1];

            assert_int_equal(count->bytes, 8);
            memset(count->value, 0, 8); /* no elements */
            taken++;
        }
    assert_int_equal(taken, 1);
    expect_wrong(w, "");
}

/* ---- refusals ----------------------------------------------------------------------------- */

static void expect_refused(pm_workload *w, const char *text, const char *says)
{
    assert_non_null(w);
    assert_null(pm_layout_transform(w, text, test_session(), told()));
    assert_int_equal(last_error.status, PM_BAD_INPUT);
    if (!strstr(last_error.text, says))
        fail_msg("%s: \"%s\" says nothing of \"%s\"", text, last_error.text, says);
}

/* Both calls fail with PM_BAD_INPUT and leave the output unchanged. */
TEST(wrong_layouts)
{
    expect_refused(particle_workload(), "soap", "there are: aos");
    expect_refused(particle_workload(), "soa@nothing", "density, move, tally, sum, unused");
    expect_refused(particle_workload(), "Atom=soa", "Particle, Cell");
    expect_refused(particle_workload(), "cluster:3-1-2", "STRUCT=LAYOUT");
    expect_refused(particle_workload(), "Particle=cluster:pos.x", "pos.y");
    expect_refused(particle_workload(), "soa;", "empty");
}

static pm_workload *with_source(const char *source)
{
    pm_workload *w = particle_workload();

    free(w->source);
    w->source = strdup(source);
    return w;
}

TEST(wrong_workloads)
{
    const size_t global = 64, local = 32;
    pm_workload *w = particle_workload();

    w->buffers[B_PARTICLES].bytes -= 4;
    expect_refused(w, "soa", "no number of structs Particle of 32 bytes");

    w = particle_workload();
    w->launches[4].args[1].buffer = B_PARTICLES; /* tally's cells */
    expect_refused(w, "soa", "array of struct Particle to one kernel and of Cell");

    w = particle_workload();
    w->launches[2].args[1].buffer = B_PARTICLES; /* sum's floats */
    expect_refused(w, "soa", "something else to sum");

    w = particle_workload();
    pm_workload_launch(w, "nowhere", 1, &global, &local);
    expect_refused(w, "soa", "kernel nowhere");

    w = particle_workload();
    w->launches[3].arg_count--;
    expect_refused(w, "soa", "takes 3 arguments, a launch gives it 2");

    w = particle_workload();
    w->launches[3].args[0].kind = PM_ARG_LOCAL;
    expect_refused(w, "soa", "as particles, a launch gives it no buffer");

    expect_refused(with_source("__kernel void density(__global float *x) { *x = 1; }\n"), "soa",
                   "no kernel takes an array of structs");
    expect_refused(with_source("__kernel void density(__global float *x) { *x = ; }\n"), "soa",
                   "particles.cl:1");
}

/* A kernel may use a buffer as another struct if the layout of that struct does not change. */
TEST(other_structs_change)
{
    pm_workload *w = particle_workload();

    w->launches[2].args[1].buffer = B_CELLS;
    w->launches[2].args[2].value[0] = 4; /* elements */
    w->launches[2].args[2].value[1] = 0;
    transform_of(w, "Particle=soa");
}

/* ---- main --------------------------------------------------------------------------------- */

int main(void)
{
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        add_case(layouts[i], same_results, layouts[i]);
    return run_all_tests_on_executors();
}
