/* Finds the pages of buffers that launches read before they write them, so that their initial
 * contents are needed. For this, it runs all work-groups of all launches. See engine.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "collector/engine/backend.h"
#include "collector/engine/dependences.h"
#include "collector/engine/engine_parts.h"
#include "collector/engine/used_pages.h"

enum { MOST_STEPS = 1000000 }; /* limit on the basic blocks that a warp executes */
/* Work-groups run in pieces of about this time in seconds, between which the time is checked. */
static const double PIECE_S = 0.1;
/* A launch is stopped if its remaining work-groups probably need this many times the time that is
 * left. The factor is above 1 because later work-groups may be shorter than earlier ones. */
static const double SURELY = 2;

/* Sets or clears the bits first .. first + count - 1. */
static void mark(uint8_t *bits, uint64_t first, uint64_t count, bool set)
{
    for (uint64_t i = first; i < first + count; i++)
        if (set)
            bits[i / 8] |= (uint8_t)(1U << i % 8);
        else
            bits[i / 8] &= (uint8_t) ~(1U << i % 8);
}

/* Returns whether a launch that has run `done` of its work-groups since `start` will not be
 * complete at the time `end`. */
static bool is_too_long(const pm_launch_run *run, uint64_t done, double start, double end)
{
    const double now = pm_now_s(), spent = now - start;
    const double needed = spent / (double)done * (double)(run->groups - done);

    return done < run->groups && (now > end || (spent > PIECE_S && needed > SURELY * (end - now)));
}

static pm_status run_all(const pm_launch_run *run, pm_used_pages *pages, double end, pm_error *err)
{
    uint8_t *left_out = malloc(run->groups / 8 + 1);
    pm_status status = PM_OK;
    pm_launch_run own = *run;
    const double begun = pm_now_s();
    uint64_t piece = 1;

    if (!left_out)
        return pm_fail(err, PM_FAILED, "%s: out of memory for a launch", run->rules.code->name);
    memset(left_out, 0xff, run->groups / 8 + 1);
    own.rules.used = pages;
    if (own.rules.step_limit > MOST_STEPS)
        own.rules.step_limit = MOST_STEPS;
    for (uint64_t first = 0; status == PM_OK && first < run->groups;) {
        const uint64_t left = run->groups - first, count = piece < left ? piece : left;
        const double start = pm_now_s();

        mark(left_out, first, count, false);
        status = pm_launch_execute(&own, left_out, NULL, err);
        mark(left_out, first, count, true);
        first += count;
        piece = pm_now_s() - start < PIECE_S ? 2 * piece : piece;
        if (status == PM_OK && is_too_long(run, first, begun, end))
            status = pm_fail(err, PM_FAILED, "kernel %s: all of its work-groups take too long",
                             run->rules.code->name);
    }
    free(left_out);
    return status;
}

/* Runs launch i. If nothing depends on the data that the launch writes, runs slices, which compute
 * only addresses and branches; otherwise the complete code. */
static pm_status run_launch(pm_engine *self, size_t i, bool needed, pm_used_pages *pages,
                            double end, pm_error *err)
{
    pm_launch_run run = self->launches[i].run;

    if (self->program->has_slices && !needed &&
        !pm_groups_interact(self->workload, self->codes[i], &self->workload->launches[i]))
        run.kind = PM_CODE_SLICE;
    if (pm_trace_program_compile(self->program, run.kind, err) != PM_OK)
        return err->status;
    return run_all(&run, pages, end, err);
}

static pm_status run_launches(pm_engine *self, pm_used_pages *pages, double seconds, pm_error *err)
{
    const double end = pm_now_s() + seconds;
    bool *needed = calloc(self->workload->launch_count + 1, sizeof *needed);
    pm_status status = needed ? pm_buffers_reset(self->workload, &self->buffers, true, err)
                              : pm_fail(err, PM_FAILED, "out of memory for a trace");

    if (status == PM_OK)
        pm_launches_needed(self->workload, self->codes, needed);
    for (size_t i = 0; status == PM_OK && i < self->workload->launch_count; i++)
        status = run_launch(self, i, needed[i], pages, end, err);
    free(needed);
    self->complete = false;
    return status;
}

pm_status pm_engine_page_use(pm_engine *self, double seconds, uint8_t **use, pm_error *err)
{
    pm_used_pages *pages = pm_used_pages_create(self->buffers.regions, self->buffers.count);
    pm_status status = pages ? run_launches(self, pages, seconds, err)
                             : pm_fail(err, PM_FAILED, "out of memory for a trace");

    for (size_t b = 0; status == PM_OK && b < self->buffers.count; b++) {
        const size_t count = pm_use_pages(self->workload->buffers[b].bytes);

        use[b] = malloc(count);
        if (use[b])
            memcpy(use[b], pm_used_pages_of(pages, b), count);
        else
            status = pm_fail(err, PM_FAILED, "out of memory for a trace");
    }
    pm_used_pages_free(pages);
    return status;
}
