/* Writes the report as Markdown.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report/report.h"

static void put_report(pm_markdown *md, const void *user)
{
    const pm_report *report = user;

    pm_markdown_heading(md, 1, "What it is worth");
    pm_markdown_paragraph(md,
                          "Versions of programs on GPUs: predicted time, gain, cost and return.");
    pm_section_summary(md, report);
    if (report->money)
        pm_section_money(md, report);
    else
        pm_section_energy(md, report);
    for (size_t p = 0; p < pm_report_program_count(report); p++)
        pm_section_program(md, report, p);
    pm_section_roofline(md, report);
    pm_section_validation(md, report);
    pm_section_trust(md, report);
    pm_section_provenance(md, report);
}

char *pm_report_markdown(const pm_report *report, pm_error *err)
{
    return pm_markdown_write(put_report, report, err);
}
