/* Lists the programs of the suite, in the order of tables and of perfmodel collect. The file that
 * cmake/suite_catalogue.cmake writes lists those that workload files describe.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "program/suite/suite.h"

#define PROGRAMS(EACH)                                                                             \
    EACH(matmul_tiled)                                                                             \
    EACH(matmul_float4)                                                                            \
    EACH(dct8x8)                                                                                   \
    EACH(haar1d)                                                                                   \
    EACH(nbody)                                                                                    \
    EACH(fdtd3d)                                                                                   \
    EACH(median3x3)                                                                                \
    EACH(sobel3x3)                                                                                 \
    EACH(binomial)                                                                                 \
    EACH(aes128)                                                                                   \
    EACH(matmul)                                                                                   \
    EACH(inverse)                                                                                  \
    EACH(sph)                                                                                      \
    EACH(idw)                                                                                      \
    EACH(cfd)                                                                                      \
    EACH(particlefilter)                                                                           \
    EACH(copy)

#define DECLARE(name) extern const pm_program pm_program_##name;
#define POINT_TO(name) &pm_program_##name,

PROGRAMS(DECLARE)

static const pm_program *const programs[] = {PROGRAMS(POINT_TO)};

size_t pm_program_count(void)
{
    return sizeof programs / sizeof programs[0];
}

const pm_program *pm_suite_program(size_t i)
{
    return i < pm_program_count() ? programs[i] : NULL;
}

const pm_program_info *pm_program_at(size_t i)
{
    return i < pm_program_count() ? &programs[i]->info : NULL;
}

const pm_program *pm_suite_find(const char *name)
{
    for (size_t i = 0; i < pm_program_count(); i++)
        if (strcmp(programs[i]->info.name, name) == 0)
            return programs[i];
    return NULL;
}
