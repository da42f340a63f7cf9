/* Records which memory pages of the buffers are read and written while launches run. See
 * used_pages.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/used_pages.h"

#include <stdlib.h>

enum { WORD_BITS = 64, PAGE_WORDS = PM_USE_PAGE / WORD_BITS };

/* The accesses to one buffer. bytes: its size. written: a bit for each byte, which is set when a
 * launch writes the byte. use: a pm_page_use (whether its initial contents are needed) for each
 * page. */
typedef struct {
    uint64_t bytes, *written;
    uint8_t *use;
} pages;

struct pm_used_pages {
    size_t count;
    pages *items;
};

pm_used_pages *pm_used_pages_create(const pm_memory_region *regions, size_t count)
{
    pm_used_pages *self = calloc(1, sizeof *self);

    if (!self)
        return NULL;
    self->items = calloc(count + 1, sizeof *self->items);
    self->count = self->items ? count : 0;
    for (size_t i = 0; i < self->count; i++) {
        pages *p = &self->items[i];
        const size_t all = pm_use_pages(regions[i].bytes);

        p->bytes = regions[i].bytes;
        p->written = calloc(all * PAGE_WORDS, sizeof *p->written);
        p->use = calloc(all, 1);
        if (!p->written || !p->use) {
            pm_used_pages_free(self);
            return NULL;
        }
    }
    return self;
}

void pm_used_pages_free(pm_used_pages *self)
{
    if (!self)
        return;
    for (size_t i = 0; i < self->count; i++) {
        free(self->items[i].written);
        free(self->items[i].use);
    }
    free(self->items);
    free(self);
}

void pm_used_pages_note(pm_used_pages *self, size_t buffer, uint64_t offset, unsigned bytes,
                        pm_access_kind kind)
{
    pages *p = &self->items[buffer];

    if (kind == PM_ACCESS_LOAD && p->use[offset / PM_USE_PAGE] == PM_PAGE_NEEDED &&
        p->use[(offset + bytes - 1) / PM_USE_PAGE] == PM_PAGE_NEEDED)
        return;
    while (bytes > 0) {
        const unsigned first = offset % WORD_BITS, left = WORD_BITS - first;
        const unsigned count = bytes < left ? bytes : left;
        const uint64_t bits = (count == WORD_BITS ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1)
                              << first;
        uint64_t *written = &p->written[offset / WORD_BITS];
        uint8_t *use = &p->use[offset / PM_USE_PAGE];

        if (kind != PM_ACCESS_LOAD)
            *use = *use > PM_PAGE_WRITTEN ? *use : PM_PAGE_WRITTEN;
        if (kind != PM_ACCESS_STORE && (*written & bits) != bits)
            *use = PM_PAGE_NEEDED;
        if (kind != PM_ACCESS_LOAD)
            *written |= bits;
        offset += count;
        bytes -= count;
    }
}

const uint8_t *pm_used_pages_of(pm_used_pages *self, size_t buffer)
{
    pages *p = &self->items[buffer];

    for (uint64_t page = 0; page * PM_USE_PAGE < p->bytes; page++) {
        const uint64_t left = p->bytes - page * PM_USE_PAGE;
        uint64_t count = left < PM_USE_PAGE ? left : PM_USE_PAGE;

        for (const uint64_t *word = &p->written[page * PAGE_WORDS];
             p->use[page] == PM_PAGE_WRITTEN && count > 0; word++) {
            const uint64_t here = count < WORD_BITS ? count : WORD_BITS;

            if (*word != (here == WORD_BITS ? ~UINT64_C(0) : (UINT64_C(1) << here) - 1))
                /* a page with bytes that no launch writes must keep its initial contents */
                p->use[page] = PM_PAGE_NEEDED;
            count -= here;
        }
    }
    return p->use;
}
