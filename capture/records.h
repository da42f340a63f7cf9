/* Reads the records (kernel launches, arguments, buffers) that the library in a captured program
 * has written. record.h describes the format.
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

/* Returns an absolute path without ".", ".." and double slashes. place: the folder to which a
 * relative path refers. */
const char *pm_captured_path(pm_memory *memory, const char *place, const char *path);

/* Reads the records of all processes in a folder. An incomplete last line is ignored. Any other
 * malformed line raises PM_BAD_INPUT, which pm_attempt with this `memory` returns. */
void pm_captured_read(pm_memory *memory, const char *folder, pm_captured *captured);

/* ---- share.c --------------------------------------------------------------------------------- */

/* Corrects the totals of captured launches: sets them from the launches' own records. The totals
 * that the program wrote from time to time may be older than the last launch if the program was
 * killed. */
void pm_captured_count(const pm_captured_process *process);
/* Keeps only the captured launches of the kernels that take most time: as many kernels as needed
 * for the fraction `share` of the time of all kernels. Drops the captured launches of all other
 * kernels, with the reason PM_LEFT_SHORT. */
void pm_captured_choose(pm_memory *memory, const pm_captured *captured, double share);

#endif
