/* Analyses the array indices that a kernel accesses in global memory, as polynomials of work-item
 * ids, loop variables and kernel arguments.
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
    PM_ATOM_LOCAL, /* local id, get_local_id(dimension) */
    PM_ATOM_GROUP, /* group id, get_group_id(dimension) */
    /* the global offset, get_global_offset(dimension); get_global_id(d) is group id * work-group
     * size + local id + offset */
    PM_ATOM_OFFSET,
    /* variable of a loop of the kernel or of a helper function; pm_index.loops has entries only for
     * loops of the kernel */
    PM_ATOM_LOOP,
    /* integer that is equal for all work-items of a group: an argument, get_num_groups(0), n / 2,
     * or the value of a uniform variable */
    PM_ATOM_VALUE,
    /* digit (id / divisor) % n of a local id that the kernel divides by constants; the id is the
     * sum of its digits, each multiplied by its divisor */
    PM_ATOM_PART,
    /* unknown integer that may differ between work-items and has known bounds, such as x & 255 or
     * an unsigned char */
    PM_ATOM_ITEM,
    PM_ATOM_CLAMP, /* min, max or clamp of a value that differs between the work-items of a group */
    /* first global id of a work-group in pm_atom.dimension, group id * work-group size + global
     * offset; only pm_index_name_first_ids() adds it, after the analysis */
    PM_ATOM_FIRST
} pm_atom_kind;

typedef struct {
    pm_atom_kind kind;
    unsigned dimension; /* dimension of the id if the kind is LOCAL, GROUP, OFFSET or PART */
    /* For a LOOP: variable of the loop. For a VALUE: variable that has this value until it is
     * changed. The variable of a VALUE may differ between work-items by a polynomial that does not
     * change, such as y * stride + x, if all numbers that are added to the variable later are equal
     * in all work-items. The symbolic value (atom) is then the variable minus this polynomial, and
     * `text` is, for example, "(at - (y * stride + x))". */
    pm_node *variable;
    /* For a VALUE that is an expression and no variable: the expression; its source code is `text`.
     * If it contains a variable that changes or that is declared in a loop, `variable` is this
     * variable. The value is valid until this variable changes. */
    pm_node *node;
    const char *text; /* code of the value as an operand, in the language of the source */
    /* True if the value is equal for all work-items of a group that execute the same source
     * location in the same iteration. */
    bool uniform;
    bool low_known, high_known;
    /* smallest possible value, valid if low_known; largest possible value, valid if high_known */
    long long low, high;
    /* For a CLAMP: its value `inner` before clamping, and its bounds `least` and `most`, which are
     * equal in all work-items of a group. A bound that is an unknown polynomial does not exist. If
     * most_last, the atom is min(max(inner, least), most), otherwise max(min(inner, most), least).
     * For a VALUE that is a variable minus the polynomial by which this variable differs between
     * work-items: `inner` is this polynomial. */
    pm_poly inner, least, most;
    bool most_last;
    /* Condition of a CLAMP: the value equals the clamp only if this polynomial is >= 0. If the
     * polynomial is unknown, the value always equals the clamp. Example: `v < least ? least : v >
     * most ? most : v` needs least <= most. */
    pm_poly assumed;
    /* divisor of a PART: the value is the digit (id / divisor) % (high + 1) of a local id */
    long long divisor;
} pm_atom;

/* A loop of the analysed kernel, with its variable and number of iterations as far as they are
 * known. */
typedef struct {
    pm_node *node; /* syntax node of the loop: ForStmt, WhileStmt or DoStmt */
    size_t parent; /* index of the loop that contains this loop; PM_NONE: none */
    /* First value, exclusive end and step of the loop's variable v. They are valid if the loop has
     * the form `for (v = start; v < end; v += step)` with step > 0, and only the loop's head
     * changes v. If the condition is `v <= e`, end is e + 1; if it is `v != e` with step 1, end is
     * e. atom: index of the symbolic value of v in the polynomials. PM_NO_ATOM: the loop has
     * another form, and the other members are not valid. */
    size_t atom;
    pm_poly start, end;
    long long step;
    /* true: all work-items that reach the loop execute the same number of iterations */
    bool uniform;
    /* true: the loop contains break, return, goto, or a continue of this loop */
    bool jumps;
} pm_loop;

/* A guard of an array access: a condition in the source, such as x < n, that decides which
 * work-items execute the access. */
typedef struct {
    /* The statement or expression with the condition: an if, a switch, a conditional expression, &&
     * or || that contains the access. If `leaves` is true, it is a statement before the access, of
     * any kind, that contains a jump out of itself. */
    pm_node *node;
    /* expression of the condition; if the statement `node` has no condition, its first child */
    pm_node *condition;
    /* true: the access is executed if the condition is false, because it is in an else or after `if
     * (..) return;` */
    bool negated;
    /* True: the guard is a statement that some work-items leave by a jump, so that they skip the
     * guarded code after the statement. A return ends the kernel for them; break or continue ends
     * the loop or the iteration. */
    bool leaves;
    bool uniform;
    /* Inequalities bounds[i] >= 0 that follow from the condition. They hold in all work-items that
     * execute the access. exact: true if the condition also follows from the inequalities. */
    bool exact;
    size_t bound_count;
    pm_poly bounds[6];
    /* `bounds` and `exact` are valid only if this polynomial is >= 0. If the polynomial is unknown,
     * they are always valid. Example: in `get_global_id(0) < n` with `int n`, the comparison is
     * unsigned, so that a negative n acts as a large number. */
    pm_poly assumed;
} pm_guard;

enum { PM_MOST_GUARDS = 12 };

typedef struct {
    /* Syntax node of the access: a[i], *p, a call of vloadN or vstoreN, or p->x
     * (ArraySubscriptExpr, UnaryOperator, CallExpr, MemberRefExpr). */
    pm_node *node;
    /* Statement, directly in a { } block of the kernel, that contains the access. If the access is
     * in a helper function, it is the statement with the helper's call. */
    pm_node *statement;
    size_t array;
    /* index of the first accessed element in the array */
    pm_poly index;
    /* number of consecutive elements that are accessed: N for vloadN and vstoreN, else 1 */
    unsigned width;
    bool read, written;
    /* True: it is not certain that the access is to this array, because its pointer may point into
     * one of several arrays. The table of accesses then has one entry of the access for each of
     * these arrays. */
    bool may;
    /* true: the access is in a helper function and not in the kernel itself */
    bool in_helper;
    /* index of the innermost loop of the kernel that contains the access; PM_NONE: none */
    size_t loop;
    /* number of guards, and their indices in pm_index.guards, from the outermost to the
     * innermost */
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
    /* Reason, as "path:line: reason", why `accesses` does not have all uses of the array. The array
     * then counts as read and written. NULL: `accesses` has all uses. */
    const char *escape;
} pm_index_array;

/* An expression whose value is a pointer into an array. */
typedef struct {
    pm_node *node;
    size_t array;
    pm_poly offset; /* offset of the pointer from the start of the array, in elements */
} pm_index_pointer;

/* An assignment to a variable of the kernel after its declaration. */
typedef struct {
    pm_node *variable, *node;
} pm_change;

typedef struct {
    pm_memory memory; /* owns the members below */
    const pm_ast *ast;
    pm_node *kernel; /* syntax node of the kernel (FunctionDecl) */
    const char *name;
    pm_node *body; /* syntax node of the kernel's body (CompoundStmt) */
    bool sized;
    /* if `sized`: work-items of a work-group in each dimension; 1 for dimensions that the launch
     * does not have */
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
    /* Expressions in the kernel, but not in helper functions, that start with the parameter of an
     * array and add an offset to it. Examples: `scratch`, and `scratch + group * size` as a
     * whole. */
    size_t root_count;
    pm_index_pointer *roots;
    /* All expressions that point into arrays, also in helper functions, even if no access uses
     * them. Examples: `p`, `&p[i]`, and `p + i - 1` as a whole. */
    size_t pointer_count;
    pm_index_pointer *pointers;
    size_t change_count;
    pm_change *changes;
    size_t barrier_count;
    /* calls, in the kernel, of barrier() and of other functions that are barriers */
    pm_node **barriers;
    bool has_local;     /* true: the kernel has __local variables or arguments */
    size_t local_bytes; /* sum of the sizes of the kernel's __local variables in bytes */
} pm_index;

/* Analyses the accesses of a kernel to global arrays. The result in *index is allocated from
 * index->memory, which the caller frees also after an error. Raises errors by longjmp
 * (base/memory.h), to the pm_attempt() that runs with `memory`. The work-group size is known only
 * if all three numbers of work_group are positive. Raises PM_BAD_INPUT if the kernel has the
 * attribute reqd_work_group_size with other numbers than work_group. */
void pm_index_read(const pm_ast *ast, pm_node *kernel, const size_t work_group[3], pm_index *index,
                   pm_memory *memory);

/* pm_index_low computes the lower bound of a polynomial from the bounds of its atoms (symbolic
 * values), and pm_index_high the upper bound. Both return false if the polynomial has no such
 * bound. */
bool pm_index_low(const pm_index *index, pm_poly poly, long long *low);
bool pm_index_high(const pm_index *index, pm_poly poly, long long *high);
/* Computes both bounds of a polynomial. Returns false if one of them is unknown. */
bool pm_index_range(const pm_index *index, pm_poly poly, long long *low, long long *high);
bool pm_index_is_not_negative(const pm_index *index, pm_poly poly);
/* Returns true if the value of an atom (a variable of the polynomials) differs between the
 * work-items of a group. `index` is a pm_index, so that the function can be passed as a
 * pm_atom_test. */
bool pm_index_varies(const void *index, size_t atom);
/* Returns true if no symbolic value (atom) in the polynomial differs between the work-items of a
 * group, so that the polynomial's value is equal in all of them. */
bool pm_index_is_uniform(const pm_index *index, pm_poly poly);
/* Returns true if the value of a polynomial depends on data that the kernel reads or computes, so
 * that only bounds of the value are known. Such a polynomial has an atom (symbolic value) of kind
 * PM_ATOM_ITEM. */
bool pm_index_has_item(const pm_index *index, const pm_poly *poly);
/* Returns the number of work-items of a work-group. */
size_t pm_index_group_items(const pm_index *index);
/* Returns the index of the first atom (symbolic value) of a kind and dimension. Returns PM_NO_ATOM
 * if there is none. */
size_t pm_index_find_atom(const pm_index *index, pm_atom_kind kind, unsigned dimension);
/* Appends an atom (symbolic value) to index->atoms and returns its index. */
size_t pm_index_add_atom(pm_index *index, const pm_atom *atom);
/* Returns true if the node declares a variable or a parameter with the name name[0..length). */
bool pm_is_declaration_of(const pm_node *node, const char *name, size_t length);
/* Returns the number of variables and parameters of the kernel with this name. */
size_t pm_index_count_declarations(const pm_index *index, const char *name, size_t length);
/* Returns true if the kernel declares variables with this name, and all of them have the type
 * `kind`. */
bool pm_index_is_declared_as(const pm_index *index, const char *name, size_t length,
                             enum CXTypeKind kind);
/* Returns an array with the code of each atom (symbolic value of the polynomials), as an operand.
 * unnamed: text for an atom that has no code. */
const char *const *pm_index_names(const pm_index *index, pm_memory *memory, const char *unnamed);
/* Returns the index of the innermost loop that contains a node. Returns PM_NONE if no loop contains
 * it. */
size_t pm_index_loop_of(const pm_index *index, const pm_node *node);
/* Finds the guards (conditions) of a node of the kernel, outermost first. Returns their number. If
 * there are more than PM_MOST_GUARDS, the outermost guards are not stored. */
size_t pm_index_guards_of(const pm_index *index, const pm_node *node,
                          size_t guards[PM_MOST_GUARDS]);
#endif
