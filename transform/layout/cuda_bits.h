/* Writes CUDA code that converts values to and from 4-byte words, because CUDA has no as_float()
 * and no swizzles.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_LAYOUT_CUDA_BITS_H
#define PM_TRANSFORM_LAYOUT_CUDA_BITS_H

#include "base/text.h"

/* Variables that hold the words: vectors name0, name1, .. of `chunk` bytes each. If chunk is 0, the
 * single vector `name`. floats: the words are floats, otherwise unsigned ints. */
typedef struct {
    const char *name;
    size_t chunk;
    bool floats;
} pm_cuda_words;

/* Appends the scalar or vector of a type that starts at byte `at` of the words. */
void pm_cuda_bits_value(pm_text *out, const char *type, size_t at, const pm_cuda_words *words);

/* A 4-byte word that is composed from the bytes of several values, one term each. */
typedef struct {
    pm_text *out;
    bool floats;
    size_t count; /* number of terms so far */
} pm_cuda_terms;

/* Appends the bytes of a value from byte `from` that belong to one word. value: an operand of type
 * `type`. at: byte position in memory. Returns the number of bytes appended. */
size_t pm_cuda_bits_term(pm_cuda_terms *terms, const char *type, const char *value, size_t from,
                         size_t at);

#endif
