/* Executes loops of host code.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_HOST_LOOPS_H
#define PM_TRANSFORM_SOURCE_HOST_LOOPS_H

#include "transform/source/host/state.h"

enum {
    PM_HOST_MOST_KEPT = 64,
    PM_HOST_ALIKE_ROUNDS = 24 /* rounds without a new launch; then the rest is only counted */
};

/* The parts of a loop; NULL: it has none. */
typedef struct {
    pm_host_node *before, *condition, *step, *body;
    bool at_end; /* a do loop: the condition is evaluated after the body */
} pm_host_loop;

/* Launches of a round: `count` of them from index `first`. */
typedef struct {
    size_t first, count;
    uint64_t times;  /* number of rounds that made them */
    uint64_t latest; /* number of the last of these rounds */
} pm_host_round;

/* The rounds (iterations) of a loop. Rounds with equal launches have one entry. */
typedef struct {
    pm_host_round kept[PM_HOST_MOST_KEPT];
    size_t count;
    uint64_t rounds, new_at; /* new_at: number of the last round with a new launch */
} pm_host_rounds;

pm_host_loop pm_host_loop_of(pm_host_tree *tree, const pm_host_node *loop);
/* Records a finished round, whose launches are state->launches[first] and later. If an earlier
 * round made the same launches, removes them and adds 1 to the earlier round's `times`. */
void pm_host_note_round(pm_host_state *state, pm_host_rounds *of, size_t first);
/* Multiplies `times` of each launch by the number of rounds that made it. */
void pm_host_multiply(pm_host_state *state, const pm_host_rounds *of);
/* Returns whether there is another round. *known is false if the condition is unknown. */
bool pm_host_goes_on(pm_host_state *state, const pm_host_loop *parts, bool matters, bool *known);
/* Counts the remaining rounds of a loop whose rounds repeat. Only its condition and step are
 * executed. */
void pm_host_count_rest(pm_host_state *state, const pm_host_loop *parts, pm_host_rounds *of);

#endif
