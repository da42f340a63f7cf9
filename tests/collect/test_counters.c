/* The counter table's parser: the shipped table, small tables, and hostile ones.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <unistd.h>

#include "machine/counters/counters.h"
#include "owned.h"

#define FAMILIES "[families]\nhopper = GH100\nada = AD102 AD103\n"
#define GOOD "[a]\nwhat = w\nunit = u\nkind = code\ncupti = x.sum\n"

static char path[] = "/tmp/pm_test_counters_XXXXXX";

static int make_file(void **state)
{
    int fd = mkstemp(path);

    (void)state;
    return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static pm_counter_table *read_bytes(const char *text, size_t size, pm_error *err)
{
    FILE *file = need(fopen(path, "w"));

    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return pm_counter_table_read(path, err);
}

/* Checks that reading the text fails with PM_BAD_INPUT at this line and with this word in the
 * message. */
static void expect_fault(const char *text, size_t line, const char *word)
{
    char where[64];

    snprintf(where, sizeof where, "%s:%zu: ", path, line);
    assert_null(read_bytes(text, strlen(text), told()));
    assert_int_equal(last_error.status, PM_BAD_INPUT);
    if (!strstr(last_error.text, where) || !strstr(last_error.text, word))
        fail_msg("expected \"%s\" and \"%s\" in: %s", where, word, last_error.text);
}

TEST(test_small_table)
{
    const char *text = FAMILIES "[a]\nwhat = one\n two\nunit = bytes\nkind = run\n"
                                "cupti = x.sum\n + y.sum - z.sum\nada = none\n"
                                "[b]\nwhat = w\nunit = u\nkind = time\nhopper = h.sum\n";
    pm_counter_table *table = owned_table(read_bytes(text, strlen(text), told()));

    assert_int_equal(pm_counter_table_size(table), 2);
    assert_string_equal(pm_counter_name(table, 0), "a");
    assert_string_equal(pm_counter_unit(table, 0), "bytes");
    assert_int_equal(pm_counter_kind_at(table, 0), PM_COUNTER_RUN);
    assert_int_equal(pm_counter_kind_of(table, "b"), PM_COUNTER_TIME);
    assert_int_equal(pm_counter_kind_of(table, "none_such"), PM_COUNTER_CODE);
    assert_string_equal(pm_counter_family(table, "AD103"), "ada");
    assert_null(pm_counter_family(table, "AD10"));
    assert_null(pm_counter_family(table, "AD1033"));
    assert_null(pm_counter_family(table, ""));
    assert_string_equal(pm_counter_expression(table, 0, "hopper"), "x.sum + y.sum - z.sum");
    assert_null(pm_counter_expression(table, 0, "ada"));
    assert_string_equal(pm_counter_expression(table, 1, "hopper"), "h.sum");
    assert_null(pm_counter_expression(table, 1, "ada"));
}

TEST(test_expression)
{
    const char *rest = "x.sum + y.sum - z.sum";
    char metric[PM_METRIC_NAME];
    int sign;

    assert_true(pm_counter_expression_next(&rest, metric, sizeof metric, &sign));
    assert_string_equal(metric, "x.sum");
    assert_int_equal(sign, 1);
    assert_true(pm_counter_expression_next(&rest, metric, sizeof metric, &sign));
    assert_string_equal(metric, "y.sum");
    assert_int_equal(sign, 1);
    assert_true(pm_counter_expression_next(&rest, metric, sizeof metric, &sign));
    assert_string_equal(metric, "z.sum");
    assert_int_equal(sign, -1);
    assert_false(pm_counter_expression_next(&rest, metric, sizeof metric, &sign));
}

TEST(test_faults)
{
    char text[4096];

    expect_fault(GOOD GOOD, 6, "already");
    expect_fault(GOOD "[b]\nwhat = w\nunit = u\nkind = code\n" GOOD, 10, "already");
    expect_fault(FAMILIES FAMILIES GOOD, 4, "families");
    expect_fault(GOOD "cupti = y.sum\n", 6, "already");
    expect_fault("[a]\nwhat = w\nunit = u\nkind = maybe\n", 4, "kind");
    expect_fault("[a]\nwhat = w\nunit = u\n", 1, "kind");
    expect_fault("# c\n[a]\nwhat = w\nkind = code\n", 2, "unit");
    expect_fault("[a]\nunit = w\nkind = code\n", 1, "what");
    expect_fault("[a]\nwhat =\nunit = u\nkind = code\n", 2, "missing");
    expect_fault(GOOD "[empty]\n", 6, "what");
    expect_fault(GOOD "garbage\n", 6, "key = value");
    expect_fault("what = w\n" GOOD, 1, "before");
    expect_fault("[a\nwhat = w\n", 1, "section name");
    expect_fault("[]\nwhat = w\n", 1, "section name");
    expect_fault("[A b]\nwhat = w\n", 1, "section name");
    expect_fault(GOOD "pascal = x.sum\n", 6, "unknown key");
    expect_fault(GOOD "Bad Key = x\n", 6, "bad key");
    expect_fault(FAMILIES GOOD "ada = x.sum y.sum\n", 9, "metric names");
    expect_fault(FAMILIES GOOD "ada = x.sum + \n", 9, "metric names");
    expect_fault(FAMILIES GOOD "ada = ../../etc\n", 9, "metric names");
    expect_fault("", 0, "no counters");
    expect_fault(FAMILIES, 3, "no counters");
    memset(text, 'x', sizeof text);
    memcpy(text, "[a]\nwhat = ", 11);
    text[sizeof text - 1] = '\0';
    expect_fault(text, 1, "no \"unit\""); /* a line may be as long as a value */
    memset(text, 'x', 60);
    memcpy(text, "[", 1);
    memcpy(text + 60, "]\n", 3);
    expect_fault(text, 1, "section name");
}

TEST(test_nul_byte)
{
    const char text[] = "[a]\nwhat = w\0x\nunit = u\nkind = code\n";

    assert_null(read_bytes(text, sizeof text - 1, told()));
    assert_error(PM_BAD_INPUT, ":2: ");
}

TEST(test_missing_file)
{
    assert_null(pm_counter_table_read("/nonexistent/counters.ini", told()));
    assert_error(PM_BAD_INPUT, "/nonexistent/counters.ini");
}

/* The shipped table has every counter that other modules refer to by name. */
TEST(test_shipped)
{
    static const char *const code[] = {"gld_request",
                                       "gst_request",
                                       "gld_sector",
                                       "gst_sector",
                                       "gld_32b",
                                       "gld_64b",
                                       "gld_128b",
                                       "gst_32b",
                                       "gst_64b",
                                       "gst_128b",
                                       "l1_global_load_hit",
                                       "l1_global_load_miss",
                                       "shared_load",
                                       "shared_store",
                                       "shared_wavefront",
                                       "local_load",
                                       "local_store",
                                       "branch",
                                       "divergent_branch",
                                       "inst_executed",
                                       "inst_fp32",
                                       "inst_fp64",
                                       "inst_int",
                                       "inst_special",
                                       "flop_fp32",
                                       "flop_fp64",
                                       "atomic",
                                       "barrier",
                                       "l2_read_sector",
                                       "l2_write_sector",
                                       "dram_read_bytes",
                                       "dram_write_bytes",
                                       "work_groups",
                                       "thread_inst_executed"};
    pm_counter_table *table = owned_table(pm_counter_table_read(NULL, told()));

    for (size_t i = 0; i < sizeof code / sizeof code[0]; i++) {
        size_t at = 0;

        while (at < pm_counter_table_size(table) &&
               strcmp(pm_counter_name(table, at), code[i]) != 0)
            at++;
        if (at == pm_counter_table_size(table))
            fail_msg("no counter %s", code[i]);
        assert_int_equal(pm_counter_kind_at(table, at), PM_COUNTER_CODE);
    }
    assert_int_equal(pm_counter_kind_of(table, "active_cycles"), PM_COUNTER_RUN);
    assert_int_equal(pm_counter_kind_of(table, "active_warps"), PM_COUNTER_RUN);
    assert_int_equal(pm_counter_kind_of(table, "duration"), PM_COUNTER_TIME);
    assert_string_equal(pm_counter_family(table, "GH100"), "hopper");
}

TEST_MAIN(make_file, remove_file)
