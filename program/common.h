/* What the programs of the suite share: inputs made from a seed, outputs that show whether they
 * were written, and the comparison of outputs with a reference.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inputs depend on the seed and the buffer's name alone, and are the same on every machine. The
 * functions that add a buffer follow the workload builder: they do nothing after its first error,
 * and put a failed allocation there.
 */
#ifndef PM_PROGRAM_COMMON_H
#define PM_PROGRAM_COMMON_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "program/workload.h"

/* Parses "512" or "1024x768" into up to max positive numbers. Returns how many there were; 0 if the
 * text is anything else. */
size_t pm_size_parse(const char *text, size_t *values, size_t max);
/* The number that a size of one number is, 0 if it is not one. */
size_t pm_size_value(const char *text);

/* Uniform values; floats in [lo, hi] (hi only by rounding), on a grid of 2^24 steps. `stream` keeps
 * two inputs of one seed apart. */
void pm_random_floats(float *dst, size_t count, float lo, float hi, uint64_t seed,
                      const char *stream);
void pm_random_bytes(unsigned char *dst, size_t count, uint64_t seed, const char *stream);

/* Memory to free, for what a workload's builder works with; NULL after any failure. For a buffer's
 * initial contents see pm_workload_contents. */
void *pm_buffer_alloc(pm_workload *workload, size_t bytes);
/* Adds a buffer and returns its index; the name is the stream. */
size_t pm_random_float_buffer(pm_workload *workload, const char *name, size_t count, float lo,
                              float hi, uint64_t seed, unsigned flags);
size_t pm_random_byte_buffer(pm_workload *workload, const char *name, size_t count, uint64_t seed,
                             unsigned flags);
/* An output whose every byte is 0xFF: NaN to pm_check_floats_written until a kernel writes it. */
size_t pm_poisoned_buffer(pm_workload *workload, const char *name, size_t bytes);

/* got is right if |got - want| <= absolute + relative * |want|. */
typedef struct {
    double relative, absolute;
} pm_tolerance;

/* PM_FAILED if any of count floats is infinite or NaN, as one never written is. */
pm_status pm_check_floats_written(const char *name, const float *got, size_t count, pm_error *err);
/* PM_FAILED, naming position, value and reference, if got is not right. */
pm_status pm_check_float(const char *name, size_t position, double got, double want,
                         pm_tolerance tolerance, pm_error *err);

/* The i-th (of samples) of positions spread over 0..count-1: a pseudo-random one in each of
 * `samples` equal stretches, the same on every machine. With samples >= count it is i, and i must
 * be below count. */
size_t pm_sample_position(size_t i, size_t samples, size_t count);

/* The reference for one position of an output. */
typedef double (*pm_reference_fn)(const void *context, size_t position);
/* Scans all of got for values never written, then compares it with the reference at min(samples,
 * count) positions. */
pm_status pm_check_float_samples(const char *name, const float *got, size_t count, size_t samples,
                                 pm_reference_fn reference, const void *context,
                                 pm_tolerance tolerance, pm_error *err);

#endif
