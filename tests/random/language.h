/* The languages in which random programs are written.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Generators write OpenCL C, with the word __function (which no language has) before each function
 * that is no kernel. If a program is in CUDA, generators leave out constructs that CUDA does not
 * have.
 */
#ifndef PM_TESTS_RANDOM_LANGUAGE_H
#define PM_TESTS_RANDOM_LANGUAGE_H

#include <stdint.h>

#include "base/text.h"

typedef enum { RD_OPENCL, RD_CUDA, RD_LANGUAGES } rd_language;

/* Properties of a language. */
typedef struct {
    const char *name, *path;    /* name on the command line; path of a program's source */
    const char *suffix;         /* suffix of files without the dot */
    const char *compile;        /* first clang options for compiling it on this machine */
    const char *header;         /* header in tests/random that this language needs */
    const char *source_options; /* build option that disables drivers' warnings */
} rd_language_row;

const rd_language_row *rd_language_of(rd_language language);

/* Writes the source in its language. The seed chooses one of several spellings. */
void rd_language_write(const char *source, rd_language language, uint64_t seed, pm_text *to);

#endif
