/* Preprocesses captured sources of OpenCL that include headers by macros.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CAPTURE_EXPAND_H
#define PM_CAPTURE_EXPAND_H

#include "capture/replay/launches.h"
#include "collector/worker/worker.h"

/* If the program's source, `text`, includes a header by a macro, sets program->text to the
 * preprocessed source, which needs no headers. Prints a notice if clang cannot preprocess it. */
void pm_captured_expand(pm_memory *memory, pm_worker *worker, const pm_log *log,
                        const pm_captured_process *process, pm_captured_program *program,
                        const char *text);

#endif
