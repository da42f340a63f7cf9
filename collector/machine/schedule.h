/* Cycles that a core takes for a sequence of instructions, by llvm-mca.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * llvm-mca simulates an out-of-order core by LLVM's tables of this CPU's instructions
 * (https://llvm.org/docs/CommandGuide/llvm-mca.html): loads hit L1, branches are foretold, a load
 * waits for no store.
 */
#ifndef PM_COLLECTOR_MACHINE_SCHEDULE_H
#define PM_COLLECTOR_MACHINE_SCHEDULE_H

#include "collector/machine/paths.h"

/* Cycles of an instruction, in the mean over PM_MACHINE_PATHS sequences of PM_MACHINE_PATH of the
 * code's instructions each. Ends the memory's attempt with PM_FAILED where there is no llvm-mca of
 * the LLVM that this was built with, or it fails. */
double pm_machine_cycles(pm_memory *memory, const pm_machine_text *text, const uint32_t *steps);

#endif
