/* Initial contents of a buffer as rules, from which any part of the buffer can be computed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fill gives the values of one scalar or vector in each element of a buffer. The scalar or vector
 * is the element itself or a field of a struct. The scalars of a fill are numbered from 0 in the
 * order of memory, and each component of a vector is a scalar. The same fill gives the same bytes
 * on all machines, in any order and number of calls.
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
    PM_FILL_EACH, /* an expression of i, the number of the scalar */
    PM_FILL_RANDOM,
    PM_FILL_KINDS
} pm_fill_kind;

/* A value. The scalar type says which member is used: integer or real. */
typedef struct {
    int64_t integer;
    double real;
} pm_fill_value;

typedef struct {
    pm_fill_kind kind;
    pm_file_type type; /* type of the scalar or vector in an element */
    /* scalars: number of scalars of the fill in one element. It is more than the type's width if
     * the fill is an array field. */
    size_t scalars, elements;
    size_t offset,
        /* offset: bytes from the buffer's start to the first scalar or vector; stride: bytes
         * between elements */
        stride;
    bool whole; /* for random integers: true if all values of the type occur */
    /* True for random contents that the programs of the suite have, too: of a whole buffer of float
     * or of all values of an integer type. Their random numbers form one stream. Other random
     * contents have a stream for each block of scalars. */
    bool one_stream;
    /* for constant: the value in value[0]; for range: first value and step; for random: lowest and
     * highest value */
    pm_fill_value value[2];
    uint64_t seed;
    char *stream;        /* for random: name of the stream of random numbers */
    pm_fill_value *list; /* list: a value per scalar */
    /* For each: the expression, its text, and the values of its names. The last name is i, the
     * number of the scalar. */
    pm_expression *each;
    char *text;
    pm_named_number *names;
    size_t name_count;
} pm_fill_rule;

/* Memory to compute values with, so that a thread allocates it only once. */
typedef struct pm_fill_room pm_fill_room;
/* NULL: out of memory. */
pm_fill_room *pm_fill_room_create(void);
void pm_fill_room_free(pm_fill_room *room);

/* Stores `count` scalars from scalar `first` on, in elements that are `stride` bytes apart and have
 * one vector each (fill->scalars is the type's width). `to` is the address of the fill's part in
 * the element of scalar `first`, which is the first scalar of an element. Returns false if a value
 * of an expression does not exist or does not fit; `fault`, which has PM_EXPRESSION_FAULT bytes,
 * names the scalar. */
bool pm_fill_store(const pm_fill_rule *fill, size_t first, size_t count, uint8_t *to,
                   pm_fill_room *room, char *fault);
/* Computes the block of values that contains a scalar. Stores the number of the block's first
 * scalar in *first and the number of values in *count. Returns NULL in the cases in which
 * pm_fill_store returns false. */
const pm_expression_number *pm_fill_block(const pm_fill_rule *fill, size_t scalar,
                                          pm_fill_room *room, size_t *first, size_t *count,
                                          char *fault);

/* Stores a value as the scalar's type. */
void pm_fill_put(const pm_scalar *scalar, uint8_t *to, pm_expression_number value);

/* The contents of a buffer: zeros, which the fills in `items` then overwrite, in the order of the
 * array. */
typedef struct pm_fills {
    /* element_bytes: bytes of an element; bytes: bytes of the buffer */
    size_t element_bytes, bytes;
    size_t count;
    pm_fill_rule *items;
    pm_memory memory; /* owns the items and all that they point to */
} pm_fills;

/* Writes bytes at .. at + bytes - 1 of the buffer. Returns false as pm_fill_store does. */
bool pm_fills_write(const pm_fills *fills, size_t at, size_t bytes, uint8_t *to, pm_fill_room *room,
                    char *fault);
/* Writes or reads the fills as part of a message. Frees nothing after a failure; pm_fills_free
 * does. Lists are not supported. */
void pm_fills_wire(pm_wire *wire, pm_fills *fills);
/* Writes the fills into a message, as pm_fills_wire does if wire->writing. */
void pm_fills_put(pm_wire *wire, const pm_fills *fills);
void pm_fills_free(pm_fills *fills);

#endif
