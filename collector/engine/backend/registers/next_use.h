/* Next-use distances of values: the number of instructions until a value is used again.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_REGISTERS_NEXT_USE_H
#define PM_COLLECTOR_ENGINE_BACKEND_REGISTERS_NEXT_USE_H

#include "collector/engine/backend/control_flow/structure.h"
#include "collector/engine/backend/registers/liveness.h"

#define PM_NEVER UINT32_MAX

/* A use of a variable (value of an instruction) by an instruction of the current basic block.
 * position: index of the instruction in the block. */
typedef struct {
    uint32_t variable, position, next; /* `next`: index in `uses` of the next use of the same
                                          variable in the basic block, plus 1; 0: no further use */
} pm_use;

/* The first use of a variable (value of an instruction) in a basic block. position: index of the
 * instruction in the block. */
typedef struct {
    uint32_t variable, position;
} pm_first_use;

typedef struct {
    size_t first_count;
    pm_first_use *firsts; /* sorted by variable */
    uint32_t length;      /* number of instructions */
    unsigned loop;        /* index of the innermost enclosing loop; 0: none */
} pm_block_uses;

typedef struct {
    pm_liveness *l;
    pm_memory *memory;
    const pm_code_loop *loops;
    pm_block_uses *blocks; /* blocks[b]: uses of variables (values of instructions) in basic block
                              l->blocks[b] */
    uint64_t **used_in;    /* used_in[loop]: set of the variables (values of instructions) that the
                              loop uses */
    unsigned *pressure;    /* pressure[loop]: largest number of live registers in the loop */
    uint32_t *home; /* home[variable]: index of the basic block that defines the variable (value of
                       an instruction) */
    /* The following members describe the current basic block. */
    size_t current;
    pm_use *uses;
    size_t use_count;
    /* head[variable]: index in `uses` of the variable's next use, plus 1; 0: none */
    uint32_t position, *head;
    uint64_t *live_out;
    /* after[variable], for a variable that is live at the basic block's end: number of instructions
     * from there to the variable's next use. */
    uint32_t *after;
} pm_next_uses;

void pm_next_uses_find(LLVMValueRef function, pm_liveness *l, pm_next_uses *n, pm_memory *memory);

/* Makes `block` the current basic block, at the position of its first instruction. */
void pm_next_uses_begin(pm_next_uses *n, LLVMBasicBlockRef block);
void pm_next_uses_end(pm_next_uses *n);

/* Returns the number of instructions from the current position to the next use of a variable (value
 * of an instruction). The next use is searched in the basic block, then in the blocks that follow,
 * then in the loops that use the variable. PM_NEVER: there is no further use. */
uint32_t pm_next_use_distance(const pm_next_uses *n, uint32_t variable);

static inline size_t pm_next_uses_index(const pm_next_uses *n, LLVMBasicBlockRef block)
{
    return (size_t)(pm_liveness_block(n->l, block) - n->l->blocks);
}

#define PM_EACH_MEMBER(l, set, number)                                                             \
    for (uint32_t number = pm_set_next(l, set, 0); number < (l)->variable_count;                   \
         number = pm_set_next(l, set, number + 1))

/* Returns the first variable in a set whose number is at least `from`; variable_count if there is
 * none. */
uint32_t pm_set_next(const pm_liveness *l, const uint64_t *set, uint32_t from);

#endif
