/* A parsed source with what its kernels do to arrays of structs: what description and rewriting
 * both start from.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SOURCE_CLANG_SOURCE_UNIT_H
#define PM_SOURCE_CLANG_SOURCE_UNIT_H

#include "base/text.h"
#include "source/clang/ast.h"
#include "source/source.h"

/* A struct that some kernel takes an array of: beside pm_structs' entry. */
typedef struct {
    pm_node *declaration;
    const char *spelling; /* of the type: Particle, struct Particle */
    pm_node *node;        /* the declaration at file scope behind which its name can be used */
} pm_unit_struct;

/* A pointer into an array of structs in global or constant memory. */
typedef struct {
    size_t structure;
    bool constant; /* __constant, else __global */
    bool is_const, is_volatile;
} pm_pointee;

/* How a variable that points into an array of structs is rewritten.
 *   PARTS  parameter: pointers to the parts; it points to element 0 of what was passed
 *   INDEX  the element's number in the array of `base`, a parameter (itself: the parameter's parts
 *          are passed with it)
 *   REF    a value of a generated struct: pointers to the parts, and the element's number */
typedef enum { PM_VARIABLE_PARTS, PM_VARIABLE_INDEX, PM_VARIABLE_REF } pm_variable_mode;

typedef struct {
    pm_node *node;     /* ParmDecl, VarDecl; FieldDecl and FunctionDecl (what it returns) are REF */
    pm_node *function; /* around it; NULL: file scope */
    pm_pointee to;
    bool of_kernel;
    bool changes; /* after its declaration */
    pm_variable_mode mode;
    size_t base; /* LOCAL in INDEX mode: which parameter; PM_NO_VARIABLE: none yet */
} pm_variable;

#define PM_NO_VARIABLE ((size_t)-1)

/* Where a pointer to a struct points in CUDA: into the array of a kernel's parameter, to another
 * struct, or now here, now there. */
typedef enum {
    PM_PLACE_UNKNOWN = 0,
    PM_PLACE_ARRAY = 1,
    PM_PLACE_OTHER = 2,
    PM_PLACE_BOTH = 3
} pm_unit_place;

typedef struct {
    const char *text, *path;
    pm_parse_request request; /* they are of */
    pm_ast ast;               /* whose memory all of this is of */
    pm_source_info info;
    pm_unit_struct *structs; /* as info.structs */
    pm_variable *variables;
    size_t variable_count;
    size_t *variable_of;   /* by node: index into variables */
    pm_unit_place *places; /* of CUDA, by node of a declaration: where it points */
    bool preprocessed;
} pm_source_unit;

/* ---- unit.c */

/* Parses and describes; what the request points to has to last. unit->ast is to be freed either
 * way. */
pm_status pm_source_unit_open(pm_source_unit *unit, const pm_parse_request *request, pm_error *err);
/* What was made of a unit must be source again: this catches what rewriting got wrong. The text is
 * that without what clang is not to see (pm_source_unit_parsed()). */
pm_status pm_source_unit_check(const pm_source_unit *unit, const char *text, pm_error *err);
/* The text that clang saw, which the same edits make a source of that clang is to see. */
const char *pm_source_unit_parsed(const pm_source_unit *unit);

/* ---- shape.c */

/* What the text of a kernel tells about its ranges, and which of its parameters are extents. */
void pm_unit_describe_shape(const pm_source_unit *unit, const pm_node *node,
                            pm_source_kernel *kernel);

/* ---- types.c */

/* Both canonical. */
bool pm_type_points_to(CXType type, CXType *pointee);
/* Of a parameter; one that is written as an array is a pointer. */
CXType pm_parameter_type(const pm_node *parameter);
/* Of a struct in global or constant memory. In CUDA, whose types do not say where something lies,
 * any struct may be. */
bool pm_unit_is_array_in_memory(const pm_source_unit *unit, CXType pointee);
/* OpenCL C's word for a scalar or vector; false: it is neither. */
bool pm_type_word(CXType type, char *word, size_t size);
size_t pm_unit_struct_of(const pm_source_unit *unit, CXType type); /* PM_NO_STRUCT: none */
/* Whether type (canonical) is a pointer to one of the structs in global or constant memory; in
 * CUDA, that may lie there. */
bool pm_unit_pointee(const pm_source_unit *unit, CXType type, pm_pointee *to);
/* The same of a parameter, which may be written as an array. */
bool pm_unit_parameter_pointee(const pm_source_unit *unit, const pm_node *parameter,
                               pm_pointee *to);
/* The same of what a declaration declares, or of what it declares an array of; of a function what
 * it returns. */
bool pm_unit_declared_pointee(const pm_source_unit *unit, const pm_node *node, pm_pointee *to,
                              bool *is_array);
/* A variable of CUDA, or an expression that names one, that is a reference to such a struct: what
 * it stands for is found as if it were a pointer. */
bool pm_unit_is_reference(const pm_source_unit *unit, const pm_node *node);
/* The same of an expression; of one that is such a reference, too. */
bool pm_unit_points(const pm_source_unit *unit, const pm_node *expression, pm_pointee *to);
/* An array, and not a parameter that is written as one. */
bool pm_unit_is_array(const pm_node *expression);

/* ---- structs.c */
void pm_unit_find_structs(pm_source_unit *unit);
/* Fills what a kernel's parameter takes, and its type; describes a struct that is passed. */
void pm_unit_parameter_kind(pm_source_unit *unit, const pm_node *parameter, pm_source_param *param);

/* ---- chains.c */

/* An lvalue in an array of structs: p[e], p[e].n[k].x, (*p).f, p->f. */
typedef struct {
    pm_node *pointer; /* what is dereferenced */
    pm_node *index;   /* in []; NULL: none */
    pm_pointee to;
    char path[256];         /* of members, "" is the element itself */
    pm_node *subscripts[8]; /* of array members; NULL: the first, by dereferencing */
    size_t subscript_count;
    size_t field; /* that the path names; else the struct's field_count: it is a nested struct */
} pm_chain;

/* node is such an lvalue. A path that is too long is no chain. */
bool pm_chain_of(const pm_source_unit *unit, pm_node *node, pm_chain *chain);
/* The field's scalar or vector, not an array of them. */
bool pm_chain_is_scalar(const pm_source_unit *unit, const pm_chain *chain);

/* What is done to the lvalue at node. */
typedef struct {
    bool read, written;
    bool address;     /* its address is taken: node is the & */
    bool unevaluated; /* in sizeof */
    pm_node *node;    /* the operator that does it */
} pm_lvalue_use;
pm_lvalue_use pm_chain_use(pm_node *node);
/* The lvalue, or the components of its vector that are used. */
const pm_node *pm_chain_part(pm_node *node);
/* A call of one of OpenCL's atomic functions. */
bool pm_is_atomic_call(const pm_node *node);

/* ---- variables.c */
void pm_unit_find_variables(pm_source_unit *unit);
/* Of a declaration, or of the declaration that an expression names; NULL: none. */
pm_variable *pm_unit_variable(const pm_source_unit *unit, const pm_node *node);
/* The parameter whose array an expression points into; PM_NO_VARIABLE: not known before it runs. */
size_t pm_unit_base(const pm_source_unit *unit, pm_node *pointer);

/* ---- cuda_places.c */

/* Of a CUDA source: where its pointers to structs point, followed from kernels' parameters. */
void pm_unit_find_places(pm_source_unit *unit);
pm_unit_place pm_unit_place_of(const pm_source_unit *unit, const pm_node *pointer);

/* ---- describe.c */
void pm_unit_describe(pm_source_unit *unit);
/* A kernel that the description has: a definition. */
bool pm_unit_is_described(const pm_source_unit *unit, const pm_node *kernel);

#endif
