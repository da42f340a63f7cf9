/* What the parts of the generator share: random choices, texts, and the variables in scope.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_LAYOUT_RANDOM_GEN_H
#define PM_TESTS_LAYOUT_RANDOM_GEN_H

#include "program.h"

enum { LR_VARS = 96, LR_HELPERS = 12 };

/* What a program makes use of. Each has a random half of them, so that a fault shows in small
 * company. */
enum {
    LR_F_COMMENTS = 1 << 0, /* in odd places */
    LR_F_MACROS = 1 << 1,   /* around accesses */
    LR_F_SHADOW = 1 << 2,   /* inner declarations with names of outer ones */
    LR_F_POINTERS = 1 << 3, /* to elements */
    LR_F_HELPERS = 1 << 4,
    LR_F_WHOLE = 1 << 5,  /* copies of structs */
    LR_F_NESTED = 1 << 6, /* copies of nested structs */
    LR_F_ATOMICS = 1 << 7,
    LR_F_TILES = 1 << 8, /* structs in local memory, barriers */
    LR_F_ALIAS = 1 << 9, /* a buffer bound to two parameters */
    LR_F_CONSTANT = 1 << 10,
    LR_F_SIZEOF = 1 << 11,
    LR_F_FLOW = 1 << 12,     /* loops, switch, do */
    LR_F_SPELLING = 1 << 13, /* (*(p + i)).f, (&p[i])->f, i[p].f */
    LR_F_RESTRICT = 1 << 14,
    LR_F_ROWS = 1 << 15,    /* array members as pointers */
    LR_F_TERNARY = 1 << 16, /* of pointers */
    LR_F_WALKS = 1 << 17,   /* pointers that move */
    LR_F_AS = 1 << 18,      /* as_uint, which is a macro */
    LR_FEATURES = 19
};

typedef enum {
    LR_VAR_NONE, /* none that expressions may use */
    LR_VAR_UINT,
    LR_VAR_FLOAT,
    LR_VAR_VALUE,   /* a private struct */
    LR_VAR_PRIVATE, /* pointer to one */
    LR_VAR_ELEMENT, /* pointer to an element in global or constant memory */
    LR_VAR_ARRAY,   /* pointer to all of them */
    LR_VAR_TILE     /* array in local memory; read at any place, where mode is READ */
} lr_var_kind;

typedef struct {
    const char *name;
    lr_var_kind kind;
    const lr_record *record;
    lr_mode mode;
    bool writable;    /* a number that statements may assign to; OWN structs that may be written */
    bool own;         /* UINT: the number of the work-item's own element */
    bool pinned;      /* not to be hidden by another of the name */
    bool in_constant; /* memory */
} lr_var;

typedef enum {
    LR_HELPER_PEEK,  /* uint f(array, uint i): reads element i */
    LR_HELPER_POKE,  /* uint f(element, uint v): writes it */
    LR_HELPER_VALUE, /* uint f(T v) */
    LR_HELPER_MAKE,  /* T f(element, uint v): a changed copy */
    LR_HELPER_AT,    /* element f(array, uint i) */
    LR_HELPER_TOUCH, /* void f(private T *) */
    LR_HELPER_ROW    /* uint f(array member of a scalar, uint count) */
} lr_helper_kind;

typedef struct {
    const char *name;
    lr_helper_kind kind;
    const lr_record *record; /* of a ROW: NULL */
    lr_scalar scalar;        /* ROW */
    bool in_private;         /* ROW: of a private struct */
    bool takes_const;        /* PEEK, AT */
} lr_helper;

typedef struct {
    uint64_t random;
    lr_program *program;
    unsigned features;
    char *text; /* of the source, written up to length */
    size_t length, room;
    unsigned indent;
    lr_var vars[LR_VARS];
    size_t var_count, block;   /* block: the first of the innermost one */
    const char *own;           /* always the number of the own element; NULL: only variables are */
    const char *words, *index; /* buffers' names in this function; NULL: not there */
    size_t helper_count;
    lr_helper helpers[LR_HELPERS];
    unsigned names; /* made so far */
    unsigned loops; /* around the statement */
    const unsigned char *dropped;
} lr_gen;

/* ---- choices and texts (text.c) ---------------------------------------------------------------
 */

uint64_t lr_random(lr_gen *g);
unsigned lr_below(lr_gen *g, unsigned n); /* 0 to n - 1 */
bool lr_chance(lr_gen *g, unsigned percent);
bool lr_has(const lr_gen *g, unsigned feature);
void *lr_need(void *memory); /* ends the test where it is NULL */
const char *lr_format(lr_gen *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds a line to the source. */
void lr_emit(lr_gen *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Around what can be left out: begin returns what end takes, which says whether it was. */
typedef struct {
    size_t number, length;
} lr_unit;
lr_unit lr_unit_begin(lr_gen *g);
bool lr_unit_end(lr_gen *g, lr_unit unit);
void lr_chunks_free(struct lr_chunk *chunks);

/* ---- variables (text.c) -----------------------------------------------------------------------
 */

/* A new name for a variable of the innermost block, of kind NONE until the caller has generated its
 * initial value. What it hides is not seen any more from now on. */
lr_var *lr_declare(lr_gen *g);
const lr_var *lr_find(lr_gen *g, bool (*fits)(const lr_var *var, const void *with),
                      const void *with);
typedef struct {
    size_t count, block;
} lr_mark;
lr_mark lr_open(lr_gen *g); /* a block */
void lr_close(lr_gen *g, lr_mark mark);

/* ---- structs (records.c) ----------------------------------------------------------------------
 */

void lr_records_generate(lr_gen *g);
const char *lr_type(lr_gen *g, lr_scalar scalar, unsigned width);
bool lr_record_has_role(const lr_record *record, lr_role role);

/* ---- expressions (expression.c) ---------------------------------------------------------------
 */

/* A struct in memory: TEXT JOIN member. */
typedef struct {
    const char *text, *join;
    const lr_record *record;
    bool counted; /* ATOMIC members are others' to write */
    bool in_private;
    bool in_constant;
} lr_place;
typedef struct {
    const char *text;
    const lr_member *member;
} lr_leaf;

const char *lr_gap(lr_gen *g); /* nothing, or a comment */
const char *lr_own(lr_gen *g);
const char *lr_any(lr_gen *g, unsigned depth); /* number of any element */
const char *lr_uint(lr_gen *g, unsigned depth);
const char *lr_float(lr_gen *g, unsigned depth);
const char *lr_double(lr_gen *g, unsigned depth);
/* An expression that can be assigned to a member's scalar. */
const char *lr_scalar_value(lr_gen *g, const lr_member *member, unsigned depth);
/* A struct in scope, of that type (NULL: of any); false: there is none. */
bool lr_place_find(lr_gen *g, const lr_record *record, bool write, unsigned depth, lr_place *place);
const char *lr_place_value(lr_gen *g, const lr_place *place); /* the struct as a whole */
/* A random scalar or vector in it; false: it has none. */
bool lr_leaf_find(lr_gen *g, const lr_place *place, unsigned depth, lr_leaf *leaf);
const char *lr_leaf_uint(lr_gen *g, const lr_leaf *leaf);
const char *lr_component(lr_gen *g, const lr_leaf *leaf); /* a scalar of it */
/* [e][e] for an array member. */
const char *lr_subscripts(lr_gen *g, const lr_member *member, unsigned depth);

/* ---- statements (statement.c, pointers.c, helpers.c, forms.c, odd.c)
 * ------------------------------------------------
 */

void lr_statements(lr_gen *g, unsigned count, unsigned depth);
void lr_fold(lr_gen *g, const char *value); /* into a variable in scope */
bool lr_pointer_statement(lr_gen *g, unsigned depth);
bool lr_walk_statement(lr_gen *g, unsigned depth);
bool lr_whole_statement(lr_gen *g, unsigned depth);
bool lr_nested_statement(lr_gen *g, unsigned depth);
bool lr_call_statement(lr_gen *g, unsigned depth);
bool lr_form_statement(lr_gen *g, unsigned depth);
void lr_helpers_generate(lr_gen *g);
/* Adds something that a layout may be refused for, where the kernel has what it needs. */
bool lr_odd_statement(lr_gen *g);

#endif
