/* The pages of footprint.h: a hash table of them, and behind it two bytes a sector that say how
 * many cells read it, how many wrote it (none, one, several), and what the last of them did.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/trace/memory/footprint.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_LINES = 1024, FIRST_SLOTS = 256, RECENT = 16 };

/* A sector's record. Cells are told apart by the low ten bits of their number. */
enum {
    READ_ONE = 1,
    READ_SHIFT = 0,
    WRITTEN_ONE = 1 << 2,
    WRITTEN_SHIFT = 2,
    COUNTS = 15,
    HAS_READ = 1 << 4, /* the last cell */
    HAS_WRITTEN = 1 << 5,
    CELL_SHIFT = 6,
    CELLS = 1024
};

typedef struct page {
    uint64_t number;   /* line / PAGE_LINES */
    struct page *next; /* of those with records of this launch */
    bool listed;
    uint16_t *records; /* of each sector; NULL: none yet */
    uint8_t marked[PAGE_LINES];
} page;

struct pm_footprint {
    unsigned line_sectors;
    page **slots; /* a power of two of them, at most half in use */
    size_t slot_count, pages;
    page *recent[RECENT]; /* by page number */
    page *listed;
};

static size_t slot_of(uint64_t number, size_t slot_count)
{
    return (number * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (slot_count - 1);
}

pm_footprint *pm_footprint_create(unsigned line_sectors)
{
    pm_footprint *footprint = calloc(1, sizeof *footprint);

    if (!footprint)
        return NULL;
    footprint->line_sectors = line_sectors;
    footprint->slot_count = FIRST_SLOTS;
    footprint->slots = calloc(FIRST_SLOTS, sizeof(page *));
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
        if (footprint->slots[i])
            free(footprint->slots[i]->records);
        free(footprint->slots[i]);
    }
    free(footprint->slots);
    free(footprint);
}

static void put(page **slots, size_t slot_count, page *p)
{
    size_t at = slot_of(p->number, slot_count);

    while (slots[at])
        at = (at + 1) & (slot_count - 1);
    slots[at] = p;
}

static bool grow(pm_footprint *footprint)
{
    const size_t wider = 2 * footprint->slot_count;
    page **slots = calloc(wider, sizeof(page *));

    if (!slots)
        return false;
    for (size_t i = 0; i < footprint->slot_count; i++)
        if (footprint->slots[i])
            put(slots, wider, footprint->slots[i]);
    free(footprint->slots);
    footprint->slots = slots;
    footprint->slot_count = wider;
    return true;
}

static page *find(pm_footprint *footprint, uint64_t number)
{
    size_t at = slot_of(number, footprint->slot_count);

    for (; footprint->slots[at]; at = (at + 1) & (footprint->slot_count - 1))
        if (footprint->slots[at]->number == number)
            return footprint->slots[at];
    if (2 * (footprint->pages + 1) > footprint->slot_count && !grow(footprint))
        return NULL;
    page *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->number = number;
    put(footprint->slots, footprint->slot_count, p);
    footprint->pages++;
    return p;
}

/* The page that a line is in; NULL: no memory. */
static inline page *page_of(pm_footprint *footprint, uint64_t line)
{
    const uint64_t number = line / PAGE_LINES;
    page **recent = &footprint->recent[number % RECENT];

    if (!*recent || (*recent)->number != number)
        *recent = find(footprint, number);
    return *recent;
}

bool pm_footprint_mark(pm_footprint *footprint, uint64_t line, uint32_t sectors, uint32_t *first)
{
    page *p = page_of(footprint, line);

    if (!p)
        return false;
    *first = sectors & ~(uint32_t)p->marked[line % PAGE_LINES];
    p->marked[line % PAGE_LINES] |= (uint8_t)sectors;
    return true;
}

static bool list(pm_footprint *footprint, page *p)
{
    if (!p->records)
        p->records = calloc((size_t)PAGE_LINES * footprint->line_sectors, sizeof *p->records);
    if (!p->records)
        return false;
    p->next = footprint->listed;
    p->listed = true;
    footprint->listed = p;
    return true;
}

static inline bool is_touched(uint16_t record, uint16_t cell)
{
    return record >> CELL_SHIFT == cell && (record & (HAS_READ | HAS_WRITTEN));
}

static inline uint16_t touched(uint16_t record, uint16_t cell, bool read, bool written)
{
    if (record >> CELL_SHIFT != cell)
        record = (uint16_t)((record & COUNTS) | cell << CELL_SHIFT);
    if (read && !(record & (HAS_READ | HAS_WRITTEN))) {
        record |= HAS_READ;
        record += (record >> READ_SHIFT & 3) < 2 ? READ_ONE : 0;
    }
    if (written && !(record & HAS_WRITTEN)) {
        record |= HAS_WRITTEN;
        record += (record >> WRITTEN_SHIFT & 3) < 2 ? WRITTEN_ONE : 0;
    }
    return record;
}

bool pm_footprint_touch(pm_footprint *footprint, size_t cell, uint64_t line, uint32_t sectors,
                        bool read, bool written, uint32_t *before)
{
    page *p = page_of(footprint, line);

    *before = 0;
    if (!p || (!p->listed && !list(footprint, p)))
        return false;
    uint16_t *record = p->records + line % PAGE_LINES * footprint->line_sectors;
    for (unsigned i = 0; sectors >> i; i++) {
        if (!(sectors >> i & 1))
            continue;
        *before |= (uint32_t)is_touched(record[i], cell % CELLS) << i;
        record[i] = touched(record[i], cell % CELLS, read, written);
    }
    return true;
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
                          size_t (*slot)(const void *context, uint64_t line), const void *context,
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
            collect_line(records, footprint->line_sectors, &counts[slot(context, line)]);
            memset(records, 0, line_bytes);
        }
        p->listed = false;
    }
    footprint->listed = NULL;
}
