/* Converts the kernel launches that the interpreter of host code has found to the structs of
 * launches.h, from which a workload file is generated.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_HOST_RESULTS_H
#define PM_TRANSFORM_SOURCE_HOST_RESULTS_H

#include "transform/source/host/state.h"
#include "transform/source/launches.h"

/* Returns whether the assumed values of host variables are too large: the sum of all buffers
 * exceeds `most` bytes, or a launch is larger than GPUs allow. */
bool pm_host_is_too_large(const pm_host_state *state, double most);
/* Writes the buffers, launches and assumptions that the interpreter found, and the names of
 * variables whose values it needs, to `out`. */
void pm_host_write(pm_host_state *state, pm_source_launches *out);

/* ---- contents.c ---- */

/* Returns the bytes of a struct in the host's memory as text: 0x and two hexadecimal digits for
 * each byte. Padding and pointers are 0. Returns NULL if a number is unknown. */
char *pm_host_bytes_of(pm_host_state *state, pm_host_place place, CXType type, pm_memory *memory);

/* Returns the known values of the numbers in an array of structs, as lines "contents.FIELD = ..."
 * of a workload file. bytes: size of the array. */
char *pm_host_fields_of(pm_host_state *state, size_t object, CXType type, uint64_t bytes,
                        pm_memory *memory);

/* ---- buffer_contents.c ---- */

/* Sets out->contents to the contents that a buffer has before the first launch that uses it, if the
 * host code determines them. Sets out->zeros and out->partial, too. A variable whose type is a
 * struct is described as an array of 32-bit words. */
void pm_host_write_contents(const pm_host_object *object, pm_memory *memory, pm_launch_buffer *out);

/* ---- origins.c ---- */

/* Returns the names of the integer variables from which the arguments of a call are computed,
 * separated by ", ". Returns "" if `call` is NULL. */
char *pm_host_origins(pm_host_tree *tree, pm_host_node *call, pm_memory *memory);

#endif
