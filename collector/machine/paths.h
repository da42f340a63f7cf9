/* Sequences of instructions as a core goes through them, from how often blocks were executed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each starts at a block that stands for its share of all that was executed, and goes on as its
 * branches did: of one taken seven times of eight, every eighth is not. So a sequence holds the
 * kernel's parts as often as they run, wherever in a work-group that is, and no data are needed.
 */
#ifndef PM_COLLECTOR_MACHINE_PATHS_H
#define PM_COLLECTOR_MACHINE_PATHS_H

#include "collector/machine/rewrite.h"

enum { PM_MACHINE_PATHS = 12, PM_MACHINE_PATH = 1500 };

typedef struct {
    uint64_t instructions; /* executed in all */
    double wrong;          /* branches that a core foretells wrongly, about */
    uint32_t *steps;       /* PM_MACHINE_PATHS * PM_MACHINE_PATH; NULL where nothing was executed */
} pm_machine_paths;

/* entry: the first instruction of a work-group's function. */
pm_machine_paths pm_machine_paths_of(pm_memory *memory, const pm_machine_text *text,
                                     const pm_machine_counts *counts, uint32_t entry);

#endif
