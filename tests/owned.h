/* Makes objects of the product for tests. They are freed after the test.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_OWNED_H
#define PM_TESTS_OWNED_H

#include "base/memory.h"
#include "machine/counters/counters.h"
#include "program/workload.h"
#include "unit.h"

OWNED(table, pm_counter_table, pm_counter_table_free)
OWNED(dataset, pm_dataset, pm_dataset_free)
OWNED(session, pm_session, pm_session_free)
OWNED(validation, pm_validation, pm_validation_free)
OWNED(workload, pm_workload, pm_workload_free)

OWNED(pieces, pm_memory, pm_memory_free)

/* Memory whose allocations are freed after the test. */
static inline pm_memory *own_memory(void)
{
    return owned_pieces(room(1, sizeof(pm_memory)));
}

#endif
