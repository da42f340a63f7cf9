/* Conversion of doubles to floats of 16 bits: exact values, ties, and numbers beside ties.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "program/contents/narrow.h"
#include "unit.h"

/* Checks the numbers from that of `bits` to the next one, with a sign. */
static void check_after(const pm_narrow *format, uint16_t bits, double sign)
{
    const double low = pm_narrow_value(format, bits);
    const double high = pm_narrow_value(format, (uint16_t)(bits + 1));
    const double tie = isinf(high) ? low + (low - pm_narrow_value(format, (uint16_t)(bits - 1))) / 2
                                   : low + (high - low) / 2;
    const unsigned mark = sign < 0 ? 0x8000 : 0, up = bits + 1U;

    assert_int_equal(pm_narrow_bits(format, sign * low), mark | bits);
    assert_int_equal(pm_narrow_bits(format, sign * tie), mark | (bits & 1 ? up : bits));
    assert_int_equal(pm_narrow_bits(format, sign * nextafter(tie, 0)), mark | bits);
    assert_int_equal(pm_narrow_bits(format, sign * nextafter(tie, HUGE_VAL)), mark | up);
}

static void check_format(const pm_narrow *format)
{
    const unsigned infinity = ((1U << format->exponent_bits) - 1) << format->fraction_bits;

    for (unsigned bits = 0; bits < infinity; bits++) {
        check_after(format, (uint16_t)bits, 1);
        check_after(format, (uint16_t)bits, -1);
    }
    assert_int_equal(pm_narrow_bits(format, HUGE_VAL), infinity);
    assert_int_equal(pm_narrow_bits(format, -1e300), 0x8000 | infinity);
    assert_true(pm_narrow_bits(format, (double)NAN) > infinity);
    assert_int_equal(pm_narrow_bits(format, 1e-300), 0);
}

TEST(half)
{
    check_format(&pm_narrow_half);
}

TEST(bfloat16)
{
    check_format(&pm_narrow_bfloat16);
}
