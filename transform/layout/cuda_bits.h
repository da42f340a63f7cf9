/* Writes CUDA code that converts scalars and vectors to and from 4-byte words. CUDA lacks OpenCL
 * C's as_float() and vector swizzles, with which OpenCL C code does this.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_LAYOUT_CUDA_BITS_H
#define PM_TRANSFORM_LAYOUT_CUDA_BITS_H

#include "base/text.h"

/* The variables of generated CUDA code that hold the 4-byte words of one struct. If chunk is not 0,
 * they are vectors of `chunk` bytes each, with the names name0, name1 and so on. If chunk is 0,
 * there is only the vector `name`. floats: true if the words are floats, false if they are unsigned
 * ints. */
typedef struct {
    const char *name;
    size_t chunk;
    bool floats;
} pm_cuda_words;

/* Appends an expression for a scalar or vector of type `type`, whose bytes are in the variables
 * that `words` describes. The scalar or vector begins at byte `at` of the struct. */
void pm_cuda_bits_value(pm_text *out, const char *type, size_t at, const pm_cuda_words *words);

/* State while one 4-byte word is written as an expression: a combination of terms, one for each
 * value that has bytes in the word. */
typedef struct {
    pm_text *out;
    bool floats;
    size_t count; /* number of terms so far */
} pm_cuda_terms;

/* Appends a term with up to 4 bytes of a value to the expression for a 4-byte word of a struct.
 * value: code of the value, of type `type`. The first of these bytes has the number `from` in the
 * value and the byte offset `at` in the struct. Returns how many bytes of the value the term
 * contains. */
size_t pm_cuda_bits_term(pm_cuda_terms *terms, const char *type, const char *value, size_t from,
                         size_t at);

#endif
