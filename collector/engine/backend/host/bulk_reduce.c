/* Executes the reductions of bulk copies. See bulk_reduce.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/host/bulk_reduce.h"

#include <string.h>

#include "collector/engine/backend/host/elements.h"
#include "machine/tensor_map.h"

static const uint8_t element_bytes[] = {4, 4, 8, 8, 2, 2, 4, 8};

bool pm_bulk_reduction_read(const char *text, pm_bulk_reduction *reduction)
{
    static const char *const operations[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};
    static const struct {
        const char *name;
        pm_reduce_type type;
    } types[] = {{"u32", PM_REDUCE_U32}, {"s32", PM_REDUCE_S32}, {"u64", PM_REDUCE_U64},
                 {"s64", PM_REDUCE_S64}, {"f16", PM_REDUCE_F16}, {"bf16", PM_REDUCE_BF16},
                 {"f32", PM_REDUCE_F32}, {"f64", PM_REDUCE_F64}, {"b32", PM_REDUCE_U32},
                 {"b64", PM_REDUCE_U64}};
    const size_t length = strcspn(text, ".");
    unsigned operation = 0;

    while (operation <= PM_REDUCE_XOR && (strlen(operations[operation]) != length ||
                                          strncmp(operations[operation], text, length) != 0))
        operation++;
    if (operation > PM_REDUCE_XOR)
        return false;
    *reduction = (pm_bulk_reduction){(pm_reduce_operation)operation, PM_REDUCE_NOTHING};
    for (size_t i = 0; text[length] && i < sizeof types / sizeof *types; i++)
        if (strcmp(text + length + 1, types[i].name) == 0)
            reduction->type = types[i].type;
    return true;
}

pm_reduce_type pm_bulk_type_of_tensor(uint32_t type)
{
    switch (type) {
    case PM_TENSOR_U32:
        return PM_REDUCE_U32;
    case PM_TENSOR_S32:
        return PM_REDUCE_S32;
    case PM_TENSOR_U64:
        return PM_REDUCE_U64;
    case PM_TENSOR_S64:
        return PM_REDUCE_S64;
    case PM_TENSOR_F16:
        return PM_REDUCE_F16;
    case PM_TENSOR_BF16:
        return PM_REDUCE_BF16;
    case PM_TENSOR_F32:
    case PM_TENSOR_F32_FTZ:
        return PM_REDUCE_F32;
    case PM_TENSOR_F64:
        return PM_REDUCE_F64;
    default:
        return PM_REDUCE_NOTHING;
    }
}

bool pm_bulk_can_reduce(const pm_bulk_reduction *reduction)
{
    const bool is_float = reduction->type >= PM_REDUCE_F16;
    const bool is_half = reduction->type == PM_REDUCE_F16 || reduction->type == PM_REDUCE_BF16;

    if (reduction->type == PM_REDUCE_NOTHING)
        return false;
    switch (reduction->operation) {
    case PM_REDUCE_ADD:
        return true;
    case PM_REDUCE_MIN:
    case PM_REDUCE_MAX:
        return !is_float || is_half;
    case PM_REDUCE_INC:
    case PM_REDUCE_DEC:
        return reduction->type == PM_REDUCE_U32;
    default:
        return !is_float;
    }
}

static double combine_real(pm_reduce_operation operation, double a, double b)
{
    if (operation == PM_REDUCE_MIN)
        return b < a ? b : a;
    if (operation == PM_REDUCE_MAX)
        return b > a ? b : a;
    return a + b;
}

/* Combines two integers of 32 or 64 bits, of which signed ones are extended by their sign. */
static uint64_t combine_integer(const pm_bulk_reduction *r, uint64_t a, uint64_t b)
{
    const bool is_signed = r->type == PM_REDUCE_S32 || r->type == PM_REDUCE_S64;
    const bool less = is_signed ? (int64_t)b < (int64_t)a : b < a;

    switch (r->operation) {
    case PM_REDUCE_ADD:
        return a + b;
    case PM_REDUCE_MIN:
        return less ? b : a;
    case PM_REDUCE_MAX:
        return less ? a : b;
    case PM_REDUCE_INC:
        return a >= b ? 0 : a + 1;
    case PM_REDUCE_DEC:
        return a == 0 || a > b ? b : a - 1;
    case PM_REDUCE_AND:
        return a & b;
    case PM_REDUCE_OR:
        return a | b;
    case PM_REDUCE_XOR:
        return a ^ b;
    }
    return a;
}

static uint64_t integer_at(const uint8_t *at, pm_reduce_type type)
{
    uint64_t value = 0;

    memcpy(&value, at, element_bytes[type]);
    return type == PM_REDUCE_S32 ? (uint64_t)(int64_t)(int32_t)value : value;
}

/* Combines two numbers of 16 or 32 bits. Their sum in double precision is exact or, for 32 bits,
 * rounds to the same float. */
static void reduce_element(pm_reduce_operation operation, pm_element element, uint8_t *global,
                           const uint8_t *shared, size_t bytes)
{
    uint32_t a = 0, b = 0;

    memcpy(&a, global, bytes);
    memcpy(&b, shared, bytes);
    pm_element_set(
        element, &a, 0,
        combine_real(operation, pm_element_value(element, &a, 0), pm_element_value(element, &b, 0)),
        false);
    memcpy(global, &a, bytes);
}

void pm_bulk_reduce(const pm_bulk_reduction *r, uint8_t *global, const uint8_t *shared,
                    size_t bytes)
{
    const size_t each = element_bytes[r->type];

    for (size_t at = 0; at + each <= bytes; at += each) {
        if (r->type == PM_REDUCE_F16 || r->type == PM_REDUCE_BF16 || r->type == PM_REDUCE_F32) {
            reduce_element(r->operation,
                           r->type == PM_REDUCE_F16    ? PM_ELEMENT_F16
                           : r->type == PM_REDUCE_BF16 ? PM_ELEMENT_BF16
                                                       : PM_ELEMENT_F32,
                           global + at, shared + at, each);
        } else if (r->type == PM_REDUCE_F64) {
            double a, b;

            memcpy(&a, global + at, sizeof a);
            memcpy(&b, shared + at, sizeof b);
            a = combine_real(r->operation, a, b);
            memcpy(global + at, &a, sizeof a);
        } else {
            const uint64_t value = combine_integer(r, integer_at(global + at, r->type),
                                                   integer_at(shared + at, r->type));

            memcpy(global + at, &value, each);
        }
    }
}
