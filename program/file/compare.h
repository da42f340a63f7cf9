/* Compares the final contents of a buffer with the expected ones.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Integers must be equal. If the comparison is exact, floating-point numbers must be equal, too;
 * any NaN equals any other NaN. Otherwise a floating-point number is right if
 *
 *     |got - want| <= scaled * (|want| + rms) + absolute + relative * |want| + error
 *
 * rms is the root mean square of all expected values in the buffer or field. It allows for sums
 * that cancel to nearly zero, whose error is relative to their terms. `error` is a value for each
 * element, which the reference computes. If there are such values, `scaled` is not used.
 */
#ifndef PM_PROGRAM_FILE_COMPARE_H
#define PM_PROGRAM_FILE_COMPARE_H

#include "program/file/from_file.h"

typedef struct {
    double scaled, absolute, relative;
    bool partial; /* true: if the expected value is NaN, every finite value is right */
} pm_file_tolerance;

typedef struct {
    const pm_file_buffer *buffer;
    const void *got, *want;
    /* allowed absolute error of each element, which the reference has computed; an array with the
     * layout of `want`; NULL: none */
    const void *errors;
    size_t bytes;
    /* the pointers in the buffer, which are not compared because addresses differ; NULL: none */
    const pm_pointers *pointers;
    bool exact;
    pm_file_tolerance tolerance;
    /* origin of the expected contents, for messages: name of a file, or of the variant of the
     * program that computed them */
    const char *by;
} pm_file_comparison;

/* Compares the contents `got` of a buffer with the expected contents `want`. Returns PM_FAILED if
 * elements differ. The message names the first element that differs, and the number of differing
 * elements. A struct whose fields are unknown is compared byte by byte. */
pm_status pm_file_compare(const pm_from_file *from, const pm_file_comparison *of, pm_error *err);

#endif
