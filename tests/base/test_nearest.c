/* The nearest right name to a wrong one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "unit.h"

#include "base/nearest.h"

static void check_says(const char *wrong, const char *const *names, const char *wanted)
{
    pm_nearest nearest;

    pm_nearest_open(&nearest, wrong);
    pm_nearest_add_all(&nearest, names);
    assert_string_equal(pm_nearest_question(&nearest), wanted);
}

TEST(distances)
{
    static const struct {
        const char *a, *b;
        size_t distance;
    } cases[] = {
        {"", "", 0},          {"abc", "", 3},          {"nbody", "nbody", 0}, {"NBody", "nbody", 0},
        {"nbdy", "nbody", 1}, {"nbodyy", "nbody", 1},  {"nbidy", "nbody", 1}, {"nobdy", "nbody", 1},
        {"ca", "abc", 3},     {"kitten", "sitting", 3}};
    char longest[100];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(pm_name_distance(cases[i].a, cases[i].b), cases[i].distance);
        assert_int_equal(pm_name_distance(cases[i].b, cases[i].a), cases[i].distance);
    }
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_true(pm_name_distance(longest, "a") == SIZE_MAX);
}

TEST(questions)
{
    static const char *const commands[] = {"devices", "predict", "trace", "transform", NULL};
    static const char *const sizes[] = {"6", "60", "65536", NULL};
    static const char *const gpus[] = {"k20c", "k20m", "k20x", "k80", NULL};

    check_says("pedict", commands, "did you mean predict?");
    check_says("PREDICT", commands, "did you mean predict?");
    check_says("pred", commands, "did you mean predict?");
    check_says("tr", commands, "");
    check_says("tra", commands, "did you mean trace or transform?");
    check_says("quux", commands, "");
    check_says("7", sizes, "");
    check_says("65537", sizes, "did you mean 65536?");
    check_says("k20", gpus, "did you mean k20c, k20m or k20x?");
    check_says("k21c", gpus, "did you mean k20c?");
}

/* A few valid names are all listed; if there are many, the message names the command that lists
 * them. */
TEST(lists)
{
    static const char *const few[] = {"aos", "soa", NULL};
    char names[100][8];
    pm_nearest nearest;

    pm_nearest_open(&nearest, "soaa");
    pm_nearest_add_all(&nearest, few);
    assert_string_equal(pm_nearest_text(&nearest, "list"), "did you mean soa? There is: aos, soa");
    pm_nearest_open(&nearest, "sxyz");
    pm_nearest_add_all(&nearest, few);
    assert_string_equal(pm_nearest_text(&nearest, "list"), "there is: aos, soa");
    pm_nearest_open(&nearest, "sxyz");
    assert_string_equal(pm_nearest_text(&nearest, "list"), "there is none");
    pm_nearest_open(&nearest, "name11x");
    for (size_t i = 0; i < 100; i++) {
        snprintf(names[i], sizeof names[i], "name%zu", i);
        pm_nearest_add(&nearest, names[i]);
    }
    assert_string_equal(pm_nearest_text(&nearest, "perfmodel list"),
                        "did you mean name11? perfmodel list lists all 100");
    nearest.near_count = 0;
    assert_string_equal(pm_nearest_text(&nearest, "perfmodel list"),
                        "perfmodel list lists all 100, such as name0");
    assert_true(strlen(pm_nearest_text(&nearest, NULL)) < 200);
}
