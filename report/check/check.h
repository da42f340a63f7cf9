/* A check as a table, as JSON, and in the formats that continuous integration reads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_CHECK_CHECK_H
#define PM_REPORT_CHECK_CHECK_H

#include <jansson.h>

#include "perfmodel.h"
#include "report/table/screen.h"

/* The verdict in a word. */
const char *pm_check_word(pm_check_verdict verdict);
/* Of the finding 1 << bit, as --fail-on takes it; NULL: there is none. */
const char *pm_check_finding_name(size_t bit);
/* What became of a kernel and where it comes from, as a sentence or two; to free, NULL: no memory.
 */
char *pm_check_text(const pm_check_kernel *kernel);

/* The kernels that differ, a row each with its reason below, and a line that counts all. */
void pm_table_check(const pm_screen *screen, const pm_check *check);
json_t *pm_json_check(const pm_check *check);
/* SARIF 2.1.0 (OASIS, 2020): an error for each kernel that failed, and a note for each other
 * one that changed. */
json_t *pm_sarif_check(const pm_check *check);
/* JUnit's XML, as Jenkins and GitLab read it: a test case a kernel. To free. */
char *pm_junit_check(const pm_check *check, pm_error *err);

#endif
