/* Finds the requests of a replay whose cache sets are simulated, and the slots (resident
 * work-groups) that issue a request in a step. See wave_schedule.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Both loops have no branches, so that the compiler vectorises them.
 */
#include "collector/engine/l2/wave_schedule.h"

#include "base/wide.h"

PM_WIDE uint32_t pm_schedule_simulated(const uint64_t *hashes, const uint8_t *strides,
                                       const pm_schedule_moves *moves, unsigned always,
                                       uint64_t passed_over)
{
    const uint64_t bits = passed_over << 40;
    const uint64_t wanted = always;
    uint64_t found = 0;

    for (uint64_t i = 0; i < PM_SCHEDULE_CHUNK; i++) {
        const uint64_t stride = strides[i];
        const uint64_t first = hashes[i] + moves->lines[stride];
        const uint64_t second = first + moves->beyond[stride];
        const uint64_t one = ((first & bits) == 0) | ((second & bits) == 0) | (stride == wanted);

        found |= one << i;
    }
    return (uint32_t)found;
}

PM_WIDE uint64_t pm_schedule_due(const uint32_t *when, uint32_t now)
{
    uint64_t due = 0;

    for (uint64_t i = 0; i < PM_SCHEDULE_SLOTS; i++)
        due |= (uint64_t)(when[i] == now) << i;
    return due;
}
