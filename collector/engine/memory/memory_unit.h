/* The memory pipeline of one compute unit: the costs of a warp's accesses in L1, shared memory and
 * private memory, and the resulting requests to L2.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_MEMORY_MEMORY_UNIT_H
#define PM_COLLECTOR_ENGINE_MEMORY_MEMORY_UNIT_H

#include <stdbool.h>
#include <stddef.h>

#include "collector/engine/memory/access.h"
#include "machine/counters/events.h"
#include "machine/rules.h"

/* Bytes of a line and of a sector in which requests to memory are recorded for a GPU without L2
 * (gpu->l2_line is 0). */
enum { PM_MEMORY_LINE = 128, PM_MEMORY_SECTOR = 32 };

/* Kinds of requests to L2. */
enum { PM_L2_READ, PM_L2_WRITE, PM_L2_ATOMIC, PM_L2_KINDS };

/* Sectors of one L2 line that L1 reads or writes. */
typedef struct {
    uint64_t line;    /* address / gpu->l2_line */
    uint32_t sectors; /* bit i is set if L1 reads or writes sector i of the line */
    uint8_t write;    /* kind of request: PM_L2_READ, PM_L2_WRITE or PM_L2_ATOMIC */
    /* For stores. whole: the sectors that the request writes completely. words: number of 4-byte
     * words that it writes in its other sectors. */
    uint8_t whole, words;
    /* passes that an atomic takes in L2, which changes different words of a sector in one pass; 0:
     * unknown */
    uint32_t passes;
    bool again;     /* true: the request is part of a compare-and-swap retry loop */
    uint16_t site;  /* index of the memory instruction, plus 1; 0: unknown */
    uint32_t group; /* number of the work-group */
} pm_l2_request;

/* Returns the sectors that L2 fetches if the given sectors of a line are missing. pairs: true if L2
 * fetches aligned pairs of sectors. */
static inline uint32_t pm_l2_fetched(uint32_t sectors, bool pairs)
{
    const uint32_t even = 0x55555555;

    return pairs ? sectors | (sectors & even) << 1 | (sectors >> 1 & even) : sectors;
}

typedef struct pm_memory_unit pm_memory_unit;

/* Creates the memory pipeline of one compute unit. l1_bytes: size of L1, without the part that
 * shared memory uses (pm_gpu_l1_bytes). gpu must outlive the result. */
pm_memory_unit *pm_unit_create(const pm_gpu *gpu, size_t l1_bytes, pm_error *err);
void pm_unit_free(pm_memory_unit *unit);
/* Empties L1 and the queue of requests to L2, for a new launch. */
void pm_unit_reset(pm_memory_unit *unit);
/* Invalidates L1, as a GPU does before work-items read what other compute units have written. */
void pm_unit_invalidate(pm_memory_unit *unit);

/* Adds the costs of one access to `events` and appends its requests for L2 to the unit's queue.
 * Returns the number of transactions: sectors, lines or segments, depending on the GPU, and
 * wavefronts for shared memory. *ok becomes false if the queue is out of memory. */
unsigned pm_unit_access(pm_memory_unit *unit, const pm_warp_access *access, pm_events *events,
                        bool *ok);

/* Counts a piece of memory that a bulk copy (PTX: cp.async.bulk) reads or writes. GPUs execute such
 * copies by a unit beside L1, so they count as requests to L2, and not as loads and stores. access:
 * kind and space, number of the memory instruction and of the work-group; its addresses are not
 * used. Returns the number of transactions: sectors, and for shared memory rows of banks. *ok
 * becomes false if the queue of requests to L2 is out of memory. */
unsigned pm_unit_access_bulk(pm_memory_unit *unit, const pm_warp_access *access, uint64_t address,
                             uint32_t bytes, pm_events *events, bool *ok);

/* Returns whether kernels with a pointer parameter to __constant memory read it through L1, as GPUs
 * with a read-only cache do. This also applies to __constant variables of the program if the
 * address is not a compile-time constant (ptxas 13.0, sm_75 to sm_100: LDG.CONSTANT). Kernels
 * without such a parameter read variables from the constant cache. */
bool pm_unit_reads_constants(const pm_memory_unit *unit);

/* Returns whether the costs of an access to shared memory depend only on its address pattern
 * (distances between the work-items' addresses) and on its first address modulo pm_unit_period. */
bool pm_unit_shared_by_pattern(const pm_memory_unit *unit, const pm_warp_access *access);
/* Returns a number of bytes, a power of two. Addresses that differ by a multiple of it have the
 * same offset in a cache line, and in a row of banks (one word of each bank). */
uint64_t pm_unit_period(const pm_memory_unit *unit);

/* Returns true if the GPU accesses adjacent words by one instruction at any alignment.
 * pm_site.together is the size of this instruction's access. */
bool pm_unit_joins_words(const pm_memory_unit *unit);

/* Returns whether the GPU's compiler retains a branch around a few instructions instead of
 * predicating these instructions. A warp then waits for a load in the skipped code where the paths
 * of the branch reconverge. LLVM's back end for AMD GPUs retains such branches, and does not move
 * loads out of the code that they skip. */
bool pm_unit_keeps_branches(const pm_memory_unit *unit);

/* Returns whether the last counted load of global or private memory takes longer than an L1 hit: it
 * misses, or its sector is still in flight for another warp. */
bool pm_unit_is_slow(const pm_memory_unit *unit);
/* Begins the next round of the compute unit, in which every resident warp executes once. */
void pm_unit_next_round(pm_memory_unit *unit);

/* Returns the requests to L2 that were queued since the last pm_unit_drain. The unit owns them. */
const pm_l2_request *pm_unit_queue(const pm_memory_unit *unit, size_t *count);
void pm_unit_drain(pm_memory_unit *unit);

#endif
