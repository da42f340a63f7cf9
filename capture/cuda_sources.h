/* Finds the sources of captured CUDA kernels, which the recording of a running program cannot see.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CAPTURE_CUDA_SOURCES_H
#define PM_CAPTURE_CUDA_SOURCES_H

#include "capture/records.h"

/* Searches `folder` and its subfolders for files that define the captured kernels. A file matches
 * if it has a kernel with the same name and number of arguments. The kernels that a file defines
 * become a program of their own, with the headers of the file. A kernel that no file defines is
 * left unchanged. folder may be NULL. */
void pm_cuda_sources_find(pm_memory *memory, pm_captured *captured, const char *folder,
                          const char *options);

#endif
