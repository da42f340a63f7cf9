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

/* Syntax nodes of a struct of which a kernel takes an array. The entry with the same index in
 * info.structs describes its fields. */
typedef struct {
    pm_node *declaration;
    const char *spelling; /* spelling of the type: Particle, or struct Particle */
    pm_node *node;        /* declaration at file scope after which its name can be used */
} pm_unit_struct;

/* A pointer into an array of structs in global or constant memory. */
typedef struct {
    size_t structure;
    bool constant; /* in __constant memory, else __global */
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
    /* ParmDecl or VarDecl; a FieldDecl, and a FunctionDecl for its result, are always REF */
    pm_node *node;
    pm_node *function; /* enclosing function; NULL: file scope */
    pm_pointee to;
    bool of_kernel;
    bool changes; /* modified after its declaration */
    pm_variable_mode mode;
    /* local variable in INDEX mode: index of the parameter; PM_NO_VARIABLE: none yet */
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
    pm_ast ast;               /* owns all memory of the unit */
    pm_source_info info;
    pm_unit_struct *structs; /* in the order of info.structs */
    pm_variable *variables;
    size_t variable_count;
    size_t *variable_of;   /* per node: index into variables */
    pm_unit_place *places; /* CUDA, per node of a declaration: target of its pointer */
    bool preprocessed;
} pm_source_unit;

/* ---- unit.c */

/* Parses and describes a source. The request and its texts must outlive the unit. Free unit->ast in
 * any case. */
pm_status pm_source_unit_open(pm_source_unit *unit, const pm_parse_request *request, pm_error *err);
/* Checks that rewritten source compiles, to find errors of the rewriter. text: the text of
 * pm_source_unit_parsed(), after the edits that were made to the source. */
pm_status pm_source_unit_check(const pm_source_unit *unit, const char *text, pm_error *err);
/* Returns the text that clang parsed. Edits of the source can be applied to it, too. The result is
 * the text for pm_source_unit_check(). */
const char *pm_source_unit_parsed(const pm_source_unit *unit);

/* ---- shape.c */

/* Finds a kernel's launch ranges, and its parameters that are extents. */
void pm_unit_describe_shape(const pm_source_unit *unit, const pm_node *node,
                            pm_source_kernel *kernel);

/* ---- types.c */

/* Returns whether `type` is a pointer, and sets *pointee to the type of its target. Both types are
 * canonical. */
bool pm_type_points_to(CXType type, CXType *pointee);
/* Returns a parameter's type; a parameter written as an array is a pointer. */
CXType pm_parameter_type(const pm_node *parameter);
/* Returns whether the pointee is a struct in global or constant memory. CUDA's types do not say
 * in which memory an object is, so the result is true for any struct in CUDA. */
bool pm_unit_is_array_in_memory(const pm_source_unit *unit, CXType pointee);
/* Writes OpenCL C's word for a scalar or vector. Returns false if the type is neither. */
bool pm_type_word(CXType type, char *word, size_t size);
size_t pm_unit_struct_of(const pm_source_unit *unit, CXType type); /* PM_NO_STRUCT: none */
/* Returns whether a canonical type is a pointer to one of the structs in global or constant memory.
 * In CUDA, a pointer to one of the structs is enough, because types do not name the memory. *to
 * describes the target. */
bool pm_unit_pointee(const pm_source_unit *unit, CXType type, pm_pointee *to);
/* Does the same as pm_unit_pointee() for the type of a parameter, which may be written as an array.
 */
bool pm_unit_parameter_pointee(const pm_source_unit *unit, const pm_node *parameter,
                               pm_pointee *to);
/* Does the same as pm_unit_pointee() for a declaration: for its type, for the element type of an
 * array (*is_array becomes true), or for the result type of a function. */
bool pm_unit_declared_pointee(const pm_source_unit *unit, const pm_node *node, pm_pointee *to,
                              bool *is_array);
/* Does the same as pm_unit_pointee() for the target of a declared reference. Returns false if the
 * declaration is no reference. */
bool pm_unit_referred_pointee(const pm_source_unit *unit, const pm_node *declaration,
                              pm_pointee *to);
/* Returns whether a variable, or an expression that names it, is a CUDA reference to one of the
 * structs. Its target is found as for a pointer. */
bool pm_unit_is_reference(const pm_source_unit *unit, const pm_node *node);
/* Does the same as pm_unit_pointee() for the type of an expression. A CUDA reference counts as a
 * pointer to its target. */
bool pm_unit_points(const pm_source_unit *unit, const pm_node *expression, pm_pointee *to);
/* Returns whether an expression is an array, and not a parameter written as one. */
bool pm_unit_is_array(const pm_node *expression);

/* ---- structs.c */
void pm_unit_find_structs(pm_source_unit *unit);
/* Fills the kind and type of a kernel's parameter. Describes its struct if it is passed by value.
 */
void pm_unit_parameter_kind(pm_source_unit *unit, const pm_node *parameter, pm_source_param *param);

/* ---- chains.c */

/* An lvalue in an array of structs: p[e], p[e].n[k].x, (*p).f, p->f. */
typedef struct {
    pm_node *pointer; /* pointer that is dereferenced */
    pm_node *index;   /* index in []; NULL: none */
    pm_pointee to;
    char path[256]; /* path of members; "": the element itself */
    /* subscripts of array members; NULL: the first element, by dereferencing */
    pm_node *subscripts[8];
    size_t subscript_count;
    size_t field; /* field of the path; the struct's field_count: the path is a nested struct */
} pm_chain;

/* Returns whether `node` is an lvalue of this kind, and describes it in *chain. Returns false if
 * its path does not fit. */
bool pm_chain_of(const pm_source_unit *unit, pm_node *node, pm_chain *chain);
/* Returns whether the chain's field is one scalar or vector and not an array. */
bool pm_chain_is_scalar(const pm_source_unit *unit, const pm_chain *chain);

/* Use of the lvalue at a node. */
typedef struct {
    bool read, written;
    bool address;     /* its address is taken; node is the & operator */
    bool unevaluated; /* operand of sizeof */
    pm_node *node;    /* operator that uses the lvalue */
} pm_lvalue_use;
pm_lvalue_use pm_chain_use(pm_node *node);
/* Returns the lvalue, or the selection of components if only some of its vector are used. */
const pm_node *pm_chain_part(pm_node *node);
/* Returns whether the node is a call of one of OpenCL's atomic functions. */
bool pm_is_atomic_call(const pm_node *node);

/* ---- variables.c */
void pm_unit_find_variables(pm_source_unit *unit);
/* Returns the variable of a declaration, or of the declaration that an expression names; NULL:
 * none. */
pm_variable *pm_unit_variable(const pm_source_unit *unit, const pm_node *node);
/* Returns the parameter whose array an expression points into; PM_NO_VARIABLE: unknown before the
 * kernel runs. */
size_t pm_unit_base(const pm_source_unit *unit, pm_node *pointer);

/* ---- cuda_places.c */

/* CUDA: finds the targets of pointers to structs, starting from kernels' parameters. */
void pm_unit_find_places(pm_source_unit *unit);
pm_unit_place pm_unit_place_of(const pm_source_unit *unit, const pm_node *pointer);

/* ---- describe.c */
void pm_unit_describe(pm_source_unit *unit);
/* Returns whether the description contains this kernel node: it must be a definition. */
bool pm_unit_is_described(const pm_source_unit *unit, const pm_node *kernel);

#endif
