/* Converts floating-point numbers of 16 bits. See narrow.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/contents/narrow.h"

#include <math.h>
#include <string.h>

const pm_narrow pm_narrow_half = {5, 10}, pm_narrow_bfloat16 = {8, 7};

/* Returns the exponent bias of a 16-bit format: a normal number with the stored exponent e has the
 * factor 2^(e - bias). */
static int bias_of(const pm_narrow *format)
{
    return (1 << (format->exponent_bits - 1)) - 1;
}

static unsigned infinity_of(const pm_narrow *format)
{
    return ((1u << format->exponent_bits) - 1) << format->fraction_bits;
}

/* Rounds a double to a normal number of a 16-bit format, to nearest, ties to even. bits: the bits
 * of the double. exponent: its exponent. Returns the result's bits without the sign. If rounding
 * carries beyond the fraction, the stored exponent becomes one more. */
static unsigned round_normal(const pm_narrow *format, uint64_t bits, int exponent)
{
    const unsigned shift = 52 - (unsigned)format->fraction_bits;
    const uint64_t stored = (uint64_t)(exponent + bias_of(format)) << 52;
    uint64_t all = stored | (bits & ((UINT64_C(1) << 52) - 1));

    all += (UINT64_C(1) << (shift - 1)) - 1 + (all >> shift & 1);
    return (unsigned)(all >> shift);
}

uint16_t pm_narrow_bits(const pm_narrow *format, double value)
{
    const unsigned sign = signbit(value) ? 0x8000 : 0;
    const int least = 1 - bias_of(format);
    uint64_t bits;
    double steps;
    int exponent;

    memcpy(&bits, &value, sizeof bits);
    exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    if (exponent >= least && exponent <= bias_of(format))
        return (uint16_t)(sign | round_normal(format, bits, exponent));

    if (isnan(value))
        return (uint16_t)(sign | infinity_of(format) | 1u << (format->fraction_bits - 1));
    if (fabs(value) >= ldexp(1, bias_of(format) + 1))
        return (uint16_t)(sign | infinity_of(format));
    frexp(value, &exponent); /* value < 2^exponent */
    exponent = exponent - 1 > least && value != 0 ? exponent - 1 : least;
    /* `steps` of a normal number has the implicit leading bit, 2^fraction_bits. Adding it to the
     * stored exponent, which is one too low, gives the right exponent. If rounding gave
     * 2^(fraction_bits + 1), the carry adds one more. */
    steps = nearbyint(ldexp(fabs(value), format->fraction_bits - exponent));
    return (uint16_t)(sign |
                      ((unsigned)steps + ((unsigned)(exponent - least) << format->fraction_bits)));
}

double pm_narrow_value(const pm_narrow *format, uint16_t bits)
{
    const int stored = bits >> format->fraction_bits & ((1 << format->exponent_bits) - 1);
    const int fraction = bits & ((1 << format->fraction_bits) - 1);
    const int least = 1 - bias_of(format) - format->fraction_bits;
    double value;

    if ((bits & 0x7fff) >= infinity_of(format))
        value = fraction ? (double)NAN : (double)INFINITY;
    else if (stored == 0)
        value = ldexp(fraction, least);
    else
        value = ldexp(fraction + (1 << format->fraction_bits), least + stored - 1);
    return bits >> 15 ? -value : value;
}

double pm_narrow_most(const pm_narrow *format)
{
    return pm_narrow_value(format, (uint16_t)(infinity_of(format) - 1));
}
