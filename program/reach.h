/* How far into a buffer some work-groups of the launches access: the highest offset.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_REACH_H
#define PM_PROGRAM_REACH_H

#include <stdint.h>

typedef struct {
    /* Number of bytes from the buffer's start to the end of the access with the highest address.
     * corners: over the work-groups at the corners of the launches' grids. all: also over
     * work-groups between them. 0: no access. */
    uint64_t corners, all;
    uint64_t decides; /* 1: a branch or an address may depend on data loaded from the buffer */
    /* reads: 1 if a launch may load from the buffer. writes: 1 if a launch may store to it. */
    uint64_t reads, writes;
} pm_buffer_reach;

#endif
