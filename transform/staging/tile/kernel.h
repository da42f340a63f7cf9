/* The kernel whose arrays are staged: the first pass of staging reads its index (accesses, loops,
 * conditions) and its launches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_STAGING_TILE_KERNEL_H
#define PM_TRANSFORM_STAGING_TILE_KERNEL_H

#include "transform/source/clang/names.h"
#include "transform/source/clang/source_unit.h"
#include "transform/staging/index/index.h"
#include "transform/staging/staging.h"

/* Facts about an array of a kernel that follow from the known launches. */
typedef struct {
    /* true: the array's contents are needed neither before nor after a launch */
    bool temporary;
    /* number of the array's elements in every launch; 0: unknown, or launches differ */
    size_t elements;
} pm_launched_array;

/* The launches of a kernel that the staging request lists. */
typedef struct {
    size_t count;
    const pm_stage_launch **items; /* the launches belong to the request */
    /* true: the request lists launches, possibly only of other kernels */
    bool any;
    bool several; /* true: the launches have different work-group sizes */
    /* largest work-group size of the launches in work-items per dimension; without launches, the
     * size that the request gives; 0: unknown */
    size_t work_group[3];
    /* local_bytes: bytes of local memory that a work-group may use; free_bytes: the part of them
     * that the kernel itself does not use */
    size_t local_bytes, free_bytes;
    pm_launched_array *arrays; /* arrays[array]; allocated from the memory of pm_kernel_read() */
} pm_kernel_launches;

/* ---- launches.c */

/* Finds the launches of the kernel with this name. Leaves free_bytes and arrays at 0. */
void pm_launches_find(const pm_stage_request *request, const char *kernel, pm_memory *memory,
                      pm_kernel_launches *launches);
/* Sets free_bytes and arrays. index: the analysis of the kernel. */
void pm_launches_describe(const pm_stage_request *request, const pm_index *index, pm_memory *memory,
                          pm_kernel_launches *launches);

/* ---- first_ids.c */

/* Adds an atom (symbolic value) for the first global id of a work-group in each dimension, with a
 * new name, and writes all polynomials of the index with it. Generated code then has first id +
 * local id for a global id, instead of group id * size + local id + offset. */
void pm_index_name_first_ids(pm_index *index, pm_names *names);

/* ---- kernel.c */

/* Analyses a kernel and finds its launches. Raises an error if staging is impossible for every
 * array of the kernel. If the work-group size is known (index->sized), first global ids get names.
 * index->memory must be freed in all cases. */
void pm_kernel_read(const pm_source_unit *unit, pm_node *kernel, const pm_stage_request *request,
                    pm_names *names, pm_memory *memory, pm_index *index,
                    pm_kernel_launches *launches);

#endif
