/* State of the interpreter of host code: its variables, its memory, and the kernel launches so far.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of this folder call only files that come later in this list: read.c; the files of loops and
 * of statements; those of calls; those of launches and of functions that the interpreter implements
 * itself; those of expressions; those of bindings; value.h. The only exception is the function
 * pointer `follow_call`, by which expressions call functions of the host code.
 */
#ifndef PM_TRANSFORM_SOURCE_HOST_STATE_H
#define PM_TRANSFORM_SOURCE_HOST_STATE_H

#include "transform/source/host/value.h"

/* A declared variable and the address of its memory. A reference has the address of the variable to
 * which it refers. */
typedef struct {
    pm_host_node *declaration;
    pm_host_place place;
} pm_host_binding;

/* The purpose for which an unknown number is used. It decides which value the interpreter assumes
 * for the number. */
typedef enum {
    PM_HOST_FOR_VALUE, /* argument of a kernel */
    PM_HOST_FOR_COUNT, /* number of a loop's iterations; no value is assumed */
    PM_HOST_FOR_BLOCK, /* threads per block */
    PM_HOST_FOR_SIZE   /* size of a buffer in bytes, or number of thread blocks of a grid */
} pm_host_purpose;

/* A value for all variables of the host code that have this name. The user set it with --set, or
 * it is assumed. */
typedef struct {
    const char *name;
    pm_host_value value;
    bool assumed;
    /* true: the assumed value is the positive value that the host code assigned first
     * (pm_host_default) */
    bool is_default;
    pm_host_purpose purpose;
    bool used;
    int line; /* source line of the variable's declaration */
} pm_host_setting;

/* Name of a variable whose unknown value a launch needs, with the use of the value. */
typedef struct {
    const char *name;
    pm_host_purpose purpose;
    int line;
} pm_host_wanted;

/* Default of a variable. The host code has replaced the value of the variable by an unknown value,
 * such as a parsed argument. `value` is the value before that. */
typedef struct {
    const char *name;
    long long value; /* the default, above 0 */
} pm_host_default;

typedef struct {
    pm_host_node *node; /* call expression that launches the kernel */
    const char *kernel;
    pm_host_value grid[3], block[3], shared;
    bool is_opencl; /* true: launched by OpenCL; `grid` is then the global size in work-items */
    uint64_t times;
    size_t argument_count;
    pm_host_value *arguments; /* arguments[i]: value of argument i; a pointer points to a buffer */
    CXType *types;            /* types of the kernel's parameters */
    /* locals[argument]: bytes of OpenCL local memory; 0: the argument is no local memory */
    uint64_t *locals;
} pm_host_launch;

/* An argument of an OpenCL kernel, as clSetKernelArg has set it. */
typedef struct {
    bool is_set;
    pm_host_value value; /* value of the argument; UNKNOWN if `local` is not 0 */
    uint64_t local;      /* bytes of local memory; 0: the argument is no local memory */
    CXType type;
    pm_host_node *expression; /* the variable in clSetKernelArg(..., &variable); NULL: unknown */
} pm_host_cl_argument;

enum { PM_HOST_CL_ARGUMENTS = 64 };

/* An OpenCL kernel that clCreateKernel has made. */
typedef struct {
    size_t object; /* index of the heap object to which the host's cl_kernel variable points */
    const char *name;
    size_t argument_count; /* largest index that was set, plus 1 */
    pm_host_cl_argument arguments[PM_HOST_CL_ARGUMENTS];
} pm_host_cl_kernel;

typedef struct pm_host_state pm_host_state;
struct pm_host_state {
    pm_host_tree *tree;
    pm_memory *memory; /* memory for one run of the interpreter */
    pm_host_heap heap;
    /* frame: index in `bindings` of the first variable of the function that is being executed */
    size_t binding_count, frame;
    pm_host_binding *bindings;
    size_t global_count;
    pm_host_binding *globals;
    size_t depth;       /* depth of nested calls */
    size_t root_count;  /* number of variables of the function at which the interpreter started */
    size_t nesting;     /* depth of nested expressions and statements that are being executed */
    pm_host_place self; /* object of the method that is being executed */
    pm_host_value returned;
    /* true: the function that is being executed returns a reference, so the address of the result
     * is needed */
    bool returns_place;
    /* The interpreter counts its steps. When `steps` reaches `limit`, it sets `exhausted` and
     * stops. */
    size_t steps, limit;
    bool exhausted;
    bool ended; /* true: the program has ended, for example by exit() */
    size_t symbol_count;
    size_t *symbols; /* indices of the objects that are variables in the GPU's memory */
    size_t setting_count;
    pm_host_setting *settings;
    size_t wanted_count;
    pm_host_wanted *wanted;
    size_t default_count;
    pm_host_default *defaults;
    size_t launch_count;
    pm_host_launch *launches;
    bool has_arguments; /* true: the program's command-line arguments are known */
    size_t program_argument_count;
    const char *const *program_arguments;
    /* limit for integers that are parsed from the program's arguments; a larger one is replaced by
     * the limit; 0: no limit */
    long long most_argument;
    /* largest integer that was read from the program's arguments; 0: none */
    long long largest_argument;
    size_t option_index;        /* present value of getopt's variable optind */
    pm_host_value option_value; /* present value of getopt's variable optarg */
    size_t cl_kernel_count;
    pm_host_cl_kernel **cl_kernels;
    const char *cl_options; /* build options that were passed to clBuildProgram; NULL: unknown */
    pm_host_value (*follow_call)(pm_host_state *state, pm_host_node *call);
};

/* ---- bindings.c ---- */

/* Counts one step of the interpreter. Returns false if the interpreter must stop. */
bool pm_host_step(pm_host_state *state);
/* A launch needs `value`. If `value` is unknown because the value of a variable is unknown, records
 * the name of this variable. The user can then set the value of the variable, or perfmodel assumes
 * one. purpose: the use that the launch makes of `value`. */
void pm_host_want(pm_host_state *state, pm_host_value value, pm_host_purpose purpose);
/* The value `before` of a variable is about to be replaced by an unknown value, such as a parsed
 * command-line argument. Records `before` as the default of the variable. */
void pm_host_note_default(pm_host_state *state, const pm_host_node *variable, pm_host_value before);
/* Returns the default of the variables with this name: the last value before the host code assigned
 * an unknown value to such a variable. Returns 0 if none was recorded. */
long long pm_host_default_of(const pm_host_state *state, const char *name);
/* Returns the value that a variable of type `type` has after `value` is assigned to it. If `value`
 * is unknown, returns the value that the user set or that is assumed for the variable. */
pm_host_value pm_host_settle(pm_host_state *state, const pm_host_node *variable, CXType type,
                             pm_host_value value);
/* Returns the value that a variable has after its declaration with the initial value `value`. If
 * the user has set a value for the variable, this is the result, even if `value` is known.
 * Otherwise, returns the result of pm_host_settle. */
pm_host_value pm_host_settle_first(pm_host_state *state, const pm_host_node *variable, CXType type,
                                   pm_host_value value);
pm_host_setting *pm_host_find_setting(pm_host_state *state, const char *name);
void pm_host_bind(pm_host_state *state, pm_host_node *declaration, pm_host_place place);
/* Creates an object in the interpreter's memory for a variable, and binds the variable to it. */
pm_host_place pm_host_bind_new(pm_host_state *state, pm_host_node *declaration);
/* Finds the memory of a variable. Returns false if the variable's declaration has not been
 * executed. */
bool pm_host_find_binding(const pm_host_state *state, const pm_host_node *declaration,
                          pm_host_place *place);
/* Reads optarg or optind, the variables of getopt, into *value. Returns false if `variable` is
 * neither of them. */
bool pm_host_option_variable(const pm_host_state *state, const pm_host_node *variable,
                             pm_host_value *value);
/* Returns whether an object of the interpreter's memory is a variable of the function at which the
 * interpreter started. */
bool pm_host_is_of_root(const pm_host_state *state, size_t object);
void pm_host_bind_global(pm_host_state *state, pm_host_node *declaration, pm_host_place place);

/* ---- expressions.c ---- */

pm_host_value pm_host_evaluate(pm_host_state *state, pm_host_node *node);
pm_host_place pm_host_locate(pm_host_state *state, pm_host_node *node);
/* Stores `value` at the address `place`. node: the expression to which the value is assigned. */
void pm_host_assign(pm_host_state *state, pm_host_node *node, pm_host_place place,
                    pm_host_value value);
/* Executes a variable's declaration, including its initializer. */
void pm_host_declare_variable(pm_host_state *state, pm_host_node *variable);
/* Returns the expression inside of parentheses, implicit conversions and casts. */
pm_host_node *pm_host_bare(pm_host_tree *tree, pm_host_node *node);
/* Returns the template instance, such as sum<256>, if an expression is the name of a kernel that
 * clang has not resolved, as in the initializer of an array. Returns an unknown value for other
 * expressions. */
pm_host_value pm_host_named_template(pm_host_state *state, pm_host_node *node);
/* Returns the variable or member that an expression names. NULL: the expression is not a name. */
pm_host_node *pm_host_variable(pm_host_tree *tree, pm_host_node *node);
/* Initializes memory from a braced initializer. */
void pm_host_initialize(pm_host_state *state, pm_host_place place, CXType type, pm_host_node *list);

/* ---- effects.c ---- */

/* Returns whether executing a node may launch kernels or allocate memory, also in the functions
 * that it calls. The interpreter must execute only such code. */
bool pm_host_matters(pm_host_tree *tree, pm_host_node *node);
/* Marks the values of all variables to which the code of `node` assigns as unknown. */
void pm_host_forget_assigned(pm_host_state *state, pm_host_node *node);
/* `argument` is passed to a function whose code is not known. Marks the value of the object to
 * which it points or refers as unknown, because the function may change it. */
void pm_host_forget_argument(pm_host_state *state, pm_host_node *argument);

/* ---- launch.c ---- */

/* Returns the launch configuration (grid, block, shared) if the call has the form
 * kernel<<<...>>>(...). Returns NULL if the call has another form. */
pm_host_node *pm_host_configuration(pm_host_tree *tree, pm_host_node *call);
void pm_host_record_launch(pm_host_state *state, pm_host_node *call, pm_host_node *configuration);
/* Records a call of cudaLaunchKernel(kernel, grid, block, arguments, shared, stream). */
void pm_host_record_call(pm_host_state *state, pm_host_node *call);
/* Records a call of cudaLaunchKernelEx(configuration, kernel, arguments ...). */
void pm_host_record_configured(pm_host_state *state, pm_host_node *call);
/* Adds an argument to a launch. type: type of the kernel's parameter. expression: the argument in
 * the source; NULL: unknown. name: becomes the buffer's name if the argument points to a buffer
 * without a name. */
void pm_host_add_argument(pm_host_state *state, pm_host_launch *launch, CXType type,
                          pm_host_node *expression, pm_host_value value, const char *name);
/* Returns whether a variable at file scope is a texture reference to which a texture is bound. */
bool pm_host_is_bound(const pm_host_state *state, const pm_host_binding *global);
void pm_host_keep_launch(pm_host_state *state, const pm_host_launch *launch);
/* Returns whether two launches are equal except for `times`. */
bool pm_host_same_launch(const pm_host_state *state, const pm_host_launch *a,
                         const pm_host_launch *b);

/* ---- program.c ---- */

/* Returns the value of main's parameter argc. */
pm_host_value pm_host_argument_count(const pm_host_state *state);
pm_host_value pm_host_argument_list(pm_host_state *state);
/* Executes getopt, or a C library function that parses a string, such as atoi, and sets *result.
 * Returns false if `name` is another function. */
bool pm_host_call_reader(pm_host_state *state, pm_host_node *call, const char *name,
                         pm_host_value *result);

/* ---- natives.c ---- */

/* Executes a function of CUDA's runtime or of the C library that is built into the interpreter, and
 * sets *result. Returns false if `name` is another function. */
bool pm_host_call_native(pm_host_state *state, pm_host_node *call, const char *name,
                         pm_host_value *result);
/* Returns whether the built-in function with that name allocates memory. */
bool pm_host_allocates(const char *name);
/* Allocates memory of the host or the GPU for the call expression `call`. Returns a pointer to the
 * memory. */
pm_host_value pm_host_allocate(pm_host_state *state, pm_host_node *call, pm_host_space space,
                               pm_host_value bytes);

/* ---- symbols.c ---- */

/* Creates the buffer that is the memory of a variable in the GPU's memory (__device__, __constant__
 * or __managed__). Its initial contents are zeros. */
pm_host_place pm_host_add_symbol(pm_host_state *state, const pm_host_node *variable);
/* Executes a function that copies to or from variables in the GPU's memory, or gives their address
 * or size, and sets *result. Returns false if `name` is another function. */
bool pm_host_call_symbol(pm_host_state *state, pm_host_node *call, const char *name,
                         pm_host_value *result);
/* Copies memory of the host to a buffer that no launch has used yet. */
void pm_host_fill_buffer(pm_host_state *state, pm_host_place to, pm_host_value from,
                         uint64_t bytes);

/* ---- texts.c ---- */

/* Returns the characters of a string, or of the string to which a pointer points. NULL: unknown. */
const char *pm_host_text(pm_host_state *state, pm_host_value value);
/* Executes a function that makes strings, such as sprintf, and sets *result. Returns false if
 * `name` is another function. */
bool pm_host_call_text(pm_host_state *state, pm_host_node *call, const char *name,
                       pm_host_value *result);

/* ---- opencl.c ---- */

/* Executes a function of OpenCL's host API, such as clCreateBuffer, and sets *result. Returns false
 * if `name` is another function. */
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
    PM_HOST_END /* the program ended, or the limit on steps is reached */
} pm_host_flow;

pm_host_flow pm_host_run(pm_host_state *state, pm_host_node *statement);

/* ---- calls.c ---- */

/* Executes a call of a function by executing the function's body. pm_host_state.follow_call points
 * to this function. */
pm_host_value pm_host_follow_call(pm_host_state *state, pm_host_node *call);
/* Executes a function from which the interpreter starts. The values of the function's parameters
 * are unknown. */
void pm_host_run_root(pm_host_state *state, pm_host_node *function);

#endif
