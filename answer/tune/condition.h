/* Translates the conditions of Kernel Tuner's input files, which are Python expressions about the
 * tuning parameters, into expressions of a [tune] section of a workload file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_ANSWER_TUNE_CONDITION_H
#define PM_ANSWER_TUNE_CONDITION_H

#include "program/space.h"

typedef struct pm_condition pm_condition;

/* Parses a Python condition on the parameters of the space; `memory` owns the result. The parser
 * knows arithmetic, chained comparisons, `and`, `or`, `not`, `[not] in [...]`, min and max of two
 * arguments, True and False. `//` and `%` round down as in Python, and `and` and `or`
 * short-circuit. Any other Python construct raises PM_BAD_INPUT with memory (base/memory.h), and
 * the message names it. Each message begins with the file name `where`. */
const pm_condition *pm_condition_read(pm_memory *memory, const char *python, const char *where,
                                      const pm_tune_space *space);
/* Returns true if the values, one per parameter in the order of the space, satisfy the condition.
 * An error of evaluation, such as a division by zero, raises PM_BAD_INPUT with memory
 * (base/memory.h). */
bool pm_condition_holds(const pm_memory *memory, const pm_condition *condition,
                        const int64_t *values);

#endif
