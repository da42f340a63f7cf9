/* The memory unit of one compute unit: what a warp's accesses cost in L1, shared memory and
 * private memory, and what they ask of L2.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_MEMORY_MEMORY_UNIT_H
#define PM_COLLECTOR_TRACE_MEMORY_MEMORY_UNIT_H

#include <stdbool.h>
#include <stddef.h>

#include "collector/trace/memory/access.h"
#include "counters/events.h"
#include "gpu/rules.h"

/* Where a GPU has no L2 (gpu->l2_line is 0), memory is spoken to in these. */
enum { PM_MEMORY_LINE = 128, PM_MEMORY_SECTOR = 32 };

/* What L2 is asked to do. */
enum { PM_L2_READ, PM_L2_WRITE, PM_L2_ATOMIC, PM_L2_KINDS };

/* Sectors of one L2 line that L1 asks for or writes. */
typedef struct {
    uint64_t line;    /* address / gpu->l2_line */
    uint32_t sectors; /* bit i: sector i of the line */
    uint8_t write;    /* PM_L2_READ, PM_L2_WRITE or PM_L2_ATOMIC */
    uint32_t passes;  /* that an atomic takes in L2; 0: unknown */
    bool again;       /* as pm_warp_access has it */
    uint16_t site;    /* the memory instruction's number + 1; 0: none's */
    uint32_t group;   /* whose it is */
} pm_l2_request;

typedef struct pm_memory_unit pm_memory_unit;

/* l1_bytes: what shared memory leaves (pm_gpu_l1_bytes). gpu must outlive it. */
pm_memory_unit *pm_unit_create(const pm_gpu *gpu, size_t l1_bytes, pm_error *err);
void pm_unit_free(pm_memory_unit *unit);
/* A new launch: L1 forgets. */
void pm_unit_reset(pm_memory_unit *unit);

/* Counts one access into events and appends what goes on to L2 to the unit's queue. Returns the
 * number of transactions that it took (sectors, lines or segments by the GPU's rule; wavefronts in
 * shared memory). false in *ok: out of memory for the queue. */
unsigned pm_unit_access(pm_memory_unit *unit, const pm_warp_access *access, pm_events *events,
                        bool *ok);

/* Whether a kernel that is given a pointer to __constant memory reads it as it reads global memory,
 * as GPUs do that have a cache for what is only read (ptxas 13.0, sm_75 to sm_100: LDG.CONSTANT,
 * also for variables of the program at a place that is not known before the run). Where no such
 * pointer is given, variables come from the constant cache. */
bool pm_unit_reads_constants(const pm_memory_unit *unit);

/* Whether words side by side are one access wherever they start (pm_site's together). */
bool pm_unit_joins_words(const pm_memory_unit *unit);

/* Whether the compiler leaves branches around short sides: what one loads is waited for where the
 * sides meet (AMD's, whose GPUs have scalar loads and masks; LLVM's back end moves no load out of
 * its side). */
bool pm_unit_keeps_branches(const pm_memory_unit *unit);

/* Whether the load of global or private memory that was counted last waits for more than L1: it
 * misses, or finds what another warp is waiting for. */
bool pm_unit_is_slow(const pm_memory_unit *unit);
/* Every warp has had its turn. */
void pm_unit_next_round(pm_memory_unit *unit);

/* The queue since the last pm_unit_drain. */
const pm_l2_request *pm_unit_queue(const pm_memory_unit *unit, size_t *count);
void pm_unit_drain(pm_memory_unit *unit);

#endif
