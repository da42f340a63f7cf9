/* Recognizes builtins of the kernel languages in a source: OpenCL C's functions such as
 * get_global_id(), and CUDA's variables such as threadIdx, qualifiers and functions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_CLANG_BUILTINS_H
#define PM_TRANSFORM_SOURCE_CLANG_BUILTINS_H

#include "transform/source/clang/ast.h"

/* Kind of an integer expression, seen from a work-item: an id, a size of the launch, or another
 * value. PM_ID_NONE means that the kind was not determined. The names are those of OpenCL C: LOCAL
 * is get_local_id() or threadIdx, GROUP is get_group_id() or blockIdx, and so on. */
typedef enum {
    PM_ID_NONE,
    PM_ID_LOCAL,
    PM_ID_GROUP,
    PM_ID_GLOBAL,
    PM_ID_OFFSET, /* offset of the global id */
    PM_ID_LOCAL_SIZE,
    PM_ID_GROUP_COUNT,
    PM_ID_GLOBAL_SIZE,
    PM_ID_UNIFORM, /* another value, equal for all work-items of a launch */
    PM_ID_OTHER    /* another value, which may differ between work-items */
} pm_id_kind;

typedef struct {
    pm_id_kind kind;
    /* expression for the dimension of the id; NULL: the dimension is in `dimension` */
    pm_node *argument;
    long long dimension; /* dimension of the id: 0, 1 or 2; 0 if `argument` gives it */
} pm_id;

/* Classifies an expression such as get_local_id(0) or threadIdx.x. */
pm_id pm_id_of(const pm_node *expression);
/* Returns whether a call is a barrier of the work-group, or calls unknown code that may contain
 * one. Returns false for a call of a function whose definition the tree has, because callers visit
 * its body themselves. */
bool pm_is_group_barrier(const pm_ast *ast, const pm_node *call);
/* Returns true if a call is of a builtin function whose result depends only on its arguments and
 * the data to which they point, like sqrt. Returns false if the result depends on the calling
 * work-item, as in get_global_id(), or if the builtin exchanges data between work-items. */
bool pm_is_pure_call(const pm_ast *ast, const pm_node *call);
/* Returns whether a variable is in local (CUDA: shared) memory. */
bool pm_is_local_variable(const pm_node *node);
/* Returns whether a variable is in constant memory. */
bool pm_is_constant_variable(const pm_node *node);
/* node: a call or a variable. Returns whether the call may change one of its arguments through a
 * C++ reference, or whether the variable is a C++ reference. */
bool pm_takes_reference(const pm_node *node);
/* argument: an argument that a call passes by reference. Returns whether the called function only
 * reads and writes the argument during the call: it has no barrier, and does not store or return
 * the reference or take its address. */
bool pm_is_plain_reference(const pm_ast *ast, const pm_node *call, const pm_node *argument);

#endif
