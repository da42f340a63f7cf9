/* Rewriting kernels from arrays of structs to other layouts: whole texts, word by word.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "rewrite_fixture.h"

static const char simple[] = "typedef struct {\n"
                             "    float x, y;\n"
                             "    int id;\n"
                             "} Point;\n"
                             "\n"
                             "/* Moves a point. */\n"
                             "__kernel void move(__global Point *restrict points, float dx)\n"
                             "{\n"
                             "    int i = get_global_id(0); // the point\n"
                             "\n"
                             "    points[i].x += dx;\n"
                             "    points[i].id = points[points[i].id].id;\n"
                             "}\n";

static void arrays(void **state)
{
    (void)state;
    assert_rewritten(simple, "soa",
                     "/* Rewritten by perfmodel from test.cl: Point in layout soa. */\n"
                     "typedef struct {\n"
                     "    float x, y;\n"
                     "    int id;\n"
                     "} Point;\n"
                     "\n"
                     "/* Moves a point. */\n"
                     "__kernel void move(__global float *restrict points_x, __global float "
                     "*restrict points_y, __global int *restrict points_id, float dx)\n"
                     "{\n"
                     "    int i = get_global_id(0); // the point\n"
                     "\n"
                     "    points_x[i] += dx;\n"
                     "    points_id[i] = points_id[points_id[i]];\n"
                     "}\n");
}

static void tiles(void **state)
{
    (void)state;
    assert_rewritten(simple, "asta:32",
                     "/* Rewritten by perfmodel from test.cl: Point in layout asta:32. */\n"
                     "typedef struct {\n"
                     "    float x, y;\n"
                     "    int id;\n"
                     "} Point;\n"
                     "\n"
                     "typedef struct {\n"
                     "    float x[32];\n"
                     "    float y[32];\n"
                     "    int id[32];\n"
                     "} Point_0;\n"
                     "\n"
                     "/* Moves a point. */\n"
                     "__kernel void move(__global Point_0 *restrict points_0, float dx)\n"
                     "{\n"
                     "    int i = get_global_id(0); // the point\n"
                     "\n"
                     "    points_0[i >> 5].x[i & 31] += dx;\n"
                     "    points_0[i >> 5].id[i & 31] = points_0[points_0[i >> 5].id[i & 31] >> "
                     "5].id[points_0[i >> 5].id[i & 31] & 31];\n"
                     "}\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arrays), cmocka_unit_test(tiles)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
