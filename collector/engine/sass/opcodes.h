/* Classes and pipes of machine instructions (SASS).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_SASS_OPCODES_H
#define PM_COLLECTOR_ENGINE_SASS_OPCODES_H

#include <stddef.h>

#include "machine/mix.h"

/* What an instruction does to the flow of control. */
typedef enum {
    PM_SASS_PLAIN,
    PM_SASS_JUMP,    /* BRA and others, which may be conditional */
    PM_SASS_END,     /* EXIT, RET */
    PM_SASS_CALL,    /* continues behind itself after the function has returned */
    PM_SASS_MEET,    /* BSSY: names the point at which the warp's threads reconverge */
    PM_SASS_SYNC,    /* BSYNC: waits there */
    PM_SASS_PADDING, /* NOP */
    PM_SASS_ANCHOR /* an access to memory or a barrier, which ptxas does not move between blocks */
} pm_sass_flow;

typedef struct {
    const char *opcode; /* without modifiers, such as IMAD */
    pm_sass_flow flow;
    int local;  /* 1: a load from local memory; 2: a store to local memory; 0: neither */
    pm_mix mix; /* of one instruction */
} pm_sass_rule;

/* Returns the rule of an instruction. opcode: with its modifiers, `length` characters, such as
 * IMAD.WIDE. Never NULL: an opcode that is not in the table belongs to no class. */
const pm_sass_rule *pm_sass_rule_of(const char *opcode, size_t length);

#endif
