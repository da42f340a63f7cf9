/* What a kernel source is written in.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_LANGUAGE_H
#define PM_COMPILER_LANGUAGE_H

#include "perfmodel.h"

typedef enum { PM_LANGUAGE_OPENCL, PM_LANGUAGE_CUDA } pm_language;

/* By the ending of the path's name: .cu and .cuh are CUDA C++, and so is .hip, as HIP's text is
 * CUDA's; anything else, and NULL, is OpenCL C. */
pm_language pm_language_of(const char *path);
/* Whether it is HIP. */
bool pm_is_hip(const char *path);

/* What that language calls things, for whoever is told of a kernel. */
const pm_terms *pm_terms_of(pm_language language);

#endif
