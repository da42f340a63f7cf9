/* Allocates memory in blocks, and catches raised errors. See memory.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/memory.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { BLOCK_BYTES = 1 << 14 };

struct pm_memory_block {
    pm_memory_block *next;
    size_t used, room;
    max_align_t bytes[];
};

pm_status pm_attempt(pm_memory *memory, void (*work)(void *user), void *user, pm_error *err)
{
    jmp_buf way_out;

    memory->way_out = &way_out;
    memory->err = err;
    switch (setjmp(way_out)) {
    case 0:
        work(user);
        return PM_OK;
    case PM_BAD_INPUT:
        return PM_BAD_INPUT;
    default:
        return PM_FAILED;
    }
}

void pm_leave(const pm_memory *memory, pm_status status, const char *format, ...)
{
    char reason[sizeof((pm_error *)0)->text];
    va_list args;

    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    pm_fail(memory->err, status, "%s", reason);
    longjmp(*memory->way_out, (int)status);
}

void pm_give_up(const pm_memory *memory, pm_status status)
{
    longjmp(*memory->way_out, (int)status);
}

void pm_require(const pm_memory *memory, pm_status status)
{
    if (status != PM_OK)
        pm_give_up(memory, status);
}

void pm_go_on(const pm_memory *memory)
{
    if (pm_cancelled(&memory->cancel))
        pm_leave(memory, PM_FAILED, "interrupted");
}

pm_memory pm_memory_beside(const pm_memory *memory)
{
    return (pm_memory){.way_out = memory->way_out, .err = memory->err, .cancel = memory->cancel};
}

void pm_memory_join(pm_memory *to, pm_memory *from)
{
    pm_memory_block **end = &from->blocks;

    while (*end)
        end = &(*end)->next;
    *end = to->blocks;
    to->blocks = from->blocks;
    from->blocks = NULL;
}

void pm_memory_free(pm_memory *memory)
{
    while (memory->blocks) {
        pm_memory_block *next = memory->blocks->next;

        free(memory->blocks);
        memory->blocks = next;
    }
}

void *pm_try_take(pm_memory *memory, size_t count, size_t size)
{
    pm_memory_block *block = memory->blocks;
    size_t bytes, room = BLOCK_BYTES;
    char *taken;

    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 4)
        return NULL;
    bytes = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (!block || bytes > block->room - block->used) {
        while (room < bytes)
            room *= 2;
        block = calloc(1, sizeof *block + room);
        if (!block)
            return NULL;
        *block = (pm_memory_block){.next = memory->blocks, .room = room};
        memory->blocks = block;
    }
    taken = (char *)block->bytes + block->used;
    block->used += bytes;
    return taken;
}

void *pm_take(pm_memory *memory, size_t count, size_t size)
{
    void *taken = pm_try_take(memory, count, size);

    if (!taken)
        pm_leave(memory, PM_FAILED, "out of memory");
    return taken;
}

void *pm_more(pm_memory *memory, void *items, size_t count, size_t size)
{
    void *grown;

    if ((count & (count - 1)) !=
        /* The array always has room for a power of two of items. If count is no power of two, one
         * more item therefore fits without growing. */
        0)
        return items;
    grown = pm_take(memory, count ? 2 * count : 1, size);
    if (count > 0)
        memcpy(grown, items, count * size);
    return grown;
}

char *pm_copy(pm_memory *memory, const char *text)
{
    size_t bytes = strlen(text) + 1;

    return memcpy(pm_take(memory, bytes, 1), text, bytes);
}

char *pm_format(pm_memory *memory, const char *format, ...)
{
    va_list args, again;
    char *text;
    int length;

    va_start(args, format);
    va_copy(again, args);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    text = pm_take(memory, (size_t)(length < 0 ? 0 : length) + 1, 1);
    vsnprintf(text, (size_t)(length < 0 ? 0 : length) + 1, format, again);
    va_end(again);
    return text;
}
