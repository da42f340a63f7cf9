/* Reasons why an array is not staged.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_STAGING_TILE_REASON_H
#define PM_TRANSFORM_STAGING_TILE_REASON_H

#include "base/text.h"
#include "transform/source/clang/ast.h"

/* Sets *why to "path:line: reason" with the line of `node`, unless it already has a reason.
 * Always returns false, so that a caller can write `return pm_stage_why(...)`. */
bool pm_stage_why(pm_text *why, const pm_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
