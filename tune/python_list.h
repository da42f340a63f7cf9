/* Lists of whole numbers in Python's words, as the values of Kernel Tuner's parameters have them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TUNE_PYTHON_LIST_H
#define PM_TUNE_PYTHON_LIST_H

#include <stdint.h>

#include "base/memory.h"

typedef struct {
    size_t count;
    int64_t *items; /* the memory's */
} pm_python_list;

/* Works a list out without Python: [..] and (..) with whole numbers, comprehensions with any number
 * of for and if, range, list, tuple, sorted and reversed of such, and their sums. Numbers are made
 * by + - * / // % ** << >> & | ^ ~, comparisons, and, or, not, if ... else, min, max, abs, int and
 * round; True and False are 1 and 0. All is in 64 bits, and / has to leave no rest. what: put in
 * front of a message, such as "FILE: values of NAME". Anything else, and more than 10,000 values or
 * a million steps, is PM_BAD_INPUT of memory's attempt. */
pm_python_list pm_python_list_read(pm_memory *memory, const char *python, const char *what);

#endif
