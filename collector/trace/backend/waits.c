/* Which loads of straight-line code are under way together. See waits.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A load holds the registers that it fills from when it is started, and a compiler spends few of
 * them on loads that are not wanted yet: work-items that hold fewer are resident in larger number,
 * which hides latency as well. So of many loads that need not wait for each other, some are under
 * way together, and the warp waits as often as that takes.
 */
#include "waits.h"

enum {
    /* Waits of a segment that are told apart; later ones count as one with the last. */
    MOST_LEVELS = 64,
    REGISTER_BYTES = 4,
    /* Registers of loads under way. NVIDIA's compiler (ptxas 12.8, sm_90) has between 13 and 24 at
     * most in those six of the suite's kernels that could have more. */
    UNDER_WAY = 16
};

static bool is_load_of(const pm_site *site, pm_space space)
{
    return site->kind == PM_ACCESS_LOAD && site->space == space;
}

static unsigned registers_of(const pm_site *site)
{
    return (site->bytes + REGISTER_BYTES - 1) / REGISTER_BYTES;
}

static unsigned level_of(const pm_site *site)
{
    return site->wait < MOST_LEVELS ? site->wait : MOST_LEVELS - 1;
}

static void split_space(pm_site *sites, size_t count, pm_space space)
{
    unsigned loaded[MOST_LEVELS] = {0}, first[MOST_LEVELS], waits = 0;

    for (size_t i = 0; i < count; i++)
        if (is_load_of(&sites[i], space))
            loaded[level_of(&sites[i])] += registers_of(&sites[i]);
    for (unsigned level = 0; level < MOST_LEVELS; level++) {
        first[level] = waits;
        waits += (loaded[level] + UNDER_WAY - 1) / UNDER_WAY;
        loaded[level] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        unsigned level = level_of(&sites[i]);

        if (!is_load_of(&sites[i], space))
            continue;
        sites[i].wait = first[level] + loaded[level] / UNDER_WAY;
        loaded[level] += registers_of(&sites[i]);
    }
}

void pm_waits_split(pm_site *sites, size_t count)
{
    split_space(sites, count, PM_SPACE_GLOBAL);
    split_space(sites, count, PM_SPACE_SHARED);
}
