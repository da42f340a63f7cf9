/* Machine code of x86-64, taken apart into instructions and blocks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_MACHINE_CODE_H
#define PM_COLLECTOR_MACHINE_CODE_H

#include <stdint.h>

#include "base/memory.h"

/* Where an instruction goes on. */
typedef enum {
    PM_FLOW_NEXT,
    PM_FLOW_JUMP,   /* to its target */
    PM_FLOW_BRANCH, /* to its target, or the next */
    PM_FLOW_CALL,   /* of its target, then the next */
    PM_FLOW_AWAY    /* back, or to where a register says */
} pm_machine_flow;

enum { PM_NO_INSTRUCTION = UINT32_MAX };

typedef struct {
    uint32_t at;          /* bytes from the start of the code */
    uint8_t bytes;        /* its length */
    uint8_t condition;    /* of a branch: the low four bits of its opcode */
    uint8_t displacement; /* where in it the distance of an operand from the next instruction
                             stands, in four bytes; 0: it has none */
    bool leads;           /* a block: jumps come here, or one is before it */
    pm_machine_flow flow;
    int64_t target; /* bytes from the start of the code, which may be outside of it */
    char *text;     /* in AT&T's syntax, as LLVM writes it */
} pm_machine_step;

typedef struct {
    const uint8_t *bytes;
    size_t size;
    pm_machine_step *steps; /* in the order of their addresses */
    size_t count;
    uint32_t
        *step_at; /* size: of a byte, the instruction that starts there, or PM_NO_INSTRUCTION */
} pm_machine_text;

/* Reads code, which has to outlive the result. Ends the memory's attempt with PM_FAILED where there
 * is what is not understood: bytes that are no instruction, a jump into one. */
void pm_machine_text_read(pm_memory *memory, const uint8_t *bytes, size_t size,
                          pm_machine_text *text);

/* The instruction that a jump or call leads to; PM_NO_INSTRUCTION: it is outside of the code. */
uint32_t pm_machine_target(const pm_machine_text *text, const pm_machine_step *step);

#endif
