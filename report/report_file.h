/* Where a report is written to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_REPORT_FILE_H
#define PM_REPORT_REPORT_FILE_H

#include "perfmodel.h"

/* Whether a file can be made there, before the long work: PM_BAD_INPUT if not. Leaves nothing. */
pm_status pm_report_try_place(const char *path, pm_error *err);

#endif
