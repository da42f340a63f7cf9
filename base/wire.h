/* Serialises numbers, texts and arrays for messages between this process and its workers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One function per type describes both directions, as in Sun's XDR (RFC 4506). It writes a value if
 * wire->writing, otherwise it reads one. Both ends come from the same build, so that numbers keep
 * their representation in memory. Input is not trusted, because a traced kernel may have
 * overwritten its worker. The first error sets `failed`; reading then yields zeros.
 */
#ifndef PM_BASE_WIRE_H
#define PM_BASE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

/* A message that is written or read. All zero: an empty message to read. */
typedef struct {
    uint8_t *data;
    size_t bytes, room;
    size_t at;         /* read position */
    pm_memory *memory; /* allocator of the strings and arrays that are read; NULL: malloc */
    bool writing;
    bool failed; /* true: memory ran out, or the input is malformed */
} pm_wire;

#define PM_WIRE_WRITER ((pm_wire){.writing = true})
void pm_wire_free(pm_wire *wire); /* frees the contents */

/* Writes or reads a value as its bytes in memory. Suitable only for types in which every bit
 * pattern is valid, such as numbers. */
void pm_wire_raw(pm_wire *wire, void *value, size_t bytes);
#define PM_WIRE_NUMBER(wire, value) pm_wire_raw((wire), &(value), sizeof(value))
void pm_wire_flag(pm_wire *wire, bool *value);
/* Writes or reads a number that must be less than `limit`, such as an index. Another value is an
 * error. */
void pm_wire_below(pm_wire *wire, size_t *value, size_t limit);
/* Writes or reads a string, which may be NULL. When reading, *text gets a new string. */
void pm_wire_text(pm_wire *wire, char **text);
/* Writes or reads a string that must not be NULL. */
void pm_wire_name(pm_wire *wire, char **text);
/* Writes or reads a string in a buffer of `size` bytes, with its NUL. */
void pm_wire_chars(pm_wire *wire, char *text, size_t size);
/* Writes or reads the number of items of an array, *count. The caller then writes or reads the
 * items, each of at least one byte. When reading, returns a new zeroed array with one item more
 * than *count. *count is 0 after an error. */
void *pm_wire_array(pm_wire *wire, void *items, size_t *count, size_t item_bytes);
#define PM_WIRE_ARRAY(wire, items, count)                                                          \
    ((items) = pm_wire_array((wire), (items), &(count), sizeof *(items)))
/* Writes or reads *count bytes. When reading, the result points into the message and is valid as
 * long as the pm_wire. */
const void *pm_wire_bytes(pm_wire *wire, const void *bytes, size_t *count);

/* Returns true if the whole message was read without error and no bytes are left. */
bool pm_wire_done(const pm_wire *wire);

#endif
