/* Writes CUDA code that converts values to and from 4-byte words, because CUDA has no as_float()
 * and no swizzles.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_LAYOUT_CUDA_BITS_H
#define PM_TRANSFORM_LAYOUT_CUDA_BITS_H

#include "base/text.h"

/* Variables that contain the words of an item: vectors name0, name1, ... of `chunk` bytes each.
 * If chunk is 0, the single vector `name`. floats: the words are floats; else they are unsigned
 * ints. */
typedef struct {
    const char *name;
    size_t chunk;
    bool floats;
} pm_cuda_words;

/* Appends code for the scalar or vector of type `type` that starts at byte `at` of the words. */
void pm_cuda_bits_value(pm_text *out, const char *type, size_t at, const pm_cuda_words *words);

/* Builder for a 4-byte word that is composed of bytes of several values, with one term for each
 * value. */
typedef struct {
    pm_text *out;
    bool floats;
    size_t count; /* number of terms so far */
} pm_cuda_terms;

/* Appends a term for the bytes of a value that belong to the word, starting at byte `from` of the
 * value. value: operand of type `type`. at: byte position of the value in memory. Returns the
 * number of bytes. */
size_t pm_cuda_bits_term(pm_cuda_terms *terms, const char *type, const char *value, size_t from,
                         size_t at);

#endif
