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

/* A file's own is taken before it. */
__attribute__((weak)) int main(void)
{
    return run_all_tests(NULL, NULL);
}
