/* Converts elements of the matrices that tensor cores multiply, such as FP8 or bfloat16 numbers, to
 * and from numbers of the host. See elements.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/host/elements.h"

#include <math.h>
#include <string.h>

static float float_of(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Returns the value of a binary16 number. Exponent and fraction are moved to the positions that
 * they have in a float. The exponent of a float has a bias that is greater by 112, so the result is
 * multiplied by 2^112. */
static double half_value(uint32_t bits)
{
    const uint32_t rest = (bits & 0x7fff) << 13;
    const float size =
        (bits & 0x7c00) == 0x7c00 ? float_of(rest | 0x7f800000) : float_of(rest) * 0x1p112F;

    return bits & 0x8000 ? -size : size;
}

/* Returns the bits of the binary16 number nearest to `value`; if two numbers are equally near, the
 * one with an even last bit. */
static uint32_t half_bits(double value)
{
    const uint32_t sign = signbit(value) ? 0x8000 : 0;
    const double size = fabs(value);
    int exponent;

    if (isnan(value))
        return 0x7fff;
    if (size == 0)
        return sign;
    if (size >= 65520) /* 65520 is halfway between the greatest number and the next power of two */
        return sign | 0x7c00;
    frexp(size, &exponent);
    if (exponent < -13)
        exponent = -13;
    /* `size` is rounded to a multiple of 2^(exponent - 11), the distance between binary16 numbers
     * of this size. The sum also gives the right bits if rounding carries into the exponent, and
     * for denormals. */
    return sign |
           ((uint32_t)((exponent + 14) * 1024) + (uint32_t)rint(ldexp(size, 11 - exponent)) - 1024);
}

/* Returns the value of an e4m3 number: one bit of sign, four of exponent with bias 7, three of
 * fraction. It has no infinity. */
static double e4m3_value(uint32_t bits)
{
    const int exponent = (int)(bits >> 3 & 15), fraction = (int)(bits & 7);
    const double size = (bits & 0x7f) == 0x7f ? NAN
                        : exponent == 0       ? ldexp(fraction, -9)
                                              : ldexp(8 + fraction, exponent - 10);

    return bits & 0x80 ? -size : size;
}

static double double_at(const uint32_t *words)
{
    double value;

    memcpy(&value, words, sizeof value);
    return value;
}

/* Returns a float as bfloat16, rounded to nearest even. */
static uint32_t brain_bits(float value)
{
    const uint32_t bits = bits_of(value);

    return isnan(value) ? bits >> 16 | 0x40 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

double pm_element_value(pm_element element, const uint32_t *words, unsigned index)
{
    const unsigned bits = pm_element_bits(element), at = index * bits;
    uint32_t found;

    if (element == PM_ELEMENT_F64)
        return double_at(words + 2 * (size_t)index);
    found = words[at / 32] >> at % 32;
    switch (element) {
    case PM_ELEMENT_F16:
        return half_value(found & 0xffff);
    case PM_ELEMENT_BF16:
        return float_of(found << 16);
    case PM_ELEMENT_TF32: /* tensor cores ignore the 13 low bits */
        return float_of(found & 0xffffe000);
    case PM_ELEMENT_F32:
        return float_of(found);
    case PM_ELEMENT_E4M3:
        return e4m3_value(found & 0xff);
    case PM_ELEMENT_E5M2: /* e5m2 has the bits of the upper half of a binary16 number */
        return half_value((found & 0xff) << 8);
    case PM_ELEMENT_S8:
        return (int8_t)found;
    case PM_ELEMENT_U8:
        return found & 0xff;
    case PM_ELEMENT_S4:
        return (int)(found & 7) - (int)(found & 8);
    case PM_ELEMENT_U4:
        return found & 15;
    case PM_ELEMENT_B1:
        return found & 1;
    default:
        return (int32_t)found;
    }
}

static uint32_t integer_bits(double value, bool saturates)
{
    if (saturates)
        value = fmin(fmax(value, INT32_MIN), INT32_MAX);
    return (uint32_t)(int64_t)value;
}

void pm_element_set(pm_element element, uint32_t *words, unsigned index, double value,
                    bool saturates)
{
    const unsigned shift = index % 2 * 16;

    switch (element) {
    case PM_ELEMENT_F64:
        memcpy(words + 2 * (size_t)index, &value, sizeof value);
        break;
    case PM_ELEMENT_F16:
        words[index / 2] = (words[index / 2] & ~(UINT32_C(0xffff) << shift)) | half_bits(value)
                                                                                   << shift;
        break;
    case PM_ELEMENT_BF16:
        words[index / 2] =
            (words[index / 2] & ~(UINT32_C(0xffff) << shift)) | brain_bits((float)value) << shift;
        break;
    case PM_ELEMENT_S32:
        words[index] = integer_bits(value, saturates);
        break;
    default:
        words[index] = bits_of((float)value);
    }
}
