/* What a kernel source is written in.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_LANGUAGE_H
#define PM_COMPILER_LANGUAGE_H

typedef enum { PM_LANGUAGE_OPENCL, PM_LANGUAGE_CUDA } pm_language;

/* By the ending of the path's name: .cu and .cuh are CUDA C++, anything else, and NULL, is OpenCL
 * C. */
pm_language pm_language_of(const char *path);

#endif
