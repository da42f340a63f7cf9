/* Writes the contents that the host code gives to a buffer, in the syntax of workload files. See
 * results.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "transform/source/host/results.h"

/* MOST_VALUES: largest number of values that are written. MOST_TEXT: largest length of the text in
 * bytes, so that it fits into a value of a workload file. FEW_ZEROS: if more zeros than this end
 * the contents, only their number is written. MOST_BYTES: largest size in bytes of an array of
 * structs, which is the size of the GPU's constant memory. */
enum { MOST_VALUES = 8192, MOST_TEXT = 15000, MOST_BYTES = 1 << 16, WORD = 4, FEW_ZEROS = 8 };

/* ---- types ------------------------------------------------------------------------------------
 */

static bool is_number(CXType type)
{
    return pm_host_is_integer(type) || type.kind == CXType_Float || type.kind == CXType_Double;
}

/* Returns whether an element is an array of equal numbers without gaps, such as a float4. */
static bool is_uniform(const pm_host_number *numbers, size_t count, uint64_t bytes)
{
    bool uniform =
        count > 0 && is_number(numbers[0].type) && count * pm_host_bytes(numbers[0].type) == bytes;

    for (size_t i = 1; uniform && i < count; i++)
        uniform = numbers[i].type.kind == numbers[0].type.kind;
    return uniform;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Returns the number that a snapshot of an object's memory stores at a byte offset, converted to
 * the type. Returns an unknown value if none is stored there, unless the remaining bytes are
 * zeros. */
static pm_host_value value_at(const pm_host_snapshot *from, uint64_t offset, CXType type)
{
    const size_t at = pm_host_find_cell(from->cells, from->cell_count, offset);

    if (at < from->cell_count && from->cells[at].offset == offset)
        return pm_host_convert(from->cells[at].value, type);
    return from->zeros ? pm_host_convert(pm_host_integer(0), type) : pm_host_unknown(NULL, 0);
}

static bool is_zero(pm_host_value value)
{
    return value.kind == PM_HOST_INTEGER ? value.integer == 0 : fpclassify(value.real) == FP_ZERO;
}

static char *number_text(pm_memory *memory, pm_host_value value, CXType type)
{
    if (value.kind == PM_HOST_REAL)
        return pm_format(memory, "%.*g", type.kind == CXType_Float ? 9 : 17, value.real);
    if (type.kind == CXType_ULong || type.kind == CXType_ULongLong)
        return pm_format(memory, "%llu", (unsigned long long)value.integer);
    return pm_format(memory, "%lld", value.integer);
}

/* Returns whether the values are FIRST, FIRST + STEP, FIRST + 2 STEP and so on. */
static bool is_range(const pm_host_value *values, size_t count)
{
    bool range = count > 2;

    for (size_t i = 0; range && i < count; i++)
        range = values[i].kind == PM_HOST_INTEGER &&
                values[i].integer - values[0].integer ==
                    (long long)i * (values[1].integer - values[0].integer);
    return range;
}

/* Writes the contents of an array with `all` numbers, as a value of the key `contents` of a
 * workload file, such as "list 1, 2, 5". The first `count` numbers are given, and the others are
 * zeros. Returns "" if the text is too long. */
static char *write_values(pm_memory *memory, const pm_host_value *values, size_t count,
                          uint64_t all, CXType type)
{
    pm_text text = {.memory = memory};
    const bool is_alone = count == all || all - count > FEW_ZEROS;
    bool equal = is_alone;

    for (size_t i = 1; i < count && equal; i++)
        equal = pm_host_same_value(values[i], values[0]);
    if (equal)
        pm_text_add(&text, "constant %s", number_text(memory, values[0], type));
    else if (is_alone && is_range(values, count))
        pm_text_add(&text, "range %lld, %lld", values[0].integer,
                    values[1].integer - values[0].integer);
    for (size_t i = 0; !text.length || (i > 0 && i < count); i++)
        pm_text_add(&text, "%s%s", i ? ", " : "list ", number_text(memory, values[i], type));
    for (; all - count <= FEW_ZEROS && count < all; count++)
        pm_text_add(&text, ", 0");
    if (count < all)
        pm_text_add(&text, " within 0, %zu, %llu", count, (unsigned long long)all);
    return text.length > MOST_TEXT ? pm_copy(memory, "") : pm_copy(memory, pm_text_get(&text));
}

/* Writes the contents of a buffer that consists of `all` numbers of one type, as a value of the key
 * `contents` of a workload file. *zeros becomes true if all numbers are 0; the text is then not
 * needed and is "". Also returns "" if a number is unknown, or if there are too many. */
static char *write_numbers(pm_memory *memory, const pm_host_snapshot *from, CXType type,
                           uint64_t all, bool *zeros)
{
    const uint64_t number = pm_host_bytes(type);
    uint64_t count = from->zeros ? 0 : all;
    pm_host_value *values;

    /* behind the last value that is not 0, all numbers are 0 */
    for (size_t c = from->cell_count; c-- > 0 && from->zeros && count == 0;)
        if (!pm_host_is_known(from->cells[c].value) || !is_zero(from->cells[c].value))
            count = from->cells[c].offset / number + 1;
    *zeros = from->zeros && count == 0;
    if (count == 0 || count > MOST_VALUES || count > all)
        return pm_copy(memory, "");
    values = pm_take(memory, count, sizeof *values);
    *zeros = true;
    for (uint64_t i = 0; i < count; i++) {
        values[i] = value_at(from, i * number, type);
        if (!pm_host_is_known(values[i]) ||
            (values[i].kind == PM_HOST_REAL && !isfinite(values[i].real))) {
            *zeros = false;
            return pm_copy(memory, "");
        }
        *zeros = *zeros && is_zero(values[i]);
    }
    return *zeros ? pm_copy(memory, "") : write_values(memory, values, count, all, type);
}

/* ---- structs as words ------------------------------------------------------------------------ */

static void put_number(uint8_t *bytes, pm_host_value value, CXType type)
{
    const uint64_t size = pm_host_bytes(type);
    uint64_t word = (uint64_t)value.integer;
    const float single = (float)value.real;
    uint32_t half;

    if (value.kind == PM_HOST_REAL && size == sizeof single) {
        memcpy(&half, &single, sizeof half);
        word = half;
    } else if (value.kind == PM_HOST_REAL) {
        memcpy(&word, &value.real, sizeof word);
    }
    for (uint64_t i = 0; i < size && i < sizeof word; i++)
        bytes[i] = (uint8_t)(word >> 8 * i);
}

/* Writes an array of structs as 32-bit words. Pointers become 0. Unknown numbers become 0, too, and
 * out->partial becomes true. */
static char *write_words(pm_memory *memory, const pm_host_object *object,
                         const pm_host_number *numbers, size_t number_count, uint64_t size,
                         pm_launch_buffer *out)
{
    const CXType word = {.kind = CXType_UInt};
    const uint64_t element = pm_host_bytes(object->type);
    uint8_t *bytes = pm_take(memory, size + WORD, 1);
    const size_t words = (size_t)(size / WORD);
    size_t used = 0; /* number of words up to the last one that is not 0 */
    pm_host_value *values = pm_take(memory, words + 1, sizeof *values);

    for (uint64_t e = 0; e + element <= size; e += element)
        for (size_t i = 0; i < number_count; i++) {
            const uint64_t at = e + numbers[i].offset;
            const CXType type = numbers[i].type;
            const pm_host_value value = value_at(&object->then, at, type);

            if (pm_host_is_known(value) && is_number(type))
                put_number(bytes + at, value, type);
            out->partial |= !pm_host_is_known(value) && !pm_host_is_pointer(type);
        }
    for (size_t w = 0; w < words; w++) {
        values[w] =
            pm_host_integer(bytes[WORD * w] | bytes[WORD * w + 1] << 8 | bytes[WORD * w + 2] << 16 |
                            (long long)bytes[WORD * w + 3] << 24);
        used = values[w].integer ? w + 1 : used;
    }
    out->zeros = used == 0;
    return used == 0 ? pm_copy(memory, "") : write_values(memory, values, used, words, word);
}

/* ---- buffers --------------------------------------------------------------------------------- */

/* Describes a variable in the GPU's memory whose elements are structs. If the contents are too
 * long, they become zeros, and out->partial becomes true. */
static void write_structs(pm_memory *memory, const pm_host_object *object,
                          const pm_host_number *numbers, size_t count, uint64_t size,
                          pm_launch_buffer *out)
{
    const bool words = size % WORD == 0;

    out->type = pm_copy(memory, words ? "uint" : "uchar");
    out->elements = words ? size / WORD : size;
    if (words && size <= MOST_BYTES)
        out->contents = write_words(memory, object, numbers, count, size, out);
    if (*out->contents || out->zeros)
        return;
    out->zeros = true;
    out->partial = true;
}

void pm_host_write_contents(const pm_host_object *object, pm_memory *memory, pm_launch_buffer *out)
{
    const uint64_t element = pm_host_bytes(object->type);
    const uint64_t size = object->bytes.kind == PM_HOST_INTEGER && object->bytes.integer > 0
                              ? (uint64_t)object->bytes.integer
                              : 0;
    pm_host_number *numbers;
    size_t count;
    bool is_record;

    out->contents = pm_copy(memory, "");
    if (object->type.kind == CXType_Invalid || element == 0 || size == 0 ||
        (object->then.cell_count == 0 && !object->symbol))
        return;
    if (!pm_host_list_numbers(object->type, memory, &numbers, &count))
        count = 0;
    is_record = pm_host_is_record(clang_getCanonicalType(object->type));
    if (is_uniform(numbers, count, element) && (object->symbol || !is_record)) {
        const CXType type = numbers[0].type;
        bool zeros;

        if (is_record) {
            out->type = pm_host_type_text(type, memory);
            out->elements = size / pm_host_bytes(type);
        }

        out->contents =
            write_numbers(memory, &object->then, type, size / pm_host_bytes(type), &zeros);
        out->zeros = zeros;
    } else if (object->symbol && is_record) {
        write_structs(memory, object, numbers, count, size, out);
    }
}
