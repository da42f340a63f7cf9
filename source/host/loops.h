/* Executes loops of host code.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SOURCE_HOST_LOOPS_H
#define PM_SOURCE_HOST_LOOPS_H

#include "source/host/state.h"

enum {
    PM_HOST_MOST_KEPT = 64,
    PM_HOST_ALIKE_ROUNDS = 24 /* that bring nothing new, before the rest is only counted */
};

/* The parts of a loop; NULL: it has none. */
typedef struct {
    pm_host_node *before, *condition, *step, *body;
    bool at_end; /* the condition comes behind the body */
} pm_host_loop;

/* Launches of a round: `count` from `first` on. */
typedef struct {
    size_t first, count;
    uint64_t times;  /* rounds that made them */
    uint64_t latest; /* number of the last of those rounds */
} pm_host_round;

/* The rounds of a loop, by what they launched. */
typedef struct {
    pm_host_round kept[PM_HOST_MOST_KEPT];
    size_t count;
    uint64_t rounds, new_at; /* new_at: the last round that made something new */
} pm_host_rounds;

pm_host_loop pm_host_loop_of(pm_host_tree *tree, const pm_host_node *loop);
/* Notes what a round has launched; what an earlier one launched too is taken away again. */
void pm_host_note_round(pm_host_state *state, pm_host_rounds *of, size_t first);
/* Multiplies the launches by the rounds that made them. */
void pm_host_multiply(pm_host_state *state, const pm_host_rounds *of);
/* Whether there is another round. *known: whether the condition tells that. */
bool pm_host_goes_on(pm_host_state *state, const pm_host_loop *parts, bool matters, bool *known);
/* The rest of a loop whose rounds are alike: only its condition and its step are followed. */
void pm_host_count_rest(pm_host_state *state, const pm_host_loop *parts, pm_host_rounds *of);

#endif
