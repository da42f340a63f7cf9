/* The table of PTX's types. See types.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/ptx/types.h"

#include <stddef.h>
#include <string.h>

static const pm_ptx_type types[] = {
    {"b8", PM_PTX_BITS, 8, 1},        {"b16", PM_PTX_BITS, 16, 1},
    {"b32", PM_PTX_BITS, 32, 1},      {"b64", PM_PTX_BITS, 64, 1},
    {"b128", PM_PTX_BITS, 128, 1},    {"u8", PM_PTX_UNSIGNED, 8, 1},
    {"u16", PM_PTX_UNSIGNED, 16, 1},  {"u32", PM_PTX_UNSIGNED, 32, 1},
    {"u64", PM_PTX_UNSIGNED, 64, 1},  {"s8", PM_PTX_SIGNED, 8, 1},
    {"s16", PM_PTX_SIGNED, 16, 1},    {"s32", PM_PTX_SIGNED, 32, 1},
    {"s64", PM_PTX_SIGNED, 64, 1},    {"u16x2", PM_PTX_UNSIGNED, 16, 2},
    {"s16x2", PM_PTX_SIGNED, 16, 2},  {"f16", PM_PTX_FLOAT, 16, 1},
    {"f16x2", PM_PTX_FLOAT, 16, 2},   {"f32", PM_PTX_FLOAT, 32, 1},
    {"f32x2", PM_PTX_FLOAT, 32, 2},   {"f64", PM_PTX_FLOAT, 64, 1},
    {"bf16", PM_PTX_BFLOAT, 16, 1},   {"bf16x2", PM_PTX_BFLOAT, 16, 2},
    {"tf32", PM_PTX_NARROW, 32, 1},   {"e4m3x2", PM_PTX_NARROW, 8, 2},
    {"e5m2x2", PM_PTX_NARROW, 8, 2},  {"e4m3", PM_PTX_NARROW, 8, 1},
    {"e5m2", PM_PTX_NARROW, 8, 1},    {"s4", PM_PTX_SIGNED, 4, 1},
    {"u4", PM_PTX_UNSIGNED, 4, 1},    {"b1", PM_PTX_BITS, 1, 1},
    {"pred", PM_PTX_PREDICATE, 1, 1},
};

const pm_ptx_type *pm_ptx_type_find(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, name) == 0)
            return &types[i];
    return NULL;
}

unsigned pm_ptx_type_bits(const pm_ptx_type *type)
{
    return type->bits * type->lanes;
}
