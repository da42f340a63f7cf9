/* Random numbers for the contents of buffers. They depend only on a seed and a name, and are equal
 * on all machines.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_CONTENTS_RANDOM_H
#define PM_PROGRAM_CONTENTS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* Fills dst with `count` uniform random floats in [lo, hi], which are multiples of (hi - lo) / 2^24
 * above lo. hi occurs only by rounding. Random numbers with equal seeds and different texts
 * `stream` are independent. */
void pm_random_floats(float *dst, size_t count, float lo, float hi, uint64_t seed,
                      const char *stream);
void pm_random_bytes(unsigned char *dst, size_t count, uint64_t seed, const char *stream);
/* The functions write the same random numbers as pm_random_floats and pm_random_bytes, but from
 * float or byte number `first` of the stream on. dst[0] gets number `first`. */
void pm_random_floats_from(float *dst, size_t first, size_t count, float lo, float hi,
                           uint64_t seed, const char *stream);
void pm_random_bytes_from(unsigned char *dst, size_t first, size_t count, uint64_t seed,
                          const char *stream);

#endif
