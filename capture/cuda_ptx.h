/* Finds the PTX of captured CUDA kernels in the images that the program loaded.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CAPTURE_CUDA_PTX_H
#define PM_CAPTURE_CUDA_PTX_H

#include "capture/folder.h"
#include "capture/records.h"

/* Sets `ptx` of each kernel of which a launch was captured and whose PTX is in an image. If a
 * fatbin has PTX for several GPU architectures, takes the newest that the device can run. If an
 * image is damaged, writes a line to the log and skips the damaged part. */
void pm_cuda_ptx_find(const pm_capture_folder *folder, pm_captured *captured, const pm_log *log);
/* Returns the PTX of one kernel, whether or not a launch of it was captured. NULL: there is none.
 */
const char *pm_cuda_ptx_of(const pm_capture_folder *folder, pm_captured_process *process,
                           const pm_captured_kernel *kernel, const pm_log *log);
/* Makes PTX the source of those kernels of a program for which pm_cuda_ptx_find found PTX: moves
 * these kernels to new programs of the process, one for each PTX text. Returns whether any kernel
 * was moved. */
bool pm_cuda_ptx_take(pm_memory *memory, pm_captured_process *process,
                      const pm_captured_program *program);

#endif
