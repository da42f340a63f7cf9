/* The syntax tree of a source as the rewriting needs it: libclang's cursors with parents, offsets
 * into the text, and where macros are in the way.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Declarations of system headers (OpenCL's own) are left out.
 */
#ifndef PM_LAYOUT_CLANG_AST_H
#define PM_LAYOUT_CLANG_AST_H

#include <clang-c/Index.h>

#include "perfmodel.h"

typedef struct pm_node pm_node;
struct pm_node {
    CXCursor cursor;
    enum CXCursorKind kind;
    pm_node *parent, *first, *last, *next;
    /* Of the text; where it begins or ends in a macro's expansion, that of the macro's use. */
    size_t begin, end;
    bool in_main; /* it is in the text itself, not in a file that it includes */
    /* The text at begin and before end is the node's own: not a macro's use, of which only the
     * expansion is. What stands in a macro's argument is its own if all of it does. */
    bool begins_clean, ends_clean;
    bool in_argument; /* of a macro */
    bool ordered;     /* what is below it stands one behind the other */
    size_t number;    /* of all nodes, in the order of the text */
};

typedef struct {
    size_t begin, end;
} pm_range;

typedef struct {
    const char *text;
    size_t length;
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
    size_t use_count, use_room;
    pm_range *own_uses; /* of OpenCL's macros, which count as functions and constants */
    size_t own_count, own_room;
    size_t node_room;
} pm_ast;

/* Parses text; arguments are clang's without the source's path. text must outlive the tree. Source
 * that does not compile is PM_BAD_INPUT with clang's first error and its place. */
pm_status pm_ast_parse(pm_ast *ast, const char *text, const char *path,
                       const char *const *arguments, size_t argument_count, pm_error *err);
void pm_ast_free(pm_ast *ast); /* what it owns */

/* The node of what a DeclRefExpr or MemberRefExpr refers to; NULL: a builtin. */
pm_node *pm_ast_declaration(const pm_ast *ast, const pm_node *use);
/* Of a cursor; NULL where there is none. */
pm_node *pm_ast_find(const pm_ast *ast, CXCursor cursor);
/* Its definition, if node is a function that is declared more than once; NULL: none in the source.
 */
pm_node *pm_ast_definition(const pm_ast *ast, const pm_node *function);

/* Without parentheses and implicit conversions (CXCursor_UnexposedExpr with one child that has the
 * same place). */
pm_node *pm_ast_strip(pm_node *node);
/* The nearest ancestor that is neither, and which child of it node is in. */
pm_node *pm_ast_user(pm_node *node, pm_node **child);
pm_node *pm_ast_child(const pm_node *node, size_t index); /* NULL: it has fewer */
size_t pm_ast_children(const pm_node *node);
pm_node *pm_ast_ancestor(pm_node *node, enum CXCursorKind kind); /* NULL: none */

/* An assignment, ++ or --. */
bool pm_changes_operand(const pm_node *node);

CXType pm_ast_type(const pm_node *node);                     /* canonical */
unsigned pm_ast_line(const pm_node *node, unsigned *column); /* as #line says; column may be NULL */
/* Its name, to free; NULL: out of memory. */
char *pm_ast_name(const pm_node *node);
char *pm_ast_string(CXString string); /* disposes of string */

/* ---- places.c */

/* Where a node begins and ends in the text: the first before its children are there, the other with
 * them. */
void pm_place_begin(const pm_ast *ast, pm_node *node);
void pm_place_end(const pm_ast *ast, pm_node *node);
/* Of a macro's use; false: it is not in the text. */
bool pm_place_of_use(const pm_ast *ast, CXCursor use, pm_range *range);
/* The macro is one of OpenCL's own. */
bool pm_place_is_own(CXCursor use);
/* Whether text has a comma outside of all parentheses. */
bool pm_has_comma(const char *text);
/* Once all uses are known; false: out of memory. */
bool pm_place_sort(pm_ast *ast);
/* The text of an expression that is an index, an argument or a right-hand side. False: it is not
 * all there, since a part of it comes out of a macro that has more than this expression, or out of
 * another file. */
bool pm_ast_piece(const pm_ast *ast, const pm_node *node, pm_range *piece);

/* ---- */

/* path:line: message, as PM_BAD_INPUT. */
pm_status pm_ast_refuse(const pm_node *node, pm_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
