/* Loops of a function's machine code, and how many work-items their instructions are of.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_CPU_MACHINE_LOOPS_H
#define PM_COLLECTOR_TRACE_BACKEND_CPU_MACHINE_LOOPS_H

#include "base/memory.h"

/* What an instruction works on. */
typedef enum {
    PM_MACHINE_OTHER,   /* moves between registers, shuffles, jumps, addresses */
    PM_MACHINE_INTEGER, /* arithmetic of general registers */
    PM_MACHINE_SCALAR,  /* one float */
    PM_MACHINE_VECTOR   /* several numbers at once */
} pm_machine_kind;

typedef struct {
    size_t at;     /* its address */
    size_t target; /* where it jumps back to; above at: it does not */
    pm_machine_kind kind;
    unsigned lanes; /* numbers of a vector */
} pm_machine_instruction;

/* An instruction of x86 by its text in AT&T's syntax, as LLVM writes it. */
pm_machine_instruction pm_machine_instruction_of(const char *text, size_t at, size_t bytes);

/* How many work-items an instruction is of, as a mean over the innermost loops, each of which
 * counts by its length, and eight times as much for each loop that it is in; 0: there is no code. A
 * loop is over vectors of work-items if its arithmetic is of vectors. Instructions are in the order
 * of their addresses. */
double pm_machine_loops_lanes(pm_memory *memory, const pm_machine_instruction *code, size_t count);

#endif
