/* Stores which sectors launches have touched (a footprint), in a hash table of pages.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A page has a record of two bytes for each sector: how many cells (work-groups of one wave on one
 * compute unit) read it and how many wrote it (none, one, several), and whether the cell that
 * touched it last has read or written it.
 */
#include "collector/engine/l2/footprint.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_LINES = 4096, FIRST_SLOTS = 256 };

/* Bits of a sector's record. READ_SHIFT and WRITTEN_SHIFT: positions of two bits each, the numbers
 * of sampled cells (work-groups of one wave on one compute unit) that read and wrote the sector, at
 * most 2. CELL_SHIFT: position of the number, modulo CELLS, of the cell that touched the sector
 * last. */
enum {
    READ_SHIFT = 0,
    WRITTEN_SHIFT = 2,
    COUNTS = 15,
    /* HAS_READ, HAS_WRITTEN: the last sampled cell (work-groups of one wave on one compute unit)
     * that touched the sector has read it, or written it */
    HAS_READ = 1 << 4,
    HAS_WRITTEN = 1 << 5,
    CELL_SHIFT = 6,
    CELLS = 1024
};

typedef struct page {
    struct page *next; /* next page (records of the sectors of consecutive lines) that has records
                          of this launch */
    uint64_t number;   /* line / PAGE_LINES */
    uint16_t *records; /* a record per sector; NULL: no records yet */
    uint8_t marked[PAGE_LINES];
} page;

/* A slot of the hash table of pages. It contains a copy of the page's pointer to records, so that
 * pm_footprint_touch need not read the page itself. Each access of a gather touches another page,
 * which would be a cache miss of the host's CPU. */
typedef struct {
    uint64_t number;
    page *page; /* NULL: the slot is free */
    /* page->records, if the page has records of the current launch; NULL: it has none. This copy of
     * the pointer saves a read of the page itself. */
    uint16_t *records;
} slot;

struct pm_footprint {
    unsigned line_sectors;
    /* slots of the hash table, of which half at most are in use; slot_count is a power of two */
    slot *slots;
    size_t slot_count, pages;
    page *listed;
};

pm_footprint *pm_footprint_create(unsigned line_sectors)
{
    pm_footprint *footprint = calloc(1, sizeof *footprint);

    if (!footprint)
        return NULL;
    footprint->line_sectors = line_sectors;
    footprint->slot_count = FIRST_SLOTS;
    footprint->slots = calloc(FIRST_SLOTS, sizeof(slot));
    if (!footprint->slots) {
        free(footprint);
        return NULL;
    }
    return footprint;
}

void pm_footprint_free(pm_footprint *footprint)
{
    if (!footprint)
        return;
    for (size_t i = 0; i < footprint->slot_count; i++) {
        if (footprint->slots[i].page)
            free(footprint->slots[i].page->records);
        free(footprint->slots[i].page);
    }
    free(footprint->slots);
    free(footprint);
}

/* Returns the hash table's slot of page `number` (records of the sectors of consecutive lines), or
 * the free slot into which the page must be inserted. */
static inline slot *find(slot *slots, size_t slot_count, uint64_t number)
{
    size_t at = (number * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (slot_count - 1);

    while (slots[at].page && slots[at].number != number)
        at = (at + 1) & (slot_count - 1);
    return &slots[at];
}

static bool grow(pm_footprint *footprint)
{
    const size_t wider = 2 * footprint->slot_count;
    slot *slots = calloc(wider, sizeof *slots);

    if (!slots)
        return false;
    for (size_t i = 0; i < footprint->slot_count; i++)
        if (footprint->slots[i].page)
            *find(slots, wider, footprint->slots[i].number) = footprint->slots[i];
    free(footprint->slots);
    footprint->slots = slots;
    footprint->slot_count = wider;
    return true;
}

/* Adds a page (records of the sectors of consecutive lines) without records to the hash table and
 * returns its slot. NULL: out of memory. */
static slot *add_page(pm_footprint *footprint, uint64_t number)
{
    page *p = calloc(1, sizeof *p);
    slot *place;

    if (!p || (2 * (footprint->pages + 1) > footprint->slot_count && !grow(footprint))) {
        free(p);
        return NULL;
    }
    p->number = number;
    place = find(footprint->slots, footprint->slot_count, number);
    *place = (slot){.number = number, .page = p};
    footprint->pages++;
    return place;
}

/* Returns the hash table's slot of the page that contains the sector records of a line. Adds the
 * page if the table does not have it. NULL: out of memory. */
static inline slot *slot_of(pm_footprint *footprint, uint64_t line)
{
    slot *found = find(footprint->slots, footprint->slot_count, line / PAGE_LINES);

    return found->page ? found : add_page(footprint, line / PAGE_LINES);
}

bool pm_footprint_mark(pm_footprint *footprint, uint64_t line, uint32_t sectors, uint32_t *first)
{
    slot *s = slot_of(footprint, line);
    uint8_t *marked;

    if (!s)
        return false;
    marked = &s->page->marked[line % PAGE_LINES];
    *first = sectors & ~(uint32_t)*marked;
    *marked |= (uint8_t)sectors;
    return true;
}

static bool list(pm_footprint *footprint, slot *s)
{
    page *p = s->page;

    if (!p->records)
        p->records = calloc((size_t)PAGE_LINES * footprint->line_sectors, sizeof *p->records);
    if (!p->records)
        return false;
    p->next = footprint->listed;
    footprint->listed = p;
    s->records = p->records;
    return true;
}

/* Returns the new record of a sector after an access by a sampled cell (work-groups of one wave on
 * one compute unit). `record` is the old record, in which the caller has already set the cell's
 * number. */
static inline uint16_t touched(uint32_t record, bool read, bool written)
{
    const bool reads = read && !(record & (HAS_READ | HAS_WRITTEN));
    const bool writes = written && !(record & HAS_WRITTEN);

    record += (uint32_t)(reads & ((record >> READ_SHIFT & 3) < 2)) << READ_SHIFT;
    record += (uint32_t)(writes & ((record >> WRITTEN_SHIFT & 3) < 2)) << WRITTEN_SHIFT;
    return (uint16_t)(record | (reads ? HAS_READ : 0) | (writes ? HAS_WRITTEN : 0));
}

/* Returns the mask of the sectors of a line that some sampled work-group of the launch has touched.
 */
static inline uint32_t touched_before(const uint16_t *records, unsigned line_sectors)
{
    uint32_t before = 0;

    for (unsigned i = 0; i < line_sectors; i++)
        before |= (uint32_t)((records[i] & COUNTS) != 0) << i;
    return before;
}

bool pm_footprint_touch(pm_footprint *footprint, size_t cell, uint64_t line, uint32_t sectors,
                        bool read, bool written, pm_footprint_news *news)
{
    slot *s = slot_of(footprint, line);
    const uint32_t number = cell % CELLS;
    uint16_t *records;

    *news = (pm_footprint_news){0};
    if (!s || (!s->records && !list(footprint, s)))
        return false;
    records = s->records + line % PAGE_LINES * footprint->line_sectors;
    news->before = touched_before(records, footprint->line_sectors);
    for (uint32_t left = sectors; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        const bool same = records[i] >> CELL_SHIFT == number;
        const uint32_t record =
            same ? records[i] : (uint32_t)(records[i] & COUNTS) | number << CELL_SHIFT;

        news->again |= (uint32_t)((record & (HAS_READ | HAS_WRITTEN)) != 0) << i;
        news->first_written |= (uint32_t)(written && !(record >> WRITTEN_SHIFT & 3)) << i;
        records[i] = touched(record, read, written);
    }
    news->first = sectors & ~news->before;
    return true;
}

void pm_footprint_expect(const pm_footprint *footprint, uint64_t line)
{
    const slot *s = find(footprint->slots, footprint->slot_count, line / PAGE_LINES);

    if (s->records)
        __builtin_prefetch(s->records + line % PAGE_LINES * footprint->line_sectors, 1);
    else if (s->page)
        __builtin_prefetch(&s->page->marked[line % PAGE_LINES], 1);
}

static void count_one(pm_footprint_count *count, unsigned cells)
{
    count->once += cells == 1;
    count->often += cells > 1;
}

static void collect_line(const uint16_t *records, unsigned line_sectors,
                         pm_footprint_counts *counts)
{
    for (unsigned i = 0; i < line_sectors; i++) {
        const unsigned read = records[i] >> READ_SHIFT & 3;
        const unsigned written = records[i] >> WRITTEN_SHIFT & 3;
        count_one(&counts->read, read);
        count_one(&counts->written, written);
        count_one(&counts->either, read > written ? read : written);
    }
}

void pm_footprint_collect(pm_footprint *footprint,
                          size_t (*region)(const void *context, uint64_t line), const void *context,
                          pm_footprint_counts *counts)
{
    static const uint16_t untouched[8];
    const size_t line_bytes = footprint->line_sectors * sizeof(uint16_t);

    for (page *p = footprint->listed; p; p = p->next) {
        for (size_t i = 0; i < PAGE_LINES; i++) {
            uint16_t *records = p->records + i * footprint->line_sectors;
            if (memcmp(records, untouched, line_bytes) == 0)
                continue;
            const uint64_t line = p->number * PAGE_LINES + i;
            collect_line(records, footprint->line_sectors, &counts[region(context, line)]);
            memset(records, 0, line_bytes);
        }
        find(footprint->slots, footprint->slot_count, p->number)->records = NULL;
    }
    footprint->listed = NULL;
}
