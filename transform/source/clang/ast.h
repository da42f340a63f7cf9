/* The syntax tree of a source, on which analyses and rewriting work. Only this directory calls
 * libclang.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree leaves out declarations of system headers (OpenCL's own, CUDA's prelude). It also leaves
 * out the bodies of function templates, because they have no types; instances.h writes them out as
 * functions. A CUDA source's tree gets the shape of OpenCL C's where both languages mean the same
 * (cplusplus.c).
 */
#ifndef PM_TRANSFORM_SOURCE_CLANG_AST_H
#define PM_TRANSFORM_SOURCE_CLANG_AST_H

#include <clang-c/Index.h>

#include "base/memory.h"
#include "base/text.h"

typedef struct pm_node pm_node;
struct pm_node {
    CXCursor cursor;
    enum CXCursorKind kind;
    enum CXBinaryOperatorKind binary; /* Invalid: the node is no binary operator */
    enum CXUnaryOperatorKind unary;   /* Invalid: the node is no unary operator */
    CXType type;                      /* canonical type */
    /* name of a declaration, member, variable or callee; "": none */
    const char *name;
    pm_node *parent, *first, *last, *next;
    pm_node *declaration; /* declaration that is named or called; NULL: a builtin, or nothing */
    pm_node *definition;  /* definition of a function; NULL: none in the source */
    pm_node *initializer; /* initializer of a variable; NULL: none */
    bool is_kernel;
    /* Offsets in the text. If the node begins or ends in a macro's expansion, they are those of the
     * macro's use. */
    size_t begin, end;
    bool in_main; /* true if the node is in the text itself and not in an included file */
    /* True if the characters at `begin` and before `end` belong to the node itself and not to a
     * macro's use. A node inside one macro argument is its own text if all of it is in the
     * argument. */
    bool begins_clean, ends_clean;
    bool in_argument; /* true if the node is in a macro argument */
    bool ordered;     /* true if its descendants follow each other in the text without overlap */
    size_t number;    /* index among all nodes in the order of the text */
    size_t behind;    /* index of the first node after all its descendants */
};

typedef struct {
    size_t begin, end;
} pm_range;

typedef struct {
    const char *text;
    size_t length;
    bool is_cuda, has_templates;
    pm_memory memory; /* owns everything with the tree's lifetime */
    CXIndex index;
    CXTranslationUnit unit;
    CXFile file;
    pm_node *root;
    size_t count;       /* number of nodes */
    pm_node **nodes;    /* nodes by index */
    pm_node **declared; /* hash table of declarations; its capacity is a power of two */
    size_t declared_count, declared_room;
    pm_range *uses;    /* uses of macros in the text, sorted by begin */
    size_t *use_ends;  /* ends of the uses, sorted */
    size_t *use_reach; /* per use: largest end among it and the uses before it */
    size_t use_count;
    pm_range *own_uses; /* uses of OpenCL's macros, which are treated as functions and constants */
    size_t own_count;
} pm_ast;

/* Input of a parse. */
typedef struct {
    const char *text, *path;
    /* text for clang, of the same length as `text`; blanks replace the parts to hide; NULL: text */
    const char *parsed;
    const pm_named_text *headers; /* headers by path, given to clang as text in place of files */
    size_t header_count;
    /* arguments of clang without the path; the second one names the language */
    const char *const *arguments;
    size_t argument_count;
    /* precompiled prelude of CUDA sources; NULL: the prelude is parsed again */
    struct pm_prelude *prelude;
    bool templates; /* include the bodies of function templates in the tree */
} pm_parse_request;

/* Parses a text, which must outlive the tree. PM_BAD_INPUT: the source does not compile; the
 * message is clang's first error with its location. */
pm_status pm_ast_parse(pm_ast *ast, const pm_parse_request *request, pm_error *err);
void pm_ast_free(pm_ast *ast); /* frees the members of ast */

/* Visits a node and its descendants in the order of the text. */
#define PM_EACH_NODE(ast, top, node)                                                               \
    for (pm_node *const *node##_at = (ast)->nodes + (top)->number, *node;                          \
         node##_at < (ast)->nodes + (top)->behind && (node = *node##_at); node##_at++)

/* Returns the node of a declaration; NULL: it has none. */
pm_node *pm_ast_find(const pm_ast *ast, CXCursor cursor);
/* Returns the function that a call calls: its definition, else its declaration. NULL: a builtin. */
pm_node *pm_ast_called(const pm_node *call);
pm_node *pm_ast_callee(const pm_node *call);                      /* its definition; NULL: none */
pm_node *pm_ast_argument(const pm_node *call, size_t index);      /* NULL: there are fewer */
pm_node *pm_ast_parameter(const pm_node *function, size_t index); /* NULL: there are fewer */
size_t pm_ast_parameter_index(const pm_node *parameter);
pm_node *pm_ast_body(const pm_node *function); /* NULL: no body */
/* Returns the head of a function as clang prints it, in memory. */
char *pm_ast_head(const pm_node *function, pm_memory *memory);

/* Returns the node without enclosing parentheses. */
pm_node *pm_ast_bare(const pm_node *node);
/* Returns the node without parentheses and implicit conversions (CXCursor_UnexposedExpr with one
 * child at the same position). */
pm_node *pm_ast_strip(const pm_node *node);
/* Returns the nearest ancestor that is neither parentheses nor an implicit conversion. *child gets
 * its child that contains the node. */
pm_node *pm_ast_user(pm_node *node, pm_node **child);
pm_node *pm_ast_child(const pm_node *node, size_t index); /* NULL: there are fewer */
size_t pm_ast_children(const pm_node *node);
bool pm_ast_is_kernel_template(const pm_node *node);
pm_node *pm_ast_ancestor(pm_node *node, enum CXCursorKind kind); /* NULL: none */
/* true also if both are the same */
bool pm_ast_is_within(const pm_node *inner, const pm_node *outer);
bool pm_is_one_of(const pm_node *const *list, size_t count, const pm_node *wanted);

bool pm_is_loop(const pm_node *node);
/* Returns whether the node is an assignment, ++ or --. */
bool pm_changes_operand(const pm_node *node);
/* Returns whether the node is && or ||, which may skip their right operand. */
bool pm_is_lazy(const pm_node *node);
/* Returns the negated comparison, such as < for >=. Invalid: kind is no comparison. */
enum CXBinaryOperatorKind pm_opposite(enum CXBinaryOperatorKind kind);
/* Returns the operator as written, such as < or ==, in memory. */
char *pm_operator_text(enum CXBinaryOperatorKind kind, pm_memory *memory);
/* Returns whether the node is ++ or --. */
bool pm_is_step(const pm_node *node);

/* Returns the declaration whose own memory contains an lvalue, or another declaration that it
 * names. NULL: the lvalue is accessed through a pointer. */
pm_node *pm_ast_owner(const pm_node *lvalue);
/* Returns the index of the vector component that `.x`, `.s0` and so on select. */
size_t pm_ast_component(const pm_ast *ast, const pm_node *node);
#define PM_NO_COMPONENT ((size_t)-1) /* several components, or unknown */

/* ---- cplusplus.c: of CUDA sources */

/* Changes a CUDA source's tree: C++ casts and operators that OpenCL C has too become the C nodes. A
 * copy constructor becomes a conversion. A constructor without arguments is removed. Any other
 * constructor becomes an unknown expression. */
void pm_cplusplus_plain(pm_ast *ast);
/* Returns the node that makes a struct more than its data members, or NULL. stays false: the struct
 * is copied member by member, so anything that a C struct cannot have counts. *what describes the
 * node. */
const pm_node *pm_ast_more_than_c(const pm_node *declaration, bool stays, const char **what);
/* Returns the type of the reference (parameter, variable or result) to which an expression is
 * bound. Invalid: none. */
CXType pm_ast_reference(const pm_node *expression);
/* Returns a function or class template whose text contains the name, because templates are not
 * analysed. NULL: none. */
const pm_node *pm_ast_template_naming(const pm_ast *ast, const char *name);
/* Returns whether a node that is bound to a reference refers to this operand. */
bool pm_ast_passes_on(const pm_node *node, const pm_node *operand);
/* Returns whether the expression is bound to a reference that can be written through. */
bool pm_ast_is_handed_out(const pm_node *expression);
/* Returns whether the expression is threadIdx or another index variable of CUDA. */
bool pm_is_cuda_index(const pm_node *expression);
/* Returns whether the type is float4 or another vector of CUDA, which is a struct there. */
bool pm_type_is_cuda_vector(CXType type);

/* ---- pointers.c */

/* Finds the pointer that an lvalue dereferences: p in *p, p[i], i[p] and p->x. *index gets i or
 * NULL. For an element of an array, *pointer is the array. Returns false if the lvalue dereferences
 * nothing. */
bool pm_ast_dereference(const pm_node *node, pm_node **pointer, pm_node **index);

/* The origin of a pointer expression. */
typedef struct {
    enum {
        PM_ORIGIN_UNKNOWN,
        PM_ORIGIN_VARIABLE, /* a variable, named by pointer */
        PM_ORIGIN_POINTER,  /* pointer plus number */
        PM_ORIGIN_CHOICE    /* conditional: pointer or other */
    } kind;
    /* POINTER: other is the expression that is assigned to it; NULL: none */
    pm_node *pointer, *other;
    pm_node *number; /* offset; NULL: 0 */
    bool back;       /* the offset is subtracted */
    bool converted;  /* there was a conversion, perhaps to another type */
} pm_origin;
pm_origin pm_ast_origin(const pm_node *pointer);

/* ---- types */

/* clang's LangAS. */
enum { PM_SPACE_GLOBAL = 1, PM_SPACE_LOCAL = 2, PM_SPACE_CONSTANT = 3 };

bool pm_type_is_array(CXType type);
bool pm_type_is_vector(CXType type); /* also vectors of CUDA, which are structs */
bool pm_is_integer(const pm_node *expression);
bool pm_is_unsigned(const pm_node *expression);
/* Returns the type that a pointer points to, or an array's element type. Invalid: the type is
 * neither. */
CXType pm_type_pointee(CXType type);
/* Returns the type without qualifiers, as OpenCL C spells it, in memory. */
char *pm_type_text(CXType type, pm_memory *memory);
char *pm_declared_type_text(const pm_node *declaration, pm_memory *memory);
/* Evaluates an integer constant expression. Returns false if it is none. */
bool pm_ast_evaluate(const pm_node *expression, long long *value);

/* Returns the line, with #line directives applied. *column gets the column; column may be NULL. */
unsigned pm_ast_line(const pm_node *node, unsigned *column);
unsigned pm_ast_last_line(const pm_node *node);

/* ---- places.c */

/* Set begin and end of a node in the text. pm_place_begin is called before the node has its
 * children, pm_place_end after. */
void pm_place_begin(const pm_ast *ast, pm_node *node);
void pm_place_end(const pm_ast *ast, pm_node *node);
/* Records a macro's use if it is in the text. */
void pm_place_add_use(pm_ast *ast, CXCursor use);
/* Returns whether text has a comma outside of all parentheses. */
bool pm_has_comma(const char *text);
/* Sorts the uses. Call it after all uses are recorded. */
void pm_place_sort(pm_ast *ast);
/* Finds the text of an expression that is an index, an argument or a right-hand side. Returns false
 * if a part of it comes from another file, or from a macro that contains more than this expression.
 */
bool pm_ast_piece(const pm_ast *ast, const pm_node *node, pm_range *piece);
/* Returns whether all text of the node is in the source itself. */
bool pm_ast_is_own(const pm_node *node);
/* Returns whether `text` can replace the node's text. */
bool pm_ast_is_replaceable(const pm_node *node, const char *text);
/* Returns the offset after the ';' of an expression statement; else the node's end. */
size_t pm_ast_statement_end(const pm_ast *ast, const pm_node *node);

/* ---- */

/* Returns "path:line: reason" for a node, in memory. */
char *pm_ast_reason(pm_memory *memory, const pm_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Raises PM_BAD_INPUT with that message. */
_Noreturn void pm_ast_refuse(pm_memory *memory, const pm_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
