/* Longest dependency chains of a warp, a work-group and the launch (warp_span, group_span,
 * longest_span): their ratios, for an H100. Tests of the number of waits for loads are in
 * tests/trace/kernels/load_waits.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_counts_fixture.h"

/* One of eight warps has ten times as many rounds. The span of its group equals the warp's span and
 * is the longest of the launch. */
TEST(the_slowest_warp_keeps_its_group)
{
    double even[3], uneven[3];
    static const char *const spans[] = {"warp_span", "group_span", "longest_span"};

    for (int k = 0; k < 2; k++) {
        COUNT(*state, 256, 64,
              KERNEL("int sum = i;\n" LOOP
                     "for (int j = 0; j < (a[0] == 0 && i >= 224 ? LONG : 100); j++)\n"
                     "    sum = sum * sum + j;\n"
                     "out[i] = sum;\n"),
              .options = k ? "-DLONG=1000" : "-DLONG=100");
        for (int s = 0; s < 3; s++)
            (k ? uneven : even)[s] = counted(*state, spans[s]);
    }
    assert_true(fabs(even[1] / even[0] * 2 - 1) < 0.02); /* two warps a group */
    assert_true(fabs(even[2] / even[1] * 4 - 1) < 0.02);
    assert_true(fabs(uneven[0] / even[0] - 17.0 / 8) < 0.2);
    assert_true(fabs(uneven[1] / even[1] - 13.0 / 4) < 0.4);
    assert_true(fabs(uneven[2] / even[2] - 10) < 1.5);
}

TEST_MAIN(trace_setup, trace_teardown)
