/* What a kernel's accesses to global arrays are as functions of ids, loop variables and arguments.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_STAGING_INDEX_INDEX_H
#define PM_STAGING_INDEX_INDEX_H

#include "source/clang/ast.h"
#include "staging/index/poly.h"
#include "staging/staging.h"

#define PM_NONE ((size_t)-1)

typedef enum {
    PM_ATOM_LOCAL,  /* get_local_id(dimension) */
    PM_ATOM_GROUP,  /* get_group_id(dimension) */
    PM_ATOM_OFFSET, /* get_global_offset(dimension); get_global_id(d) is group * size + local +
                       offset */
    PM_ATOM_LOOP,   /* the variable of a loop; `loops` has no entry for loops of helper functions */
    PM_ATOM_VALUE, /* a uniform number: argument, get_num_groups(0), n / 2, what a variable holds */
    PM_ATOM_PART,  /* bits of a local id: (id >> shift) & mask, where no other atom has them */
    PM_ATOM_ITEM,  /* unknown, but within bounds: x & 255, an unsigned char */
    PM_ATOM_CLAMP  /* min, max or clamp of something that is not the same for all work-items */
} pm_atom_kind;

typedef struct {
    pm_atom_kind kind;
    unsigned dimension; /* LOCAL, GROUP, OFFSET, PART */
    /* LOOP; VALUE of a variable: the atom is its value while the variable does not change. A value
     * may differ between work-items, if only uniform numbers are added to it after its declaration:
     * the atom is then its uniform part, and text says so: "(at - (y * stride + x))". */
    pm_node *variable;
    pm_node *node; /* VALUE that no variable holds: the expression whose text it is. `variable` is
                    * then the one in it that changes, or that is declared in a loop. */
    const char *text; /* an operand of OpenCL C with the atom's value */
    bool uniform;     /* equal in all work-items of a group wherever they are at the same place
                       * of the source in the same iteration */
    bool low_known, high_known;
    long long low, high; /* bounds of the value, both included */
    /* CLAMP: what is clamped, and the uniform bounds. Unknown bound: none on that side.
     * most_last: min(max(inner, least), most), else max(min(inner, most), least).
     * VALUE of a variable that differs between work-items: inner is by how much. */
    pm_poly inner, least, most;
    bool most_last;
    /* CLAMP, known: the atom is a clamp only if this uniform number is >= 0. `v < least ? least : v
     * > most ? most : v` is a clamp only with least <= most. */
    pm_poly assumed;
    long long divisor; /* PART: it is id / divisor % (high + 1) */
} pm_atom;

/* A loop of the kernel. */
typedef struct {
    pm_node *node; /* ForStmt, WhileStmt, DoStmt */
    size_t parent; /* loop around it; PM_NONE */
    /* for (v = start; v < end; v += step), step > 0, where nothing else changes v; end is one
     * beyond the last: of `v <= e` it is e + 1, of `v != e` it is e if step is 1. Else atom is
     * PM_NO_ATOM. */
    size_t atom;
    pm_poly start, end;
    long long step;
    bool uniform; /* all work-items that come to it run it equally often */
    bool jumps;   /* break, return, goto, or continue of this loop, anywhere in it */
} pm_loop;

/* A condition that decides whether work-items come to some place. */
typedef struct {
    /* IfStmt; ConditionalOperator, && or || with the access behind it; SwitchStmt; with `leaves`
     * any statement with a jump out of it. */
    pm_node *node;
    pm_node *condition; /* expression; what the statement starts with, where it has none */
    bool negated;       /* the place is where it is false: else, or behind `if (..) return;` */
    /* Work-items leave by a jump in it: by return for good, by break or continue for the rest of
     * the iteration. The others run what is behind it. */
    bool leaves;
    bool uniform;
    /* What holds at the place: each bound is >= 0. exact: no more than that is needed. */
    bool exact;
    size_t bound_count;
    pm_poly bounds[6];
    /* Known: bounds and exact are so only if this uniform number is >= 0, which the source does not
     * say: n of `get_global_id(0) < n` with `int n`, where a negative n counts as a large number.
     */
    pm_poly assumed;
} pm_guard;

enum { PM_MOST_GUARDS = 12 };

typedef struct {
    /* ArraySubscriptExpr, *, a call of vloadN, vstoreN, or a MemberRefExpr that is p->x */
    pm_node *node;
    pm_node *statement; /* around it, whose parent is a CompoundStmt; in the kernel, also if the
                         * access is in a helper function */
    size_t array;
    pm_poly index;  /* of the first element, in elements from the array's beginning */
    unsigned width; /* elements beside each other; 1, or N of vloadN and vstoreN */
    bool read, written;
    bool may;       /* the pointer also has other values: each of them is an access of its own */
    bool in_helper; /* node is not in the kernel itself */
    size_t loop;    /* innermost one around it in the kernel; PM_NONE */
    size_t guard_count; /* outermost first */
    size_t guards[PM_MOST_GUARDS];
} pm_index_access;

/* A parameter of the kernel that points to global (or constant) memory. */
typedef struct {
    pm_node *node;
    size_t argument; /* which of the kernel's parameters */
    const char *name;
    const char *element; /* its type, without qualifiers */
    size_t element_bytes;
    bool is_constant, is_const, is_restrict;
    bool read, written;
    /* Variables that hold pointers into it, in the kernel and in helper functions (parameters). */
    size_t pointer_count;
    pm_node **pointers;
    /* It is used in a way that is not among the accesses; "path:line: reason". NULL: it is not. It
     * counts as read and written then. */
    const char *escape;
} pm_index_array;

/* An expression that is a pointer into an array. */
typedef struct {
    pm_node *node;
    size_t array;
    pm_poly offset; /* in elements */
} pm_index_pointer;

/* A place where a variable of the kernel gets a value: not its declaration. */
typedef struct {
    pm_node *variable, *node;
} pm_change;

typedef struct {
    pm_memory memory; /* of what is here, as long as it is read */
    const pm_ast *ast;
    pm_node *kernel; /* FunctionDecl */
    const char *name;
    pm_node *body; /* CompoundStmt */
    bool sized;
    size_t work_group[3]; /* 1 where the group has no such dimension; if sized */
    size_t atom_count;
    pm_atom *atoms;
    size_t array_count;
    pm_index_array *arrays;
    size_t loop_count;
    pm_loop *loops;
    size_t guard_count;
    pm_guard *guards;
    size_t access_count; /* in the order of the source */
    pm_index_access *accesses;
    /* Where the kernel takes an array's own pointer: `scratch`, or all of `scratch + group * size`.
     */
    size_t root_count;
    pm_index_pointer *roots;
    /* All pointers into arrays, in helper functions too, whether anything is accessed there or not:
     * `p`, `&p[i]`, all of `p + i - 1`. */
    size_t pointer_count;
    pm_index_pointer *pointers;
    size_t change_count;
    pm_change *changes;
    size_t barrier_count;
    pm_node **barriers; /* calls of barrier() and the like in the kernel */
    bool has_local;     /* __local variables or arguments */
    size_t local_bytes; /* of its __local variables */
} pm_index;

/* What is read is of memory. Where the kernel cannot be read, its attempt ends, and index->memory
 * is to be freed. work_group: all three not 0, or the size is unknown; a reqd_work_group_size that
 * says something else is PM_BAD_INPUT. */
void pm_index_read(const pm_ast *ast, pm_node *kernel, const size_t work_group[3], pm_index *index,
                   pm_memory *memory);

/* Bounds of a polynomial from those of its atoms; false: it has none on that side. */
bool pm_index_low(const pm_index *index, pm_poly poly, long long *low);
bool pm_index_high(const pm_index *index, pm_poly poly, long long *high);
bool pm_index_is_not_negative(const pm_index *index, pm_poly poly);
/* Differs between the work-items of a group; a pm_atom_test of an index. */
bool pm_index_varies(const void *index, size_t atom);
/* No atom of it varies between the work-items of a group. */
bool pm_index_is_uniform(const pm_index *index, pm_poly poly);
/* Texts of all atoms; unnamed: of those that have none. */
const char *const *pm_index_names(const pm_index *index, pm_memory *memory, const char *unnamed);
/* The innermost loop around a node; PM_NONE. */
size_t pm_index_loop_of(const pm_index *index, const pm_node *node);
/* The guards on the way to a node of the kernel, outermost first. Returns how many there are: with
 * more than fit, the outermost are missing. */
size_t pm_index_guards_of(const pm_index *index, const pm_node *node,
                          size_t guards[PM_MOST_GUARDS]);
#endif
