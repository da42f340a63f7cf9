/* Tests the units model (times of a GPU's functional units): its derivatives and limits, the
 * seconds of each counter, and that the reported parts of a time add up.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "units_fixture.h"

/* ---- the function -------------------------------------------------------------------------- */

TEST(derivatives_are_those_of_differences)
{
    generated g;

    for (unsigned long seed = 1; seed <= 5; seed++) {
        gsl_rng *rng = rng_of(seed);
        pm_units *units;

        generate(&g, seed);
        column(&g, "dram_read_bytes")[0] = column(&g, "dram_write_bytes")[0] = 0;
        units = of_waits(&g, &gpu, seed % 2);
        assert_int_equal(units->parameters, seed % 2 ? PM_UNITS_PARAMETERS : PM_UNITS_OWN);
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
    }
}

/* Makes units of one row with one column per term. All columns have the slowdown parameter
 * PM_UNITS_SM. The caller sets work and launches. */
static pm_units made_of(size_t terms)
{
    pm_units units = {.n = 1, .columns = terms, .terms = terms, .parameters = PM_UNITS_PARAMETERS};

    for (size_t k = 0; k < terms; k++) {
        units.term[k] = k;
        units.parameter[k] = PM_UNITS_SM;
    }
    return units;
}

TEST(the_norm_has_its_limits)
{
    double work[PM_UNITS_COLUMNS] = {3, 4, 0.5}, launches = 2, slope[PM_UNITS_PARAMETERS];
    const double overhead = log(0.25), slowdown = log(1.5);
    const double some_q[PM_UNITS_PARAMETERS] = {overhead, log(2), slowdown};
    const double q_of_2[PM_UNITS_PARAMETERS] = {overhead, 0, slowdown};
    const double large_q[PM_UNITS_PARAMETERS] = {overhead, log(1e6), slowdown};
    const double q_of_1[PM_UNITS_PARAMETERS] = {overhead, -40, slowdown};
    pm_units one = made_of(1), three = made_of(3);

    one.work = three.work = work;
    one.launches = three.launches = &launches;
    /* T is overhead + term for any q if there is one term */
    assert_true(fabs(exp(pm_units_log_time(&one, some_q, 0, NULL)) - (0.5 + 4.5)) < 1e-12);
    assert_true(fabs(exp(pm_units_log_time(&one, large_q, 0, NULL)) - (0.5 + 4.5)) < 1e-12);
    /* the maximum, the Euclidean norm, and the sum */
    assert_true(fabs(exp(pm_units_log_time(&three, large_q, 0, NULL)) - (0.5 + 6)) < 1e-5);
    assert_true(fabs(exp(pm_units_log_time(&three, q_of_2, 0, NULL)) -
                     (0.5 + 1.5 * sqrt(9 + 16 + 0.25))) < 1e-12);
    assert_true(fabs(exp(pm_units_log_time(&three, q_of_1, 0, NULL)) - (0.5 + 1.5 * 7.5)) < 1e-12);
    /* without work, T is the overhead of launches of two seconds */
    memset(work, 0, sizeof work);
    assert_true(fabs(exp(pm_units_log_time(&three, some_q, 0, slope)) - 0.5) < 1e-12);
    assert_true(slope[PM_UNITS_OVERHEAD] == 1);
    for (size_t k = 1; k < PM_UNITS_PARAMETERS; k++)
        assert_true(slope[k] == 0);
}

/* Two pipes have a norm of their own, which is one term for the other terms. */
TEST(norms_are_nested)
{
    double work[PM_UNITS_COLUMNS] = {3, 4, 12, 84}, launches = 1, p[PM_UNITS_PARAMETERS] = {-60};
    pm_units units = made_of(4);

    units.work = work;
    units.launches = &launches;
    units.pipes = 2;
    assert_true(fabs(exp(pm_units_log_time(&units, p, 0, NULL)) - 85) < 1e-9); /* 3 4 12 84 85 */
    p[PM_UNITS_PIPES_OVERLAP] = -40;
    assert_true(fabs(exp(pm_units_log_time(&units, p, 0, NULL)) - sqrt(7 * 7 + 12 * 12 + 84 * 84)) <
                1e-9);
    p[PM_UNITS_PIPES_OVERLAP] = 0;
    p[PM_UNITS_OVERLAP] = -40;
    assert_true(fabs(exp(pm_units_log_time(&units, p, 0, NULL)) - (5 + 12 + 84)) < 1e-9);
}

/* The scheduler and its lanes take as long as the slowest of them. If both take the same time, it
 * is 2^(1/16) times as long, whatever the exponent of the other pipes. */
TEST(lanes_work_at_the_same_time)
{
    double work[PM_UNITS_COLUMNS] = {3, 3, 12}, launches = 1, p[PM_UNITS_PARAMETERS] = {-60};
    const double both = 3 * pow(2, 1.0 / 16);
    pm_units units = made_of(3);

    units.work = work;
    units.launches = &launches;
    units.lanes = 2;
    units.pipes = 3;
    p[PM_UNITS_PIPES_OVERLAP] = -40;
    assert_true(fabs(exp(pm_units_log_time(&units, p, 0, NULL)) - (both + 12)) < 1e-9);
    p[PM_UNITS_PIPES_OVERLAP] = 0;
    assert_true(fabs(exp(pm_units_log_time(&units, p, 0, NULL)) - hypot(both, 12)) < 1e-9);
}

/* Makes a row with one round of 800 warps on 100 compute units at 1500 MHz, and nothing else. */
static void only_a_round(generated *g)
{
    generate(g, 2);
    for (size_t k = 0; k < COUNTERS; k++)
        g->known[k * ROWS] = 0;
    column(g, "work_groups")[0] = 100;
    column(g, "launched_warps")[0] = 800;
    column(g, "resident_groups")[0] = column(g, "launches")[0] = 1;
}

/* Cycles that each warp waits. 0 or 1 of 4 sectors miss L2. */
TEST(a_wait_takes_its_cycles)
{
    static const struct {
        const char *counter;
        double l1, l2, dram, l2_miss, cycles;
    } cases[] = {
        /* latencies of a profile that does not give them */
        {"shared_wait", 0, 0, 0, 0, 30},
        {"inst_depth", 0, 0, 0, 0, 4},
        {"load_wait", 0, 0, 0, 0, 35},
        {"load_wait_miss", 0, 0, 0, 0, 250 - 35},
        {"load_wait_miss", 0, 0, 0, 1, 250 - 35 + 0.25 * (550 - 250)},
        /* what it has */
        {"load_wait", 40, 290, 690, 1, 40},
        {"load_wait_miss", 40, 290, 690, 0, 250},
        {"load_wait_miss", 40, 290, 690, 1, 250 + 0.25 * 400},
        {"inst_executed", 40, 290, 690, 0, 1},
        /* a latency is not used if it is below the latency of a nearer cache */
        {"load_wait", 0, 20, 690, 0, 20},
        {"load_wait_miss", 40, 700, 0, 1, 660},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pm_profile profile = gpu;
        double seconds, parameters[PM_UNITS_PARAMETERS];
        generated g;
        pm_units *units;

        only_a_round(&g);
        column(&g, cases[i].counter)[0] = 800e6;
        column(&g, "l2_read_hit")[0] = 3;
        column(&g, "l2_read_miss")[0] = cases[i].l2_miss;
        profile.l1_cycles = cases[i].l1;
        profile.l2_cycles = cases[i].l2;
        profile.dram_cycles = cases[i].dram;
        units = of_waits(&g, &profile, true);
        memcpy(parameters, units->prior, sizeof parameters);
        parameters[PM_UNITS_OVERHEAD] = -60;
        seconds = exp(pm_units_log_time(units, parameters, 0, NULL));
        if (!(fabs(seconds - cases[i].cycles * 1e6 / 1500e6) < 1e-9))
            fail_msg("case %zu: %g cycles", i, seconds * 1500);
    }
}

/* Groups of 8 warps whose loads all miss. Each warp waits at a barrier for the last of 8 loads,
 * sqrt(2 ln 8) standard deviations after the mean of 250 cycles. Barriers without loads, loads
 * without barriers and a single warp have no such wait. */
TEST(a_barrier_waits_for_the_slowest_load)
{
    static const struct {
        double barriers, misses, warps, waits; /* per group; one group is resident at a time */
    } cases[] = {{1e6, 1e6, 8, 1e6}, {4e6, 1e6, 8, 1e6}, {1e6, 4e6, 8, 1e6},
                 {0, 1e6, 8, 0},     {1e6, 0, 8, 0},     {1e6, 1e6, 1, 0}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double warps = 100 * cases[i].warps;
        double seconds[2], p[PM_UNITS_PARAMETERS], cycles;

        for (int k = 0; k < 2; k++) {
            pm_profile profile = gpu;
            generated g;
            pm_units *units;

            profile.l1_cycles = 40;
            profile.l2_cycles = 250;
            only_a_round(&g);
            column(&g, "launched_warps")[0] = warps;
            column(&g, "load_wait")[0] = column(&g, "load_wait_miss")[0] = cases[i].misses * warps;
            column(&g, "barrier")[0] = k * cases[i].barriers * warps;
            units = of_waits(&g, &profile, true);
            memcpy(p, units->prior, sizeof p);
            p[PM_UNITS_OVERHEAD] = -60;
            p[PM_UNITS_BARRIER] = log(.5);
            seconds[k] = exp(pm_units_log_time(units, p, 0, NULL));
        }
        cycles = .5 * cases[i].waits * 250 * sqrt(2 * log(8));
        if (!(fabs(seconds[1] - seconds[0] - cycles / 1500e6) < 1e-9))
            fail_msg("case %zu: %g cycles", i, (seconds[1] - seconds[0]) * 1500e6);
    }
}

/* Latencies of shared memory and arithmetic also come from the profile. If the GPU has no L2, loads
 * go to DRAM. */
TEST(other_latencies_are_the_profiles)
{
    static const struct {
        const char *counter;
        double cycles;
    } cases[] = {{"shared_wait", 23}, {"inst_depth", 9}, {"load_wait_miss", 550 - 35}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pm_profile profile = gpu;
        generated g;
        pm_units *units;
        double p[PM_UNITS_PARAMETERS];

        only_a_round(&g);
        column(&g, cases[i].counter)[0] = 800e6;
        profile.shared_cycles = 23;
        profile.alu_cycles = 9;
        profile.l2_bytes_per_cycle = 0;
        units = of_waits(&g, &profile, true);
        memcpy(p, units->prior, sizeof p);
        p[PM_UNITS_OVERHEAD] = -60;
        assert_true(fabs(exp(pm_units_log_time(units, p, 0, NULL)) -
                         cases[i].cycles * 1e6 / 1500e6) < 1e-9);
    }
}

TEST(launches_are_seconds)
{
    pm_profile unknown = gpu;
    generated g;
    pm_units *units;

    only_a_round(&g);
    column(&g, "launches")[0] = 3;
    units = of_waits(&g, &gpu, true);
    units->prior[PM_UNITS_START] = -60; /* of one work-group */
    assert_true(fabs(units->launches[0] - 15e-6) < 1e-18);
    assert_true(fabs(exp(pm_units_log_time(units, units->prior, 0, NULL)) - 15e-6) < 1e-15);
    unknown.launch_s = 0; /* some microseconds */
    units = of_waits(&g, &unknown, true);
    assert_true(units->launches[0] > 3e-6 && units->launches[0] < 30e-6);
}

/* CUDA's launches have a parameter of their own, which OpenCL's launches do not use. */
TEST(launches_by_cuda_take_their_own_time)
{
    generated g;

    for (int cuda = 0; cuda <= 1; cuda++) {
        pm_units *units;
        pm_explanation why;

        only_a_round(&g);
        g.samples[0].cuda = cuda;
        units = of_waits(&g, &gpu, true);
        units->prior[PM_UNITS_START] = -60;
        units->prior[PM_UNITS_OVERHEAD] = log(2);
        units->prior[PM_UNITS_OVERHEAD_CUDA] = log(0.5);
        assert_true(fabs(exp(pm_units_log_time(units, units->prior, 0, NULL)) /
                             (units->launches[0] * (cuda ? 0.5 : 2)) -
                         1) < 1e-9);
        pm_units_explain(units, units->prior, 0, &why);
        assert_string_equal(why.bound, "launch");
        assert_true(fabs(why.terms[0].alone_s / (units->launches[0] * (cuda ? 0.5 : 2)) - 1) <
                    1e-9);
    }
}

/* The lower bound of the time uses only peak rates, without latencies and waits. */
TEST(the_floor_is_peak_rates)
{
    static const struct {
        const char *counter;
        double count, seconds;
    } cases[] = {
        {"dram_read_bytes", 3e12, 1},
        {"dram_write_bytes", 3e12, 1},
        {"pipe_fma", 4 * 100 * 1500e6, 1},
        {"pipe_fp64", 2 * 100 * 1500e6, 1},
        {"pipe_xu", 0.5 * 100 * 1500e6, 1},
        {"inst_depth", 1e15, 0},
        {"load_wait", 1e15, 0},
        {"l2_read_sector", 5000. / 32 * 1500e6, 1},
        {"l2_write_sector", 5000. / 32 * 1500e6, 1},
        {"global_wavefront", 100 * 1500e6, 1},
        {"shared_wavefront", 100 * 1500e6, 1},
        {"pipe_alu", 4 * 100 * 1500e6, 1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        generated g;
        pm_units *units;

        only_a_round(&g);
        column(&g, cases[i].counter)[0] = cases[i].count;
        units = of_waits(&g, &gpu, true);
        if (!(fabs(units->floor[0] - cases[i].seconds) < 1e-9))
            fail_msg("%s: %g s", cases[i].counter, units->floor[0]);
    }
}

/* Floating-point operations are counted per work-item. Two operations of each of 32 work-items are
 * one fused multiply-add of a warp. */
TEST(operations_are_those_of_warps)
{
    const double count = 4 * 100 * 1500e6;
    generated g;
    pm_units *units;

    only_a_round(&g);
    column(&g, "inst_executed")[0] = count;
    column(&g, "active_cycles")[0] = 32 * count;
    column(&g, "gld_tag")[0] = 2 * 32 * count;
    for (size_t k = 0; k < COUNTERS; k++)
        g.names[k] = strcmp(names[k], "active_cycles") == 0 ? "thread_inst_executed"
                     : strcmp(names[k], "gld_tag") == 0     ? "flop_fp32"
                                                            : names[k];
    units = of_waits(&g, &gpu, true);
    if (!(fabs(units->floor[0] - 1) < 1e-9))
        fail_msg("%g s", units->floor[0]);
}

/* Conversions from and to double. The unit for conversions executes them on an H100, and the FP64
 * pipe does on a GPU whose FP64 pipe is slow. */
TEST(conversions_of_doubles_take_the_slower_pipe)
{
    const double rates[] = {2, 0.0625};

    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        pm_profile slow = gpu;
        generated g;
        pm_units *units;

        slow.fp64_per_cycle = rates[i];
        only_a_round(&g);
        column(&g, "conversion_fp64")[0] = 0.0625 * 100 * 1500e6;
        units = of_waits(&g, &slow, true);
        if (!(fabs(units->floor[0] - (double)i) < 1e-9))
            fail_msg("%g a cycle: %g s", rates[i], units->floor[0]);
    }
}

/* Five rounds of groups. A single group takes ten times the mean time. Four rounds are unchanged,
 * and the last one takes ten times as long. */
TEST(the_longest_group_is_waited_for)
{
    generated g;
    pm_units *units;
    double p[PM_UNITS_PARAMETERS], seconds[2];

    only_a_round(&g);
    column(&g, "resident_groups")[0] = 2;
    column(&g, "work_groups")[0] = 5 * 2 * gpu.compute_units;
    column(&g, "inst_depth")[0] = 1e9;
    column(&g, "group_span")[0] = 300 * column(&g, "work_groups")[0];
    for (int k = 0; k < 2; k++) {
        column(&g, "longest_span")[0] = k ? 3000 : 300;
        units = of_waits(&g, &gpu, true);
        memcpy(p, units->prior, sizeof p);
        p[PM_UNITS_OVERHEAD] = -60;
        seconds[k] = exp(pm_units_log_time(units, p, 0, NULL));
    }
    assert_true(fabs(seconds[1] / seconds[0] - (4 + 10) / 5.0) < 1e-9);
}

/* Reads and writes of L2, and requests of loads and stores, use separate directions. Half of each
 * therefore takes less time than all of one. */
TEST(reads_and_writes_go_side_by_side)
{
    static const char *const ways[][2] = {{"l2_read_sector", "l2_write_sector"},
                                          {"gld_tag", "gst_tag"}};

    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        double seconds[2], p[PM_UNITS_PARAMETERS];

        for (size_t both = 0; both < 2; both++) {
            generated g;
            pm_units *units;

            generate(&g, 12);
            for (size_t k = 0; k < COUNTERS; k++)
                column(&g, names[k])[0] = 0;
            column(&g, "launches")[0] = column(&g, "work_groups")[0] = 1;
            column(&g, "gld_sector")[0] = column(&g, "l1_global_load_miss")[0] = 4;
            column(&g, ways[w][0])[0] = both ? 1e9 : 2e9;
            column(&g, ways[w][1])[0] = both ? 1e9 : 0;
            units = of_waits(&g, &gpu, true);
            memcpy(p, units->prior, sizeof p);
            p[PM_UNITS_OVERHEAD] = -60;
            p[PM_UNITS_ASK] = p[PM_UNITS_HAND_ON] = log(2);
            seconds[both] = exp(pm_units_log_time(units, p, 0, NULL));
        }
        assert_true(seconds[1] < .75 * seconds[0]);
        assert_true(seconds[1] > .5 * seconds[0]);
    }
}

/* ---- explanations -------------------------------------------------------------------------- */

TEST(the_terms_add_up)
{
    gsl_rng *rng = rng_of(0);
    bool bound_by[PM_UNITS_TERMS] = {false};
    size_t bounds = 0;
    generated g;
    pm_units *units;

    generate(&g, 11);
    units = of_waits(&g, &gpu, true);
    for (size_t row = 0; row < ROWS; row++) {
        double p[PM_UNITS_PARAMETERS], sum = 0, time;
        pm_explanation why;

        for (size_t k = 0; k < PM_UNITS_PARAMETERS; k++)
            p[k] = units->prior[k] + gsl_ran_gaussian(rng, 0.3);
        time = exp(pm_units_log_time(units, p, row, NULL));
        pm_units_explain(units, p, row, &why);
        assert_int_equal(why.n, 16);
        assert_ptr_equal(why.bound, why.terms[0].unit);
        for (size_t k = 0; k < why.n; k++) {
            sum += why.terms[k].added_s;
            assert_true(why.terms[k].added_s >= 0 && why.terms[k].alone_s >= 0);
            assert_true(why.terms[k].added_s <= why.terms[k].alone_s * (1 + 1e-12));
            assert_true(why.terms[k].added_s <= why.terms[0].added_s);
            for (size_t i = 0; i < k; i++)
                assert_string_not_equal(why.terms[i].unit, why.terms[k].unit);
        }
        assert_true(fabs(sum / time - 1) < 1e-9);
        for (size_t k = 0; k < units->columns; k++)
            if (strcmp(units->unit[k], why.bound) == 0)
                bound_by[units->term[k]] = true;
    }
    for (size_t k = 0; k < PM_UNITS_TERMS; k++)
        bounds += bound_by[k];
    assert_true(bounds >= 5); /* else the rows would determine few parameters */
}

/* A row that has work of a single unit. The explanation names this unit as the bound. */
TEST(the_bound_is_the_unit_that_works)
{
    static const struct {
        const char *counter, *unit;
    } cases[] = {
        {"inst_issued", "issue"},
        {"pipe_fma", "fp32"},
        {"pipe_fmaheavy", "fp32"},
        {"pipe_fp64", "fp64"},
        {"pipe_alu", "int"},
        {"pipe_xu", "special"},
        {"pipe_lsu", "lsu"},
        {"global_wavefront", "l1"},
        {"shared_wavefront", "shared"},
        {"l2_write_sector", "l2"},
        {"dram_read_bytes", "dram"},
        {"inst_depth", "latency"},
        {"load_wait_miss", "latency"},
        {"gst_tag", "requests"},
        {"atomic_pass", "atomics"},
        {"atomic_return_pass", "atomics"},
        {"atomic_pile", "atomics"},
        {"constant_pass", "constant"},
        {"work_groups", "groups"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pm_explanation why;
        generated g;
        pm_units *units;

        only_a_round(&g);
        units = of_waits(&g, &gpu, true);
        pm_units_explain(units, units->prior, 0, &why);
        assert_string_equal(why.bound, "launch");
        column(&g, cases[i].counter)[0] = 1e13;
        units = of_waits(&g, &gpu, true);
        pm_units_explain(units, units->prior, 0, &why);
        assert_string_equal(why.bound, cases[i].unit);
    }
}
