/* Executes loops of host code.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_HOST_LOOPS_H
#define PM_TRANSFORM_SOURCE_HOST_LOOPS_H

#include "transform/source/host/state.h"

enum {
    PM_HOST_MOST_KEPT = 64,
    /* After this number of consecutive iterations without a new launch, the remaining iterations
     * are not executed; only their number is used. */
    PM_HOST_ALIKE_ROUNDS = 24
};

/* The parts of a loop statement. NULL: the statement does not have the part. */
typedef struct {
    pm_host_node *before, *condition, *step, *body;
    bool at_end; /* true for a do loop: the condition is evaluated after the body */
} pm_host_loop;

/* Launches of an iteration: state->launches[first ... first + count - 1]. */
typedef struct {
    size_t first, count;
    uint64_t times;  /* number of iterations that made these launches */
    uint64_t latest; /* number of the last iteration that made these launches */
} pm_host_round;

/* The iterations (rounds) of a loop. Iterations with equal launches share one entry. */
typedef struct {
    pm_host_round kept[PM_HOST_MOST_KEPT];
    size_t count;
    uint64_t rounds, new_at; /* new_at: number of the last iteration with a new launch */
} pm_host_rounds;

pm_host_loop pm_host_loop_of(pm_host_tree *tree, const pm_host_node *loop);
/* Records a finished iteration, whose launches are state->launches[first] and later. If an
 * earlier iteration made equal launches, removes the new ones, and adds 1 to the earlier entry's
 * `times`. */
void pm_host_note_round(pm_host_state *state, pm_host_rounds *of, size_t first);
/* Multiplies `times` of each launch by the number of iterations that made the launch. */
void pm_host_multiply(pm_host_state *state, const pm_host_rounds *of);
/* Returns whether there is a further iteration. *known is false if the value of the condition is
 * unknown. */
bool pm_host_goes_on(pm_host_state *state, const pm_host_loop *parts, bool matters, bool *known);
/* Counts the remaining iterations of a loop in which launches repeat. Executes only the loop's
 * condition and step. */
void pm_host_count_rest(pm_host_state *state, const pm_host_loop *parts, pm_host_rounds *of);

#endif
