/* Machine code of x86-64 written anew, so that it counts the blocks that it executes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each block first adds one to a counter, and so does what is behind a branch that was not taken,
 * with instructions that leave the flags alone, and memory but what is far below the stack. One
 * thread may run the copy at a time: others would lose counts.
 */
#ifndef PM_COLLECTOR_MACHINE_REWRITE_H
#define PM_COLLECTOR_MACHINE_REWRITE_H

#include "collector/machine/code.h"

/* Of an instruction. */
typedef struct {
    uint64_t begun;  /* of the first of a block: how often it was executed */
    uint64_t passed; /* of a branch: how often it was not taken */
} pm_machine_counts;

/* Bytes that a copy takes at most. */
size_t pm_machine_copy_bytes(const pm_machine_text *text);
/* Writes the copy. original: where the code runs otherwise, which what is outside of it and its
 * data are addressed from; copy, original and counts, of each instruction, have to be within 2 GiB
 * of each other, else the memory's attempt ends with PM_FAILED. place[k] becomes the byte of the
 * copy where instruction k starts, with what counts its block. */
void pm_machine_copy_write(pm_memory *memory, const pm_machine_text *text, const uint8_t *original,
                           uint8_t *copy, const pm_machine_counts *counts, uint32_t *place);

#endif
