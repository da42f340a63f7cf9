/* Finds adjacent words that AMD's compiler loads or stores by one instruction.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_ACCESSES_TOGETHER_H
#define PM_COLLECTOR_ENGINE_BACKEND_ACCESSES_TOGETHER_H

#include "collector/engine/backend/accesses/sites.h"

/* Sets `together` of each memory instruction: bytes of the wide access into which the compiler
 * merges it with accesses to adjacent addresses. 0: the instruction is part of another one's wide
 * access. */
void pm_together_find(const pm_structure *structure, const pm_values *values, pm_sites *sites,
                      pm_memory *memory);

#endif
