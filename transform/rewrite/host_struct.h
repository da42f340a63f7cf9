/* Writes the declaration of a struct of a kernel source as C code, for the user's host program.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_REWRITE_HOST_STRUCT_H
#define PM_TRANSFORM_REWRITE_HOST_STRUCT_H

#include "base/text.h"
#include "transform/source/fields.h"

/* Positions of the subscripts of an array field in its path, such as n.x. words[d]: position of the
 * name after which the subscript of dimension d is written, 0 in n[4].x and 1 in n.x[4]. */
typedef struct {
    unsigned words[8];
} pm_host_field;

typedef struct {
    /* description of the struct; not owned, and must outlive this pm_host_struct */
    const pm_struct *structure;
    pm_host_field *fields;
    /* prefix of the names of padding members, chosen so that no name of a field contains it */
    const char *padding;
} pm_host_struct;

/* Prepares the C declaration of a struct. Raises PM_BAD_INPUT if C cannot declare the struct. */
pm_host_struct pm_host_struct_make(pm_memory *memory, const pm_struct *structure);

/* Writes the name of a field's type on the host to `name`: a type of stdint.h such as int32_t, or
 * PREFIX_TYPE for a vector. *align: alignment of the type on the host in bytes. A vector has the
 * alignment of its scalars. */
void pm_host_type(const pm_field *field, const char *prefix, char *name, size_t size,
                  size_t *align);
/* Returns true if the field's type on the host is a struct of scalars, because C has no vector
 * types. */
bool pm_host_is_vector(const pm_field *field);
/* Appends the typedefs of the vector types that the fields of the struct use. */
void pm_host_vectors(pm_text *out, const pm_struct *structure);
/* Appends the declaration of the struct: typedef struct { .. } NAME; */
void pm_host_declare(pm_text *out, const pm_host_struct *host);
/* Appends the path of field number f with its subscripts, such as n[k0].x[k1]. */
void pm_host_path(pm_text *out, const pm_host_struct *host, size_t f);
/* Appends a padding member to the declaration, if the next member would otherwise start before byte
 * `offset` of the struct. end: offset of the end of the last member. align: alignment of the next
 * member. */
void pm_host_pad(pm_text *out, const pm_host_struct *host, int indent, size_t end, size_t offset,
                 size_t align);

#endif
