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
#include "program/file/box.h"

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

/* Reads `count` numbers of a line of contents into r->value. A seed may follow if the contents are
 * random. usage: the expected form, for messages. */
static void read_numbers(const pm_file_build *b, const pm_file_target *target,
                         const pm_file_text *contents, const char *rest, size_t count,
                         pm_fill_rule *r, const char *usage)
{
    const size_t most = count + (r->kind == PM_FILL_RANDOM);

    for (size_t i = 0; i < count || (rest && i < most); i++) {
        char item[PM_FILE_ITEM];

        if (!rest || !pm_file_item(&rest, item))
            fault(b, contents, target->buffer, usage);
        if (i == count) {
            if (rest)
                break;
            r->seed += (uint64_t)pm_file_integer(b, &b->numbers, item, contents->line);
        } else if (target->type.scalar->kind == PM_SCALAR_REAL) {
            r->value[i].real = pm_file_real(b, &b->numbers, item, contents->line);
        } else {
            r->value[i].integer = pm_file_integer(b, &b->numbers, item, contents->line);
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

static bool fits(const pm_scalar *scalar, const pm_fill_value *value)
{
    if (scalar->kind != PM_SCALAR_REAL)
        return pm_scalar_holds(scalar, value->integer);
    return pm_scalar_fits(scalar, value->real);
}

static void read_list(const pm_file_build *b, const pm_file_target *target,
                      const pm_file_text *contents, const char *rest, pm_fill_rule *r)
{
    const pm_scalar *scalar = target->type.scalar;
    const size_t all = scalars_of(target), wanted = target->listed ? target->listed : all;
    char item[PM_FILE_ITEM];
    size_t count = 0;

    r->kind = PM_FILL_LIST;
    for (; rest; count++) {
        pm_fill_value *value;

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
    for (; count < all; count++) {
        r->list = pm_more(b->memory, r->list, count, sizeof *r->list);
        r->list[count] = (pm_fill_value){0};
    }
}

static void read_each(const pm_file_build *b, const pm_file_target *target,
                      const pm_file_text *contents, const char *rest, pm_fill_rule *r)
{
    char what[PM_EXPRESSION_FAULT];

    r->kind = PM_FILL_EACH;
    r->each = pm_take(b->memory, 1, sizeof *r->each);
    r->text = pm_copy(b->memory, rest ? rest : "");
    r->name_count = b->counting.count;
    r->names = pm_take(b->memory, r->name_count, sizeof *r->names);
    memcpy(r->names, b->counting.items, r->name_count * sizeof *r->names);
    if (!pm_expression_read(r->text, &b->counting, target->type.scalar->kind == PM_SCALAR_REAL,
                            r->each, what))
        fault(b, contents, target->buffer, what);
}

static void read_rule(const pm_file_build *b, const pm_file_target *target,
                      const pm_file_text *contents, pm_fill_rule *r)
{
    const char *rest = NULL;

    *r = (pm_fill_rule){.kind = PM_FILL_CONSTANT, .seed = b->seed};
    if (strcmp(contents->text, "zeros") == 0)
        return;
    if (pm_file_starts(contents->text, "constant", &rest)) {
        read_numbers(b, target, contents, rest, 1, r, "write constant VALUE");
        return;
    }
    if (pm_file_starts(contents->text, "range", &rest)) {
        r->kind = PM_FILL_RANGE;
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
    r->kind = PM_FILL_RANDOM;
    r->whole = !rest && target->type.scalar->kind != PM_SCALAR_REAL;
    r->value[1].real = 1;
    if (rest)
        read_numbers(b, target, contents, rest, 2, r,
                     "write random, random LOW, HIGH or random LOW, HIGH, SEED");
}

static void check_rule(const pm_file_build *b, const pm_file_target *target,
                       const pm_file_text *contents, const pm_fill_rule *r)
{
    const pm_scalar *scalar = target->type.scalar;
    const double steps = (double)scalars_of(target) - 1;
    const double real_last = r->kind == PM_FILL_RANGE ? r->value[0].real + steps * r->value[1].real
                             : r->kind == PM_FILL_RANDOM ? r->value[1].real
                                                         : r->value[0].real;
    int64_t last = r->value[0].integer;
    char what[80];

    snprintf(what, sizeof what, "not all of the values fit a %s", scalar->name);
    if (scalar->kind == PM_SCALAR_REAL &&
        !(pm_scalar_fits(scalar, r->value[0].real) && pm_scalar_fits(scalar, real_last)))
        fault(b, contents, target->buffer, what);
    if (r->kind == PM_FILL_RANDOM &&
        (r->value[0].integer > r->value[1].integer || r->value[0].real > r->value[1].real))
        fault(b, contents, target->buffer, "the lower bound is above the upper one");
    if (scalar->kind == PM_SCALAR_REAL)
        return;
    if (r->kind == PM_FILL_RANDOM)
        last = r->value[1].integer;
    else if (r->kind == PM_FILL_RANGE &&
             (__builtin_mul_overflow(r->value[1].integer, (int64_t)(scalars_of(target) - 1),
                                     &last) ||
              __builtin_add_overflow(r->value[0].integer, last, &last)))
        fault(b, contents, target->buffer, what);
    if (!pm_scalar_holds(scalar, r->value[0].integer) || !pm_scalar_holds(scalar, last))
        fault(b, contents, target->buffer, what);
}

/* ---- filling ------------------------------------------------------------------------------- */

/* State of filling an array field scalar by scalar: the block of values that contains the next
 * scalar. */
typedef struct {
    const pm_file_build *build;
    const pm_file_text *contents;
    const pm_file_target *target;
    const pm_fill_rule *fill;
    pm_fill_room *room;
    const pm_expression_number *values;
    /* number: number of the next scalar to store. first, count: number of the block's first scalar,
     * and number of scalars in the block. */
    size_t number, first, count;
} filling;

static void value_fault(const pm_file_build *b, const pm_file_target *target,
                        const pm_file_text *contents, const char *what)
{
    pm_file_fault(b, contents->line, "buffer %s, %s", target->buffer, what);
}

static void fill_one(filling *f, uint8_t *to)
{
    const pm_file_type *type = &f->target->type;
    char what[PM_EXPRESSION_FAULT];

    for (size_t c = 0; c < type->width; c++, f->number++) {
        if (!f->values || f->number - f->first >= f->count)
            f->values = pm_fill_block(f->fill, f->number, f->room, &f->first, &f->count, what);
        if (!f->values) {
            pm_fill_room_free(f->room);
            value_fault(f->build, f->target, f->contents, what);
            return;
        }
        pm_fill_put(type->scalar, to + c * type->scalar->bytes, f->values[f->number - f->first]);
    }
}

/* Fills one element of a buffer at `to`. If it is an array field, fills the subarray that has only
 * dimension d and those after it. */
static void fill_element(filling *f, uint8_t *to, size_t d)
{
    const pm_field *field = f->target->extents;

    if (d == field->extent_count) {
        fill_one(f, to);
        return;
    }
    for (size_t i = 0; i < field->extents[d].count; i++)
        fill_element(f, to + i * field->extents[d].stride, d + 1);
}

static void fill_all(const pm_file_build *b, const pm_file_target *target,
                     const pm_file_text *contents, const pm_fill_rule *fill)
{
    filling f = {.build = b, .contents = contents, .target = target, .fill = fill};
    char what[PM_EXPRESSION_FAULT];
    bool done = true;

    f.room = pm_fill_room_create();
    if (!f.room)
        pm_leave(b->memory, PM_FAILED, "out of memory");
    for (size_t e = 0; target->extents && e < target->elements; e++)
        fill_element(&f, target->base + e * target->stride, 0);
    if (!target->extents)
        done = pm_fill_store(fill, 0, scalars_of(target), target->base, f.room, what);
    pm_fill_room_free(f.room);
    if (!done)
        value_fault(b, target, contents, what);
}

/* Parses a line of contents, such as "random 0, 1", into a fill (a rule for the values of a
 * buffer). The fill points to memory of the build. */
static void find_fill(const pm_file_build *b, const pm_file_target *target,
                      const pm_file_text *contents, pm_fill_rule *fill)
{
    const bool is_float =
        target->type.scalar->kind == PM_SCALAR_REAL && target->type.scalar->bytes == sizeof(float);

    read_rule(b, target, contents, fill);
    check_rule(b, target, contents, fill);
    fill->type = target->type;
    fill->elements = target->elements;
    fill->scalars = target->elements ? scalars_of(target) / target->elements : 0;
    fill->offset = target->offset;
    fill->stride = target->stride;
    fill->one_stream = fill->kind == PM_FILL_RANDOM && !target->field && target->type.width != 3 &&
                       (is_float || fill->whole);
    fill->stream = pm_format(b->memory, "%s%s%s", target->stream, target->field ? "." : "",
                             target->field ? target->field : "");
}

/* Appends a copy of a fill to `rules`. The memory of `rules` owns the copy and all that it points
 * to. */
static void keep_rule(pm_fills *rules, const pm_fill_rule *rule)
{
    pm_memory *memory = &rules->memory;
    pm_fill_rule *kept = pm_add(memory, rules->items, rules->count);

    *kept = *rule;
    kept->stream = pm_copy(memory, rule->stream);
    if (rule->kind != PM_FILL_EACH)
        return;
    kept->text = pm_copy(memory, rule->text);
    kept->each = pm_take(memory, 1, sizeof *kept->each);
    *kept->each = *rule->each;
    kept->names = pm_take(memory, rule->name_count, sizeof *kept->names);
    for (size_t i = 0; i < rule->name_count; i++)
        kept->names[i] =
            (pm_named_number){pm_copy(memory, rule->names[i].name), rule->names[i].value};
}

static void fill_by_rule(const pm_file_build *b, const pm_file_target *target,
                         const pm_file_text *contents)
{
    pm_fill_rule rule;

    find_fill(b, target, contents, &rule);
    if (target->rules)
        keep_rule(target->rules, &rule);
    else if (target->base)
        fill_all(b, target, contents, &rule);
}

bool pm_file_is_by_rule(const pm_file_text *contents)
{
    static const char *const rules[] = {"constant", "range", "each", "random", "zeros"};
    bool found = false;
    const char *rest;

    for (size_t i = 0; i < sizeof rules / sizeof *rules && !found; i++)
        found = pm_file_starts(contents->text, rules[i], &rest);
    return found && !strstr(contents->text, " within ");
}

void pm_file_fill(const pm_file_build *b, const pm_file_target *target,
                  const pm_file_text *contents)
{
    pm_file_target start = *target;
    pm_file_text inner;
    pm_file_box box;

    if (!pm_file_box_read(b, target, contents, &box, &inner)) {
        fill_by_rule(b, target, contents);
        return;
    }
    if (box.dimensions == 1 && box.first[0] == 0)
        start.listed = box.count[0];
    fill_by_rule(b, &start, &inner);
    pm_file_box_clear(target, &box);
}
