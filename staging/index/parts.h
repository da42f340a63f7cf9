/* What the files that read a kernel's accesses share. See index.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A symbol is a variable or parameter of any function of the source. Its definitions are its
 * declaration and its changes. Helper functions are read once for each way to call them: a frame.
 */
#ifndef PM_STAGING_INDEX_PARTS_H
#define PM_STAGING_INDEX_PARTS_H

#include "source/clang/builtins.h"
#include "staging/index/index.h"

enum {
    PM_MOST_ATOMS = 4096,
    PM_MOST_ACCESSES = 4096,
    PM_MOST_FRAMES = 512,
    PM_MOST_FRAME_DEPTH = 8,
    PM_MOST_EVALUATION = 120, /* nested expressions and definitions */
    PM_MOST_POINTERS = 40,    /* the same of pointers */
    PM_MOST_TARGETS = 4,
    PM_MOST_ROUNDS = 64,
    PM_MOST_DIVISORS = 8,
    PM_MOST_MEMOS = 1 << 16,
    PM_MOST_GUARD_COUNT = 2048,
    PM_MOST_NODES = 1 << 17 /* of a kernel's source, without what OpenCL declares */
};

/* A place where a symbol gets another value. */
typedef struct {
    pm_node *node; /* operator; the & that makes it possible */
    size_t symbol, next;
    bool straight; /* a statement of the block that the symbol is declared in */
} pm_symbol_change;

typedef struct {
    pm_node *node;        /* VarDecl, ParmDecl */
    pm_node *function;    /* around it */
    pm_node *scope;       /* statement or function that it lives in */
    pm_node *initializer; /* NULL: none */
    size_t first_change;  /* in the order of the source; PM_NONE */
    size_t argument;      /* of a parameter: which */
    bool address;         /* is taken */
    bool uniform;         /* of the kernel's: all it ever gets is, in uniform control flow */
} pm_symbol;

/* A loop of any function, as its head reads. */
typedef struct {
    pm_node *node, *function;
    size_t symbol;           /* PM_NONE: its head is not the one of pm_loop */
    pm_node *start, *end;    /* expressions */
    pm_node *step;           /* NULL: 1 */
    bool inclusive, unequal; /* v <= end; v != end */
    bool divergent;          /* some work-items may leave an iteration early, or the loop */
    bool leaves;             /* or the loop */
    size_t down;             /* of `v > end`, `v--` as its own loop has it: v; PM_NONE */
} pm_head;

/* Where a pointer may point to. */
typedef struct {
    size_t array;
    pm_poly offset;
} pm_aim;

typedef struct {
    bool lost; /* it may point anywhere, or to memory that is no array's */
    size_t count;
    pm_aim to[PM_MOST_TARGETS];
} pm_points;

typedef struct {
    enum { PM_NOT_YET, PM_AT_WORK, PM_DONE } state;
    pm_poly value;
    pm_points *points; /* of a pointer */
} pm_memo;

/* A function as it is called in one place. */
typedef struct pm_frame pm_frame;
struct pm_frame {
    pm_frame *caller;  /* NULL: the kernel */
    pm_node *call;     /* in the caller */
    pm_node *function; /* its definition */
    size_t number, depth;
    size_t first_symbol, symbols, first_change, changes; /* of the function */
    pm_memo *memo;                                       /* by symbol, then by change */
    bool has_points;
};

typedef struct {
    const pm_ast *ast;
    pm_index *index;
    pm_index empty;    /* before anything is read */
    pm_memory *memory; /* of what all readings share; the rest is of the index' */
    size_t *symbol_of; /* by node */
    pm_symbol *symbols;
    size_t symbol_count;
    pm_symbol_change *changes;
    size_t change_count;
    pm_head *heads;
    size_t head_count;
    bool has_goto;
    pm_node *lambda; /* the first one; NULL: none. What is in it runs where it is called */
    /* The local ids are taken apart at these places: each divides the next, and the group's size.
     */
    size_t divisor_count[3];
    long long divisors[3][PM_MOST_DIVISORS];
    bool more_divisors; /* since the last reading */
    size_t depth;       /* of evaluation */
    size_t pointer_depth;
    bool too_deep;     /* some pointer could not be looked into */
    size_t memo_count; /* of all frames */
    size_t frame_count;
    pm_frame *frames[PM_MOST_FRAMES + 1];
    /* By atom: which frame it is of, and its key there. */
    size_t atom_frame[PM_MOST_ATOMS];
    pm_node *atom_key[PM_MOST_ATOMS];
} pm_reader;

/* ---- index.c */
/* The frame of a call of a function that the source defines; NULL: none, or too deep. */
pm_frame *pm_index_frame(pm_reader *r, pm_frame *caller, pm_node *call);

/* ---- symbol.c */
void pm_index_find_symbols(pm_reader *r);
pm_symbol *pm_index_symbol(const pm_reader *r, const pm_node *node); /* declaration, or its use */
/* Or constant memory. In CUDA, whose types do not say: any memory, of which more is not known than
 * where the arrays are. */
bool pm_points_to_global(const pm_reader *r, CXType type);
bool pm_points_to_array(const pm_reader *r, const pm_node *expression);
bool pm_is_comparison(enum CXBinaryOperatorKind kind);

/* ---- loop.c */
void pm_index_find_heads(pm_reader *r);
pm_head *pm_index_head_of(const pm_reader *r, const pm_node *loop);
/* The head of a symbol's loop whose body `use` is in; NULL: none. */
pm_head *pm_index_head(const pm_reader *r, const pm_symbol *symbol, const pm_node *use);
/* The atom of its variable; PM_NO_ATOM: it is not such a loop after all. */
size_t pm_index_loop_atom(pm_reader *r, pm_frame *frame, pm_head *head);
/* Bounds of a variable that its own loop counts down. */
void pm_index_bound_down(pm_reader *r, pm_frame *frame, const pm_symbol *symbol,
                         const pm_poly *value);
void pm_index_read_loops(pm_reader *r, pm_frame *frame);

/* ---- uniform.c */
void pm_index_find_uniform(pm_reader *r);
bool pm_index_uniform(const pm_reader *r, pm_node *expression);
/* Work-items come to node all or not at all, as far as that is decided below `top`. */
bool pm_index_controlled(const pm_reader *r, const pm_node *node, const pm_node *top);
/* Adds nothing but what is uniform to the symbol, if it changes it. */
bool pm_index_adds_uniform(const pm_reader *r, const pm_symbol_change *change);

/* ---- atom.c */
size_t pm_index_atom(pm_reader *r, const pm_atom *atom, const pm_frame *frame, pm_node *key);
pm_poly pm_index_local(pm_reader *r, unsigned dimension);
pm_poly pm_index_dimension(pm_reader *r, pm_atom_kind kind, unsigned dimension);
/* Of known polynomials; least or most may be NULL. ordered: least <= most, or there is no value. */
pm_poly pm_index_clamp(pm_reader *r, const pm_poly *inner, const pm_poly *least,
                       const pm_poly *most, bool ordered);
/* bound, or what inner clamps on its other side: which of them, what inner clamps says. Unknown if
 * inner is no clamp. */
pm_poly pm_index_choose(pm_reader *r, const pm_poly *inner, const pm_poly *bound, bool is_most);
/* The clamp that a value is and nothing else; NULL: it is none. */
const pm_atom *pm_index_clamp_of(const pm_index *index, const pm_poly *value);
/* Unknown, but within bounds. */
pm_poly pm_index_item(pm_reader *r, const pm_frame *frame, pm_node *node, long long low,
                      long long high);
/* An expression that is no polynomial, but uniform; unknown where no text says it. */
pm_poly pm_index_text_value(pm_reader *r, const pm_frame *frame, pm_node *node);
/* varying: by how much it differs; NULL: it does not. array: of a pointer, what it points into. */
pm_poly pm_index_symbol_value(pm_reader *r, const pm_symbol *symbol, const pm_poly *varying,
                              pm_node *array);
/* e = divisor * quotient + rest, 0 <= rest < divisor; false: not known. */
bool pm_index_divide(pm_reader *r, pm_poly e, long long divisor, pm_poly *quotient, pm_poly *rest);
/* ---- text.c */
void pm_index_write_texts(pm_reader *r, pm_frame *frame);

/* ---- value.c */
pm_poly pm_index_value(pm_reader *r, pm_frame *frame, pm_node *expression);
bool pm_index_constant(pm_reader *r, pm_frame *frame, pm_node *expression, long long *value);
/* What a value is in the type of node: wide types hold all that has a result. */
pm_poly pm_index_converted(const pm_reader *r, const pm_node *node, pm_poly value);

/* ---- call.c */
pm_poly pm_index_call_value(pm_reader *r, pm_frame *frame, pm_node *call);
pm_poly pm_index_id_value(pm_reader *r, pm_frame *frame, const pm_id *id);
pm_poly pm_index_choice_value(pm_reader *r, pm_frame *frame, pm_node *conditional);
/* ---- variable.c */
pm_poly pm_index_variable_value(pm_reader *r, pm_frame *frame, pm_node *use);
/* The last definition in front of a use that every work-item comes by: a change, or PM_NONE, the
 * declaration. alone: no other change is between. */
size_t pm_index_definition(const pm_reader *r, const pm_symbol *symbol, const pm_node *use,
                           bool *alone);
/* A change that is not in front of `since`, and may be what a use sees. */
bool pm_index_reaches(const pm_reader *r, size_t change, size_t since, const pm_node *use);
/* Every change that a use may see adds something uniform to what was there at `since`. */
bool pm_index_only_adds(const pm_reader *r, const pm_symbol *symbol, size_t since,
                        const pm_node *use);
/* No atom of it changes in the symbol's scope behind the definition at node. */
bool pm_index_is_stable(const pm_reader *r, pm_poly poly, const pm_symbol *symbol,
                        const pm_node *node);
pm_memo *pm_index_memo(pm_frame *frame, size_t symbol, size_t change);
pm_memo *pm_index_all(pm_frame *frame, size_t symbol);

/* ---- guard.c */
void pm_index_read_guards(pm_reader *r, pm_frame *frame);
/* Of something in a helper function that nothing more is known of. */
size_t pm_index_helper_guard(pm_reader *r, pm_node *node);

/* ---- pointer.c */
pm_points pm_index_points(pm_reader *r, pm_frame *frame, pm_node *pointer);
pm_points pm_index_symbol_points(pm_reader *r, pm_frame *frame, const pm_symbol *symbol,
                                 const pm_node *use);

/* Adds to all offsets. */
void pm_index_move(pm_points *points, pm_poly by, bool back);

/* ---- access.c */
void pm_index_read_accesses(pm_reader *r, pm_frame *frame);

#endif
