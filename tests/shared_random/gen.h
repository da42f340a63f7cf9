/* What the parts of the generator share: random choices, texts, and the variables in scope.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_SHARED_RANDOM_GEN_H
#define PM_TESTS_SHARED_RANDOM_GEN_H

#include "program.h"

enum { SR_VARS = 32 };

/* What a program makes use of. Each has a random part of them, so that a fault shows in small
 * company. */
enum {
    SR_F_COMMENTS = 1 << 0, /* in odd places */
    SR_F_MACROS = 1 << 1,   /* around accesses */
    SR_F_HELPERS = 1 << 2,  /* functions that take a pointer */
    SR_F_POINTERS = 1 << 3, /* variables that point into arrays */
    SR_F_VLOAD = 1 << 4,
    SR_F_MIXED = 1 << 5,       /* types of indices */
    SR_F_CLAMP = 1 << 6,       /* at borders */
    SR_F_TABLE = 1 << 7,       /* small arrays indexed by bits of a number */
    SR_F_MARCH = 1 << 8,       /* variables that move on with a loop */
    SR_F_SCRATCH = 1 << 9,     /* local memory and barriers of the program's own */
    SR_F_INOUT = 1 << 10,      /* arrays read and written */
    SR_F_ACCUMULATE = 1 << 11, /* in an output, in a loop */
    SR_F_BRACELESS = 1 << 12,
    SR_F_UNROLL = 1 << 13,
    SR_F_DOWNWARD = 1 << 14, /* loops */
    SR_F_TRIANGLE = 1 << 15, /* loops with bounds from outer ones */
    SR_F_SPELLING = 1 << 16, /* *(a + i), i[a] */
    SR_F_STENCIL = 1 << 17,  /* mostly */
    SR_FEATURES = 18
};

typedef enum {
    SR_VAR_ITEM, /* a global id */
    SR_VAR_LOOP,
    SR_VAR_MARCH, /* moves with a loop: any index */
    SR_VAR_POINTER,
    SR_VAR_OTHER /* a number that stays as it is */
} sr_var_kind;

typedef struct {
    const char *name;
    sr_var_kind kind;
    size_t array;   /* POINTER: where it points */
    unsigned trips; /* LOOP: at most */
} sr_var;

typedef enum { SR_GUARD_NONE, SR_GUARD_RETURN, SR_GUARD_AROUND, SR_GUARD_STORE } sr_guard;

typedef struct sr_gen {
    uint64_t random;
    sr_program *program;
    unsigned features;
    char *text; /* of the source, written up to length */
    size_t length, room;
    unsigned indent;
    const unsigned char *dropped;
    const char *type;                                /* of index variables */
    const char *item[3];                             /* the global ids */
    const char *extent[3];                           /* how many there are, as an expression */
    const char *pitch[2];                            /* of rows, of planes, in elements */
    const char *own;                                 /* the number of the own element of outputs */
    const char *shift[SR_ARRAYS];                    /* what is added to indices */
    const char *heads;                               /* macros and functions before the kernel */
    const char *names[SR_PARAMS], *types[SR_PARAMS]; /* of the parameters */
    const char *preferred[SR_ARRAYS];                /* a pattern of each array, or NULL */
    bool constant[SR_ARRAYS], volatiles[SR_ARRAYS];
    bool no_restrict;
    sr_guard guard;
    sr_var vars[SR_VARS];
    size_t var_count;
    const char *odd; /* the odd thing that is yet to come */
    unsigned odd_thing;
    unsigned made;  /* names so far */
    unsigned trips; /* of the loops around */
    unsigned depth;
    bool integers;       /* there is an integer accumulator */
    size_t out;          /* the array of results */
    const char *locals;  /* declarations of local memory */
    bool local_argument; /* there is one */
    unsigned state_use; /* of the array that is read and written: 1 by its own work-item alone, 2 by
                         * its group */
} sr_gen;

/* ---- choices and texts (text.c) ---------------------------------------------------------------
 */

uint64_t sr_random(sr_gen *g);
unsigned sr_below(sr_gen *g, unsigned n); /* 0 to n - 1 */
bool sr_chance(sr_gen *g, unsigned percent);
bool sr_has(const sr_gen *g, unsigned feature);
void *sr_need(void *memory); /* ends the test where it is NULL */
const char *sr_format(sr_gen *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds a line to the source. */
void sr_emit(sr_gen *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* One of the strings, up to NULL. */
const char *sr_pick(sr_gen *g, const char *const *strings);
const char *sr_gap(sr_gen *g);                    /* nothing, or a comment */
const char *sr_name(sr_gen *g, const char *like); /* a new one */
void sr_chunks_free(struct sr_chunk *chunks);
/* Around what can be left out: begin returns what end takes. */
typedef struct {
    size_t number, length;
} sr_piece;
sr_piece sr_piece_begin(sr_gen *g);
void sr_piece_end(sr_gen *g, sr_piece piece);

/* ---- parameters and variables (params.c) ------------------------------------------------------
 */

/* An array parameter; contents from low to high. Returns its number. */
size_t sr_add_array(sr_gen *g, const char *name, sr_type type, bool written, int low, int high);
/* A number: its name. */
const char *sr_add_int(sr_gen *g, const char *name, int64_t first, int64_t second);
const char *sr_type_name(sr_type type);
sr_var *sr_declare(sr_gen *g, const char *name, sr_var_kind kind);
/* A variable in scope, later ones rather; NULL: there is none. */
const sr_var *sr_find(sr_gen *g, sr_var_kind kind);
char *sr_signature(sr_gen *g);
void sr_arrays_generate(sr_gen *g);
void sr_shape_generate(sr_gen *g); /* sizes of groups and the launch */

/* ---- indices and values (index.c, value.c) ----------------------------------------------------
 */

const char *sr_index(sr_gen *g, size_t array);
const char *sr_plain_index(sr_gen *g); /* of no array in particular */
/* An element of an array, which is a scalar. */
const char *sr_access(sr_gen *g, size_t array, const char *index);
const char *sr_read(sr_gen *g); /* of any array that is only read */
const char *sr_float_value(sr_gen *g);
const char *sr_int_value(sr_gen *g);

/* ---- statements (statement.c, loops.c, barriers.c, odd.c) -------------------------------------
 */

void sr_statements(sr_gen *g, unsigned count);
void sr_add_up(sr_gen *g); /* a value into an accumulator */
void sr_loop(sr_gen *g);
bool sr_march_loop(sr_gen *g);
void sr_scratch(sr_gen *g);        /* local memory and barriers */
void sr_inout_exchange(sr_gen *g); /* global memory and barriers */
/* The array parameters that the odd thing needs; the statement with it. */
void sr_odd_choose(sr_gen *g);
void sr_odd_statement(sr_gen *g);

#endif
