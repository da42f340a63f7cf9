/* Host code while it is followed: where it is, what its variables hold, what it has launched.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files of this folder call each other one way: read.c, loops and statements, calls, natives
 * and launches, expressions, bindings, value.h. Only expressions come back to calls, by
 * `follow_call`.
 */
#ifndef PM_SOURCE_HOST_STATE_H
#define PM_SOURCE_HOST_STATE_H

#include "source/host/value.h"

/* A variable that has been declared. A reference is bound to another one's place. */
typedef struct {
    pm_host_node *declaration;
    pm_host_place place;
} pm_host_binding;

/* What an unknown number is wanted for, which decides what is assumed for it. */
typedef enum {
    PM_HOST_FOR_VALUE, /* an argument of a kernel */
    PM_HOST_FOR_COUNT, /* how often a loop runs: nothing is assumed */
    PM_HOST_FOR_BLOCK, /* threads of a block */
    PM_HOST_FOR_SIZE   /* bytes of a buffer, or blocks of a grid */
} pm_host_purpose;

/* A value for variables of a name: given by the user, or assumed. */
typedef struct {
    const char *name;
    pm_host_value value;
    bool assumed;
    bool is_default; /* the assumed value is what the variable held before */
    pm_host_purpose purpose;
    bool used;
    int line; /* of the variable */
} pm_host_setting;

/* A name that a value is wanted for. */
typedef struct {
    const char *name;
    pm_host_purpose purpose;
    int line;
} pm_host_wanted;

/* What a variable held before a value from elsewhere was stored in it: its default. */
typedef struct {
    const char *name;
    long long value; /* above 0 */
} pm_host_default;

typedef struct {
    pm_host_node *node; /* the call */
    const char *kernel;
    pm_host_value grid[3], block[3], shared;
    bool is_opencl; /* grid is then the global size, in work-items */
    uint64_t times;
    size_t argument_count;
    pm_host_value *arguments; /* POINTER: to a buffer */
    CXType *types;            /* of the parameters */
    uint64_t *locals;         /* of arguments of OpenCL: bytes of local memory */
} pm_host_launch;

/* An argument of a kernel of OpenCL, as clSetKernelArg has set it. */
typedef struct {
    bool is_set;
    pm_host_value value; /* UNKNOWN where `local` is not 0 */
    uint64_t local;      /* bytes of local memory; 0: it is none */
    CXType type;
    pm_host_node *expression; /* what its address is taken of; NULL: not known */
} pm_host_cl_argument;

enum { PM_HOST_CL_ARGUMENTS = 64 };

/* A kernel of OpenCL that clCreateKernel has made. */
typedef struct {
    size_t object; /* which cl_kernel points to */
    const char *name;
    size_t argument_count; /* the last one that was set, plus 1 */
    pm_host_cl_argument arguments[PM_HOST_CL_ARGUMENTS];
} pm_host_cl_kernel;

typedef struct pm_host_state pm_host_state;
struct pm_host_state {
    pm_host_tree *tree;
    pm_memory *memory; /* of this run through the code */
    pm_host_heap heap;
    size_t binding_count, frame; /* frame: the first binding of the function that runs */
    pm_host_binding *bindings;
    size_t global_count;
    pm_host_binding *globals;
    size_t depth;       /* of calls */
    size_t root_count;  /* of bindings that are the first function\'s */
    size_t nesting;     /* of expressions and statements */
    pm_host_place self; /* of the method that runs */
    pm_host_value returned;
    bool returns_place;  /* the function that runs returns a reference */
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
    size_t cl_kernel_count;
    pm_host_cl_kernel **cl_kernels;
    const char *cl_options; /* of clBuildProgram; NULL: none are known */
    pm_host_value (*follow_call)(pm_host_state *state, pm_host_node *call);
};

/* ---- bindings.c ---- */

/* Whether the code still runs; counts a step. */
bool pm_host_step(pm_host_state *state);
/* Names the value that an unknown number is made of, if it has an origin. */
void pm_host_want(pm_host_state *state, pm_host_value value, pm_host_purpose purpose);
/* Notes what the variable holds, which a value that is not known is about to replace. */
void pm_host_note_default(pm_host_state *state, const pm_host_node *variable, pm_host_value before);
/* The default of the variables of a name; 0: they have none. */
long long pm_host_default_of(const pm_host_state *state, const char *name);
/* What a variable of that name and type holds once the value is stored in it: what the user or an
 * assumption sets where the value is not known. */
pm_host_value pm_host_settle(pm_host_state *state, const pm_host_node *variable, CXType type,
                             pm_host_value value);
/* The same at the variable's declaration: there the user's setting replaces known values too. */
pm_host_value pm_host_settle_first(pm_host_state *state, const pm_host_node *variable, CXType type,
                                   pm_host_value value);
pm_host_setting *pm_host_find_setting(pm_host_state *state, const char *name);
void pm_host_bind(pm_host_state *state, pm_host_node *declaration, pm_host_place place);
/* Makes an object for a variable and binds it. */
pm_host_place pm_host_bind_new(pm_host_state *state, pm_host_node *declaration);
/* False: the variable has not been declared on the way. */
bool pm_host_find_binding(const pm_host_state *state, const pm_host_node *declaration,
                          pm_host_place *place);
/* Whether the object is a variable of the function in which following started. */
bool pm_host_is_of_root(const pm_host_state *state, size_t object);
void pm_host_bind_global(pm_host_state *state, pm_host_node *declaration, pm_host_place place);

/* ---- expressions.c ---- */

pm_host_value pm_host_evaluate(pm_host_state *state, pm_host_node *node);
pm_host_place pm_host_locate(pm_host_state *state, pm_host_node *node);
/* Stores in a place that an expression names; `node` is that expression. */
void pm_host_assign(pm_host_state *state, pm_host_node *node, pm_host_place place,
                    pm_host_value value);
/* Declares a variable with its initializer. */
void pm_host_declare(pm_host_state *state, pm_host_node *variable);
/* Without parentheses, conversions and casts. */
pm_host_node *pm_host_bare(pm_host_tree *tree, pm_host_node *node);
/* The variable or member that an expression names; NULL: another one. */
pm_host_node *pm_host_variable(pm_host_tree *tree, pm_host_node *node);
/* Fills a place by an initializer in braces. */
void pm_host_initialize(pm_host_state *state, pm_host_place place, CXType type, pm_host_node *list);

/* ---- effects.c ---- */

/* Whether launches or allocations may happen in a node, or in functions that it calls. */
bool pm_host_matters(pm_host_tree *tree, pm_host_node *node);
/* All that a node assigns to is unknown from now on. */
void pm_host_forget_assigned(pm_host_state *state, pm_host_node *node);
/* What a pointer or reference that is handed to an unknown function leads to is unknown. */
void pm_host_forget_argument(pm_host_state *state, pm_host_node *argument);

/* ---- launch.c ---- */

/* Whether the call is kernel<<<...>>>(...). */
pm_host_node *pm_host_configuration(pm_host_tree *tree, pm_host_node *call);
void pm_host_record_launch(pm_host_state *state, pm_host_node *call, pm_host_node *configuration);
/* cudaLaunchKernel(kernel, grid, block, arguments, shared, stream). */
void pm_host_record_call(pm_host_state *state, pm_host_node *call);
/* Adds an argument that is passed for a parameter of that type. expression: what it was written
 * as; NULL: not known. name: of a buffer that has no other. */
void pm_host_add_argument(pm_host_state *state, pm_host_launch *launch, CXType type,
                          pm_host_node *expression, pm_host_value value, const char *name);
void pm_host_keep_launch(pm_host_state *state, const pm_host_launch *launch);
/* Whether two launches are the same but for `times`. */
bool pm_host_same_launch(const pm_host_state *state, const pm_host_launch *a,
                         const pm_host_launch *b);

/* ---- natives.c ---- */

/* Follows a function of CUDA's runtime or of the C library that is known by its name. False: it is
 * none. */
bool pm_host_call_native(pm_host_state *state, pm_host_node *call, const char *name,
                         pm_host_value *result);
/* Whether the name is that of a function that allocates. */
bool pm_host_allocates(const char *name);
/* Memory of the host or the GPU, for `call`, which the result points to. */
pm_host_value pm_host_allocate(pm_host_state *state, pm_host_node *call, pm_host_space space,
                               pm_host_value bytes);

/* Gives memory a name and the type of its elements, by where its address is stored: target is the
 * expression that points to `place`. */
void pm_host_describe_memory(pm_host_state *state, pm_host_node *target, pm_host_place place,
                             size_t object);

/* ---- texts.c ---- */

/* Characters of a text, or of the text that a pointer leads to; NULL: not known. */
const char *pm_host_text(pm_host_state *state, pm_host_value value);
/* Follows a function that makes texts, as pm_host_call_native does. */
bool pm_host_call_text(pm_host_state *state, pm_host_node *call, const char *name,
                       pm_host_value *result);

/* ---- opencl.c ---- */

/* Follows a function of OpenCL, as pm_host_call_native does. */
bool pm_host_call_opencl(pm_host_state *state, pm_host_node *call, const char *name,
                         pm_host_value *result);
/* Whether the function allocates buffers, sets arguments of kernels, or launches. */
bool pm_host_opencl_matters(const char *name);

/* ---- statements.c ---- */

typedef enum {
    PM_HOST_NEXT,
    PM_HOST_BREAK,
    PM_HOST_CONTINUE,
    PM_HOST_RETURN,
    PM_HOST_END /* of the program, or no steps are left */
} pm_host_flow;

pm_host_flow pm_host_run(pm_host_state *state, pm_host_node *statement);

/* ---- calls.c ---- */

/* Follows a call: pm_host_state's follow_call. */
pm_host_value pm_host_follow_call(pm_host_state *state, pm_host_node *call);
/* Runs a function that nobody calls; what its parameters hold is not known. */
void pm_host_run_root(pm_host_state *state, pm_host_node *function);

#endif
