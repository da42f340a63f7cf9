/* What bank conflicts cost.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_MEMORY_BANKS_H
#define PM_COLLECTOR_TRACE_MEMORY_BANKS_H

#include <stdbool.h>

#include "collector/trace/memory/coalesce.h"

enum { PM_MAX_BANKS = 32 };

typedef struct {
    unsigned width;      /* work-items of a warp */
    unsigned word_shift; /* log2 of the bytes of a bank's word, 2 to 4 */
    unsigned row_shift;  /* log2 of the bytes of one word of each bank; at most PM_MAX_BANKS */
    bool pairs;          /* passes of neighbours with equal addresses become one, see banks.c */
    bool twins;          /* a bank gives two words in a pass: of a row and of the one behind it */
} pm_bank_rule;

typedef struct {
    unsigned wavefronts; /* passes through the banks */
    unsigned conflicts;  /* those of them that only conflicts made necessary */
} pm_bank_cost;

/* Passes that the words of some rows take, all at once: a row is one word of every bank, its
 * sectors are those words. */
unsigned pm_bank_depth(const pm_line_sectors *rows, unsigned count);

/* An instruction that is predicated off still passes. */
pm_bank_cost pm_bank_passes(const pm_bank_rule *rule, const pm_warp_access *access);

/* Of an atomic whose work-items take turns at a place: one more for each that wants the same,
 * access->turn_wavefronts each. */
pm_bank_cost pm_bank_turns(const pm_bank_rule *rule, const pm_warp_access *access);

#endif
