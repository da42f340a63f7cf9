/* Random kernels with loop nests: declarations that the files of their generator share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_RANDOM_STAGING_NEST_H
#define PM_TESTS_RANDOM_STAGING_NEST_H

#include "../gen.h"

enum { ST_ARRAYS = 8 };

/* Features of a program. Each program has a random subset of them, so that a fault shows in a small
 * program. */
enum {
    ST_COMMENTS = 1 << 0, /* in odd places */
    ST_MACROS = 1 << 1,   /* around accesses */
    ST_HELPERS = 1 << 2,  /* functions that take a pointer */
    ST_POINTERS = 1 << 3, /* variables that point into arrays */
    ST_VLOAD = 1 << 4,
    ST_MIXED = 1 << 5,       /* types of indices */
    ST_CLAMP = 1 << 6,       /* at borders */
    ST_TABLE = 1 << 7,       /* small arrays indexed by bits of a number */
    ST_MARCH = 1 << 8,       /* variables that are incremented in a loop */
    ST_SCRATCH = 1 << 9,     /* local memory and barriers in the original program */
    ST_INOUT = 1 << 10,      /* arrays read and written */
    ST_ACCUMULATE = 1 << 11, /* stores to an output in a loop */
    ST_BRACELESS = 1 << 12,
    ST_UNROLL = 1 << 13,
    ST_DOWNWARD = 1 << 14, /* loops */
    ST_TRIANGLE = 1 << 15, /* loops with bounds from enclosing loops */
    ST_SPELLING = 1 << 16, /* *(a + i), i[a] */
    ST_STENCIL = 1 << 17,  /* mostly */
    ST_FEATURES = 18,
    ST_INTEGERS = 1 << 18 /* an integer accumulator exists */
};

typedef enum {
    ST_FLOAT,
    ST_INT,
    ST_UINT,
    ST_UCHAR,
    ST_SHORT,
    ST_FLOAT4,
    ST_INT2,
    ST_TYPES
} st_type;

/* Kinds of variables. MARCH: incremented in a loop, with any index. OTHER: a number that does not
 * change. */
enum { ST_LOOP = 1, ST_MARCHING, ST_POINTER, ST_OTHER };

/* first: offset that is added to all indices of an array, so that none is negative; count: number
 * of elements. A program is first generated with spare elements on both sides and run to see which
 * elements it accesses. Then it is generated again with exactly these elements. */
typedef struct {
    int64_t first[ST_ARRAYS];
    size_t count[ST_ARRAYS];
} st_sizes;

typedef struct {
    const char *name;
    st_type type;
    bool written, is_constant, is_volatile;
    int low, high;       /* of its contents */
    size_t alias;        /* array with the same buffer; its own number: none */
    size_t buffer;       /* of the program */
    const char *shift;   /* offset that is added to indices */
    const char *pattern; /* rule text of most indices; NULL: not chosen yet */
} st_array;

/* Properties of the program that the choice of transforms depends on. */
struct st_shape {
    st_sizes sizes;
    size_t array_count;
    st_array arrays[ST_ARRAYS];
};

/* A parameter: an array, or a number by launch. */
typedef struct {
    const char *name, *type; /* no type: an array */
    size_t array;
    int kind; /* of rd_arg */
    int64_t value[2];
} st_param;

typedef enum { ST_NO_GUARD, ST_RETURN, ST_AROUND, ST_AT_STORE, ST_GUARDS } st_guard;

struct st_state {
    struct st_shape *shape;
    unsigned dimensions, launches;
    size_t global[3], local[3], offset[3];
    size_t param_count;
    st_param params[RD_PARAMS];
    const char *type;      /* of index variables */
    const char *item[3];   /* the global ids */
    const char *extent[3]; /* number of work-items per dimension, as an expression */
    const char *pitch[2];  /* elements per row; per plane */
    const char *own;       /* index of the own element of outputs */
    pm_text heads, locals; /* text before the kernel; declarations of local memory */
    bool no_restrict;
    st_guard guard;
    int odd;               /* number of the odd construct that is still to be added; -1: none */
    const char *fresh;     /* name that the odd construct declares */
    unsigned depth, trips; /* of the loops around */
    size_t out;            /* index of the output array */
    bool local_argument;   /* there is one */
    /* accesses to the array that is read and written: 1 by its own work-item, 2 by its group */
    unsigned state_use;
};

/* ---- parameters (params.c) ------------------------------------------------------------------ */

/* Returns the number of an array parameter. Adds one unless a parameter of that name exists. Its
 * contents are from low to high. */
size_t st_array_of(rd_gen *g, const char *name, st_type type, bool written, int low, int high);
/* A number: its name. */
const char *st_int(rd_gen *g, const char *name, int64_t first, int64_t second);
const char *st_type_name(st_type type);
void st_signature(rd_gen *g, pm_text *to);
void st_arrays(rd_gen *g);
void st_launch_shape(rd_gen *g); /* Chooses the sizes of groups and of the launch. */
/* Adds the buffers and launches of the program. */
void st_finish(rd_gen *g);

/* ---- rules by file -------------------------------------------------------------------------- */

extern const rd_rule st_index_rules[], st_value_rules[], st_statement_rules[], st_loop_rules[],
    st_odd_rules[];

/* ---- indices and values (index.c, value.c) -------------------------------------------------- */

const char *st_index(rd_gen *g, size_t array);
/* Returns an element of an array as a scalar. */
const char *st_access(rd_gen *g, size_t array, const char *index);
/* Returns the variable of an enclosing loop, if there is one. */
const char *st_loop_or(rd_gen *g, const char *otherwise);

/* ---- statements (statement.c, odd.c) -------------------------------------------------------- */

/* Adds `count` statements, and in most cases one that affects the outputs. */
void st_statements(rd_gen *g, unsigned count);
const char *st_odd_choose(rd_gen *g); /* its name */

#endif
