/* Counts of instructions by pipe and class, and of atomics that give back what was there, by hand,
 * for an H100.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_counts_fixture.h"

/* A product and a logic operation in each of STEPS. What either pipe can do is the same in both. */
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

/* Numbers of 8 and 16 bits become floating point on the special unit. */
TEST(conversions)
{
    static const struct {
        const char *type;
        double special;
    } cases[] = {{"uchar", 1}, {"short", 1}, {"int", 0}};

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char options[32];

        snprintf(options, sizeof options, "-DTYPE=%s", cases[c].type);
        COUNT(*state, 256, 64,
              KERNEL("((__global float *)out)[i] = ((__global const TYPE *)a)[i];\n"),
              .options = options);
        EXPECT(*state, cases[c].type, {"inst_special", 256 * cases[c].special},
               {"inst_conversion", 256});
    }
}

/* Distinct words of four sectors: as many passes, of those with a result and of those without. */
TEST(atomics_that_give_back)
{
    COUNT(*state, 256, 64, KERNEL("atomic_add(out + i, 1);\n"));
    EXPECT(*state, "no result", {"atomic", 8}, {"atomic_pass", 8 * 4}, {"atomic_return_pass", 0});
    COUNT(*state, 256, 64, KERNEL("out[i + 65536] = atomic_add(out + i, 1);\n"));
    EXPECT(*state, "a result", {"atomic", 8}, {"atomic_pass", 8 * 4},
           {"atomic_return_pass", 8 * 4});
    COUNT(*state, 256, 64,
          KERNEL("atomic_add(out + i, 1);\n"
                 "out[i + 65536] = atomic_cmpxchg(out + 8 * i + 1024, 1, 2);\n"));
    EXPECT(*state, "both", {"atomic", 8 * 2}, {"atomic_pass", 8 * (4 + 32)},
           {"atomic_return_pass", 8 * 32});
}

TEST_MAIN(trace_setup, trace_teardown)
