/* Table of a captured program's objects (kernels, buffers, queues), which are found by the driver's
 * handles. See recording.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "capture/recording/recording.h"

static uint64_t hash_of(const void *handle)
{
    uint64_t bits = (uint64_t)(uintptr_t)handle * 0x9e3779b97f4a7c15u;

    return bits ^ bits >> 32;
}

typedef struct {
    const pm_rec_table *table;
    const void *handle;
} handle_key;

static bool same_handle(const void *key, size_t value)
{
    const handle_key *wanted = key;

    return *(const void **)wanted->table->items[value] == wanted->handle;
}

void *pm_rec_find(const pm_rec_table *table, const void *handle)
{
    const handle_key key = {table, handle};
    size_t i = pm_hash_index_find(&table->index, hash_of(handle), same_handle, &key);

    return i == PM_NO_ENTRY ? NULL : table->items[i];
}

static void *add(pm_rec_table *table, const void *handle, size_t size)
{
    void *object = calloc(1, size);

    if (object && table->count == table->room) {
        size_t room = table->room * 2 + 16;
        void **grown = reallocarray(table->items, room, sizeof *grown);

        if (grown) {
            table->items = grown;
            table->room = room;
        }
    }
    if (!object || table->count == table->room ||
        !pm_hash_index_add(&table->index, hash_of(handle), table->count)) {
        free(object);
        return NULL;
    }
    table->items[table->count++] = object;
    return object;
}

void *pm_rec_put(pm_rec_table *table, const void *handle, size_t size, void (*forget)(void *object))
{
    void *object = pm_rec_find(table, handle);

    if (object && forget)
        forget(object);
    if (object)
        memset(object, 0, size);
    else
        object = add(table, handle, size);
    if (object)
        *(const void **)object = handle;
    return object;
}
