/* Addresses that always come before another one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_ADDRESSES_EARLIER_H
#define PM_COLLECTOR_TRACE_BACKEND_ADDRESSES_EARLIER_H

#include <llvm-c/Core.h>
#include <stdbool.h>

enum {
    PM_MOST_BLOCKS = 16,        /* looked back through for an address to share */
    PM_MOST_INSTRUCTIONS = 4096 /* likewise */
};

/* What runs before a block, if its addresses are known here; NULL: nothing does. Where work-items
 * meet behind the one side of a branch, that side: what it loads is under a predicate, but the
 * address is computed all the same. */
LLVMBasicBlockRef pm_block_before(LLVMBasicBlockRef block);

/* Whether an address that always comes before it is like this one. */
bool pm_has_before(LLVMValueRef gep, bool (*like)(LLVMValueRef before, LLVMValueRef gep));

#endif
