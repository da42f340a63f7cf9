/* Reads a source that was preprocessed (nvcc -E, cpp), which contains the headers of the toolkit
 * and of the host.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CUDA_SOURCE_PREPROCESSED_H
#define PM_COMPILER_CUDA_SOURCE_PREPROCESSED_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

typedef struct {
    /* folder of the CUDA toolkit's headers; "" until a line marker names it */
    char toolkit[PATH_MAX];
    /* is: the text has had a line marker; leaves_out: the current lines belong to a header that is
     * left out */
    bool is, leaves_out;
} pm_preprocessed;

/* True for a line marker, # NUMBER "PATH" FLAGS, which gives the origin of the next lines. False if
 * the path is too long. */
bool pm_preprocessed_marker(pm_preprocessed *p, const char *line, size_t length, unsigned *number,
                            char *path, size_t size);

/* Appends the line to out. Restores __device__ and similar words, which the toolkit's headers
 * define as macros and the preprocessor has expanded. */
void pm_preprocessed_line(pm_text *out, const char *line, size_t length);

#endif
