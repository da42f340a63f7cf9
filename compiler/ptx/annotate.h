/* Prepares PTX for ptxas so that each machine instruction can be traced back to the PTX instruction
 * from which ptxas made it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_PTX_ANNOTATE_H
#define PM_COMPILER_PTX_ANNOTATE_H

#include <stdint.h>

#include "compiler/ptx/tree.h"

/* Facts about a PTX instruction from which ptxas made machine instructions. */
typedef struct {
    /* number of the first instruction of its basic block */
    uint32_t block;
    bool is_guarded; /* true: the instruction has a guard (@p) and is no jump */
    bool is_local; /* true: the instruction accesses local memory, or memory by a generic address */
} pm_ptx_origin;

typedef struct {
    char *text;    /* the PTX for ptxas */
    char chip[16]; /* name of the GPU for ptxas -arch, such as sm_90a */
    /* origins[n]: the instruction with number n (pm_ptx_first_number). The directive `.loc 1 N 0`
     * with N = n + 1 is before instruction n in `text`. */
    size_t origin_count;
    pm_ptx_origin *origins;
} pm_ptx_annotated;

/* Returns PTX with a directive .loc before each instruction, for a GPU of compute capability
 * `capability` (90 means 9.0). module: the parsed text. If the text is for a newer GPU, its
 * directive .target is changed to this GPU. Line information and debug sections of the text are
 * left out. */
pm_ptx_annotated pm_ptx_annotate(pm_memory *memory, const char *text, const pm_ptx_module *module,
                                 unsigned capability);

#endif
