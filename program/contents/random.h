/* Random numbers for the contents of buffers. They depend only on a seed and a name, and are equal
 * on all machines.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_CONTENTS_RANDOM_H
#define PM_PROGRAM_CONTENTS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* Fills dst with uniform random floats in [lo, hi], multiples of (hi - lo) / 2^24 above lo. hi
 * occurs only by rounding. Random numbers with equal seeds and different names `stream` are
 * independent. */
void pm_random_floats(float *dst, size_t count, float lo, float hi, uint64_t seed,
                      const char *stream);
void pm_random_bytes(unsigned char *dst, size_t count, uint64_t seed, const char *stream);
/* The functions write the same random numbers to `dst` as the two functions above, but start at
 * float or byte number `first` of the stream. */
void pm_random_floats_from(float *dst, size_t first, size_t count, float lo, float hi,
                           uint64_t seed, const char *stream);
void pm_random_bytes_from(unsigned char *dst, size_t first, size_t count, uint64_t seed,
                          const char *stream);

#endif
