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

/* The distinct layouts that a struct has in this workload. */
typedef struct {
    size_t count;
    pm_plan **items;
} pm_plan_list;

/* Kernels for which every struct has the same layout. They share one rewritten source. */
typedef struct {
    size_t *plans; /* plans[struct]: index into the struct's plan list */
    pm_rewritten rewritten;
} pm_group;

/* Copy of an array of structs in one layout. */
typedef struct {
    bool used;
    /* while launches are added: true if this copy has the current contents of the array */
    bool valid;
    /* index in the new workload of the buffer with part 0; the buffers of further parts follow */
    size_t first;
} pm_version;

/* A buffer of the original workload, and its copies in other layouts. */
typedef struct {
    /* struct of the elements; PM_NO_STRUCT: not an array of structs, or the layout does not
     * change */
    size_t structure;
    size_t count;         /* number of structs */
    pm_version *versions; /* versions[plan]: copy in the layout of this plan of the struct's list */
    bool converted;       /* true: kernels use the array in more than one layout */
    bool written;
    size_t newest; /* index of the version that a kernel wrote last */
    size_t shared; /* index of the buffer in the new workload, for a buffer without versions */
} pm_array;

/* A kernel that copies an array of structs from one layout to another. */
typedef struct {
    char *name;
    size_t structure, from, to; /* `from` and `to` are indices into the struct's plan list */
} pm_conversion;

/* State of the layout transform. Errors are raised in pm_attempt of `memory` (base/memory.h). */
typedef struct {
    pm_memory memory;
    pm_session *session;
    const char *layouts;
    pm_workload *original;
    pm_workload *workload;        /* the new workload; NULL: no layout changes */
    const char *path;             /* path of the original source, for messages */
    const pm_kernel_words *words; /* keywords of the source's language */
    pm_source *source;
    pm_source *other;           /* rewritten source that was parsed again; NULL: none at present */
    const pm_source_info *info; /* description of `source` */
    pm_structs structs;         /* copies of the source's structs, to which the plans point */
    pm_plan_list *plans;        /* plans[struct]: list of the struct's plans */
    size_t group_count;
    pm_group *groups;
    /* group_of[kernel]: index of the kernel's group; 0 for kernels without a launch */
    size_t *group_of;
    size_t array_count; /* number of buffers of the original workload */
    pm_array *arrays;
    size_t conversion_count;
    pm_conversion *conversions;
} pm_transform;

/* ---- groups.c ------------------------------------------------------------------- */

/* Returns the index of a kernel in the source. */
size_t pm_transform_kernel(const pm_transform *t, const char *name);
/* Parses `t->layouts` and sets three members. plans[struct] lists the distinct layouts of a struct.
 * groups lists the groups of kernels for which every struct has the same layout. group_of[kernel]
 * is the index of a launched kernel's group. If a layout changes, also rewrites the source once for
 * each group. Raises PM_BAD_INPUT if a layout is malformed or names an unknown struct or kernel. */
void pm_transform_groups(pm_transform *t);
/* Returns true if no struct has another layout than in the source. */
bool pm_transform_is_identity(const pm_transform *t);

/* ---- arrays.c ------------------------------------------------------------------- */

/* Finds the buffers that are arrays of structs. Refuses a buffer that another kernel uses as
 * something else than an array of this struct. */
void pm_transform_arrays(pm_transform *t);
/* Adds the buffers of the new workload, with their contents. */
void pm_transform_buffers(pm_transform *t);
/* Returns true if the array is used only in its original layout. Its buffer is then used
 * unchanged. */
bool pm_array_is_shared(const pm_transform *t, const pm_array *array);

/* ---- launches.c ----------------------------------------------------------------- */

/* Adds the launches of the original workload, with conversions between them, and marks the
 * outputs. */
void pm_transform_launches(pm_transform *t);

/* ---- text.c --------------------------------------------------------------------- */

/* Returns a name for a conversion kernel. No source of the workload contains the name yet. */
char *pm_transform_kernel_name(pm_transform *t, size_t structure, size_t plan);
/* Returns the source text of the new workload. The caller frees it. */
char *pm_transform_text(pm_transform *t);

/* ---- convert_text.c ----------------------------------------------------------------------- */

/* Appends a kernel that copies all elements of an array from one plan of a struct to another. Its
 * parameters are the parts of both plans, then the number of elements (64 bits). */
void pm_convert_text(pm_text *out, const pm_kernel_words *words, const char *name,
                     const pm_plan *from, const pm_plan *to);

#endif
