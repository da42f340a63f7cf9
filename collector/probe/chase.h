/* Following indices through a buffer in global memory: what a load takes that finds its data as far
 * away as a buffer of that size is (Saavedra and Smith 1995).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_PROBE_CHASE_H
#define PM_COLLECTOR_PROBE_CHASE_H

#include "collector/probe/probe.h"

enum { PM_CHASE_LINE = 128, PM_CHASE_MAX = 32 };

/* What a load takes in buffers of those sizes, at most PM_CHASE_MAX of them; each load is of
 * another line of PM_CHASE_LINE bytes, in random order. warm: the buffer was read whole just
 * before, so that what fits into a cache is there; else it is as the loads themselves leave it. A
 * size that nothing was measured at is 0. seconds and cycles may each be NULL. */
void pm_probe_chase(pm_probe *probe, const size_t *bytes, size_t count, bool warm,
                    pm_probe_value *seconds, pm_probe_value *cycles);

#endif
