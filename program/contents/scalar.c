/* Lists the scalar and vector types of OpenCL C and CUDA (such as float4) with their sizes, and
 * finds a type by its name. See scalar.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/contents/scalar.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const pm_scalar scalars[] = {
    {"bool", 1, PM_SCALAR_UNSIGNED, NULL},
    {"char", 1, PM_SCALAR_SIGNED, NULL},
    {"uchar", 1, PM_SCALAR_UNSIGNED, NULL},
    {"short", 2, PM_SCALAR_SIGNED, NULL},
    {"ushort", 2, PM_SCALAR_UNSIGNED, NULL},
    {"int", 4, PM_SCALAR_SIGNED, NULL},
    {"uint", 4, PM_SCALAR_UNSIGNED, NULL},
    {"long", 8, PM_SCALAR_SIGNED, NULL},
    {"ulong", 8, PM_SCALAR_UNSIGNED, NULL},
    {"longlong", 8, PM_SCALAR_SIGNED, NULL},
    {"ulonglong", 8, PM_SCALAR_UNSIGNED, NULL},
    {"float", 4, PM_SCALAR_REAL, NULL},
    {"double", 8, PM_SCALAR_REAL, NULL},
    {"half", 2, PM_SCALAR_REAL, &pm_narrow_half},
    {"__half", 2, PM_SCALAR_REAL, &pm_narrow_half},
    {"__nv_bfloat16", 2, PM_SCALAR_REAL, &pm_narrow_bfloat16},
    {"nv_bfloat16", 2, PM_SCALAR_REAL, &pm_narrow_bfloat16},
    {"bfloat16", 2, PM_SCALAR_REAL, &pm_narrow_bfloat16},
};

bool pm_file_type_find(const char *name, pm_file_type *type)
{
    static const struct {
        const char *text;
        size_t width;
    } widths[] = {{"", 1}, {"2", 2}, {"3", 3}, {"4", 4}, {"8", 8}, {"16", 16}};

    for (size_t s = 0; s < sizeof scalars / sizeof *scalars; s++) {
        const size_t length = strlen(scalars[s].name);

        if (strncmp(name, scalars[s].name, length) != 0)
            continue;
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
            if (strcmp(name + length, widths[w].text) == 0) {
                const size_t width = widths[w].width;

                *type = (pm_file_type){.scalar = &scalars[s],
                                       .width = width,
                                       .bytes = (width == 3 ? 4 : width) * scalars[s].bytes};
                return true;
            }
    }
    return false;
}

bool pm_scalar_holds(const pm_scalar *scalar, int64_t value)
{
    const unsigned bits = (unsigned)(8 * scalar->bytes);

    if (scalar->kind == PM_SCALAR_UNSIGNED)
        return value >= 0 && (bits == 64 || value < INT64_C(1) << bits);
    return bits == 64 || (value >= -(INT64_C(1) << (bits - 1)) && value < INT64_C(1) << (bits - 1));
}

void pm_scalar_store(const pm_scalar *scalar, void *to, int64_t integer, double real)
{
    const float single = (float)real;
    uint16_t bits;

    if (scalar->narrow) {
        bits = pm_narrow_bits(scalar->narrow, real);
        memcpy(to, &bits, sizeof bits);
    } else if (scalar->kind == PM_SCALAR_REAL && scalar->bytes == sizeof single) {
        memcpy(to, &single, sizeof single);
    } else if (scalar->kind == PM_SCALAR_REAL) {
        memcpy(to, &real, sizeof real);
        /* this machine and GPUs are little-endian, so the lowest bytes of the integer come first */
    } else {
        memcpy(to, &integer, scalar->bytes);
    }
}

double pm_scalar_real(const pm_scalar *scalar, const void *at)
{
    uint16_t bits;
    float single;
    double value;

    if (scalar->narrow) {
        memcpy(&bits, at, sizeof bits);
        return pm_narrow_value(scalar->narrow, bits);
    }
    if (scalar->bytes == sizeof single) {
        memcpy(&single, at, sizeof single);
        return (double)single;
    }
    memcpy(&value, at, sizeof value);
    return value;
}

bool pm_scalar_fits(const pm_scalar *scalar, double value)
{
    const double most = scalar->narrow                   ? pm_narrow_most(scalar->narrow)
                        : scalar->bytes == sizeof(float) ? (double)FLT_MAX
                                                         : DBL_MAX;

    return fabs(value) <= most;
}
