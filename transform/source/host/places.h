/* Declares a function of the host-code interpreter about expressions, which both expressions.c and
 * places.c use.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_HOST_PLACES_H
#define PM_TRANSFORM_SOURCE_HOST_PLACES_H

#include "transform/source/host/tree.h"

/* Returns the index of the only child of `node` that is an expression. Returns node->count if there
 * is no such child or several. The node's children must have been filled (pm_host_open). */
size_t pm_host_only_expression(const pm_host_node *node);

#endif
