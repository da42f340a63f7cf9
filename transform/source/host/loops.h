/* Interprets loops of host code. Iterations that repeat the same kernel launches are counted and
 * not executed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_HOST_LOOPS_H
#define PM_TRANSFORM_SOURCE_HOST_LOOPS_H

#include "transform/source/host/state.h"

enum {
    PM_HOST_MOST_KEPT = 64,
    /* If the loop has made no new launch in this number of consecutive iterations, the remaining
     * iterations are not executed; only their number is computed. */
    PM_HOST_ALIKE_ROUNDS = 24
};

/* The parts of a loop statement: initialization, condition, step and body. NULL: the statement does
 * not have the part. */
typedef struct {
    pm_host_node *before, *condition, *step, *body;
    bool at_end; /* true for a do loop: the condition is evaluated after the body */
} pm_host_loop;

/* The elements over which a range-based for statement iterates. */
typedef struct {
    pm_host_node *variable; /* the loop's variable */
    pm_host_place first;    /* first element */
    CXType type;            /* type of an element */
    uint64_t count;
} pm_host_elements;

/* Kernel launches that one iteration of a loop in the host code made: state->launches[first ...
 * first + count - 1]. */
typedef struct {
    size_t first, count;
    uint64_t times;  /* number of iterations that made these launches */
    uint64_t latest; /* number of the last iteration that made these launches */
} pm_host_round;

/* The iterations of a loop in the host code, by the kernel launches that they make. Iterations
 * that make equal launches share one entry in `kept`, with their number. */
typedef struct {
    pm_host_round kept[PM_HOST_MOST_KEPT];
    size_t count;
    /* rounds: number of iterations that were executed so far. new_at: number of the last iteration
     * with a launch that no iteration before had made. */
    uint64_t rounds, new_at;
} pm_host_rounds;

/* Finds the elements of a range-based for statement: those of an array, or of a vector or list of
 * the C++ library. Returns false if they are unknown. Defined in elements.c. */
bool pm_host_find_elements(pm_host_state *state, pm_host_node *loop, pm_host_elements *elements);
/* Binds the variable of a range-based for statement to element number `index` (by value or by
 * reference, as it is declared). Defined in elements.c. */
void pm_host_bind_element(pm_host_state *state, const pm_host_elements *elements, uint64_t index);
pm_host_loop pm_host_loop_of(pm_host_tree *tree, const pm_host_node *loop);
/* Records the end of an iteration of a loop. The iteration's launches are state->launches[first]
 * and later. If an earlier iteration made equal launches, the new ones are removed, and the earlier
 * entry's `times` is increased by 1. */
void pm_host_note_round(pm_host_state *state, pm_host_rounds *of, size_t first);
/* Multiplies `times` of each launch of a loop by the number of iterations that made this launch. */
void pm_host_multiply(pm_host_state *state, const pm_host_rounds *of);
/* Evaluates a loop's condition. Returns whether the loop has a further iteration. *known becomes
 * false if the condition is unknown. matters: true if the loop may launch kernels, so that the
 * variable on which an unknown condition depends is recorded as needed. */
bool pm_host_goes_on(pm_host_state *state, const pm_host_loop *parts, bool matters, bool *known);
/* Counts the remaining iterations of a loop whose iterations repeat the same launches. Executes
 * only the loop's condition and step. */
void pm_host_count_rest(pm_host_state *state, const pm_host_loop *parts, pm_host_rounds *of);

#endif
