/* Syntax tree of a kernel source, made from libclang's syntax tree. Analyses and rewriting work on
 * it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree leaves out declarations of system headers (OpenCL's built-in functions, and the prelude
 * that declares CUDA's). It also leaves out the bodies of function templates, because they have no
 * types; instances.h writes their instances as functions. Where CUDA and OpenCL C mean the same, a
 * CUDA source's tree gets the shape of OpenCL C's (cplusplus.c).
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
    /* operator of a binary expression; CXBinaryOperator_Invalid if the node is no binary
     * expression */
    enum CXBinaryOperatorKind binary;
    /* operator of a unary expression; CXUnaryOperator_Invalid if the node is no unary expression */
    enum CXUnaryOperatorKind unary;
    CXType type; /* canonical type of the expression or declaration */
    /* name of the declaration, member, variable or called function; "": none */
    const char *name;
    pm_node *parent, *first, *last, *next;
    /* declaration of the named variable or called function; NULL: the function is a builtin, or the
     * node names nothing */
    pm_node *declaration;
    pm_node *definition;  /* definition of a function; NULL: the source does not define it */
    pm_node *initializer; /* initializer of a variable; NULL: none */
    bool is_kernel;
    /* Offsets of the node in the text. If it begins or ends in the expansion of a macro, the offset
     * is the position of the macro's use. */
    size_t begin, end;
    bool in_main; /* true if the node is in the text itself and not in an included file */
    /* begins_clean: true if the node's first token is written in the text itself and does not come
     * from a macro's body. ends_clean: the same for its last token. A node that lies completely in
     * one argument of a macro counts as written in the text. */
    bool begins_clean, ends_clean;
    bool in_argument; /* true if the node is in an argument of a macro */
    /* true if the node's descendants follow one another in the text and do not overlap; this is not
     * so for some uses of macros */
    bool ordered;
    size_t number; /* index of the node among all nodes, in the order of the text */
    /* index of the first node after this node and all its descendants, in the order of the text */
    size_t behind;
};

typedef struct {
    size_t begin, end;
} pm_range;

typedef struct {
    const char *text;
    size_t length;
    bool is_cuda, has_templates;
    pm_memory memory; /* memory of the tree's nodes and lists */
    CXIndex index;
    CXTranslationUnit unit;
    CXFile file;
    pm_node *root;
    size_t count;    /* number of nodes */
    pm_node **nodes; /* nodes by index */
    /* hash table of declaration nodes by cursor; its capacity `declared_room` is a power of two */
    pm_node **declared;
    size_t declared_count, declared_room;
    pm_range *uses;    /* positions of the source's macro uses in the text, sorted by begin */
    size_t *use_ends;  /* ends of the macro uses in `uses`, sorted */
    size_t *use_reach; /* use_reach[u]: largest end among uses[0] ... uses[u] */
    size_t use_count;
    /* uses of macros of OpenCL's header, such as INFINITY; they are treated as functions and
     * constants */
    pm_range *own_uses;
    size_t own_count;
} pm_ast;

/* Input for parsing a source: its text, headers, and clang's arguments. */
typedef struct {
    const char *text, *path;
    /* Text that clang parses instead of `text`. It has the same length, and blanks in place of code
     * that clang cannot parse. NULL: clang parses `text`. */
    const char *parsed;
    /* included headers by path; clang gets these texts and does not read files */
    const pm_named_text *headers;
    size_t header_count;
    /* command-line arguments of clang, without the program's path; the second one is the
     * language */
    const char *const *arguments;
    size_t argument_count;
    /* precompiled header with CUDA's builtin declarations; NULL: clang parses this header's text
     * each time */
    struct pm_prelude *prelude;
    bool templates; /* true: the tree has the bodies of function templates */
} pm_parse_request;

/* Parses a text, which must outlive the tree. PM_BAD_INPUT if the source does not compile; the
 * message is clang's first error with its location. */
pm_status pm_ast_parse(pm_ast *ast, const pm_parse_request *request, pm_error *err);
void pm_ast_free(pm_ast *ast); /* frees the members of ast */

/* Visits a node and its descendants in the order of the text. */
#define PM_EACH_NODE(ast, top, node)                                                               \
    for (pm_node *const *node##_at = (ast)->nodes + (top)->number, *node;                          \
         node##_at < (ast)->nodes + (top)->behind && (node = *node##_at); node##_at++)

/* Returns the node of the declaration at a cursor. NULL: the tree has no node for it. */
pm_node *pm_ast_find(const pm_ast *ast, CXCursor cursor);
/* Returns the function that a call calls: its definition or, if the source does not define it, its
 * declaration. Returns NULL for a builtin function. */
pm_node *pm_ast_called(const pm_node *call);
/* Returns the definition of the function that a call calls. NULL: the source does not define it. */
pm_node *pm_ast_callee(const pm_node *call);
/* Returns argument number `index` of a call. NULL: the call has fewer arguments. */
pm_node *pm_ast_argument(const pm_node *call, size_t index);
/* Returns parameter number `index` of a function. NULL: the function has fewer parameters. */
pm_node *pm_ast_parameter(const pm_node *function, size_t index);
size_t pm_ast_parameter_index(const pm_node *parameter);
pm_node *pm_ast_body(const pm_node *function); /* NULL: the function has no body */
/* Returns the text of a function's head (result type, name and parameters), as clang prints it,
 * allocated in `memory`. */
char *pm_ast_head(const pm_node *function, pm_memory *memory);

/* Returns the expression inside of all parentheses around it. Returns `node` itself if it is no
 * expression in parentheses. */
pm_node *pm_ast_bare(const pm_node *node);
/* Returns the expression inside of parentheses and implicit conversions. libclang shows an implicit
 * conversion as a CXCursor_UnexposedExpr with one child at the same position. */
pm_node *pm_ast_strip(const pm_node *node);
/* Returns the nearest ancestor of a node that is neither parentheses nor an implicit conversion.
 * *child gets the child of this ancestor that contains the node. */
pm_node *pm_ast_user(pm_node *node, pm_node **child);
/* Returns child number `index` of a node. NULL: the node has fewer children. */
pm_node *pm_ast_child(const pm_node *node, size_t index);
size_t pm_ast_children(const pm_node *node);
bool pm_ast_is_kernel_template(const pm_node *node);
/* Returns the innermost node of this kind that is `node` or contains it. NULL: there is none. */
pm_node *pm_ast_ancestor(pm_node *node, enum CXCursorKind kind);
/* Returns whether `inner` is `outer` or one of its descendants. */
bool pm_ast_is_within(const pm_node *inner, const pm_node *outer);
bool pm_is_one_of(const pm_node *const *list, size_t count, const pm_node *wanted);

bool pm_is_loop(const pm_node *node);
/* Returns whether the node is an assignment, ++ or --, which changes its operand. */
bool pm_changes_operand(const pm_node *node);
/* Returns whether the node is && or ||, which may skip the evaluation of the right operand. */
bool pm_is_lazy(const pm_node *node);
/* Returns the comparison operator that is true exactly if `kind` is false, such as < for >=.
 * Returns CXBinaryOperator_Invalid if `kind` is no comparison. */
enum CXBinaryOperatorKind pm_opposite(enum CXBinaryOperatorKind kind);
/* Returns the text of an operator, such as < or ==, allocated in `memory`. */
char *pm_operator_text(enum CXBinaryOperatorKind kind, pm_memory *memory);
/* Returns whether the node is ++ or --. */
bool pm_is_step(const pm_node *node);

/* Returns the declaration of the variable that contains the memory of the lvalue, such as `s` for
 * s.a[3]. Returns NULL if the lvalue is accessed through a pointer. */
pm_node *pm_ast_owner(const pm_node *lvalue);
/* Returns the index of the vector component that a selection such as v.x or v.s0 selects. Returns
 * PM_NO_COMPONENT if it selects several components or its component is unknown. */
size_t pm_ast_component(const pm_ast *ast, const pm_node *node);
/* result of pm_ast_component if there is no single, known component of a vector */
#define PM_NO_COMPONENT ((size_t)-1)

/* ---- cplusplus.c: C++ in CUDA sources ---- */

/* Simplifies the tree of a CUDA source, so that its nodes are those of C. C++ casts, and operators
 * that OpenCL C also has, become C nodes. A copy constructor becomes a conversion. A constructor
 * call without arguments is removed. Any other constructor call becomes an unknown expression. */
void pm_cplusplus_plain(pm_ast *ast);
/* Searches the declaration of a struct for something that C does not have and that prevents a
 * rewrite of the struct, such as a base class. Returns its node, and a description in *what; NULL:
 * there is none. stays: true if the struct's layout does not change. Then only base classes and
 * virtual functions count; otherwise constructors, destructors, assignment operators and members
 * that are not public count, too. */
const pm_node *pm_ast_more_than_c(const pm_node *declaration, bool stays, const char **what);
/* Returns the reference type of the parameter, variable or function result to which an expression
 * is bound. Returns a type of kind CXType_Invalid if the expression is not bound to a reference. */
CXType pm_ast_reference(const pm_node *expression);
/* Returns a function template or class template of the source whose text contains the identifier
 * `name`. The bodies of templates are not analysed, so callers report an error in this case.
 * Returns NULL if no template contains it. */
const pm_node *pm_ast_template_naming(const pm_ast *ast, const char *name);
/* node: an expression with the operand `operand`. Returns whether a C++ reference that is bound to
 * the expression refers to the operand, as for the operands of a comma or of a conditional
 * expression. */
bool pm_ast_passes_on(const pm_node *node, const pm_node *operand);
/* Returns whether the expression is bound to a non-const reference, through which it can be
 * written. */
bool pm_ast_is_handed_out(const pm_node *expression);
/* Returns whether the expression is threadIdx or another index variable of CUDA. */
bool pm_is_cuda_index(const pm_node *expression);
/* Returns whether the type is a CUDA vector type such as float4, which CUDA declares as a
 * struct. */
bool pm_type_is_cuda_vector(CXType type);

/* ---- pointers.c */

/* Finds the pointer that an lvalue dereferences: p in *p, p[i], i[p] and p->x. *index gets i, or
 * NULL if there is no i. If the lvalue is an element of an array variable, *pointer is the array.
 * Returns false if the lvalue dereferences no pointer. */
bool pm_ast_dereference(const pm_node *node, pm_node **pointer, pm_node **index);

/* Origin of a pointer expression: the variable, or the other pointer and offset, from which it is
 * computed. */
typedef struct {
    enum {
        PM_ORIGIN_UNKNOWN,
        PM_ORIGIN_VARIABLE, /* the value of a variable, which `pointer` names */
        PM_ORIGIN_POINTER,  /* the value is `pointer` plus `number` */
        PM_ORIGIN_CHOICE    /* a conditional expression with the values `pointer` and `other` */
    } kind;
    /* `other`, for kind POINTER: the right side if the expression is an assignment `pointer =
     * other`; NULL: it is no assignment */
    pm_node *pointer, *other;
    pm_node *number; /* offset that is added to `pointer`; NULL: 0 */
    bool back;       /* true: the offset is subtracted */
    /* true: the expression is a conversion of `pointer`, perhaps to a pointer to another type */
    bool converted;
} pm_origin;
pm_origin pm_ast_origin(const pm_node *pointer);

/* ---- types */

/* Numbers of address spaces in clang's types (enum LangAS of clang). */
enum { PM_SPACE_GLOBAL = 1, PM_SPACE_LOCAL = 2, PM_SPACE_CONSTANT = 3 };

bool pm_type_is_array(CXType type);
bool pm_type_is_vector(CXType type); /* true also for CUDA's vector types, which are structs */
bool pm_is_integer(const pm_node *expression);
bool pm_is_unsigned(const pm_node *expression);
/* Returns the type that a pointer points to, or the element type of an array. Invalid: the type is
 * neither a pointer nor an array. */
CXType pm_type_pointee(CXType type);
/* Returns a type's name without qualifiers, as OpenCL C spells it, allocated in `memory`. */
char *pm_type_text(CXType type, pm_memory *memory);
char *pm_declared_type_text(const pm_node *declaration, pm_memory *memory);
/* Evaluates an integer constant expression at compile time. Returns false if the expression is not
 * constant. */
bool pm_ast_evaluate(const pm_node *expression, long long *value);

/* Returns the source line of a node, which #line directives may change. *column gets the column;
 * column may be NULL. */
unsigned pm_ast_line(const pm_node *node, unsigned *column);
unsigned pm_ast_last_line(const pm_node *node);

/* ---- places.c */

/* pm_place_begin sets `begin` of a node, the offset of its first token in the text; call it before
 * the node gets its children. pm_place_end sets `end`, the offset after its last token, and whether
 * macros make these tokens; call it when the node has its children. */
void pm_place_begin(const pm_ast *ast, pm_node *node);
void pm_place_end(const pm_ast *ast, pm_node *node);
/* Records a use of a macro, if the use is in the text and not in another file. */
void pm_place_add_use(pm_ast *ast, CXCursor use);
/* Returns whether the text has a comma outside of all parentheses. A text with a comma cannot
 * replace an argument of a macro. */
bool pm_has_comma(const char *text);
/* Sorts the recorded macro uses by position. Call this function when all uses were recorded. */
void pm_place_sort(pm_ast *ast);
/* Finds the range of text of an expression that is an array index, an argument of a call, or the
 * right-hand side of an assignment. Returns false if some text of the expression is in another
 * file, or comes from a macro that also makes other code. */
bool pm_ast_piece(const pm_ast *ast, const pm_node *node, pm_range *piece);
/* Returns whether all text of the node is in the source itself, and not in a macro or another
 * file. */
bool pm_ast_is_own(const pm_node *node);
/* Returns whether `text` can replace the node's text in the source. It cannot if a macro or another
 * file contains the node's text. It also cannot if the node is in an argument of a macro and `text`
 * has a comma that would end this argument. */
bool pm_ast_is_replaceable(const pm_node *node, const char *text);
/* Returns the offset of the end of a statement. It includes the ';' after an expression
 * statement. */
size_t pm_ast_statement_end(const pm_ast *ast, const pm_node *node);

/* ---- */

/* Formats the message "path:line: reason" with the location of a node, allocated in `memory`. */
char *pm_ast_reason(pm_memory *memory, const pm_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Raises PM_BAD_INPUT with the message "path:line: reason" about a node. */
_Noreturn void pm_ast_refuse(pm_memory *memory, const pm_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
