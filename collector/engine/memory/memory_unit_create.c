/* Creates the memory pipeline of a compute unit from a GPU's properties, and answers queries about
 * it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/engine/memory/amd_quads.h"
#include "collector/engine/memory/unit_parts.h"

unsigned pm_unit_log2(unsigned value)
{
    return 31U - (unsigned)__builtin_clz(value);
}

static bool power_of_two(unsigned value)
{
    return value && !(value & (value - 1));
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a && (a < b || !b) ? a : b;
}

/* Sets the sizes of cache lines and sectors of L1 and L2. If the GPU has no L1, L1's lines have the
 * size of L2's. If it has no L2, the sizes are PM_MEMORY_LINE and PM_MEMORY_SECTOR. */
static pm_status set_lines(pm_memory_unit *unit, pm_error *err)
{
    const pm_gpu *gpu = unit->gpu;
    const unsigned l2_line = gpu->l2_line ? gpu->l2_line : PM_MEMORY_LINE;
    const unsigned l2_sector = gpu->l2_sector ? gpu->l2_sector : PM_MEMORY_SECTOR;
    const unsigned line = gpu->l1_line ? gpu->l1_line : l2_line;
    const unsigned sector = smaller(gpu->l1_sector, l2_sector);

    if (!power_of_two(line) || !power_of_two(sector) ||
        (gpu->l1_sector && !power_of_two(gpu->l1_sector)) || !power_of_two(l2_line) ||
        !power_of_two(l2_sector) || sector < 32 || sector > line || l2_sector > l2_line ||
        line / sector > PM_CACHE_SECTORS || l2_line / l2_sector > PM_CACHE_SECTORS)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s: L1 lines of %u bytes in sectors of %u, L2 lines of %u in sectors of "
                       "%u: they must be powers of two, sectors of 32 bytes or more and at most "
                       "%d a line; correct devices.csv",
                       gpu->device, line, sector, l2_line, l2_sector, PM_CACHE_SECTORS);
    unit->line_shift = pm_unit_log2(line);
    unit->sector_shift = pm_unit_log2(sector);
    unit->asked.line_shift = unit->line_shift;
    unit->asked.sector_shift = unit->sector_shift;
    unit->asked.l2_line_shift = pm_unit_log2(l2_line);
    unit->asked.l2_sector_shift = pm_unit_log2(l2_sector);
    unit->whole_line = (1U << line / sector) - 1;
    unit->sees_parts = gpu->l2_fills && line == l2_line && sector == l2_sector &&
                       line / WORD_BYTES <= 32 && line / sector <= PM_CACHE_SECTORS;
    return PM_OK;
}

static pm_status set_banks(pm_memory_unit *unit, pm_error *err)
{
    enum { WORD = 4 };
    const pm_gpu *gpu = unit->gpu;

    if (!power_of_two(gpu->shared_banks) || gpu->shared_banks > PM_MAX_BANKS ||
        (gpu->shared_bank_bytes != WORD && gpu->shared_bank_bytes != 2 * WORD))
        return pm_fail(err, PM_BAD_INPUT,
                       "%s: %u banks of %u bytes: banks must be a power of two up to %d, of 4 or 8 "
                       "bytes; correct devices.csv",
                       gpu->device, gpu->shared_banks, gpu->shared_bank_bytes, PM_MAX_BANKS);
    unit->shared = (pm_bank_rule){.width = gpu->warp_width,
                                  .word_shift = pm_unit_log2(WORD),
                                  .row_shift = pm_unit_log2(WORD) + pm_unit_log2(gpu->shared_banks),
                                  .pairs = gpu->coalescing == PM_COALESCE_SECTORS,
                                  .twins = gpu->shared_bank_bytes > WORD};
    unit->data = unit->shared;
    unit->data.pairs = unit->data.twins = false;
    unit->word_passes =
        gpu->global_access == PM_GLOBAL_QUADS ? (gpu->warp_width + PM_QUADS - 1) / PM_QUADS : 1;
    const unsigned rows_shift = unit->shared.row_shift + unit->shared.twins;
    unit->period = UINT64_C(1) << (unit->line_shift > rows_shift ? unit->line_shift : rows_shift);
    unit->rows_are_lines = unit->data.row_shift == unit->line_shift && unit->line_shift == 7 &&
                           unit->data.word_shift == 2 && unit->sector_shift == 5 &&
                           gpu->warp_width <= 32;
    return PM_OK;
}

bool pm_unit_has_lines(const pm_gpu *gpu)
{
    return gpu->coalescing == PM_COALESCE_LINES || gpu->coalescing == PM_COALESCE_SECTORS ||
           pm_gpu_runs_loops(gpu);
}

/* Creates the caches for global loads, if the GPU has any. If devices.csv does not have the
 * associativity of L1 (l1_ways), the simulated cache gets its maximum number of ways, because real
 * texture caches have even more ways. Source: Mei and Chu, Dissecting GPU Memory Hierarchy through
 * Microbenchmarking, IEEE TPDS 2017. */
static pm_status set_cache(pm_memory_unit *unit, size_t l1_bytes, pm_error *err)
{
    const pm_gpu *gpu = unit->gpu;
    const bool lines = pm_unit_has_lines(gpu);

    unit->scalar_cached = gpu->scalar_bytes > 0 && lines;
    if (unit->scalar_cached && pm_cache_init(&unit->scalars, gpu->scalar_bytes,
                                             1U << unit->line_shift, PM_CACHE_WAYS, err) != PM_OK)
        return err->status;
    unit->cached = gpu->l1_global && l1_bytes >= gpu->l1_line && gpu->l1_line && lines;
    unit->read_only_cached = !gpu->l1_global && gpu->readonly_bytes > 0 && lines;
    unit->store_stays = gpu->l1_unified && gpu->coalescing == PM_COALESCE_SECTORS;
    if (!unit->cached && !unit->read_only_cached)
        return PM_OK;
    unit->l1.in_order = unit->loops;
    return pm_cache_init(&unit->l1, unit->cached ? l1_bytes : gpu->readonly_bytes,
                         1U << unit->line_shift, gpu->l1_ways ? gpu->l1_ways : PM_CACHE_WAYS, err);
}

pm_memory_unit *pm_unit_create(const pm_gpu *gpu, size_t l1_bytes, pm_error *err)
{
    if (!gpu->warp_width || gpu->warp_width > PM_MAX_WARP) {
        pm_fail(err, PM_BAD_INPUT, "%s: warps of %u work-items: 1 to %d are possible", gpu->device,
                gpu->warp_width, PM_MAX_WARP);
        return NULL;
    }
    pm_memory_unit *unit = calloc(1, sizeof *unit);
    if (!unit) {
        pm_fail(err, PM_FAILED, "no memory for a compute unit's memory unit");
        return NULL;
    }
    unit->gpu = gpu;
    unit->loops = pm_gpu_runs_loops(gpu);
    if (set_lines(unit, err) != PM_OK || set_banks(unit, err) != PM_OK ||
        set_cache(unit, l1_bytes, err) != PM_OK) {
        pm_unit_free(unit);
        return NULL;
    }
    return unit;
}

void pm_unit_free(pm_memory_unit *unit)
{
    if (!unit)
        return;
    pm_cache_release(&unit->l1);
    pm_cache_release(&unit->scalars);
    pm_requests_free(&unit->asked);
    free(unit);
}

void pm_unit_invalidate(pm_memory_unit *unit)
{
    if (unit->cached || unit->read_only_cached)
        pm_cache_empty(&unit->l1);
    if (unit->scalar_cached)
        pm_cache_empty(&unit->scalars);
    memset(unit->recent, 0, sizeof unit->recent);
}

void pm_unit_reset(pm_memory_unit *unit)
{
    pm_unit_invalidate(unit);
    /* The round 0 in an entry of `recent` (the last requests to L2) means that the entry has no
     * request. The first round therefore has the number 1. */
    unit->round = 1;
    unit->asked.count = 0;
}

bool pm_unit_reads_constants(const pm_memory_unit *unit)
{
    if (unit->scalar_cached) /* AMD's scalar loads read constants through the scalar cache */
        return true;
    return unit->cached ? unit->gpu->l1_unified : unit->read_only_cached;
}

bool pm_unit_joins_words(const pm_memory_unit *unit)
{
    return unit->gpu->wide_align > 0 && unit->gpu->wide_align <= WORD_BYTES;
}

bool pm_unit_keeps_branches(const pm_memory_unit *unit)
{
    return unit->gpu->scalar_bytes > 0;
}

void pm_unit_next_round(pm_memory_unit *unit)
{
    unit->round++;
}

bool pm_unit_is_slow(const pm_memory_unit *unit)
{
    return unit->slow;
}

const pm_l2_request *pm_unit_queue(const pm_memory_unit *unit, size_t *count)
{
    *count = unit->asked.count;
    return unit->asked.requests;
}

void pm_unit_drain(pm_memory_unit *unit)
{
    unit->asked.count = 0;
}
