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

enum { PM_MACHINE_WINDOWS = 3, PM_MACHINE_WINDOW = 6000 };

/* An image, and what was seen of it. */
typedef struct {
    const pm_machine_image *image;
    pm_machine_text text;  /* of the bytes as they were */
    uint64_t groups;       /* work-groups that a pass runs of its kernel, about */
    uint32_t *steps;       /* instructions in the order in which windows went through them */
    size_t step_count;     /* at most PM_MACHINE_WINDOWS * PM_MACHINE_WINDOW */
    uint64_t instructions; /* executed, of all its work-groups */
    /* of a pass under way */
    uint64_t begun; /* work-groups */
    unsigned windows;
    bool written; /* over */
    uint8_t *copy;
    size_t copy_bytes;
    uint64_t *counter;
    uint32_t *place;
} pm_machine_live;

/* Reads the code of an image that is as PoCL made it. */
void pm_machine_live_read(pm_memory *memory, const pm_machine_image *image, uint64_t groups,
                          pm_machine_live *live);

typedef enum {
    PM_MACHINE_STEP, /* goes through some thousand instructions of three work-groups one by one */
    PM_MACHINE_COUNT /* counts all instructions */
} pm_machine_watch;

/* Watches what pass does. Afterwards the code is as it was. */
pm_status pm_machine_live_watch(pm_machine_live *live, size_t count, pm_machine_watch watch,
                                pm_status (*pass)(void *user, pm_error *err), void *user,
                                pm_error *err);

#endif
