/* Compares counters.ini with every chip that CUPTI on this machine knows. No GPU is needed. Each
 * metric that the table names must exist. If the table says "none" for a family of chips, the
 * default metric must not exist there. Without libcupti, the test is skipped with a message.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <dlfcn.h>

#include "collector/cupti/cupti_metrics.h"
#include "machine/counters/counters.h"
#include "unit.h"

/* Largest number of passes on any GPU; Volta needs the most. */
#define MOST_PASSES 12

static pm_cupti cupti;
static pm_counter_table *table;

static void say(void *user, const char *line)
{
    (void)user;
    print_message("%s\n", line);
}

/* If the table says that a chip lacks a counter, returns an expression of another family that the
 * chip can count. Then "none" is a mistake. */
static const char *wrongly_none(const pm_cupti_metrics *metrics, size_t counter)
{
    static const char *const families[] = {"volta", "turing", "ampere",    "ampere_rtx",
                                           "ada",   "hopper", "blackwell", "blackwell_rtx"};

    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++) {
        const char *rest = pm_counter_expression(table, counter, families[f]), *whole = rest;
        char metric[PM_METRIC_NAME];
        bool known = rest != NULL;
        int sign;

        while (known && pm_counter_expression_next(&rest, metric, sizeof metric, &sign))
            known = pm_cupti_metrics_known(metrics, metric);
        if (known)
            return whole;
    }
    return NULL;
}

static void check_chip(const char *chip)
{
    const pm_log log = {.fn = say};
    const char *family = pm_counter_family(table, chip);
    pm_cupti_metrics *metrics;
    size_t names;

    if (!family)
        fail_msg("CUPTI knows %s, counters.ini has no family for it", chip);
    metrics = pm_cupti_metrics_create(&cupti, table, chip, NULL, &log, told());
    if (!metrics && strstr(last_error.text, "cuptiProfilerHostInitialize")) {
        /* CUPTI has data for some chips only on a machine with a GPU of this type. */
        print_message("%-6s not checked: %s\n", chip, last_error.text);
        return;
    }
    if (!metrics)
        fail_msg("%s: %s", chip, last_error.text);
    for (size_t i = 0; i < pm_counter_table_size(table); i++) {
        bool claimed = pm_counter_expression(table, i, family) != NULL;
        const char *other = claimed ? NULL : wrongly_none(metrics, i);

        if (claimed && !pm_cupti_metrics_has(metrics, i))
            fail_msg("%s on %s: CUPTI has no such metric", pm_counter_name(table, i), chip);
        if (other)
            fail_msg("%s on %s is none, but CUPTI has %s", pm_counter_name(table, i), chip, other);
    }
    pm_cupti_metrics_names(metrics, &names);
    print_message("%-6s %-14s %zu metrics in %zu passes\n", chip, family, names,
                  pm_cupti_metrics_passes(metrics));
    assert_in_range(pm_cupti_metrics_passes(metrics), 1, MOST_PASSES);
    pm_cupti_metrics_free(metrics);
}

TEST(test_every_chip)
{
    pm_cupti_host_chips chips = {.size = PM_CUPTI_SIZE(pm_cupti_host_chips, chips)};

    assert_int_equal(cupti.host_chips(&chips), PM_CUPTI_SUCCESS);
    assert_true(chips.count > 0);
    for (size_t i = 0; i < chips.count; i++)
        check_chip(chips.chips[i]);
}

/* A metric that no chip has leaves its counter empty and causes no failure. */
TEST(test_unknown_metric)
{
    pm_cupti_metrics *metrics = pm_cupti_metrics_create(&cupti, table, "GH100", NULL, NULL, told());

    assert_ok(metrics);
    assert_true(pm_cupti_metrics_known(metrics, "smsp__inst_executed.sum"));
    assert_false(pm_cupti_metrics_known(metrics, "smsp__no_such_thing.sum"));
    pm_cupti_metrics_free(metrics);
    assert_null(pm_cupti_metrics_create(&cupti, table, "XX999", NULL, NULL, told()));
    assert_non_null(strstr(last_error.text, "XX999"));
}

int main(void)
{
    pm_error err = {0};
    pm_cupti_metrics *metrics;
    bool stub = false;
    int failures;

    /* CUPTI requires a libcuda.so.1 in the process. If the machine has no GPU, an empty library
     * with this name is sufficient for calls that need no GPU. */
    if (!dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL)) {
        stub = true;
        if (!dlopen(PM_TEST_LIBCUDA, RTLD_NOW | RTLD_GLOBAL))
            print_message("no libcuda.so.1: %s\n", dlerror());
    }
    if (pm_cupti_open(&cupti, &err) != PM_OK) {
        print_message("SKIPPED test_counter_table: %s\n", err.text);
        return 77;
    }
    table = pm_counter_table_read(NULL, &err);
    if (!table) {
        print_error("%s\n", err.text);
        return 1;
    }
    metrics = pm_cupti_metrics_create(&cupti, table, "GH100", NULL, NULL, &err);
    if (!metrics && stub) {
        print_message("SKIPPED test_counter_table: without the NVIDIA driver this CUPTI does not "
                      "start (%s); CUPTI 13.0 does\n",
                      err.text);
        return 77;
    }
    pm_cupti_metrics_free(metrics);
    failures = run_all_tests(NULL, NULL);
    pm_counter_table_free(table);
    pm_cupti_close(&cupti);
    return failures;
}
