/* Extracts OpenCL C from the string literals of a host program.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_EMBEDDED_H
#define PM_PROGRAM_EMBEDDED_H

#include <stdbool.h>

/* Returns whether the path has the suffix of C or C++ source. perfmodel then looks for OpenCL C in
 * the file's string literals. */
bool pm_has_embedded(const char *path);
/* Extracts the OpenCL C from a C or C++ text: from string literals, raw string literals, and
 * arguments of macros that make strings (#define TEXT(...) #__VA_ARGS__). Neighbouring literals are
 * joined. Only texts with kernels are extracted. If each literal is one line of source, a line of
 * the result has the same number as in `text`. The caller frees the result. "": there is none.
 * NULL: out of memory. */
char *pm_embedded_opencl(const char *text);

#endif
