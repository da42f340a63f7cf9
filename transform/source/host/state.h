/* State of an interpreter that follows host code: position, variables, and launches so far.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of this folder call each other in one direction: read.c, loops and statements, calls,
 * natives and launches, expressions, bindings, value.h. Only expressions call back into calls,
 * through `follow_call`.
 */
#ifndef PM_TRANSFORM_SOURCE_HOST_STATE_H
#define PM_TRANSFORM_SOURCE_HOST_STATE_H

#include "transform/source/host/value.h"

/* A declared variable and its memory. A reference shares the memory of another variable. */
typedef struct {
    pm_host_node *declaration;
    pm_host_place place;
} pm_host_binding;

/* Use of an unknown number. It decides the value that is assumed. */
typedef enum {
    PM_HOST_FOR_VALUE, /* argument of a kernel */
    PM_HOST_FOR_COUNT, /* number of a loop's rounds; nothing is assumed */
    PM_HOST_FOR_BLOCK, /* threads per block */
    PM_HOST_FOR_SIZE   /* bytes of a buffer, or blocks of a grid */
} pm_host_purpose;

/* Value of all variables with a name: set by the user, or assumed. */
typedef struct {
    const char *name;
    pm_host_value value;
    bool assumed;
    bool is_default; /* the assumed value is the variable's default (pm_host_default) */
    pm_host_purpose purpose;
    bool used;
    int line; /* line of the variable's declaration */
} pm_host_setting;

/* Name of a variable whose value is needed but unknown. */
typedef struct {
    const char *name;
    pm_host_purpose purpose;
    int line;
} pm_host_wanted;

/* Default of a variable: the value that it had before an unknown value, such as a parsed argument,
 * was assigned to it. */
typedef struct {
    const char *name;
    long long value; /* above 0 */
} pm_host_default;

typedef struct {
    pm_host_node *node; /* call expression */
    const char *kernel;
    pm_host_value grid[3], block[3], shared;
    bool is_opencl; /* grid is then the global size, in work-items */
    uint64_t times;
    size_t argument_count;
    pm_host_value *arguments; /* per argument; POINTER: points to a buffer */
    CXType *types;            /* types of the parameters */
    uint64_t *locals;         /* per argument: bytes of OpenCL local memory; 0: none */
} pm_host_launch;

/* An argument of a kernel of OpenCL, as clSetKernelArg has set it. */
typedef struct {
    bool is_set;
    pm_host_value value; /* UNKNOWN where `local` is not 0 */
    uint64_t local;      /* bytes of local memory; 0: it is none */
    CXType type;
    pm_host_node *expression; /* operand of & in clSetKernelArg(..., &operand); NULL: unknown */
} pm_host_cl_argument;

enum { PM_HOST_CL_ARGUMENTS = 64 };

/* A kernel of OpenCL that clCreateKernel has made. */
typedef struct {
    size_t object; /* index of the object to which the host's cl_kernel points */
    const char *name;
    size_t argument_count; /* highest index that was set, plus 1 */
    pm_host_cl_argument arguments[PM_HOST_CL_ARGUMENTS];
} pm_host_cl_kernel;

typedef struct pm_host_state pm_host_state;
struct pm_host_state {
    pm_host_tree *tree;
    pm_memory *memory; /* lives as long as this run through the code */
    pm_host_heap heap;
    size_t binding_count, frame; /* frame: first binding of the current function */
    pm_host_binding *bindings;
    size_t global_count;
    pm_host_binding *globals;
    size_t depth;       /* depth of nested calls */
    size_t root_count;  /* number of bindings of the function where following started */
    size_t nesting;     /* depth of nested expressions and statements */
    pm_host_place self; /* object of the current method */
    pm_host_value returned;
    bool returns_place;  /* the current function returns a reference */
    size_t steps, limit; /* when steps reach the limit, `exhausted` is set */
    bool exhausted;
    bool ended; /* the program has ended */
    size_t setting_count;
    pm_host_setting *settings;
    size_t wanted_count;
    pm_host_wanted *wanted;
    size_t default_count;
    pm_host_default *defaults;
    size_t launch_count;
    pm_host_launch *launches;
    bool has_arguments; /* the program's arguments are known */
    size_t program_argument_count;
    const char *const *program_arguments;
    long long most_argument;    /* upper limit for integers read from arguments; 0: no limit */
    long long largest_argument; /* largest integer that was read from arguments; 0: none */
    size_t option_index;        /* getopt's optind */
    pm_host_value option_value; /* getopt's optarg */
    size_t cl_kernel_count;
    pm_host_cl_kernel **cl_kernels;
    const char *cl_options; /* build options passed to clBuildProgram; NULL: unknown */
    pm_host_value (*follow_call)(pm_host_state *state, pm_host_node *call);
};

/* ---- bindings.c ---- */

/* Counts a step. Returns false if following must stop. */
bool pm_host_step(pm_host_state *state);
/* Adds the variable that an unknown number depends on to the wanted names, if it is known. */
void pm_host_want(pm_host_state *state, pm_host_value value, pm_host_purpose purpose);
/* Records `before` as the default of a variable, because an unknown value replaces it next. */
void pm_host_note_default(pm_host_state *state, const pm_host_node *variable, pm_host_value before);
/* Returns the default of the variables with a name; 0: none is recorded. */
long long pm_host_default_of(const pm_host_state *state, const char *name);
/* Returns the value that a variable of that type has after an assignment. If `value` is unknown, it
 * is the setting of the user or an assumption. */
pm_host_value pm_host_settle(pm_host_state *state, const pm_host_node *variable, CXType type,
                             pm_host_value value);
/* Returns the value of a variable after its declaration. A setting of the user replaces even a
 * known value. */
pm_host_value pm_host_settle_first(pm_host_state *state, const pm_host_node *variable, CXType type,
                                   pm_host_value value);
pm_host_setting *pm_host_find_setting(pm_host_state *state, const char *name);
void pm_host_bind(pm_host_state *state, pm_host_node *declaration, pm_host_place place);
/* Creates an object for a variable and binds it. */
pm_host_place pm_host_bind_new(pm_host_state *state, pm_host_node *declaration);
/* Finds a variable's memory. Returns false if its declaration has not been executed. */
bool pm_host_find_binding(const pm_host_state *state, const pm_host_node *declaration,
                          pm_host_place *place);
/* Reads optarg or optind. Returns false if the variable is another one. */
bool pm_host_option_variable(const pm_host_state *state, const pm_host_node *variable,
                             pm_host_value *value);
/* Returns whether the object is a variable of the function where following started. */
bool pm_host_is_of_root(const pm_host_state *state, size_t object);
void pm_host_bind_global(pm_host_state *state, pm_host_node *declaration, pm_host_place place);

/* ---- expressions.c ---- */

pm_host_value pm_host_evaluate(pm_host_state *state, pm_host_node *node);
pm_host_place pm_host_locate(pm_host_state *state, pm_host_node *node);
/* Stores a value. `node` is the lvalue expression of `place`. */
void pm_host_assign(pm_host_state *state, pm_host_node *node, pm_host_place place,
                    pm_host_value value);
/* Executes a variable's declaration with its initializer. */
void pm_host_declare(pm_host_state *state, pm_host_node *variable);
/* Returns the expression inside parentheses, conversions and casts. */
pm_host_node *pm_host_bare(pm_host_tree *tree, pm_host_node *node);
/* Returns the variable or member that an expression names; NULL: it is another expression. */
pm_host_node *pm_host_variable(pm_host_tree *tree, pm_host_node *node);
/* Initializes memory from a braced initializer. */
void pm_host_initialize(pm_host_state *state, pm_host_place place, CXType type, pm_host_node *list);

/* ---- effects.c ---- */

/* Returns whether a node may launch kernels or allocate, also in functions that it calls. */
bool pm_host_matters(pm_host_tree *tree, pm_host_node *node);
/* Makes the values of everything that a node assigns unknown. */
void pm_host_forget_assigned(pm_host_state *state, pm_host_node *node);
/* Makes the object unknown that a pointer or reference argument of an unknown function refers
 * to. */
void pm_host_forget_argument(pm_host_state *state, pm_host_node *argument);

/* ---- launch.c ---- */

/* Returns the launch configuration if the call is kernel<<<...>>>(...); else NULL. */
pm_host_node *pm_host_configuration(pm_host_tree *tree, pm_host_node *call);
void pm_host_record_launch(pm_host_state *state, pm_host_node *call, pm_host_node *configuration);
/* Records a call of cudaLaunchKernel(kernel, grid, block, arguments, shared, stream). */
void pm_host_record_call(pm_host_state *state, pm_host_node *call);
/* Adds an argument for a parameter of type `type` to a launch. expression: expression of the
 * argument in the source; NULL: unknown. name: name for a buffer that has none yet. */
void pm_host_add_argument(pm_host_state *state, pm_host_launch *launch, CXType type,
                          pm_host_node *expression, pm_host_value value, const char *name);
void pm_host_keep_launch(pm_host_state *state, const pm_host_launch *launch);
/* Returns whether two launches are equal except for `times`. */
bool pm_host_same_launch(const pm_host_state *state, const pm_host_launch *a,
                         const pm_host_launch *b);

/* ---- program.c ---- */

/* Values of main's parameters. */
pm_host_value pm_host_argument_count(const pm_host_state *state);
pm_host_value pm_host_argument_list(pm_host_state *state);
/* Executes a function of the C library that parses a string (atoi and the like), or getopt. Returns
 * false if `name` is no such function. */
bool pm_host_call_reader(pm_host_state *state, pm_host_node *call, const char *name,
                         pm_host_value *result);

/* ---- natives.c ---- */

/* Executes a function of CUDA's runtime or the C library that is known by name. Returns false if it
 * is not known. */
bool pm_host_call_native(pm_host_state *state, pm_host_node *call, const char *name,
                         pm_host_value *result);
/* Returns whether a function of that name allocates memory. */
bool pm_host_allocates(const char *name);
/* Allocates memory of the host or the GPU for `call`. Returns a pointer to it. */
pm_host_value pm_host_allocate(pm_host_state *state, pm_host_node *call, pm_host_space space,
                               pm_host_value bytes);

/* ---- texts.c ---- */

/* Returns the characters of a string value, or of the string that a pointer value points to; NULL:
 * unknown. */
const char *pm_host_text(pm_host_state *state, pm_host_value value);
/* Executes a function that makes strings, such as sprintf. The result is as in
 * pm_host_call_native(). */
bool pm_host_call_text(pm_host_state *state, pm_host_node *call, const char *name,
                       pm_host_value *result);

/* ---- opencl.c ---- */

/* Executes a function of OpenCL's host API. The result is as in pm_host_call_native(). */
bool pm_host_call_opencl(pm_host_state *state, pm_host_node *call, const char *name,
                         pm_host_value *result);
/* Returns whether the OpenCL function `name` allocates buffers, sets arguments of kernels, or
 * launches kernels. */
bool pm_host_opencl_matters(const char *name);

/* ---- statements.c ---- */

typedef enum {
    PM_HOST_NEXT,
    PM_HOST_BREAK,
    PM_HOST_CONTINUE,
    PM_HOST_RETURN,
    PM_HOST_END /* the program ended, or no steps are left */
} pm_host_flow;

pm_host_flow pm_host_run(pm_host_state *state, pm_host_node *statement);

/* ---- calls.c ---- */

/* Executes a call; used as follow_call of pm_host_state. */
pm_host_value pm_host_follow_call(pm_host_state *state, pm_host_node *call);
/* Executes a function that no other one calls. Its parameters are unknown. */
void pm_host_run_root(pm_host_state *state, pm_host_node *function);

#endif
