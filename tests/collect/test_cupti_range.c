/* Tests the order in which perfmodel calls CUPTI to count events in user replay. A fake CUPTI in
 * this file enforces the rules of NVIDIA's reference, and returns counts that show which calls were
 * made.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "collector/cupti/cupti_range.h"
#include "owned.h"

#define PASSES 3
#define MOST 2048

/* State of the fake CUPTI. */
static struct {
    enum { OFF, ENABLED, SIZED, READY, CONFIGURED, STARTED, IN_RANGE, DECODED } state;
    size_t pass, pushed, in_image;
    size_t image[MOST]; /* launch of each range */
    size_t capacity;
    size_t begun, warmed, launched, enabled;
    size_t fail_launch; /* launch that fails; MOST: none */
    bool endless;       /* true: never reports that it has enough passes */
    pm_cupti_result enable_result;
} fake;

static struct pm_cupti_range_ {
    int unused;
} the_range;
static struct pm_cupti_host_ {
    int unused;
} the_host;
static char names[MOST][24];

static pm_cupti_result result_string(pm_cupti_result code, const char **text)
{
    *text = code == PM_CUPTI_INSUFFICIENT_PRIVILEGES ? "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"
                                                     : "CUPTI_ERROR_OTHER";
    return PM_CUPTI_SUCCESS;
}

static pm_cupti_result range_enable(pm_cupti_range_enable *p)
{
    if (fake.enable_result != PM_CUPTI_SUCCESS)
        return fake.enable_result;
    assert_int_equal(fake.state, OFF);
    fake.state = ENABLED;
    fake.enabled++;
    fake.pass = fake.in_image = 0;
    p->range = &the_range;
    return PM_CUPTI_SUCCESS;
}

static pm_cupti_result range_disable(pm_cupti_range_plain *p)
{
    assert_ptr_equal(p->range, &the_range);
    assert_int_not_equal(fake.state, OFF);
    fake.state = OFF;
    return PM_CUPTI_SUCCESS;
}

static pm_cupti_result range_data_size(pm_cupti_range_data_size *p)
{
    assert_int_equal(fake.state, ENABLED);
    assert_int_equal(p->metric_count, 2);
    assert_true(p->max_tree_nodes >= p->max_ranges);
    fake.state = SIZED;
    fake.capacity = p->max_ranges;
    p->image_size = 100;
    return PM_CUPTI_SUCCESS;
}

static pm_cupti_result range_data_initialize(pm_cupti_range_data_initialize *p)
{
    assert_int_equal(fake.state, SIZED);
    assert_int_equal(p->image_size, 100);
    memset(p->image, 1, p->image_size);
    fake.state = READY;
    return PM_CUPTI_SUCCESS;
}

static pm_cupti_result range_config(pm_cupti_range_config *p)
{
    assert_int_equal(fake.state, READY);
    assert_int_equal(p->range_mode, PM_CUPTI_USER_RANGE);
    assert_int_equal(p->replay_mode, PM_CUPTI_USER_REPLAY);
    assert_int_equal(p->nesting_levels, 1);
    assert_int_equal(p->min_nesting_level, 1);
    assert_int_equal(p->target_nesting_level, 1);
    assert_int_equal(p->pass, 0);
    assert_int_equal(p->config_size, 7);
    assert_memory_equal(p->config, "config!", 7);
    assert_true(p->max_ranges_per_pass <= fake.capacity);
    fake.state = CONFIGURED;
    return PM_CUPTI_SUCCESS;
}

static pm_cupti_result range_start(pm_cupti_range_plain *p)
{
    (void)p;
    assert_int_equal(fake.state, CONFIGURED);
    fake.state = STARTED;
    fake.pushed = 0;
    return PM_CUPTI_SUCCESS;
}

static pm_cupti_result range_push(pm_cupti_range_push *p)
{
    assert_int_equal(fake.state, STARTED);
    assert_true(fake.pushed < fake.capacity);
    fake.state = IN_RANGE;
    fake.image[fake.pushed++] = strtoul(p->name, NULL, 10);
    return PM_CUPTI_SUCCESS;
}

static pm_cupti_result range_pop(pm_cupti_range_plain *p)
{
    (void)p;
    assert_int_equal(fake.state, IN_RANGE);
    fake.state = STARTED;
    return PM_CUPTI_SUCCESS;
}

static pm_cupti_result range_stop(pm_cupti_range_stop *p)
{
    fake.state = CONFIGURED;
    fake.in_image = fake.pushed;
    p->all_submitted = ++fake.pass == PASSES && !fake.endless;
    return PM_CUPTI_SUCCESS;
}

static pm_cupti_result range_decode(pm_cupti_range_decode *p)
{
    assert_int_equal(fake.state, CONFIGURED);
    assert_int_equal(fake.pass, PASSES);
    fake.state = DECODED;
    p->dropped = 0;
    return PM_CUPTI_SUCCESS;
}

static pm_cupti_result range_data_info(pm_cupti_range_data_info *p)
{
    assert_int_equal(fake.state, DECODED);
    p->ranges = fake.in_image;
    return PM_CUPTI_SUCCESS;
}

/* The ranges come back in another order than they were pushed. */
static size_t launch_at(size_t range)
{
    return fake.image[fake.in_image - 1 - range];
}

static pm_cupti_result range_info(pm_cupti_range_info *p)
{
    snprintf(names[p->index], sizeof names[0], "%zu", launch_at(p->index));
    p->name = names[p->index];
    return PM_CUPTI_SUCCESS;
}

static pm_cupti_result host_initialize(pm_cupti_host_initialize *p)
{
    p->host = &the_host;
    return PM_CUPTI_SUCCESS;
}

static pm_cupti_result host_deinitialize(pm_cupti_host_plain *p)
{
    assert_ptr_equal(p->host, &the_host);
    return PM_CUPTI_SUCCESS;
}

static pm_cupti_result host_properties(pm_cupti_host_properties *p)
{
    return strcmp(p->metric, "missing.sum") == 0 ? PM_CUPTI_INVALID_METRIC_NAME : PM_CUPTI_SUCCESS;
}

static pm_cupti_result host_add(pm_cupti_host_add *p)
{
    assert_int_equal(p->metric_count, 2);
    return PM_CUPTI_SUCCESS;
}

static pm_cupti_result host_config_size(pm_cupti_host_config_size *p)
{
    p->config_size = 7;
    return PM_CUPTI_SUCCESS;
}

static pm_cupti_result host_config(pm_cupti_host_config *p)
{
    assert_int_equal(p->config_size, 7);
    memcpy(p->config, "config!", 7);
    return PM_CUPTI_SUCCESS;
}

static pm_cupti_result host_passes(pm_cupti_host_passes *p)
{
    p->passes = PASSES;
    return PM_CUPTI_SUCCESS;
}

/* The metric x.sum is the number of the launch, y.sum is 1000 times that number. */
static pm_cupti_result host_evaluate(pm_cupti_host_evaluate *p)
{
    for (size_t i = 0; i < p->metric_count; i++)
        p->values[i] =
            (double)launch_at(p->range) * (strcmp(p->metrics[i], "y.sum") == 0 ? 1000 : 1);
    return PM_CUPTI_SUCCESS;
}

static const pm_cupti cupti = {
    .result_string = result_string,
    .range_enable = range_enable,
    .range_disable = range_disable,
    .range_start = range_start,
    .range_stop = range_stop,
    .range_push = range_push,
    .range_pop = range_pop,
    .range_decode = range_decode,
    .range_data_size = range_data_size,
    .range_data_initialize = range_data_initialize,
    .range_config = range_config,
    .range_data_info = range_data_info,
    .range_info = range_info,
    .host_initialize = host_initialize,
    .host_deinitialize = host_deinitialize,
    .host_properties = host_properties,
    .host_add = host_add,
    .host_config_size = host_config_size,
    .host_config = host_config,
    .host_passes = host_passes,
    .host_evaluate = host_evaluate,
};

/* ---- the work that is counted ------------------------------------------------------------ */

static pm_status begin(void *user, pm_error *err)
{
    (void)user;
    (void)err;
    assert_int_equal(fake.state, CONFIGURED); /* data is restored outside of the counting */
    fake.begun++;
    fake.launched = 0;
    return PM_OK;
}

static pm_status warm_up(void *user, pm_error *err)
{
    (void)user;
    (void)err;
    assert_int_equal(fake.state, STARTED); /* counting has begun, but no range is open */
    fake.warmed++;
    return PM_OK;
}

static pm_status launch(void *user, size_t i, pm_error *err)
{
    (void)user;
    assert_true(fake.state == IN_RANGE || fake.state == STARTED);
    assert_int_equal(i, fake.launched++);
    if (i == fake.fail_launch) {
        err->status = PM_FAILED;
        snprintf(err->text, sizeof err->text, "launch %zu failed", i);
        return PM_FAILED;
    }
    return PM_OK;
}

typedef struct {
    pm_counter_table *table;
    pm_cupti_metrics *metrics;
} fixture;

OWNED(metrics, pm_cupti_metrics, pm_cupti_metrics_free)

static int set_up(void **state)
{
    static const char text[] = "[families]\nhopper = GH100\n"
                               "[difference]\nwhat = w\nunit = u\nkind = code\n"
                               "cupti = y.sum - x.sum\n"
                               "[none]\nwhat = w\nunit = u\nkind = code\ncupti = none\n"
                               "[missing]\nwhat = w\nunit = u\nkind = code\ncupti = missing.sum\n"
                               "[twice]\nwhat = w\nunit = u\nkind = code\n"
                               "cupti = x.sum + x.sum\n";
    char path[320];
    fixture *f = room(1, sizeof *f);

    snprintf(path, sizeof path, "%s/counters.ini", scratch_folder());
    write_text(path, text);
    f->table = owned_table(pm_counter_table_read(path, told()));
    f->metrics =
        owned_metrics(pm_cupti_metrics_create(&cupti, f->table, "GH100", NULL, NULL, told()));
    memset(&fake, 0, sizeof fake);
    fake.fail_launch = MOST;
    *state = f;
    return 0;
}

#define FIXTURE_TEST(name) TEST_OF(fixture, name, set_up, NULL)

static pm_status count(fixture *f, size_t launches, double *values, pm_error *err)
{
    const pm_cupti_work work = {
        .launches = launches, .begin = begin, .warm_up = warm_up, .launch = launch};

    return pm_cupti_count(&cupti, f->metrics, NULL, &work, 4, values, err);
}

static void check_values(const double *values, size_t launches)
{
    for (size_t i = 0; i < launches; i++) {
        assert_true(values[4 * i] == 999.0 * (double)i);
        assert_true(isnan(values[4 * i + 1]));
        assert_true(isnan(values[4 * i + 2]));
        assert_true(values[4 * i + 3] == 2.0 * (double)i);
    }
}

FIXTURE_TEST(test_few)
{
    double values[5 * 4];

    assert_int_equal(count(f, 5, values, told()), PM_OK);
    check_values(values, 5);
    assert_int_equal(fake.begun, PASSES);
    assert_int_equal(fake.warmed, PASSES);
    assert_int_equal(fake.enabled, 1);
    assert_int_equal(fake.state, OFF);
}

/* Counts more launches than one counter data image holds. All launches run in every pass. */
FIXTURE_TEST(test_many)
{
    static double values[1300 * 4];

    assert_int_equal(count(f, 1300, values, told()), PM_OK);
    check_values(values, 1300);
    assert_true(fake.enabled > 1);
    assert_int_equal(fake.begun, PASSES * fake.enabled);
    assert_int_equal(fake.state, OFF);
}

FIXTURE_TEST(test_failed_launch)
{
    double values[5 * 4];

    fake.fail_launch = 3;
    assert_int_equal(count(f, 5, values, told()), PM_FAILED);
    assert_string_equal(last_error.text, "launch 3 failed");
    assert_int_equal(fake.state, OFF);
}

FIXTURE_TEST(test_endless)
{
    double values[5 * 4];

    fake.endless = true;
    assert_int_equal(count(f, 5, values, told()), PM_FAILED);
    assert_non_null(strstr(last_error.text, "passes"));
    assert_int_equal(fake.state, OFF);
}

FIXTURE_TEST(test_no_rights)
{
    double values[5 * 4];

    fake.enable_result = PM_CUPTI_INSUFFICIENT_PRIVILEGES;
    assert_int_equal(count(f, 5, values, told()), PM_FAILED);
    assert_non_null(strstr(last_error.text, "cuptiRangeProfilerEnable"));
    assert_non_null(strstr(last_error.text, "NVreg_RestrictProfilingToAdminUsers=0"));
}
