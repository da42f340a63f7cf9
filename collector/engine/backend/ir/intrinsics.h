/* Classifies calls of functions whose body is not in the source: LLVM's intrinsics, and functions
 * such as get_local_id and barrier, which the trace engine implements.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_IR_INTRINSICS_H
#define PM_COLLECTOR_ENGINE_BACKEND_IR_INTRINSICS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "collector/engine/backend/costs/costs.h"
#include "collector/engine/program.h"

typedef enum {
    PM_CALL_ORDINARY,     /* code that the host can execute: mathematical intrinsics, builtins */
    PM_CALL_NOTHING,      /* no effect: debug information, lifetimes, fences of one work-item */
    PM_CALL_BARRIER,      /* barrier of the work-group */
    PM_CALL_GRID_BARRIER, /* barrier of all work-groups of the launch */
    PM_CALL_EXCHANGE,     /* exchange between the work-items of a warp */
    PM_CALL_WARP_SYNC,    /* barrier of the warp */
    PM_CALL_LOCAL_ID,
    /* The results of this and all following kinds of calls are equal for all work-items of a
     * work-group. */
    PM_CALL_GROUP_ID,
    PM_CALL_LOCAL_SIZE,
    PM_CALL_GROUPS,
    PM_CALL_OFFSET,     /* global offset; the call's argument is the dimension */
    PM_CALL_DIMENSIONS, /* get_work_dim */
    PM_CALL_CLOCK       /* CUDA's clock functions, whose result is 0 in a trace */
} pm_call;

typedef enum {
    PM_COUNTED_CALL, /* counts as a call of a function with unknown cost */
    PM_COUNTED_NOTHING,
    /* counts as an arithmetic operation on the result's type, integer or floating point */
    PM_COUNTED_ARITHMETIC,
    /* counts as the instructions in row `cost` of instructions.ini, once for each element of a
     * vector */
    PM_COUNTED_ROW,
    /* counts as the instructions in row `cost` of instructions.ini, once for the whole vector */
    PM_COUNTED_ONCE,
    /* counts as the instructions in row `cost` of instructions.ini, and its multiply-adds as a
     * matrix product */
    PM_COUNTED_PRODUCT,
    PM_COUNTED_BUILTIN /* counts as the builtin function of the same name in instructions.ini */
} pm_cost_kind;

/* Rules by which the engine executes and counts an LLVM intrinsic. An intrinsic with call
 * PM_CALL_ORDINARY has no side effects. */
typedef struct {
    const char *name; /* prefix of the function's name */
    pm_call call;
    pm_cost_kind counted;
    pm_cost cost;
} pm_intrinsic;

/* Returns the description of an LLVM intrinsic; NULL: the engine does not support the intrinsic. */
const pm_intrinsic *pm_intrinsic_of(const char *name);

/* Returns how the engine executes calls of a function with this name. */
pm_call pm_call_of(const char *name);
pm_call pm_call_kind(LLVMValueRef call);
/* Returns whether an instruction is a barrier of the work-group or of the whole grid. */
bool pm_is_barrier(LLVMValueRef instruction);
bool pm_is_grid_barrier(LLVMValueRef instruction);
/* Returns the condition for which a call makes the work-items wait; PM_WAITS_FOR_NOTHING: they need
 * not wait. */
pm_waits_for pm_call_waits_for(LLVMValueRef call);
/* Returns whether a call changes the state of the work-group: it uses a barrier in shared memory
 * (mbarrier) or a barrier for a part of a work-group, or is a bulk copy. */
bool pm_changes_group(LLVMValueRef call);
/* Returns the dimension, 0 to 2, of a call such as get_local_id(1). */
unsigned pm_call_dimension(LLVMValueRef call);

#endif
