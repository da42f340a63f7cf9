/* Tests the fit of the units model: it finds the parameters from which times were computed, no
 * dataset makes it NaN, a left-out program has no influence, and samples give the same result as
 * columns.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "units_fixture.h"

#include "model/samples/dataset.h"

/* ---- fitting ------------------------------------------------------------------------------- */

TEST(a_fit_finds_the_parameters)
{
    for (unsigned long seed = 1; seed <= 3; seed++) {
        double truth[PM_UNITS_PARAMETERS], found[PM_UNITS_PARAMETERS];
        generated g;
        pm_training t;
        pm_units_rows rows;
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
        rows = rows_of(&t);
        assert_int_equal(pm_units_fit(units, &rows, t.groups, found, told()), PM_OK);
        /* the last parameters belong to CPUs, so these rows do not determine them */
        for (size_t k = 0; k < units->parameters; k++)
            assert_true(fabs(found[k] - (k < PM_UNITS_PASSES ? truth[k] : units->prior[k])) < 1e-3);
    }
}

/* Special functions and passes have factors of their own on a CPU, and an atomic has the cost of a
 * core. */
TEST(a_cpu_has_rates_of_its_own)
{
    static const size_t own[] = {PM_UNITS_PASSES, PM_UNITS_FUNCTIONS};
    pm_profile cpu = gpu;
    double slope[PM_UNITS_PARAMETERS];
    generated g;
    pm_units *units;

    cpu.loops = true;
    generate(&g, 1);
    units = of_waits(&g, &cpu, true);
    for (size_t k = 0; k < sizeof own / sizeof *own; k++) {
        double most = 0, on_gpu = 0;

        for (size_t i = 0; i < ROWS; i++) {
            pm_units_log_time(units, units->prior, i, slope);
            most = fmax(most, slope[own[k]]);
            pm_units_log_time(of_waits(&g, &gpu, true), units->prior, i, slope);
            on_gpu = fmax(on_gpu, fabs(slope[own[k]]));
        }
        assert_true(most > 0);
        assert_true(on_gpu == 0);
    }
    assert_true(exp(units->prior[PM_UNITS_ATOMIC]) > 10);
}

TEST(a_program_left_out_is_not_looked_at)
{
    double before[PM_UNITS_PARAMETERS], after[PM_UNITS_PARAMETERS], all[PM_UNITS_PARAMETERS];
    generated g;
    pm_training t;
    pm_units_rows rows;
    const pm_units *units = draw(&g, &t, &rows);

    for (size_t out = 0; out < t.groups; out += 5) {
        memcpy(before, units->prior, sizeof before);
        memcpy(after, units->prior, sizeof after);
        memcpy(all, units->prior, sizeof all);
        assert_int_equal(pm_units_fit(units, &rows, out, before, told()), PM_OK);
        for (size_t i = t.start[out]; i < t.start[out + 1]; i++)
            t.z[i] = i % 2 ? 5 : -30;
        assert_int_equal(pm_units_fit(units, &rows, out, after, told()), PM_OK);
        assert_int_equal(pm_units_fit(units, &rows, t.groups, all, told()), PM_OK);
        assert_memory_equal(before, after, units->parameters * sizeof *before);
        assert_memory_not_equal(all, after, units->parameters * sizeof *all);
    }
}

/* Folds: the programs of a fold are left out together. */
TEST(a_fold_left_out_is_not_looked_at)
{
    enum { FOLDS = 4, OUT = 2 };
    double before[PM_UNITS_PARAMETERS], after[PM_UNITS_PARAMETERS];
    size_t fold[PROGRAMS];
    generated g;
    pm_training t;
    pm_units_rows rows;
    const pm_units *units = draw(&g, &t, &rows);

    fold_up(&rows, fold, FOLDS, FOLDS);
    memcpy(before, units->prior, sizeof before);
    assert_int_equal(pm_units_fit(units, &rows, OUT, before, told()), PM_OK);
    for (size_t p = 0; p < t.groups; p++) {
        for (size_t i = t.start[p]; i < t.start[p + 1]; i++)
            t.z[i] += p % FOLDS == OUT ? 5 : 0;
        memcpy(after, units->prior, sizeof after);
        assert_int_equal(pm_units_fit(units, &rows, OUT, after, told()), PM_OK);
        assert_memory_equal(before, after, units->parameters * sizeof *before);
    }
    for (size_t i = t.start[0]; i < t.start[1]; i++)
        t.z[i] += 5;
    assert_int_equal(pm_units_fit(units, &rows, OUT, after, told()), PM_OK);
    assert_memory_not_equal(before, after, units->parameters * sizeof *before);
}

/* Results are equal to the last bit. The last fold has no program. */
TEST(fits_without_each_fold_are_those_of_one_at_a_time)
{
    enum { FOLDS = 4 };
    double sets[FOLDS][PM_UNITS_PARAMETERS], one[PM_UNITS_PARAMETERS];
    size_t fold[PROGRAMS];
    generated g;
    pm_training t;
    pm_units_rows rows;
    const pm_units *units = draw(&g, &t, &rows);

    fold_up(&rows, fold, FOLDS, FOLDS - 1);
    assert_int_equal(pm_units_fit_folds(units, &rows, units->prior, *sets, told()), PM_OK);
    for (size_t f = 0; f < FOLDS; f++) {
        memcpy(one, units->prior, sizeof one);
        if (f < FOLDS - 1)
            assert_int_equal(pm_units_fit(units, &rows, f, one, told()), PM_OK);
        assert_memory_equal(sets[f], one, units->parameters * sizeof *one);
    }
}

/* ---- extreme datasets -------------------------------------------------------------------------
 */

static void assert_finite(const pm_units *units, const pm_training *t)
{
    double p[PM_UNITS_PARAMETERS], slope[PM_UNITS_PARAMETERS];
    const pm_units_rows rows = rows_of(t);

    memcpy(p, units->prior, sizeof p);
    assert_int_equal(pm_units_fit(units, &rows, t->groups, p, told()), PM_OK);
    for (size_t k = 0; k < units->parameters; k++)
        assert_true(isfinite(p[k]));
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(isfinite(pm_units_log_time(units, p, i, slope)));
        for (size_t k = 0; k < units->parameters; k++)
            assert_true(isfinite(slope[k]));
    }
}

TEST(hostile_rows_give_numbers)
{
    static const double values[] = {0,     5e-324, 1e-300,  1,  1e20,
                                    1e154, 1e300,  1.7e308, -1, -1.7e308};
    enum { VALUES = sizeof values / sizeof *values, MIXED = 5 };
    gsl_rng *rng = rng_of(1);

    /* First every counter of every row has the same value, then values are drawn. Times
     * likewise. */
    for (size_t k = 0; k < VALUES + MIXED; k++) {
        const pm_units_ratio *ratio;
        generated g;
        pm_training t;
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
        units = of_cycles(&g, t.row, t.n);
        assert_finite(units, &t);
        ratio = pm_units_ratio_fit(own_memory(), &t);
        for (size_t i = 0; i < ROWS; i++)
            assert_true(isfinite(pm_units_log_ratio(ratio, i)));
    }
}

TEST(without_a_counter_or_a_profile_there_is_no_model)
{
    const pm_profile none = {0};
    generated g;

    generate(&g, 1);
    assert_null(pm_units_of_code(own_memory(), &g.problem, &none, false));
    for (size_t k = 0; k < COUNTERS; k++) {
        bool cycles = strcmp(names[k], "active_cycles") == 0;
        /* other counters replace the unknown ones, or none do */
        bool can_lack =
            strcmp(names[k], "inst_issued") == 0 || strcmp(names[k], "pipe_fmaheavy") == 0 ||
            strcmp(names[k], "load_wait") == 0 || strcmp(names[k], "load_wait_miss") == 0 ||
            strcmp(names[k], "shared_wait") == 0 || strcmp(names[k], "inst_depth") == 0 ||
            strcmp(names[k], "pipe_fp64") == 0 || strcmp(names[k], "l1_global_load_miss") == 0 ||
            strcmp(names[k], "l2_read_hit") == 0 || strcmp(names[k], "l2_read_miss") == 0 ||
            strcmp(names[k], "global_wavefront") == 0 || k >= TRACED_ONLY;

        g.names[k] = "another";
        assert_true(!pm_units_of_code(own_memory(), &g.problem, &gpu, false) ==
                    !(cycles || can_lack));
        assert_true(!pm_units_of_cycles(own_memory(), &g.problem, g.rows, ROWS) == cycles);
        g.names[k] = names[k];
    }
}

/* Each instruction of a warp has eight active work-items. A class counts eight where a pipe counts
 * one. */
TEST(classes_stand_in_for_pipes)
{
    static const struct {
        const char *pipe, *stand_in;
    } pairs[] = {{"pipe_fma", "inst_fp32"},
                 {"pipe_alu", "inst_int"},
                 {"pipe_xu", "inst_special"},
                 {"pipe_lsu", "inst_memory"},
                 {"pipe_fp64", "inst_fp64"}};
    generated g;
    pm_units *units, *of_classes;

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
    /* the number of work-items per instruction is unknown */
    assert_null(pm_units_of_code(own_memory(), &g.problem, &gpu, false));
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
}

/* Indices of the columns of the pipes: multiply-add, FP64, integer and special functions. */
static const size_t arithmetic[] = {1, 3, 4, 5};

/* Returns the sum and the maximum of the first `count` columns' seconds in a row. */
static double sum_of(const pm_units *units, size_t row, size_t count, double *most)
{
    double sum = 0;

    *most = 0;
    for (size_t k = 0; k < count; k++) {
        const double seconds = units->work[row * PM_UNITS_COLUMNS + arithmetic[k]];

        sum += seconds;
        *most = fmax(*most, seconds);
    }
    return sum;
}

TEST(pipes_of_the_same_lanes_take_turns)
{
    generated g;

    generate(&g, 5);
    for (size_t lanes = 3; lanes <= 4; lanes++) {
        pm_profile one = gpu;
        one.pipes = lanes == 3 ? PM_PIPES_XU_APART : PM_PIPES_ONE;
        const pm_units *apart = of_code(&g);
        const pm_units *turns = pm_units_of_code(own_memory(), &g.problem, &one, true);

        assert_non_null(turns);
        for (size_t row = 0; row < ROWS; row++) {
            double most, none;
            const double sum = sum_of(apart, row, lanes, &none);

            assert_true(fabs(sum_of(turns, row, lanes, &most) / sum - 1) < 1e-9);
            assert_true(fabs(most / sum - 1) < 1e-9);
            for (size_t k = lanes; k < 4; k++)
                assert_true(turns->work[row * PM_UNITS_COLUMNS + arithmetic[k]] ==
                            apart->work[row * PM_UNITS_COLUMNS + arithmetic[k]]);
        }
    }
}

/* ---- models of samples ---------------------------------------------------------------------- */

/* Returns the rows as a dataset with one program per row. */
static pm_dataset *dataset_of(const generated *g)
{
    pm_dataset *dataset = owned_dataset(pm_dataset_memory("made", g->names, COUNTERS, told()));

    for (size_t i = 0; i < ROWS; i++) {
        double values[COUNTERS];
        char program[16];
        const pm_sample sample = {.device = "made",
                                  .program = program,
                                  .variant = "plain",
                                  .size = "1",
                                  .kernel = "k",
                                  .counter_source = "trace",
                                  .time_s = 1e-3,
                                  .runs = 1,
                                  .work_items = 1 << 20,
                                  .work_group = 256,
                                  .cuda = g->samples[i].cuda,
                                  .counters = values};

        snprintf(program, sizeof program, "p%zu", i);
        for (size_t k = 0; k < COUNTERS; k++)
            values[k] = g->known[k * ROWS + i];
        assert_int_equal(pm_dataset_append(dataset, &sample, told()), PM_OK);
    }
    assert_int_equal(pm_dataset_rows(dataset), ROWS);
    return dataset;
}

static pm_units *of_samples(const pm_dataset *dataset, bool *usable)
{
    pm_units_sample samples[ROWS];

    for (size_t i = 0; i < ROWS; i++)
        samples[i] = (pm_units_sample){dataset, pm_dataset_sample(dataset, i), &gpu};
    return pm_units_of_samples(own_memory(), samples, ROWS, usable);
}

TEST(samples_are_read_as_columns_are)
{
    for (int classes = 0; classes <= 1; classes++) {
        double slope[PM_UNITS_PARAMETERS], other[PM_UNITS_PARAMETERS];
        bool usable[ROWS];
        generated g;
        pm_dataset *dataset;
        pm_units *units, *samples;

        generate(&g, 5);
        for (size_t k = 0; classes && k < COUNTERS; k++)
            if (strcmp(names[k], "pipe_alu") == 0)
                g.names[k] = "inst_int";
            else if (strcmp(names[k], "active_cycles") == 0)
                g.names[k] = "thread_inst_executed";
            else if (strcmp(names[k], "pipe_fp64") == 0 || strcmp(names[k], "load_wait_miss") == 0)
                g.names[k] = "another";
        dataset = dataset_of(&g);
        units = of_waits(&g, &gpu, true);
        samples = of_samples(dataset, usable);
        for (size_t i = 0; i < ROWS; i++) {
            assert_true(usable[i]);
            assert_true(pm_units_log_time(units, units->prior, i, slope) ==
                        pm_units_log_time(samples, samples->prior, i, other));
            assert_memory_equal(slope, other, sizeof slope);
            assert_true(units->floor[i] == samples->floor[i]);
        }
    }
}

/* An unknown cell makes its row unusable, and no other row. If a class replaces it, the number of
 * work-items per instruction must be known, too. */
TEST(an_unknown_counter_is_no_work)
{
    static const struct {
        const char *counter, *name;
        bool usable;
    } cases[] = {{"l2_read_sector", NULL, false}, {"load_wait", NULL, true},
                 {"pipe_alu", NULL, false},       {"pipe_alu", "inst_int", false},
                 {"pipe_fp64", NULL, true},       {"pipe_fp64", "inst_fp64", true},
                 {"resident_groups", NULL, false}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool usable[ROWS];
        generated g;
        pm_dataset *dataset;
        pm_units *units;

        generate(&g, 5);
        if (!cases[i].name)
            column(&g, cases[i].counter)[3] = (double)NAN;
        for (size_t k = 0; cases[i].name && k < COUNTERS; k++)
            if (strcmp(names[k], cases[i].counter) == 0)
                g.names[k] = cases[i].name;
        dataset = dataset_of(&g);
        units = of_samples(dataset, usable);
        assert_true(usable[3] == cases[i].usable);
        assert_true(usable[4] == (cases[i].usable || !cases[i].name));
        if (usable[3])
            assert_true(isfinite(pm_units_log_time(units, units->prior, 3, NULL)));
    }
}

/* ---- ratio of the times on two GPUs -----------------------------------------------------------
 */

TEST(the_ratio_is_that_of_the_slowest_unit)
{
    const pm_units_ratio *ratio;
    generated g;
    pm_training t;

    generate(&g, 3);
    for (size_t k = 0; k < COUNTERS; k++)
        g.known[k * ROWS] = 0; /* row 0 only reads a petabyte */
    column(&g, "dram_read_bytes")[0] = 1e15;
    g.source_t[0] = 370;
    g.problem.source_t = g.source_t;
    g.problem.source_profile = gpu;
    train(&t, &g);
    assert_int_equal(t.row[0], 0);
    ratio = pm_units_ratio_fit(own_memory(), &t);
    for (size_t i = 0; i < ROWS; i++)
        assert_true(pm_units_log_ratio(ratio, i) == 0); /* the same GPU */
    g.problem.profile.dram_gb_s = 2 * gpu.dram_gb_s;
    ratio = pm_units_ratio_fit(own_memory(), &t);
    assert_true(fabs(pm_units_log_ratio(ratio, 0) - log(0.5)) < 1e-3);
    /* the other GPU is never slower, and at most twice as fast */
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(pm_units_log_ratio(ratio, i) <= 0);
        assert_true(pm_units_log_ratio(ratio, i) >= log(0.5));
    }
    g.problem.source_profile.present = false;
    ratio = pm_units_ratio_fit(own_memory(), &t);
    for (size_t i = 0; i < ROWS; i++)
        assert_true(pm_units_log_ratio(ratio, i) == 0);
}
