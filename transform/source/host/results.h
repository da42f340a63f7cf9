/* Converts the interpreter's results to launches of a source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_HOST_RESULTS_H
#define PM_TRANSFORM_SOURCE_HOST_RESULTS_H

#include "transform/source/host/state.h"
#include "transform/source/launches.h"

/* Returns whether assumptions make all buffers together larger than `most` bytes, or launches
 * larger than GPUs allow. */
bool pm_host_is_too_large(const pm_host_state *state, double most);
/* Adds buffers, launches, assumptions and needed names to `out`. */
void pm_host_write(pm_host_state *state, pm_source_launches *out);

/* ---- contents.c ---- */

/* A struct as its bytes lie in memory: 0x and two digits a byte, with 0 between its fields. NULL:
 * not all of its fields are known, or some are pointers. */
char *pm_host_bytes_of(pm_host_state *state, pm_host_place place, CXType type, pm_memory *memory);

/* ---- origins.c ---- */

/* Returns the names of the integer variables from which the arguments of a call are calculated,
 * with ", " between them. call NULL: "". */
char *pm_host_origins(pm_host_tree *tree, pm_host_node *call, pm_memory *memory);

#endif
