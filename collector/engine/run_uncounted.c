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

pm_status pm_launch_execute(const pm_launch_run *run, const uint8_t *executed, pm_pool *pool,
                            pm_error *err)
{
    /* The work-groups are divided into eight chunks per thread, so that all threads are busy until
     * the end. */
    uint64_t chunks = 8 * (uint64_t)pm_pool_threads(pool);
    execution e = {.run = run, .executed = executed};

    chunks = chunks < run->groups ? chunks : run->groups;
    e.groups_each = (run->groups + chunks - 1) / chunks;
    return pm_pool_run(pool, (run->groups + e.groups_each - 1) / e.groups_each, run_chunk, &e, err);
}
