/* The language of a kernel source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_LANGUAGE_H
#define PM_COMPILER_LANGUAGE_H

#include "perfmodel.h"

typedef enum { PM_LANGUAGE_OPENCL, PM_LANGUAGE_CUDA } pm_language;

/* Language by the path's suffix. .cu and .cuh are CUDA C++, and so is .hip, because HIP sources
 * have CUDA's syntax. Anything else, and NULL, is OpenCL C. */
pm_language pm_language_of(const char *path);
/* True if the suffix is .hip. */
bool pm_is_hip(const char *path);

/* The language's terms for work-items, work-groups and so on, for output to the user. */
const pm_terms *pm_terms_of(pm_language language);

#endif
