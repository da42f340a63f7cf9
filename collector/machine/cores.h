/* What llvm-mca's tables have otherwise than cores do.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_MACHINE_CORES_H
#define PM_COLLECTOR_MACHINE_CORES_H

#include <stdio.h>

/* Of cores; 0: as LLVM has it. */
typedef struct {
    const char *name;    /* LLVM's of the CPU */
    unsigned dispatch;   /* micro-operations a cycle */
    unsigned quotient32; /* cycles until a quotient of integers is there */
    unsigned quotient64;
    unsigned gather; /* cycles of a gather, which no other one overlaps */
} pm_machine_core;

/* The row of a CPU; one of zeros where LLVM's tables are taken as they are. */
pm_machine_core pm_machine_core_of(const char *cpu);
/* Writes an instruction as llvm-mca shall see it. */
void pm_machine_write_step(FILE *file, const pm_machine_core *core, const char *text);

#endif
