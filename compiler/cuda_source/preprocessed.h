/* Reads a CUDA source that was already preprocessed (nvcc -E, cpp), and leaves out the headers of
 * the toolkit and the host that it contains.
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
    /* is: true if a line marker (# NUMBER "PATH") was found, so that the text is preprocessed;
     * leaves_out: true while the lines that are read belong to a header whose text is removed */
    bool is, leaves_out;
} pm_preprocessed;

/* Reads a line marker, # NUMBER "PATH" FLAGS, which gives the origin of the following lines.
 * Returns false if the line is no line marker, or if the path is too long. */
bool pm_preprocessed_marker(pm_preprocessed *p, const char *line, size_t length, unsigned *number,
                            char *path, size_t size);

/* Appends a line of a preprocessed source to `out`. Restores words such as __device__, which the
 * toolkit's headers define as macros and the preprocessor has expanded. */
void pm_preprocessed_line(pm_text *out, const char *line, size_t length);

/* Appends a preprocessed source to `out`, without the headers of the host and of the CUDA toolkit
 * that it contains. Line markers become directives #line. If is_kept(name) returns true for a
 * header of the toolkit, an #include line replaces the header. Macros of the user stay expanded.
 * Returns false if the text has no line markers; `out` is then not usable. */
bool pm_preprocessed_text(const char *text, bool (*is_kept)(const char *name), pm_text *out);

#endif
