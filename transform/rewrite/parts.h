/* Internal declarations of the layout transform, with the state of a workload in transformation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_REWRITE_PARTS_H
#define PM_TRANSFORM_REWRITE_PARTS_H

#include "base/memory.h"
#include "base/text.h"
#include "collector/worker/source.h"
#include "program/workload.h"
#include "transform/layout/plan.h"
#include "transform/source/kernel_words.h"

/* The distinct layouts of a struct in this workload. */
typedef struct {
    size_t count;
    pm_plan **items;
} pm_plan_list;

/* Kernels that agree in the layout of every struct. They share one rewritten source. */
typedef struct {
    size_t *plans; /* plans[struct]: index into the struct's plan list */
    pm_rewritten rewritten;
} pm_group;

/* Copy of an array of structs in one layout. */
typedef struct {
    bool used;
    bool valid;   /* while launches are added: this copy has the array's current contents */
    size_t first; /* buffer index of part 0 in the new workload; the other parts follow */
} pm_version;

/* A buffer of the original workload. */
typedef struct {
    size_t structure;     /* PM_NO_STRUCT: not an array of structs, or its layout does not change */
    size_t count;         /* number of structs */
    pm_version *versions; /* versions[plan]: one per plan of the struct's list */
    bool converted;       /* kernels use it in more than one layout */
    bool written;
    size_t newest; /* index of the version that was written last */
    size_t shared; /* without versions: index of the buffer in the new workload */
} pm_array;

/* A kernel that copies an array of structs from one layout to another. */
typedef struct {
    char *name;
    size_t structure, from, to; /* `from` and `to` are indices into the struct's plan list */
} pm_conversion;

/* State of the transform. Errors end the attempt of `memory` (memory.h). */
typedef struct {
    pm_memory memory;
    pm_session *session;
    const char *layouts;
    pm_workload *original;
    pm_workload *workload;        /* the new workload; NULL: no layout changes */
    const char *path;             /* path of the original source, for messages */
    const pm_kernel_words *words; /* keywords of the source's language */
    pm_source *source;
    pm_source *other;           /* rewritten source that is parsed again; NULL: none at present */
    const pm_source_info *info; /* description of `source` */
    pm_structs structs;         /* copies, to which the plans point */
    pm_plan_list *plans;        /* plans[struct]: list of a struct's plans */
    size_t group_count;
    pm_group *groups;
    size_t *group_of;   /* group_of[kernel]; kernels without a launch are in group 0 */
    size_t array_count; /* number of buffers of the original */
    pm_array *arrays;
    size_t conversion_count;
    pm_conversion *conversions;
} pm_transform;

/* ---- groups.c ------------------------------------------------------------------- */

/* Returns the index of a kernel in the source. */
size_t pm_transform_kernel(const pm_transform *t, const char *name);
/* Parses `t->layouts` and sets three members. plans[struct] lists the distinct layouts of a struct.
 * groups lists the sets of kernels that agree in the layout of every struct. group_of[kernel] is
 * the index of a launched kernel's group. If a layout changes, also rewrites the source once per
 * group. A malformed layout, or an unknown struct or kernel in it, ends the attempt with
 * PM_BAD_INPUT. */
void pm_transform_groups(pm_transform *t);
/* Returns true if no struct changes its layout in any kernel. */
bool pm_transform_is_identity(const pm_transform *t);

/* ---- arrays.c ------------------------------------------------------------------- */

/* Finds the buffers that are arrays of structs. Refuses a buffer that kernels also use as something
 * else. */
void pm_transform_arrays(pm_transform *t);
/* Adds the buffers of the new workload, with their contents. */
void pm_transform_buffers(pm_transform *t);
/* Returns true if the array keeps its original layout only, so that its buffer is used unchanged.
 */
bool pm_array_is_shared(const pm_transform *t, const pm_array *array);

/* ---- launches.c ----------------------------------------------------------------- */

/* Adds the launches, with conversions between them, and marks the outputs. */
void pm_transform_launches(pm_transform *t);

/* ---- text.c --------------------------------------------------------------------- */

/* Returns a name for a conversion kernel that no group's source contains. */
char *pm_transform_kernel_name(pm_transform *t, size_t structure, size_t plan);
/* Returns the new workload's source. The caller frees it. */
char *pm_transform_text(pm_transform *t);

/* ---- convert_text.c ----------------------------------------------------------------------- */

/* Appends a kernel that copies all elements from one plan of a struct to another. Its parameters
 * are the parts of both plans, then the number of elements (64 bits). */
void pm_convert_text(pm_text *out, const pm_kernel_words *words, const char *name,
                     const pm_plan *from, const pm_plan *to);

#endif
