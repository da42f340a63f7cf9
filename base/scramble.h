/* A hash function of 64-bit numbers, used to make pseudo-random numbers from a counter.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_SCRAMBLE_H
#define PM_BASE_SCRAMBLE_H

#include <stdint.h>

/* Mixes the bits of a number by the finaliser of MurmurHash3 (Austin Appleby, public domain), a
 * bijection on 64-bit numbers. */
static inline uint64_t pm_scramble(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccd;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53;
    return x ^ x >> 33;
}

#endif
