/* Finds the extent of a launch's accesses in its buffers, from which perfmodel chooses the buffers'
 * sizes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The indices of most kernels grow with the ids of the work-item. The smallest and largest indices
 * therefore occur in the work-groups at the corners of the grid, which always run. If an index
 * depends on data, other groups may reach further, so some groups spread over the grid run, too. If
 * warps run long, only the groups at the corners run.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/engine/count.h"

enum { SPREAD_GROUPS = 24 };
/* If warps run at most this number of basic blocks, work-groups spread over the grid run, too, and
 * not only those at its corners. */
enum { CHEAP_STEPS = 20000 };

static void choose(uint8_t *left_out, uint64_t group)
{
    left_out[group / 8] &= (uint8_t) ~(1U << group % 8);
}

static void choose_corners(const pm_launch_run *run, uint8_t *left_out)
{
    const uint32_t *groups = run->context.groups;

    for (unsigned corner = 0; corner < 8; corner++) {
        uint64_t number = 0;

        for (unsigned d = 3; d-- > 0;)
            number = number * groups[d] + (corner >> d & 1 ? groups[d] - 1 : 0);
        choose(left_out, number);
    }
}

/* Chooses work-groups 1, 4, 16 and so on to run. Groups with low numbers are needed, because the
 * last groups of a grid that is larger than the data do nothing. */
static void choose_first(const pm_launch_run *run, uint8_t *left_out)
{
    for (uint64_t group = 1; group < run->groups; group *= 4)
        choose(left_out, group);
}

/* Chooses SPREAD_GROUPS work-groups to run, by multiples of the golden ratio, so that they are
 * evenly spread over the grid and not all in the same column. */
static void choose_spread(const pm_launch_run *run, uint8_t *left_out)
{
    uint64_t at = 0;

    for (unsigned i = 0; i < SPREAD_GROUPS; i++) {
        at += UINT64_C(0x9e3779b97f4a7c15);
        choose(left_out, (uint64_t)((double)at / 0x1p64 * (double)run->groups) % run->groups);
    }
}

bool pm_launch_is_longer(const pm_launch_run *run, uint64_t steps)
{
    const size_t bytes = run->groups / 8 + 1;
    uint8_t *left_out = run->rules.step_limit > steps ? malloc(bytes) : NULL;
    pm_launch_run own = *run;
    pm_error ignored = {0};
    bool longer;

    if (!left_out)
        return false;
    memset(left_out, 0xff, bytes);
    choose(left_out, 0);
    own.rules.step_limit = steps;
    longer = pm_launch_execute(&own, left_out, NULL, &ignored) != PM_OK;
    free(left_out);
    return longer;
}

/* Runs all work-groups of the launch once, in ascending order, and records the extent of their
 * accesses. */
static pm_status reach_whole(const pm_launch_run *run, uint64_t *corners, uint64_t *all,
                             pm_error *err)
{
    pm_launch_run own = *run;
    pm_status status;

    own.rules.reach = corners;
    status = pm_launch_execute(&own, NULL, NULL, err);
    for (size_t b = 0; b < run->rules.region_count; b++)
        all[b] = corners[b] > all[b] ? corners[b] : all[b];
    return status;
}

pm_status pm_launch_reach(const pm_launch_run *run, bool whole, uint64_t *corners, uint64_t *all,
                          pm_error *err)
{
    const size_t bytes = run->groups / 8 + 1;
    uint8_t *left_out = malloc(bytes);
    pm_launch_run own = *run;
    bool costly;
    pm_status status;

    if (!left_out)
        return pm_fail(err, PM_FAILED, "%s: out of memory for a launch", run->rules.code->name);
    if (whole) {
        free(left_out);
        return reach_whole(run, corners, all, err);
    }
    costly = pm_launch_is_longer(run, CHEAP_STEPS);
    memset(left_out, 0xff, bytes);
    choose_corners(run, left_out);
    own.rules.reach = corners;
    status = pm_launch_execute(&own, left_out, NULL, err);
    for (size_t b = 0; b < run->rules.region_count; b++)
        all[b] = corners[b] > all[b] ? corners[b] : all[b];
    memset(left_out, 0xff, bytes);
    choose_spread(run, left_out);
    choose_first(run, left_out);
    own.rules.reach = all;
    if (status == PM_OK && !costly)
        status = pm_launch_execute(&own, left_out, NULL, err);
    free(left_out);
    return status;
}
