/* The programs of the suite, in the order in which they are listed and collected.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/workload.h"

extern const pm_program pm_program_matmul_tiled;
extern const pm_program pm_program_matmul_float4;
extern const pm_program pm_program_dct8x8;
extern const pm_program pm_program_haar1d;
extern const pm_program pm_program_nbody;
extern const pm_program pm_program_fdtd3d;
extern const pm_program pm_program_median3x3;
extern const pm_program pm_program_sobel3x3;
extern const pm_program pm_program_binomial;
extern const pm_program pm_program_aes128;
extern const pm_program pm_program_copy;
extern const pm_program pm_program_cfd;
extern const pm_program pm_program_particlefilter;

static const pm_program *const programs[] = {
    &pm_program_matmul_tiled,   &pm_program_matmul_float4, &pm_program_dct8x8,
    &pm_program_haar1d,         &pm_program_nbody,         &pm_program_fdtd3d,
    &pm_program_median3x3,      &pm_program_sobel3x3,      &pm_program_binomial,
    &pm_program_aes128,         &pm_program_copy,          &pm_program_cfd,
    &pm_program_particlefilter,
};

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
