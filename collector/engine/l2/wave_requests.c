/* Records the requests to L2 of the first cell of a wave, which are later repeated for all others.
 * A cell is the work-groups of one wave on one compute unit. See wave_replay.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/l2/wave_requests.h"

#include <stdlib.h>

pm_wave *pm_wave_create(void)
{
    return calloc(1, sizeof(pm_wave));
}

void pm_wave_free(pm_wave *wave)
{
    if (wave)
        free(wave->requests);
    free(wave);
}

void pm_wave_begin(pm_wave *wave)
{
    wave->any = false;
    wave->count = 0;
}

static bool reserve(pm_wave *wave, size_t more)
{
    const size_t wanted = wave->count + more;
    const size_t room = 2 * wanted < PM_WAVE_MOST_REQUESTS ? 2 * wanted : PM_WAVE_MOST_REQUESTS;
    pm_wave_request *requests;

    if (wanted <= wave->room || wave->room == PM_WAVE_MOST_REQUESTS)
        return true;
    requests = realloc(wave->requests, room * sizeof *requests);
    if (!requests)
        return false;
    wave->requests = requests;
    wave->room = room;
    return true;
}

bool pm_wave_add(pm_wave *wave, size_t cell, const pm_l2_request *requests, size_t count)
{
    if (wave->any && wave->cell != cell)
        return true;
    wave->any = true;
    wave->cell = cell;
    if (!reserve(wave, count))
        return false;
    for (size_t i = 0; i < count && wave->count < wave->room; i++)
        wave->requests[wave->count++] =
            (pm_wave_request){requests[i].line, requests[i].group, requests[i].site,
                              (uint8_t)requests[i].sectors, requests[i].write};
    return true;
}
