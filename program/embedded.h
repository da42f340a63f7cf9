/* OpenCL C in the string literals of a host program.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_EMBEDDED_H
#define PM_PROGRAM_EMBEDDED_H

#include <stdbool.h>

/* Whether the path is that of a source in C or C++, whose OpenCL C is in string literals. */
bool pm_has_embedded(const char *path);
/* The OpenCL C in a text of C or C++, to be freed: neighbouring string literals, raw literals, and
 * arguments of macros that make strings (#define TEXT(...) #__VA_ARGS__), as far as kernels are in
 * them. Lines keep their numbers where each literal is a line. "": there is none. NULL: out of
 * memory. */
char *pm_embedded_opencl(const char *text);

#endif
