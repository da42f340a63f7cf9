/* Counts the events (such as requests, sectors and bank conflicts) of each memory access on a
 * compute unit, by rules for each address space.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Other files: memory_unit_create.c creates the memory unit; l1.c, private_memory.c and cpu_loops.c
 * simulate L1, private memory and a CPU core. The counting rules follow, with programs and variants
 * whose counters in datasets/h100.csv show them:
 *
 * - A request is one memory instruction of a warp with at least one work-item. Its sectors and tags
 *   are the distinct 32-byte sectors and lines that it touches. In program copy, variant float4, a
 *   load of 16 bytes per work-item is 1 request, 16 sectors and 4 tags.
 *
 * - Stores go to L2 sector by sector. Two stores that together fill a sector are two writes. The
 *   chip joins some of them, depending on timing, which we don't simulate. In program copy, for
 *   example, 0.72 of the writes arrive at L2 in variant float8, and all in float16.
 *
 * - global_wavefront counts passes through L1's banks from compute capability 7.0 on: nbody nolocal
 *   takes 4.000 for a load of 16 bytes, matmul_tiled nolocal 1.5. Misses increase it by up to 15 %
 *   in a way that is not known. Before 7.0 a pass serves one line. On compute capability 5.x and
 *   6.x a load takes the passes of its texture units (texture_units.c) if these are more. The
 *   scheduler of 2.x and 3.x issues the instruction again for each line and for each conflict in
 *   shared memory, except for loads through the read-only cache (NVIDIA Nsight, Memory Statistics -
 *   Caches; CUDA C Programming Guide 3.2, G.4.3). Texture fetches take the passes of
 *   texture_units.c on all GPUs.
 *
 * - On GPUs whose global loads bypass L1, loads of read-only data may have a separate cache
 *   (compute capability 3.5 and 5.x). Its lines stay valid until the launch ends.
 *
 * - AMD's GCN and later load data with one address for all work-items once, through a scalar cache,
 *   if no earlier store of the launch may have written it. Such a load counts as constant_pass and
 *   not as gld_request. After a store, a line is valid in L1 only if the store wrote the complete
 *   line (AMD Graphics Cores Next Architecture whitepaper, 2012).
 *
 * - A CPU core loads and stores vectors if the compiler knows that the addresses are adjacent or
 *   equal. Other accesses are gathers. With PoCL most accesses are gathers, because the compiler
 *   cannot exclude that an int index overflows. A gather extracts an address, loads and inserts a
 *   lane for each work-item. A work-item outside of a vector takes only a load.
 *
 * - Private memory is interleaved word by word, so that equal accesses of a warp's work-items are
 *   to consecutive words.
 */
#include "collector/engine/memory/memory_unit.h"

#include "collector/engine/memory/address_pattern.h"
#include "collector/engine/memory/amd_quads.h"
#include "collector/engine/memory/texture_units.h"
#include "collector/engine/memory/unit_parts.h"

static bool takes_read_only_cache(const pm_memory_unit *unit, const pm_warp_access *access)
{
    return unit->read_only_cached && access->read_only && access->kind == PM_ACCESS_LOAD;
}

static void count_load(pm_memory_unit *unit, const pm_warp_access *access,
                       const pm_line_sectors *pieces, unsigned count, unsigned sectors,
                       pm_events *events)
{
    events->count[PM_EVENT_gld_tag] += count;
    events->count[PM_EVENT_gld_sector] += sectors;
    /* A load in a compare-and-swap retry loop is counted as an atomic, because it waits in the same
     * L2 queues as the loop's atomics. */
    if (access->again) {
        events->count[PM_EVENT_atomic_pass] += sectors;
        events->count[PM_EVENT_atomic_return_pass] += sectors;
    }
    if ((unit->cached && !access->bypasses) || takes_read_only_cache(unit, access)) {
        const unsigned misses = pm_unit_load(unit, &unit->l1, pieces, count, true);
        events->count[PM_EVENT_l1_global_load_hit] += sectors - misses;
        events->count[PM_EVENT_l1_global_load_miss] += misses;
        return;
    }
    unit->slow = true;
    for (unsigned i = 0; i < count; i++)
        pm_requests_ask(&unit->asked, pieces[i].line, pieces[i].sectors, PM_L2_READ);
}

/* Returns the number of L2 passes of an atomic's request. L2 changes different words of a sector in
 * one pass. If several work-items change one word, each takes a pass. If all work-items of a warp
 * change one word, the compiler combines their atomics into one (Adinets, CUDA Pro Tip: Optimized
 * Filtering with Warp-Aggregated Atomics, 2014). */
static unsigned passes_of(const pm_warp_access *access, const pm_l2_request *request,
                          unsigned line_shift)
{
    uint8_t items[PM_MEMORY_LINE / WORD_BYTES] = {0}, most[PM_MEMORY_LINE / PM_MEMORY_SECTOR] = {0};
    unsigned passes = 0;

    if (access->one_place)
        return 1;
    for (uint64_t left = access->mask; left; left &= left - 1) {
        const uint64_t at = access->address[__builtin_ctzll(left)];
        const unsigned word = (unsigned)(at % PM_MEMORY_LINE / WORD_BYTES);
        const unsigned sector = word * WORD_BYTES / PM_MEMORY_SECTOR;

        if (at >> line_shift == request->line && ++items[word] > most[sector])
            most[sector] = items[word];
    }
    for (size_t i = 0; i < sizeof most; i++)
        passes += most[i];
    return passes;
}

static void count_atomic(pm_memory_unit *unit, const pm_warp_access *access, size_t first,
                         pm_events *events)
{
    for (size_t k = first; k < unit->asked.count; k++) {
        pm_l2_request *request = &unit->asked.requests[k];

        request->passes = passes_of(access, request, unit->asked.l2_line_shift);
        events->count[PM_EVENT_atomic_pass] += request->passes;
        if (access->returns)
            events->count[PM_EVENT_atomic_return_pass] += request->passes;
    }
}

static void count_change(pm_memory_unit *unit, const pm_warp_access *access,
                         const pm_line_sectors *pieces, unsigned count, unsigned sectors,
                         pm_events *events)
{
    const bool store = access->kind == PM_ACCESS_STORE;
    const size_t first = unit->asked.count;

    if (store) {
        events->count[PM_EVENT_gst_tag] += count;
        events->count[PM_EVENT_gst_sector] += sectors;
    }
    if (unit->cached && store && unit->loops) {
        pm_unit_write_back(unit, pieces, count);
        return;
    }
    if (unit->cached && store && unit->gpu->l1_stores == PM_STORES_WHOLE)
        pm_unit_keep_whole_lines(unit, access);
    else if (unit->cached)
        pm_unit_store(unit, pieces, count, store && unit->store_stays);
    for (unsigned i = 0; i < count; i++) {
        pm_requests_ask(&unit->asked, pieces[i].line, pieces[i].sectors,
                        store ? PM_L2_WRITE : PM_L2_ATOMIC);
        if (store && unit->sees_parts) {
            unit->asked.requests[unit->asked.count - 1].whole = pieces[i].whole;
            unit->asked.requests[unit->asked.count - 1].words = pieces[i].words;
        }
    }
    if (!store)
        count_atomic(unit, access, first, events);
}

static bool issues_again(const pm_gpu *gpu)
{
    return gpu->global_access == PM_GLOBAL_REPLAYS || gpu->global_access == PM_GLOBAL_REISSUES;
}

/* Counts the L1 passes of a warp's access to `lines` lines, and how often the scheduler must issue
 * the instruction again. */
static void count_passes(const pm_memory_unit *unit, const pm_warp_access *access, unsigned lines,
                         unsigned wavefronts, pm_events *events)
{
    const pm_gpu *gpu = unit->gpu;
    const unsigned texture = pm_texture_passes(gpu, access, access->bytes);

    if (access->fetch) {
        events->count[PM_EVENT_global_wavefront] += pm_fetch_passes(gpu, wavefronts);
        return;
    }
    if (unit->loops)
        events->count[PM_EVENT_global_wavefront] += pm_unit_loop_passes(unit, access);
    else if (pm_texture_units(gpu) || issues_again(gpu))
        events->count[PM_EVENT_global_wavefront] += lines > texture ? lines : texture;
    else
        events->count[PM_EVENT_global_wavefront] += wavefronts;
    if (issues_again(gpu) && !takes_read_only_cache(unit, access))
        events->count[PM_EVENT_inst_issued] +=
            gpu->global_access == PM_GLOBAL_REISSUES ? lines : lines - 1;
}

/* Counts a request on GPUs with lines and sectors. A request is a warp's access, or the part of it
 * that the GPU executes as one. *lines becomes the number of lines that it touches, and *wavefronts
 * the number of its passes through L1's data banks. Returns the number of memory transactions. */
static unsigned access_request(pm_memory_unit *unit, const pm_warp_access *access,
                               pm_events *events, unsigned *lines, unsigned *wavefronts)
{
    const bool load = access->kind == PM_ACCESS_LOAD;
    const bool whole =
        unit->loops || (unit->gpu->coalescing == PM_COALESCE_LINES && load && unit->cached);
    pm_line_sectors pieces[PM_MAX_PIECES];
    unsigned sectors = 0;

    *lines = pm_unit_split(unit, access, pieces, wavefronts);
    for (unsigned i = 0; i < *lines; i++) {
        if (whole)
            pieces[i].sectors = unit->whole_line;
        sectors += pm_bit_count(pieces[i].sectors);
    }
    if (load)
        count_load(unit, access, pieces, *lines, sectors, events);
    else
        count_change(unit, access, pieces, *lines, sectors, events);
    return whole ? *lines : sectors;
}

/* Returns the number of work-items whose accesses are one request. An access of 8 bytes on compute
 * capability 2.x and 3.x is one request per half-warp, and an access of 16 bytes one per
 * quarter-warp (CUDA C Programming Guide 4.2, F.4.2). Texture fetches have requests of fewer
 * work-items. */
static unsigned request_items(const pm_memory_unit *unit, const pm_warp_access *access)
{
    const unsigned width = unit->gpu->warp_width;

    if (access->fetch)
        return pm_fetch_items(access);
    return issues_again(unit->gpu) && access->bytes > WORD_BYTES
               ? width * WORD_BYTES / access->bytes
               : width;
}

static unsigned access_lines(pm_memory_unit *unit, const pm_warp_access *access, pm_events *events)
{
    const unsigned items = request_items(unit, access), width = unit->gpu->warp_width;
    unsigned transactions = 0, all_lines = 0, all_wavefronts = 0;
    bool slow = false;

    if (access->kind != PM_ACCESS_ATOMIC && access->fetch != PM_FETCH_OPPOSITE)
        events
            ->count[access->kind == PM_ACCESS_LOAD ? PM_EVENT_gld_request : PM_EVENT_gst_request]++;
    if (items >= width) {
        transactions = access_request(unit, access, events, &all_lines, &all_wavefronts);
        count_passes(unit, access, all_lines, all_wavefronts, events);
        return transactions;
    }
    for (unsigned first = 0; first < width; first += items) {
        pm_warp_access request = *access;
        unsigned lines, wavefronts;

        request.mask &= ((UINT64_C(1) << items) - 1) << first;
        /* not copied, because the pattern describes the addresses of the whole warp, and this
         * request is only a part of it */
        request.pattern = NULL;
        if (!request.mask)
            continue;
        transactions += access_request(unit, &request, events, &lines, &wavefronts);
        all_lines += lines;
        all_wavefronts += access->fetch == PM_FETCH_NONE       ? wavefronts
                          : access->fetch == PM_FETCH_OPPOSITE ? 0
                                                               : pm_fetch_request_passes(lines);
        slow = slow || unit->slow;
    }
    unit->slow = slow;
    count_passes(unit, access, all_lines, all_wavefronts, events);
    return transactions;
}

/* Counts a scalar load, which an AMD GPU executes once for all work-items of a wavefront. */
static unsigned access_scalar(pm_memory_unit *unit, const pm_warp_access *access, pm_events *events)
{
    const uint64_t at = access->address[__builtin_ctzll(access->mask)];
    const pm_line_sectors piece = {.line = at >> unit->line_shift, .sectors = unit->whole_line};

    events->count[PM_EVENT_constant_pass]++;
    return pm_unit_load(unit, &unit->scalars, &piece, 1, true);
}

/* Queues L2 requests for all sectors of a segment, a memory transaction of compute capability
 * 1.x. */
static void ask_segment(pm_memory_unit *unit, pm_segment segment, uint8_t write)
{
    const unsigned sector = 1U << unit->sector_shift;

    for (unsigned at = 0; at < segment.bytes;) {
        const uint64_t line = (segment.address + at) >> unit->line_shift;
        uint32_t sectors = 0;

        for (; at < segment.bytes && (segment.address + at) >> unit->line_shift == line;
             at += sector)
            sectors |= 1U << ((segment.address + at) >> unit->sector_shift &
                              ((1U << (unit->line_shift - unit->sector_shift)) - 1));
        pm_requests_ask(&unit->asked, line, sectors, write);
    }
}

static unsigned access_segments(pm_memory_unit *unit, const pm_warp_access *access,
                                pm_events *events)
{
    /* Events of loads and stores: number of requests, and number of transactions by size (32, 64 or
     * 128 bytes). Transactions of atomics have no event. */
    static const pm_event request[] = {PM_EVENT_gld_request, PM_EVENT_gst_request};
    static const pm_event moved[][3] = {{PM_EVENT_gld_32b, PM_EVENT_gld_64b, PM_EVENT_gld_128b},
                                        {PM_EVENT_gst_32b, PM_EVENT_gst_64b, PM_EVENT_gst_128b}};
    const bool counted = access->kind != PM_ACCESS_ATOMIC;
    const bool strict = unit->gpu->coalescing == PM_COALESCE_STRICT;
    pm_segment segments[PM_MAX_WARP];
    const unsigned count = pm_coalesce_segments(access, unit->gpu->warp_width, strict, segments);

    unit->slow = true;
    if (counted)
        events->count[request[access->kind]]++;
    for (unsigned i = 0; i < count; i++) {
        if (counted)
            events->count[moved[access->kind][pm_unit_log2(segments[i].bytes) - 5]]++;
        ask_segment(unit, segments[i], (uint8_t)access->kind);
    }
    return count;
}

static unsigned access_global(pm_memory_unit *unit, const pm_warp_access *access, pm_events *events,
                              bool *ok)
{
    /* Reserves memory for the largest number of requests of one access. A transaction of 128 bytes
     * on compute capability 1.x may become requests for four lines of 32 bytes. */
    *ok = pm_requests_reserve(&unit->asked, (size_t)PM_MAX_PIECES * PM_CACHE_SECTORS);
    if (!*ok)
        return 0;
    if (access->kind == PM_ACCESS_ATOMIC)
        events->count[PM_EVENT_atomic]++;
    if (!access->mask || access->fetch == PM_FETCH_BESIDE)
        return 0;
    if (unit->scalar_cached && access->scalar)
        return access_scalar(unit, access, events);
    if (unit->gpu->coalescing == PM_COALESCE_STRICT ||
        unit->gpu->coalescing == PM_COALESCE_SEGMENTS)
        return access_segments(unit, access, events);
    return access_lines(unit, access, events);
}

/* Counts an access to global memory. Each L2 request of the access gets the numbers of the access's
 * memory instruction and work-group, and whether the access is in a compare-and-swap retry loop. */
static unsigned access_marked(pm_memory_unit *unit, const pm_warp_access *access, pm_events *events,
                              bool *ok)
{
    const size_t first = unit->asked.count;
    const unsigned transactions = access_global(unit, access, events, ok);

    for (size_t k = first; k < unit->asked.count; k++) {
        pm_l2_request *request = &unit->asked.requests[k];

        request->again = access->again;
        request->site = access->site;
        request->group = access->group;
    }
    return transactions;
}

/* Returns whether the size of an access per work-item is a power of two. Whether its addresses are
 * aligned to this size can then be seen from the first address modulo pm_unit_period. */
static bool has_aligned_size(const pm_warp_access *access)
{
    return (access->bytes & (access->bytes - 1)) == 0;
}

static pm_bank_cost pass_banks(const pm_memory_unit *unit, const pm_warp_access *access)
{
    if (!access->pattern || !has_aligned_size(access))
        return pm_bank_passes(&unit->shared, access);
    bool known;
    const unsigned at = pm_pattern_find(
        access->pattern, access->pattern->span.first & (unit->period - 1), access->bytes, &known);
    pm_pattern_cost *cost = &access->pattern->costs[at];
    if (!known)
        cost->banks = pm_bank_passes(&unit->shared, access);
    return cost->banks;
}

bool pm_unit_shared_by_pattern(const pm_memory_unit *unit, const pm_warp_access *access)
{
    return access->space == PM_SPACE_SHARED && access->kind != PM_ACCESS_ATOMIC &&
           !access->turn_wavefronts && !unit->loops && !issues_again(unit->gpu) &&
           has_aligned_size(access);
}

uint64_t pm_unit_period(const pm_memory_unit *unit)
{
    return unit->period;
}

static unsigned access_shared(const pm_memory_unit *unit, const pm_warp_access *access,
                              pm_events *events)
{
    const pm_bank_cost cost = unit->loops ? (pm_bank_cost){pm_unit_loop_passes(unit, access), 0}
                              : access->turn_wavefronts ? pm_bank_turns(&unit->shared, access)
                                                        : pass_banks(unit, access);

    events->count[access->kind == PM_ACCESS_LOAD    ? PM_EVENT_shared_load
                  : access->kind == PM_ACCESS_STORE ? PM_EVENT_shared_store
                                                    : PM_EVENT_atomic]++;
    events->count[PM_EVENT_shared_wavefront] += cost.wavefronts;
    events->count[PM_EVENT_shared_bank_conflict] += cost.conflicts;
    if (issues_again(unit->gpu))
        events->count[PM_EVENT_inst_issued] += cost.conflicts;
    return cost.wavefronts;
}

/* Counts an access to constant memory, which delivers one address per pass. */
static unsigned access_constant(const pm_memory_unit *unit, const pm_warp_access *access,
                                pm_events *events)
{
    const unsigned shift = 2 + (access->bytes > 4) + (access->bytes > 8);
    pm_line_sectors places[PM_MAX_PIECES];
    const unsigned count = pm_coalesce_lines(access, access->mask, 3 + shift, shift, places);
    unsigned transactions = 0;

    for (unsigned i = 0; i < count; i++)
        transactions += pm_bit_count(places[i].sectors);
    /* constant memory of a CPU is ordinary memory and read through L1 */
    if (!access->operand && unit->loops)
        events->count[PM_EVENT_global_wavefront] += pm_unit_loop_passes(unit, access);
    else if (!access->operand)
        events->count[PM_EVENT_constant_pass] += transactions;
    return transactions;
}

unsigned pm_unit_access(pm_memory_unit *unit, const pm_warp_access *access, pm_events *events,
                        bool *ok)
{
    *ok = true;
    switch (access->space) {
    case PM_SPACE_GLOBAL:
        return access_marked(unit, access, events, ok);
    case PM_SPACE_SHARED:
        return access_shared(unit, access, events);
    case PM_SPACE_PRIVATE:
        return pm_unit_access_private(unit, access, events);
    case PM_SPACE_CONSTANT:
        return access_constant(unit, access, events);
    }
    return 0;
}
