/* The language of a kernel source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_LANGUAGE_H
#define PM_COMPILER_LANGUAGE_H

#include "perfmodel.h"

typedef enum { PM_LANGUAGE_OPENCL, PM_LANGUAGE_CUDA, PM_LANGUAGE_PTX } pm_language;

/* Returns the language of a source by the suffix of its path: CUDA C++ for .cu and .cuh, and also
 * for .hip, because HIP sources have CUDA's syntax. PTX for .ptx. Any other suffix is OpenCL C, and
 * so is path NULL. */
pm_language pm_language_of(const char *path);
/* Returns whether the source is launched as CUDA launches kernels: with numbers of blocks and
 * threads, bytes of shared memory, and values of global variables. True for CUDA and PTX. */
bool pm_is_cuda_launched(const char *path);
/* Returns whether the suffix of the path is .hip. */
bool pm_is_hip(const char *path);

/* Returns the words that messages use for a language's work-items, work-groups and local memory,
 * such as "threads" in CUDA. */
const pm_terms *pm_terms_of(pm_language language);

#endif
