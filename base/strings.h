/* A hash index over numbered things, and strings kept once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_STRINGS_H
#define PM_BASE_STRINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a NULL-terminated list holds the name; no list holds every name. */
bool pm_listed(const char *const *list, const char *name);

/* Whether names of C have the character: a letter, a digit or _. */
bool pm_is_word(char c);

/* Whether the text ends in it. */
bool pm_ends_in(const char *text, const char *ending);

#define PM_NO_ENTRY SIZE_MAX

typedef struct {
    uint64_t hash;
    size_t value_plus_one; /* 0: free */
} pm_hash_slot;

/* Open addressing; holds numbers, and asks the caller whether one of them is the one it means. */
typedef struct {
    pm_hash_slot *slots;
    size_t capacity, used;
} pm_hash_index;

typedef bool (*pm_same_fn)(const void *key, size_t value);

size_t pm_hash_index_find(const pm_hash_index *index, uint64_t hash, pm_same_fn same,
                          const void *key);
bool pm_hash_index_add(pm_hash_index *index, uint64_t hash,
                       size_t value); /* false: out of memory */
void pm_hash_index_clear(pm_hash_index *index);

/* What a text is looked up by. */
uint64_t pm_hash_text(const char *text);
/* The same of bytes. */
uint64_t pm_hash_bytes(const void *bytes, size_t count);

typedef struct pm_string_block pm_string_block;

/* Each text is stored once and never moves, so that equal texts are equal pointers. */
typedef struct {
    pm_hash_index index;
    const char **items;
    size_t count, capacity;
    pm_string_block *blocks;
} pm_strings;

const char *pm_strings_find(const pm_strings *strings, const char *text); /* NULL: not there */
const char *pm_strings_add(pm_strings *strings, const char *text);        /* NULL: no memory */
/* Adds it behind the others, even if it is there already. NULL: no memory. */
const char *pm_strings_append(pm_strings *strings, const char *text);
/* Whether it is there, also after the items were sorted, which pm_strings_find cannot tell. */
bool pm_strings_has(const pm_strings *strings, const char *text);
void pm_strings_clear(pm_strings *strings);

#endif
