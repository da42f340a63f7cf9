/* Syntax tree of host code, made from libclang's syntax tree. The members of a node are filled when
 * they are first needed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
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
    CXType type; /* canonical type of the expression or declaration */
    enum CXBinaryOperatorKind binary;
    enum CXUnaryOperatorKind unary;
    const char *name; /* name of the declaration, named variable or called function; "": none */
    int line;
    bool opened; /* true: pm_host_open has filled the members `children` and `named` */
    size_t count;
    pm_host_node **children;
    /* declaration of the named variable or called function; NULL: unknown */
    pm_host_node *named;
    /* kind of the constant to which clang evaluates the expression (pm_host_fold); its value is in
     * `integer` or `real` */
    pm_host_constant constant;
    long long integer;
    double real;
    /* true if the node is a loop that launches no kernels and an execution of it was stopped
     * because it took too many steps; later executions then get fewer steps */
    bool is_long;
    /* cached result of pm_host_matters: whether the code launches kernels or allocates memory */
    pm_host_answer matters;
};

typedef struct {
    pm_memory *memory; /* owns the nodes */
    CXIndex index;
    CXTranslationUnit unit;
    size_t count;
    /* hash table of declarations by cursor; `room` is its capacity, a power of two */
    pm_host_node **table;
    size_t table_count, room;
} pm_host_tree;

/* Host code to parse, and the arguments with which libclang parses it. */
typedef struct {
    const char *text, *path;
    const char *const *arguments; /* command line of clang, without its path */
    size_t argument_count;
} pm_host_parse;

/* Parses the host code `parse->text`. Errors in the code are ignored. Raises an error in
 * tree->memory if libclang fails. */
void pm_host_tree_parse(pm_host_tree *tree, const pm_host_parse *parse);
/* Frees the translation unit and index of libclang. The nodes belong to tree->memory. */
void pm_host_tree_free(pm_host_tree *tree);

/* Returns the node of the declaration that a cursor denotes. Each declaration has only one node.
 * Returns NULL if the cursor is invalid. */
pm_host_node *pm_host_declared(pm_host_tree *tree, CXCursor cursor);
/* Fills the members `children` and `named` of a node, and returns the node. */
pm_host_node *pm_host_open(pm_host_tree *tree, pm_host_node *node);
/* Returns the body of a function or lambda: its last child that is a compound statement. NULL:
 * none. */
pm_host_node *pm_host_body(pm_host_tree *tree, pm_host_node *function);
/* Returns the definition of a declared function. If there is no definition, returns the
 * declaration. */
pm_host_node *pm_host_definition(pm_host_tree *tree, pm_host_node *function);
pm_host_node *pm_host_argument(pm_host_tree *tree, pm_host_node *call, size_t index);
/* Returns the initializer of a variable. NULL: it has none. */
pm_host_node *pm_host_initializer(pm_host_tree *tree, pm_host_node *variable);
size_t pm_host_arguments(const pm_host_node *call);
/* Returns the constant value of an expression that clang can evaluate at compile time. */
pm_host_constant pm_host_fold(pm_host_node *node);

/* Returns the characters of a string literal; the tree owns them. NULL: clang does not report
 * them. */
const char *pm_host_literal(pm_host_tree *tree, pm_host_node *literal);

/* Returns whether a variable is in the GPU's memory: __device__, __constant__ or __managed__. */
bool pm_host_is_of_device(pm_host_tree *tree, pm_host_node *variable);
bool pm_host_is_kernel(pm_host_tree *tree, pm_host_node *function);
/* Returns the name of a kernel in the syntax of workload files, such as reduce<float, 256>. */
char *pm_host_kernel_name(const pm_host_node *kernel, pm_memory *memory);
/* Returns the name of a variable with its namespaces, such as physics::weights. */
char *pm_host_variable_name(const pm_host_node *variable, pm_memory *memory);

/* Position of one number or pointer in a value of some type, for example in a struct. */
typedef struct {
    uint64_t offset; /* bytes from the start of the value */
    CXType type;
} pm_host_number;

/* Lists the numbers and pointers of which a value of the type consists, such as the members of a
 * struct and the elements of its arrays, sorted by offset. Returns false if there are more than
 * 8192, or if the type has bit-fields. Defined in type_numbers.c. */
bool pm_host_list_numbers(CXType type, pm_memory *memory, pm_host_number **numbers, size_t *count);

bool pm_host_is_integer(CXType type);
bool pm_host_is_real(CXType type);
bool pm_host_is_pointer(CXType type);
bool pm_host_is_record(CXType type);
bool pm_host_is_array(CXType type);
bool pm_host_is_reference(CXType type);
/* Returns whether the type is std::vector or a vector of Thrust, as compiler/cuda/host declares
 * them: a pointer to the elements, and their number. */
bool pm_host_is_container(CXType type);
/* Returns the element type of an array of any dimension. Another type is returned as it is. The
 * result is canonical. */
CXType pm_host_element(CXType type);
/* Returns the size of a type in bytes; 0: unknown. */
uint64_t pm_host_bytes(CXType type);
/* Returns the name of a type in the syntax of workload files: uint, float4, or the name of a
 * struct. */
char *pm_host_type_text(CXType type, pm_memory *memory);

#endif
