/* The scalars and vectors of OpenCL C and CUDA. See from_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "compiler/language.h"
#include "suite/file/from_file.h"

static const pm_scalar scalars[] = {
    {"bool", 1, PM_SCALAR_UNSIGNED},      {"char", 1, PM_SCALAR_SIGNED},
    {"uchar", 1, PM_SCALAR_UNSIGNED},     {"short", 2, PM_SCALAR_SIGNED},
    {"ushort", 2, PM_SCALAR_UNSIGNED},    {"int", 4, PM_SCALAR_SIGNED},
    {"uint", 4, PM_SCALAR_UNSIGNED},      {"long", 8, PM_SCALAR_SIGNED},
    {"ulong", 8, PM_SCALAR_UNSIGNED},     {"longlong", 8, PM_SCALAR_SIGNED},
    {"ulonglong", 8, PM_SCALAR_UNSIGNED}, {"half", 2, PM_SCALAR_HALF},
    {"float", 4, PM_SCALAR_REAL},         {"double", 8, PM_SCALAR_REAL},
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

void pm_file_type_adapt(const pm_file_build *b, pm_file_type *type)
{
    if (type->width == 3 && pm_language_of(b->workload->source_path) == PM_LANGUAGE_CUDA)
        type->bytes = 3 * type->scalar->bytes;
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

    if (scalar->kind == PM_SCALAR_REAL && scalar->bytes == sizeof single)
        memcpy(to, &single, sizeof single);
    else if (scalar->kind == PM_SCALAR_REAL)
        memcpy(to, &real, sizeof real);
    else /* of an integer the lower bytes come first, on a GPU and here */
        memcpy(to, &integer, scalar->bytes);
}
