/* Converts the captured launches of a program to a replay: the buffers and launches of a workload
 * file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CAPTURE_FILL_H
#define PM_CAPTURE_FILL_H

#include "capture/folder.h"

/* Converts the captured launches of a program to the launches and buffers of `replay`, which names
 * the program. The kernels' parameters come from the parsed source or PTX. If the source is CUDA or
 * cannot be parsed, they come from the driver's description. */
void pm_captured_fill(pm_session *session, const pm_capture_folder *folder, pm_replay *replay);
/* Refuses all captured launches of a CUDA program that has neither source nor PTX. */
void pm_captured_refuse(pm_memory *memory, pm_replay *replay);

#endif
