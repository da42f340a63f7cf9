/* Prepares PTX for ptxas so that each machine instruction can be traced back to the PTX instruction
 * from which ptxas made it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_PTX_ANNOTATE_H
#define PM_COMPILER_PTX_ANNOTATE_H

#include <stdint.h>

#include "compiler/ptx/tree.h"

/* A PTX instruction, as the origin of machine instructions. */
typedef struct {
    /* number of the first instruction of its basic block */
    uint32_t block;
    bool is_guarded; /* true: it has a guard (@p) and is no jump */
    /* true: ptxas makes one or several equal machine instructions of one, as of wmma.load */
    bool is_several;
    bool is_local; /* true: it accesses local memory, or memory by a generic address */
} pm_ptx_origin;

typedef struct {
    char *text;    /* the PTX for ptxas */
    char chip[16]; /* name of the GPU for ptxas -arch, such as sm_90a */
    /* origins[n]: the instruction with number n (pm_ptx_first_number). In `text`, the directive
     * `.loc 1 N 0` with N = n + 1 is before instruction n. */
    size_t origin_count;
    pm_ptx_origin *origins;
} pm_ptx_annotated;

/* Returns PTX with a line number for each instruction, for a GPU of compute capability `capability`
 * (90: 9.0). module: the text, parsed. If the text is for a newer GPU, its .target becomes this
 * one. Line information and debug sections that the text has are left out. */
pm_ptx_annotated pm_ptx_annotate(pm_memory *memory, const char *text, const pm_ptx_module *module,
                                 unsigned capability);

#endif
