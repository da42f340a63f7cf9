/* Parts of expressions that both values and places are made of.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SOURCE_HOST_PLACES_H
#define PM_SOURCE_HOST_PLACES_H

#include "source/host/tree.h"

/* Index of the only expression among the children of an opened node; node->count: there is none, or
 * there are several. */
size_t pm_host_only_expression(const pm_host_node *node);

#endif
