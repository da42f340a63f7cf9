/* Operations and bytes of kernels, compared with the peaks of a GPU (roofline model). See
 * perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PERFMODEL_ROOFLINE_H
#define PERFMODEL_ROOFLINE_H

#include "perfmodel/core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Level of the memory hierarchy. L1 carries accesses of global and private memory. */
typedef enum { PM_ROOF_DRAM, PM_ROOF_L2, PM_ROOF_L1, PM_ROOF_SHARED } pm_roof_level;
enum { PM_ROOF_LEVELS = 4 };
/* Returns the static name of a level: dram, l2, l1 or shared. */
const char *pm_roof_level_name(pm_roof_level level);

/* Peaks of a GPU, from its row of devices.csv. NaN: unknown. */
typedef struct {
    double fp32_per_s, fp64_per_s;      /* operations/s; a fused multiply-add is two operations */
    double int_per_s;                   /* integer instructions/s, counted per work-item */
    double bytes_per_s[PM_ROOF_LEVELS]; /* bandwidth of each level, bytes/s */
    double dram_in_practice;            /* DRAM bandwidth that a large copy reaches, bytes/s */
    uint64_t reserved[4];
} pm_roofs;

/* A point of the roofline (Williams, Waterman and Patterson 2009). It has one arithmetic intensity
 * for each level of memory (Yang, Kurth and Williams 2020). NaN: unknown. */
typedef struct {
    /* Kind of the counted operations: fp32, fp64 or fp32+fp64. int if the kernel has no floating
     * point operations. NULL: unknown. The text is static. */
    const char *operations;
    double count; /* W: number of operations */
    /* bytes: number of bytes Q that are moved at each level of the memory hierarchy. intensity:
     * arithmetic intensity W / Q of each level, operations/byte; NaN also if Q is 0. */
    double bytes[PM_ROOF_LEVELS], intensity[PM_ROOF_LEVELS];
    double time_s; /* run time with which the achieved rate per_s is computed, seconds */
    bool measured; /* true: time_s was measured; false: it was predicted */
    double per_s;  /* achieved rate W / time_s, operations/s */
    /* Name of the roof that limits the kernel most: a memory level, fp32, fp64 or int. NULL: no
     * roof is known. The text is static. */
    const char *bound;
    /* highest rate that the limiting roof allows at the kernel's intensity, operations/s */
    double roof_per_s;
    double least_s; /* shortest time of the kernel that the limiting roof allows, seconds */
    /* fraction of the limiting roof that the kernel reaches: least_s / time_s */
    double share;
    uint64_t reserved[4];
} pm_roofline;

#ifdef __cplusplus
}
#endif

#endif
