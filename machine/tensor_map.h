/* Tensor maps: descriptions of arrays in global memory, of which a bulk copy (PTX:
 * cp.async.bulk.tensor) copies a box.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * NVIDIA's drivers and GPUs have an encoding of their own, which is not published. Programs only
 * pass maps on, or change their fields by tensormap.replace. Therefore perfmodel has another
 * encoding of the same size.
 */
#ifndef PM_MACHINE_TENSOR_MAP_H
#define PM_MACHINE_TENSOR_MAP_H

#include <stdint.h>

/* PM_TENSOR_RANK: most dimensions of a tensor. PM_TENSOR_MAP_BYTES: bytes of an encoded map.
 * PM_TENSOR_MAP_ADDRESS: offset of the tensor's address in an encoded map. PM_TENSOR_MAP_ALIGN:
 * alignment of a map in bytes. */
enum {
    PM_TENSOR_RANK = 5,
    PM_TENSOR_MAP_BYTES = 128,
    PM_TENSOR_MAP_ADDRESS = 0,
    PM_TENSOR_MAP_ALIGN = 64
};

/* Types of a tensor's elements, with the numbers of PTX (tensormap.replace.elemtype). */
typedef enum {
    PM_TENSOR_U8,
    PM_TENSOR_U16,
    PM_TENSOR_U32,
    PM_TENSOR_S32,
    PM_TENSOR_U64,
    PM_TENSOR_S64,
    PM_TENSOR_F16,
    PM_TENSOR_F32,
    PM_TENSOR_F32_FTZ,
    PM_TENSOR_F64,
    PM_TENSOR_BF16,
    PM_TENSOR_TF32,
    PM_TENSOR_TF32_FTZ,
    PM_TENSOR_TYPES
} pm_tensor_type;

/* A tensor map. Dimension 0 is the one whose elements are adjacent in memory. */
typedef struct {
    uint64_t address;    /* address of the first element */
    uint32_t rank;       /* number of dimensions, 1 to PM_TENSOR_RANK */
    uint32_t type;       /* pm_tensor_type */
    uint32_t interleave; /* layout: 0 is the usual one; others are not supported */
    uint32_t swizzle;    /* 0: none; 1, 2, 3: swizzle of 32, 64 or 128 bytes */
    uint32_t fills_nan;  /* 1: elements outside of the tensor are NaN; 0: they are 0 */
    /* For each dimension: number of elements of the tensor; distance of neighbours in bytes
     * (stride[0] is not used); size of a box; and distance in elements of neighbours in a box. */
    uint64_t size[PM_TENSOR_RANK];
    uint64_t stride[PM_TENSOR_RANK];
    uint32_t box[PM_TENSOR_RANK];
    uint32_t step[PM_TENSOR_RANK];
} pm_tensor_map;

/* Returns the bytes of an element; 0: there is no such type. */
uint32_t pm_tensor_type_bytes(uint32_t type);
/* Returns the number of a type by its name in PTX, such as f16 (also: float, half, ... of CUDA C++,
 * and fp16, ... of Triton); PM_TENSOR_TYPES: there is none. */
uint32_t pm_tensor_type_named(const char *name);

/* Writes a map in perfmodel's encoding, PM_TENSOR_MAP_BYTES bytes. */
void pm_tensor_map_write(const pm_tensor_map *map, uint8_t *bytes);
pm_tensor_map pm_tensor_map_read(const uint8_t *bytes);

/* Returns the number of elements of a box in a dimension. */
uint32_t pm_tensor_box_count(const pm_tensor_map *map, unsigned dimension);
/* Returns the bytes that a box takes in shared memory. */
uint64_t pm_tensor_box_bytes(const pm_tensor_map *map);

/* Returns why a GPU refuses a map, such as "a box has up to 256 elements in each dimension"; NULL:
 * the map is valid. The address is not checked. */
const char *pm_tensor_map_fault(const pm_tensor_map *map);

#endif
