/* The syntax tree of host code, as libclang shows it, opened where it is looked at.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The source may have errors: what clang could not make sense of is missing in the tree, or has no
 * type.
 */
#ifndef PM_SOURCE_HOST_TREE_H
#define PM_SOURCE_HOST_TREE_H

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
    const char *name; /* of what is declared, named or called; "": none */
    int line;
    bool opened; /* the members below are filled */
    size_t count;
    pm_host_node **children;
    pm_host_node *named;       /* declaration of what is named or called; NULL: not known */
    pm_host_constant constant; /* what clang folds it to; pm_host_fold */
    long long integer;
    double real;
    bool is_long;           /* a loop that has been left because of its steps */
    pm_host_answer matters; /* whether launches or allocations happen in it; effects.h */
};

typedef struct {
    pm_memory *memory; /* of the nodes */
    CXIndex index;
    CXTranslationUnit unit;
    size_t count;
    pm_host_node **table; /* hash table of declarations by cursor; `room` is a power of two */
    size_t table_count, room;
} pm_host_tree;

/* What is parsed. */
typedef struct {
    const char *text, *path;
    const char *const *arguments; /* of clang, without the path */
    size_t argument_count;
} pm_host_parse;

/* Parses the text; errors in it are ignored. Leaves tree->memory where libclang fails. */
void pm_host_tree_parse(pm_host_tree *tree, const pm_host_parse *parse);
void pm_host_tree_free(pm_host_tree *tree); /* libclang's part */

/* The node of a declaration, always the same one; NULL: the cursor is none. */
pm_host_node *pm_host_declared(pm_host_tree *tree, CXCursor cursor);
/* Fills children and `named`. Returns the node. */
pm_host_node *pm_host_open(pm_host_tree *tree, pm_host_node *node);
/* The last child that is a statement in braces; NULL: the function has none. The node is a
 * function or a lambda. */
pm_host_node *pm_host_body(pm_host_tree *tree, pm_host_node *function);
/* The definition of the function that a declaration declares; the declaration where there is none.
 */
pm_host_node *pm_host_definition(pm_host_tree *tree, pm_host_node *function);
pm_host_node *pm_host_argument(pm_host_tree *tree, pm_host_node *call, size_t index);
/* NULL: the variable has none. */
pm_host_node *pm_host_initializer(pm_host_tree *tree, pm_host_node *variable);
size_t pm_host_arguments(const pm_host_node *call);
/* Lets clang fold an expression. */
pm_host_constant pm_host_fold(pm_host_node *node);

/* Characters of a string literal, owned by the tree; NULL: clang does not tell. */
const char *pm_host_literal(pm_host_tree *tree, pm_host_node *literal);

bool pm_host_is_kernel(pm_host_tree *tree, pm_host_node *function);
/* As a workload calls the kernel: reduce<float, 256>. */
char *pm_host_kernel_name(const pm_host_node *kernel, pm_memory *memory);

bool pm_host_is_integer(CXType type);
bool pm_host_is_real(CXType type);
bool pm_host_is_pointer(CXType type);
bool pm_host_is_record(CXType type);
bool pm_host_is_array(CXType type);
bool pm_host_is_reference(CXType type);
/* What an array of arrays has at last; another type is returned as it is. Canonical. */
CXType pm_host_element(CXType type);
/* Bytes of a type; 0: not known. */
uint64_t pm_host_bytes(CXType type);
/* A type as workload files write it: uint, float4, the name of a struct. */
char *pm_host_type_text(CXType type, pm_memory *memory);

#endif
