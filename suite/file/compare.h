/* A buffer of a workload file held against what it should be.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Integers have to be the same. So have reals if the comparison is exact, but for NaN, of which any
 * is like any other. Else one is right if |got - want| <= tolerance * (|want| + rms), with the root
 * mean square of all that is wanted in the buffer or field: what cancels out to nearly nothing has
 * the error of what it was made of.
 */
#ifndef PM_SUITE_FILE_COMPARE_H
#define PM_SUITE_FILE_COMPARE_H

#include "suite/file/from_file.h"

typedef struct {
    const pm_file_buffer *buffer;
    const void *got, *want;
    size_t bytes;
    bool exact;
    double tolerance;
    const char *by; /* who wants it, for the message */
} pm_file_comparison;

/* PM_FAILED names the first element that differs, and tells how many do. A struct whose fields are
 * not known is compared byte by byte. */
pm_status pm_file_compare(const pm_from_file *from, const pm_file_comparison *of, pm_error *err);

#endif
