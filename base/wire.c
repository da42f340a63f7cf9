/* Serialises values into messages and reads them back. See wire.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/wire.h"

#include <stdlib.h>
#include <string.h>

void pm_wire_free(pm_wire *wire)
{
    free(wire->data);
    *wire = (pm_wire){.writing = wire->writing};
}

static bool make_room(pm_wire *wire, size_t bytes)
{
    size_t room = wire->room ? wire->room : 256;
    uint8_t *grown;

    if (wire->failed)
        return false;
    while (room - wire->bytes < bytes && room < SIZE_MAX / 2)
        room *= 2;
    grown = room == wire->room ? wire->data : realloc(wire->data, room);
    wire->failed = !grown || room - wire->bytes < bytes;
    if (grown) {
        wire->data = grown;
        wire->room = room;
    }
    return !wire->failed;
}

/* Returns a pointer to the next `bytes` bytes of the message, and moves the read position past
 * them. NULL if fewer bytes are left; wire->failed is then set. */
static const uint8_t *take(pm_wire *wire, size_t bytes)
{
    const uint8_t *at = wire->data + wire->at;

    if (wire->failed || wire->bytes - wire->at < bytes) {
        wire->failed = true;
        return NULL;
    }
    wire->at += bytes;
    return at;
}

void pm_wire_raw(pm_wire *wire, void *value, size_t bytes)
{
    if (bytes == 0)
        return;
    if (!wire->writing) {
        const uint8_t *from = take(wire, bytes);

        if (from)
            memcpy(value, from, bytes);
        else
            memset(value, 0, bytes);
    } else if (make_room(wire, bytes)) {
        memcpy(wire->data + wire->bytes, value, bytes);
        wire->bytes += bytes;
    }
}

void pm_wire_flag(pm_wire *wire, bool *value)
{
    uint8_t byte = wire->writing && *value;

    pm_wire_raw(wire, &byte, 1);
    wire->failed |= byte > 1;
    *value = byte == 1;
}

void pm_wire_below(pm_wire *wire, size_t *value, size_t limit)
{
    pm_wire_raw(wire, value, sizeof *value);
    if (*value >= limit) {
        wire->failed = true;
        *value = 0;
    }
}

const void *pm_wire_bytes(pm_wire *wire, const void *bytes, size_t *count)
{
    PM_WIRE_NUMBER(wire, *count);
    if (wire->writing) {
        pm_wire_raw(wire, (void *)(uintptr_t)bytes, *count);
        return bytes;
    }
    bytes = take(wire, *count);
    *count = bytes ? *count : 0;
    return bytes;
}

void pm_wire_chars(pm_wire *wire, char *text, size_t size)
{
    size_t length = wire->writing ? strnlen(text, size - 1) : 0;
    const char *found = pm_wire_bytes(wire, text, &length);

    if (wire->writing)
        return;
    wire->failed |= length >= size || (length > 0 && memchr(found, '\0', length));
    if (wire->failed)
        length = 0;
    if (length > 0)
        memcpy(text, found, length);
    text[length] = '\0';
}

/* Allocates a zeroed array of `count` objects for values that are read; NULL: out of memory. */
static void *room_for(pm_wire *wire, size_t count, size_t bytes)
{
    return wire->memory ? pm_try_take(wire->memory, count, bytes) : calloc(count, bytes);
}

void pm_wire_text(pm_wire *wire, char **text)
{
    bool there = wire->writing && *text;
    size_t length = there ? strlen(*text) : 0;
    const char *found;

    pm_wire_flag(wire, &there);
    if (!wire->writing)
        *text = NULL;
    if (!there)
        return;
    found = pm_wire_bytes(wire, *text, &length);
    if (wire->writing)
        return;
    wire->failed |= length > 0 && memchr(found, '\0', length);
    if (!wire->failed)
        *text = room_for(wire, length + 1, 1);
    if (*text && length > 0)
        memcpy(*text, found, length);
    wire->failed |= !*text;
}

void pm_wire_name(pm_wire *wire, char **text)
{
    pm_wire_text(wire, text);
    wire->failed |= !*text;
}

void *pm_wire_array(pm_wire *wire, void *items, size_t *count, size_t item_bytes)
{
    PM_WIRE_NUMBER(wire, *count);
    if (wire->writing)
        return items;
    wire->failed |= *count > wire->bytes - wire->at;
    items = wire->failed ? NULL : room_for(wire, *count + 1, item_bytes);
    wire->failed |= !items;
    if (wire->failed)
        *count = 0;
    return items;
}

bool pm_wire_done(const pm_wire *wire)
{
    return !wire->failed && wire->at == wire->bytes;
}
