/* The source's struct as C for the host: which of a field's extents stand at which word of its
 * path, and its declaration.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_HOST_STRUCT_H
#define PM_TRANSFORM_HOST_STRUCT_H

#include "base/text.h"
#include "source/fields.h"

/* extent d of a field stands behind word number words[d] of its path: n[4].x or n.x[4]. */
typedef struct {
    unsigned words[8];
} pm_host_field;

typedef struct {
    const pm_struct *structure; /* must outlive it */
    pm_host_field *fields;
    const char *padding; /* how names of padding start, so that no field has them */
} pm_host_struct;

/* A struct that C cannot declare so ends the attempt with PM_BAD_INPUT. */
pm_host_struct pm_host_struct_make(pm_memory *memory, const pm_struct *structure);

/* What a type of OpenCL C is on the host: a type of stdint.h or, for a vector, PREFIX_TYPE. align
 * is the host's, of a vector that of one of its scalars. */
void pm_host_type(const pm_field *field, const char *prefix, char *name, size_t size,
                  size_t *align);
/* Whether that is a struct of scalars. */
bool pm_host_is_vector(const pm_field *field);
/* typedefs of the vectors that the struct has. */
void pm_host_vectors(pm_text *out, const pm_struct *structure);
/* typedef struct { .. } NAME; */
void pm_host_declare(pm_text *out, const pm_host_struct *host);
/* n[k0].x[k1] of field f. */
void pm_host_path(pm_text *out, const pm_host_struct *host, size_t f);
/* Writes bytes of padding if the next thing, to be aligned to align, would not by itself lie at
 * offset behind end. */
void pm_host_pad(pm_text *out, const pm_host_struct *host, int indent, size_t end, size_t offset,
                 size_t align);

#endif
