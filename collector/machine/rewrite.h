/* Machine code of x86-64 written anew, so that it counts the instructions that it executes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each block first adds the number of its instructions to a counter, with instructions that leave
 * the flags alone, and memory but what is far below the stack. One thread may run the copy at a
 * time: others would lose counts.
 */
#ifndef PM_COLLECTOR_MACHINE_REWRITE_H
#define PM_COLLECTOR_MACHINE_REWRITE_H

#include "collector/machine/code.h"

/* Bytes that a copy takes at most. */
size_t pm_machine_copy_bytes(const pm_machine_text *text);
/* Writes the copy. original: where the code runs otherwise, which what is outside of it and its
 * data are addressed from; copy, original and counter have to be within 2 GiB of each other, else
 * the memory's attempt ends with PM_FAILED. place[k] becomes the byte of the copy where instruction
 * k starts, with what counts its block. */
void pm_machine_copy_write(pm_memory *memory, const pm_machine_text *text, const uint8_t *original,
                           uint8_t *copy, const uint64_t *counter, uint32_t *place);

#endif
