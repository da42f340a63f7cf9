/* The report as Markdown.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/error.h"
#include "report/report.h"

char *pm_report_markdown(const pm_report *report, pm_error *err)
{
    pm_page *page = pm_page_create(false);
    char *text;

    if (!page) {
        pm_fail(err, PM_FAILED, "out of memory for the report");
        return NULL;
    }
    pm_page_heading(page, 1, NULL, -1, "What it is worth");
    pm_page_paragraph(page, "Versions of programs on GPUs: predicted time, gain, cost and return.");
    pm_report_sections(page, report);
    text = pm_page_finish(page, err);
    pm_page_free(page);
    return text;
}
