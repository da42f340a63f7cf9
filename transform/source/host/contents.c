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
    /* offsets in the outermost struct: at[depth] belongs to the nested struct that is visited at
     * this depth */
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
    } else if (!pm_host_is_pointer(type)) {
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

/* ---- arrays of structs ----------------------------------------------------------------------- */

enum { MOST_ELEMENTS = 1024 };

typedef struct {
    pm_host_state *state;
    pm_memory *memory;
    size_t object;
    uint64_t stride, elements;
    /* path and offset of the nested struct that is visited at each depth */
    const char *path[MOST_DEPTH + 1];
    uint64_t at[MOST_DEPTH + 1];
    unsigned depth;
    char *lines;
} listing;

/* A number lies at byte offset `at` of each struct of an array. Adds a line "contents.FIELD = ..."
 * with its values in all structs, or with one value if they are equal. Adds nothing if a value is
 * unknown. */
static void list_number(listing *l, const char *path, uint64_t at, CXType type)
{
    char *values = pm_copy(l->memory, ""), *first = NULL;
    bool equal = true;

    for (uint64_t e = 0; e < l->elements; e++) {
        const pm_host_place place = {l->object, at + e * l->stride};
        const pm_host_value value =
            pm_host_convert(pm_host_load(&l->state->heap, place, type), type);
        char *text;

        if (!pm_host_is_known(value))
            return;
        text = value.kind == PM_HOST_REAL ? pm_format(l->memory, "%.17g", value.real)
                                          : pm_format(l->memory, "%lld", value.integer);
        equal = equal && (!first || strcmp(first, text) == 0);
        first = first ? first : text;
        values = pm_format(l->memory, "%s%s%s", values, e ? ", " : "", text);
    }
    if (first)
        l->lines = pm_format(l->memory, "%scontents.%s = %s %s\n", l->lines, path,
                             equal ? "constant" : "list", equal ? first : values);
}

static enum CXVisitorResult list_field(CXCursor field, CXClientData data)
{
    listing *l = data;
    const long long bits = clang_Cursor_getOffsetOfField(field);
    const CXType type = clang_getCanonicalType(clang_getCursorType(field));
    const CXString name = clang_getCursorSpelling(field);
    const char *path = pm_format(l->memory, "%s%s%s", l->path[l->depth],
                                 *l->path[l->depth] ? "." : "", clang_getCString(name));
    const uint64_t at = l->at[l->depth] + (uint64_t)(bits < 0 ? 0 : bits) / 8;

    clang_disposeString(name);
    if (bits < 0 || clang_Cursor_isBitField(field))
        return CXVisit_Continue;
    if (pm_host_is_record(type) && l->depth < MOST_DEPTH) {
        l->path[++l->depth] = path;
        l->at[l->depth] = at;
        clang_Type_visitFields(type, list_field, l);
        l->depth--;
    } else if (pm_host_is_integer(type) || type.kind == CXType_Float ||
               type.kind == CXType_Double) {
        list_number(l, path, at, type);
    }
    return CXVisit_Continue;
}

char *pm_host_fields_of(pm_host_state *state, size_t object, CXType type, uint64_t bytes,
                        pm_memory *memory)
{
    listing l = {.state = state,
                 .memory = memory,
                 .object = object,
                 .stride = pm_host_bytes(type),
                 .path = {""},
                 .lines = pm_copy(memory, "")};

    if (!pm_host_is_record(type) || l.stride == 0)
        return l.lines;
    l.elements = bytes / l.stride;
    if (l.elements > 0 && l.elements <= MOST_ELEMENTS)
        clang_Type_visitFields(clang_getCanonicalType(type), list_field, &l);
    return l.lines;
}
