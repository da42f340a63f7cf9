/* What the languages that kernels are written in have built in: OpenCL C's functions, CUDA's
 * variables, qualifiers and functions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SOURCE_CLANG_BUILTINS_H
#define PM_SOURCE_CLANG_BUILTINS_H

#include "source/clang/ast.h"

/* What an expression says of the work-item that evaluates it. */
typedef enum {
    PM_ID_NONE,
    PM_ID_LOCAL,
    PM_ID_GROUP,
    PM_ID_GLOBAL,
    PM_ID_OFFSET, /* of the global id */
    PM_ID_LOCAL_SIZE,
    PM_ID_GROUP_COUNT,
    PM_ID_GLOBAL_SIZE,
    PM_ID_UNIFORM, /* something else that is the same for all of a launch */
    PM_ID_OTHER    /* may differ between work-items */
} pm_id_kind;

typedef struct {
    pm_id_kind kind;
    pm_node *argument;   /* the expression that says which dimension; NULL: it is this one */
    long long dimension; /* 0 where an argument says it */
} pm_id;

/* get_local_id(0), threadIdx.x. */
pm_id pm_id_of(const pm_node *expression);
/* A call that is a barrier of the work-group, or might be: not one of a function that the source
 * defines. */
bool pm_is_group_barrier(const pm_ast *ast, const pm_node *call);
/* A function of the language, whose result depends on its arguments and what they point to alone:
 * that does not say which work-item calls it, and exchanges nothing with others. */
bool pm_is_pure_call(const pm_ast *ast, const pm_node *call);
/* Of local (CUDA: shared) memory. */
bool pm_is_local_variable(const pm_node *node);
/* Of constant memory. */
bool pm_is_constant_variable(const pm_node *node);
/* In C++ a call of a function that may change what it is given by name, or a variable that is
 * another name of something. */
bool pm_takes_reference(const pm_node *node);
/* What a call does to an argument by the reference that it is given as, it does at once, and all
 * that has this name is within the call. */
bool pm_is_plain_reference(const pm_ast *ast, const pm_node *call, const pm_node *argument);

#endif
