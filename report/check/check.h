/* Shows a check as a table, as JSON, and in the formats that continuous integration reads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_CHECK_CHECK_H
#define PM_REPORT_CHECK_CHECK_H

#include <jansson.h>

#include "perfmodel.h"
#include "report/table/screen.h"

/* Returns the word for a verdict in tables, such as "slower". The text is static. */
const char *pm_check_word(pm_check_verdict verdict);
/* Returns the name of the finding whose value is 1 << bit, as --fail-on takes it. NULL if no
 * finding has this bit. */
const char *pm_check_finding_name(size_t bit);
/* Returns one or two sentences about a kernel: how its time and counters changed, which functional
 * unit of the GPU is busy for a different time, and where in the source. The caller frees the text.
 * NULL if memory runs out. */
char *pm_check_text(const pm_check_kernel *kernel);

/* Prints one row for each kernel that differs, with the reason below it, and a line with the number
 * of kernels of each verdict. */
void pm_table_check(const pm_screen *screen, const pm_check *check);
json_t *pm_json_check(const pm_check *check);
/* SARIF 2.1.0 (OASIS, 2020): an error for each kernel that failed, and a note for each other kernel
 * that changed. */
json_t *pm_sarif_check(const pm_check *check);
/* JUnit XML, as Jenkins and GitLab read it, with one test case per kernel. The caller frees the
 * text. */
char *pm_junit_check(const pm_check *check, pm_error *err);

#endif
