/* How far some work-groups of a workload go into a buffer.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_REACH_H
#define PM_PROGRAM_REACH_H

#include <stdint.h>

typedef struct {
    /* Bytes from the buffer's start to the end of the last access: of the groups at the corners of
     * the launches' grids, and of these and groups spread over the grids. 0: no access. */
    uint64_t corners, all;
    uint64_t decides;       /* 1: a branch or an address may depend on what is loaded from it */
    uint64_t reads, writes; /* 1: a launch may load from it, or store to it */
} pm_buffer_reach;

#endif
