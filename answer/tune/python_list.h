/* Evaluates Python expressions for lists of integers, which give the values of parameters in Kernel
 * Tuner files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_ANSWER_TUNE_PYTHON_LIST_H
#define PM_ANSWER_TUNE_PYTHON_LIST_H

#include <stdint.h>

#include "base/memory.h"

typedef struct {
    size_t count;
    /* the integers of the list; owned by the pm_memory that was passed to pm_python_list_read */
    int64_t *items;
} pm_python_list;

/* Evaluates the list expression `python` without a Python interpreter. Supported lists are [..] and
 * (..) of integers, comprehensions with any number of for and if, and sums of lists. The functions
 * range, list, tuple, sorted and reversed may be applied to lists. Supported operators on integers
 * are + - * / // % ** << >> & | ^ ~, comparisons, and, or, not, and if ... else. Supported
 * functions of integers are min, max, abs, int and round. True and False are 1 and 0. Integers have
 * 64 bits, and the operands of / must divide without a remainder. Error messages begin with `what`,
 * such as "FILE: values of NAME". Raises PM_BAD_INPUT with memory (base/memory.h) for any other
 * Python, for more than 10,000 values, and for more than a million steps of evaluation. */
pm_python_list pm_python_list_read(pm_memory *memory, const char *python, const char *what);

#endif
