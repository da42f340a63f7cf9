/* A memory unit under test.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_TRACE_UNIT_FIXTURE_H
#define PM_TESTS_TRACE_UNIT_FIXTURE_H

#include "collector/engine/memory/address_pattern.h"
#include "collector/engine/memory/memory_unit.h"
#include "trace_gpus.h"
#include "unit.h"

enum { PM_MAX_BYTES = 16 };

/* A memory unit, its counts, and its last access. */
typedef struct {
    pm_gpu gpu;
    pm_memory_unit *unit;
    pm_events events;
    uint64_t address[PM_MAX_WARP];
    pm_pattern patterns[4][PM_MAX_BYTES + 1]; /* pattern per address space and number of bytes */
    bool read_only, operand;                  /* result of its loads */
} fixture;

OWNED(unit, pm_memory_unit, pm_unit_free)

/* A unit of that GPU. */
static inline fixture *begin(pm_gpu gpu)
{
    fixture *f = room(1, sizeof *f);

    f->gpu = gpu;
    f->unit = owned_unit(pm_unit_create(&f->gpu, gpu.l1_bytes, told()));
    return f;
}

static inline int open_unit(void **state)
{
    *state = begin(sector_gpu());
    return 0;
}

/* A test that gets a unit of sector_gpu as f. */
#define UNIT_TEST(name) TEST_OF(fixture, name, open_unit, NULL)

static inline uint64_t got(const fixture *f, pm_event event)
{
    return f->events.count[event];
}

/* Makes one access at f->address. The counts are those of this access alone. */
static inline unsigned once(fixture *f, pm_space space, pm_access_kind kind, unsigned bytes,
                            uint64_t mask)
{
    pm_warp_access access = {.space = space,
                             .kind = kind,
                             .read_only = f->read_only,
                             .operand = f->operand,
                             .bytes = bytes,
                             .mask = mask,
                             .address = f->address,
                             .pattern = mask ? &f->patterns[space][bytes] : NULL};
    bool ok = false;

    if (mask)
        pm_pattern_see(access.pattern, f->address, mask, bytes, f->gpu.warp_width);

    memset(&f->events, 0, sizeof f->events);
    const unsigned transactions = pm_unit_access(f->unit, &access, &f->events, &ok);
    assert_true(ok);
    return transactions;
}

/* Prepares the next access: work-items are `step` bytes apart. */
static inline void strided(fixture *f, uint64_t first, uint64_t step)
{
    for (unsigned lane = 0; lane < PM_MAX_WARP; lane++)
        f->address[lane] = first + lane * step;
}

/* Makes a load of the whole warp after emptying the queue of L2 requests. */
static inline unsigned load(fixture *f, unsigned bytes)
{
    pm_unit_drain(f->unit);
    return once(f, PM_SPACE_GLOBAL, PM_ACCESS_LOAD, bytes, UINT32_MAX);
}

/* Returns L2's queue of requests, which must have `want` entries. */
static inline const pm_l2_request *queue_of(const fixture *f, size_t want)
{
    size_t count;
    const pm_l2_request *queue = pm_unit_queue(f->unit, &count);

    assert_int_equal(count, want);
    return queue;
}

#endif
