/* Writes CUDA code that converts scalars and vectors to and from 4-byte words. CUDA lacks OpenCL
 * C's as_float() and vector swizzles, with which OpenCL C code does this.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_LAYOUT_CUDA_BITS_H
#define PM_TRANSFORM_LAYOUT_CUDA_BITS_H

#include "base/text.h"

/* The variables of generated code that contain the words of one struct: vectors name0, name1, ...
 * of `chunk` bytes each or, if chunk is 0, the single vector `name`. floats: the words are floats;
 * false: unsigned ints. */
typedef struct {
    const char *name;
    size_t chunk;
    bool floats;
} pm_cuda_words;

/* Appends code that extracts from the words a scalar or vector of type `type`, which starts at byte
 * `at` of the words. */
void pm_cuda_bits_value(pm_text *out, const char *type, size_t at, const pm_cuda_words *words);

/* State while one 4-byte word is written as an expression: a combination of terms, one for each
 * value that has bytes in the word. */
typedef struct {
    pm_text *out;
    bool floats;
    size_t count; /* number of terms so far */
} pm_cuda_terms;

/* Appends a term with up to 4 bytes of a value to the expression for a 4-byte word of a struct.
 * value: code of the value, of type `type`. from: number of the first of these bytes within the
 * value. at: byte offset in the struct of this first byte. Returns how many bytes of the value the
 * term contains. */
size_t pm_cuda_bits_term(pm_cuda_terms *terms, const char *type, const char *value, size_t from,
                         size_t at);

#endif
