/* Messages between this process and its workers: numbers, texts and arrays as bytes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One function describes a type for both directions, as in Sun's XDR (RFC 4506): it writes a value
 * where wire->writing, and else reads one. Both ends are of one build, so numbers are as memory has
 * them. What is read is not trusted: a worker may have been overwritten by the kernel that it ran.
 * The first fault sets `failed`; after that, reading gives zeros.
 */
#ifndef PM_BASE_WIRE_H
#define PM_BASE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

/* All zero is an empty message to read. */
typedef struct {
    uint8_t *data;
    size_t bytes, room;
    size_t at;         /* of the reader */
    pm_memory *memory; /* that what is read is taken of; NULL: of malloc */
    bool writing;
    bool failed; /* out of memory, or what is read is no such message */
} pm_wire;

#define PM_WIRE_WRITER ((pm_wire){.writing = true})
void pm_wire_free(pm_wire *wire); /* what it owns */

/* bytes of plain numbers, of which any pattern is one. */
void pm_wire_raw(pm_wire *wire, void *value, size_t bytes);
#define PM_WIRE_NUMBER(wire, value) pm_wire_raw((wire), &(value), sizeof(value))
void pm_wire_flag(pm_wire *wire, bool *value);
/* A number below limit. */
void pm_wire_below(pm_wire *wire, size_t *value, size_t limit);
/* NULL or a string. */
void pm_wire_text(pm_wire *wire, char **text);
/* The same, and it is never NULL. */
void pm_wire_name(pm_wire *wire, char **text);
/* A string of at most size - 1 characters. */
void pm_wire_chars(pm_wire *wire, char *text, size_t size);
/* How many items follow, each of at least one byte. Reading makes a zeroed array of one more; after
 * a failure count is 0. */
void *pm_wire_array(pm_wire *wire, void *items, size_t *count, size_t item_bytes);
#define PM_WIRE_ARRAY(wire, items, count)                                                          \
    ((items) = pm_wire_array((wire), (items), &(count), sizeof *(items)))
/* bytes of any kind, which are read in place: they live as long as the wire. */
const void *pm_wire_bytes(pm_wire *wire, const void *bytes, size_t *count);

/* Everything has been read, and nothing was wrong. */
bool pm_wire_done(const pm_wire *wire);

#endif
