/* Fills buffers of a workload file with their initial contents. See from_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   zeros | unset | constant VALUE | list VALUE, ... | range FIRST, STEP | each EXPRESSION |
 *   random [LOW, HIGH [, SEED]] | file PATH [, OFFSET] |
 *   CONTENTS within FIRST, COUNT, TOTAL, ... (box.c)
 *
 * Scalars are numbered in the order of memory; each component of a vector is a scalar.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "program/common.h"
#include "program/file/box.h"

typedef enum { CONSTANT, LIST, RANGE, EACH, RANDOM } rule_kind;

/* A value. The scalar type says which member is used: integer or real. */
typedef struct {
    int64_t integer;
    double real;
} listed;

typedef struct {
    rule_kind kind;
    bool whole; /* random numbers: true means all values of an integer type */
    int64_t integer[2];
    /* constant: the value; range: first value and step; random: lowest and highest value */
    double real[2];
    uint64_t seed;
    pm_expression *each; /* expression of i, the index of the scalar */
    listed *list;        /* one value per scalar */
} rule;

static void fault(const pm_file_build *b, const pm_file_text *contents, const char *buffer,
                  const char *what)
{
    pm_file_fault(b, contents->line, "buffer %s: \"%.80s\": %s", buffer, contents->text, what);
}

bool pm_file_fill_bytes(const pm_file_build *b, const pm_file_text *contents, const char *buffer,
                        uint8_t *base, size_t bytes)
{
    pm_file_place place;
    const char *rest;

    if (pm_file_starts(contents->text, "zeros", &rest)) {
        if (rest)
            fault(b, contents, buffer, "nothing may follow zeros");
        if (base)
            memset(base, 0, bytes);
        return true;
    }
    if (pm_file_starts(contents->text, "unset", &rest)) {
        if (rest)
            fault(b, contents, buffer, "nothing may follow unset");
        if (base)
            memset(base, 0xff, bytes);
        return true;
    }
    if (!pm_file_starts(contents->text, "file", &rest))
        return false;
    pm_file_place_find(b, contents, buffer, rest, bytes, &place);
    if (base)
        pm_require(b->memory, pm_file_place_read(&place, base, bytes, b->memory->err));
    return true;
}

/* ---- rules for contents -------------------------------------------------------------------- */

/* Reads `count` numbers. For random contents, a seed may follow. */
static void read_numbers(const pm_file_build *b, const pm_file_target *target,
                         const pm_file_text *contents, const char *rest, size_t count, rule *r,
                         const char *usage)
{
    const size_t most = count + (r->kind == RANDOM);

    for (size_t i = 0; i < count || (rest && i < most); i++) {
        char item[PM_FILE_ITEM];

        if (!rest || !pm_file_item(&rest, item))
            fault(b, contents, target->buffer, usage);
        if (i == count) {
            if (rest)
                break;
            r->seed += (uint64_t)pm_file_integer(b, &b->numbers, item, contents->line);
        } else if (target->type.scalar->kind == PM_SCALAR_REAL) {
            r->real[i] = pm_file_real(b, &b->numbers, item, contents->line);
        } else {
            r->integer[i] = pm_file_integer(b, &b->numbers, item, contents->line);
        }
    }
    if (rest)
        fault(b, contents, target->buffer, usage);
}

static size_t scalars_of(const pm_file_target *target)
{
    return target->type.width * target->elements *
           (target->extents ? pm_field_elements(target->extents) : 1);
}

static bool fits(const pm_scalar *scalar, const listed *value)
{
    if (scalar->kind != PM_SCALAR_REAL)
        return pm_scalar_holds(scalar, value->integer);
    return pm_scalar_fits(scalar, value->real);
}

static void read_list(const pm_file_build *b, const pm_file_target *target,
                      const pm_file_text *contents, const char *rest, rule *r)
{
    const pm_scalar *scalar = target->type.scalar;
    const size_t wanted = scalars_of(target);
    char item[PM_FILE_ITEM];
    size_t count = 0;

    r->kind = LIST;
    for (; rest; count++) {
        listed *value;

        r->list = pm_more(b->memory, r->list, count, sizeof *r->list);
        value = &r->list[count];
        if (!pm_file_item(&rest, item))
            fault(b, contents, target->buffer, "a value is missing beside a comma");
        if (scalar->kind == PM_SCALAR_REAL)
            value->real = pm_file_real(b, &b->numbers, item, contents->line);
        else
            value->integer = pm_file_integer(b, &b->numbers, item, contents->line);
        if (!fits(scalar, value))
            pm_file_fault(b, contents->line, "buffer %s: \"%.40s\" does not fit a %s",
                          target->buffer, item, scalar->name);
    }
    if (count != wanted)
        pm_file_fault(
            b, contents->line, "buffer %s: the list has %zu value%s, %s%s has %zu in size %s",
            target->buffer, count, count == 1 ? "" : "s", target->field ? "field " : "the buffer",
            target->field ? target->field : "", wanted, b->size->name);
}

static void read_each(const pm_file_build *b, const pm_file_target *target,
                      const pm_file_text *contents, const char *rest, rule *r)
{
    char what[PM_EXPRESSION_FAULT];

    r->kind = EACH;
    r->each = pm_take(b->memory, 1, sizeof *r->each);
    if (!pm_expression_read(rest ? rest : "", &b->counting,
                            target->type.scalar->kind == PM_SCALAR_REAL, r->each, what))
        fault(b, contents, target->buffer, what);
}

static void read_rule(const pm_file_build *b, const pm_file_target *target,
                      const pm_file_text *contents, rule *r)
{
    const char *rest = NULL;

    *r = (rule){.kind = CONSTANT, .seed = b->seed};
    if (strcmp(contents->text, "zeros") == 0)
        return;
    if (pm_file_starts(contents->text, "constant", &rest)) {
        read_numbers(b, target, contents, rest, 1, r, "write constant VALUE");
        return;
    }
    if (pm_file_starts(contents->text, "range", &rest)) {
        r->kind = RANGE;
        read_numbers(b, target, contents, rest, 2, r, "write range FIRST, STEP");
        return;
    }
    if (pm_file_starts(contents->text, "list", &rest)) {
        read_list(b, target, contents, rest, r);
        return;
    }
    if (pm_file_starts(contents->text, "each", &rest)) {
        read_each(b, target, contents, rest, r);
        return;
    }
    if (!pm_file_starts(contents->text, "random", &rest))
        fault(b, contents, target->buffer,
              "contents are zeros, constant VALUE, list VALUES, range FIRST, STEP, each "
              "EXPRESSION, "
              "random LOW, HIGH, unset, or file PATH");
    r->kind = RANDOM;
    r->whole = !rest && target->type.scalar->kind != PM_SCALAR_REAL;
    r->real[1] = 1;
    if (rest)
        read_numbers(b, target, contents, rest, 2, r,
                     "write random, random LOW, HIGH or random LOW, HIGH, SEED");
}

static void check_rule(const pm_file_build *b, const pm_file_target *target,
                       const pm_file_text *contents, const rule *r)
{
    const pm_scalar *scalar = target->type.scalar;
    const double steps = (double)scalars_of(target) - 1;
    const double real_last = r->kind == RANGE    ? r->real[0] + steps * r->real[1]
                             : r->kind == RANDOM ? r->real[1]
                                                 : r->real[0];
    int64_t last = r->integer[0];
    char what[80];

    snprintf(what, sizeof what, "not all of the values fit a %s", scalar->name);
    if (scalar->kind == PM_SCALAR_REAL &&
        !(pm_scalar_fits(scalar, r->real[0]) && pm_scalar_fits(scalar, real_last)))
        fault(b, contents, target->buffer, what);
    if (r->kind == RANDOM && (r->integer[0] > r->integer[1] || r->real[0] > r->real[1]))
        fault(b, contents, target->buffer, "the lower bound is above the upper one");
    if (scalar->kind == PM_SCALAR_REAL)
        return;
    if (r->kind == RANDOM)
        last = r->integer[1];
    else if (r->kind == RANGE &&
             (__builtin_mul_overflow(r->integer[1], (int64_t)(scalars_of(target) - 1), &last) ||
              __builtin_add_overflow(r->integer[0], last, &last)))
        fault(b, contents, target->buffer, what);
    if (!pm_scalar_holds(scalar, r->integer[0]) || !pm_scalar_holds(scalar, last))
        fault(b, contents, target->buffer, what);
}

/* ---- filling ------------------------------------------------------------------------------- */

enum {
    BLOCK = 4096,    /* scalars whose values are computed at a time */
    PERIOD = 1 << 22 /* scalars after which random 16-bit floats repeat; a multiple of BLOCK */
};

/* State of filling a buffer, scalar by scalar. */
typedef struct {
    const pm_file_build *build;
    const pm_file_text *contents;
    const pm_file_target *target;
    const rule *rule;
    pm_named_number numbers[PM_FILE_PARAMETERS + 1]; /* the last one is i */
    char stream[160];
    pm_expression_columns columns;
    size_t number, count; /* index of the next scalar; number of scalars */
    /* Values of the block of BLOCK scalars that contains scalar `number`. */
    pm_expression_number values[BLOCK];
    uint64_t bits[BLOCK];
} filling;

static void random_values(filling *f, size_t count)
{
    const rule *r = f->rule;
    const double range = r->real[1] - r->real[0];
    const uint64_t low = (uint64_t)r->integer[0], span = (uint64_t)r->integer[1] - low + 1;
    char stream[200];

    snprintf(stream, sizeof stream, "%s#%zu", f->stream, f->number / BLOCK);
    pm_random_bytes((unsigned char *)f->bits, count * sizeof *f->bits, r->seed, stream);
    if (f->target->type.scalar->kind == PM_SCALAR_REAL)
        for (size_t i = 0; i < count; i++)
            f->values[i].real = r->real[0] + range * ((double)(f->bits[i] >> 11) * 0x1p-53);
    else if (r->whole || span == 0)
        for (size_t i = 0; i < count; i++)
            f->values[i].integer = (int64_t)f->bits[i];
    else
        for (size_t i = 0; i < count; i++)
            f->values[i].integer = (int64_t)(low + f->bits[i] % span);
}

/* Evaluates the expression for scalar `number`. If `column` is not NULL, it has the values of
 * PM_EXPRESSION_COLUMN scalars, from the last multiple of PM_EXPRESSION_COLUMN on, and the value is
 * taken from it. */
static pm_expression_number each_value(filling *f, size_t number,
                                       const pm_expression_values *column)
{
    const pm_file_build *b = f->build;
    const pm_scalar *scalar = f->target->type.scalar;
    const pm_numbers names = {b->counting.count, f->numbers};
    pm_expression_number value;
    char what[PM_EXPRESSION_FAULT];

    f->numbers[names.count - 1].value = (int64_t)number;
    if (column)
        value = pm_expression_value_of(f->rule->each, column, number % PM_EXPRESSION_COLUMN);
    else if (!pm_expression_value(f->rule->each, &names, &value, what))
        pm_file_fault(b, f->contents->line, "buffer %s, element %zu: %s", f->target->buffer, number,
                      what);
    if (f->rule->each->real ? !pm_scalar_fits(scalar, value.real)
                            : !pm_scalar_holds(scalar, value.integer))
        pm_file_fault(b, f->contents->line, "buffer %s, element %zu: the value does not fit a %s",
                      f->target->buffer, number, scalar->name);
    return value;
}

static void each_values(filling *f, size_t count)
{
    const pm_numbers names = {f->build->counting.count, f->numbers};
    const pm_expression_values *column = NULL;

    for (size_t i = 0; i < count; i++) {
        f->numbers[names.count - 1].value = (int64_t)(f->number + i);
        if (i % PM_EXPRESSION_COLUMN == 0)
            column = pm_expression_column(f->rule->each, &names, &f->columns);
        f->values[i] = each_value(f, f->number + i, column);
    }
}

/* Computes the values of the block that starts with the next scalar. Returns the number of
 * values. */
static size_t next_block(filling *f)
{
    const rule *r = f->rule;
    const bool real = f->target->type.scalar->kind == PM_SCALAR_REAL;
    const size_t left = f->count - f->number, count = left < BLOCK ? left : BLOCK;

    if (r->kind == EACH)
        each_values(f, count);
    else if (r->kind == RANDOM)
        random_values(f, count);
    else
        for (size_t i = 0; i < count; i++) {
            const size_t number = f->number + i;
            pm_expression_number *value = &f->values[i];

            if (r->kind == LIST && real)
                value->real = r->list[number].real;
            else if (r->kind == LIST)
                value->integer = r->list[number].integer;
            else if (real)
                value->real = r->real[0];
            else
                value->integer = r->integer[0];
            if (r->kind == RANGE && real)
                value->real += (double)number * r->real[1];
            else if (r->kind == RANGE)
                value->integer += (int64_t)number * r->integer[1];
        }
    return count;
}

static void store(const pm_scalar *scalar, uint8_t *to, pm_expression_number value)
{
    if (scalar->kind == PM_SCALAR_REAL)
        pm_scalar_store(scalar, to, 0, value.real);
    else
        pm_scalar_store(scalar, to, value.integer, 0);
}

static void fill_one(filling *f, uint8_t *to)
{
    const pm_file_type *type = &f->target->type;

    for (size_t c = 0; c < type->width; c++, f->number++) {
        if (f->number % BLOCK == 0)
            next_block(f);
        store(type->scalar, to + c * type->scalar->bytes, f->values[f->number % BLOCK]);
    }
}

/* Fills an element. For an array field, d is the dimension: fills one subarray of dimension d. */
static void fill_element(filling *f, uint8_t *to, size_t d)
{
    const pm_field *field = f->target->extents;

    if (!field || d == field->extent_count) {
        fill_one(f, to);
        return;
    }
    for (size_t i = 0; i < field->extents[d].count; i++)
        fill_element(f, to + i * field->extents[d].stride, d + 1);
}

/* Stores a block of scalars, `stride` bytes apart. float and int have loops of their own for speed,
 * because most large buffers have these types. */
static void store_block(const filling *f, uint8_t *to, size_t stride, size_t count)
{
    const pm_scalar *scalar = f->target->type.scalar;

    if (scalar->kind == PM_SCALAR_REAL && scalar->bytes == sizeof(float))
        for (size_t i = 0; i < count; i++) {
            const float value = (float)f->values[i].real;

            memcpy(to + i * stride, &value, sizeof value);
        }
    else if (scalar->kind != PM_SCALAR_REAL && scalar->bytes == sizeof(int32_t))
        for (size_t i = 0; i < count; i++)
            memcpy(to + i * stride, &f->values[i].integer, sizeof(int32_t));
    else
        for (size_t i = 0; i < count; i++)
            store(scalar, to + i * stride, f->values[i]);
}

/* Fills a dense buffer of 16-bit floats with random numbers that repeat after PERIOD scalars,
 * because rounding each of them takes long. Returns false for other contents. */
static bool fill_by_period(filling *f)
{
    const pm_file_target *target = f->target;
    const size_t bytes = target->type.scalar->bytes;

    if (f->rule->kind != RANDOM || !target->type.scalar->narrow || f->count <= PERIOD)
        return false;
    while (f->number < PERIOD) {
        const size_t count = next_block(f);

        store_block(f, target->base + f->number * bytes, bytes, count);
        f->number += count;
    }
    for (size_t done = f->number; done < f->count;) {
        const size_t more = f->count - done < f->number ? f->count - done : f->number;

        memcpy(target->base + done * bytes, target->base, more * bytes);
        done += more;
    }
    return true;
}

static void fill_all(filling *f)
{
    const pm_file_target *target = f->target;
    const size_t bytes = target->type.scalar->bytes;
    const bool is_dense = target->stride == target->type.width * bytes; /* vectors leave no gaps */

    if (!target->extents && is_dense && fill_by_period(f))
        return;
    if (!target->extents && (target->type.width == 1 || is_dense))
        while (f->number < f->count) {
            const size_t stride = is_dense ? bytes : target->stride, count = next_block(f);

            store_block(f, target->base + f->number * stride, stride, count);
            f->number += count;
        }
    else
        for (size_t e = 0; e < target->elements; e++)
            fill_element(f, target->base + e * target->stride, 0);
}

/* Fills a buffer of scalars with the same random numbers that programs of the suite use. Returns
 * false for other contents. */
static bool fill_as_suite(const pm_file_target *target, const rule *r)
{
    const pm_scalar *scalar = target->type.scalar;

    if (r->kind != RANDOM || target->field || target->type.width == 3)
        return false;
    if (scalar->kind == PM_SCALAR_REAL && scalar->bytes == sizeof(float))
        pm_random_floats((float *)(void *)target->base, scalars_of(target), (float)r->real[0],
                         (float)r->real[1], r->seed, target->stream);
    else if (r->whole)
        pm_random_bytes(target->base, target->elements * target->stride, r->seed, target->stream);
    else
        return false;
    return true;
}

static void fill_by_rule(const pm_file_build *b, const pm_file_target *target,
                         const pm_file_text *contents)
{
    filling *f;
    rule r;

    read_rule(b, target, contents, &r);
    check_rule(b, target, contents, &r);
    if (!target->base || fill_as_suite(target, &r))
        return;
    f = pm_take(b->memory, 1, sizeof *f);
    f->build = b;
    f->contents = contents;
    f->target = target;
    f->rule = &r;
    memcpy(f->numbers, b->counting.items, b->counting.count * sizeof *f->numbers);
    snprintf(f->stream, sizeof f->stream, "%s%s%s", target->stream, target->field ? "." : "",
             target->field ? target->field : "");
    f->count = scalars_of(target);
    fill_all(f);
}

void pm_file_fill(const pm_file_build *b, const pm_file_target *target,
                  const pm_file_text *contents)
{
    pm_file_text inner;
    pm_file_box box;

    if (!pm_file_box_read(b, target, contents, &box, &inner)) {
        fill_by_rule(b, target, contents);
        return;
    }
    fill_by_rule(b, target, &inner);
    pm_file_box_clear(target, &box);
}
