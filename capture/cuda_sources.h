/* Finds the sources of captured CUDA kernels, which a running program does not have.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CAPTURE_CUDA_SOURCES_H
#define PM_CAPTURE_CUDA_SOURCES_H

#include "capture/records.h"

/* Looks into folder, and the folders in it, for files that define the kernels which captured
 * launches have, by their names and the number of their arguments. Kernels are a program of the
 * file then, with its headers; kernels that are in none stay as they are. folder is NULL: there is
 * none. */
void pm_cuda_sources_find(pm_memory *memory, pm_captured *captured, const char *folder,
                          const char *options);

#endif
