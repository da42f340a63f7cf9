/* Sequences of instructions as a core goes through them. See paths.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/machine/paths.h"

#include <math.h>

enum { DEPTH = 64 };

typedef struct {
    const pm_machine_text *text;
    const pm_machine_counts *counts;
    uint32_t entry;
    uint32_t *leader; /* of each instruction's block */
    double *due;      /* of each branch: it is taken when this comes to one */
    uint32_t calls[DEPTH];
    size_t depth;
} walker;

static bool is_taken(walker *w, uint32_t k)
{
    const double times = (double)w->counts[w->leader[k]].begun;

    if (times > 0)
        w->due[k] += 1 - (double)w->counts[k].passed / times;
    if (w->due[k] < 1)
        return false;
    w->due[k] -= 1;
    return true;
}

/* Where a sequence that started within a function goes on behind it: at the call that was executed
 * most often; without one, at another work-group. */
static uint32_t caller(const walker *w, uint32_t k)
{
    const pm_machine_text *text = w->text;
    uint32_t function = 0, found = w->entry;
    uint64_t times = 0;

    for (uint32_t i = 0; i < text->count; i++) {
        const uint32_t target = pm_machine_target(text, &text->steps[i]);

        if (text->steps[i].flow == PM_FLOW_CALL && target <= k && target > function)
            function = target;
    }
    for (uint32_t i = 0; i + 1 < text->count; i++) {
        const uint64_t here = w->counts[w->leader[i]].begun;

        if (text->steps[i].flow == PM_FLOW_CALL && function > 0 &&
            pm_machine_target(text, &text->steps[i]) == function && here > times) {
            times = here;
            found = i + 1;
        }
    }
    return found;
}

static uint32_t next(walker *w, uint32_t k)
{
    const pm_machine_step *step = &w->text->steps[k];
    const uint32_t target = pm_machine_target(w->text, step);
    uint32_t to = k + 1;

    if (step->flow == PM_FLOW_JUMP || (step->flow == PM_FLOW_BRANCH && is_taken(w, k)))
        to = target;
    if (step->flow == PM_FLOW_CALL && target != PM_NO_INSTRUCTION && w->depth < DEPTH) {
        w->calls[w->depth++] = k + 1;
        to = target;
    }
    if (step->flow == PM_FLOW_AWAY || to == PM_NO_INSTRUCTION)
        to = w->depth > 0 ? w->calls[--w->depth] : caller(w, k);
    return to < w->text->count && w->counts[w->leader[to]].begun > 0 ? to : w->entry;
}

/* The block that is under way when so many instructions are executed, were blocks executed whole,
 * one after the other. */
static uint32_t block_at(const walker *w, double instructions)
{
    uint32_t k = 0;

    while (k + 1 < w->text->count && instructions >= (double)w->counts[w->leader[k]].begun)
        instructions -= (double)w->counts[w->leader[k++]].begun;
    return w->leader[k];
}

/* A branch ahead goes the rarer way without a sign before; one back ends a loop, and of loops half
 * are assumed to be of a length that is learned. */
static double wrong_branches(const walker *w)
{
    static const double ahead = 1, back = 0.5;
    const pm_machine_text *text = w->text;
    double wrong = 0;

    for (uint32_t k = 0; k < text->count; k++) {
        const pm_machine_step *step = &text->steps[k];
        const double times = (double)w->counts[w->leader[k]].begun;
        const double passed = (double)w->counts[k].passed;

        if (step->flow == PM_FLOW_BRANCH)
            wrong += (step->target > step->at ? ahead : back) * fmin(passed, times - passed);
    }
    return wrong;
}

pm_machine_paths pm_machine_paths_of(pm_memory *memory, const pm_machine_text *text,
                                     const pm_machine_counts *counts, uint32_t entry)
{
    walker w = {.text = text, .counts = counts, .entry = entry};
    pm_machine_paths paths = {0};

    w.leader = pm_take(memory, text->count, sizeof *w.leader);
    w.due = pm_take(memory, text->count, sizeof *w.due);
    for (uint32_t k = 0; k < text->count; k++) {
        w.leader[k] = text->steps[k].leads || k == 0 ? k : w.leader[k - 1];
        paths.instructions += counts[w.leader[k]].begun;
    }
    if (paths.instructions == 0)
        return paths;
    paths.wrong = wrong_branches(&w);
    paths.steps = pm_take(memory, (size_t)PM_MACHINE_PATHS * PM_MACHINE_PATH, sizeof *paths.steps);
    for (size_t i = 0; i < PM_MACHINE_PATHS; i++) {
        const double share = ((double)i + 0.5) / PM_MACHINE_PATHS;
        uint32_t k = block_at(&w, share * (double)paths.instructions);

        w.depth = 0;
        for (size_t n = 0; n < PM_MACHINE_PATH; n++, k = next(&w, k))
            paths.steps[i * PM_MACHINE_PATH + n] = k;
    }
    return paths;
}
