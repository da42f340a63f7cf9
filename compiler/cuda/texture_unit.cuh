/* What the texture unit computes in hardware: addresses from coordinates, conversions of texels,
 * and filtering. See texture.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The trace engine calls these functions for each thread and counts no instructions for them,
 * because their names start with pm_texture_ (collector/engine/backend/ir/texture.h).
 */
#pragma clang system_header

#include "texture_modes.h"

#define PM_TEXTURE_UNIT extern "C" __attribute__((device, host, noinline, nodebug))

/* Returns whether texel x of a row of `width` texels exists. */
PM_TEXTURE_UNIT bool pm_texture_has(int x, unsigned int width)
{
    return x >= 0 && (unsigned int)x < width;
}
/* Returns the offset in bytes of texel x of a texture over linear memory. The nearest texel stands
 * for one that does not exist. An index that is off by more than the texture's width is wrong data,
 * which the trace engine shall report, so it gets an offset outside of the memory. */
PM_TEXTURE_UNIT long pm_texture_offset_1d(int x, unsigned int width, unsigned int texel_bytes)
{
    const long count = width;
    long at = x;

    if (at >= -count && at < 0)
        at = 0;
    else if (at >= count && at < 2 * count)
        at = count - 1;
    return at * texel_bytes;
}

/* Returns the texel index of a coordinate, before the address mode is applied. */
PM_TEXTURE_UNIT int pm_texture_index(float x, unsigned int size, unsigned int modes)
{
    const float most = 0x1p24f;

    x = __builtin_floorf(modes & PM_TEXTURE_NORMALIZED ? x * (float)size : x);
    return x > -most ? (int)(x < most ? x : most) : (int)-most;
}
/* Returns the index of the texel that is read for texel i of `size`. */
PM_TEXTURE_UNIT unsigned int pm_texture_addressed(int i, unsigned int size, unsigned int mode)
{
    const int count = (int)size;
    int within;

    if (count == 0) /* a texture object that is not known; its pointer is null */
        return 0;
    if (mode == PM_TEXTURE_WRAP)
        return (unsigned int)((i % count + count) % count);
    if (mode == PM_TEXTURE_MIRROR) {
        within = (i % (2 * count) + 2 * count) % (2 * count);
        return (unsigned int)(within < count ? within : 2 * count - 1 - within);
    }
    return (unsigned int)(i < 0 ? 0 : i < count ? i : count - 1);
}
PM_TEXTURE_UNIT bool pm_texture_has_2d(float x, float y, unsigned int width, unsigned int height,
                                       unsigned int modes)
{
    return (PM_TEXTURE_MODE_X(modes) != PM_TEXTURE_BORDER ||
            pm_texture_has(pm_texture_index(x, width, modes), width)) &&
           (height == 0 || PM_TEXTURE_MODE_Y(modes) != PM_TEXTURE_BORDER ||
            pm_texture_has(pm_texture_index(y, height, modes), height));
}
/* Returns the offset of a byte of a CUDA array: byte `at` of row y. The layout "block linear" is
 * used by NVIDIA's GPUs since compute capability 2.0. A tile (GOB) of 512 bytes has 64 bytes in
 * each of 8 rows, and a sector of 32 bytes in it has 16 bytes of two rows. PM_TEXTURE_TILES GOBs on
 * top of each other are a block; blocks follow each other row by row. */
PM_TEXTURE_UNIT long pm_texture_offset_array(unsigned int at, unsigned int y, unsigned int pitch,
                                             unsigned int modes)
{
    const unsigned int tiles = PM_TEXTURE_TILES(modes);
    const unsigned int within =
        at % 64 / 32 * 256 + y % 8 / 2 * 64 + at % 32 / 16 * 32 + y % 2 * 16 + at % 16;
    const long block = (long)(y / 8 / tiles) * (pitch / 64) + at / 64;

    return (block * tiles + y / 8 % tiles) * 512 + within;
}
/* Returns the offset of the texel at a point, in bytes. */
PM_TEXTURE_UNIT long pm_texture_offset_2d(float x, float y, unsigned int width, unsigned int height,
                                          unsigned int pitch, unsigned int texel_bytes,
                                          unsigned int modes)
{
    const unsigned int column =
        pm_texture_addressed(pm_texture_index(x, width, modes), width, PM_TEXTURE_MODE_X(modes));
    const unsigned int row = height ? pm_texture_addressed(pm_texture_index(y, height, modes),
                                                           height, PM_TEXTURE_MODE_Y(modes))
                                    : 0;

    if (PM_TEXTURE_TILES(modes))
        return pm_texture_offset_array(column * texel_bytes, row, pitch, modes);
    return (long)row * pitch + (long)column * texel_bytes;
}
/* Do the same as pm_texture_offset_2d, for the further texels of a fetch with linear filtering. The
 * trace engine uses the functions' names to choose how a load is counted
 * (collector/engine/memory/access.h). */
PM_TEXTURE_UNIT long pm_texture_offset_opposite(float x, float y, unsigned int width,
                                                unsigned int height, unsigned int pitch,
                                                unsigned int texel_bytes, unsigned int modes)
{
    return pm_texture_offset_2d(x, y, width, height, pitch, texel_bytes, modes);
}
PM_TEXTURE_UNIT long pm_texture_offset_beside(float x, float y, unsigned int width,
                                              unsigned int height, unsigned int pitch,
                                              unsigned int texel_bytes, unsigned int modes)
{
    return pm_texture_offset_2d(x, y, width, height, pitch, texel_bytes, modes);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Return the value if `inside`, otherwise 0. */
PM_TEXTURE_UNIT unsigned char pm_texture_keep_8(unsigned char value, bool inside)
{
    return inside ? value : 0;
}
PM_TEXTURE_UNIT unsigned short pm_texture_keep_16(unsigned short value, bool inside)
{
    return inside ? value : 0;
}
PM_TEXTURE_UNIT unsigned int pm_texture_keep_32(unsigned int value, bool inside)
{
    return inside ? value : 0;
}

/* Returns the value of a half-precision number. */
PM_TEXTURE_UNIT float pm_texture_of_half(unsigned int bits)
{
    const float sign = bits & 0x8000 ? -1.0f : 1.0f;
    const unsigned int exponent = bits >> 10 & 31, fraction = bits & 1023;

    if (exponent == 0)
        return sign * (float)fraction * 0x1p-24f;
    return __builtin_bit_cast(float, (bits & 0x8000) << 16 |
                                         (exponent == 31 ? 255 : exponent + 112) << 23 |
                                         fraction << 13);
}
/* Returns a channel of a texel as a float: for integers from 0 to 1, or from -1 to 1 if they are
 * signed. word: the 32 bits that contain channel number `channel`. */
PM_TEXTURE_UNIT float pm_texture_channel(unsigned int word, int channel, unsigned int modes)
{
    const unsigned int bits = PM_TEXTURE_BITS(modes);
    const unsigned int value = word >> channel * bits % 32 & (1u << bits) - 1;
    const int highest = (1 << (bits - 1)) - 1;
    int number = (int)value;

    if (PM_TEXTURE_KIND(modes) == PM_TEXTURE_FLOATS)
        return pm_texture_of_half(value);
    if (PM_TEXTURE_KIND(modes) == PM_TEXTURE_UNSIGNED)
        return (float)value / (float)(2 * highest + 1);
    number -= number > highest ? 2 * highest + 2 : 0;
    return number < -highest ? -1.0f : (float)number / (float)highest;
}

/* ---- linear filtering ------------------------------------------------------------------------ */

/* Returns a coordinate of the texels on both sides of a point: `side` is 0 or 1. */
PM_TEXTURE_UNIT float pm_texture_corner_of(float x, unsigned int size, int side, unsigned int modes)
{
    const float at = modes & PM_TEXTURE_NORMALIZED ? x * (float)size : x;

    return __builtin_floorf(at - 0.5f) + (float)side;
}
/* Returns the weight of the texel with the higher index, with the 8 bits that the hardware has. */
PM_TEXTURE_UNIT float pm_texture_weight(float x, unsigned int size, unsigned int modes)
{
    const float at = (modes & PM_TEXTURE_NORMALIZED ? x * (float)size : x) - 0.5f;

    return size ? __builtin_floorf((at - __builtin_floorf(at)) * 256.0f + 0.5f) / 256.0f : 0.0f;
}
/* Returns the mean of the four texels around a point: a and b are above c and d. */
PM_TEXTURE_UNIT float pm_texture_mean(float a, float b, float c, float d, float x, float y,
                                      unsigned int width, unsigned int height, unsigned int modes)
{
    const float right = pm_texture_weight(x, width, modes);
    const float below = pm_texture_weight(y, height, modes);
    const float above = (1.0f - right) * a + right * b, lower = (1.0f - right) * c + right * d;

    return (1.0f - below) * above + below * lower;
}
