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
/* Makes the PTX that pm_cuda_ptx_find has found the source of the program's kernels: moves the
 * kernels that have PTX to new programs of the process. Returns whether there are such kernels. */
bool pm_cuda_ptx_take(pm_memory *memory, pm_captured_process *process,
                      const pm_captured_program *program);

#endif
