/* Conditions of Kernel Tuner's problems, which are Python expressions, as those of [tune].
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TUNE_CONDITION_H
#define PM_TUNE_CONDITION_H

#include "program/space.h"

typedef struct pm_condition pm_condition;

/* A condition on the space's parameters, of memory: arithmetic, comparisons also in chains, and,
 * or, not, in [...] and not in [...], min and max of two, True and False. // and % are Python's,
 * and what and, or decide without is not worked out. What else Python has is PM_BAD_INPUT of
 * memory's attempt, by its name. where: the file, put in front. */
const pm_condition *pm_condition_read(pm_memory *memory, const char *python, const char *where,
                                      const pm_tune_space *space);
/* Whether values, one a parameter, fulfil it. One that cannot be worked out (a division by zero) is
 * PM_BAD_INPUT of memory's attempt. */
bool pm_condition_holds(const pm_memory *memory, const pm_condition *condition,
                        const int64_t *values);

#endif
