/* The units model: its derivatives and limits, that a fit finds the parameters that times were made
 * with, that nothing a dataset can hold makes it NaN, and that a program left out is not looked at.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/units.h"

enum { ROWS = 240, PROGRAMS = 24, COUNTERS = 26 };

static const char *const names[COUNTERS] = {
    "inst_issued",      "inst_executed",  "pipe_fma",        "pipe_fmaheavy",
    "pipe_alu",         "pipe_xu",        "pipe_lsu",        "global_wavefront",
    "shared_wavefront", "l2_read_sector", "l2_write_sector", "dram_read_bytes",
    "dram_write_bytes", "gld_request",    "gld_sector",      "l1_global_load_miss",
    "shared_load",      "work_groups",    "launched_warps",  "resident_groups",
    "launches",         "active_cycles",  "load_wait",       "load_wait_miss",
    "shared_wait",      "inst_depth",
};

/* A made-up GPU. */
static const pm_profile gpu = {.present = true,
                               .compute_units = 100,
                               .clock_mhz = 1500,
                               .issue_per_cycle = 4,
                               .fma_per_cycle = 4,
                               .fmaheavy_per_cycle = 2,
                               .alu_per_cycle = 2,
                               .xu_per_cycle = 0.5,
                               .lsu_per_cycle = 1,
                               .l1_wavefronts_per_cycle = 1,
                               .l2_bytes_per_cycle = 5000,
                               .dram_gb_s = 3000};

typedef struct {
    double known[COUNTERS * ROWS], t[ROWS], source_t[ROWS];
    const char *names[COUNTERS];
    size_t group[ROWS], rows[ROWS];
    pm_problem problem;
} generated;

static double *column(generated *g, const char *name)
{
    size_t k = 0;

    while (strcmp(g->names[k], name) != 0)
        k++;
    return g->known + k * ROWS;
}

/* Every counter over six orders of magnitude, so that each unit is the slowest somewhere. */
static void generate(generated *g, unsigned long seed)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    assert_non_null(rng);
    gsl_rng_set(rng, seed);
    for (size_t k = 0; k < COUNTERS; k++) {
        g->names[k] = names[k];
        for (size_t i = 0; i < ROWS; i++)
            g->known[k * ROWS + i] = floor(pow(10, gsl_ran_flat(rng, 3, 9)));
    }
    for (size_t i = 0; i < ROWS; i++) {
        g->group[i] = i % PROGRAMS;
        g->rows[i] = i;
        g->t[i] = g->source_t[i] = gsl_ran_lognormal(rng, -8, 2);
        column(g, "dram_read_bytes")[i] *= 1000;
        column(g, "l1_global_load_miss")[i] =
            floor(column(g, "gld_sector")[i] * gsl_rng_uniform(rng));
        column(g, "work_groups")[i] = 1 + (double)gsl_rng_uniform_int(rng, 5000);
        column(g, "launched_warps")[i] = 8 * column(g, "work_groups")[i];
        column(g, "resident_groups")[i] = 1 + (double)gsl_rng_uniform_int(rng, 16);
        column(g, "launches")[i] = 1 + (double)gsl_rng_uniform_int(rng, 3);
    }
    g->problem = (pm_problem){.n = ROWS,
                              .n_known = ROWS,
                              .p = 1,
                              .x = g->known,
                              .t = g->t,
                              .group = g->group,
                              .groups = PROGRAMS,
                              .known_count = COUNTERS,
                              .known_x = g->known,
                              .known_names = g->names,
                              .profile = gpu};
    gsl_rng_free(rng);
}

static pm_units *of_waits(const generated *g, const pm_profile *profile, bool waits)
{
    pm_units *units;
    pm_error err = {0};

    assert_int_equal(pm_units_of_code(&g->problem, profile, waits, &units, &err), PM_OK);
    assert_non_null(units);
    return units;
}

static pm_units *of_code(const generated *g)
{
    return of_waits(g, &gpu, false);
}

static void train(pm_training *t, const generated *g)
{
    pm_error err = {0};

    assert_int_equal(pm_training_create(t, &g->problem, g->rows, ROWS, g->rows, ROWS, &err), PM_OK);
    assert_int_equal(t->n, ROWS);
}

/* ---- the function -------------------------------------------------------------------------- */

static void derivatives_are_those_of_differences(void **state)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    generated g;

    (void)state;
    assert_non_null(rng);
    for (unsigned long seed = 1; seed <= 5; seed++) {
        pm_units *units;

        generate(&g, seed);
        gsl_rng_set(rng, seed);
        column(&g, "dram_read_bytes")[0] = column(&g, "dram_write_bytes")[0] = 0;
        units = of_waits(&g, &gpu, seed % 2);
        for (size_t row = 0; row < ROWS; row++) {
            double p[PM_UNITS_PARAMETERS], slope[PM_UNITS_PARAMETERS];
            const double h = 1e-5;

            for (size_t k = 0; k < units->parameters; k++)
                p[k] = units->prior[k] + gsl_ran_gaussian(rng, 0.5);
            assert_true(isfinite(pm_units_log_time(units, p, row, slope)));
            for (size_t k = 0; k < units->parameters; k++) {
                double middle = p[k], up, down;

                p[k] = middle + h;
                up = pm_units_log_time(units, p, row, NULL);
                p[k] = middle - h;
                down = pm_units_log_time(units, p, row, NULL);
                p[k] = middle;
                assert_true(fabs((up - down) / (2 * h) - slope[k]) < 1e-7);
            }
        }
        pm_units_free(units);
    }
    gsl_rng_free(rng);
}

/* Units of one row, of one term each; parameters 0 and 1 are the logarithms of the overhead and of
 * q - 1. Work and launches are still to be set. */
static pm_units made_of(size_t terms)
{
    pm_units units = {.n = 1, .columns = terms, .terms = terms, .parameters = 3};

    for (size_t k = 0; k < terms; k++) {
        units.term[k] = k;
        units.parameter[k] = 2;
    }
    return units;
}

static void the_norm_has_its_limits(void **state)
{
    double work[PM_UNITS_COLUMNS] = {3, 4, 0.5}, launches = 2, slope[PM_UNITS_PARAMETERS];
    const double overhead = log(0.25), slowdown = log(1.5);
    const double some_q[] = {overhead, log(2), slowdown}, q_of_2[] = {overhead, 0, slowdown};
    const double large_q[] = {overhead, log(1e6), slowdown}, q_of_1[] = {overhead, -40, slowdown};
    pm_units one = made_of(1), three = made_of(3);

    (void)state;
    one.work = three.work = work;
    one.launches = three.launches = &launches;
    /* one term: overhead and term, whatever q is */
    assert_true(fabs(exp(pm_units_log_time(&one, some_q, 0, NULL)) - (0.5 + 4.5)) < 1e-12);
    assert_true(fabs(exp(pm_units_log_time(&one, large_q, 0, NULL)) - (0.5 + 4.5)) < 1e-12);
    /* the slowest, the Euclidean norm, the sum */
    assert_true(fabs(exp(pm_units_log_time(&three, large_q, 0, NULL)) - (0.5 + 6)) < 1e-5);
    assert_true(fabs(exp(pm_units_log_time(&three, q_of_2, 0, NULL)) -
                     (0.5 + 1.5 * sqrt(9 + 16 + 0.25))) < 1e-12);
    assert_true(fabs(exp(pm_units_log_time(&three, q_of_1, 0, NULL)) - (0.5 + 1.5 * 7.5)) < 1e-12);
    /* no work: the overhead of two launches */
    memset(work, 0, sizeof work);
    assert_true(fabs(exp(pm_units_log_time(&three, some_q, 0, slope)) - 0.5) < 1e-12);
    assert_true(slope[0] == 1 && slope[1] == 0 && slope[2] == 0);
}

/* Two pipes have a norm of their own, which the other terms see as one. */
static void pipes_are_joined_first(void **state)
{
    double work[PM_UNITS_COLUMNS] = {3, 4, 12}, launches = 1;
    const double nothing = -60, r_of_2[] = {nothing, 0, 0, 0}, r_of_1[] = {nothing, 0, 0, -40};
    pm_units units = made_of(3);

    (void)state;
    units.work = work;
    units.launches = &launches;
    units.parameters = 4;
    units.pipes = 2;
    units.pipes_overlap = 3;
    assert_true(fabs(exp(pm_units_log_time(&units, r_of_2, 0, NULL)) - 13) < 1e-9);
    assert_true(fabs(exp(pm_units_log_time(&units, r_of_1, 0, NULL)) - sqrt(7 * 7 + 12 * 12)) <
                1e-9);
}

/* A row of nothing but one round of 800 warps on 100 units of 1500 MHz, a wait each. */
static void a_wait_takes_its_cycles(void **state)
{
    static const struct {
        const char *counter;
        double l1, l2, cycles;
    } cases[] = {{"shared_wait", 0, 0, 30},    {"inst_depth", 0, 0, 4},
                 {"load_wait", 0, 0, 30},      {"load_wait_miss", 0, 0, 200},
                 {"load_wait", 40, 290, 40},   {"load_wait_miss", 40, 290, 250},
                 {"inst_executed", 40, 290, 1}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pm_profile profile = gpu;
        double seconds, parameters[PM_UNITS_PARAMETERS];
        generated g;
        pm_units *units;

        generate(&g, 2);
        for (size_t k = 0; k < COUNTERS; k++)
            g.known[k * ROWS] = 0;
        column(&g, "work_groups")[0] = 100;
        column(&g, "launched_warps")[0] = 800;
        column(&g, "resident_groups")[0] = column(&g, "launches")[0] = 1;
        column(&g, cases[i].counter)[0] = 800e6;
        profile.load_l1_cycles = cases[i].l1;
        profile.load_l2_cycles = cases[i].l2;
        units = of_waits(&g, &profile, true);
        memcpy(parameters, units->prior, sizeof parameters);
        parameters[0] = -60;
        seconds = exp(pm_units_log_time(units, parameters, 0, NULL));
        assert_true(fabs(seconds - cases[i].cycles * 1e6 / 1500e6) < 1e-9);
        pm_units_free(units);
    }
}

/* ---- fitting ------------------------------------------------------------------------------- */

static void a_fit_finds_the_parameters(void **state)
{
    (void)state;
    for (unsigned long seed = 1; seed <= 3; seed++) {
        double truth[PM_UNITS_PARAMETERS], found[PM_UNITS_PARAMETERS];
        generated g;
        pm_training t;
        pm_error err = {0};
        pm_units *units;

        generate(&g, seed);
        units = of_waits(&g, &gpu, seed % 2);
        for (size_t k = 0; k < units->parameters; k++) {
            truth[k] = units->prior[k] + (k % 2 ? 0.7 : -0.7) * units->spread[k];
            found[k] = units->prior[k];
            units->spread[k] *= 1e4; /* the data decide */
        }
        for (size_t i = 0; i < ROWS; i++)
            g.t[i] = exp(pm_units_log_time(units, truth, i, NULL));
        train(&t, &g);
        assert_int_equal(pm_units_fit(units, &t, t.z, t.groups, found, &err), PM_OK);
        for (size_t k = 0; k < units->parameters; k++)
            assert_true(fabs(found[k] - truth[k]) < 1e-3);
        pm_training_free(&t);
        pm_units_free(units);
    }
}

static void a_program_left_out_is_not_looked_at(void **state)
{
    double before[PM_UNITS_PARAMETERS], after[PM_UNITS_PARAMETERS], all[PM_UNITS_PARAMETERS];
    generated g;
    pm_training t;
    pm_error err = {0};
    pm_units *units;

    (void)state;
    generate(&g, 7);
    units = of_code(&g);
    train(&t, &g);
    for (size_t out = 0; out < t.groups; out += 5) {
        memcpy(before, units->prior, sizeof before);
        memcpy(after, units->prior, sizeof after);
        memcpy(all, units->prior, sizeof all);
        assert_int_equal(pm_units_fit(units, &t, t.z, out, before, &err), PM_OK);
        for (size_t i = t.start[out]; i < t.start[out + 1]; i++)
            t.z[i] = i % 2 ? 5 : -30;
        assert_int_equal(pm_units_fit(units, &t, t.z, out, after, &err), PM_OK);
        assert_int_equal(pm_units_fit(units, &t, t.z, t.groups, all, &err), PM_OK);
        assert_memory_equal(before, after, units->parameters * sizeof *before);
        assert_memory_not_equal(all, after, units->parameters * sizeof *all);
    }
    pm_training_free(&t);
    pm_units_free(units);
}

/* ---- what a dataset can hold ------------------------------------------------------------------
 */

static void assert_finite(const pm_units *units, const pm_training *t)
{
    double p[PM_UNITS_PARAMETERS], slope[PM_UNITS_PARAMETERS];
    pm_error err = {0};

    memcpy(p, units->prior, sizeof p);
    assert_int_equal(pm_units_fit(units, t, t->z, t->groups, p, &err), PM_OK);
    for (size_t k = 0; k < units->parameters; k++)
        assert_true(isfinite(p[k]));
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(isfinite(pm_units_log_time(units, p, i, slope)));
        for (size_t k = 0; k < units->parameters; k++)
            assert_true(isfinite(slope[k]));
    }
}

static void hostile_rows_give_numbers(void **state)
{
    static const double values[] = {0,     5e-324, 1e-300,  1,  1e20,
                                    1e154, 1e300,  1.7e308, -1, -1.7e308};
    enum { VALUES = sizeof values / sizeof *values, MIXED = 5 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    (void)state;
    assert_non_null(rng);
    gsl_rng_set(rng, 1);
    /* every counter of every row the same, then drawn; the times likewise */
    for (size_t k = 0; k < VALUES + MIXED; k++) {
        double ratio[ROWS], ratio_test[ROWS];
        generated g;
        pm_training t;
        pm_error err = {0};
        pm_units *units;

        generate(&g, 1);
        for (size_t c = 0; c < sizeof g.known / sizeof *g.known; c++)
            g.known[c] = values[k < VALUES ? k : gsl_rng_uniform_int(rng, VALUES)];
        for (size_t i = 0; i < ROWS; i++)
            g.t[i] = k % 3 == 0 ? 1e-300 : i % 2 ? 1.7e308 : 5e-324;
        g.problem.source_t = g.source_t;
        g.problem.source_profile = gpu;
        g.problem.profile.dram_gb_s = 1e308;
        train(&t, &g);
        units = of_code(&g);
        assert_finite(units, &t);
        pm_units_free(units);
        assert_int_equal(pm_units_of_cycles(&g.problem, t.row, t.n, &units, &err), PM_OK);
        assert_finite(units, &t);
        pm_units_free(units);
        assert_int_equal(pm_units_ratio(&t, ratio, ratio_test, &err), PM_OK);
        for (size_t i = 0; i < ROWS; i++)
            assert_true(isfinite(ratio[i]) && isfinite(ratio_test[i]));
        pm_training_free(&t);
    }
    gsl_rng_free(rng);
}

static void without_a_counter_or_a_profile_there_is_no_model(void **state)
{
    const pm_profile none = {0};
    generated g;
    pm_units *units;
    pm_error err = {0};

    (void)state;
    generate(&g, 1);
    assert_int_equal(pm_units_of_code(&g.problem, &none, false, &units, &err), PM_OK);
    assert_null(units);
    for (size_t k = 0; k < COUNTERS; k++) {
        bool cycles = strcmp(names[k], "active_cycles") == 0;
        /* others stand in for them, or nothing */
        bool can_lack =
            strcmp(names[k], "inst_issued") == 0 || strcmp(names[k], "pipe_fmaheavy") == 0 ||
            strcmp(names[k], "load_wait") == 0 || strcmp(names[k], "load_wait_miss") == 0 ||
            strcmp(names[k], "shared_wait") == 0 || strcmp(names[k], "inst_depth") == 0;

        g.names[k] = "another";
        assert_int_equal(pm_units_of_code(&g.problem, &gpu, false, &units, &err), PM_OK);
        assert_true(!units == !(cycles || can_lack));
        pm_units_free(units);
        assert_int_equal(pm_units_of_cycles(&g.problem, g.rows, ROWS, &units, &err), PM_OK);
        assert_true(!units == cycles);
        pm_units_free(units);
        g.names[k] = names[k];
    }
}

/* Eight work-items of a warp take part in each instruction: a class counts eight where a pipe
 * counts one. */
static void classes_stand_in_for_pipes(void **state)
{
    static const struct {
        const char *pipe, *stand_in;
    } pairs[] = {{"pipe_fma", "inst_fp32"},
                 {"pipe_alu", "inst_int"},
                 {"pipe_xu", "inst_special"},
                 {"pipe_lsu", "inst_memory"}};
    generated g;
    pm_units *units, *of_classes;
    pm_error err = {0};

    (void)state;
    generate(&g, 7);
    units = of_code(&g);
    for (size_t k = 0; k < COUNTERS; k++) {
        double *values = g.known + k * ROWS;

        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
            if (strcmp(names[k], pairs[i].pipe) != 0)
                continue;
            g.names[k] = pairs[i].stand_in;
            for (size_t row = 0; row < ROWS; row++)
                values[row] *= 8;
        }
    }
    assert_int_equal(pm_units_of_code(&g.problem, &gpu, false, &of_classes, &err), PM_OK);
    assert_null(of_classes); /* how many work-items an instruction has is not known */
    for (size_t row = 0; row < ROWS; row++)
        column(&g, "active_cycles")[row] = 8 * column(&g, "inst_executed")[row];
    for (size_t k = 0; k < COUNTERS; k++)
        if (strcmp(names[k], "active_cycles") == 0)
            g.names[k] = "thread_inst_executed";
    of_classes = of_code(&g);
    for (size_t row = 0; row < ROWS; row++) {
        double seconds = pm_units_log_time(units, units->prior, row, NULL);

        assert_true(fabs(pm_units_log_time(of_classes, units->prior, row, NULL) - seconds) < 1e-9);
    }
    pm_units_free(of_classes);
    pm_units_free(units);
}

/* ---- from one GPU to another ------------------------------------------------------------------
 */

static void the_ratio_is_that_of_the_slowest_unit(void **state)
{
    double ratio[ROWS], ratio_test[ROWS];
    generated g;
    pm_training t;
    pm_error err = {0};

    (void)state;
    generate(&g, 3);
    for (size_t k = 0; k < COUNTERS; k++)
        g.known[k * ROWS] = 0; /* row 0: nothing but reading a petabyte */
    column(&g, "dram_read_bytes")[0] = 1e15;
    g.source_t[0] = 370;
    g.problem.source_t = g.source_t;
    g.problem.source_profile = gpu;
    train(&t, &g);
    assert_int_equal(t.row[0], 0);
    assert_int_equal(pm_units_ratio(&t, ratio, ratio_test, &err), PM_OK);
    for (size_t i = 0; i < ROWS; i++)
        assert_true(ratio[i] == 0 && ratio_test[i] == 0); /* the same GPU */
    g.problem.profile.dram_gb_s = 2 * gpu.dram_gb_s;
    assert_int_equal(pm_units_ratio(&t, ratio, ratio_test, &err), PM_OK);
    assert_true(fabs(ratio[0] - log(0.5)) < 1e-3);
    assert_true(ratio_test[0] == ratio[0]);
    for (size_t i = 0; i < ROWS;
         i++) /* nothing is slower than before, or more than twice as fast */
        assert_true(ratio[i] <= 0 && ratio[i] >= log(0.5));
    g.problem.source_profile.present = false;
    assert_int_equal(pm_units_ratio(&t, ratio, ratio_test, &err), PM_OK);
    for (size_t i = 0; i < ROWS; i++)
        assert_true(ratio[i] == 0 && ratio_test[i] == 0);
    pm_training_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_those_of_differences),
        cmocka_unit_test(the_norm_has_its_limits),
        cmocka_unit_test(pipes_are_joined_first),
        cmocka_unit_test(a_wait_takes_its_cycles),
        cmocka_unit_test(a_fit_finds_the_parameters),
        cmocka_unit_test(a_program_left_out_is_not_looked_at),
        cmocka_unit_test(hostile_rows_give_numbers),
        cmocka_unit_test(without_a_counter_or_a_profile_there_is_no_model),
        cmocka_unit_test(classes_stand_in_for_pipes),
        cmocka_unit_test(the_ratio_is_that_of_the_slowest_unit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
