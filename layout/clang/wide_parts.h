/* What the search for wide loads and for wide stores share. See wide.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_LAYOUT_CLANG_WIDE_PARTS_H
#define PM_LAYOUT_CLANG_WIDE_PARTS_H

#include "element_key.h"
#include "wide.h"

typedef struct {
    const pm_plan *const *plans;
    pm_match_access match;
    void *user;
    pm_cursors addressed; /* variables whose address the function takes */
    pm_wide *wide;
} pm_wide_search;

/* The statements of a block and what each does. */
typedef struct {
    pm_cursors statements;
    pm_effects *effects;
} pm_block;

pm_status pm_wide_stores_of(pm_wide_search *search, const pm_block *block, pm_error *err);
pm_status pm_wide_loads_of(pm_wide_search *search, const pm_block *block, pm_error *err);

/* As pm_element_key_of; false also where a variable may be written through its address. */
bool pm_wide_key(const pm_wide_search *search, const pm_element_access *access,
                 pm_element_key *key);
/* Whether a load has this read already. */
bool pm_wide_is_taken(const pm_wide_search *search, CXCursor access);
bool pm_wide_has(const CXCursor *list, size_t count, CXCursor wanted);

#endif
