/* CUDA for the bits of values in words of 4 bytes, whose types have no as_float() and no swizzles.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_LAYOUT_CUDA_BITS_H
#define PM_LAYOUT_CUDA_BITS_H

#include "base/text.h"

/* Where words are: in vectors name0, name1, .. of `chunk` bytes each, or, with chunk 0, in the one
 * vector `name`. They are floats, or unsigned ints. */
typedef struct {
    const char *name;
    size_t chunk;
    bool floats;
} pm_cuda_words;

/* Adds the value of a scalar or vector type that begins at byte `at` of the words. */
void pm_cuda_bits_value(pm_text *out, const char *type, size_t at, const pm_cuda_words *words);

/* A word that is being put together. */
typedef struct {
    pm_text *out;
    bool floats;
    size_t count; /* of terms so far */
} pm_cuda_terms;

/* Adds what byte `from` of a value (an operand, of that type) and those behind it have of a word,
 * where they come to byte `at` of memory. Returns how many bytes of the word that is. */
size_t pm_cuda_bits_term(pm_cuda_terms *terms, const char *type, const char *value, size_t from,
                         size_t at);

#endif
