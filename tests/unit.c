/* The list of a program's tests, and a main function that runs it. See unit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "unit.h"

static struct CMUnitTest tests[256];
static size_t count;

/* A full list ends the program before any test runs. */
void unit_test_add(struct CMUnitTest test)
{
    if (count == sizeof tests / sizeof *tests) {
        print_error("unit.c: no room for the test %s\n", test.name);
        abort();
    }
    tests[count++] = test;
}

int run_all_tests(CMFixtureFunction setup, CMFixtureFunction teardown)
{
    return _cmocka_run_group_tests("tests", tests, count, setup, teardown);
}

uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

void write_text(const char *path, const char *text)
{
    FILE *file = need(fopen(path, "w"));

    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

void write_text_in(const char *folder, const char *name, const char *text)
{
    char path[256];

    assert_true((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) < sizeof path);
    write_text(path, text);
}

/* A file's own is taken before it. */
__attribute__((weak)) int main(void)
{
    return run_all_tests(NULL, NULL);
}
