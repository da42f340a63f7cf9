/* What following host code has found, as launches of a source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SOURCE_HOST_RESULTS_H
#define PM_SOURCE_HOST_RESULTS_H

#include "source/host/state.h"
#include "source/launches.h"

/* Bytes of all buffers that kernels get. */
double pm_host_buffer_bytes(const pm_host_state *state);
/* Adds buffers, launches, assumptions and needed names to `out`. */
void pm_host_write(pm_host_state *state, pm_source_launches *out);

#endif
