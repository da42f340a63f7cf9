/* The index expressions of a kernel's accesses to global arrays, as polynomials of ids, loop
 * variables and arguments.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_STAGING_INDEX_INDEX_H
#define PM_TRANSFORM_STAGING_INDEX_INDEX_H

#include "transform/source/clang/ast.h"
#include "transform/staging/index/poly.h"
#include "transform/staging/staging.h"

#define PM_NONE ((size_t)-1)

typedef enum {
    PM_ATOM_LOCAL, /* get_local_id(dimension) */
    PM_ATOM_GROUP, /* get_group_id(dimension) */
    /* get_global_offset(dimension), where get_global_id(d) is group * size + local + offset */
    PM_ATOM_OFFSET,
    PM_ATOM_LOOP, /* variable of a loop; `loops` has no entry for loops of helper functions */
    /* uniform integer: an argument, get_num_groups(0), n / 2, the value of a variable */
    PM_ATOM_VALUE,
    PM_ATOM_PART, /* digits of a local id, (id >> shift) & mask, that no other atom includes */
    PM_ATOM_ITEM, /* unknown integer within bounds: x & 255, or an unsigned char */
    PM_ATOM_CLAMP /* min, max or clamp of a value that differs between work-items */
} pm_atom_kind;

typedef struct {
    pm_atom_kind kind;
    unsigned dimension; /* of LOCAL, GROUP, OFFSET and PART */
    /* LOOP: the loop's variable. VALUE: the variable with this value, valid until the variable
     * changes. A variable may differ between work-items if only uniform numbers are added to it
     * after its declaration. The atom is then its uniform part, and `text` is "(at - (y * stride +
     * x))". */
    pm_node *variable;
    /* VALUE that no variable holds: the expression with the text `text`. `variable` is then the
     * variable in that expression which changes, or which is declared in a loop. */
    pm_node *node;
    const char *text; /* OpenCL C operand with the atom's value */
    /* The value is equal for all work-items of a group that execute the same source location in the
     * same iteration. */
    bool uniform;
    bool low_known, high_known;
    long long low, high; /* bounds of the value, inclusive */
    /* CLAMP: the value that is clamped, and the uniform bounds. An unknown bound means no bound on
     * that side. If most_last, the atom is min(max(inner, least), most), otherwise max(min(inner,
     * most), least).
     * VALUE of a variable that differs between work-items: `inner` is the part that differs.
     */
    pm_poly inner, least, most;
    bool most_last;
    /* CLAMP: the atom is a clamp only if this uniform polynomial is >= 0; unknown: no condition.
     * Example: `v < least ? least : v > most ? most : v` needs least <= most. */
    pm_poly assumed;
    long long divisor; /* PART: the atom is id / divisor % (high + 1) */
} pm_atom;

/* A loop of the kernel. */
typedef struct {
    pm_node *node; /* ForStmt, WhileStmt, DoStmt */
    size_t parent; /* index of the enclosing loop; PM_NONE: none */
    /* The loop is for (v = start; v < end; v += step) with step > 0, and only the head changes v.
     * `end` is exclusive: e + 1 for `v <= e`; e for `v != e` if step is 1. `atom` is PM_NO_ATOM for
     * every other loop. */
    size_t atom;
    pm_poly start, end;
    long long step;
    bool uniform; /* all work-items that reach the loop execute the same number of iterations */
    bool jumps;   /* the loop contains break, return, goto, or its own continue */
} pm_loop;

/* A condition that decides which work-items reach a statement or an access. */
typedef struct {
    /* IfStmt; SwitchStmt; ConditionalOperator, && or || that contains the access. If `leaves`, any
     * statement that contains a jump out of itself. */
    pm_node *node;
    pm_node *condition; /* the expression; if there is none, the first child of the statement */
    /* the access executes if the condition is false: in else, or after `if (..) return;` */
    bool negated;
    /* Some work-items jump out of the statement: return ends the kernel for them, break and
     * continue end the loop or the iteration. The other work-items execute the code after it. */
    bool leaves;
    bool uniform;
    /* Inequalities bounds[i] >= 0 that hold where the access executes. exact: they are also
     * sufficient for the condition. */
    bool exact;
    size_t bound_count;
    pm_poly bounds[6];
    /* `bounds` and `exact` are valid only if this uniform polynomial is >= 0; unknown: no
     * condition. Example: `get_global_id(0) < n` with `int n`, where the comparison is unsigned and
     * a negative n becomes a large number. */
    pm_poly assumed;
} pm_guard;

enum { PM_MOST_GUARDS = 12 };

typedef struct {
    /* ArraySubscriptExpr, unary *, a call of vloadN or vstoreN, or the MemberRefExpr p->x */
    pm_node *node;
    /* Enclosing statement whose parent is a CompoundStmt. It is in the kernel even if the access is
     * in a helper function. */
    pm_node *statement;
    size_t array;
    /* index of the first element, counted in elements from the start of the array */
    pm_poly index;
    unsigned width; /* number of consecutive elements: 1, or N of vloadN and vstoreN */
    bool read, written;
    bool may;           /* the pointer may have other values; each value has an entry of its own */
    bool in_helper;     /* `node` is in a helper function, not in the kernel */
    size_t loop;        /* innermost enclosing loop in the kernel; PM_NONE: none */
    size_t guard_count; /* guards are ordered from the outermost inwards */
    size_t guards[PM_MOST_GUARDS];
} pm_index_access;

/* A parameter of the kernel that points to global or constant memory. */
typedef struct {
    pm_node *node;
    size_t argument; /* position among the kernel's parameters, from 0 */
    const char *name;
    const char *element; /* type of an element, without qualifiers */
    size_t element_bytes;
    bool is_constant, is_const, is_restrict;
    bool read, written;
    /* Variables and parameters, in the kernel and in helper functions, that point into the array.
     */
    size_t pointer_count;
    pm_node **pointers;
    /* "path:line: reason" if a use of the array is missing from `accesses`; the array then counts
     * as read and written. NULL: `accesses` is complete. */
    const char *escape;
} pm_index_array;

/* An expression that points into an array. */
typedef struct {
    pm_node *node;
    size_t array;
    pm_poly offset; /* in elements from the start of the array */
} pm_index_pointer;

/* An assignment to a variable of the kernel. Declarations are not included. */
typedef struct {
    pm_node *variable, *node;
} pm_change;

typedef struct {
    pm_memory memory; /* owns the members below, and must live as long as they are used */
    const pm_ast *ast;
    pm_node *kernel; /* FunctionDecl */
    const char *name;
    pm_node *body; /* CompoundStmt */
    bool sized;
    size_t work_group[3]; /* if `sized`: work-items per dimension, 1 for unused dimensions */
    size_t atom_count;
    pm_atom *atoms;
    size_t array_count;
    pm_index_array *arrays;
    size_t loop_count;
    pm_loop *loops;
    size_t guard_count;
    pm_guard *guards;
    size_t access_count; /* accesses are in source order */
    pm_index_access *accesses;
    /* Expressions in which the kernel uses an array's parameter itself, with the offset added
     * there: `scratch`, or `scratch + group * size` as a whole. */
    size_t root_count;
    pm_index_pointer *roots;
    /* All expressions that point into arrays, in helper functions too, even if they are not
     * dereferenced: `p`, `&p[i]`, `p + i - 1` as a whole. */
    size_t pointer_count;
    pm_index_pointer *pointers;
    size_t change_count;
    pm_change *changes;
    size_t barrier_count;
    pm_node **barriers; /* calls of barrier() and equivalent functions in the kernel */
    bool has_local;     /* the kernel has __local variables or arguments */
    size_t local_bytes; /* size of the kernel's __local variables in bytes */
} pm_index;

/* Reads a kernel into *index, which is allocated from index->memory. On an error the attempt of
 * `memory` ends (pm_attempt); the caller still frees index->memory. The work-group size is known
 * only if all three entries of work_group are positive. A different reqd_work_group_size is
 * PM_BAD_INPUT. */
void pm_index_read(const pm_ast *ast, pm_node *kernel, const size_t work_group[3], pm_index *index,
                   pm_memory *memory);

/* Lower and upper bound of a polynomial, computed from the bounds of its atoms. Returns false if
 * there is no bound on that side. */
bool pm_index_low(const pm_index *index, pm_poly poly, long long *low);
bool pm_index_high(const pm_index *index, pm_poly poly, long long *high);
bool pm_index_is_not_negative(const pm_index *index, pm_poly poly);
/* Returns true if the atom differs between work-items of a group. A pm_atom_test whose `user` is a
 * pm_index. */
bool pm_index_varies(const void *index, size_t atom);
/* Returns true if no atom of the polynomial differs between work-items of a group. */
bool pm_index_is_uniform(const pm_index *index, pm_poly poly);
/* Returns the operands (pm_atom.text) of all atoms, by atom. An atom without an operand gets the
 * string `unnamed`. */
const char *const *pm_index_names(const pm_index *index, pm_memory *memory, const char *unnamed);
/* Returns the innermost loop around a node, or PM_NONE. */
size_t pm_index_loop_of(const pm_index *index, const pm_node *node);
/* Stores the guards around a node of the kernel, outermost first, and returns their number. If it
 * exceeds PM_MOST_GUARDS, the outermost guards are not stored. */
size_t pm_index_guards_of(const pm_index *index, const pm_node *node,
                          size_t guards[PM_MOST_GUARDS]);
#endif
