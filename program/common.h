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
/* Parses a size that is one number. Returns 0 if the text is not one number. */
size_t pm_size_value(const char *text);

/* Fills dst with uniform random floats in [lo, hi], multiples of (hi - lo) / 2^24 above lo. hi
 * occurs only by rounding. Inputs with the same seed and different `stream` are independent. */
void pm_random_floats(float *dst, size_t count, float lo, float hi, uint64_t seed,
                      const char *stream);
void pm_random_bytes(unsigned char *dst, size_t count, uint64_t seed, const char *stream);

/* Allocates memory for the function that builds a workload. The caller frees it. NULL after any
 * failure of the workload's building. Use pm_workload_contents for a buffer's initial contents. */
void *pm_buffer_alloc(pm_workload *workload, size_t bytes);
/* Adds a buffer of random numbers and returns its index. `name` is also the name of the random
 * stream. */
size_t pm_random_float_buffer(pm_workload *workload, const char *name, size_t count, float lo,
                              float hi, uint64_t seed, unsigned flags);
size_t pm_random_byte_buffer(pm_workload *workload, const char *name, size_t count, uint64_t seed,
                             unsigned flags);
/* Adds an output buffer whose bytes are all 0xFF. Floats in it are NaN until a kernel writes them,
 * so pm_check_floats_written finds elements that were not written. */
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

/* Returns position i of `samples` positions that are spread over 0..count-1. Each of `samples`
 * equal ranges has one pseudo-random position, which is the same on every machine. If samples >=
 * count the position is i, which must be below count. */
size_t pm_sample_position(size_t i, size_t samples, size_t count);

/* Callback that returns the correct value of an output at one position. */
typedef double (*pm_reference_fn)(const void *context, size_t position);
/* Checks that all floats of `got` were written. Compares min(samples, count) of them with the
 * reference. */
pm_status pm_check_float_samples(const char *name, const float *got, size_t count, size_t samples,
                                 pm_reference_fn reference, const void *context,
                                 pm_tolerance tolerance, pm_error *err);

#endif
