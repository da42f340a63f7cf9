/* Staging arrays of global memory in local memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_LAYOUT_CLANG_SHARE_H
#define PM_LAYOUT_CLANG_SHARE_H

#include "layout/shared.h"
#include "unit.h"

/* hidden: something to edit stands in a macro or in another file; out has no text then. */
pm_status pm_unit_share(const pm_unit *unit, const pm_share_request *request, pm_shared *out,
                        bool *hidden, pm_error *err);

#endif
