/* Numbers, units, names of kernels and formulas of counters, as profilers write them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "answer/import/parts.h"
#include "unit.h"

TEST(test_numbers)
{
    static const struct {
        const char *text;
        double value; /* NaN: unknown */
        bool sound;
    } cases[] = {
        {"12", 12, true},
        {" 12.5", 12.5, true},
        {"1,234", 1234, true},
        {"1,234,567.25", 1234567.25, true},
        {"-3", -3, true},
        {"1.92478703e-01", 0.192478703, true},
        {"99.5%", 99.5, true},
        {"12 (3; 4; 5)", 12, true},
        {"", NAN, true},
        {"n/a", NAN, true},
        {"(!) nan", NAN, true},
        {"12,5", NAN, false},
        {"1,23,456", NAN, false},
        {"1234,567", NAN, false},
        {"2.508.800", NAN, false},
        {"1GB/s", NAN, false},
        {"Low (1)", NAN, false},
        {"1,234,", NAN, false},
        {"11111111111111111111111111111111111111111111111111111111111111111111111", NAN, false}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value = 7;

        assert_int_equal(pm_import_number(cases[i].text, &value), cases[i].sound);
        assert_true(isnan(cases[i].value) ? isnan(value) : value == cases[i].value);
    }
    assert_true(pm_import_looks_like_number("2.508.800"));
    assert_false(pm_import_looks_like_number("1GB/s"));
    assert_false(pm_import_looks_like_number("-"));
}

TEST(test_units)
{
    static const struct {
        const char *unit;
        double factor;
    } cases[] = {{"ns", 1},
                 {"nsecond", 1},
                 {"us", 1e3},
                 {"usecond", 1e3},
                 {"ms", 1e6},
                 {"msecond", 1e6},
                 {"s", 1e9},
                 {"second", 1e9},
                 {"byte", 1},
                 {"Kbyte", 1e3},
                 {"Mbyte", 1e6},
                 {"Gbyte", 1e9},
                 {"Kbyte/block", 1e3},
                 {"register/thread", 1},
                 {"inst", 1},
                 {"Kinst", 1e3},
                 {"Msector", 1e6},
                 {"", 1},
                 {"%", 1},
                 {"KiB", 1024}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(pm_import_unit(cases[i].unit) == cases[i].factor);
}

TEST(test_sizes)
{
    assert_true(pm_import_product("(16, 8, 2)") == 256);
    assert_true(pm_import_product(" 896    1    1") == 896);
    assert_true(pm_import_product("256") == 256);
    assert_true(isnan(pm_import_product("")));
    assert_true(isnan(pm_import_product("(0, 1, 1)")));
    assert_true(isnan(pm_import_product("(999999999, 999999999, 9)")));
}

/* full: name by a profiler; name: without parameters; base: without template arguments. */
TEST(test_names)
{
    static const struct {
        const char *full, *name, *base;
    } cases[] = {
        {"copy", "copy", "copy"},
        {"copy(float const*, int)", "copy", "copy"},
        {"void sum<float, (int)256>(float const*, int) [clone .kd]", "sum<float, 256>", "sum"},
        {"void sum<(unsigned int)4, (bool)1>(T1 *)", "sum<4, 1>", "sum"},
        {"scale.kd", "scale", "scale"},
        {"scale(float*, int) (.kd)", "scale", "scale"},
        {"void app::inner::scale<int (*)(int)>(int)", "app::inner::scale<int (*)(int)>",
         "app::inner::scale"},
        {"(anonymous namespace)::fill(int *)", "(anonymous namespace)::fill",
         "(anonymous namespace)::fill"},
        {"void (anonymous namespace)::fill<int>(int *)", "(anonymous namespace)::fill<int>",
         "(anonymous namespace)::fill"},
        {"_Z5scalePfi", "scale", "scale"},
        {"_ZN3app5scaleILi4EEEvPf", "scale", "scale"},
        {"_Z99scale", "_Z99scale", "_Z99scale"},
        {"<<<", "<<<", "<<<"},
        {"(", "(", "("}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pm_memory memory = {0};
        const char *name = pm_import_kernel_name(&memory, cases[i].full);

        assert_string_equal(name, cases[i].name);
        assert_string_equal(pm_import_base_name(&memory, name), cases[i].base);
        pm_memory_free(&memory);
    }
}

TEST(test_same_names)
{
    pm_memory memory = {0};

    assert_true(pm_import_same_name(&memory, "sum<float, 256u>", "sum<float,256>"));
    assert_true(pm_import_same_name(&memory, "sum<true>", "sum<1>"));
    assert_false(pm_import_same_name(&memory, "sum<128>", "sum<256>"));
    assert_false(pm_import_same_name(&memory, "sum", "sum2"));
    pm_memory_free(&memory);
}

/* A profiler that counts 8 of "a", 3 of "b" and nothing else. */
static double count(void *user, const char *name)
{
    (void)user;
    if (strcmp(name, "a") == 0)
        return 8;
    return strcmp(name, "b") == 0 ? 3 : (double)NAN;
}

TEST(test_formulas)
{
    static const struct {
        const char *formula;
        double value;
        const char *used;
    } cases[] = {{"a", 8, "a"},
                 {"a + b", 11, "a + b"},
                 {"a - b", 5, "a - b"},
                 {"a / 4", 2, "a / 4"},
                 {"a * 64 - b * 32", 416, "a * 64 - b * 32"},
                 {"c or a", 8, "a"},
                 {"a + c or b * 2", 6, "b * 2"},
                 {"c", NAN, NULL},
                 {"a + c", NAN, NULL},
                 {"a * x", NAN, NULL}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pm_memory memory = {0};
        const char *used = "";
        const double value = pm_profiler_evaluate(cases[i].formula, count, NULL, &memory, &used);

        assert_true(isnan(cases[i].value) ? isnan(value) : value == cases[i].value);
        if (cases[i].used)
            assert_string_equal(used, cases[i].used);
        else
            assert_null(used);
        pm_memory_free(&memory);
    }
}
