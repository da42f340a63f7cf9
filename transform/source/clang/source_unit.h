/* A parsed source and its accesses to arrays of structs. Description and rewriting both start from
 * it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_CLANG_SOURCE_UNIT_H
#define PM_TRANSFORM_SOURCE_CLANG_SOURCE_UNIT_H

#include "base/text.h"
#include "transform/source/clang/ast.h"
#include "transform/source/source.h"

/* Syntax nodes of a struct of which a kernel gets an array. The entry of info.structs with the same
 * index describes its fields. */
typedef struct {
    pm_node *declaration;
    const char *spelling; /* name of the type in the source: Particle, or struct Particle */
    pm_node *node;        /* declaration at file scope after which the struct's name can be used */
} pm_unit_struct;

/* A pointer into an array of structs in global or constant memory. */
typedef struct {
    size_t structure;
    bool constant; /* true: in __constant memory; false: in __global memory */
    bool is_const, is_volatile;
} pm_pointee;

/* How a variable that points into an array of structs is rewritten.
 *
 *     PARTS  parameter: pointers to the parts, for element 0 of the passed array
 *     INDEX  index of the element in the array of `base`, a parameter; a parameter in this mode
 *            is its own base, and the pointers to its parts are passed with it
 *     REF    value of a generated struct: pointers to the parts, and the index of the element */
typedef enum { PM_VARIABLE_PARTS, PM_VARIABLE_INDEX, PM_VARIABLE_REF } pm_variable_mode;

typedef struct {
    /* Node of the variable: ParmDecl or VarDecl. A FieldDecl, and a FunctionDecl for its result,
     * always have the mode REF. */
    pm_node *node;
    /* function that contains the variable; NULL: the variable is at file scope */
    pm_node *function;
    pm_pointee to;
    bool of_kernel;
    bool changes; /* true: the variable is modified after its declaration */
    pm_variable_mode mode;
    /* For a local variable in mode INDEX: index of the parameter in whose array it points.
     * PM_NO_VARIABLE: not known yet. */
    size_t base;
} pm_variable;

#define PM_NO_VARIABLE ((size_t)-1)

/* Target of a pointer to a struct in CUDA: the array of a kernel's parameter, another struct, or
 * sometimes one and sometimes the other. */
typedef enum {
    PM_PLACE_UNKNOWN = 0,
    PM_PLACE_ARRAY = 1,
    PM_PLACE_OTHER = 2,
    PM_PLACE_BOTH = 3
} pm_unit_place;

typedef struct {
    const char *text, *path;
    pm_parse_request request; /* request of the parse */
    pm_ast ast;               /* syntax tree; its memory owns all data of the unit */
    pm_source_info info;
    pm_unit_struct *structs; /* structs in the order of info.structs */
    pm_variable *variables;
    size_t variable_count;
    size_t *variable_of;   /* variable_of[node]: index into `variables` */
    pm_unit_place *places; /* CUDA: places[node of a declaration]: target of the declared pointer */
    bool preprocessed;
} pm_source_unit;

/* ---- unit.c */

/* Parses and describes a source. The request and its texts must outlive the unit. Free unit->ast in
 * all cases. */
pm_status pm_source_unit_open(pm_source_unit *unit, const pm_parse_request *request, pm_error *err);
/* Checks that a rewritten source compiles, to detect errors of the rewriter. text: the text of
 * pm_source_unit_parsed() with the edits that were applied to the source. */
pm_status pm_source_unit_check(const pm_source_unit *unit, const char *text, pm_error *err);
/* Returns the text that clang parsed. Its offsets are those of the source, so the source's edits
 * can be applied to it for pm_source_unit_check(). */
const char *pm_source_unit_parsed(const pm_source_unit *unit);

/* ---- shape.c */

/* Finds hints about a kernel's launch ranges, and the parameters that are probably problem
 * sizes. */
void pm_unit_describe_shape(const pm_source_unit *unit, const pm_node *node,
                            pm_source_kernel *kernel);

/* ---- types.c */

/* Returns whether `type` is a pointer. Sets *pointee to the type of its target. Both types are
 * canonical. */
bool pm_type_points_to(CXType type, CXType *pointee);
/* Returns the type of a parameter. A parameter that is written as an array has a pointer type. */
CXType pm_parameter_type(const pm_node *parameter);
/* Returns whether the pointee is a struct in global or constant memory. CUDA's types do not contain
 * the memory space, so the result is true for all structs in CUDA. */
bool pm_unit_is_array_in_memory(const pm_source_unit *unit, CXType pointee);
/* Writes OpenCL C's name of a scalar or vector type to `word`. Returns false if the type is
 * neither. */
bool pm_type_word(CXType type, char *word, size_t size);
size_t pm_unit_struct_of(const pm_source_unit *unit, CXType type); /* PM_NO_STRUCT: none */
/* Returns whether a canonical type is a pointer to one of the structs in global or constant memory.
 * CUDA's types do not contain the memory space, so any pointer to one of the structs is enough. *to
 * describes the target. */
bool pm_unit_pointee(const pm_source_unit *unit, CXType type, pm_pointee *to);
/* Returns whether a parameter is a pointer to one of the structs in global or constant memory. It
 * may be written as an array. *to describes the target. */
bool pm_unit_parameter_pointee(const pm_source_unit *unit, const pm_node *parameter,
                               pm_pointee *to);
/* Returns whether a declaration has a pointer to one of the structs in global or constant memory:
 * as its type, as the element type of an array (*is_array becomes true), or as the result type of a
 * function. *to describes the target. */
bool pm_unit_declared_pointee(const pm_source_unit *unit, const pm_node *node, pm_pointee *to,
                              bool *is_array);
/* Returns whether a declared reference refers to one of the structs in global or constant memory.
 * *to describes the target. Returns false if the declaration is not a reference. */
bool pm_unit_referred_pointee(const pm_source_unit *unit, const pm_node *declaration,
                              pm_pointee *to);
/* Returns whether a variable, or an expression that names it, is a CUDA reference to one of the
 * structs in global or constant memory. */
bool pm_unit_is_reference(const pm_source_unit *unit, const pm_node *node);
/* Returns whether an expression is a pointer to one of the structs in global or constant memory. A
 * CUDA reference counts as a pointer to its target. *to describes the target. */
bool pm_unit_points(const pm_source_unit *unit, const pm_node *expression, pm_pointee *to);
/* Returns whether an expression is an array, and not a parameter that is only written as an
 * array. */
bool pm_unit_is_array(const pm_node *expression);

/* ---- structs.c */
void pm_unit_find_structs(pm_source_unit *unit);
/* Sets kind and type of a kernel's parameter. If a struct is passed by value, describes the
 * struct. */
void pm_unit_parameter_kind(pm_source_unit *unit, const pm_node *parameter, pm_source_param *param);

/* ---- chains.c */

/* An lvalue in an array of structs, such as p[e], p[e].n[k].x, (*p).f or p->f. */
typedef struct {
    pm_node *pointer; /* pointer that is dereferenced */
    pm_node *index;   /* index in []; NULL: none */
    pm_pointee to;
    char path[256]; /* path of the accessed member; "": the element itself */
    /* subscripts of array members in the path; NULL: the array is dereferenced, which gives its
     * first element */
    pm_node *subscripts[8];
    size_t subscript_count;
    /* index of the field with this path; field_count of the struct: the path is a nested struct */
    size_t field;
} pm_chain;

/* Returns whether `node` is an lvalue in an array of structs, and describes it in *chain. Returns
 * false if the struct has no member with its path. */
bool pm_chain_of(const pm_source_unit *unit, pm_node *node, pm_chain *chain);
/* Returns whether the accessed field is one scalar or vector and not an array. */
bool pm_chain_is_scalar(const pm_source_unit *unit, const pm_chain *chain);

/* How an lvalue is used. */
typedef struct {
    bool read, written;
    bool address;     /* true: the address is taken, node is the & operator */
    bool unevaluated; /* operand of sizeof */
    pm_node *node;    /* operator that uses the lvalue */
} pm_lvalue_use;
pm_lvalue_use pm_chain_use(pm_node *node);
/* Returns the lvalue. If only components of a vector are used, returns their selection. */
const pm_node *pm_chain_part(pm_node *node);
/* Returns whether the node is a call of an OpenCL atomic function. */
bool pm_is_atomic_call(const pm_node *node);

/* ---- variables.c */
void pm_unit_find_variables(pm_source_unit *unit);
/* Returns the variable that a node declares, or that an expression names. NULL: none. */
pm_variable *pm_unit_variable(const pm_source_unit *unit, const pm_node *node);
/* Returns the parameter into whose array an expression points. PM_NO_VARIABLE: this depends on data
 * that are known only when the kernel runs. */
size_t pm_unit_base(const pm_source_unit *unit, pm_node *pointer);

/* ---- cuda_places.c */

/* CUDA: finds where the targets of pointers to structs are stored, starting with the parameters of
 * kernels. */
void pm_unit_find_places(pm_source_unit *unit);
pm_unit_place pm_unit_place_of(const pm_source_unit *unit, const pm_node *pointer);

/* ---- describe.c */
void pm_unit_describe(pm_source_unit *unit);
/* Returns whether the source's description contains this kernel. Its node must be the
 * definition. */
bool pm_unit_is_described(const pm_source_unit *unit, const pm_node *kernel);

#endif
