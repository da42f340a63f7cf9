/* Builtins of the kernel languages: OpenCL C's functions, and CUDA's variables, qualifiers and
 * functions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_CLANG_BUILTINS_H
#define PM_TRANSFORM_SOURCE_CLANG_BUILTINS_H

#include "transform/source/clang/ast.h"

/* Kind of an expression: the id or size that it is, or how it differs between work-items. NONE:
 * none of these. */
typedef enum {
    PM_ID_NONE,
    PM_ID_LOCAL,
    PM_ID_GROUP,
    PM_ID_GLOBAL,
    PM_ID_OFFSET, /* offset of the global id */
    PM_ID_LOCAL_SIZE,
    PM_ID_GROUP_COUNT,
    PM_ID_GLOBAL_SIZE,
    PM_ID_UNIFORM, /* another value that is equal in all work-items of a launch */
    PM_ID_OTHER    /* another value, which may differ between work-items */
} pm_id_kind;

typedef struct {
    pm_id_kind kind;
    /* expression for the dimension of the id; NULL: the member `dimension` is the dimension */
    pm_node *argument;
    long long dimension; /* 0 if an argument gives it */
} pm_id;

/* Classifies an expression such as get_local_id(0) or threadIdx.x. */
pm_id pm_id_of(const pm_node *expression);
/* Returns whether a call is, or may be, a barrier of the work-group. Calls of functions that the
 * source defines are not. */
bool pm_is_group_barrier(const pm_ast *ast, const pm_node *call);
/* Returns whether a call is a builtin whose result depends only on its arguments and the data to
 * which they point. The result must not depend on the calling work-item, and the call must not
 * exchange data with other work-items. */
bool pm_is_pure_call(const pm_ast *ast, const pm_node *call);
/* Returns whether a variable is in local (CUDA: shared) memory. */
bool pm_is_local_variable(const pm_node *node);
/* Returns whether a variable is in constant memory. */
bool pm_is_constant_variable(const pm_node *node);
/* For a call in C++: returns whether it may change an argument through a reference. For a variable:
 * returns whether it is a reference. */
bool pm_takes_reference(const pm_node *node);
/* Returns whether a call uses the reference to an argument only for direct accesses during the
 * call. Then the called function has no barrier, and does not store, return or take the address of
 * the reference. */
bool pm_is_plain_reference(const pm_ast *ast, const pm_node *call, const pm_node *argument);

#endif
