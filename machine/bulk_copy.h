/* Names in LLVM's IR by which the PTX front end passes bulk copies (cp.async.bulk) to the trace
 * engine.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A bulk copy is a call of a function whose name begins with PM_BULK_PREFIX. The engine executes it
 * at once. After the call follow a load from the copy's source and a store or atomic to its
 * destination with the metadata PM_BULK_MARK. They are not executed. They tell the engine which
 * memory the copy accesses, and have the metadata PM_ASYNC_MARK, too (machine/async_copy.h).
 */
#ifndef PM_MACHINE_BULK_COPY_H
#define PM_MACHINE_BULK_COPY_H

#define PM_BULK_MARK "pm.bulk"
#define PM_BULK_PREFIX "pm.bulk."
/* Function without effect that is called behind the marked accesses. LLVM must assume that it
 * writes memory, and therefore does not take the value of a later load from a marked store. */
#define PM_BULK_END "pm.bulk.end"

/* Copies to and from shared memory. The name of a reduction ends with a dot, the operation of PTX,
 * such as add, a dot and the type of the elements in PTX. */
#define PM_BULK_LOAD "pm.bulk.load"
#define PM_BULK_STORE "pm.bulk.store"
#define PM_BULK_REDUCE "pm.bulk.reduce."
/* Copies of a box of a tensor. The name of a reduction ends with the operation. */
#define PM_TENSOR_LOAD "pm.bulk.tensor.load"
#define PM_TENSOR_STORE "pm.bulk.tensor.store"
#define PM_TENSOR_REDUCE "pm.bulk.tensor.reduce."
/* Changes of tensor maps: tensormap.replace and tensormap.cp_fenceproxy. */
#define PM_MAP_REPLACE "pm.bulk.map.replace"
#define PM_MAP_COPY "pm.bulk.map.copy"

/* Words of the operand of these functions. SHARED, BARRIER: low 32 bits of an address in shared
 * memory; BARRIER only for copies to shared memory. GLOBAL: first of the two words of an address in
 * global memory; for tensors that of the tensor map. BYTES: size of a copy. COORDINATES: first of
 * PM_TENSOR_RANK coordinates, and RANK: number of dimensions. */
enum {
    PM_BULK_SHARED,
    PM_BULK_BARRIER,
    PM_BULK_GLOBAL,
    PM_BULK_BYTES = 4,
    PM_BULK_WORDS,
    PM_BULK_COORDINATES = 4,
    PM_BULK_RANK = 9,
    PM_TENSOR_WORDS
};

/* Words of the operand of PM_MAP_REPLACE. SHARED and GLOBAL: address of the map. IN_SHARED: 1 if it
 * is in shared memory, so that SHARED is its address; 0: GLOBAL is its address. FIELD:
 * pm_map_field. DIMENSION: dimension to which the field belongs. VALUE: first of the two words of
 * the value. */
enum {
    PM_REPLACE_IN_SHARED = 1,
    PM_REPLACE_FIELD = 4,
    PM_REPLACE_DIMENSION,
    PM_REPLACE_VALUE,
    PM_REPLACE_WORDS = 8
};

/* Fields of a tensor map that tensormap.replace changes. */
typedef enum {
    PM_MAP_ADDRESS,
    PM_MAP_RANK,
    PM_MAP_BOX,
    PM_MAP_SIZE,
    PM_MAP_STRIDE,
    PM_MAP_STEP,
    PM_MAP_TYPE,
    PM_MAP_INTERLEAVE,
    PM_MAP_SWIZZLE,
    PM_MAP_FILL,
    PM_MAP_FIELDS
} pm_map_field;

#endif
