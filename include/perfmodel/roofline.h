/* Operations and bytes of kernels beside the peaks of a GPU. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PERFMODEL_ROOFLINE_H
#define PERFMODEL_ROOFLINE_H

#include "perfmodel/core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Levels of memory. L1 is global and private memory through it. */
typedef enum { PM_ROOF_DRAM, PM_ROOF_L2, PM_ROOF_L1, PM_ROOF_SHARED } pm_roof_level;
enum { PM_ROOF_LEVELS = 4 };
/* dram, l2, l1, shared */
const char *pm_roof_level_name(pm_roof_level level);

/* Peaks of a GPU by its row of devices.csv: operations and bytes a second; NaN: unknown. */
typedef struct {
    double fp32_per_s, fp64_per_s; /* a fused multiply-add is two */
    double int_per_s;              /* instructions */
    double bytes_per_s[PM_ROOF_LEVELS];
    double dram_in_practice; /* bytes a second that a large copy reaches */
    uint64_t reserved[4];
} pm_roofs;

/* A point of the roofline (Williams, Waterman and Patterson 2009), with an intensity for each level
 * of memory (Yang, Kurth and Williams 2020). NaN: unknown; intensity: or no bytes. */
typedef struct {
    const char *operations; /* fp32, fp64, fp32+fp64; int: integers, where there are none of
                             * floating point; NULL: unknown */
    double count;           /* of them */
    double bytes[PM_ROOF_LEVELS], intensity[PM_ROOF_LEVELS]; /* operations a byte */
    double time_s;
    bool measured;     /* time_s; else it is predicted */
    double per_s;      /* operations a second */
    const char *bound; /* the lowest roof: a level, fp32, fp64 or int; NULL: none is known */
    double roof_per_s; /* operations a second that it allows */
    double least_s;    /* the time that it allows */
    double share;      /* of the roof that is reached */
    uint64_t reserved[4];
} pm_roofline;

#ifdef __cplusplus
}
#endif

#endif
