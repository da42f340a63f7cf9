/* Lists the numbers and pointers that a type of host code consists of. See tree.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/host/tree.h"

enum { MOST_NUMBERS = 8192 };

typedef struct {
    pm_memory *memory;
    pm_host_number *items;
    size_t count;
    uint64_t base; /* offset of the struct whose fields are visited */
    bool fits;     /* false: the numbers are too many, or a field is a bit-field */
} listing;

static void add_numbers(listing *l, uint64_t offset, CXType type);

static enum CXVisitorResult take_field(CXCursor field, CXClientData data)
{
    listing *l = data;
    const uint64_t base = l->base;
    const long long bits = clang_Cursor_getOffsetOfField(field);

    l->fits = l->fits && bits >= 0 && !clang_Cursor_isBitField(field);
    if (l->fits)
        add_numbers(l, base + (uint64_t)bits / 8, clang_getCursorType(field));
    l->base = base;
    return l->fits ? CXVisit_Continue : CXVisit_Break;
}

static void add_numbers(listing *l, uint64_t offset, CXType type)
{
    type = clang_getCanonicalType(type);
    if (type.kind == CXType_ConstantArray) {
        const CXType element = clang_getArrayElementType(type);

        for (long long i = 0; i < clang_getArraySize(type) && l->fits; i++)
            add_numbers(l, offset + (uint64_t)i * pm_host_bytes(element), element);
    } else if (pm_host_is_record(type)) {
        l->base = offset;
        clang_Type_visitFields(type, take_field, l);
    } else if (l->count < MOST_NUMBERS) {
        *pm_add(l->memory, l->items, l->count) = (pm_host_number){offset, type};
    } else {
        l->fits = false;
    }
}

bool pm_host_list_numbers(CXType type, pm_memory *memory, pm_host_number **numbers, size_t *count)
{
    listing l = {.memory = memory, .fits = true};

    add_numbers(&l, 0, type);
    *numbers = l.items;
    *count = l.count;
    return l.fits;
}
