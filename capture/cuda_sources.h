/* Finds the sources of captured CUDA kernels, which the recording of a running program cannot see.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CAPTURE_CUDA_SOURCES_H
#define PM_CAPTURE_CUDA_SOURCES_H

#include "capture/records.h"

/* Searches `folder` and its subfolders for files that define the captured kernels. A file matches
 * if it has a kernel with the same name and number of arguments. The captured kernels that one file
 * defines become one captured program, whose source is this file with its headers. A kernel that no
 * file defines is left unchanged. folder may be NULL. */
void pm_cuda_sources_find(pm_memory *memory, pm_captured *captured, const char *folder,
                          const char *options);

#endif
