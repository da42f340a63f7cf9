/* What is known of the accesses of small kernels, and of the suite's, as lines of text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "index_dump.h"

static void test_nothing(void **unused)
{
    (void)unused;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
