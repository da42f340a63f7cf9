/* Reductions of bulk copies (PTX: cp.reduce.async.bulk): each element in global memory is combined
 * with one in shared memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_HOST_BULK_REDUCE_H
#define PM_COLLECTOR_ENGINE_BACKEND_HOST_BULK_REDUCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    PM_REDUCE_ADD,
    PM_REDUCE_MIN,
    PM_REDUCE_MAX,
    PM_REDUCE_INC,
    PM_REDUCE_DEC,
    PM_REDUCE_AND,
    PM_REDUCE_OR,
    PM_REDUCE_XOR
} pm_reduce_operation;

typedef enum {
    PM_REDUCE_U32,
    PM_REDUCE_S32,
    PM_REDUCE_U64,
    PM_REDUCE_S64,
    PM_REDUCE_F16,
    PM_REDUCE_BF16,
    PM_REDUCE_F32,
    PM_REDUCE_F64,
    PM_REDUCE_NOTHING /* elements that cannot be reduced */
} pm_reduce_type;

typedef struct {
    pm_reduce_operation operation;
    pm_reduce_type type;
} pm_bulk_reduction;

/* Reads an operation of PTX, such as add, and if a dot follows, the type, such as add.u32. Without
 * a type, or with one that cannot be reduced, the type is PM_REDUCE_NOTHING. Returns false if there
 * is no such operation. */
bool pm_bulk_reduction_read(const char *text, pm_bulk_reduction *reduction);
/* Returns the type of the elements of a tensor (pm_tensor_type). */
pm_reduce_type pm_bulk_type_of_tensor(uint32_t type);
/* Returns whether PTX has this operation for elements of this type. */
bool pm_bulk_can_reduce(const pm_bulk_reduction *reduction);
/* Combines the elements of two arrays of `bytes` bytes. The results replace those of `global`. */
void pm_bulk_reduce(const pm_bulk_reduction *reduction, uint8_t *global, const uint8_t *shared,
                    size_t bytes);

#endif
