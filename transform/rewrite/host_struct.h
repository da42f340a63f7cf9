/* Declares the source's struct as C for the host.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_REWRITE_HOST_STRUCT_H
#define PM_TRANSFORM_REWRITE_HOST_STRUCT_H

#include "base/text.h"
#include "transform/source/fields.h"

/* words[d]: index of the word in the field's path after which the subscript of extent d stands.
 * n[4].x has word 0, n.x[4] has word 1. */
typedef struct {
    unsigned words[8];
} pm_host_field;

typedef struct {
    const pm_struct *structure; /* the described struct, not owned; must outlive this struct */
    pm_host_field *fields;
    const char *padding; /* prefix of the names of padding members; no field name contains it */
} pm_host_struct;

/* Prepares the declaration of a struct for the host. Raises PM_BAD_INPUT if C cannot declare the
 * struct. */
pm_host_struct pm_host_struct_make(pm_memory *memory, const pm_struct *structure);

/* Writes the name of a field's host type to name: a type of stdint.h, or PREFIX_TYPE for a vector.
 * *align: alignment on the host in bytes; for a vector, the alignment of its scalars. */
void pm_host_type(const pm_field *field, const char *prefix, char *name, size_t size,
                  size_t *align);
/* Returns true if the field's host type is a struct of scalars. */
bool pm_host_is_vector(const pm_field *field);
/* Appends typedefs of the vector types that the struct uses. */
void pm_host_vectors(pm_text *out, const pm_struct *structure);
/* Appends the declaration: typedef struct { .. } NAME; */
void pm_host_declare(pm_text *out, const pm_host_struct *host);
/* Appends the path of field f with its subscripts: n[k0].x[k1]. */
void pm_host_path(pm_text *out, const pm_host_struct *host, size_t f);
/* Appends a padding member if the next member would otherwise start before byte `offset`. end:
 * offset of the end of the last member. align: alignment of the next member. */
void pm_host_pad(pm_text *out, const pm_host_struct *host, int indent, size_t end, size_t offset,
                 size_t align);

#endif
