/* Tests how the trace engine counts only some of many equal launches: which ones, that the scaled
 * counts agree with those of all launches within the standard errors, and that no launch is left
 * out whose data a later one needs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/select_launches.h"
#include "trace_suite.h"

enum { MANY = 500, SIDE = 288, ITEMS = 256, GROUP = 64 };

/* Kernels whose work grows with the launch number: `grow` by an argument, `feed` by data that the
 * previous launch wrote. `add` does the same work each time on different numbers. */
static const char source[] =
    "__kernel void grow(__global const float *in, __global float *out, int rounds)\n"
    "{\n"
    "    float sum = 0.0f;\n"
    "    for (int i = 0; i < rounds; i++)\n"
    "        sum += in[(get_global_id(0) + 7 * i) % 256];\n"
    "    out[get_global_id(0)] = sum;\n"
    "}\n"
    "__kernel void feed(__global const int *in, __global int *out)\n"
    "{\n"
    "    int sum = 0;\n"
    "    for (int i = 0; i < in[get_global_id(0)] / 16; i++)\n"
    "        sum += in[i];\n"
    "    out[get_global_id(0)] = in[get_global_id(0)] + 1 + (sum < 0);\n"
    "}\n"
    "__kernel void add(__global const int *in, __global int *out)\n"
    "{\n"
    "    out[get_global_id(0)] = in[get_global_id(0)] + 1;\n"
    "}\n"
    "__kernel void eliminate(__global float *a, int n, int k)\n"
    "{\n"
    "    int column = k + 1 + get_global_id(0), row = k + 1 + get_global_id(1);\n"
    "    if (column < n && row < n)\n"
    "        a[row * n + column] -= a[row * n + k] * a[k * n + column];\n"
    "}\n";

/* Makes a workload of `launches` launches whose kernels alternate. `grow` gets the number of its
 * launch. */
static pm_workload *workload_of(const char *const *kernels, size_t kinds, size_t launches)
{
    pm_workload *w = owned_workload(pm_workload_create("test", "", ""));

    w->source_path = strdup("test.cl");
    w->source = strdup(source);
    for (size_t i = 0; i < 2; i++)
        pm_workload_buffer(w, i ? "b" : "a", ITEMS * 4, NULL, PM_BUFFER_IN);
    for (size_t i = 0; i < launches; i++) {
        const char *kernel = kernels[i % kinds];

        pm_workload_launch(w, kernel, 1, (size_t[]){ITEMS}, (size_t[]){GROUP});
        pm_workload_arg_buffer(w, i / kinds % 2);
        pm_workload_arg_buffer(w, 1 - i / kinds % 2);
        if (strcmp(kernel, "grow") == 0)
            pm_workload_arg_int(w, (int32_t)i);
    }
    assert_int_equal(w->error.status, PM_OK);
    return w;
}

/* Makes an elimination: one launch per column of a matrix, over the remaining matrix. */
static pm_workload *elimination(size_t n)
{
    pm_workload *w = owned_workload(pm_workload_create("test", "", ""));

    w->source_path = strdup("test.cl");
    w->source = strdup(source);
    pm_workload_buffer(w, "a", n * n * 4, NULL, PM_BUFFER_IN);
    for (size_t k = 0; k + 1 < n; k++) {
        pm_workload_launch(w, "eliminate", 2,
                           (size_t[]){(n - k + 30) / 32 * 32, (n - k + 6) / 8 * 8},
                           (size_t[]){32, 8});
        pm_workload_arg_buffer(w, 0);
        pm_workload_arg_int(w, (int32_t)n);
        pm_workload_arg_int(w, (int32_t)k);
    }
    assert_int_equal(w->error.status, PM_OK);
    return w;
}

/* ---- selection of launches ---------------------------------------------------------------- */

TEST(stretches_are_spread_over_the_pass)
{
    static const char *const kernels[] = {"grow"};
    pm_workload *w = workload_of(kernels, 1, MANY);
    pm_launch_choice choices[MANY], again[MANY], other[MANY];
    size_t last = 0;

    assert_int_equal(pm_launches_choose(w, NULL, false, true, 1, choices), PM_MOST_LAUNCHES);
    assert_int_equal(pm_launches_choose(w, NULL, false, true, 1, again), PM_MOST_LAUNCHES);
    assert_int_equal(pm_launches_choose(w, NULL, false, true, 2, other), PM_MOST_LAUNCHES);
    assert_memory_equal(choices, again, sizeof choices);
    assert_memory_not_equal(choices, other, sizeof choices);
    for (size_t i = 0; i < MANY; i++) {
        assert_int_equal(choices[i].kind, 0);
        assert_int_equal(choices[i].number, i);
        /* Runs of PM_STRETCH launches are selected. No two are further apart than twice an equal
         * part of the launches. */
        assert_int_equal(choices[i].counted, choices[i / PM_STRETCH * PM_STRETCH].counted);
        if (choices[i].counted) {
            assert_true(i - last <= 2 * MANY / (PM_MOST_LAUNCHES / PM_STRETCH - 1));
            last = i;
        }
    }
    assert_true(choices[0].counted);
    assert_true(last >= MANY - MANY / 10);
}

TEST(few_launches_are_all_counted)
{
    static const char *const kernels[] = {"grow"};
    pm_workload *few = workload_of(kernels, 1, PM_MOST_LAUNCHES);
    pm_workload *many = workload_of(kernels, 1, MANY);
    pm_launch_choice choices[MANY];

    assert_int_equal(pm_launches_choose(few, NULL, false, true, 1, choices), PM_MOST_LAUNCHES);
    assert_int_equal(pm_launches_choose(many, NULL, true, true, 1, choices), MANY);
}

TEST(kernels_that_take_turns_are_counted_together)
{
    static const char *const kernels[] = {"grow", "feed"};
    pm_workload *w = workload_of(kernels, 2, MANY);
    pm_launch_choice choices[MANY];

    /* A launch with another range belongs to another kind. */
    w->launches[MANY - 2].global[0] = 2 * ITEMS;
    assert_int_equal(pm_launches_choose(w, NULL, false, true, 1, choices),
                     2 * PM_MOST_LAUNCHES + 1);
    assert_true(choices[MANY - 2].counted);
    assert_int_equal(choices[MANY - 2].kind, MANY - 2);
    for (size_t i = 0; i + 2 < MANY; i += 2) {
        assert_int_equal(choices[i].kind, 0);
        assert_int_equal(choices[i + 1].kind, 1);
        assert_int_equal(choices[i + 1].number, i / 2);
    }
}

TEST(launches_over_a_changing_range_are_one_kind)
{
    pm_workload *w = elimination(MANY);
    pm_launch_choice choices[MANY];

    assert_int_equal(pm_launches_choose(w, NULL, false, true, 1, choices), PM_MOST_CHANGING);
    for (size_t i = 0; i < w->launch_count; i++) {
        assert_int_equal(choices[i].kind, 0);
        assert_int_equal(choices[i].number, i);
        assert_true(choices[i].changing);
    }
    /* Launches between the selected runs are left out, and less than one run at the end. */
    assert_true(choices[0].counted);
    assert_true(choices[(w->launch_count / PM_STRETCH - 1) * PM_STRETCH].counted);
    /* All launches are counted if all are requested. They are also counted if each may access its
     * own part of memory, which does not stay in L2. */
    assert_int_equal(pm_launches_choose(w, NULL, false, false, 1, choices), w->launch_count);
    assert_int_equal(pm_launches_choose(w, NULL, true, true, 1, choices), w->launch_count);
    w = elimination(PM_FEW_CHANGING + 1);
    assert_int_equal(pm_launches_choose(w, NULL, false, true, 1, choices), PM_FEW_CHANGING);
}

TEST(launches_whose_range_goes_up_and_down_are_all_counted)
{
    pm_launch_choice choices[MANY];
    pm_workload *w = elimination(MANY);

    w->launches[MANY / 2].global[1] = MANY + 4;
    assert_int_equal(pm_launches_choose(w, NULL, false, true, 1, choices), w->launch_count);
    w = elimination(MANY);
    w->launches[0].global[0] *= 4; /* no step */
    assert_int_equal(pm_launches_choose(w, NULL, false, true, 1, choices), w->launch_count);
}

/* ---- estimated counts --------------------------------------------------------------------- */

/* Sums of one counter over a workload's launches, and its standard error. */
typedef struct {
    double value, error;
} total;

static total total_of(const pm_counter_table *table, const suite_counts *counts, const char *name)
{
    size_t counters = pm_counter_table_size(table);
    total sum = {0};

    for (size_t i = 0; i < counts->count; i++)
        if (strcmp(pm_counter_name(table, i % counters), name) == 0) {
            sum.value += counts->values[i];
            sum.error += counts->errors[i] * counts->errors[i];
        }
    sum.error = sqrt(sum.error);
    return sum;
}

static bool count_with(const pm_counter_table *table, const pm_workload *w, double sample,
                       unsigned long long seed, suite_counts *counts)
{
    const pm_trace_engine_options options = {
        .target = "h100", .sample = sample, .seed = seed, .worker = test_worker()};
    pm_executor *executor = NULL;
    bool complete;

    if (pm_executor_trace_open(&options, table, NULL, &executor, told()) != PM_OK ||
        executor->type->load(executor, w, told()) != PM_OK ||
        suite_count(executor, table, w, counts, told()) != PM_OK)
        fail_msg("%s", last_error.text);
    complete = executor->type->complete(executor);
    executor->type->close(executor);
    return complete;
}

TEST(totals_are_within_their_errors)
{
    static const char *const kernels[] = {"grow"}, *const names[] = {"gld_request",
                                                                     "inst_executed"};
    pm_workload *w = workload_of(kernels, 1, MANY);
    suite_counts all, some;

    assert_true(count_with(*state, w, 1, 1, &all));
    /* 8 warps, each loading 0 to 499 times. */
    assert_true(total_of(*state, &all, names[0]).value == 8.0 * (MANY - 1) * MANY / 2);
    for (unsigned seed = 1; seed <= 4; seed++) {
        assert_false(count_with(*state, w, 0, seed, &some));
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            total want = total_of(*state, &all, names[i]), got = total_of(*state, &some, names[i]);

            if (!(fabs(got.value - want.value) <= 3 * got.error && got.error > 0 &&
                  got.error < 0.3 * want.value))
                fail_msg("%s is %g, estimated as %g +- %g", names[i], want.value, got.value,
                         got.error);
        }
    }
}

/* The totals of an elimination are within their small errors. So is each launch, relative to the
 * first and largest launch. */
TEST(a_changing_range_is_counted_closely)
{
    static const char *const names[] = {"gld_request", "gst_sector",     "inst_executed",
                                        "warp_span",   "l2_read_sector", "inst_fp32"};
    pm_workload *w = elimination(SIDE);
    const size_t counters = pm_counter_table_size(*state);
    suite_counts all, some;

    count_with(*state, w, 1, 1, &all);
    for (unsigned seed = 1; seed <= 3; seed++) {
        assert_false(count_with(*state, w, 0, seed, &some));
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            total want = total_of(*state, &all, names[i]), got = total_of(*state, &some, names[i]);

            if (!(fabs(got.value - want.value) <= 3 * got.error && got.error > 0 &&
                  fabs(got.value - want.value) < 0.02 * want.value))
                fail_msg("%s is %g, estimated as %g +- %g", names[i], want.value, got.value,
                         got.error);
        }
    }
    for (size_t i = 0; i < all.count; i++)
        if (strcmp(pm_counter_name(*state, i % counters), "inst_executed") == 0)
            assert_true(fabs(some.values[i] - all.values[i]) < 0.02 * all.values[i % counters]);
}

/* Equal launches have equal counts, and the estimate has no error. */
TEST(the_inverse_is_counted_exactly)
{
    static const suite_case inverse = {"inverse", "local", "256"};
    static const char *const names[] = {"gld_request", "gst_sector", "shared_load", "inst_executed",
                                        "l2_read_sector"};
    pm_workload *w =
        owned_workload(suite_workload(inverse.program, inverse.variant, inverse.size, told()));
    suite_counts all, some;

    count_with(*state, w, 1, 1, &all);
    count_with(*state, w, 0, 1, &some);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        total want = total_of(*state, &all, names[i]), got = total_of(*state, &some, names[i]);

        if (want.value == 0 || got.value != want.value || got.error != 0)
            fail_msg("%s is %.17g, estimated as %.17g +- %g", names[i], want.value, got.value,
                     got.error);
    }
}

/* Each launch loops as often as the previous one stored, so a sample of launches would not
 * represent the others. */
TEST(launches_that_depend_on_others_are_all_counted)
{
    static const char *const kernels[] = {"feed"};
    pm_workload *w = workload_of(kernels, 1, MANY / 2);
    suite_counts all, some;

    count_with(*state, w, 1, 1, &all);
    assert_true(count_with(*state, w, 0, 1, &some));
    assert_int_equal(all.count, some.count);
    assert_true(same_numbers(some.values, all.values, all.count));
}

/* The last launch loops as often as all previous launches stored. If one were left out, its count
 * would be too small. */
TEST(launches_whose_data_is_needed_run)
{
    static const char *const kernels[] = {"add"};
    pm_workload *w = workload_of(kernels, 1, MANY);
    pm_launch_choice choices[MANY];
    const unsigned least_added = (MANY - 1) / 16;
    total want, got;
    suite_counts all, some;

    free(w->launches[MANY - 1].kernel);
    w->launches[MANY - 1].kernel = strdup("feed");
    assert_int_equal(pm_launches_choose(w, NULL, false, true, 1, choices), PM_MOST_LAUNCHES + 1);
    count_with(*state, w, 1, 1, &all);
    count_with(*state, w, 0, 1, &some);
    want = total_of(*state, &all, "gld_request");
    got = total_of(*state, &some, "gld_request");
    /* 8 warps, each with a load, and in the last launch at least one load for each 16 that were
     * added */
    assert_true(want.value >= 8.0 * (MANY - 1 + least_added));
    assert_true(got.value == want.value);
}

int main(void)
{
    return engine_is_there() ? run_all_tests(open_table, close_table) : 77;
}
