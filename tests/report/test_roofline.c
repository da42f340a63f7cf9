/* Tests the peak rates of a GPU (roofs) from its row of devices.csv, and the roofline points of
 * kernels, by numbers that were computed by hand.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "answer/roofline/roofline.h"
#include "unit.h"

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

static pm_roof_units units_of(const char *target)
{
    pm_roof_units units;

    assert_ok(pm_roof_units_find(target, PM_SOURCE_DIR "/datasets", &units, told()) == PM_OK);
    return units;
}

/* NVIDIA's data sheet of the H100 SXM: 67 and 34 TFLOP/s, 3.35 TB/s, 700 W. */
TEST(roofs_of_an_h100)
{
    const pm_roof_units u = units_of("h100");

    assert_true(fabs(u.roofs.fp32_per_s - 67e12) < 0.5e12);
    assert_true(fabs(u.roofs.fp64_per_s - 34e12) < 0.6e12);
    assert_true(is_near(u.roofs.bytes_per_s[PM_ROOF_DRAM], 3.35e12));
    assert_true(is_near(u.roofs.bytes_per_s[PM_ROOF_L2], 5120 * 1.98e9));
    assert_true(is_near(u.roofs.bytes_per_s[PM_ROOF_L1], 132 * 128 * 1.98e9));
    assert_true(u.roofs.dram_in_practice < u.roofs.bytes_per_s[PM_ROOF_DRAM]);
    assert_true(u.power_limit_w == 700);
}

TEST(a_gpu_without_a_row)
{
    const pm_roof_units u = units_of("nobody-has-this");
    const pm_roof_work work = {.fp32 = 1, .bytes = {1, 1, 1, 1}, .moved = {1, 1, 1, 1}};
    const pm_roofline p = pm_roofline_of(&u.roofs, &work, 1, true);

    assert_true(isnan(u.roofs.fp32_per_s) && isnan(u.roofs.bytes_per_s[PM_ROOF_DRAM]));
    assert_true(isnan(u.power_limit_w));
    assert_null(p.bound);
    assert_true(isnan(p.share) && isnan(p.roof_per_s));
    assert_true(p.intensity[PM_ROOF_DRAM] == 1 && p.per_s == 1);
}

/* ---- points --------------------------------------------------------------------------------- */

static const pm_roofs round_roofs = {.fp32_per_s = 1000,
                                     .fp64_per_s = 100,
                                     .int_per_s = 500,
                                     .bytes_per_s = {10, 50, 200, 200},
                                     .dram_in_practice = 9};

TEST(bound_by_memory_and_by_arithmetic)
{
    const pm_roof_work low = {
        .fp32 = 200, .bytes = {100, 200, 400, 0}, .moved = {100, 200, 400, 0}};
    const pm_roof_work high = {
        .fp32 = 200000, .bytes = {100, 200, 400, 0}, .moved = {100, 200, 400, 0}};
    const pm_roof_work cached = {.fp32 = 200, .bytes = {0, 600, 400, 0}, .moved = {0, 600, 400, 0}};
    pm_roofline p = pm_roofline_of(&round_roofs, &low, 20, true);

    assert_string_equal(p.bound, "dram");
    assert_string_equal(p.operations, "fp32");
    assert_true(p.intensity[PM_ROOF_DRAM] == 2 && p.intensity[PM_ROOF_L2] == 1);
    assert_true(isnan(p.intensity[PM_ROOF_SHARED])); /* no bytes */
    assert_true(p.per_s == 10 && is_near(p.roof_per_s, 20) && is_near(p.share, 0.5));
    p = pm_roofline_of(&round_roofs, &high, 400, false);
    assert_string_equal(p.bound, "fp32");
    assert_true(is_near(p.roof_per_s, 1000) && is_near(p.share, 0.5) && !p.measured);
    p = pm_roofline_of(&round_roofs, &cached, 24, true);
    assert_string_equal(p.bound, "l2");
    assert_true(is_near(p.share, 0.5) && isnan(p.intensity[PM_ROOF_DRAM]));
}

/* FP64 at a tenth of the operations takes as long as FP32 at the rest. */
TEST(both_precisions)
{
    const pm_roof_work work = {.fp32 = 1000, .fp64 = 200, .integer = 1e9};
    const pm_roofline p = pm_roofline_of(&round_roofs, &work, 4, true);

    assert_string_equal(p.operations, "fp32+fp64");
    assert_string_equal(p.bound, "fp64");
    assert_true(p.count == 1200 && is_near(p.least_s, 2) && is_near(p.share, 0.5));
}

TEST(integers_where_there_are_no_floats)
{
    const pm_roof_work work = {.integer = 1000};
    const pm_roofline p = pm_roofline_of(&round_roofs, &work, 2, true);

    assert_string_equal(p.operations, "int");
    assert_string_equal(p.bound, "int");
    assert_true(is_near(p.share, 1));
}

/* A dataset from before flop_fp32 was counted: unknown does not count as 0. */
TEST(unknown_operations)
{
    const pm_roof_work work = {
        .fp32 = (double)NAN, .integer = 1000, .bytes = {100, 0, 0, 0}, .moved = {100, 0, 0, 0}};
    const pm_roofline p = pm_roofline_of(&round_roofs, &work, 20, true);

    assert_null(p.operations);
    assert_true(isnan(p.count) && isnan(p.per_s) && isnan(p.intensity[PM_ROOF_DRAM]));
    assert_string_equal(p.bound, "dram");
    assert_true(is_near(p.share, 0.5));
}

/* ---- counters ------------------------------------------------------------------------------- */

static double made_up(const void *user, const char *name)
{
    static const struct {
        const char *name;
        double value;
    } counters[] = {{"flop_fp32", 7},       {"flop_fp64", 0},        {"inst_int", 5},
                    {"dram_read_bytes", 3}, {"dram_write_bytes", 4}, {"l2_read_sector", 2},
                    {"l2_write_sector", 1}, {"gld_sector", 5},       {"gst_sector", 6},
                    {"local_load", 1},      {"local_store", 1},      {"shared_wavefront", 9},
                    {"global_wavefront", 3}};

    (void)user;
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        if (strcmp(counters[i].name, name) == 0)
            return counters[i].value;
    return (double)NAN;
}

TEST(bytes_of_counters)
{
    const pm_roof_units u = units_of("h100");
    const pm_roof_work w = pm_roof_work_of(&u, made_up, NULL);

    assert_true(w.fp32 == 7 && w.fp64 == 0 && w.integer == 5);
    assert_true(w.bytes[PM_ROOF_DRAM] == 7 && w.bytes[PM_ROOF_L2] == 3 * 32);
    assert_true(w.moved[PM_ROOF_DRAM] == 7 && w.moved[PM_ROOF_L2] == 2 * 32); /* one way */
    assert_true(w.moved[PM_ROOF_L1] == 3 * 128); /* fewer passes than the sectors would need */
    assert_true(w.bytes[PM_ROOF_L1] == 11 * 32 + 2 * 128 && w.bytes[PM_ROOF_SHARED] == 9 * 128);
}
