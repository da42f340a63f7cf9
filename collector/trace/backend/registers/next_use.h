/* How far away values are used next.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_REGISTERS_NEXT_USE_H
#define PM_COLLECTOR_TRACE_BACKEND_REGISTERS_NEXT_USE_H

#include "collector/trace/backend/control_flow/structure.h"
#include "collector/trace/backend/registers/liveness.h"

#define PM_NEVER UINT32_MAX

/* A use of a variable by an instruction of the block that is looked at. */
typedef struct {
    uint32_t variable, position,
        next; /* next: the variable's next use in the block, + 1; 0: none */
} pm_use;

/* The position of a variable's first use in a block. */
typedef struct {
    uint32_t variable, position;
} pm_first_use;

typedef struct {
    size_t first_count;
    pm_first_use *firsts; /* by variable */
    uint32_t length;      /* instructions */
    unsigned loop;        /* the innermost that it is in; 0: none */
} pm_block_uses;

typedef struct {
    pm_liveness *l;
    pm_memory *memory;
    const pm_code_loop *loops;
    pm_block_uses *blocks; /* by the liveness's order */
    uint64_t **used_in;    /* by loop: set of variables that its blocks use */
    unsigned *pressure;    /* by loop: most registers alive at one place */
    uint32_t *home;        /* by variable: index of the block that defines it */
    /* Of the block that is gone through: */
    size_t current;
    pm_use *uses;
    size_t use_count;
    uint32_t position, *head; /* head: by variable, its next use + 1; 0: none */
    uint64_t *live_out;
    uint32_t *after; /* by variable alive at the block's end: from there to its next use */
} pm_next_uses;

void pm_next_uses_find(LLVMValueRef function, pm_liveness *l, pm_next_uses *n, pm_memory *memory);

/* Starts with a block: position is that of its first instruction. */
void pm_next_uses_begin(pm_next_uses *n, LLVMBasicBlockRef block);
void pm_next_uses_end(pm_next_uses *n);

/* Instructions from the one at position to the next use of a variable: in the block, else in those
 * that follow, else by the loops that use it. PM_NEVER: there is none. */
uint32_t pm_next_use_distance(const pm_next_uses *n, uint32_t variable);

static inline size_t pm_next_uses_index(const pm_next_uses *n, LLVMBasicBlockRef block)
{
    return (size_t)(pm_liveness_block(n->l, block) - n->l->blocks);
}

#define PM_EACH_MEMBER(l, set, number)                                                             \
    for (uint32_t number = pm_set_next(l, set, 0); number < (l)->variable_count;                   \
         number = pm_set_next(l, set, number + 1))

/* The first member of a set from a number on; the count of variables: there is none. */
uint32_t pm_set_next(const pm_liveness *l, const uint64_t *set, uint32_t from);

#endif
