/* A parsed kernel source with the accesses to its arrays of structs. The source's description and
 * its rewriting both start from it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_CLANG_SOURCE_UNIT_H
#define PM_TRANSFORM_SOURCE_CLANG_SOURCE_UNIT_H

#include "base/text.h"
#include "transform/source/clang/ast.h"
#include "transform/source/source.h"

/* Syntax nodes of a struct of which a kernel gets an array. pm_source_unit.info.structs describes
 * its fields, at the same index as this entry of pm_source_unit.structs. */
typedef struct {
    pm_node *declaration;
    const char *spelling; /* name of the type in the source: Particle, or struct Particle */
    pm_node *node;        /* declaration at file scope after which the struct's name can be used */
} pm_unit_struct;

/* Target of a pointer into an array of structs in global or constant memory. */
typedef struct {
    size_t structure;
    bool constant; /* true: the array is in constant memory; false: it is in global memory */
    bool is_const, is_volatile;
} pm_pointee;

/* Replacement of a variable that points into an array of structs, for a layout that stores the
 * array in several parts (buffers).
 *
 *     PARTS  parameter: replaced by pointers to the parts, for element 0 of the passed array
 *     INDEX  replaced by the index of the element in the array of the parameter `base`; a parameter
 *            in this mode is its own base, and the pointers to its parts are passed with it
 *     REF    replaced by a generated struct with pointers to the parts and the element's index */
typedef enum { PM_VARIABLE_PARTS, PM_VARIABLE_INDEX, PM_VARIABLE_REF } pm_variable_mode;

typedef struct {
    /* Node of the variable, of kind ParmDecl or VarDecl. A struct's member (FieldDecl) and a
     * function's result (FunctionDecl) also have entries, always in mode REF. */
    pm_node *node;
    /* function that contains the variable; NULL: the variable is at file scope */
    pm_node *function;
    pm_pointee to;
    bool of_kernel;
    bool changes; /* true: the variable is modified after its declaration */
    pm_variable_mode mode;
    /* Index in `variables` of the parameter into whose array the variable points, if it is a local
     * variable in mode INDEX. PM_NO_VARIABLE: not known yet. */
    size_t base;
} pm_variable;

#define PM_NO_VARIABLE ((size_t)-1)

/* Target of a pointer to a struct in a CUDA source. ARRAY: an element of an array that a kernel
 * gets. OTHER: another struct. BOTH: either of them, depending on the control flow. */
typedef enum {
    PM_PLACE_UNKNOWN = 0,
    PM_PLACE_ARRAY = 1,
    PM_PLACE_OTHER = 2,
    PM_PLACE_BOTH = 3
} pm_unit_place;

typedef struct {
    const char *text, *path;
    /* clang's arguments and the headers with which the source was parsed */
    pm_parse_request request;
    pm_ast ast; /* syntax tree; its memory owns all data of the unit */
    pm_source_info info;
    pm_unit_struct *structs; /* structs in the order of info.structs */
    pm_variable *variables;
    size_t variable_count;
    size_t *variable_of; /* variable_of[node number]: index into `variables` */
    /* CUDA only: places[node number of a declaration]: target of the declared pointer */
    pm_unit_place *places;
    bool preprocessed;
} pm_source_unit;

/* ---- unit.c */

/* Parses and describes a source. The request and its texts must outlive the unit. Free unit->ast in
 * all cases. */
pm_status pm_source_unit_open(pm_source_unit *unit, const pm_parse_request *request, pm_error *err);
/* Checks that a rewritten source compiles. An error here is a bug of the rewriter. text: the text
 * from pm_source_unit_parsed() after the rewriter's edits were applied to it. */
pm_status pm_source_unit_check(const pm_source_unit *unit, const char *text, pm_error *err);
/* Returns the text that clang parsed, in which parts of the source may be replaced by blanks.
 * Offsets are the same as in the source, so edits of the source can be applied to it, too. */
const char *pm_source_unit_parsed(const pm_source_unit *unit);

/* ---- shape.c */

/* Guesses from the code of the kernel at `node` with which dimensions and work-group sizes it is
 * meant to be launched, and which of its parameters are problem sizes. Sets these members of
 * *kernel. */
void pm_unit_describe_shape(const pm_source_unit *unit, const pm_node *node,
                            pm_source_kernel *kernel);

/* ---- types.c */

/* Returns whether `type` is a pointer, and sets *pointee to the type to which it points. Both types
 * are canonical. */
bool pm_type_points_to(CXType type, CXType *pointee);
/* Returns the type of a parameter. If the parameter is written as an array, returns the pointer
 * type that it has. */
CXType pm_parameter_type(const pm_node *parameter);
/* Returns whether the type `pointee` is a struct in global or constant memory. CUDA's types do not
 * contain the memory space, so in CUDA the result is true for all structs. */
bool pm_unit_is_array_in_memory(const pm_source_unit *unit, CXType pointee);
/* Writes OpenCL C's name of a scalar or vector type, such as uint4, to `word`. Returns false if
 * `type` is another kind of type. */
bool pm_type_word(CXType type, char *word, size_t size);
/* Returns the index of a struct type in info.structs. Returns PM_NO_STRUCT if the type is no struct
 * of this list. */
size_t pm_unit_struct_of(const pm_source_unit *unit, CXType type);
/* Returns whether a canonical type is a pointer to a struct of info.structs in global or constant
 * memory, and describes its target in *to. CUDA's types do not contain the memory space, so in CUDA
 * every pointer to such a struct counts. */
bool pm_unit_pointee(const pm_source_unit *unit, CXType type, pm_pointee *to);
/* Returns whether a parameter is a pointer to a struct of info.structs in global or constant
 * memory, and describes its target in *to. The parameter may be written as an array. */
bool pm_unit_parameter_pointee(const pm_source_unit *unit, const pm_node *parameter,
                               pm_pointee *to);
/* Returns whether a declaration has the type of a pointer to a struct of info.structs in global or
 * constant memory, and describes its target in *to. The declaration may also be an array of these
 * pointers (*is_array becomes true), or a function that returns one. */
bool pm_unit_declared_pointee(const pm_source_unit *unit, const pm_node *node, pm_pointee *to,
                              bool *is_array);
/* Returns whether a declaration is a reference to a struct of info.structs in global or constant
 * memory, and describes its target in *to. */
bool pm_unit_referred_pointee(const pm_source_unit *unit, const pm_node *declaration,
                              pm_pointee *to);
/* Returns whether a variable, or an expression that names it, is a CUDA reference to a struct of
 * info.structs in global or constant memory. */
bool pm_unit_is_reference(const pm_source_unit *unit, const pm_node *node);
/* Returns whether an expression is a pointer to a struct of info.structs in global or constant
 * memory, and describes its target in *to. A CUDA reference counts as a pointer to its target. */
bool pm_unit_points(const pm_source_unit *unit, const pm_node *expression, pm_pointee *to);
/* Returns whether an expression is an array. A parameter that is written as an array is a pointer
 * and does not count. */
bool pm_unit_is_array(const pm_node *expression);

/* ---- structs.c */
void pm_unit_find_structs(pm_source_unit *unit);
/* Sets the kind and type of a kernel's parameter in *param. Describes the parameter's struct if it
 * is passed by value. */
void pm_unit_parameter_kind(pm_source_unit *unit, const pm_node *parameter, pm_source_param *param);

/* ---- chains.c */

/* An lvalue in an array of structs, such as p[e], p[e].n[k].x, (*p).f or p->f: a chain of
 * subscripts and members. */
typedef struct {
    pm_node *pointer; /* the pointer into the array, which is dereferenced */
    pm_node *index;   /* index in [] after the pointer; NULL: there is none, as in p->f */
    pm_pointee to;
    char path[256]; /* path of the accessed member, such as n.x; "": the whole element */
    /* subscripts of array members in the path; NULL: the array is dereferenced by *, which gives
     * its first element */
    pm_node *subscripts[8];
    size_t subscript_count;
    /* index of the field with this path; the struct's field_count: the path names a nested struct,
     * not a field */
    size_t field;
} pm_chain;

/* Returns whether `node` is an lvalue in an array of structs, and describes it in *chain. Returns
 * false if its path is not a member of the struct. */
bool pm_chain_of(const pm_source_unit *unit, pm_node *node, pm_chain *chain);
/* Returns whether the accessed field is one scalar or vector and not an array. */
bool pm_chain_is_scalar(const pm_source_unit *unit, const pm_chain *chain);

/* What the surrounding code does with an lvalue (an element or member of an array of structs):
 * reads it, writes it, or takes its address. */
typedef struct {
    bool read, written;
    bool address;     /* true: the address is taken; `node` is then the & operator */
    bool unevaluated; /* true: the lvalue is the operand of sizeof */
    pm_node *node;    /* operator that uses the lvalue */
} pm_lvalue_use;
pm_lvalue_use pm_chain_use(pm_node *node);
/* Returns the node of an access to the lvalue `node`. Usually this is the lvalue itself. If the
 * code uses only some components of a vector, as in v.xy, it is the node that selects these
 * components. */
const pm_node *pm_chain_part(pm_node *node);
/* Returns whether the node is a call of an OpenCL atomic function. */
bool pm_is_atomic_call(const pm_node *node);

/* ---- variables.c */
void pm_unit_find_variables(pm_source_unit *unit);
/* Returns the variable that a node declares, or that an expression names. NULL: none. */
pm_variable *pm_unit_variable(const pm_source_unit *unit, const pm_node *node);
/* Returns the index of the parameter into whose array an expression points. Returns PM_NO_VARIABLE
 * if this depends on data that are known only when the kernel runs. */
size_t pm_unit_base(const pm_source_unit *unit, pm_node *pointer);

/* ---- cuda_places.c */

/* Finds, in a CUDA source, the pointers to structs that point into arrays of a kernel, starting
 * with the parameters of kernels. Sets unit->places. */
void pm_unit_find_places(pm_source_unit *unit);
pm_unit_place pm_unit_place_of(const pm_source_unit *unit, const pm_node *pointer);

/* ---- describe.c */
void pm_unit_describe(pm_source_unit *unit);
/* Returns whether unit->info describes this kernel. kernel: node of the kernel's definition. */
bool pm_unit_is_described(const pm_source_unit *unit, const pm_node *kernel);

#endif
