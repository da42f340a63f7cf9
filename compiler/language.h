/* The language of a kernel source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_LANGUAGE_H
#define PM_COMPILER_LANGUAGE_H

#include "perfmodel.h"

typedef enum { PM_LANGUAGE_OPENCL, PM_LANGUAGE_CUDA } pm_language;

/* Returns the language of a source by its path's suffix. .cu and .cuh are CUDA C++. So is .hip,
 * because HIP sources have CUDA's syntax. Any other suffix, and path NULL, is OpenCL C. */
pm_language pm_language_of(const char *path);
/* True if the suffix is .hip. */
bool pm_is_hip(const char *path);

/* Returns the language's words for work-items, work-groups and local memory, for output to the
 * user. */
const pm_terms *pm_terms_of(pm_language language);

#endif
