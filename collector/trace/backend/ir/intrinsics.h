/* What calls stand for that are no functions of the source: LLVM's intrinsics, and the functions of
 * the prelude that the engine answers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_IR_INTRINSICS_H
#define PM_COLLECTOR_TRACE_BACKEND_IR_INTRINSICS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "collector/trace/backend/costs/costs.h"

typedef enum {
    PM_CALL_ORDINARY,  /* code that the host can run: mathematical intrinsics, builtins */
    PM_CALL_NOTHING,   /* debug information, lifetimes, fences of one work-item */
    PM_CALL_BARRIER,   /* of the work-group */
    PM_CALL_EXCHANGE,  /* between the work-items of a warp */
    PM_CALL_WARP_SYNC, /* those of a warp wait for each other */
    PM_CALL_LOCAL_ID,
    PM_CALL_GROUP_ID, /* from here on the same for all work-items of a work-group */
    PM_CALL_LOCAL_SIZE,
    PM_CALL_GROUPS,
    PM_CALL_OFFSET,    /* global offset; the dimension is the call's argument */
    PM_CALL_DIMENSIONS /* get_work_dim */
} pm_call;

typedef enum {
    PM_COUNTED_CALL, /* as a call of something unknown */
    PM_COUNTED_NOTHING,
    PM_COUNTED_ARITHMETIC, /* floating point or integer, by the type of the result */
    PM_COUNTED_ROW,        /* cost, for each element */
    PM_COUNTED_BUILTIN     /* as the builtin of the same name */
} pm_cost_kind;

/* One that stands for an ordinary call computes and does nothing else. */
typedef struct {
    const char *name; /* that the function's starts with */
    pm_call call;
    pm_cost_kind counted;
    pm_cost cost;
} pm_intrinsic;

/* NULL: the engine does not know it. */
const pm_intrinsic *pm_intrinsic_of(const char *name);

/* Of a function, by its name. */
pm_call pm_call_of(const char *name);
pm_call pm_call_kind(LLVMValueRef call);
bool pm_is_barrier(LLVMValueRef instruction);
/* Of an id or a size: 0 to 2. */
unsigned pm_call_dimension(LLVMValueRef call);

#endif
