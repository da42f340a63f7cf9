/* A hash index of numbers, and a set of interned strings.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_STRINGS_H
#define PM_BASE_STRINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns true if the NULL-terminated list contains the name. If the list is NULL, the result is
 * true, because NULL means all names. */
bool pm_listed(const char *const *list, const char *name);

/* Returns true for a character of C identifiers: a letter, a digit or _. */
bool pm_is_word(char c);

/* Returns the first place in `text` at which `word` is a whole word and not part of a longer
 * identifier. NULL: there is none. `word` must start and end with a character of C identifiers. */
const char *pm_find_word(const char *text, const char *word);

/* Returns the position after the C comment that starts at `text`. A comment with // ends before its
 * line break. Returns `text` if no comment starts there. */
const char *pm_after_comment(const char *text);

/* Returns true if the text ends in `ending`. */
bool pm_ends_in(const char *text, const char *ending);

#define PM_NO_ENTRY SIZE_MAX

typedef struct {
    uint64_t hash;
    size_t value_plus_one; /* 0: free slot */
} pm_hash_slot;

/* Hash table with open addressing. It stores numbers under hashes. The numbers are, for example,
 * indices into an array of the caller. A search by hash may find numbers of other keys with the
 * same hash, so the caller compares the array's item with the key. */
typedef struct {
    pm_hash_slot *slots;
    size_t capacity, used;
} pm_hash_index;

typedef bool (*pm_same_fn)(const void *key, size_t value);

size_t pm_hash_index_find(const pm_hash_index *index, uint64_t hash, pm_same_fn same,
                          const void *key);
/* Adds a number to the hash table under a hash. Returns false if memory runs out. */
bool pm_hash_index_add(pm_hash_index *index, uint64_t hash, size_t value);
void pm_hash_index_clear(pm_hash_index *index);

/* Returns the hash of a string. */
uint64_t pm_hash_text(const char *text);
/* Returns the hash of `count` bytes. */
uint64_t pm_hash_bytes(const void *bytes, size_t count);

typedef struct pm_string_block pm_string_block;

/* A set of interned strings: each is stored once and never moves. Equal strings therefore have
 * equal pointers. */
typedef struct {
    pm_hash_index index;
    const char **items;
    size_t count, capacity;
    pm_string_block *blocks;
} pm_strings;

/* Returns the stored string that is equal to `text`. NULL: there is none. */
const char *pm_strings_find(const pm_strings *strings, const char *text);
/* Returns the stored string that is equal to `text`, and stores a copy if there is none. NULL: out
 * of memory. */
const char *pm_strings_add(pm_strings *strings, const char *text);
/* Stores a copy of a string, even if an equal string is stored already. Returns the copy. NULL: out
 * of memory. */
const char *pm_strings_append(pm_strings *strings, const char *text);
/* Returns true if an equal string is stored. Unlike pm_strings_find, this function also works after
 * the caller has sorted `items`. */
bool pm_strings_has(const pm_strings *strings, const char *text);
void pm_strings_clear(pm_strings *strings);

#endif
