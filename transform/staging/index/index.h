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
    /* get_global_offset(dimension); get_global_id(d) is group id * work-group size + local id +
     * offset */
    PM_ATOM_OFFSET,
    /* variable of a loop; pm_index.loops has no entry for loops of helper functions */
    PM_ATOM_LOOP,
    /* integer that is equal for all work-items of a group: an argument, get_num_groups(0), n / 2,
     * the value of a variable */
    PM_ATOM_VALUE,
    /* digit of a local id, (id >> shift) & mask; each bit of the id is in at most one such atom */
    PM_ATOM_PART,
    PM_ATOM_ITEM, /* unknown integer with known bounds, such as x & 255 or an unsigned char */
    PM_ATOM_CLAMP /* min, max or clamp of a value that differs between the work-items of a group */
} pm_atom_kind;

typedef struct {
    pm_atom_kind kind;
    unsigned dimension; /* dimension of the id; for LOCAL, GROUP, OFFSET and PART */
    /* LOOP: the loop's variable. VALUE: the variable with this value, which is valid until the
     * variable changes. The variable may differ between work-items if only uniform numbers are
     * added to it after its declaration. The atom is then its uniform part, and `text` is "(at - (y
     * * stride + x))". */
    pm_node *variable;
    /* For a VALUE that no variable holds: the expression with the text `text`. `variable` is then
     * the variable of this expression that changes, or that is declared in a loop. */
    pm_node *node;
    const char *text; /* operand in OpenCL C that has the atom's value */
    /* True if the value is equal for all work-items of a group that execute the same source
     * location in the same iteration. */
    bool uniform;
    bool low_known, high_known;
    long long low, high; /* smallest and largest possible value */
    /* CLAMP: the clamped value, and its uniform bounds. If least or most is an unknown polynomial,
     * there is no bound on that side. If most_last, the atom is min(max(inner, least), most),
     * otherwise max(min(inner, most), least). VALUE of a variable that differs between work-items:
     * `inner` is the differing part. */
    pm_poly inner, least, most;
    bool most_last;
    /* CLAMP: the atom is a clamp only if this uniform polynomial is >= 0. Unknown: there is no such
     * condition. Example: `v < least ? least : v > most ? most : v` needs least <= most. */
    pm_poly assumed;
    long long divisor; /* PART: the atom is the digit id / divisor % (high + 1) */
} pm_atom;

/* A loop of the kernel. */
typedef struct {
    pm_node *node; /* syntax node of the loop: ForStmt, WhileStmt or DoStmt */
    size_t parent; /* index of the loop that contains this loop; PM_NONE: none */
    /* Valid if the loop has the form for (v = start; v < end; v += step) with step > 0 and only the
     * head changes v. `end` is exclusive: e + 1 for `v <= e`, e for `v != e` with step 1. `atom` is
     * the atom of v. For other loops `atom` is PM_NO_ATOM. */
    size_t atom;
    pm_poly start, end;
    long long step;
    /* true: all work-items that reach the loop execute the same number of iterations */
    bool uniform;
    /* true: the loop contains break, return, goto, or a continue that belongs to it */
    bool jumps;
} pm_loop;

/* A guard: a condition that decides which work-items execute a statement or an access. */
typedef struct {
    /* Node with the condition: IfStmt, SwitchStmt, or a ConditionalOperator, && or || that contains
     * the access. If `leaves`, it is any statement that contains a jump out of itself. */
    pm_node *node;
    /* expression of the condition; if the statement has none, its first child */
    pm_node *condition;
    /* true: the access is executed if the condition is false, in an else or after `if (..)
     * return;` */
    bool negated;
    /* True: some work-items jump out of the statement. A return ends the kernel for them, and break
     * or continue ends the loop or the iteration. The guarded code is after the statement. */
    bool leaves;
    bool uniform;
    /* bounds[i] >= 0 holds for all work-items that execute the access. exact: the inequalities are
     * also sufficient for the condition. */
    bool exact;
    size_t bound_count;
    pm_poly bounds[6];
    /* `bounds` and `exact` are valid only if this uniform polynomial is >= 0. Unknown: they are
     * always valid. Example: in `get_global_id(0) < n` with `int n`, the comparison is unsigned,
     * and a negative n acts as a large number. */
    pm_poly assumed;
} pm_guard;

enum { PM_MOST_GUARDS = 12 };

typedef struct {
    /* Node of the access: ArraySubscriptExpr, unary *, a call of vloadN or vstoreN, or a
     * MemberRefExpr p->x. */
    pm_node *node;
    /* Statement that contains the access and whose parent is a CompoundStmt. It is in the kernel
     * even if the access itself is in a helper function. */
    pm_node *statement;
    size_t array;
    /* index of the first accessed element, counted from the start of the array */
    pm_poly index;
    /* number of consecutive elements that are accessed: N for vloadN and vstoreN, else 1 */
    unsigned width;
    bool read, written;
    /* true: the pointer may have several values; each of them has its own entry in the list of
     * accesses */
    bool may;
    bool in_helper; /* true: `node` is in a helper function and not in the kernel */
    size_t loop;    /* innermost loop of the kernel that contains the access; PM_NONE: none */
    /* number of guards, which are ordered from the outermost to the innermost */
    size_t guard_count;
    size_t guards[PM_MOST_GUARDS];
} pm_index_access;

/* A parameter of the kernel that points to an array in global or constant memory. */
typedef struct {
    pm_node *node;
    size_t argument; /* index of the parameter among the kernel's parameters */
    const char *name;
    const char *element; /* type of an element of the array, without qualifiers */
    size_t element_bytes;
    bool is_constant, is_const, is_restrict;
    bool read, written;
    /* Variables and parameters that point into the array, in the kernel and in helper functions. */
    size_t pointer_count;
    pm_node **pointers;
    /* "path:line: reason" if `accesses` does not have all uses of the array. The array then counts
     * as read and written. NULL: `accesses` has all uses. */
    const char *escape;
} pm_index_array;

/* An expression whose value is a pointer into an array. */
typedef struct {
    pm_node *node;
    size_t array;
    pm_poly offset; /* offset of the pointer from the start of the array, in elements */
} pm_index_pointer;

/* An assignment to a variable of the kernel. Initializations in declarations are not included. */
typedef struct {
    pm_node *variable, *node;
} pm_change;

typedef struct {
    pm_memory memory; /* owns the members below; must exist as long as they are used */
    const pm_ast *ast;
    pm_node *kernel; /* FunctionDecl */
    const char *name;
    pm_node *body; /* CompoundStmt */
    bool sized;
    /* valid if `sized`: work-items of a work-group in each dimension; 1 for unused dimensions */
    size_t work_group[3];
    size_t atom_count;
    pm_atom *atoms;
    size_t array_count;
    pm_index_array *arrays;
    size_t loop_count;
    pm_loop *loops;
    size_t guard_count;
    pm_guard *guards;
    size_t access_count; /* number of accesses, which are in source order */
    pm_index_access *accesses;
    /* Expressions of the kernel that contain an array's parameter itself, with the offset that they
     * add. Examples: `scratch`, and `scratch + group * size` as a whole. */
    size_t root_count;
    pm_index_pointer *roots;
    /* All expressions that point into arrays, also in helper functions, whether or not they are
     * dereferenced. Examples: `p`, `&p[i]`, and `p + i - 1` as a whole. */
    size_t pointer_count;
    pm_index_pointer *pointers;
    size_t change_count;
    pm_change *changes;
    size_t barrier_count;
    /* calls of barrier(), and of other functions that are barriers, in the kernel */
    pm_node **barriers;
    bool has_local;     /* true: the kernel has __local variables or arguments */
    size_t local_bytes; /* sum of the sizes of the kernel's __local variables in bytes */
} pm_index;

/* Reads a kernel into *index, which is allocated from index->memory. Errors are raised (pm_attempt
 * of `memory`); the caller still frees index->memory. The work-group size is known only if all
 * three numbers of work_group are positive. Raises PM_BAD_INPUT if the kernel has another
 * reqd_work_group_size. */
void pm_index_read(const pm_ast *ast, pm_node *kernel, const size_t work_group[3], pm_index *index,
                   pm_memory *memory);

/* Compute the lower and the upper bound of a polynomial from the bounds of its atoms. Return false
 * if there is no such bound. */
bool pm_index_low(const pm_index *index, pm_poly poly, long long *low);
bool pm_index_high(const pm_index *index, pm_poly poly, long long *high);
bool pm_index_is_not_negative(const pm_index *index, pm_poly poly);
/* Returns true if the value of an atom (a variable of the polynomials) differs between the
 * work-items of a work-group. This function can be passed as a pm_atom_test, with a pm_index as
 * `index`. */
bool pm_index_varies(const void *index, size_t atom);
/* Returns true if no atom of the polynomial differs between the work-items of a group. */
bool pm_index_is_uniform(const pm_index *index, pm_poly poly);
/* Returns an array with the operand (pm_atom.text) of each atom, indexed by atom. For an atom
 * without an operand it has `unnamed`. */
const char *const *pm_index_names(const pm_index *index, pm_memory *memory, const char *unnamed);
/* Returns the innermost loop that contains a node. PM_NONE: none. */
size_t pm_index_loop_of(const pm_index *index, const pm_node *node);
/* Stores the guards of a node of the kernel, outermost first. Returns their number. If there are
 * more than PM_MOST_GUARDS, the outermost guards are not stored. */
size_t pm_index_guards_of(const pm_index *index, const pm_node *node,
                          size_t guards[PM_MOST_GUARDS]);
#endif
