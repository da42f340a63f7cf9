/* Instructions per pipe for an H100, as the difference between two lengths of a loop. Classes of
 * instructions are in tests/trace/kernels/instruction_classes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_counts_fixture.h"

/* Each of STEPS steps has a product and a logic operation. The number of instructions that either
 * pipe can execute is the same for both lengths. */
TEST(pipes_of_integers)
{
    static const char *const pipes[] = {"pipe_fma", "pipe_fmaheavy", "pipe_alu"};
    double few[3], many[3];

    for (int k = 0; k < 2; k++) {
        COUNT(*state, 256, 64,
              KERNEL("int x = a[i];\n"
                     "_Pragma(\"unroll\") for (int j = 0; j < STEPS; j++)\n"
                     "    x = x * x ^ (12345 + j);\n"
                     "out[i] = x;\n"),
              .options = k ? "-DSTEPS=30" : "-DSTEPS=20");
        for (size_t p = 0; p < sizeof pipes / sizeof *pipes; p++)
            (k ? many : few)[p] = counted(*state, pipes[p]);
    }
    for (size_t p = 0; p < sizeof pipes / sizeof *pipes; p++)
        assert_true(fabs(many[p] - few[p] - 8 * 10) < 1e-9);
}

TEST_MAIN(trace_setup, trace_teardown)
