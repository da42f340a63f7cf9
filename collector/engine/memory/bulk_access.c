/* Counts the memory accesses of bulk copies. See memory_unit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rules are those of an H200's counters. A copy of 8192 bytes to shared memory, with or without
 * a tensor map, is 256 sectors in 64 requests to L2. It counts neither as a request or sector of a
 * global load (l1tex__t_requests_pipe_lsu_mem_global_op_ld), nor as wavefronts of shared memory
 * (l1tex__data_pipe_lsu_wavefronts_mem_shared). Stores and reductions are the same to L2.
 */
#include "collector/engine/memory/unit_parts.h"

/* Appends requests to L2 for the sectors of `bytes` bytes from `address` on, one per line. Returns
 * the number of sectors. */
static unsigned ask_lines(pm_memory_unit *unit, uint64_t address, uint64_t bytes, uint8_t kind)
{
    const uint64_t first = address >> unit->sector_shift;
    const uint64_t last = (address + bytes - 1) >> unit->sector_shift;
    const unsigned shift = unit->line_shift - unit->sector_shift;

    for (uint64_t line = first >> shift; line <= last >> shift; line++) {
        const uint64_t start = line << shift, end = start + (UINT64_C(1) << shift) - 1;
        const unsigned low = (unsigned)(first > start ? first - start : 0);
        const unsigned high = (unsigned)((last < end ? last : end) - start);
        const uint32_t sectors = (uint32_t)((UINT64_C(2) << high) - (UINT64_C(1) << low));

        pm_requests_ask(&unit->asked, line, sectors, kind);
        if (kind == PM_L2_ATOMIC)
            unit->asked.requests[unit->asked.count - 1].passes = pm_bit_count(sectors);
    }
    return (unsigned)(last - first + 1);
}

static unsigned access_global(pm_memory_unit *unit, const pm_warp_access *access, uint64_t address,
                              uint32_t bytes, pm_events *events, bool *ok)
{
    static const uint8_t kinds[] = {PM_L2_READ, PM_L2_WRITE, PM_L2_ATOMIC};
    const size_t first = unit->asked.count;
    unsigned sectors;

    *ok = pm_requests_reserve(&unit->asked, (bytes >> unit->sector_shift) + 2);
    if (!*ok || bytes == 0)
        return 0;
    sectors = ask_lines(unit, address, bytes, kinds[access->kind]);
    if (access->kind == PM_ACCESS_ATOMIC)
        events->count[PM_EVENT_atomic_pass] += sectors;
    for (size_t k = first; k < unit->asked.count; k++) {
        unit->asked.requests[k].site = access->site;
        unit->asked.requests[k].group = access->group;
    }
    return sectors;
}

unsigned pm_unit_access_bulk(pm_memory_unit *unit, const pm_warp_access *access, uint64_t address,
                             uint32_t bytes, pm_events *events, bool *ok)
{
    const unsigned row = 1U << unit->shared.row_shift;

    *ok = true;
    if (access->space == PM_SPACE_GLOBAL)
        return access_global(unit, access, address, bytes, events, ok);
    return (bytes + row - 1) / row;
}
