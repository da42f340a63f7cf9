/* A growing string. See text.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/numbers.h"

void pm_list_add(char *list, size_t size, const char *format, ...)
{
    static const char more[] = ", ...";
    size_t used = strlen(list), last = strlen(more);
    char item[200];
    va_list args;

    va_start(args, format);
    vsnprintf(item, sizeof item, format, args);
    va_end(args);
    if (used + strlen(", ") + strlen(item) + sizeof more <= size)
        sprintf(list + used, "%s%s", used ? ", " : "", item);
    else if (used < last || strcmp(list + used - last, more) != 0)
        strcpy(list + used, more);
}

/* Grows the string's buffer so that `more` further bytes and a NUL fit. Returns false if memory
 * runs out. */
static bool make_room(pm_text *text, size_t more)
{
    size_t room = text->room ? text->room : 64;
    char *grown;

    if (text->failed || more > SIZE_MAX / 4 - text->length) {
        text->failed = true;
        return false;
    }
    while (room <= text->length + more)
        room *= 2;
    if (text->data && room == text->room)
        return true;
    grown = text->memory ? pm_take(text->memory, room, 1) : realloc(text->data, room);
    if (!grown) {
        text->failed = true;
        return false;
    }
    if (text->memory && text->data)
        memcpy(grown, text->data, text->length + 1);
    text->data = grown;
    text->room = room;
    return true;
}

void pm_text_put(pm_text *text, const char *piece, size_t length)
{
    if (!make_room(text, length))
        return;
    if (length > 0)
        memcpy(text->data + text->length, piece, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void pm_text_add(pm_text *text, const char *format, ...)
{
    locale_t before = pm_numbers_begin();
    va_list args, again;
    int length;

    va_start(args, format);
    va_copy(again, args);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0)
        text->failed = true;
    else if (make_room(text, (size_t)length)) {
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
    pm_numbers_end(before);
}

const char *pm_text_get(const pm_text *text)
{
    return text->data && !text->failed ? text->data : "";
}

char *pm_text_take(pm_text *text)
{
    char *data;

    pm_text_put(text, "", 0);
    data = text->failed ? NULL : text->data;
    if (data)
        text->data = NULL;
    pm_text_free(text);
    return data;
}

void pm_text_free(pm_text *text)
{
    if (!text->memory)
        free(text->data);
    *text = (pm_text){.memory = text->memory};
}
