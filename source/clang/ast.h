/* The syntax tree of a source: what analyses and rewriting look at. Only this folder asks libclang.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Declarations of system headers (OpenCL's own, CUDA's prelude) are left out, and so is what is in
 * function templates, which is no code before it has types (instances.h writes them out). A CUDA
 * source's tree is brought to the shape of OpenCL C's where both languages say the same
 * (cplusplus.c).
 */
#ifndef PM_SOURCE_CLANG_AST_H
#define PM_SOURCE_CLANG_AST_H

#include <clang-c/Index.h>

#include "base/memory.h"
#include "base/text.h"

typedef struct pm_node pm_node;
struct pm_node {
    CXCursor cursor;
    enum CXCursorKind kind;
    enum CXBinaryOperatorKind binary; /* Invalid: it is no such operator */
    enum CXUnaryOperatorKind unary;   /* the same */
    CXType type;                      /* canonical */
    const char *name;                 /* of a declaration, a member, a variable, a call; "": none */
    pm_node *parent, *first, *last, *next;
    pm_node *declaration; /* of what is named or called; NULL: a builtin, or nothing */
    pm_node *definition;  /* of a function; NULL: none in the source */
    pm_node *initializer; /* of a variable; NULL: none */
    bool is_kernel;
    /* Of the text; where it begins or ends in a macro's expansion, that of the macro's use. */
    size_t begin, end;
    bool in_main; /* it is in the text itself, not in a file that it includes */
    /* The text at begin and before end is the node's own: not a macro's use, of which only the
     * expansion is. What stands in a macro's argument is its own if all of it does. */
    bool begins_clean, ends_clean;
    bool in_argument; /* of a macro */
    bool ordered;     /* what is below it stands one behind the other */
    size_t number;    /* of all nodes, in the order of the text */
    size_t behind;    /* number of the first node behind all that is in it */
};

typedef struct {
    size_t begin, end;
} pm_range;

typedef struct {
    const char *text;
    size_t length;
    bool is_cuda, has_templates;
    pm_memory memory; /* of all that lives as long as the tree */
    CXIndex index;
    CXTranslationUnit unit;
    CXFile file;
    pm_node *root;
    size_t count;       /* of nodes */
    pm_node **nodes;    /* by number */
    pm_node **declared; /* hash table of declarations, room is a power of two */
    size_t declared_count, declared_room;
    pm_range *uses;    /* of macros in the text, by their beginnings */
    size_t *use_ends;  /* sorted */
    size_t *use_reach; /* by use: the furthest end of it and those before it */
    size_t use_count;
    pm_range *own_uses; /* of OpenCL's macros, which count as functions and constants */
    size_t own_count;
} pm_ast;

/* What clang is given. */
typedef struct {
    const char *text, *path;
    const char *parsed; /* as long as text, with blanks for what clang is not to see; NULL: text */
    const pm_named_text *headers; /* by their paths, that are not read from where they lie */
    size_t header_count;
    const char *const *arguments; /* of clang, without the path; the second names the language */
    size_t argument_count;
    struct pm_prelude *prelude; /* of CUDA sources; NULL: it is parsed again */
    bool templates;             /* the tree has what is in function templates */
} pm_parse_request;

/* Parses a text, which must outlive the tree. Source that does not compile is PM_BAD_INPUT with
 * clang's first error and its place. */
pm_status pm_ast_parse(pm_ast *ast, const pm_parse_request *request, pm_error *err);
void pm_ast_free(pm_ast *ast); /* what it owns */

/* Visits a node and all that is in it, in the order of the text. */
#define PM_EACH_NODE(ast, top, node)                                                               \
    for (pm_node *const *node##_at = (ast)->nodes + (top)->number, *node;                          \
         node##_at < (ast)->nodes + (top)->behind && (node = *node##_at); node##_at++)

/* The node of a declaration; NULL: it has none. */
pm_node *pm_ast_find(const pm_ast *ast, CXCursor cursor);
/* What a call calls: the definition, else the declaration; NULL: a builtin. */
pm_node *pm_ast_called(const pm_node *call);
pm_node *pm_ast_callee(const pm_node *call); /* the definition; NULL: there is none */
pm_node *pm_ast_argument(const pm_node *call, size_t index);      /* NULL: it has fewer */
pm_node *pm_ast_parameter(const pm_node *function, size_t index); /* the same */
size_t pm_ast_parameter_index(const pm_node *parameter);
pm_node *pm_ast_body(const pm_node *function); /* NULL: it has none */
/* A function as clang prints its head. */
char *pm_ast_head(const pm_node *function, pm_memory *memory);

/* Without parentheses. */
pm_node *pm_ast_bare(const pm_node *node);
/* Without parentheses and implicit conversions (CXCursor_UnexposedExpr with one child that has the
 * same place). */
pm_node *pm_ast_strip(const pm_node *node);
/* The nearest ancestor that is neither, and which child of it node is in. */
pm_node *pm_ast_user(pm_node *node, pm_node **child);
pm_node *pm_ast_child(const pm_node *node, size_t index); /* NULL: it has fewer */
size_t pm_ast_children(const pm_node *node);
bool pm_ast_is_kernel_template(const pm_node *node);
pm_node *pm_ast_ancestor(pm_node *node, enum CXCursorKind kind);   /* NULL: none */
bool pm_ast_is_within(const pm_node *inner, const pm_node *outer); /* or the same */
bool pm_is_one_of(const pm_node *const *list, size_t count, const pm_node *wanted);

bool pm_is_loop(const pm_node *node);
/* An assignment, ++ or --. */
bool pm_changes_operand(const pm_node *node);
/* && or ||, which may leave its right side out. */
bool pm_is_lazy(const pm_node *node);
/* < of >= and so on; Invalid: kind compares nothing. */
enum CXBinaryOperatorKind pm_opposite(enum CXBinaryOperatorKind kind);
/* As it is written: <, ==. */
char *pm_operator_text(enum CXBinaryOperatorKind kind, pm_memory *memory);
/* ++ or --. */
bool pm_is_step(const pm_node *node);

/* The variable whose own memory an lvalue is in, or what else is named; NULL: it is behind a
 * pointer. */
pm_node *pm_ast_owner(const pm_node *lvalue);
/* Which component of a vector `.x`, `.s0`, .. is. */
size_t pm_ast_component(const pm_ast *ast, const pm_node *node);
#define PM_NO_COMPONENT ((size_t)-1) /* several, or it is not to be seen */

/* ---- cplusplus.c: of CUDA sources */

/* Of a CUDA source: casts and operators of C++ that OpenCL C has too become what they are there. A
 * constructor that copies is a conversion, another is an expression that is not known; one without
 * arguments is none. */
void pm_cplusplus_plain(pm_ast *ast);
/* What makes a struct more than its members, and, where it is to be copied member by member, more
 * than a struct of C: what says it. NULL: nothing does. */
const pm_node *pm_ast_more_than_c(const pm_node *declaration, bool stays, const char **what);
/* The type of the reference that an expression is bound to: a parameter's, a variable's, a
 * result's. Invalid: it is bound to none. */
CXType pm_ast_reference(const pm_node *expression);
/* A template of functions or classes whose text has the name, which nobody follows there; NULL:
 * none has. */
const pm_node *pm_ast_template_naming(const pm_ast *ast, const char *name);
/* A node that, where it is bound to a reference, stands for one of its operands. */
bool pm_ast_passes_on(const pm_node *node, const pm_node *operand);
/* It is bound to one that may be written through. */
bool pm_ast_is_handed_out(const pm_node *expression);
/* threadIdx and its like. */
bool pm_is_cuda_index(const pm_node *expression);
/* float4 and the like, which are structs there. */
bool pm_type_is_cuda_vector(CXType type);

/* ---- pointers.c */

/* The pointer that an lvalue dereferences: p of *p, p[i], i[p] and p->x, and i, which may be NULL.
 * Of an array's element it is the array. False: it is no such lvalue. */
bool pm_ast_dereference(const pm_node *node, pm_node **pointer, pm_node **index);

/* What a pointer expression is made of. */
typedef struct {
    enum {
        PM_ORIGIN_UNKNOWN,
        PM_ORIGIN_VARIABLE, /* pointer names it */
        PM_ORIGIN_POINTER,  /* pointer, moved by number */
        PM_ORIGIN_CHOICE    /* pointer or other */
    } kind;
    pm_node *pointer, *other; /* POINTER: other is what it is assigned to; NULL: nothing */
    pm_node *number;          /* NULL: 0 */
    bool back;                /* number is subtracted */
    bool converted;           /* maybe to another type */
} pm_origin;
pm_origin pm_ast_origin(const pm_node *pointer);

/* ---- types */

/* LangAS of clang. */
enum { PM_SPACE_GLOBAL = 1, PM_SPACE_LOCAL = 2, PM_SPACE_CONSTANT = 3 };

bool pm_type_is_array(CXType type);
bool pm_type_is_vector(CXType type); /* of CUDA's, which are structs, too */
bool pm_is_integer(const pm_node *expression);
bool pm_is_unsigned(const pm_node *expression);
/* What a pointer points to, or an array has; Invalid: it is neither. */
CXType pm_type_pointee(CXType type);
/* Without qualifiers, as OpenCL C. */
char *pm_type_text(CXType type, pm_memory *memory);
char *pm_declared_type_text(const pm_node *declaration, pm_memory *memory);
/* An integer constant expression. */
bool pm_ast_evaluate(const pm_node *expression, long long *value);

/* As #line says; column may be NULL. */
unsigned pm_ast_line(const pm_node *node, unsigned *column);
unsigned pm_ast_last_line(const pm_node *node);

/* ---- places.c */

/* Where a node begins and ends in the text: the first before its children are there, the other with
 * them. */
void pm_place_begin(const pm_ast *ast, pm_node *node);
void pm_place_end(const pm_ast *ast, pm_node *node);
/* Notes a macro's use, if it is in the text. */
void pm_place_add_use(pm_ast *ast, CXCursor use);
/* Whether text has a comma outside of all parentheses. */
bool pm_has_comma(const char *text);
/* Once all uses are known. */
void pm_place_sort(pm_ast *ast);
/* The text of an expression that is an index, an argument or a right-hand side. False: it is not
 * all there, since a part of it comes out of a macro that has more than this expression, or out of
 * another file. */
bool pm_ast_piece(const pm_ast *ast, const pm_node *node, pm_range *piece);
/* All of its text is the source's own. */
bool pm_ast_is_own(const pm_node *node);
/* Text can stand in the place of the node's. */
bool pm_ast_is_replaceable(const pm_node *node, const char *text);
/* Behind the ';' of an expression that is a statement; else where the node ends. */
size_t pm_ast_statement_end(const pm_ast *ast, const pm_node *node);

/* ---- */

/* path:line: reason. */
char *pm_ast_reason(pm_memory *memory, const pm_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Leaves with it, as PM_BAD_INPUT. */
_Noreturn void pm_ast_refuse(pm_memory *memory, const pm_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
