/* Runs the work-groups of a launch on several threads, without counting.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>

#include "base/error.h"
#include "collector/engine/count.h"

/* Work of a thread: the work-groups next .. end - 1 of the launch, except those whose bit in
 * `executed` is set. */
typedef struct {
    uint64_t next, end;
    const uint8_t *executed;
} stretch;

typedef struct {
    const pm_launch_run *run;
    const uint8_t *executed;
    uint64_t groups_each;
} execution;

static bool next_group(void *user, uint64_t *group)
{
    stretch *s = user;

    while (s->next < s->end && s->executed && s->executed[s->next / 8] >> s->next % 8 & 1)
        s->next++;
    if (s->next >= s->end)
        return false;
    *group = s->next++;
    return true;
}

static pm_status run_chunk(void *user, size_t i, pm_error *err)
{
    const execution *e = user;
    stretch s = {.next = i * e->groups_each, .executed = e->executed};
    pm_compute_unit *unit = pm_compute_unit_create(e->run, 1, err);
    pm_tally nothing = {.code = e->run->kind};
    bool done;
    pm_status status;

    if (!unit)
        return PM_FAILED;
    s.end = s.next + e->groups_each;
    s.end = s.end > e->run->groups ? e->run->groups : s.end;
    status = pm_compute_unit_start(unit, next_group, &s, err);
    if (status == PM_OK)
        status = pm_compute_unit_run(unit, &nothing, SIZE_MAX, &done, err);
    pm_compute_unit_free(unit);
    return status;
}

/* ---- work-groups that wait for each other ---------------------------------------------------- */

/* Limit in bytes on the memory of work-groups that wait for each other, and must therefore all be
 * in memory at the same time. */
static const size_t TOGETHER_BYTES = (size_t)1 << 30;

/* A launch's work-groups that wait for each other at barriers of the grid. The work-groups are
 * divided into chunks, which run one after the other, each up to the next barrier of the grid. */
typedef struct {
    pm_compute_unit **units; /* one for each chunk */
    stretch *stretches;
    bool *done;
    size_t chunks;
} together;

pm_status pm_check_together(const pm_launch_run *run, size_t groups, pm_error *err)
{
    const size_t bytes = pm_compute_unit_bytes(run, groups);

    if (bytes <= TOGETHER_BYTES)
        return PM_OK;
    return pm_fail(err, PM_BAD_INPUT,
                   "%s: %zu work-groups of kernel %s wait for each other, for which tracing needs "
                   "%zu MiB; up to %zu MiB are possible: make the grid smaller",
                   run->rules.source_path, groups, run->rules.code->name, bytes >> 20,
                   TOGETHER_BYTES >> 20);
}

static pm_status run_to_barrier(void *user, size_t i, pm_error *err)
{
    const together *t = user;
    const pm_tally nothing = {0};

    return t->done[i] ? PM_OK
                      : pm_compute_unit_run(t->units[i], &nothing, SIZE_MAX, &t->done[i], err);
}

/* Starts the work-groups of all chunks. */
static pm_status start_together(const together *t, const execution *e, pm_error *err)
{
    size_t all = 0;

    for (size_t i = 0; i < t->chunks; i++) {
        stretch *s = &t->stretches[i], counted;
        unsigned groups = 0;
        uint64_t group;

        *s = (stretch){.next = i * e->groups_each, .executed = e->executed};
        s->end = s->next + e->groups_each;
        s->end = s->end > e->run->groups ? e->run->groups : s->end;
        counted = *s;
        while (next_group(&counted, &group))
            groups++;
        all += groups;
        if (pm_check_together(e->run, all, err) != PM_OK)
            return err->status;
        t->units[i] = pm_compute_unit_create(e->run, groups ? groups : 1, err);
        if (!t->units[i] || pm_compute_unit_start(t->units[i], next_group, s, err) != PM_OK)
            return err->status;
    }
    return PM_OK;
}

/* Runs all chunks from barrier to barrier until all work-groups have ended. */
static pm_status run_phases(together *t, pm_pool *pool, pm_error *err)
{
    const pm_tally nothing = {0};
    bool any = true;

    while (any) {
        if (pm_pool_run(pool, t->chunks, run_to_barrier, t, err) != PM_OK)
            return err->status;
        any = false;
        for (size_t i = 0; i < t->chunks; i++) {
            any = any || !t->done[i];
            pm_compute_unit_go_on(t->units[i], &nothing);
        }
    }
    return PM_OK;
}

static pm_status execute_together(const execution *e, size_t chunks, pm_pool *pool, pm_error *err)
{
    together t = {.units = calloc(chunks + 1, sizeof(pm_compute_unit *)),
                  .stretches = calloc(chunks + 1, sizeof *t.stretches),
                  .done = calloc(chunks + 1, sizeof *t.done),
                  .chunks = chunks};
    pm_status status = PM_FAILED;

    if (t.units && t.stretches && t.done)
        status = start_together(&t, e, err);
    else
        pm_fail(err, PM_FAILED, "%s: out of memory", e->run->rules.code->name);
    if (status == PM_OK)
        status = run_phases(&t, pool, err);
    for (size_t i = 0; t.units && i < chunks; i++)
        pm_compute_unit_free(t.units[i]);
    free(t.units);
    free(t.stretches);
    free(t.done);
    return status;
}

pm_status pm_launch_execute(const pm_launch_run *run, const uint8_t *executed, pm_pool *pool,
                            pm_error *err)
{
    /* The work-groups are divided into eight chunks per thread, so that all threads are busy until
     * the end. */
    uint64_t chunks = 8 * (uint64_t)pm_pool_threads(pool);
    execution e = {.run = run, .executed = executed};

    chunks = chunks < run->groups ? chunks : run->groups;
    e.groups_each = (run->groups + chunks - 1) / chunks;
    chunks = (run->groups + e.groups_each - 1) / e.groups_each;
    return run->rules.code->waits_for_grid ? execute_together(&e, chunks, pool, err)
                                           : pm_pool_run(pool, chunks, run_chunk, &e, err);
}
