/* Random programs that use arrays of structs: declarations that the files of their generator share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program has no undefined behaviour and no races: a work-item writes elements of its own only,
 * or atomically; nothing is read that another work-item of the launch writes; indices are reduced
 * to their range; integers are unsigned where they could overflow; floats are only added, and
 * multiplied by powers of two, so that fusing the two changes nothing. Its outputs are therefore
 * the same bits on every device and in every layout.
 */
#ifndef PM_TESTS_RANDOM_LAYOUT_STRUCTS_H
#define PM_TESTS_RANDOM_LAYOUT_STRUCTS_H

#include "../gen.h"

enum { LR_MEMBERS = 8, LR_RECORDS = 6, LR_KERNELS = 8, LR_HELPERS = 12, LR_WORDS = 64 };

/* Features of a program. Each program has a random half of them, so that a fault shows in a small
 * program. */
enum {
    LR_COMMENTS = 1 << 0, /* in odd places */
    LR_MACROS = 1 << 1,   /* around accesses */
    LR_SHADOW = 1 << 2,   /* declarations in inner blocks that reuse names of outer blocks */
    LR_POINTERS = 1 << 3, /* to elements */
    LR_HELPER = 1 << 4,
    LR_WHOLE = 1 << 5,  /* copies of structs */
    LR_NESTED = 1 << 6, /* copies of nested structs */
    LR_ATOMICS = 1 << 7,
    LR_TILES = 1 << 8, /* structs in local memory, barriers */
    LR_ALIAS = 1 << 9, /* a buffer bound to two parameters */
    LR_CONSTANT = 1 << 10,
    LR_SIZEOF = 1 << 11,
    LR_FLOW = 1 << 12,     /* loops, switch, do */
    LR_SPELLING = 1 << 13, /* (*(p + i)).f, (&p[i])->f, i[p].f */
    LR_RESTRICT = 1 << 14,
    LR_ROWS = 1 << 15,    /* array members as pointers */
    LR_TERNARY = 1 << 16, /* of pointers */
    LR_WALKS = 1 << 17,   /* pointers that move */
    LR_AS = 1 << 18,      /* as_uint, which is a macro */
    LR_FEATURES = 19
};

/* ---- structs -------------------------------------------------------------------------------- */

typedef enum {
    LR_CHAR,
    LR_UCHAR,
    LR_SHORT,
    LR_USHORT,
    LR_INT,
    LR_UINT,
    LR_LONG,
    LR_ULONG,
    LR_FLOAT,
    LR_DOUBLE,
    LR_SCALARS
} lr_scalar;

/* INDEX: an int that is always the number of an element. ATOMIC: an int or uint that kernels may
 * count with. RAW: a declaration that no access is made to (a union, a pointer). */
typedef enum { LR_PLAIN, LR_INDEX, LR_ATOMIC, LR_RAW } lr_role;

typedef struct lr_record lr_record;

typedef struct {
    const char *name;
    lr_scalar scalar;
    unsigned width;          /* 1 to 4; a vector of 3 has a fourth element as padding */
    const lr_record *record; /* nested struct, or NULL */
    unsigned dims, dim[2];
    lr_role role;
    const char *raw; /* RAW: its declaration */
    size_t offset;
    size_t bytes, align; /* of one element if the member is an array */
} lr_member;

struct lr_record {
    const char *name;     /* as layouts name it */
    const char *spelling; /* the source's spelling: P, struct P; NULL: unnamed */
    const char *attribute;
    bool top; /* true: kernels have parameters that are arrays of this struct */
    unsigned count;
    lr_member members[LR_MEMBERS];
    size_t bytes, align;
};

/* Properties of the struct that the choice of layouts depends on. */
struct lr_shape {
    size_t n; /* number of elements of every buffer of structs */
    size_t record_count, kernel_count;
    lr_record records[LR_RECORDS];
    const char *kernels[LR_KERNELS];
};

/* ---- functions ------------------------------------------------------------------------------ */

/* Of variables. */
enum {
    LR_NUMBER = 1, /* uint */
    LR_REAL,       /* float */
    LR_VALUE,      /* a private struct */
    LR_PRIVATE,    /* pointer to one */
    LR_ELEMENT,    /* pointer to an element in global or constant memory */
    LR_ARRAY,      /* pointer to the whole array */
    LR_TILE        /* array in local memory; any element may be read if mode is READ */
};

/* OWN: read and written, own elements only. READ: any element, not written. COUNT_UP: any element,
 * atomics on the ATOMIC members and reads of the others. */
enum { LR_OWN, LR_READ, LR_COUNT_UP };

typedef enum {
    LR_PEEK,     /* uint f(array, uint i): reads element i */
    LR_POKE,     /* uint f(element, uint v): writes it */
    LR_BY_VALUE, /* uint f(T v) */
    LR_MAKE,     /* T f(element, uint v): a changed copy */
    LR_AT,       /* element f(array, uint i) */
    LR_TOUCH,    /* uint f(private T *, uint v) */
    LR_ROW       /* uint f(array member of a scalar, uint count) */
} lr_helper_kind;

typedef struct {
    const char *name;
    lr_helper_kind kind;
    const lr_record *record; /* of a ROW: NULL */
    lr_scalar scalar;        /* ROW */
    bool in_private;         /* ROW: of a private struct */
    bool takes_const;        /* PEEK, AT */
} lr_helper;

struct lr_state {
    struct lr_shape *shape;
    /* text that is always the number of the work-item's own element; NULL: only variables have this
     * number */
    const char *own;
    const char *words, *index; /* names of buffers in this function; NULL: not available */
    size_t helper_count;
    lr_helper helpers[LR_HELPERS];
    unsigned loops; /* loops around the statement */
};

/* ---- structs (records.c) -------------------------------------------------------------------- */

void lr_records(rd_gen *g);
const lr_record *lr_any_record(rd_gen *g);
const char *lr_type(rd_gen *g, const lr_member *member); /* type of a scalar or vector */
const char *lr_scalar_type(lr_scalar scalar);
size_t lr_scalar_bytes(lr_scalar scalar);
bool lr_has_role(const lr_record *record, lr_role role);
/* Calls visit for every scalar or vector of a struct. */
typedef void (*lr_visit)(void *context, size_t offset, const lr_member *member);
void lr_record_visit(const lr_record *record, size_t base, lr_visit visit, void *context);
/* Returns a name at file scope that no other program has. */
const char *lr_global(rd_gen *g, const char *name);

/* ---- expressions (expression.c) ------------------------------------------------------------- */

/* Rules of expressions. Each makes an operand, with parentheses if needed. No expression has side
 * effects. */
extern const rd_rule lr_expression_rules[];

/* A struct in memory. The text of a member is TEXT JOIN member. */
typedef struct {
    const char *text, *join;
    const lr_record *record;
    bool counted; /* true: only other statements write ATOMIC members */
    bool in_private, in_constant;
} lr_place;
typedef struct {
    const char *text;
    const lr_member *member;
} lr_leaf;

/* Returns the number of an element that the function may access: its own, or any. */
const char *lr_index(rd_gen *g, const rd_var *array);
/* Chooses a struct in scope of this type (NULL: of any type); false: there is none. */
bool lr_place_find(rd_gen *g, const lr_record *record, bool write, lr_place *place);
const char *lr_place_value(rd_gen *g, const lr_place *place); /* the whole struct */
/* Chooses a random scalar or vector member of a struct. Returns false if the struct has none. */
bool lr_leaf_find(rd_gen *g, const lr_place *place, lr_leaf *leaf);
const char *lr_leaf_uint(rd_gen *g, const lr_leaf *leaf);
const char *lr_component(rd_gen *g, const lr_leaf *leaf); /* a scalar of it */
/* Returns an expression that can be assigned to a member's scalar. */
const char *lr_scalar_value(rd_gen *g, const lr_member *member);
/* Returns [e][e] for an array member. */
const char *lr_subscripts(rd_gen *g, const lr_member *member);

/* ---- statements (statement.c, forms.c, pointers.c, helpers.c, odd.c) ------------------------ */

extern const rd_rule lr_statement_rules[], lr_form_rules[], lr_pointer_rules[], lr_call_rules[];

/* The variable of a sum, into which statements fold values. */
const char *lr_sum(rd_gen *g, const char *start);
void lr_statements(rd_gen *g, unsigned count);
const char *lr_fold(rd_gen *g, const char *value); /* folds the value into a variable in scope */
/* Declares a variable of a struct with this name (NULL: a random one). */
rd_var *lr_struct_variable(rd_gen *g, const char *name, int kind, const lr_record *record);
void lr_helpers(rd_gen *g);
/* Adds a construct for which a layout may be refused, if the kernel has the variables that it
 * needs. */
bool lr_odd(rd_gen *g);

/* ---- programs (kernels.c, buffers.c, layouts.c) --------------------------------------------- */

/* Adds three buffers of each struct that kernels take arrays of, then buffers of numbers. Returns
 * the number of buffers of structs. */
size_t lr_buffers(rd_gen *g, const lr_record **records);
rd_program *lr_create(uint64_t seed, rd_language language);
/* Returns layout number `which` for the program, chosen by its seed. */
void lr_layout(const rd_program *program, unsigned which, char *to, size_t size);

#endif
