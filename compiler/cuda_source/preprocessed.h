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
    char toolkit[PATH_MAX]; /* folder of the toolkit's headers; "" until one is seen */
    bool is, leaves_out; /* is: there was a line marker; leaves_out: the current lines belong to a
                            header that is left out */
} pm_preprocessed;

/* True for a line marker, # NUMBER "PATH" FLAGS, which gives the origin of the next lines. False if
 * its path is too long. */
bool pm_preprocessed_marker(pm_preprocessed *p, const char *line, size_t length, unsigned *number,
                            char *path, size_t size);

/* Adds the line and restores __device__ and similar words, which the toolkit's headers have
 * expanded. */
void pm_preprocessed_line(pm_text *out, const char *line, size_t length);

#endif
