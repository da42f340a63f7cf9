/* A number that tells nothing of another.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_SCRAMBLE_H
#define PM_BASE_SCRAMBLE_H

#include <stdint.h>

/* The finaliser of MurmurHash3, by Austin Appleby, public domain: each number has one of its own.
 */
static inline uint64_t pm_scramble(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccd;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53;
    return x ^ x >> 33;
}

#endif
