/* Syntax tree of host code from libclang; nodes are filled when they are first needed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The source may have errors. Code that clang could not parse is missing in the tree or has no
 * type.
 */
#ifndef PM_TRANSFORM_SOURCE_HOST_TREE_H
#define PM_TRANSFORM_SOURCE_HOST_TREE_H

#include <clang-c/Index.h>

#include "base/memory.h"

typedef enum { PM_HOST_UNTRIED, PM_HOST_NO, PM_HOST_YES } pm_host_answer;
typedef enum {
    PM_HOST_CONSTANT_UNTRIED,
    PM_HOST_CONSTANT_NONE,
    PM_HOST_CONSTANT_INTEGER,
    PM_HOST_CONSTANT_REAL
} pm_host_constant;

typedef struct pm_host_node pm_host_node;
struct pm_host_node {
    CXCursor cursor;
    enum CXCursorKind kind;
    CXType type; /* canonical */
    enum CXBinaryOperatorKind binary;
    enum CXUnaryOperatorKind unary;
    const char *name; /* name of the declaration, variable or called function; "": none */
    int line;
    bool opened; /* the members below are filled */
    size_t count;
    pm_host_node **children;
    pm_host_node *named;       /* declaration of the named variable or called function; NULL:
                                * unknown */
    pm_host_constant constant; /* kind of the constant that clang folds the expression to; see
                                * pm_host_fold */
    long long integer;
    double real;
    bool is_long;           /* a loop that was left because it took too many steps */
    pm_host_answer matters; /* result of pm_host_matters */
};

typedef struct {
    pm_memory *memory; /* owns the nodes */
    CXIndex index;
    CXTranslationUnit unit;
    size_t count;
    pm_host_node **table; /* hash table of declarations by cursor; `room`, its size, is a power of
                           * two */
    size_t table_count, room;
} pm_host_tree;

/* Arguments of a parse. */
typedef struct {
    const char *text, *path;
    const char *const *arguments; /* command line of clang without the path */
    size_t argument_count;
} pm_host_parse;

/* Parses the text and ignores errors in it. Raises an error in tree->memory if libclang fails. */
void pm_host_tree_parse(pm_host_tree *tree, const pm_host_parse *parse);
void pm_host_tree_free(pm_host_tree *tree); /* frees libclang's objects, not the nodes */

/* Returns the node of a declaration, always the same one; NULL: the cursor is invalid. */
pm_host_node *pm_host_declared(pm_host_tree *tree, CXCursor cursor);
/* Fills `children` and `named`. Returns the node. */
pm_host_node *pm_host_open(pm_host_tree *tree, pm_host_node *node);
/* Returns the body of a function or lambda, its last child in braces; NULL: there is none. */
pm_host_node *pm_host_body(pm_host_tree *tree, pm_host_node *function);
/* Returns the definition of a declared function; the declaration if there is no definition. */
pm_host_node *pm_host_definition(pm_host_tree *tree, pm_host_node *function);
pm_host_node *pm_host_argument(pm_host_tree *tree, pm_host_node *call, size_t index);
/* Returns a variable's initializer; NULL: it has none. */
pm_host_node *pm_host_initializer(pm_host_tree *tree, pm_host_node *variable);
size_t pm_host_arguments(const pm_host_node *call);
/* Lets clang evaluate an expression at compile time. */
pm_host_constant pm_host_fold(pm_host_node *node);

/* Returns the characters of a string literal, owned by the tree; NULL: clang does not report them.
 */
const char *pm_host_literal(pm_host_tree *tree, pm_host_node *literal);

bool pm_host_is_kernel(pm_host_tree *tree, pm_host_node *function);
/* Returns the kernel's name as workload files write it: reduce<float, 256>. */
char *pm_host_kernel_name(const pm_host_node *kernel, pm_memory *memory);

bool pm_host_is_integer(CXType type);
bool pm_host_is_real(CXType type);
bool pm_host_is_pointer(CXType type);
bool pm_host_is_record(CXType type);
bool pm_host_is_array(CXType type);
bool pm_host_is_reference(CXType type);
/* Returns the element type of an array of any dimension; another type is returned unchanged. The
 * result is canonical. */
CXType pm_host_element(CXType type);
/* Returns the size of a type in bytes; 0: unknown. */
uint64_t pm_host_bytes(CXType type);
/* Returns a type as workload files write it: uint, float4, the name of a struct. */
char *pm_host_type_text(CXType type, pm_memory *memory);

#endif
