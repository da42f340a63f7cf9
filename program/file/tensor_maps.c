/* Reads tensor maps among the arguments of a workload file. See from_file.h.
 *
 *   tensor_map (BUFFER [+ ELEMENTS], sizes (N, ...), box (N, ...), FIELD, ...)
 *   FIELD = strides (BYTES, ...) | steps (N, ...) | swizzle BYTES | type TYPE | fill nan
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dimension 0, whose elements are adjacent in memory, comes first. Parentheses around a single
 * number may be left out.
 */
#include <string.h>

#include "base/error.h"
#include "machine/tensor_map.h"
#include "program/file/from_file.h"

/* State of parsing a tensor map. item, line: text of the whole argument, and its line. */
typedef struct {
    const pm_file_build *b;
    const char *item;
    unsigned line;
    pm_tensor_map map;
    /* number of values that the argument gives for each list of numbers; 0: the list is missing */
    unsigned sizes, strides, boxes, steps;
} reading;

_Noreturn static void fault(const reading *r, const char *what)
{
    pm_file_fault(r->b, r->line, "argument \"%.60s\": %s", r->item, what);
}

/* Parses "(N, ...)" or "N" into `to`, which has room for PM_TENSOR_RANK numbers. Returns their
 * number. */
static unsigned read_numbers(const reading *r, const char *text, uint64_t *to)
{
    char inner[PM_FILE_ITEM], item[PM_FILE_ITEM];
    const size_t length = strlen(text);
    const char *rest = text;
    unsigned count = 0;

    if (length > 2 && *text == '(' && text[length - 1] == ')') {
        memcpy(inner, text + 1, length - 2);
        inner[length - 2] = '\0';
        rest = inner;
    }
    for (; rest; count++) {
        int64_t value;

        if (count == PM_TENSOR_RANK || !pm_file_item(&rest, item))
            fault(r, "a tensor map has numbers for one to five dimensions, with commas");
        value = pm_file_integer(r->b, &r->b->counting, item, r->line);
        if (value < 1)
            pm_file_fault(r->b, r->line,
                          "argument \"%.60s\": \"%.60s\" is %lld in size %s: at "
                          "least 1 is possible",
                          r->item, item, (long long)value, r->b->size->name);
        to[count] = (uint64_t)value;
    }
    return count;
}

static uint32_t swizzle_of(const reading *r, const char *text)
{
    uint64_t bytes[PM_TENSOR_RANK] = {0};

    if (strcmp(text, "0") == 0)
        return 0;
    read_numbers(r, text, bytes);
    for (uint32_t k = 1; k <= 3; k++)
        if (bytes[0] == UINT64_C(16) << k)
            return k;
    fault(r, "a tensor map has swizzle 0, 32, 64 or 128");
}

static void set_words(uint32_t *to, const uint64_t *from, unsigned count)
{
    for (unsigned d = 0; d < count; d++)
        to[d] = from[d] < UINT32_MAX ? (uint32_t)from[d] : UINT32_MAX;
}

static void read_field(reading *r, const char *item)
{
    uint64_t numbers[PM_TENSOR_RANK] = {0};
    char word[PM_FILE_ITEM];
    const char *rest = pm_file_word(item, word);

    if (strcmp(word, "sizes") == 0) {
        r->sizes = read_numbers(r, rest, r->map.size);
    } else if (strcmp(word, "strides") == 0) {
        r->strides = read_numbers(r, rest, numbers);
        for (unsigned d = 1; d < PM_TENSOR_RANK; d++)
            r->map.stride[d] = numbers[d - 1];
    } else if (strcmp(word, "box") == 0) {
        r->boxes = read_numbers(r, rest, numbers);
        set_words(r->map.box, numbers, r->boxes);
    } else if (strcmp(word, "steps") == 0) {
        r->steps = read_numbers(r, rest, numbers);
        set_words(r->map.step, numbers, r->steps);
    } else if (strcmp(word, "swizzle") == 0) {
        r->map.swizzle = swizzle_of(r, rest);
    } else if (strcmp(word, "type") == 0) {
        r->map.type = pm_tensor_type_named(rest);
        if (r->map.type == PM_TENSOR_TYPES)
            fault(r, "the type is u8, u16, u32, s32, u64, s64, f16, bf16, f32, tf32 or f64");
    } else if (strcmp(word, "fill") == 0 && strcmp(rest, "nan") == 0) {
        r->map.fills_nan = 1;
    } else {
        fault(r,
              "a tensor map has a buffer, and then sizes, strides, box, steps, swizzle, type, or "
              "fill nan");
    }
}

/* Parses the buffer of a tensor map. If the buffer has a scalar type, it becomes the type of the
 * elements. Returns false if the tensor map has a null pointer. */
static bool read_buffer(reading *r, const char *item, pm_pointer *pointer)
{
    const pm_file_pointer_text text = {.item = item, .line = r->line};

    r->map.type = PM_TENSOR_TYPES;
    if (!pm_file_read_pointer(r->b, &text, pointer))
        return false;
    if (r->b->file->buffers[pointer->buffer].type.text)
        r->map.type = pm_tensor_type_named(r->b->file->buffers[pointer->buffer].type.text);
    return true;
}

/* Sets the fields that are not given, and raises an error if the map is not valid. */
static void complete(reading *r)
{
    uint64_t packed = pm_tensor_type_bytes(r->map.type);
    const char *wrong;

    r->map.rank = r->sizes;
    if (r->sizes == 0 || r->boxes == 0)
        fault(r,
              "a tensor map needs sizes and box: tensor_map (a, sizes (1024, 512), box (64, 32))");
    if (r->boxes != r->sizes || (r->strides && r->strides + 1 != r->sizes) ||
        (r->steps && r->steps != r->sizes))
        fault(r, "box and steps have a number for each of the sizes, and strides one less");
    if (r->map.type == PM_TENSOR_TYPES)
        fault(r,
              "the type of the elements is not known from the buffer: add type f16, for example");
    for (unsigned d = 0; d < r->map.rank; d++) {
        if (!r->steps)
            r->map.step[d] = 1;
        if (d > 0 && !r->strides)
            r->map.stride[d] = packed;
        packed *= r->map.size[d];
    }
    wrong = pm_tensor_map_fault(&r->map);
    if (wrong)
        fault(r, wrong);
}

void pm_file_add_tensor_map(const pm_file_build *b, const char *item, const char *fields,
                            unsigned line)
{
    reading r = {.b = b, .item = item, .line = line};
    uint8_t bytes[PM_TENSOR_MAP_BYTES];
    char inner[PM_FILE_ITEM], field[PM_FILE_ITEM];
    const size_t length = strlen(fields);
    pm_pointer pointer = {.at = PM_TENSOR_MAP_ADDRESS};
    const char *rest = inner;
    bool points = false;

    if (length < 3 || *fields != '(' || fields[length - 1] != ')')
        fault(&r, "write a tensor map as tensor_map (a, sizes (1024, 512), box (64, 32))");
    memcpy(inner, fields + 1, length - 2);
    inner[length - 2] = '\0';
    for (unsigned k = 0; rest; k++) {
        if (!pm_file_item(&rest, field))
            fault(&r, "a field of the tensor map is missing beside a comma");
        if (k == 0)
            points = read_buffer(&r, field, &pointer);
        else
            read_field(&r, field);
    }
    complete(&r);
    pointer.at = PM_TENSOR_MAP_ADDRESS;
    pm_tensor_map_write(&r.map, bytes);
    pm_workload_arg_value(b->workload, bytes, sizeof bytes);
    if (points)
        pm_workload_arg_point(b->workload, &pointer, 1);
}
