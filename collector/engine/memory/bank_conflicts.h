/* Bank conflicts: the number of passes (wavefronts) of an access to shared memory or to L1's data
 * banks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_MEMORY_BANK_CONFLICTS_H
#define PM_COLLECTOR_ENGINE_MEMORY_BANK_CONFLICTS_H

#include <stdbool.h>

#include "collector/engine/memory/coalescing.h"

enum { PM_MAX_BANKS = 32 };

typedef struct {
    unsigned width;      /* work-items of a warp */
    unsigned word_shift; /* log2 of the bytes of a bank's word, from 2 to 4 */
    /* log2 of the bytes of a row, which has one word of each of the banks (at most PM_MAX_BANKS) */
    unsigned row_shift;
    /* True: an access of more than one word per work-item is split into parts (half-warps or
     * quarter-warps), and one pass serves two neighbouring parts if work-items of both have equal
     * addresses. */
    bool pairs;
    /* True if a bank delivers two words per pass: one of a row (one word of each bank) and one of
     * the next row. */
    bool twins;
} pm_bank_rule;

typedef struct {
    unsigned wavefronts; /* passes through the banks */
    unsigned conflicts;  /* additional wavefronts that bank conflicts cause */
} pm_bank_cost;

/* Returns the number of wavefronts that access words of `count` rows together: the largest number
 * of these words in one bank. A row contains one word of every bank; bit i of its `sectors` means
 * word i. */
unsigned pm_bank_depth(const pm_line_sectors *rows, unsigned count);

/* Returns the wavefronts of an access to banked memory. An instruction whose work-items are all
 * predicated off takes one wavefront. */
pm_bank_cost pm_bank_passes(const pm_bank_rule *rule, const pm_warp_access *access);

/* Returns the wavefronts of an atomic on shared memory, whose work-items are serialized if their
 * addresses are equal. The result is access->turn_wavefronts times the largest number of work-items
 * that access one bank. */
pm_bank_cost pm_bank_turns(const pm_bank_rule *rule, const pm_warp_access *access);

#endif
