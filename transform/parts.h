/* What the files of the transform share: a workload on its way to another layout.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_PARTS_H
#define PM_TRANSFORM_PARTS_H

#include "base/memory.h"
#include "base/text.h"
#include "layout/plan.h"
#include "program/workload.h"
#include "source/kernel_words.h"
#include "worker/source.h"

/* The layouts that a struct has in this workload, each of them once. */
typedef struct {
    size_t count;
    pm_plan **items;
} pm_plan_list;

/* Kernels for which every struct has the same layout: one rewritten source. */
typedef struct {
    size_t *plans; /* [struct], into the struct's list */
    pm_rewritten rewritten;
} pm_group;

/* An array of structs in one of its layouts. */
typedef struct {
    bool used;
    bool valid;   /* while launches are added: it holds what the array holds by then */
    size_t first; /* the new workload's buffer of part 0; the others follow it */
} pm_version;

/* A buffer of the original workload. */
typedef struct {
    size_t structure;     /* PM_NO_STRUCT: no array of structs, or one that stays as it is */
    size_t count;         /* structs in it */
    pm_version *versions; /* [plan of the struct's list] */
    bool converted;       /* it is used in several layouts */
    bool written;
    size_t newest; /* version that was written last */
    size_t shared; /* without structure: the new workload's buffer */
} pm_array;

/* A kernel that copies arrays of a struct from one layout to another. */
typedef struct {
    char *name;
    size_t structure, from, to; /* plans of the struct's list */
} pm_conversion;

/* What goes wrong on the way ends the attempt (memory.h). */
typedef struct {
    pm_memory memory;
    pm_session *session;
    const char *layouts;
    pm_workload *original;
    pm_workload *workload;        /* the new one; NULL: the layouts leave all as it is */
    const char *path;             /* of the original's source, for messages */
    const pm_kernel_words *words; /* of its language */
    pm_source *source;
    pm_source *other; /* rewritten source that is read again; NULL: none is at the moment */
    const pm_source_info *info; /* source's */
    pm_structs structs;         /* copies, which the plans refer to */
    pm_plan_list *plans;        /* [struct] */
    size_t group_count;
    pm_group *groups;
    size_t *group_of;   /* [kernel]; those that no launch runs are in the first one */
    size_t array_count; /* buffers of the original */
    pm_array *arrays;
    size_t conversion_count;
    pm_conversion *conversions;
} pm_transform;

/* ---- groups.c ------------------------------------------------------------------- */

/* Index of a kernel of the source. */
size_t pm_transform_kernel(const pm_transform *t, const char *name);
/* Reads the layouts into plans and groups. */
void pm_transform_groups(pm_transform *t);
/* Every struct stays as it is in every kernel. */
bool pm_transform_is_identity(const pm_transform *t);

/* ---- arrays.c ------------------------------------------------------------------- */

/* Finds which buffers are arrays of structs, and refuses those that are something else as well. */
void pm_transform_arrays(pm_transform *t);
/* Adds the buffers of the new workload, with their contents. */
void pm_transform_buffers(pm_transform *t);
/* Whether an array is needed as it was in the original alone. */
bool pm_array_is_shared(const pm_transform *t, const pm_array *array);

/* ---- launches.c ----------------------------------------------------------------- */

/* Adds the launches, with conversions between them, and marks the outputs. */
void pm_transform_launches(pm_transform *t);

/* ---- text.c --------------------------------------------------------------------- */

/* A name for a conversion kernel that no text of the groups has. */
char *pm_transform_kernel_name(pm_transform *t, size_t structure, size_t plan);
/* The new workload's source, to free. */
char *pm_transform_text(pm_transform *t);

/* ---- convert_text.c ----------------------------------------------------------------------- */

/* A kernel that copies every element's scalars from one plan of a struct to another. It takes the
 * parts of both, then the number of elements, of 64 bits. */
void pm_convert_text(pm_text *out, const pm_kernel_words *words, const char *name,
                     const pm_plan *from, const pm_plan *to);

#endif
