/* Internal declarations of the files that analyse a kernel's accesses. See index.h.
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
    PM_MOST_EVALUATION = 120, /* limit on nested evaluations of expressions and definitions */
    PM_MOST_POINTERS = 40,    /* limit on nested evaluations of pointers */
    PM_MOST_TARGETS = 4,
    PM_MOST_ROUNDS = 64,
    PM_MOST_DIVISORS = 8,
    PM_MOST_MEMOS = 1 << 16,
    PM_MOST_GUARD_COUNT = 2048,
    PM_MOST_NODES = 1 << 17 /* nodes of a kernel's source, without OpenCL's own declarations */
};

/* An assignment that changes a symbol. */
typedef struct {
    pm_node *node; /* the operator; or the & that lets other code change the symbol */
    size_t symbol, next;
    bool straight; /* the change is a direct statement of the block that declares the symbol */
} pm_symbol_change;

typedef struct {
    pm_node *node;        /* VarDecl, ParmDecl */
    pm_node *function;    /* enclosing function */
    pm_node *scope;       /* statement or function that limits the symbol's lifetime */
    pm_node *initializer; /* NULL: none */
    size_t first_change;  /* changes form a list in source order; PM_NONE: no change */
    size_t argument;      /* of a parameter: its position, from 0 */
    bool address;         /* its address is taken, or other code may change it */
    /* of a symbol in the kernel: all its values are uniform and are assigned in uniform control
     * flow */
    bool uniform;
} pm_symbol;

/* The head of a loop in any function. */
typedef struct {
    pm_node *node, *function;
    /* the loop's variable; PM_NONE: the head does not have the form of pm_loop */
    size_t symbol;
    pm_node *start, *end;    /* expressions */
    pm_node *step;           /* NULL: 1 */
    bool inclusive, unequal; /* the condition is v <= end (inclusive) or v != end (unequal) */
    bool divergent;          /* some work-items may end an iteration or the loop early */
    bool leaves;             /* some work-items may end the loop early */
    /* of a loop `v > end; v--`: its variable; PM_NONE: another kind of loop */
    size_t down;
} pm_head;

/* One possible target of a pointer: array and offset in elements. */
typedef struct {
    size_t array;
    pm_poly offset;
} pm_aim;

typedef struct {
    bool lost; /* the pointer may have an unknown target, or a target outside the arrays */
    size_t count;
    pm_aim to[PM_MOST_TARGETS];
} pm_points;

typedef struct {
    enum { PM_NOT_YET, PM_AT_WORK, PM_DONE } state;
    pm_poly value;
    pm_points *points; /* of a pointer: its targets */
} pm_memo;

/* A function, and the sequence of calls through which the kernel reaches it. */
typedef struct pm_frame pm_frame;
struct pm_frame {
    pm_frame *caller;  /* NULL: the kernel */
    pm_node *call;     /* call expression, in the caller */
    pm_node *function; /* definition of the function */
    size_t number, depth;
    /* ranges of the function's own symbols and changes */
    size_t first_symbol, symbols, first_change, changes;
    /* one per symbol, one per change, then one more per symbol (pm_index_all) */
    pm_memo *memo;
    bool has_points;
};

typedef struct {
    const pm_ast *ast;
    pm_index *index;
    pm_index empty;    /* initial state of `index`, for each new reading */
    pm_memory *memory; /* owns data that all readings share; other data is in index->memory */
    size_t *symbol_of; /* by number of a declaration: its symbol, or PM_NONE */
    pm_symbol *symbols;
    size_t symbol_count;
    pm_symbol_change *changes;
    size_t change_count;
    pm_head *heads;
    size_t head_count;
    bool has_goto;
    pm_node *lambda; /* first lambda expression; NULL: none. Its body executes where it is called */
    /* By dimension: local ids are split into digits at these divisors. Each divides the next one
     * and the work-group size. */
    size_t divisor_count[3];
    long long divisors[3][PM_MOST_DIVISORS];
    /* a divisor was added since the last reading, so the kernel must be read again */
    bool more_divisors;
    size_t depth; /* current nesting of evaluations */
    size_t pointer_depth;
    bool too_deep;     /* nesting limit reached: the targets of some pointer are unknown */
    size_t memo_count; /* total over all frames */
    size_t frame_count;
    pm_frame *frames[PM_MOST_FRAMES + 1];
    /* By atom: the frame it belongs to, and its key in that frame. */
    size_t atom_frame[PM_MOST_ATOMS];
    pm_node *atom_key[PM_MOST_ATOMS];
} pm_reader;

/* ---- frame.c */
pm_frame *pm_index_kernel_frame(pm_reader *r);
/* Returns the frame for a call of a function that the source defines. Returns NULL if it has no
 * definition, or if a limit on frames is reached. */
pm_frame *pm_index_frame(pm_reader *r, pm_frame *caller, pm_node *call);
/* Returns the frame's entry for the value of a symbol after the change with index `change`.
 * PM_NONE: the value after the symbol's declaration. */
pm_memo *pm_index_memo(pm_frame *frame, size_t symbol, size_t change);
/* Returns the frame's entry for the union of all values that the symbol may have in its lifetime.
 */
pm_memo *pm_index_all(pm_frame *frame, size_t symbol);

/* ---- symbol.c */
void pm_index_find_symbols(pm_reader *r);
/* Returns the symbol of a node, which is a declaration or an expression that names it. */
pm_symbol *pm_index_symbol(const pm_reader *r, const pm_node *node);
/* Returns true if the type points to global or constant memory. CUDA's types do not say to
 * which memory a pointer points, so the result is true for every pointer in CUDA. */
bool pm_points_to_global(const pm_reader *r, CXType type);
bool pm_points_to_array(const pm_reader *r, const pm_node *expression);
bool pm_is_comparison(enum CXBinaryOperatorKind kind);

/* ---- head.c */
void pm_index_find_heads(pm_reader *r);
pm_head *pm_index_head_of(const pm_reader *r, const pm_node *loop);
/* Returns the head of the loop that has the symbol as its variable and `use` in its body; NULL:
 * none. */
pm_head *pm_index_head(const pm_reader *r, const pm_symbol *symbol, const pm_node *use);

/* ---- definition.c */
/* Returns the last definition before `use` that every work-item executes: a change, or PM_NONE for
 * the declaration. *alone is set if no other change may reach the use. */
size_t pm_index_definition(const pm_reader *r, const pm_symbol *symbol, const pm_node *use,
                           bool *alone);
/* Returns true if the change comes after `since` and its value may reach the use. */
bool pm_index_reaches(const pm_reader *r, size_t change, size_t since, const pm_node *use);
/* Returns true if every change after `since` that may reach the use only adds uniform numbers. */
bool pm_index_only_adds(const pm_reader *r, const pm_symbol *symbol, size_t since,
                        const pm_node *use);
/* Returns true if no atom of the polynomial changes in the symbol's scope after the definition at
 * node. */
bool pm_index_is_stable(const pm_reader *r, pm_poly poly, const pm_symbol *symbol,
                        const pm_node *node);

/* ---- uniform.c */
void pm_index_find_uniform(pm_reader *r);
bool pm_index_uniform(const pm_reader *r, pm_node *expression);
/* Returns true if all conditions between node and top are uniform. Then either all work-items that
 * reach top reach node, or none. */
bool pm_index_controlled(const pm_reader *r, const pm_node *node, const pm_node *top);
/* Returns true if the change only adds a uniform number to the symbol. */
bool pm_index_adds_uniform(const pm_reader *r, const pm_symbol_change *change);

/* ---- atom.c */
size_t pm_index_atom(pm_reader *r, const pm_atom *atom, const pm_frame *frame, pm_node *key);
pm_poly pm_index_local(pm_reader *r, unsigned dimension);
pm_poly pm_index_dimension(pm_reader *r, pm_atom_kind kind, unsigned dimension);
/* Returns the value of an id, or of a work-group size, in a dimension. */
pm_poly pm_index_id_value(pm_reader *r, const pm_id *id, long long dimension);
/* Returns an atom for an unknown integer that `node` evaluates to, within [low, high]. */
pm_poly pm_index_item(pm_reader *r, const pm_frame *frame, pm_node *node, long long low,
                      long long high);
/* Returns an atom for a uniform expression that is not a polynomial. The expression's source code
 * becomes the atom's operand. Returns an unknown polynomial if this code cannot be used, for
 * example because it is in a macro. */
pm_poly pm_index_text_value(pm_reader *r, const pm_frame *frame, pm_node *node);
/* Atom for the value of a symbol. varying: the part that differs between work-items; NULL: none.
 * array: of a pointer, the array that it points into. */
pm_poly pm_index_symbol_value(pm_reader *r, const pm_symbol *symbol, const pm_poly *varying,
                              pm_node *array);
/* Divides: e = divisor * quotient + rest with 0 <= rest < divisor. Returns false if this is not
 * possible with the known bounds. */
bool pm_index_divide(pm_reader *r, pm_poly e, long long divisor, pm_poly *quotient, pm_poly *rest);

/* ---- clamp.c */
/* Clamp of known polynomials. least or most may be NULL: no bound on that side. ordered: the result
 * is undefined unless least <= most. */
pm_poly pm_index_clamp(pm_reader *r, const pm_poly *inner, const pm_poly *least,
                       const pm_poly *most, bool ordered);
/* Value of a conditional expression that selects between `inner` and `bound`. `inner` must be a
 * clamp that has no bound on this side. is_most: `bound` is the upper bound. Unknown if `inner` is
 * no such clamp. */
pm_poly pm_index_choose(pm_reader *r, const pm_poly *inner, const pm_poly *bound, bool is_most);
/* Returns the clamp atom if the value is exactly one clamp; NULL: it is not. */
const pm_atom *pm_index_clamp_of(const pm_index *index, const pm_poly *value);
/* Returns true if comparing a and b gives the mathematical result. Operands of an unsigned
 * comparison must not be negative. */
bool pm_index_compares(const pm_reader *r, bool is_unsigned, pm_poly a, pm_poly b);
/* Value of min(a, b) or max(a, b). */
pm_poly pm_index_extreme(pm_reader *r, pm_poly a, pm_poly b, bool is_min);
/* Value of clamp(value, least, most). */
pm_poly pm_index_limited(pm_reader *r, pm_poly value, pm_poly least, pm_poly most);
/* Value of a conditional expression such as `a < b ? b : (a clamped above)`. less: the condition is
 * a < b, otherwise a > b. */
pm_poly pm_index_clamp_of_choice(pm_reader *r, const pm_poly *a, const pm_poly *b,
                                 const pm_poly *yes, const pm_poly *no, bool less);

/* ---- conversion.c */
/* Returns true if the type is narrower than int, and sets its range. */
bool pm_index_is_narrow(const pm_node *node, long long *low, long long *high);
/* Value after conversion to the type of node. Overflow of wide types is not modelled. */
pm_poly pm_index_converted(const pm_reader *r, const pm_node *node, pm_poly value);
/* Returns the last child that is an expression: the operand of a conversion. */
pm_node *pm_index_last_expression(const pm_node *node);
/* Returns the expression that initialises a component of a vector; NULL: unknown. */
pm_node *pm_index_vector_part(pm_node *initializer, size_t component);

/* ---- operator.c */
/* Value of the binary operator `node` with these operands. */
pm_poly pm_index_operator_value(pm_reader *r, pm_frame *frame, pm_node *node, pm_poly left,
                                pm_poly right);
/* Value of an expression of which only the bounds are known. */
pm_poly pm_index_bounded(pm_reader *r, pm_frame *frame, pm_node *node, long long low,
                         long long high);

/* ---- loop.c */
/* Completes a loop whose start, end and step are known: its end becomes exclusive, and the atom of
 * its variable is added. */
void pm_index_count_loop(pm_reader *r, const pm_frame *frame, const pm_head *head, pm_loop *loop);

/* ---- text.c */
void pm_index_write_texts(pm_reader *r, pm_frame *frame);

/* ---- value.c */
pm_poly pm_index_value(pm_reader *r, pm_frame *frame, pm_node *expression);
bool pm_index_constant(pm_reader *r, pm_frame *frame, pm_node *expression, long long *value);
/* Fills *loop except parent and jumps, and creates the loop's atom. The atom is PM_NO_ATOM if
 * start, end or step are not as pm_loop requires. */
void pm_index_read_loop(pm_reader *r, pm_frame *frame, pm_head *head, pm_loop *loop);

/* ---- guard.c */
void pm_index_read_guards(pm_reader *r, pm_frame *frame);
/* Adds a guard for a conditional statement in a helper function, about which nothing else is known.
 */
size_t pm_index_helper_guard(pm_reader *r, pm_node *node);

/* ---- pointer.c */
pm_points pm_index_points(pm_reader *r, pm_frame *frame, pm_node *pointer);
pm_points pm_index_symbol_points(pm_reader *r, pm_frame *frame, const pm_symbol *symbol,
                                 const pm_node *use);

/* Adds `by` to all offsets; subtracts it if `back`. */
void pm_index_move(pm_points *points, pm_poly by, bool back);

/* ---- access.c */
void pm_index_read_accesses(pm_reader *r, pm_frame *frame);

#endif
