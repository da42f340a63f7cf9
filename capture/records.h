/* The records of a capture, read. See record.h for how they are written.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CAPTURE_RECORDS_H
#define PM_CAPTURE_RECORDS_H

#include "capture/record.h"
#include "capture/replay/launches.h"

typedef struct {
    size_t count;
    pm_captured_process *processes;
} pm_captured;

/* A path from / on, without . and .. and double slashes; place is where it is seen from. */
const char *pm_captured_path(pm_memory *memory, const char *place, const char *path);

/* Reads the records in a folder, of all processes. A last line that is not whole is left out; any
 * other that is no record ends the attempt of memory, as PM_BAD_INPUT. */
void pm_captured_read(pm_memory *memory, const char *folder, pm_captured *captured);

#endif
