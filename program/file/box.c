/* Reads initial contents that fill only a box of a multidimensional array, such as all but its
 * halo. See box.h. */
#include "program/file/box.h"

#include <string.h>

#include "base/error.h"

static void fault(const pm_file_build *b, const pm_file_target *target,
                  const pm_file_text *contents, const char *what)
{
    pm_file_fault(b, contents->line, "buffer %s: \"%.80s\": %s", target->buffer, contents->text,
                  what);
}

/* Reads the next number of a comma-separated list at *rest, and advances *rest past it. Raises an
 * error if there is none. */
static size_t read_number(const pm_file_build *b, const pm_file_target *target,
                          const pm_file_text *contents, const char **rest)
{
    char item[PM_FILE_ITEM];
    int64_t value;

    if (!*rest || !pm_file_item(rest, item))
        fault(b, target, contents, "write CONTENTS within FIRST, COUNT, TOTAL for each dimension");
    value = pm_file_integer(b, &b->numbers, item, contents->line);
    if (value < 0)
        fault(b, target, contents, "the numbers of a box are 0 or more");
    return (size_t)value;
}

bool pm_file_box_read(const pm_file_build *b, const pm_file_target *target,
                      const pm_file_text *contents, pm_file_box *box, pm_file_text *inner)
{
    const size_t scalars = target->type.width * target->elements;
    const char *word = strstr(contents->text, " within "), *rest;
    size_t left = scalars;

    *box = (pm_file_box){0};
    if (!word)
        return false;
    if (target->field)
        fault(b, target, contents, "within is for whole buffers of scalars or vectors");
    *inner = *contents;
    inner->text = pm_format(b->memory, "%.*s", (int)(word - contents->text), contents->text);
    for (rest = word + strlen(" within "); rest;) {
        const size_t d = box->dimensions++;

        if (d == PM_FILE_BOX_DIMENSIONS)
            fault(b, target, contents, "a box has up to 4 dimensions");
        box->first[d] = read_number(b, target, contents, &rest);
        box->count[d] = read_number(b, target, contents, &rest);
        box->total[d] = read_number(b, target, contents, &rest);
        if (box->first[d] > box->total[d] || box->count[d] > box->total[d] - box->first[d])
            fault(b, target, contents, "the box is larger than the grid");
        if (box->total[d] == 0 || left % box->total[d] != 0)
            fault(b, target, contents, "the grid does not have as many scalars as the buffer");
        left /= box->total[d];
    }
    if (left != 1)
        fault(b, target, contents, "the grid does not have as many scalars as the buffer");
    return true;
}

/* Returns whether a row of the array (along its fastest dimension) goes through the box. row:
 * number of the row. */
static bool is_row_inside(const pm_file_box *box, size_t row)
{
    for (size_t d = 1; d < box->dimensions; d++) {
        const size_t at = row % box->total[d];

        if (at < box->first[d] || at >= box->first[d] + box->count[d])
            return false;
        row /= box->total[d];
    }
    return true;
}

void pm_file_box_clear(const pm_file_target *target, const pm_file_box *box)
{
    const size_t bytes = target->type.scalar->bytes, row_bytes = box->total[0] * bytes;
    const size_t rows = target->type.width * target->elements / box->total[0];
    const size_t end = (box->first[0] + box->count[0]) * bytes;
    uint8_t *row = target->base;

    for (size_t i = 0; row && i < rows; i++, row += row_bytes)
        if (is_row_inside(box, i)) {
            memset(row, 0, box->first[0] * bytes);
            memset(row + end, 0, row_bytes - end);
        } else {
            memset(row, 0, row_bytes);
        }
}
