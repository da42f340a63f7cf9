/* A source that went through a preprocessor (nvcc -E, cpp): the lines of the toolkit's headers and
 * of the host's are in it.
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
    char toolkit[PATH_MAX]; /* its folder of headers, once one of them is seen; else "" */
    bool is, leaves_out;    /* there was a marker; what comes now is a header's that is left out */
} pm_preprocessed;

/* Whether the line is a marker, # NUMBER "PATH" FLAGS, which says where the next lines come from.
 * One whose path does not fit is none. */
bool pm_preprocessed_marker(pm_preprocessed *p, const char *line, size_t length, unsigned *number,
                            char *path, size_t size);

/* The line, with what the toolkit's headers make of __device__ and its like put back. */
void pm_preprocessed_line(pm_text *out, const char *line, size_t length);

#endif
