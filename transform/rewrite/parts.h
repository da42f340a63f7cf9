/* Internal declarations of the transformation of a workload (source, buffers and launches) to other
 * memory layouts.
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

/* The different memory layouts that a struct has in the kernels of this workload. Each is a
 * plan, which has the positions of the struct's fields. */
typedef struct {
    size_t count;
    pm_plan **items;
} pm_plan_list;

/* Kernels for which every struct has the same layout, so that they get one common rewritten
 * source. */
typedef struct {
    /* plans[s]: the layout of struct s in these kernels, as an index in the list of all layouts of
     * struct s (pm_transform.plans[s]) */
    size_t *plans;
    pm_rewritten rewritten;
} pm_group;

/* A copy of an array of structs in one layout, which consists of one or more buffers. If kernels
 * use the array in several layouts, each of these layouts has a copy. */
typedef struct {
    bool used;
    /* true if this copy has the array's current contents after the launches that have been added so
     * far to the new workload */
    bool valid;
    /* index in the new workload of the copy's first buffer; the other buffers of the layout
     * follow */
    size_t first;
} pm_version;

/* A buffer of the original workload. If the buffer is an array of structs whose layout changes,
 * this struct has its copies in the new layouts. */
typedef struct {
    /* struct of the buffer's elements; PM_NO_STRUCT: the buffer is no array of structs, or the
     * layout does not change */
    size_t structure;
    size_t count; /* number of structs */
    /* versions[plan]: copy of the array in the layout with this index in
     * pm_transform.plans[structure] */
    pm_version *versions;
    /* true: kernels use the array in more than one layout, so conversion kernels are needed */
    bool converted;
    bool written;
    /* index in `versions` of the copy that was written last by the launches that have been added so
     * far to the new workload */
    size_t newest;
    /* index of this buffer in the new workload; valid only if the buffer has no copies in new
     * layouts */
    size_t shared;
} pm_array;

/* A generated kernel that copies an array of structs from one layout to another. */
typedef struct {
    char *name;
    /* The two layouts `from` and `to` are indices into pm_transform.plans[structure]. */
    size_t structure, from, to;
} pm_conversion;

/* State while a workload is changed so that its arrays of structs have other memory layouts. If
 * an error occurs, the functions jump out by longjmp to the call of pm_attempt with `memory`
 * (base/memory.h). */
typedef struct {
    pm_memory memory;
    pm_session *session;
    const char *layouts;
    pm_workload *original;
    pm_workload *workload;        /* the new workload; NULL if no layout changes */
    const char *path;             /* path of the original source, for error messages */
    const pm_kernel_words *words; /* keywords of the source's language */
    pm_source *source;
    /* The rewritten source of the group of kernels that is being written, parsed to find the names
     * that it declares. NULL: no such source is open. */
    pm_source *other;
    const pm_source_info *info; /* description of `source` */
    /* copies of the descriptions of the source's structs, to which the layouts in `plans` point */
    pm_structs structs;
    pm_plan_list *plans; /* plans[struct]: the distinct layouts of the struct */
    size_t group_count;
    pm_group *groups;
    /* groups: sets of kernels that get the same layouts. group_of[kernel]: index in `groups` of the
     * set that has the kernel; 0 for kernels without a launch */
    size_t *group_of;
    size_t array_count; /* number of buffers of the original workload */
    pm_array *arrays;
    size_t conversion_count;
    pm_conversion *conversions;
} pm_transform;

/* ---- groups.c ------------------------------------------------------------------- */

/* Returns the index in the source's description of the kernel with this name. */
size_t pm_transform_kernel(const pm_transform *t, const char *name);
/* Parses `t->layouts` and sets `plans`, `groups` and `group_of`. If a layout changes, rewrites the
 * source once for each group of kernels. Raises PM_BAD_INPUT if a layout is malformed or names an
 * unknown struct or kernel. */
void pm_transform_groups(pm_transform *t);
/* Returns true if every struct keeps the source's own layout in all kernels. */
bool pm_transform_is_identity(const pm_transform *t);

/* ---- arrays.c ------------------------------------------------------------------- */

/* Finds the buffers that are arrays of structs whose layout changes. Raises an error if kernels use
 * one buffer as arrays of different structs, or if one kernel uses it as an array of structs and
 * another kernel uses it in another way. */
void pm_transform_arrays(pm_transform *t);
/* Adds the buffers of the new workload, with their converted contents. */
void pm_transform_buffers(pm_transform *t);
/* pointers: the pointers in the contents of a buffer of the original workload. Returns copies of
 * them that point to the buffers of the new workload. Raises an error if the layout of a buffer to
 * which one of the pointers points changes. */
pm_pointer *pm_transform_pointers(pm_transform *t, const pm_pointers *pointers);
/* Returns true if the workload's kernels use the array only in its original layout, so that the new
 * workload uses the buffer unchanged. */
bool pm_array_is_shared(const pm_transform *t, const pm_array *array);

/* ---- launches.c ----------------------------------------------------------------- */

/* Adds the launches of the original workload to the new one. Adds launches of conversion kernels
 * between them where the layout of an array changes, and marks the output buffers. */
void pm_transform_launches(pm_transform *t);

/* ---- text.c --------------------------------------------------------------------- */

/* Returns a name for the kernel that converts arrays of the struct to layout number `plan`, such as
 * Particle_to_soa. No source of the workload contains the name. */
char *pm_transform_kernel_name(pm_transform *t, size_t structure, size_t plan);
/* Returns the source text of the new workload. The caller frees it. */
char *pm_transform_text(pm_transform *t);

/* ---- convert_text.c ----------------------------------------------------------------------- */

/* Appends the source of a kernel that copies all elements of an array of structs from one layout to
 * another. Its parameters are the buffers of both layouts, then the number of elements (64
 * bits). */
void pm_convert_text(pm_text *out, const pm_kernel_words *words, const char *name,
                     const pm_plan *from, const pm_plan *to);

#endif
