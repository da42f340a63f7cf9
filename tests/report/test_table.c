/* Tests tables on terminals of several widths, and how numbers are formatted in them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "owned.h"
#include "unit.h"

#include "report/table/table.h"

static const double none = (double)NAN;

static const pm_table_column columns[] = {{.name = "program", .weight = 20},
                                          {.name = "size", .gap = 2, .weight = 30},
                                          {.name = "kernel", .gap = 2},
                                          {.name = "time", .number = true, .gap = 2},
                                          {.name = "90 %", .number = true, .gap = 2, .weight = 40},
                                          {.name = "measured", .gap = 2, .weight = 50}};

static char *printed(pm_screen screen)
{
    char *text = NULL;
    size_t size;
    pm_table t = pm_table_open(columns, 6, true);

    screen.file = need(open_memstream(&text, &size));
    PM_CELLS(&t, "app", "n1", "a_kernel_with_a_rather_long_name");
    pm_cell_time(&t, 1.2e-6, 1.15e-6, 1.25e-6);
    pm_cell_time_range(&t, 1.2e-6, 1.15e-6, 1.25e-6);
    PM_CELLS(&t, "-");
    PM_CELLS(&t, "app", "n2", "k");
    pm_cell_time(&t, 123.4e-6, 80e-6, 200e-6);
    pm_cell_time_range(&t, 123.4e-6, 80e-6, 200e-6);
    PM_CELLS(&t, "-");
    pm_table_print(&t, &screen, 0);
    assert_int_equal(fclose(screen.file), 0);
    return owned_memory(text);
}

TEST(wide)
{
    assert_string_equal(
        printed((pm_screen){.width = 80}),
        "program  size  kernel                               time             90 %\n"
        "app      n1    a_kernel_with_a_rather_long_name  1.20 us  1.15 to 1.25 us\n"
        "app      n2    k                                  120 us     80 to 200 us\n");
}

/* A column with equal text in all rows is left out first, then the column with the least weight. A
 * left-out column is reported unless its rows are equal. */
TEST(narrow)
{
    char *text = printed((pm_screen){.width = 62, .utf8 = true});

    if (!strstr(text, "a_kernel_with") || strstr(text, "app") || !strstr(text, "1.15 to 1.25 us"))
        fail_msg("%s", text);
    text = printed((pm_screen){.width = 40});
    if (strstr(text, "90 %\n") || !strstr(text, "...") || !strstr(text, "1.20 us") ||
        !strstr(text, "Not shown: size, 90 %;"))
        fail_msg("%s", text);
    text = printed((pm_screen){.width = 40, .quiet = true});
    if (strstr(text, "Not shown"))
        fail_msg("%s", text);
}

TEST(no_line_is_longer)
{
    for (int width = 40; width <= 90; width++) {
        char *text = printed((pm_screen){.width = width});

        for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
            if ((int)strcspn(line, "\n") > width)
                fail_msg("%d: %s", width, text);
    }
}

TEST(markdown)
{
    char *text = printed((pm_screen){.width = 40, .markdown = true});

    assert_non_null(strstr(text, "| program | size | kernel | time | 90 % | measured |\n"
                                 "|---|---|---|--:|--:|---|\n"));
    assert_non_null(strstr(text, "| app | n2 | k | 120 us | 80 to 200 us | - |\n"));
}

/* If a line cannot hold all numbers, the table continues below, with the names repeated. */
TEST(parts)
{
    enum { TARGETS = 12 };
    pm_table_column many[TARGETS + 1] = {{.name = "kernel"}};
    char *text = NULL;
    size_t size;
    pm_screen screen = {.width = 50};
    pm_table t;

    for (size_t c = 1; c <= TARGETS; c++)
        many[c] = (pm_table_column){.name = "target", .number = true, .gap = 2};
    screen.file = need(open_memstream(&text, &size));
    t = pm_table_open(many, TARGETS + 1, true);
    PM_CELLS(&t, "the_kernel");
    for (size_t c = 1; c <= TARGETS; c++)
        pm_cell_time(&t, 1e-3 * (double)c, none, none);
    pm_table_print(&t, &screen, 0);
    assert_int_equal(fclose(screen.file), 0);
    text = owned_memory(text);
    assert_non_null(strstr(text, "the_kernel  1.00 ms  2.00 ms  3.00 ms  4.00 ms\n"));
    assert_non_null(strstr(text, "\n\nkernel       target   target   target   target\n"
                                 "the_kernel  5.00 ms  6.00 ms"));
    assert_non_null(strstr(text, "12.0 ms\n"));
}

TEST(digits)
{
    static const struct {
        double seconds, lo, hi;
        const char *words;
    } cases[] = {{1.2e-6, 1.19e-6, 1.21e-6, "1.20 us"},
                 {1.2e-6, 1.0e-6, 1.5e-6, "1.2 us"},
                 {9.96e-6, 8e-6, 12e-6, "10 us"},
                 {9.96e-6, 9.9e-6, 10e-6, "9.96 us"},
                 {123.4e-3, 1e-3, 1, "120 ms"},
                 {999.6e-6, 999e-6, 1e-3, "1.00 ms"},
                 {3.2e-10, 1e-10, 1e-9, "0.32 ns"},
                 {12345, 12000, 13000, "12300 s"},
                 {0, 0, 0, "0 ns"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(pm_time_words(cases[i].seconds, cases[i].lo, cases[i].hi).s,
                            cases[i].words);
    assert_string_equal(pm_time_words(none, none, none).s, "-");
}

static char *said(pm_screen screen, const char *words)
{
    char *text = NULL;
    size_t size;

    screen.file = need(open_memstream(&text, &size));
    pm_screen_say(&screen, "%s", words);
    pm_screen_note(&screen, "note");
    assert_int_equal(fclose(screen.file), 0);
    return owned_memory(text);
}

TEST(paragraphs)
{
    assert_string_equal(said((pm_screen){.width = 20}, "  one two three four five six"),
                        "  one two three four\n    five six\nnote\n");
    assert_string_equal(said((pm_screen){.width = 20, .quiet = true}, "a\nb"), "a\nb\n");
    assert_string_equal(said((pm_screen){.width = 20}, "x /a/path/that/is/far/too/long"),
                        "x\n  /a/path/...oo/long\nnote\n");
    assert_string_equal(said((pm_screen){.width = 20, .utf8 = true, .quiet = true},
                             "x /a/path/that/is/far/too/long"),
                        "x\n  /a/path/t\xE2\x80\xA6"
                        "too/long\n");
}

TEST(widths)
{
    const struct {
        const char *columns;
        int width;
    } cases[] = {{"60", 60},
                 {"120", 120},
                 {"7", PM_SCREEN_LEAST},
                 {"1000000", PM_SCREEN_MOST},
                 {"many", PM_SCREEN_WIDTH},
                 {"", PM_SCREEN_WIDTH},
                 {"-3", PM_SCREEN_WIDTH}};
    FILE *file = need(tmpfile());

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setenv("COLUMNS", cases[i].columns, 1);
        assert_int_equal(pm_screen_of(file).width, cases[i].width);
    }
    unsetenv("COLUMNS");
    assert_int_equal(pm_screen_of(file).width, PM_SCREEN_WIDTH);
    fclose(file);
}
