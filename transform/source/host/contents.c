/* Converts structs in the interpreter's memory to bytes, for kernel arguments that are passed by
 * value. See results.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/source/host/results.h"

enum { MOST_BYTES = 4096, MOST_DEPTH = 8 };

typedef struct {
    pm_host_state *state;
    uint8_t bytes[MOST_BYTES];
    uint64_t size;
    bool known;
    pm_host_place place; /* address of the struct */
    /* at[depth]: offset, in the outermost struct, of the nested struct that is visited at this
     * depth */
    uint64_t at[MOST_DEPTH + 1];
    unsigned depth;
} filling;

static void fill(filling *f, uint64_t at, CXType type);

/* Stores a number at offset `at` in the format of its type, lowest byte first. */
static void fill_number(filling *f, uint64_t at, CXType type)
{
    const uint64_t bytes = pm_host_bytes(type);
    const pm_host_value value = pm_host_convert(
        pm_host_load(&f->state->heap, (pm_host_place){f->place.object, f->place.offset + at}, type),
        type);
    uint64_t word = (uint64_t)value.integer;
    const float single = (float)value.real;
    uint32_t half;

    f->known = f->known && pm_host_is_known(value) && bytes <= 8 && at + bytes <= f->size;
    if (!f->known)
        return;
    if (pm_host_is_real(type) && bytes == sizeof single) {
        memcpy(&half, &single, sizeof half);
        word = half;
    } else if (pm_host_is_real(type)) {
        memcpy(&word, &value.real, sizeof word);
    }
    for (uint64_t i = 0; i < bytes; i++)
        f->bytes[at + i] = (uint8_t)(word >> 8 * i);
}

static enum CXVisitorResult take_field(CXCursor field, CXClientData data)
{
    filling *f = data;
    const long long bits = clang_Cursor_getOffsetOfField(field);

    f->known = f->known && bits >= 0 && bits % 8 == 0 && !clang_Cursor_isBitField(field);
    if (f->known)
        fill(f, f->at[f->depth] + (uint64_t)bits / 8, clang_getCursorType(field));
    return f->known ? CXVisit_Continue : CXVisit_Break;
}

static void fill_record(filling *f, uint64_t at, CXType type)
{
    if (f->depth == MOST_DEPTH) {
        f->known = false;
        return;
    }
    f->at[++f->depth] = at;
    clang_Type_visitFields(type, take_field, f);
    f->depth--;
}

static void fill(filling *f, uint64_t at, CXType type)
{
    type = clang_getCanonicalType(type);
    if (type.kind == CXType_ConstantArray) {
        const CXType element = clang_getArrayElementType(type);
        const long long count = clang_getArraySize(type);

        for (long long i = 0; i < count && f->known; i++)
            fill(f, at + (uint64_t)i * pm_host_bytes(element), element);
    } else if (pm_host_is_record(type)) {
        fill_record(f, at, type);
    } else if (pm_host_is_integer(type) || type.kind == CXType_Float ||
               type.kind == CXType_Double) {
        fill_number(f, at, type);
    } else {
        f->known = false;
    }
}

char *pm_host_bytes_of(pm_host_state *state, pm_host_place place, CXType type, pm_memory *memory)
{
    filling f = {.state = state, .size = pm_host_bytes(type), .known = true, .place = place};
    char *text;

    if (f.size == 0 || f.size > MOST_BYTES)
        return NULL;
    fill(&f, 0, type);
    if (!f.known)
        return NULL;
    text = pm_take(memory, 2 * f.size + 3, 1);
    strcpy(text, "0x");
    for (uint64_t i = 0; i < f.size; i++) {
        static const char digits[] = "0123456789abcdef";

        text[2 + 2 * i] = digits[f.bytes[i] >> 4];
        text[3 + 2 * i] = digits[f.bytes[i] & 15];
    }
    return text;
}
