/* Internal declarations of the files that analyse a kernel's accesses as polynomials (index.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A symbol is a variable or a parameter of any function in the source. Its definitions are its
 * declaration and its changes. A frame is a function together with the sequence of calls that leads
 * to it from the kernel. A helper function is analysed once per frame.
 */
#ifndef PM_TRANSFORM_STAGING_INDEX_PARTS_H
#define PM_TRANSFORM_STAGING_INDEX_PARTS_H

#include "transform/source/clang/builtins.h"
#include "transform/staging/index/index.h"

enum {
    PM_MOST_ATOMS = 4096,
    PM_MOST_ACCESSES = 4096,
    PM_MOST_FRAMES = 512,
    PM_MOST_FRAME_DEPTH = 8,
    /* limit on the recursion depth when expressions and definitions of variables are evaluated */
    PM_MOST_EVALUATION = 120,
    PM_MOST_POINTERS = 40, /* limit on the recursion depth when pointers are evaluated */
    PM_MOST_TARGETS = 4,
    PM_MOST_ROUNDS = 64,
    PM_MOST_DIVISORS = 8,
    PM_MOST_MEMOS = 1 << 16,
    PM_MOST_GUARD_COUNT = 2048,
    /* limit on the syntax nodes of a kernel's source, not counting OpenCL's own declarations */
    PM_MOST_NODES = 1 << 17
};

/* A statement or expression that changes a variable or parameter of a function after its
 * declaration. */
typedef struct {
    /* The assignment that changes the variable. It may also be an expression that takes the
     * variable's address with &, because other code may change the variable through the address. */
    pm_node *node;
    size_t symbol, next;
    /* true: the change is a statement directly in the block ({ }) that declares the variable; every
     * work-item that executes the block then also makes the change */
    bool straight;
} pm_symbol_change;

typedef struct {
    pm_node *node;        /* declaration of the variable: VarDecl or ParmDecl */
    pm_node *function;    /* enclosing function */
    pm_node *scope;       /* statement or function that contains all uses of the variable */
    pm_node *initializer; /* initializer of the variable; NULL: none */
    /* index of the first change; the changes of a variable form a list in source order; PM_NONE: it
     * never changes */
    size_t first_change;
    size_t argument; /* index of a parameter among the function's parameters */
    bool address;    /* true: the variable's address is taken, so that other code may change it */
    /* True for a variable of the kernel that has equal values in all work-items of a group
     * ("uniform"). All values that are assigned to it must be uniform, and all assignments must be
     * in uniform control flow. */
    bool uniform;
} pm_symbol;

/* The head of a loop in the kernel or in a helper function: its variable, start, end and step. */
typedef struct {
    pm_node *node, *function;
    /* symbol (index of the variable in pm_reader.symbols) of the variable v of a loop of the form
     * for (v = start; v < end; v += step); PM_NONE: the loop does not have this form */
    size_t symbol;
    /* start: expression of the initial value; end: the expression with which the condition compares
     * the variable */
    pm_node *start, *end;
    pm_node *step; /* expression that is added in each iteration; NULL: 1 */
    /* inclusive: true if the loop's condition is v <= end; unequal: true if it is v != end */
    bool inclusive, unequal;
    /* true: some work-items may end an iteration or the loop earlier than others */
    bool divergent;
    bool leaves; /* true: some work-items may end the loop earlier than others */
    /* symbol (index of the variable in pm_reader.symbols) of a loop that counts down, `v > end;
     * v--`; PM_NONE: the loop is of another kind */
    size_t down;
} pm_head;

/* A possible target of a pointer: an array, and an offset in elements. */
typedef struct {
    size_t array;
    pm_poly offset;
} pm_aim;

typedef struct {
    /* true: the pointer may also point somewhere else, which is unknown or in none of the arrays */
    bool lost;
    size_t count;
    pm_aim to[PM_MOST_TARGETS];
} pm_points;

typedef struct {
    enum { PM_NOT_YET, PM_AT_WORK, PM_DONE } state;
    pm_poly value;
    pm_points *points; /* possible targets of a pointer */
} pm_memo;

/* A frame: a function together with one sequence of calls by which the kernel reaches it, and
 * the analysed values of its variables. A helper function has one frame for each sequence. */
typedef struct pm_frame pm_frame;
struct pm_frame {
    pm_frame *caller;  /* frame of the calling function; NULL: this frame is the kernel itself */
    pm_node *call;     /* call expression in the caller's function */
    pm_node *function; /* definition of the called function */
    size_t number, depth;
    /* first_symbol, symbols: index in pm_reader.symbols of the function's first symbol (variable),
     * and number of its symbols. first_change, changes: the same for the changes of its
     * variables. */
    size_t first_symbol, symbols, first_change, changes;
    /* Cached results for the function's symbols (variables), in three parts. The first part has the
     * value of each symbol after its declaration. The second part has the value after each change
     * of a symbol. The third part has, for each symbol, the result for all its values together
     * (pm_index_all). */
    pm_memo *memo;
    bool has_points;
};

typedef struct {
    const pm_ast *ast;
    pm_index *index;
    /* initial state of `index`, to which it is reset whenever the kernel is analysed again */
    pm_index empty;
    /* memory of data that remain valid when the kernel is analysed again; other data are in
     * index->memory */
    pm_memory *memory;
    /* symbol_of[node number of a declaration]: index of the variable in `symbols`; PM_NONE: none */
    size_t *symbol_of;
    pm_symbol *symbols;
    size_t symbol_count;
    pm_symbol_change *changes;
    size_t change_count;
    pm_head *heads;
    size_t head_count;
    bool has_goto;
    /* first lambda expression of the kernel; NULL: none. The analysis of conditions does not
     * support lambdas, because a lambda's body is executed where it is called. */
    pm_node *lambda;
    /* divisors[dimension]: numbers by which the kernel divides local ids. A local id is written as
     * a sum of digits that are split at these divisors. Each divisor divides the next one and the
     * work-group size. */
    size_t divisor_count[3];
    long long divisors[3][PM_MOST_DIVISORS];
    /* True: a divisor was added during this analysis of the kernel, so the kernel must be analysed
     * again. */
    bool more_divisors;
    size_t depth; /* present recursion depth when expressions are evaluated */
    size_t pointer_depth;
    /* true: the limit on the recursion depth was reached, so the targets of some pointer are
     * unknown */
    bool too_deep;
    size_t memo_count; /* number of cached values of all frames together */
    size_t frame_count;
    pm_frame *frames[PM_MOST_FRAMES + 1];
    /* Origins of the atoms (symbolic values), so that each atom is made only once: atom_frame[atom]
     * is the number of the frame (function call), and atom_key[atom] the node from which it was
     * made. */
    size_t atom_frame[PM_MOST_ATOMS];
    pm_node *atom_key[PM_MOST_ATOMS];
} pm_reader;

/* ---- frame.c */
pm_frame *pm_index_kernel_frame(pm_reader *r);
/* Returns the frame (the called function and the calls that lead to it) for a call. Returns NULL if
 * the source does not define the function, or a limit on frames is reached. */
pm_frame *pm_index_frame(pm_reader *r, pm_frame *caller, pm_node *call);
/* Returns the cached value of a symbol (variable) of a frame (function call) after the change with
 * index `change`. change PM_NONE: the value after the symbol's declaration. */
pm_memo *pm_index_memo(pm_frame *frame, size_t symbol, size_t change);
/* Returns the cached targets of a pointer variable: all targets that it may have after its
 * declaration or after any of its changes. frame: a function with the calls that lead to it.
 * symbol: number of the variable. */
pm_memo *pm_index_all(pm_frame *frame, size_t symbol);

/* ---- symbol.c */
void pm_index_find_symbols(pm_reader *r);
/* Returns the symbol (variable) that a node declares, or that an expression names. */
pm_symbol *pm_index_symbol(const pm_reader *r, const pm_node *node);
/* Returns true if the type is a pointer to global or constant memory. CUDA's types do not contain
 * the memory space, so in CUDA the result is true for all pointers. */
bool pm_points_to_global(const pm_reader *r, CXType type);
bool pm_points_to_array(const pm_reader *r, const pm_node *expression);
bool pm_is_comparison(enum CXBinaryOperatorKind kind);

/* ---- head.c */
void pm_index_find_heads(pm_reader *r);
pm_head *pm_index_head_of(const pm_reader *r, const pm_node *loop);
/* Returns the head of the loop whose variable is the symbol and whose body contains `use`. NULL:
 * none. */
pm_head *pm_index_head(const pm_reader *r, const pm_symbol *symbol, const pm_node *use);

/* ---- definition.c */
/* Finds the assignment that gives a variable its value at `use`: the last change before `use` that
 * is executed whenever `use` is executed. Returns the index of this change. PM_NONE: there is none,
 * so the declaration gives the value. *alone becomes true if no other change of the variable can be
 * executed between the found one and `use`. */
size_t pm_index_definition(const pm_reader *r, const pm_symbol *symbol, const pm_node *use,
                           bool *alone);
/* Returns true if the change with index `change` of a variable may be executed before `use`, also
 * in an earlier iteration of a loop. Returns false if this change is not after the change with
 * index `since` in the source. since PM_NONE: the variable's declaration. */
bool pm_index_reaches(const pm_reader *r, size_t change, size_t since, const pm_node *use);
/* Returns true if all changes of a variable that may be executed between its change `since` and
 * `use` only add numbers that are equal in all work-items of a group. The differences between the
 * values in different work-items are then the same at both places. since PM_NONE: the variable's
 * declaration. */
bool pm_index_only_adds(const pm_reader *r, const pm_symbol *symbol, size_t since,
                        const pm_node *use);
/* symbol: a variable that is defined at `node`. Returns true if the variables in `poly` do not
 * change from `node` to the end of the scope of `symbol`, so that `poly` has the same value
 * there. */
bool pm_index_is_stable(const pm_reader *r, pm_poly poly, const pm_symbol *symbol,
                        const pm_node *node);

/* ---- uniform.c */
void pm_index_find_uniform(pm_reader *r);
bool pm_index_uniform(const pm_reader *r, pm_node *expression);
/* Returns true if all conditions between `node` and its ancestor `top` are uniform (equal in all
 * work-items of a group). Then either all work-items of a group that reach `top` also reach `node`,
 * or none of them does. */
bool pm_index_controlled(const pm_reader *r, const pm_node *node, const pm_node *top);
/* Returns true if a change of a variable only adds a number that is equal in all work-items of a
 * group. */
bool pm_index_adds_uniform(const pm_reader *r, const pm_symbol_change *change);

/* ---- atom.c */
size_t pm_index_atom(pm_reader *r, const pm_atom *atom, const pm_frame *frame, pm_node *key);
pm_poly pm_index_local(pm_reader *r, unsigned dimension);
pm_poly pm_index_dimension(pm_reader *r, pm_atom_kind kind, unsigned dimension);
/* Returns the value of an id or of a work-group size in a dimension. */
pm_poly pm_index_id_value(pm_reader *r, const pm_id *id, long long dimension);
/* Returns a symbolic value (atom) for the value of the expression `node`, of which nothing is known
 * but that it is at least `low` and at most `high`. It may differ between work-items. */
pm_poly pm_index_item(pm_reader *r, const pm_frame *frame, pm_node *node, long long low,
                      long long high);
/* Returns a polynomial for an expression that is uniform (equal in all work-items of a group) and
 * that cannot be computed symbolically, such as n / 2. The source code of the expression becomes
 * the code of the value. Returns an unknown polynomial if this code cannot be used, for example
 * because it is in a macro. */
pm_poly pm_index_text_value(pm_reader *r, const pm_frame *frame, pm_node *node);
/* Returns a polynomial for the present value of a variable: `varying`, the part of the value that
 * differs between work-items, plus a symbolic value (atom) for the rest. varying NULL: the value is
 * equal in all work-items of a group. array: for a pointer variable, the declaration of the array
 * into which it points; the polynomial is then its offset in the array. */
pm_poly pm_index_symbol_value(pm_reader *r, const pm_symbol *symbol, const pm_poly *varying,
                              pm_node *array);
/* Splits the polynomial e into divisor * quotient + rest with 0 <= rest < divisor. Returns false if
 * the known bounds of e's variables do not allow it. */
bool pm_index_divide(pm_reader *r, pm_poly e, long long divisor, pm_poly *quotient, pm_poly *rest);

/* ---- clamp.c */
/* Returns the polynomial for clamp(inner, least, most). least or most NULL: there is no bound on
 * that side. ordered: true if the result may be anything for least > most. */
pm_poly pm_index_clamp(pm_reader *r, const pm_poly *inner, const pm_poly *least,
                       const pm_poly *most, bool ordered);
/* Returns the value of a conditional expression that is either `bound` or `inner`, where `inner` is
 * already limited on the other side. An example is `v < least ? least : inner` with inner = min(v,
 * most). is_most: true if `bound` is the upper limit. Returns an unknown polynomial if `inner` has
 * no limit on the other side, or already has a limit on this side. */
pm_poly pm_index_choose(pm_reader *r, const pm_poly *inner, const pm_poly *bound, bool is_most);
/* Returns the clamp (an atom that is a minimum or maximum of a value and bounds) if the polynomial
 * consists of nothing else. Otherwise returns NULL. */
const pm_atom *pm_index_clamp_of(const pm_index *index, const pm_poly *value);
/* Returns true if comparing a and b in the source gives the same result as comparing the
 * mathematical integers. If the comparison is unsigned, a and b must not be negative. */
bool pm_index_compares(const pm_reader *r, bool is_unsigned, pm_poly a, pm_poly b);
/* Returns the value of min(a, b) or max(a, b). */
pm_poly pm_index_extreme(pm_reader *r, pm_poly a, pm_poly b, bool is_min);
/* Returns the value of clamp(value, least, most). */
pm_poly pm_index_limited(pm_reader *r, pm_poly value, pm_poly least, pm_poly most);
/* Returns the value of the conditional expression `condition ? yes : no` if it is the minimum or
 * maximum of two values, such as `a < b ? b : a`. Otherwise returns an unknown polynomial. less:
 * true if the condition is a < b; false if it is a > b. */
pm_poly pm_index_clamp_of_choice(pm_reader *r, const pm_poly *a, const pm_poly *b,
                                 const pm_poly *yes, const pm_poly *no, bool less);

/* ---- conversion.c */
/* Returns true if the type of node is narrower than int. Sets *low and *high to the range of its
 * values. */
bool pm_index_is_narrow(const pm_node *node, long long *low, long long *high);
/* Returns the value of an expression after conversion to the type of `node`. Overflow of types of
 * at least int's size is not modelled. */
pm_poly pm_index_converted(const pm_reader *r, const pm_node *node, pm_poly value);
/* Returns the last child of a node that is an expression. The child of a conversion is its
 * operand. */
pm_node *pm_index_last_expression(const pm_node *node);
/* Returns the expression with which a component of a vector is initialised. NULL: unknown. */
pm_node *pm_index_vector_part(pm_node *initializer, size_t component);

/* ---- operator.c */
/* Returns the value of the binary operator `node` if its operands have the values left and
 * right. */
pm_poly pm_index_operator_value(pm_reader *r, pm_frame *frame, pm_node *node, pm_poly left,
                                pm_poly right);
/* Returns a polynomial for the expression `node`, of which nothing is known but that it is at least
 * `low` and at most `high`. It is a symbolic value (atom). */
pm_poly pm_index_bounded(pm_reader *r, pm_frame *frame, pm_node *node, long long low,
                         long long high);

/* ---- loop.c */
/* Completes the description of a loop whose start, end and step are known: makes its end exclusive,
 * and adds a symbolic value (atom) for its variable. */
void pm_index_count_loop(pm_reader *r, const pm_frame *frame, const pm_head *head, pm_loop *loop);

/* ---- text.c */
void pm_index_write_texts(pm_reader *r, pm_frame *frame);

/* ---- value.c */
pm_poly pm_index_value(pm_reader *r, pm_frame *frame, pm_node *expression);
bool pm_index_constant(pm_reader *r, pm_frame *frame, pm_node *expression, long long *value);
/* Sets all members of *loop except `parent` and `jumps`, and adds a symbolic value (atom) for the
 * loop's variable. `atom` is PM_NO_ATOM if the loop does not have the form that pm_loop
 * requires. */
void pm_index_read_loop(pm_reader *r, pm_frame *frame, pm_head *head, pm_loop *loop);

/* ---- guard.c */
void pm_index_read_guards(pm_reader *r, pm_frame *frame);
/* Adds a guard (a condition that decides which work-items execute an access) for a conditional
 * statement in a helper function. Its condition is not analysed, so no inequalities are known to
 * follow from it. Returns the guard's index. */
size_t pm_index_helper_guard(pm_reader *r, pm_node *node);

/* ---- pointer.c */
pm_points pm_index_points(pm_reader *r, pm_frame *frame, pm_node *pointer);
pm_points pm_index_symbol_points(pm_reader *r, pm_frame *frame, const pm_symbol *symbol,
                                 const pm_node *use);

/* Adds `by` to the offsets of all possible targets of a pointer, or subtracts it if `back` is
 * true. */
void pm_index_move(pm_points *points, pm_poly by, bool back);

/* ---- access.c */
void pm_index_read_accesses(pm_reader *r, pm_frame *frame);

#endif
