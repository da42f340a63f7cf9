/* Tests how much of the source a version changes, and the estimated hours of work: differing lines
 * are compared with those of diff, kernels with examples, rates with their sources, and the sizes
 * of versions of the suite's programs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <unistd.h>

#include "answer/advise/parts.h"
#include "answer/cost/effort.h"
#include "owned.h"
#include "rng.h"

/* ---- rates ---------------------------------------------------------------------------------- */

TEST(test_sources)
{
    const pm_effort_rates rates = pm_effort_default();
    const double z95 = gsl_cdf_ugaussian_Pinv(0.95), z75 = gsl_cdf_ugaussian_Pinv(0.75);

    assert_true(fabs(rates.write_lines - 1000 / (2.94 * 152)) < 0.005);
    assert_true(fabs(rates.factor - pow(2, z95 / (2 * z75))) < 0.01);
    for (size_t i = 0; i < PM_EFFORT_RATES; i++) {
        assert_true(pm_effort_rate_at(i)->value > 0);
        assert_true(strlen(pm_effort_rate_at(i)->source) > 0);
    }
    assert_null(pm_effort_rate_at(PM_EFFORT_RATES));
}

TEST(test_hours)
{
    const pm_effort_rates rates = {
        .write_lines = 2, .read_lines = 100, .kernel_hours = 3, .struct_hours = 5, .factor = 4};
    pm_rewrite_size size = {.kernels = 2, .structs = 1, .source_lines = 30, .host_lines = 10};
    pm_interval hours = pm_effort_hours(&size, &rates);

    assert_true(fabs(hours.mid - (6 + 5 + 0.4)) < 1e-12);
    assert_true(fabs(hours.lo - 11.4 / 4) < 1e-12 && fabs(hours.hi - 11.4 * 4) < 1e-12);
    size.by_hand = true;
    hours = pm_effort_hours(&size, &rates);
    assert_true(fabs(hours.mid - (6 + 5 + 20)) < 1e-12);
    hours = pm_effort_hours(&(const pm_rewrite_size){0}, &rates);
    assert_true(hours.lo == 0 && hours.mid == 0 && hours.hi == 0);
}

/* ---- lines ---------------------------------------------------------------------------------- */

static size_t changed(const char *base, const char *version)
{
    return pm_source_lines_changed(own_memory(), base, version);
}

static size_t count(const char *text)
{
    return pm_source_lines(own_memory(), text);
}

TEST(test_lines)
{
    assert_int_equal(count(""), 0);
    assert_int_equal(count("\n \t\n/* a\n * b */\n// c"), 0);
    assert_int_equal(count("int a; /* one */\n  int b; // two\n/* \n */ int c;\n"), 3);
    assert_int_equal(count("/* never closed\nint a;"), 0);
    assert_int_equal(count("char *a = \"/*\";\nchar b = '\"'; /* \"\n*/\nint c;"), 3);
    assert_int_equal(count("a /* over\n two */ b"), 2);
    assert_int_equal(count("\"never closed\nint a;"), 2);
}

TEST(test_changed)
{
    assert_int_equal(changed("a\nb\nc\n", "a\nb\nc\n"), 0);
    assert_int_equal(changed("a\nb\nc\n", "a\nx\nc\n"), 1);
    assert_int_equal(changed("a\nb\nc\n", "a\nc\n"), 0);
    assert_int_equal(changed("", "a\nb\n"), 2);
    assert_int_equal(changed("a\nb\n", ""), 0);
    assert_int_equal(changed("a\nb\n", "b\na\n"), 1);
    assert_int_equal(changed("f( a );\n", "  f(a); /* the same */\n\n"), 0);
}

/* Returns the number of lines that diff adds. */
static size_t diff(const char *folder, const char *base, const char *version)
{
    char command[600], line[256];
    size_t lines = 0;
    FILE *out;

    write_text_in(folder, "a", base);
    write_text_in(folder, "b", version);
    snprintf(command, sizeof command, "diff --minimal %s/a %s/b", folder, folder);
    out = need(popen(command, "r")); /* NOLINT */
    while (fgets(line, sizeof line, out))
        lines += line[0] == '>';
    pclose(out);
    return lines;
}

/* Makes a text with up to 40 lines of four kinds. */
static void random_text(gsl_rng *random, char text[128])
{
    size_t lines = gsl_rng_uniform_int(random, 40);

    for (size_t i = 0; i < lines; i++) {
        text[2 * i] = (char)('a' + gsl_rng_uniform_int(random, 4));
        text[2 * i + 1] = '\n';
    }
    text[2 * lines] = '\0';
}

TEST(test_against_diff)
{
    const char *folder = scratch_folder();
    char base[128], version[128];
    gsl_rng *random = rng_of(0);

    for (int i = 0; i < 200; i++) {
        size_t ours, theirs;

        random_text(random, base);
        random_text(random, version);
        ours = changed(base, version);
        theirs = diff(folder, base, version);
        if (ours != theirs)
            fail_msg("%zu lines, and diff has %zu, between\n%sand\n%s", ours, theirs, base,
                     version);
    }
}

/* Texts with more lines than are compared. All lines between the common start and end count as
 * changed. */
TEST(test_many_lines)
{
    enum { LINES = 20000 };
    char *base = room(LINES, 16), *version = room(LINES, 16);
    size_t a = 0, b = 0;

    for (int i = 0; i < LINES; i++) {
        a += (size_t)sprintf(base + a, "%d;\n", i);
        b += (size_t)sprintf(version + b, i == 0 || i == LINES - 1 ? "%d;\n" : "-%d;\n", i);
    }
    assert_int_equal(changed(base, version), LINES - 2);
}

/* ---- kernels -------------------------------------------------------------------------------- */

static size_t kernels(const char *base, const char *version)
{
    return pm_source_kernels_changed(own_memory(), base, version);
}

TEST(test_kernels)
{
    const char *base = "float help(float x) { return x; }\n"
                       "__kernel void one(__global int *a) { if (a[0]) { a[1] = 2; } }\n"
                       "kernel __attribute__((reqd_work_group_size(16, 16, 1)))\n"
                       "void two(__global int *a)\n{\n    a[0] = '}';\n}\n";

    assert_int_equal(kernels(base, base), 0);
    assert_int_equal(kernels("", base), 2);
    assert_int_equal(kernels(base, ""), 0);
    assert_int_equal(kernels(base, "__kernel void one(__global int *a)\n{\n    if (a[0]) {\n"
                                   "        a[1] = 2; /* as before */\n    }\n}\n"),
                     0);
    assert_int_equal(
        kernels(base, "__kernel void one(__global int *a) { if (a[0]) { a[1] = 3; } }"), 1);
    assert_int_equal(kernels(base, "__kernel void three(__global int *a) { }"), 1);
    /* a kernel that is only declared, one with an attribute after its parameters, one that never
     * ends */
    assert_int_equal(kernels(base, "__kernel void four(int a);\nint x;"), 0);
    assert_int_equal(kernels(base, "__kernel void five(int a) __attribute__((x(1))) { }\n"
                                   "int my__kernel(int a) { return a; }"),
                     1);
    assert_int_equal(kernels(base, "__kernel void six(int a) { if (a) {"), 1);
    assert_int_equal(kernels(base, "/* __kernel void seven(int a) { } */ // kernel void x() {}"),
                     0);
}
