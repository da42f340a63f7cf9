/* Converts the interpreter's results to launches of a source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_HOST_RESULTS_H
#define PM_TRANSFORM_SOURCE_HOST_RESULTS_H

#include "transform/source/host/state.h"
#include "transform/source/launches.h"

/* Returns whether assumed values make the sum of all buffers larger than `most` bytes, or launches
 * larger than GPUs allow. */
bool pm_host_is_too_large(const pm_host_state *state, double most);
/* Writes buffers, launches, assumptions and names of unknown variables to `out`. */
void pm_host_write(pm_host_state *state, pm_source_launches *out);

/* ---- contents.c ---- */

/* Returns the bytes of a struct in memory as text: 0x and two hexadecimal digits for each byte;
 * padding is 0. NULL: some of its fields are unknown or are pointers. */
char *pm_host_bytes_of(pm_host_state *state, pm_host_place place, CXType type, pm_memory *memory);

/* ---- origins.c ---- */

/* Returns the names of the integer variables from which a call's arguments are computed, separated
 * by ", ". call NULL: "". */
char *pm_host_origins(pm_host_tree *tree, pm_host_node *call, pm_memory *memory);

#endif
