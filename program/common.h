/* Common functions of the suite's programs: inputs from a seed, outputs that show whether they were
 * written, and the comparison of outputs with a reference.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inputs depend only on the seed and the buffer's name, and are equal on all machines. The
 * functions that add a buffer follow the workload builder: they do nothing after its first error,
 * and record a failed allocation in it.
 */
#ifndef PM_PROGRAM_COMMON_H
#define PM_PROGRAM_COMMON_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "program/workload.h"

/* Parses "512" or "1024x768" into up to `max` positive numbers. Returns how many numbers there are;
 * 0 if the text is malformed. */
size_t pm_size_parse(const char *text, size_t *values, size_t max);
/* Parses a size that is one number; 0 if it is not. */
size_t pm_size_value(const char *text);

/* Uniform random floats in [lo, hi] on a grid of 2^24 steps; hi occurs only by rounding. Inputs
 * with the same seed and different `stream` are independent. */
void pm_random_floats(float *dst, size_t count, float lo, float hi, uint64_t seed,
                      const char *stream);
void pm_random_bytes(unsigned char *dst, size_t count, uint64_t seed, const char *stream);

/* Allocates memory for the builder of a workload. The caller frees it. NULL after any failure. Use
 * pm_workload_contents for a buffer's initial contents. */
void *pm_buffer_alloc(pm_workload *workload, size_t bytes);
/* Adds a buffer of random numbers and returns its index. `name` is also the stream. */
size_t pm_random_float_buffer(pm_workload *workload, const char *name, size_t count, float lo,
                              float hi, uint64_t seed, unsigned flags);
/* Adds an output whose bytes are all 0xFF. pm_check_floats_written sees NaN until a kernel writes
 * it. */
size_t pm_poisoned_buffer(pm_workload *workload, const char *name, size_t bytes);

/* `got` is correct if |got - want| <= absolute + relative * |want|. */
typedef struct {
    double relative, absolute;
} pm_tolerance;

/* PM_FAILED if any of `count` floats is infinite or NaN. A float that was never written is NaN. */
pm_status pm_check_floats_written(const char *name, const float *got, size_t count, pm_error *err);
/* PM_FAILED if `got` is not correct. The error names position, value and reference. */
pm_status pm_check_float(const char *name, size_t position, double got, double want,
                         pm_tolerance tolerance, pm_error *err);

/* Position i of `samples` positions spread over 0..count-1: a pseudo-random one in each of
 * `samples` equal ranges, the same on every machine. If samples >= count it is i, which must be
 * below count. */
size_t pm_sample_position(size_t i, size_t samples, size_t count);

#endif
