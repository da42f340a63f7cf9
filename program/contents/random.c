/* Makes random numbers from a seed. See random.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/contents/random.h"

#include <endian.h>
#include <string.h>

/* Difference between successive states of the generator. The state after any number of steps can
 * therefore be computed at once. */
#define STEP UINT64_C(0x9e3779b97f4a7c15)

/* Mixes the bits of a generator's state, which gives its output, as SplitMix64 does (Steele, Lea,
 * Flood 2014, "Fast splittable pseudorandom number generators"). Each step of SplitMix64 adds an
 * odd constant to the state. */
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static uint64_t next(uint64_t *state)
{
    *state += STEP;
    return mix(*state);
}

/* Returns the first state of a stream of random numbers: the FNV-1a hash of the stream's name,
 * combined with the seed and mixed. Because of the mixing, names that differ in one letter give
 * very different states. */
static uint64_t start(uint64_t seed, const char *stream)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const char *c = stream; *c; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    return mix(mix(seed) + hash);
}

void pm_random_floats_from(float *dst, size_t first, size_t count, float lo, float hi,
                           uint64_t seed, const char *stream)
{
    uint64_t state = start(seed, stream) + first / 2 * STEP;
    float step = (hi - lo) * 0x1p-24f;
    size_t i = 0;

    /* A 64-bit random number gives two floats of 24 random bits. */
    if (first % 2 == 1 && count > 0)
        dst[i++] = lo + step * (float)(int32_t)(next(&state) & 0xffffff);
    for (; i + 1 < count; i += 2) {
        uint64_t bits = next(&state);
        dst[i] = lo + step * (float)(int32_t)(bits >> 40);
        dst[i + 1] = lo + step * (float)(int32_t)(bits & 0xffffff);
    }
    if (i < count)
        dst[i] = lo + step * (float)(int32_t)(next(&state) >> 40);
}

void pm_random_floats(float *dst, size_t count, float lo, float hi, uint64_t seed,
                      const char *stream)
{
    pm_random_floats_from(dst, 0, count, lo, hi, seed, stream);
}

void pm_random_bytes_from(unsigned char *dst, size_t first, size_t count, uint64_t seed,
                          const char *stream)
{
    uint64_t state = start(seed, stream) + first / 8 * STEP, bits;
    const size_t skip = first % 8, partial = (8 - skip) % 8;
    size_t i = partial < count ? partial : count;

    if (i > 0) {
        bits = htole64(next(&state));
        memcpy(dst, (const unsigned char *)&bits + skip, i);
    }
    for (; count - i >= 8; i += 8) {
        bits = htole64(next(&state));
        memcpy(dst + i, &bits, sizeof bits);
    }
    if (i < count) {
        bits = htole64(next(&state));
        memcpy(dst + i, &bits, count - i);
    }
}

void pm_random_bytes(unsigned char *dst, size_t count, uint64_t seed, const char *stream)
{
    pm_random_bytes_from(dst, 0, count, seed, stream);
}
