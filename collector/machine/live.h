/* Loaded machine code that tells what it executes, by traps of this process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The code is written over, so that nothing else may run it meanwhile, and one thread alone: work
 * for a process of its own. One of these at a time is under way in a process.
 */
#ifndef PM_COLLECTOR_MACHINE_LIVE_H
#define PM_COLLECTOR_MACHINE_LIVE_H

#include "collector/machine/code.h"
#include "collector/machine/images.h"
#include "collector/machine/rewrite.h"

/* An image, and what was seen of it. */
typedef struct {
    const pm_machine_image *image;
    pm_machine_text text;      /* of the bytes as they were */
    pm_machine_counts *counts; /* of each instruction */
    /* of a pass under way */
    bool written; /* over */
    uint8_t *pages, *copy;
    size_t page_bytes;
    uint32_t *place;
} pm_machine_live;

/* Reads the code of an image that is as PoCL made it. */
void pm_machine_live_read(pm_memory *memory, const pm_machine_image *image, pm_machine_live *live);

/* Counts what pass executes. Afterwards the code is as it was. */
pm_status pm_machine_live_count(pm_machine_live *live, size_t count,
                                pm_status (*pass)(void *user, pm_error *err), void *user,
                                pm_error *err);

#endif
