/* Looks up the class of a machine instruction of NVIDIA's GPUs (SASS), such as fp32 or memory, and
 * the pipe of the compute unit that executes it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_SASS_OPCODES_H
#define PM_COLLECTOR_ENGINE_SASS_OPCODES_H

#include <stddef.h>

#include "machine/mix.h"

/* What an instruction of machine code does with the flow of control, or why its position in the
 * code matters. */
typedef enum {
    PM_SASS_PLAIN,
    PM_SASS_JUMP, /* BRA and other jumps, which may be conditional */
    PM_SASS_END,  /* EXIT, RET */
    /* call of a function; the next instruction is executed after the function has returned */
    PM_SASS_CALL,
    PM_SASS_MEET,    /* BSSY: gives the point at which the warp's threads reconverge */
    PM_SASS_SYNC,    /* BSYNC: waits for the warp's other threads at this point */
    PM_SASS_PADDING, /* NOP */
    PM_SASS_ANCHOR /* access to memory, or barrier; ptxas does not move it to another basic block */
} pm_sass_flow;

typedef struct {
    /* name of the instruction, with modifiers if they matter, such as IMAD or IMAD.MOV */
    const char *opcode;
    pm_sass_flow flow;
    int local;  /* access to local memory. 1: load; 2: store; 0: none */
    pm_mix mix; /* classes and pipes of one execution of the instruction */
} pm_sass_rule;

/* Returns the rule of an instruction. opcode: its name with modifiers, such as IMAD.WIDE, `length`
 * characters. Returns a rule without classes for an opcode that is not in the table, never NULL. */
const pm_sass_rule *pm_sass_rule_of(const char *opcode, size_t length);

#endif
