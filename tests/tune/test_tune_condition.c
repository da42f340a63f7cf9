/* Tests the translation of conditions in Kernel Tuner's input files: each must have the value that
 * Python 3.11 computes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "answer/tune/condition.h"
#include "tests/unit.h"

static const int64_t some[] = {1, 2};
static const pm_tuned parameters[] = {{"x", 2, some}, {"y", 2, some}};
static const pm_tune_space space = {2, parameters};

typedef struct {
    pm_memory memory;
    const char *text;
    int64_t values[2];
    bool holds;
} asked;

static void ask(void *user)
{
    asked *a = user;

    a->holds = pm_condition_holds(
        &a->memory, pm_condition_read(&a->memory, a->text, "t1.json", &space), a->values);
}

TEST(conditions_are_those_of_python)
{
    static const struct {
        const char *text;
        int64_t x, y;
        bool holds;
    } cases[] = {
        {"x * y <= 8 and x != 3", 2, 4, true},
        {"x * y <= 8 and x != 3", 3, 1, false},
        {"1 < x <= y < 9", 2, 8, true},
        {"1 < x <= y < 9", 2, 9, false},
        {"3 > x < y", 1, 2, true}, /* no (3 > x) < y */
        {"3 > x < y", 1, 1, false},
        {"x in [2, 4, y + 1]", 8, 7, true},
        {"x in [2, 4, y + 1]", 8, 8, false},
        {"x not in (1, 2,)", 2, 0, false},
        {"not x in [1]", 1, 0, false},
        {"not x == y or x == 1", 1, 1, true},
        {"not x", 0, 0, true},
        {"-7 // 2 == x", -4, 0, true},
        {"7 // -2 == x", -4, 0, true},
        {"-7 % 3 == x", 2, 0, true},
        {"7 % -3 == x", -2, 0, true},
        {"2 ** 3 ** 2 == x and -2 ** 2 == y", 512, -4, true},
        {"x / 2 == 3.5", 7, 0, true},
        {"x / 2 % 2 == 1.5", 7, 0, true},
        {"x == 1 or y // (x - 1) > 20", 1, 0, true}, /* no division by zero */
        {"x > 1 and y % (x - 1) == 0", 1, 5, false}, /* nor here */
        {"(x > 1) + (y > 1) == 2", 2, 2, true},
        {"min(x, y) == 1 and max(x, y + 1) >= 4", 1, 3, true},
        {"x - 1 - 1 == y", 4, 2, true},
        {"True and not False", 0, 0, true},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        asked a = {.text = cases[i].text, .values = {cases[i].x, cases[i].y}};
        pm_error err = {0};

        if (pm_attempt(&a.memory, ask, &a, &err) != PM_OK || a.holds != cases[i].holds)
            fail_msg("%s of %lld, %lld: %s", cases[i].text, (long long)cases[i].x,
                     (long long)cases[i].y, err.text);
        pm_memory_free(&a.memory);
    }
}

TEST(what_is_not_known_is_named)
{
    static const struct {
        const char *text, *named;
    } cases[] = {
        {"abs(x) > 2", "abs"},      {"x & 1", "& 1"},
        {"z > 2", "\"z\""},         {"x['a'] > 1", "x is taken"},
        {"x // 2 > 0.5", "//"},     {"1 / (x - x) > 1", "zero"},
        {"x if y else 1", "if y"},  {"1 + (x and y) > 2", "calculated"},
        {"x > ", "missing"},        {"x in y", "list"},
        {"lambda: 1", "lambda"},    {"min(x, y, 1) > 1", "min of two"},
        {"x << 1 > 2", "<< 1"},     {"x.y > 2", "x is taken"},
        {"(x > 1", ") is missing"}, {"2x > 1", "no number"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        asked a = {.text = cases[i].text, .values = {1, 1}};
        pm_error err = {0};

        assert_int_equal(pm_attempt(&a.memory, ask, &a, &err), PM_BAD_INPUT);
        if (!strstr(err.text, cases[i].named) || !strstr(err.text, "t1.json"))
            fail_msg("%s: %s", cases[i].text, err.text);
        pm_memory_free(&a.memory);
    }
}

TEST(long_conditions_end)
{
    char deep[200], wide[400] = "x";
    asked a = {.text = deep};
    pm_error err = {0};

    memset(deep, '(', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    assert_int_equal(pm_attempt(&a.memory, ask, &a, &err), PM_BAD_INPUT);
    assert_non_null(strstr(err.text, "parentheses"));
    pm_memory_free(&a.memory);
    for (int i = 0; i < 60; i++)
        strcat(wide, " // y"); /* each operator writes the preceding operand twice */
    a = (asked){.text = wide};
    assert_int_equal(pm_attempt(&a.memory, ask, &a, &err), PM_BAD_INPUT);
    assert_non_null(strstr(err.text, "longer"));
    pm_memory_free(&a.memory);
}
