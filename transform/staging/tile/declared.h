/* Declarations of a kernel by name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_STAGING_TILE_DECLARED_H
#define PM_TRANSFORM_STAGING_TILE_DECLARED_H

#include "transform/staging/index/index.h"

/* Returns true if the node declares a variable or a parameter with the name name[0..length). */
bool pm_is_declaration_of(const pm_node *node, const char *name, size_t length);
/* Returns the number of variables and parameters of the kernel with this name. */
size_t pm_count_declarations(const pm_index *index, const char *name, size_t length);
/* Returns true if the kernel declares variables with this name, and all of them have the type
 * `kind`. */
bool pm_is_declared_as(const pm_index *index, const char *name, size_t length,
                       enum CXTypeKind kind);

#endif
