/* Computes the initial values of a buffer from a fill: a rule such as "random numbers below 100" or
 * "element i is i". See fill.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/contents/fill.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/contents/fill_parts.h"
#include "program/contents/random.h"

enum {
    BLOCK = 4096, /* number of scalars whose values are computed at a time */
    /* number of scalars after which random 16-bit floats repeat; a multiple of BLOCK */
    PERIOD = 1 << 22
};

struct pm_fill_room {
    pm_expression_number values[BLOCK];
    uint64_t bits[BLOCK];
    pm_expression_columns columns;
    /* Names of the expression with their values. The last name is i, whose value is the number of
     * the scalar that is computed. */
    pm_named_number *names;
    size_t name_room;
    uint8_t *bytes; /* memory for whole elements if the caller wants only some of their bytes */
    size_t byte_room;
};

pm_fill_room *pm_fill_room_create(void)
{
    return calloc(1, sizeof(pm_fill_room));
}

void pm_fill_room_free(pm_fill_room *room)
{
    if (!room)
        return;
    free(room->names);
    free(room->bytes);
    free(room);
}

uint8_t *pm_fill_room_bytes(pm_fill_room *room, size_t bytes)
{
    if (bytes > room->byte_room) {
        free(room->bytes);
        room->bytes = malloc(bytes);
        room->byte_room = room->bytes ? bytes : 0;
    }
    return room->bytes;
}

static bool fail(char *fault, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    vsnprintf(fault, PM_EXPRESSION_FAULT, format, list);
    va_end(list);
    return false;
}

static bool is_real(const pm_fill_rule *fill)
{
    return fill->type.scalar->kind == PM_SCALAR_REAL;
}

/* ---- values -------------------------------------------------------------------------------- */

/* Returns whether the random values of a fill repeat after PERIOD scalars. Random 16-bit floats do,
 * because rounding each of them takes long. */
static bool repeats(const pm_fill_rule *fill)
{
    return fill->kind == PM_FILL_RANDOM && fill->type.scalar->narrow;
}

static void random_values(const pm_fill_rule *fill, size_t first, size_t count, pm_fill_room *room)
{
    const size_t number = repeats(fill) ? first % PERIOD : first;
    const double low_real = fill->value[0].real, range = fill->value[1].real - low_real;
    const uint64_t low = (uint64_t)fill->value[0].integer;
    const uint64_t span = (uint64_t)fill->value[1].integer - low + 1;
    char stream[200];

    snprintf(stream, sizeof stream, "%s#%zu", fill->stream, number / BLOCK);
    pm_random_bytes((unsigned char *)room->bits, count * sizeof *room->bits, fill->seed, stream);
    if (is_real(fill))
        for (size_t i = 0; i < count; i++)
            room->values[i].real = low_real + range * ((double)(room->bits[i] >> 11) * 0x1p-53);
    else if (fill->whole || span == 0)
        for (size_t i = 0; i < count; i++)
            room->values[i].integer = (int64_t)room->bits[i];
    else
        for (size_t i = 0; i < count; i++)
            room->values[i].integer = (int64_t)(low + room->bits[i] % span);
}

/* Computes the value of an expression for scalar number `number`, and checks that the type can hold
 * it. column: results for PM_EXPRESSION_COLUMN consecutive scalars, whose first number is a
 * multiple of PM_EXPRESSION_COLUMN; the value is taken from it. NULL: the expression is evaluated.
 * Returns false with a message in `fault`. */
static bool each_value(const pm_fill_rule *fill, size_t number, const pm_expression_values *column,
                       pm_fill_room *room, pm_expression_number *value, char *fault)
{
    const pm_numbers names = {fill->name_count, room->names};
    const pm_scalar *scalar = fill->type.scalar;
    char what[PM_EXPRESSION_FAULT];

    room->names[names.count - 1].value = (int64_t)number;
    if (column)
        *value = pm_expression_value_of(fill->each, column, number % PM_EXPRESSION_COLUMN);
    else if (!pm_expression_value(fill->each, &names, value, what))
        return fail(fault, "element %zu: %.160s", number, what);
    if (fill->each->real ? !pm_scalar_fits(scalar, value->real)
                         : !pm_scalar_holds(scalar, value->integer))
        return fail(fault, "element %zu: the value does not fit a %s", number, scalar->name);
    return true;
}

static bool each_values(const pm_fill_rule *fill, size_t first, size_t count, pm_fill_room *room,
                        char *fault)
{
    const pm_numbers names = {fill->name_count, room->names};
    const pm_expression_values *column = NULL;

    for (size_t i = 0; i < count; i++) {
        room->names[names.count - 1].value = (int64_t)(first + i);
        if (i % PM_EXPRESSION_COLUMN == 0)
            column = pm_expression_column(fill->each, &names, &room->columns);
        if (!each_value(fill, first + i, column, room, &room->values[i], fault))
            return false;
    }
    return true;
}

/* Copies the names of the expression to `room`, because the value of the last one changes during
 * evaluation. Returns false if memory runs out. */
static bool take_names(const pm_fill_rule *fill, pm_fill_room *room, char *fault)
{
    if (fill->name_count > room->name_room) {
        free(room->names);
        room->names = calloc(fill->name_count, sizeof *room->names);
        room->name_room = room->names ? fill->name_count : 0;
    }
    if (fill->name_count > room->name_room)
        return fail(fault, "out of memory");
    if (fill->name_count > 0)
        memcpy(room->names, fill->names, fill->name_count * sizeof *room->names);
    return true;
}

static pm_expression_number simple_value(const pm_fill_rule *fill, size_t number)
{
    const pm_fill_value *from = fill->kind == PM_FILL_LIST ? &fill->list[number] : fill->value;
    pm_expression_number value;

    if (is_real(fill))
        value.real = from->real;
    else
        value.integer = from->integer;
    if (fill->kind == PM_FILL_RANGE && is_real(fill))
        value.real += (double)number * fill->value[1].real;
    else if (fill->kind == PM_FILL_RANGE)
        value.integer =
            (int64_t)((uint64_t)value.integer + number * (uint64_t)fill->value[1].integer);
    return value;
}

const pm_expression_number *pm_fill_block(const pm_fill_rule *fill, size_t scalar,
                                          pm_fill_room *room, size_t *first, size_t *count,
                                          char *fault)
{
    const size_t all = fill->elements * fill->scalars;

    *first = scalar / BLOCK * BLOCK;
    *count = all - *first < BLOCK ? all - *first : BLOCK;
    if (fill->kind == PM_FILL_RANDOM)
        random_values(fill, *first, *count, room);
    else if (fill->kind != PM_FILL_EACH)
        for (size_t i = 0; i < *count; i++)
            room->values[i] = simple_value(fill, *first + i);
    else if (!take_names(fill, room, fault) || !each_values(fill, *first, *count, room, fault))
        return NULL;
    return room->values;
}

/* ---- storing ------------------------------------------------------------------------------- */

/* Stores `count` values as scalars of the fill's type, which are `stride` bytes apart. float and
 * int have loops of their own for speed, because most large buffers have these types. */
static void store_column(const pm_fill_rule *fill, const pm_expression_number *values, size_t count,
                         size_t stride, uint8_t *to)
{
    const pm_scalar *scalar = fill->type.scalar;

    if (is_real(fill) && scalar->bytes == sizeof(float))
        for (size_t i = 0; i < count; i++) {
            const float value = (float)values[i].real;

            memcpy(to + i * stride, &value, sizeof value);
        }
    else if (!is_real(fill) && scalar->bytes == sizeof(int32_t))
        for (size_t i = 0; i < count; i++)
            memcpy(to + i * stride, &values[i].integer, sizeof(int32_t));
    else
        for (size_t i = 0; i < count; i++)
            pm_fill_put(scalar, to + i * stride, values[i]);
}

void pm_fill_put(const pm_scalar *scalar, uint8_t *to, pm_expression_number value)
{
    if (scalar->kind == PM_SCALAR_REAL)
        pm_scalar_store(scalar, to, 0, value.real);
    else
        pm_scalar_store(scalar, to, value.integer, 0);
}

/* Stores scalars `first` to first + count - 1 of random contents. The fill must have one_stream:
 * all its random numbers come from a single stream. The scalars are adjacent in memory. */
static void store_stream(const pm_fill_rule *fill, size_t first, size_t count, uint8_t *to)
{
    const size_t bytes = fill->type.scalar->bytes;

    if (is_real(fill))
        pm_random_floats_from((float *)(void *)to, first, count, (float)fill->value[0].real,
                              (float)fill->value[1].real, fill->seed, fill->stream);
    else
        pm_random_bytes_from(to, first * bytes, count * bytes, fill->seed, fill->stream);
}

/* Repeats the first PERIOD scalars at `to` until `count` scalars are filled. bytes: size of a
 * scalar. */
static void repeat_period(uint8_t *to, size_t count, size_t bytes)
{
    for (size_t done = PERIOD; done < count; done += PERIOD)
        memcpy(to + done * bytes, to, (count - done < PERIOD ? count - done : PERIOD) * bytes);
}

/* Stores `count` values as scalars of the fill, from scalar number `done` on. Scalar number 0 is at
 * the address `to`. */
static void store_values(const pm_fill_rule *fill, const pm_expression_number *values, size_t done,
                         size_t count, uint8_t *to)
{
    const size_t width = fill->type.width, bytes = fill->type.scalar->bytes;

    if (width == 1)
        store_column(fill, values, count, fill->stride, to + done * fill->stride);
    else if (fill->stride == width * bytes)
        store_column(fill, values, count, bytes, to + done * bytes);
    else
        for (size_t i = 0; i < count; i++)
            pm_fill_put(fill->type.scalar,
                        to + (done + i) / width * fill->stride + (done + i) % width * bytes,
                        values[i]);
}

bool pm_fill_store(const pm_fill_rule *fill, size_t first, size_t count, uint8_t *to,
                   pm_fill_room *room, char *fault)
{
    const size_t bytes = fill->type.scalar->bytes;
    const bool repeated =
        repeats(fill) && count > PERIOD && fill->stride == fill->type.width * bytes;
    const size_t computed = repeated ? PERIOD : count;

    if (fill->one_stream) {
        store_stream(fill, first, count, to);
        return true;
    }
    for (size_t done = 0; done < computed;) {
        size_t start, found;
        const pm_expression_number *values =
            pm_fill_block(fill, first + done, room, &start, &found, fault);
        const size_t skip = first + done - start;
        size_t now = found - skip;

        if (!values)
            return false;
        now = now < computed - done ? now : computed - done;
        store_values(fill, values + skip, done, now, to);
        done += now;
    }
    if (repeated)
        repeat_period(to, count, bytes);
    return true;
}
