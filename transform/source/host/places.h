/* Functions on expressions that expressions.c and places.c share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_HOST_PLACES_H
#define PM_TRANSFORM_SOURCE_HOST_PLACES_H

#include "transform/source/host/tree.h"

/* Returns the index of the only child of an opened node that is an expression. node->count: there
 * is none, or there are several. */
size_t pm_host_only_expression(const pm_host_node *node);

#endif
