/* A hash index and interned strings, with constant time per lookup. See strings.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Datasets repeat few names in thousands of rows, and each row is looked up to find duplicates.
 */
#include "base/strings.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool pm_listed(const char *const *list, const char *name)
{
    if (!list)
        return true;
    for (; *list; list++)
        if (strcmp(*list, name) == 0)
            return true;
    return false;
}

bool pm_is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

const char *pm_find_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    const char *at = text;

    while ((at = strstr(at, word)) && ((at > text && pm_is_word(at[-1])) || pm_is_word(at[length])))
        at++;
    return at;
}

const char *pm_after_comment(const char *text)
{
    const char *end;

    if (text[0] != '/' || (text[1] != '/' && text[1] != '*'))
        return text;
    if (text[1] == '/')
        return text + strcspn(text, "\n");
    end = strstr(text + 2, "*/");
    return end ? end + 2 : text + strlen(text);
}

bool pm_ends_in(const char *text, const char *ending)
{
    size_t length = strlen(text), tail = strlen(ending);

    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

size_t pm_hash_index_find(const pm_hash_index *index, uint64_t hash, pm_same_fn same,
                          const void *key)
{
    if (!index->capacity)
        return PM_NO_ENTRY;
    size_t mask = index->capacity - 1;
    for (size_t i = hash & mask; index->slots[i].value_plus_one; i = (i + 1) & mask) {
        const pm_hash_slot *slot = &index->slots[i];
        if (slot->hash == hash && same(key, slot->value_plus_one - 1))
            return slot->value_plus_one - 1;
    }
    return PM_NO_ENTRY;
}

static void place(pm_hash_index *index, pm_hash_slot slot)
{
    size_t mask = index->capacity - 1;
    size_t i = slot.hash & mask;
    while (index->slots[i].value_plus_one)
        i = (i + 1) & mask;
    index->slots[i] = slot;
}

/* Grows the hash table if more than half of its slots would be in use. Free slots keep probe
 * sequences short. Returns false if memory runs out. */
static bool make_room(pm_hash_index *index)
{
    if (index->used + 1 <= index->capacity / 2)
        return true;
    if (index->capacity > SIZE_MAX / 4 / sizeof(pm_hash_slot))
        return false;
    pm_hash_index larger = {.capacity = index->capacity ? index->capacity * 2 : 16};
    larger.slots = calloc(larger.capacity, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < index->capacity; i++)
        if (index->slots[i].value_plus_one)
            place(&larger, index->slots[i]);
    larger.used = index->used;
    free(index->slots);
    *index = larger;
    return true;
}

bool pm_hash_index_add(pm_hash_index *index, uint64_t hash, size_t value)
{
    if (!make_room(index))
        return false;
    place(index, (pm_hash_slot){.hash = hash, .value_plus_one = value + 1});
    index->used++;
    return true;
}

void pm_hash_index_clear(pm_hash_index *index)
{
    free(index->slots);
    *index = (pm_hash_index){0};
}

/* ---- strings ------------------------------------------------------------------------------- */

struct pm_string_block {
    pm_string_block *next;
    size_t used, size;
    char bytes[];
};

enum { BLOCK_BYTES = 4096 };

/* FNV-1a hash. A final mixing step follows, because the hash table uses only the low bits. */
uint64_t pm_hash_text(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        hash = (hash ^ *c) * 0x100000001b3u;
    return hash ^ hash >> 32;
}

uint64_t pm_hash_bytes(const void *bytes, size_t count)
{
    const unsigned char *c = bytes;
    uint64_t hash = 0xcbf29ce484222325u;

    for (size_t i = 0; i < count; i++)
        hash = (hash ^ c[i]) * 0x100000001b3u;
    return hash ^ hash >> 32;
}

typedef struct {
    const pm_strings *strings;
    const char *text;
} string_key;

static bool same_text(const void *key, size_t value)
{
    const string_key *wanted = key;
    return strcmp(wanted->strings->items[value], wanted->text) == 0;
}

const char *pm_strings_find(const pm_strings *strings, const char *text)
{
    string_key key = {strings, text};
    size_t i = pm_hash_index_find(&strings->index, pm_hash_text(text), same_text, &key);
    return i == PM_NO_ENTRY ? NULL : strings->items[i];
}

static char *store(pm_strings *strings, const char *text)
{
    size_t bytes = strlen(text) + 1;
    pm_string_block *block = strings->blocks;
    if (!block || block->size - block->used < bytes) {
        size_t size = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
        block = malloc(sizeof *block + size);
        if (!block)
            return NULL;
        *block = (pm_string_block){.next = strings->blocks, .size = size};
        strings->blocks = block;
    }
    char *stored = block->bytes + block->used;
    memcpy(stored, text, bytes);
    block->used += bytes;
    return stored;
}

const char *pm_strings_append(pm_strings *strings, const char *text)
{
    if (strings->count == strings->capacity) {
        size_t capacity = strings->capacity ? strings->capacity * 2 : 16;
        const char **items = reallocarray(strings->items, capacity, sizeof *items);
        if (!items)
            return NULL;
        strings->items = items;
        strings->capacity = capacity;
    }
    const char *stored = store(strings, text);
    if (!stored || !pm_hash_index_add(&strings->index, pm_hash_text(text), strings->count))
        return NULL;
    strings->items[strings->count++] = stored;
    return stored;
}

const char *pm_strings_add(pm_strings *strings, const char *text)
{
    const char *known = pm_strings_find(strings, text);

    return known ? known : pm_strings_append(strings, text);
}

bool pm_strings_has(const pm_strings *strings, const char *text)
{
    for (size_t i = 0; i < strings->count; i++)
        if (strcmp(strings->items[i], text) == 0)
            return true;
    return false;
}

void pm_strings_clear(pm_strings *strings)
{
    for (pm_string_block *block = strings->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    pm_hash_index_clear(&strings->index);
    free(strings->items);
    *strings = (pm_strings){0};
}
