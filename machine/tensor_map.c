/* The encoding of tensor maps, and the rules for their fields. See tensor_map.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rules are those of cuTensorMapEncodeTiled in NVIDIA's "CUDA Driver API" for maps in tile
 * mode.
 */
#include "machine/tensor_map.h"

#include <stddef.h>
#include <string.h>

enum { CHUNK = 16, MOST_BOX = 256, MOST_STEP = 8, MOST_BOX_BYTES = 1 << 20 };
static const uint64_t MOST_SIZE = UINT64_C(1) << 32, MOST_STRIDE = UINT64_C(1) << 40;

/* The encoding. A size is stored minus 1. stride[d]: stride of dimension d + 1. */
typedef struct {
    uint64_t address;
    uint64_t stride[PM_TENSOR_RANK - 1];
    uint32_t size[PM_TENSOR_RANK];
    uint16_t box[PM_TENSOR_RANK];
    uint8_t step[PM_TENSOR_RANK];
    uint8_t rank, type, interleave, swizzle, fills_nan;
    /* MARK in a valid map, so that other data are not mistaken for a map */
    uint8_t mark;
} encoded;

enum { MARK = 0xA7 };

_Static_assert(sizeof(encoded) <= PM_TENSOR_MAP_BYTES, "a map must fit");
_Static_assert(offsetof(encoded, address) == PM_TENSOR_MAP_ADDRESS, "wrong offset");

uint32_t pm_tensor_type_bytes(uint32_t type)
{
    static const uint8_t bytes[PM_TENSOR_TYPES] = {1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2, 4, 4};

    return type < PM_TENSOR_TYPES ? bytes[type] : 0;
}

uint32_t pm_tensor_type_named(const char *name)
{
    static const struct {
        const char *name;
        pm_tensor_type type;
    } types[] = {
        {"u8", PM_TENSOR_U8},         {"uchar", PM_TENSOR_U8},   {"char", PM_TENSOR_U8},
        {"i8", PM_TENSOR_U8},         {"fp8e4nv", PM_TENSOR_U8}, {"fp8e5", PM_TENSOR_U8},
        {"u16", PM_TENSOR_U16},       {"ushort", PM_TENSOR_U16}, {"short", PM_TENSOR_U16},
        {"i16", PM_TENSOR_U16},       {"u32", PM_TENSOR_U32},    {"uint", PM_TENSOR_U32},
        {"s32", PM_TENSOR_S32},       {"int", PM_TENSOR_S32},    {"i32", PM_TENSOR_S32},
        {"u64", PM_TENSOR_U64},       {"ulong", PM_TENSOR_U64},  {"s64", PM_TENSOR_S64},
        {"long", PM_TENSOR_S64},      {"i64", PM_TENSOR_S64},    {"f16", PM_TENSOR_F16},
        {"half", PM_TENSOR_F16},      {"fp16", PM_TENSOR_F16},   {"f32", PM_TENSOR_F32},
        {"float", PM_TENSOR_F32},     {"fp32", PM_TENSOR_F32},   {"f64", PM_TENSOR_F64},
        {"double", PM_TENSOR_F64},    {"fp64", PM_TENSOR_F64},   {"bf16", PM_TENSOR_BF16},
        {"bfloat16", PM_TENSOR_BF16}, {"tf32", PM_TENSOR_TF32},
    };

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(name, types[i].name) == 0)
            return types[i].type;
    return PM_TENSOR_TYPES;
}

void pm_tensor_map_write(const pm_tensor_map *map, uint8_t *bytes)
{
    encoded e = {.address = map->address,
                 .rank = (uint8_t)map->rank,
                 .type = (uint8_t)map->type,
                 .interleave = (uint8_t)map->interleave,
                 .swizzle = (uint8_t)map->swizzle,
                 .fills_nan = (uint8_t)map->fills_nan,
                 .mark = MARK};

    for (unsigned d = 0; d < PM_TENSOR_RANK; d++) {
        e.size[d] = (uint32_t)(map->size[d] - 1);
        e.box[d] = (uint16_t)map->box[d];
        e.step[d] = (uint8_t)map->step[d];
        if (d > 0)
            e.stride[d - 1] = map->stride[d];
    }
    memset(bytes, 0, PM_TENSOR_MAP_BYTES);
    memcpy(bytes, &e, sizeof e);
}

pm_tensor_map pm_tensor_map_read(const uint8_t *bytes)
{
    encoded e;
    pm_tensor_map map;

    memcpy(&e, bytes, sizeof e);
    map = (pm_tensor_map){.address = e.address,
                          .rank = e.mark == MARK ? e.rank : 0,
                          .type = e.type,
                          .interleave = e.interleave,
                          .swizzle = e.swizzle,
                          .fills_nan = e.fills_nan};
    for (unsigned d = 0; d < PM_TENSOR_RANK; d++) {
        map.size[d] = (uint64_t)e.size[d] + 1;
        map.box[d] = e.box[d];
        map.step[d] = e.step[d];
        map.stride[d] = d > 0 ? e.stride[d - 1] : pm_tensor_type_bytes(e.type);
    }
    return map;
}

uint32_t pm_tensor_box_count(const pm_tensor_map *map, unsigned dimension)
{
    /* without an interleaved layout, GPUs ignore the step of dimension 0 */
    const uint32_t step = dimension > 0 && map->step[dimension] > 1 ? map->step[dimension] : 1;

    return (map->box[dimension] + step - 1) / step;
}

uint64_t pm_tensor_box_bytes(const pm_tensor_map *map)
{
    uint64_t bytes = pm_tensor_type_bytes(map->type);

    for (unsigned d = 0; d < map->rank && d < PM_TENSOR_RANK; d++)
        bytes *= pm_tensor_box_count(map, d);
    return bytes;
}

/* Returns what is wrong with dimension d of a map; NULL: nothing. */
static const char *dimension_fault(const pm_tensor_map *map, unsigned d)
{
    if (map->size[d] == 0 || map->size[d] > MOST_SIZE)
        return "a size is 0 or exceeds 2^32";
    if (map->box[d] == 0 || map->box[d] > MOST_BOX)
        return "a box has 1 to 256 elements in each dimension";
    if (map->step[d] == 0 || map->step[d] > MOST_STEP)
        return "the step of a dimension (element stride) is 1 to 8";
    if (d > 0 && (map->stride[d] % CHUNK != 0 || map->stride[d] >= MOST_STRIDE))
        return "a stride is a multiple of 16 bytes and less than 2^40";
    return NULL;
}

const char *pm_tensor_map_fault(const pm_tensor_map *map)
{
    const uint64_t row = (uint64_t)map->box[0] * pm_tensor_type_bytes(map->type);
    const char *fault = NULL;

    if (map->rank == 0 || map->rank > PM_TENSOR_RANK)
        return "it is no tensor map; a workload file has tensor_map (...) among the arguments";
    if (map->type >= PM_TENSOR_TYPES)
        return "elements of this type cannot be traced";
    if (map->interleave != 0)
        return "interleaved layouts cannot be traced";
    if (map->swizzle > 3)
        return "the swizzle is none, or of 32, 64 or 128 bytes";
    for (unsigned d = 0; !fault && d < map->rank; d++)
        fault = dimension_fault(map, d);
    if (fault)
        return fault;
    if (row % CHUNK != 0)
        return "a row of a box is a multiple of 16 bytes";
    /* We have not measured how a GPU places shorter rows in shared memory. */
    if (map->swizzle && row != UINT64_C(16) << map->swizzle)
        return "a row of a box must be as long as the swizzle";
    if (pm_tensor_box_bytes(map) > MOST_BOX_BYTES)
        return "a box is larger than shared memory";
    return NULL;
}
