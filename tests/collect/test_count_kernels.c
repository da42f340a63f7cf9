/* Tests how the counts of launches become counts of kernels: which counters are summed, which are
 * unknown, their standard errors, and when the outputs are compared with the reference. The counts
 * come from an executor that makes up numbers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "collector/measure.h"
#include "owned.h"

enum { LAUNCHES = 3, KERNELS = 2 };

/* Launches 0 and 2 have the same kernel, which gets number 0. */
static const char *const kernels[LAUNCHES] = {"a", "b", "a"};

typedef struct {
    pm_executor base;
    const pm_counter_table *table;
    size_t lacks_launch, lacks_counter; /* unknown there */
    bool complete;
} counting_executor;

static pm_status count(pm_executor *executor, double *values, double *errors, pm_error *err)
{
    const counting_executor *self = (const counting_executor *)executor;
    size_t counters = pm_counter_table_size(self->table);

    (void)err;
    for (size_t l = 0; l < LAUNCHES; l++)
        for (size_t i = 0; i < counters; i++) {
            bool lacks = l == self->lacks_launch && i == self->lacks_counter;

            values[l * counters + i] = lacks ? NAN : (double)((3 - l) * 1000 + i);
            errors[l * counters + i] = lacks ? NAN : l == 0 ? 3 : 4;
        }
    return PM_OK;
}

static bool complete(const pm_executor *executor)
{
    return ((const counting_executor *)executor)->complete;
}

static pm_status read_buffer(pm_executor *executor, size_t buffer, void *dst, pm_error *err)
{
    (void)executor;
    (void)buffer;
    (void)err;
    *(unsigned char *)dst = 7;
    return PM_OK;
}

static pm_status check(const pm_workload *workload, const void *const *outputs, pm_error *err)
{
    (void)workload;
    (void)err;
    ++*(int *)workload->check_context;
    return *(const unsigned char *)outputs[0] == 7 ? PM_OK : PM_FAILED;
}

static const pm_executor_class type = {
    .name = "test", .count = count, .complete = complete, .read = read_buffer};

typedef struct {
    counting_executor executor;
    pm_counter_table *table;
    pm_workload *workload;
    pm_timing timing;
    int checks;
    double *values, *errors;
} counted;

static size_t counter(const counted *c, const char *name)
{
    size_t i = 0;

    while (strcmp(pm_counter_name(c->table, i), name) != 0)
        i++;
    return i;
}

OWNED(timing, pm_timing, pm_timing_free)

static int open_counted(void **state)
{
    const size_t global[] = {1024}, local[] = {64};
    counted *c = room(1, sizeof *c);

    c->table = owned_table(pm_counter_table_read(NULL, told()));
    c->workload = owned_workload(pm_workload_create("program", "variant", "size"));
    pm_workload_buffer(c->workload, "out", 1, NULL, PM_BUFFER_OUTPUT);
    for (size_t l = 0; l < LAUNCHES; l++)
        pm_workload_launch(c->workload, kernels[l], 1, global, local);
    pm_workload_check(c->workload, check, &c->checks, NULL);
    assert_int_equal(pm_timing_untimed(c->workload, &c->timing, told()), PM_OK);
    owned_timing(&c->timing);
    c->executor =
        (counting_executor){.base.type = &type, .table = c->table, .lacks_launch = LAUNCHES};
    c->values = room(KERNELS * pm_counter_table_size(c->table), sizeof *c->values);
    c->errors = room(KERNELS * pm_counter_table_size(c->table), sizeof *c->errors);
    *state = c;
    return 0;
}

#define COUNTED_TEST(name) TEST_WITH(name, open_counted, NULL)

static void count_all(counted *c, bool executor)
{
    assert_ok(pm_count_kernels(executor ? &c->executor.base : NULL, c->table, c->workload,
                               &c->timing, c->values, c->errors, NULL, told()) == PM_OK);
}

COUNTED_TEST(nothing_is_timed)
{
    const counted *c = *state;

    assert_int_equal(c->timing.kernel_count, KERNELS);
    assert_int_equal(c->timing.runs, 0);
    for (size_t k = 0; k < KERNELS; k++) {
        assert_true(isnan(c->timing.kernels[k].time_s));
        assert_true(isnan(c->timing.kernels[k].time_mad_s));
        assert_true(c->timing.kernels[k].launches == 2 - (double)k);
    }
}

COUNTED_TEST(launches_are_summed)
{
    counted *c = *state;
    size_t counters = pm_counter_table_size(c->table), i = counter(c, "gld_request");

    count_all(c, true);
    assert_true(c->values[i] == 4000 + 2 * (double)i);
    assert_true(c->values[counters + i] == 2000 + (double)i);
    assert_true(c->errors[i] == 5); /* the errors 3 and 4 are independent and add in quadrature */
    assert_true(c->errors[counters + i] == 4);
}

COUNTED_TEST(what_a_launch_has_is_not_summed)
{
    counted *c = *state;
    size_t i = counter(c, "registers"), groups = counter(c, "work_groups");

    count_all(c, true);
    assert_true(c->values[i] == 3000 + (double)i);
    assert_true(c->values[groups] == 32);
    assert_true(c->errors[groups] == 0);
}

COUNTED_TEST(unknown_once_is_unknown)
{
    counted *c = *state;
    size_t counters = pm_counter_table_size(c->table);
    static const char *const names[] = {"gld_request", "registers"};

    for (size_t n = 0; n < 2; n++)
        for (size_t l = 0; l < LAUNCHES; l++) {
            size_t i = counter(c, names[n]), k = l == 1;

            c->executor.lacks_launch = l;
            c->executor.lacks_counter = i;
            count_all(c, true);
            assert_true(isnan(c->values[k * counters + i]));
            assert_true(isnan(c->errors[k * counters + i]));
            assert_false(isnan(c->values[(1 - k) * counters + i]));
        }
}

COUNTED_TEST(without_an_executor_only_the_launch_is_known)
{
    counted *c = *state;
    size_t counters = pm_counter_table_size(c->table), groups = counter(c, "work_groups");

    count_all(c, false);
    for (size_t i = 0; i < counters; i++) {
        assert_true(isnan(c->values[i]) == (i != groups));
        assert_true(isnan(c->errors[i]) == (i != groups));
    }
    assert_true(c->values[groups] == 32 && c->values[counters + groups] == 16);
}

COUNTED_TEST(outputs_are_checked_where_all_ran)
{
    counted *c = *state;

    count_all(c, true);
    assert_int_equal(c->checks, 0);
    c->executor.complete = true;
    count_all(c, true);
    assert_int_equal(c->checks, 1);
}

COUNTED_TEST(sampling_cannot_touch_what_the_launch_tells)
{
    static const char *const exact[] = {"registers",      "shared_bytes", "resident_groups",
                                        "launched_warps", "work_groups",  "active_cycles",
                                        "active_warps",   "issue_active", "duration"};
    const counted *c = *state;

    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
        assert_false(pm_counter_is_sampled(c->table, counter(c, exact[i])));
    assert_true(pm_counter_is_sampled(c->table, counter(c, "gld_request")));
    assert_true(pm_counter_is_sampled(c->table, counter(c, "dram_write_bytes")));
}
