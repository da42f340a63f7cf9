/* Shows the result of `perfmodel check` (kernels that became slower or changed since a baseline) as
 * a table, as JSON, and in the formats that continuous integration reads.
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
/* Returns the name of a finding of a check, such as "spills", as the option --fail-on takes it.
 * bit: bit number in pm_check_finding. NULL: no finding has this bit. */
const char *pm_check_finding_name(size_t bit);
/* Returns one or two sentences about a kernel of a check: how its time and counters changed, the
 * functional unit of the GPU whose time changed most, and the source location. The caller frees the
 * text. NULL: out of memory. */
char *pm_check_text(const pm_check_kernel *kernel);

/* Prints a check as a table: one row for each kernel that differs from the baseline, with the
 * reason below it, and a line with the number of kernels of each verdict. */
void pm_table_check(const pm_screen *screen, const pm_check *check);
json_t *pm_json_check(const pm_check *check);
/* Returns a check in the format SARIF 2.1.0 (OASIS, 2020). It has an error for each kernel that
 * failed, and a note for each other kernel that changed. NULL: out of memory. */
json_t *pm_sarif_check(const pm_check *check);
/* Returns a check as JUnit XML, as Jenkins and GitLab read it, with one test case for each kernel.
 * The caller frees the text. NULL on failure. */
char *pm_junit_check(const pm_check *check, pm_error *err);

#endif
