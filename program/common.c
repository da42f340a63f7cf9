/* Common functions of the suite's programs. See common.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/common.h"
#include "program/program.h"

#include <endian.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t pm_size_parse(const char *text, size_t *values, size_t max)
{
    size_t count = 0;

    while (count < max && *text >= '0' && *text <= '9') {
        char *end = NULL;
        errno = 0;
        unsigned long long value = strtoull(text, &end, 10);
        if (errno || value == 0 || value > SIZE_MAX)
            return 0;
        values[count++] = (size_t)value;
        if (*end == '\0')
            return count;
        if (*end != 'x')
            return 0;
        text = end + 1;
    }
    return 0;
}

size_t pm_size_value(const char *text)
{
    size_t value = 0;
    return pm_size_parse(text, &value, 1) == 1 ? value : 0;
}

pm_workload *pm_program_make(const pm_program *program, const char *variant, const char *size,
                             uint64_t seed, pm_error *err)
{
    const char *name = program->info.name;
    char source[256];
    pm_workload *workload;

    if (program->build_own)
        return program->build_own(program->context, variant, size, seed, err);
    workload = pm_workload_create(name, variant, size);
    if (!workload) {
        pm_fail(err, PM_FAILED, "%s %s %s: no memory for the workload; close other programs", name,
                variant, size);
        return NULL;
    }
    snprintf(source, sizeof source, "%s/%s_%s.cl", name, name, variant);
    pm_workload_source(workload, program->source ? program->source : source);
    if (workload->error.status == PM_OK)
        program->build(workload, seed);
    return pm_workload_finish(workload, err);
}

/* ---- random inputs ------------------------------------------------------------------------ */

/* SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators"). Each step
 * adds an odd constant to the state. The output is the state after a mixing function. */
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static uint64_t next(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    return mix(*state);
}

/* Returns the start state of a stream: FNV-1a over the stream's name, then mixed. Names that differ
 * in one letter so give very different states. */
static uint64_t start(uint64_t seed, const char *stream)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const char *c = stream; *c; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    return mix(mix(seed) + hash);
}

void pm_random_floats(float *dst, size_t count, float lo, float hi, uint64_t seed,
                      const char *stream)
{
    uint64_t state = start(seed, stream);
    float step = (hi - lo) * 0x1p-24f;
    size_t i = 0;

    /* One 64-bit random number gives two floats of 24 random bits. */
    for (; i + 1 < count; i += 2) {
        uint64_t bits = next(&state);
        dst[i] = lo + step * (float)(int32_t)(bits >> 40);
        dst[i + 1] = lo + step * (float)(int32_t)(bits & 0xffffff);
    }
    if (i < count)
        dst[i] = lo + step * (float)(int32_t)(next(&state) >> 40);
}

void pm_random_bytes(unsigned char *dst, size_t count, uint64_t seed, const char *stream)
{
    uint64_t state = start(seed, stream);

    size_t i = 0;

    for (; count - i >= 8; i += 8) {
        const uint64_t bits = htole64(next(&state));
        memcpy(dst + i, &bits, sizeof bits);
    }
    if (i < count) {
        const uint64_t bits = htole64(next(&state));
        memcpy(dst + i, &bits, count - i);
    }
}

/* ---- buffers ------------------------------------------------------------------------------ */

void *pm_buffer_alloc(pm_workload *workload, size_t bytes)
{
    if (workload->error.status)
        return NULL;
    void *memory = malloc(bytes);
    if (!memory)
        pm_fail(&workload->error, PM_FAILED,
                "%s %s %s: no memory for a buffer of %zu bytes; choose a smaller size",
                workload->program, workload->variant, workload->size, bytes);
    return memory;
}

size_t pm_random_float_buffer(pm_workload *workload, const char *name, size_t count, float lo,
                              float hi, uint64_t seed, unsigned flags)
{
    float *initial = pm_workload_contents(workload, count * sizeof *initial);
    if (!initial)
        return 0;
    pm_random_floats(initial, count, lo, hi, seed, name);
    return pm_workload_buffer(workload, name, count * sizeof *initial, initial, flags);
}

size_t pm_random_byte_buffer(pm_workload *workload, const char *name, size_t count, uint64_t seed,
                             unsigned flags)
{
    unsigned char *initial = pm_workload_contents(workload, count);
    if (!initial)
        return 0;
    pm_random_bytes(initial, count, seed, name);
    return pm_workload_buffer(workload, name, count, initial, flags);
}

size_t pm_poisoned_buffer(pm_workload *workload, const char *name, size_t bytes)
{
    return pm_workload_buffer(workload, name, bytes, NULL, PM_BUFFER_OUTPUT | PM_BUFFER_POISON);
}

/* ---- checks ------------------------------------------------------------------------------- */

pm_status pm_check_floats_written(const char *name, const float *got, size_t count, pm_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(got[i]))
            return pm_fail(err, PM_FAILED, "%s[%zu] is %g: not written, or not a number", name, i,
                           (double)got[i]);
    return PM_OK;
}

pm_status pm_check_float(const char *name, size_t position, double got, double want,
                         pm_tolerance tolerance, pm_error *err)
{
    double allowed = tolerance.absolute + tolerance.relative * fabs(want);

    /* The negation makes the test fail for NaN. */
    if (!(fabs(got - want) <= allowed))
        return pm_fail(err, PM_FAILED, "%s[%zu] is %.9g, the reference is %.9g (allowed: %.3g)",
                       name, position, got, want, allowed);
    return PM_OK;
}

size_t pm_sample_position(size_t i, size_t samples, size_t count)
{
    if (samples >= count)
        return i;
    size_t stretch = count / samples;
    size_t first = i * stretch + i * (count % samples) / samples;
    return first + (size_t)(mix(i + 1) % stretch);
}

pm_status pm_check_float_samples(const char *name, const float *got, size_t count, size_t samples,
                                 pm_reference_fn reference, const void *context,
                                 pm_tolerance tolerance, pm_error *err)
{
    size_t checked = samples < count ? samples : count;
    pm_status status = pm_check_floats_written(name, got, count, err);

    for (size_t i = 0; i < checked && !status; i++) {
        size_t position = pm_sample_position(i, samples, count);
        status = pm_check_float(name, position, (double)got[position], reference(context, position),
                                tolerance, err);
    }
    return status;
}
