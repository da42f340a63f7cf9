/* Tests the effect of sampling work-groups: equal seeds give equal counts, and counts for different
 * seeds differ by no more than the standard errors say.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/measure.h"
#include "suite_sizes.h"
#include "trace_suite.h"

enum { SEEDS = 3 };

/* Error that an estimate may have in addition to three standard errors. The sampled compute units
 * are neighbours, whose groups are more similar than groups of all units. Their spread is therefore
 * slightly too small. It affects counts that depend on L1, by up to 0.5 % for dct8x8 and aes128. */
static const double TINY = 0.005;
/* The corresponding error for the read-only cache. Groups at the edges of fdtd3d, which a sample
 * may lack, miss up to 1.4 % more often than inner groups. */
static const double TINY_OF_CACHE = 0.015;
/* Fraction of the estimates of each counter that must be within these errors. */
static const double SHARE = 0.9;

/* Sizes that give hundreds of cells (work-groups of one wave on one compute unit) on the smaller
 * GPU and dozens on the larger one. */
static const suite_case cases[] = {
    {"matmul_tiled", "local", "256"},    {"matmul_tiled", "nolocal", "256"},
    {"matmul_float4", "local", "512"},   {"dct8x8", "nolocal", "512"},
    {"haar1d", "local", "524288"},       {"nbody", "local", "4096"},
    {"fdtd3d", "local", "64x64x16"},     {"fdtd3d", "nolocal", "64x64x16"},
    {"median3x3", "nolocal", "384x384"}, {"sobel3x3", "local", "512x512"},
    {"sobel3x3", "nolocal", "512x304"},  {"binomial", "local", "300"},
    {"aes128", "nolocal", "1"},          {"copy", "float4", "4"},
};

/* worker NULL: the executor creates its own. */
static pm_executor *open_engine(const pm_counter_table *table, const char *target, double sample,
                                unsigned long long seed, unsigned threads, pm_worker *worker)
{
    const pm_trace_engine_options options = {
        .target = target, .sample = sample, .seed = seed, .threads = threads, .worker = worker};
    pm_executor *executor = NULL;

    assert_ok(pm_executor_trace_open(&options, table, NULL, &executor, told()) == PM_OK);
    return executor;
}

/* Counts with an executor of its own. */
static void count_with(const pm_counter_table *table, const char *target, const pm_workload *w,
                       double sample, unsigned long long seed, unsigned threads, pm_worker *worker,
                       suite_counts *counts)
{
    pm_executor *executor = open_engine(table, target, sample, seed, threads, worker);

    assert_ok(executor->type->load(executor, w, told()) == PM_OK);
    assert_ok(suite_count(executor, table, w, counts, told()) == PM_OK);
    executor->type->close(executor);
}

static void expect_same(const char *what, const suite_counts *a, const suite_counts *b)
{
    if (!same_numbers(a->values, b->values, a->count) ||
        !same_numbers(a->errors, b->errors, a->count))
        fail_msg("%s: not the same counts", what);
}

/* Counts twice with one executor, and once with another one that has one thread. */
static void counts_again(const pm_counter_table *table, const suite_case *c, double sample)
{
    pm_executor *executor = open_engine(table, "k20c", sample, 7, 3, NULL);
    pm_workload *w = owned_workload(workload_in_size(c->program, c->variant, c->size, told()));
    suite_counts first, again, one_thread;

    assert_ok(executor->type->load(executor, w, told()) == PM_OK);
    assert_ok(suite_count(executor, table, w, &first, told()) == PM_OK);
    assert_ok(suite_count(executor, table, w, &again, told()) == PM_OK);
    executor->type->close(executor);
    count_with(table, "k20c", w, sample, 7, 1, NULL, &one_thread);
    expect_same(c->program, &first, &again);
    expect_same(c->program, &first, &one_thread);
}

TEST(the_same_seed_counts_the_same)
{
    static const double samples[] = {1, 0.3, 0.05};

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c += 4)
        for (size_t s = 0; s < sizeof samples / sizeof *samples; s++)
            counts_again(*state, &cases[c], samples[s]);
}

/* ---- standard errors ------------------------------------------------------------------------ */

/* Number of estimates of a counter, and of those whose error agrees with their standard error. */
typedef struct {
    unsigned estimates, honest;
} honesty;

static double tiny(const char *counter)
{
    return strncmp(counter, "l1_global_load_", 15) == 0 || strcmp(counter, "l2_read_sector") == 0
               ? TINY_OF_CACHE
               : TINY;
}

/* Returns whether a counter depends on the guess that a workload's data fits in L2. The guess is
 * made from few cells (work-groups of one wave on one compute unit), and no standard error covers
 * it. */
static bool is_guess(const char *counter)
{
    return strcmp(counter, "l2_read_hit") == 0 || strcmp(counter, "l2_read_miss") == 0 ||
           strncmp(counter, "dram_", 5) == 0;
}

static void compare_estimates(const pm_counter_table *table, const suite_case *c,
                              const suite_counts *whole, const suite_counts *sampled, honesty *of)
{
    size_t counters = pm_counter_table_size(table);

    for (size_t i = 0; i < whole->count; i++) {
        const char *name = pm_counter_name(table, i % counters);
        double value = whole->values[i], estimate = sampled->values[i];
        double error = sampled->errors[i], off = fabs(estimate - value);

        if (isnan(value) || !pm_counter_is_sampled(table, i % counters) || is_guess(name) ||
            (value == 0 && estimate == 0))
            continue;
        of[i % counters].estimates++;
        of[i % counters].honest += off <= 3 * error + tiny(name) * value;
        if (!(off <= 3 * error + tiny(name) * value))
            print_message("%s %s %s: %s is %g, of a sample %g +- %g\n", c->program, c->variant,
                          c->size, name, value, estimate, error);
    }
}

/* All cases use the same worker, so that each program is compiled once. */
static void sample_case(const pm_counter_table *table, const char *target, const suite_case *c,
                        honesty *of)
{
    pm_workload *w = owned_workload(workload_in_size(c->program, c->variant, c->size, told()));
    suite_counts whole, sampled;

    count_with(table, target, w, 1, 1, 0, test_worker(), &whole);
    for (unsigned seed = 1; seed <= SEEDS; seed++) {
        count_with(table, target, w, 0.1, seed, 0, test_worker(), &sampled);
        compare_estimates(table, c, &whole, &sampled, of);
    }
}

/* Runs every `step`-th case. */
static void errors_are_honest_on(const pm_counter_table *table, const char *target, size_t step)
{
    size_t counters = pm_counter_table_size(table);
    honesty *of = room(counters, sizeof *of);
    unsigned compared = 0, wrong = 0;

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c += step)
        sample_case(table, target, &cases[c], of);
    for (size_t i = 0; i < counters; i++) {
        compared += of[i].estimates > 0;
        if (of[i].honest >= SHARE * of[i].estimates)
            continue;
        print_error("%s: %s: %u of %u within 3 standard errors\n", target,
                    pm_counter_name(table, i), of[i].honest, of[i].estimates);
        wrong++;
    }
    assert_true(compared > 20);
    assert_int_equal(wrong, 0);
}

TEST(errors_are_honest_in_many_waves)
{
    errors_are_honest_on(*state, "k20c", 1);
}

TEST(errors_are_honest_in_few_waves)
{
    errors_are_honest_on(*state, "h100", 2);
}

int main(void)
{
    return engine_is_there() ? run_all_tests(open_table, close_table) : 77;
}
