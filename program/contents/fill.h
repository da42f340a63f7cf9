/* Rules for the initial contents of a buffer, from which any section of the buffer can be computed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fill is such a rule. It gives the values of one scalar or vector in each element of a buffer.
 * The scalar or vector is the element itself or a field of a struct. The scalars of a fill are
 * numbered from 0 in the order of memory, and each component of a vector is a scalar. The same fill
 * gives the same bytes on all machines, in any order and number of calls.
 */
#ifndef PM_PROGRAM_CONTENTS_FILL_H
#define PM_PROGRAM_CONTENTS_FILL_H

#include "base/wire.h"
#include "perfmodel.h"
#include "program/contents/expression.h"
#include "program/contents/scalar.h"

typedef enum {
    PM_FILL_CONSTANT,
    PM_FILL_LIST,
    PM_FILL_RANGE,
    PM_FILL_EACH, /* PM_FILL_EACH: the value is an expression of i, the number of the scalar */
    PM_FILL_RANDOM,
    PM_FILL_KINDS
} pm_fill_kind;

/* A value of a scalar. `integer` is used for integer types, and `real` for floating-point types. */
typedef struct {
    int64_t integer;
    double real;
} pm_fill_value;

typedef struct {
    pm_fill_kind kind;
    pm_file_type type; /* type of the scalar or vector that the fill sets in each element */
    /* scalars: number of scalars that the fill sets in one element. It is more than the type's
     * width if the fill sets an array field. elements: number of elements of the buffer. */
    size_t scalars, elements;
    /* offset: bytes from the buffer's start to the first scalar or vector. stride: bytes from one
     * element to the next. */
    size_t offset, stride;
    bool whole; /* only for random integers; true: they are uniform over all values of the type */
    /* Only for random contents. true: all their random numbers come from one stream, as in programs
     * of the suite. This is so if the whole buffer is float, or has all values of an integer type.
     * false: each block of scalars has a stream of its own. */
    bool one_stream;
    /* PM_FILL_CONSTANT: value[0] is the value. PM_FILL_RANGE: first value and step. PM_FILL_RANDOM:
     * lowest and highest value. */
    pm_fill_value value[2];
    uint64_t seed;
    char *stream;        /* PM_FILL_RANDOM: name of the stream of random numbers */
    pm_fill_value *list; /* list: a value per scalar */
    /* PM_FILL_EACH: the expression, its text, and its names with their values. The last name is i,
     * the number of the scalar. */
    pm_expression *each;
    char *text;
    pm_named_number *names;
    size_t name_count;
} pm_fill_rule;

/* Memory for computing values of fills. A thread allocates it once and uses it for many calls. */
typedef struct pm_fill_room pm_fill_room;
/* NULL: out of memory. */
pm_fill_room *pm_fill_room_create(void);
void pm_fill_room_free(pm_fill_room *room);

/* Stores scalars `first` to first + count - 1 of a fill. The elements are `stride` bytes apart in
 * memory and contain one scalar or vector each (fill->scalars is the type's width). Scalar number
 * `first`, which must be the first scalar of an element, is stored at the address `to`. Returns
 * false if an expression has no value, or its value does not fit the type; `fault`, which has
 * PM_EXPRESSION_FAULT bytes, then names the scalar. */
bool pm_fill_store(const pm_fill_rule *fill, size_t first, size_t count, uint8_t *to,
                   pm_fill_room *room, char *fault);
/* Computes a block of values that contains scalar number `scalar` of a fill. Returns the values,
 * which are in `room`. *first: number of the first scalar of the block. *count: number of values.
 * Returns NULL with a message in `fault` if an expression has no value, or its value does not fit
 * the type. */
const pm_expression_number *pm_fill_block(const pm_fill_rule *fill, size_t scalar,
                                          pm_fill_room *room, size_t *first, size_t *count,
                                          char *fault);

/* Stores a value at `to` in the format of the scalar type. */
void pm_fill_put(const pm_scalar *scalar, uint8_t *to, pm_expression_number value);

/* The initial contents of a buffer: zeros, which the fills in `items` overwrite one after the
 * other. */
typedef struct pm_fills {
    /* element_bytes: bytes of an element; bytes: bytes of the buffer */
    size_t element_bytes, bytes;
    size_t count;
    pm_fill_rule *items;
    pm_memory memory; /* allocator of the fills and of all that they point to */
} pm_fills;

/* Computes the bytes from offset `at` to at + bytes - 1 of a buffer's initial contents and writes
 * them to `to`. Returns false with a message in `fault` as pm_fill_store does. */
bool pm_fills_write(const pm_fills *fills, size_t at, size_t bytes, uint8_t *to, pm_fill_room *room,
                    char *fault);
/* Writes fills to a message or reads them from it. PM_FILL_LIST is not supported. If reading fails,
 * the caller must call pm_fills_free. */
void pm_fills_wire(pm_wire *wire, pm_fills *fills);
/* Appends fills to a message that the caller is writing. */
void pm_fills_put(pm_wire *wire, const pm_fills *fills);
void pm_fills_free(pm_fills *fills);

#endif
